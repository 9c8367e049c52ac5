"""How often the intervals of estimates hold the number of solutions, on random variants whose number is known.

    python benchmarks/estimates.py [--boards 200] [--probes 100 300 1000] [--runs 5] [--seed 1] [--list]

A board has 4x4, 6x6 or 9x9 cells and one to three kinds of marks, at random, that some grid obeys, and as many givens
of that grid as it takes until there are at most MOST solutions, which are counted one by one. Of each, `--runs`
estimates of so many probes. Printed are, for each number of probes, how many of the intervals hold the number (those of
no probe that found a grid say nothing, and hold it), the median of their widths as a share of the number, the board
where the fewest do, and CPU time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count
from math import inf
from random import Random
from statistics import median
from time import process_time

import satdoku
from satdoku import Mark, Puzzle, Session
from satdoku.counting.estimates import Estimate, prober
from satdoku.generator.drawing import MarkedSquare
from satdoku.generator.grids import grids
from satdoku.generator.layouts import holds
from satdoku.generator.makers import MAKERS, RULES
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.variants import REGIONS, build

MOST = 100_000
BOXES = {4: "2x2", 6: "2x3", 9: "3x3"}
ON_THE_WHOLE_BOARD = ("diagonal+", "diagonal-", "anti-knight", "anti-king", "nonconsecutive")


def board(number: int, session: Session) -> tuple[str, Puzzle, int] | None:
    """Kinds, puzzle and number of solutions of a number; None if the marks that were drawn cannot be."""
    random = Random(f"known {number}")
    size = random.choice((4, 6, 6, 9))
    names = sorted(set(MAKERS) - set(RULES) - set(REGIONS))
    kinds = random.sample(names, random.choice((1, 1, 2, 3)))
    rules = [Mark(random.choice(ON_THE_WHOLE_BOARD))] if random.random() < 0.2 else []
    drawing = MarkedSquare(size, (Mark("boxes", value=BOXES[size]), *rules))
    try:
        grid = grids(build(drawing.board_size, drawing.marks), session).draw(random, Deadline(10.0))
        at = dict(zip(drawing.positions, grid, strict=True))
        marks = list(drawing.marks)
        for kind in kinds:
            for _ in range(random.randint(1, size)):
                mark = MAKERS[kind](random, drawing, at)
                if holds(MarkedSquare(size, tuple(marks)), mark, at):
                    marks.append(mark)
        made = build(drawing.board_size, tuple(dict.fromkeys(marks)))
    except (satdoku.SatdokuError, TimeIsUp, IndexError, ValueError, KeyError):
        return None
    if not made.others:
        return None
    cells = random.sample(range(made.grid_cells), made.grid_cells)
    givens = {cell: grid[cell] for cell in cells[: {4: 0, 6: 2, 9: 16}[size]]}
    while True:
        puzzle = Puzzle.from_givens(made, givens)
        found = session.count(puzzle, limit=MOST, timeout=2)
        if found.exact:
            break
        givens.update((cell, grid[cell]) for cell in cells[len(givens) : len(givens) + 1 + size // 6])
    return f"{size}x{size} {', '.join([*kinds, *(rule.kind for rule in rules)])}", puzzle, found.count


def boards(many: int, seed: int) -> Iterator[tuple[str, Puzzle, int]]:
    with Session("native") as session:
        for number in count(seed):
            made = board(number, session)
            if made is not None:
                yield f"{number}: {made[0]}", made[1], made[2]
                many -= 1
                if not many:
                    return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--probes", type=int, nargs="*", default=[100, 300, 1000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="the first number")
    parser.add_argument("--list", action="store_true", help="print each board")
    options = parser.parse_args()
    known = list(boards(options.boards, options.seed))
    if options.list:
        for name, puzzle, true in known:
            print(f"{true:9} {name}, {puzzle.given_count} givens")
    print("| probes | boards | intervals | hold | no grid found | median width | fewest on one board | CPU s |")
    print(8 * "|---" + "|")
    for probes in options.probes:
        began, held, empty, by_board, widths = process_time(), 0, 0, [], []
        for name, puzzle, true in known:
            found = [Estimate.of(prober(puzzle, 1_000_000 * run + 1).probe(probes)) for run in range(options.runs)]
            good = sum(one.high is None or one.low <= true <= one.high for one in found)
            widths += [inf if one.high is None else (one.high - one.low) / true for one in found]
            empty += sum(one.high is None for one in found)
            held += good
            by_board.append((good, name))
        runs = options.runs * len(known)
        spent = process_time() - began
        fewest, name = min(by_board)
        print(
            f"| {probes} | {len(known)} | {runs} | {held / runs:.1%} | {empty} | {median(widths):.0%} | "
            f"{fewest}, {name} | {spent:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
