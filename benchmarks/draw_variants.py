"""The puzzles of variants_200.tsv, made at random.

    python benchmarks/draw_variants.py [--count 200] [--seed 1] [-o benchmarks/variants_200.tsv]

A 9x9 grid is drawn, then one to four kinds of marks, of as many of twelve families, then marks of each kind that the
grid obeys, where they stand at random. Of all givens, then of all marks, in a random order, each is dropped without
which the puzzle still has one solution, as far as a check of two seconds tells. A puzzle depends on its number alone,
apart from these two seconds. Left out are those whose marks are all dropped and those that the text of the Interactive
Sudoku Solver cannot hold; of the table also one, 231, that ends it with an error.
Printed are the number, the kinds and that text, separated by tabs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random

import satdoku
from satdoku import Mark, Puzzle, Session, Verdict
from satdoku.formats.iss_writer import write
from satdoku.generator.grids import grids
from satdoku.puzzle import Position
from satdoku.system.clock import Deadline, TimeIsUp

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.drawing import MarkedSquare, Values, outside
from support.oracles import RULES, draw

FAMILIES: dict[str, tuple[str, ...]] = {
    "houses": ("diagonal+", "diagonal-", "windoku", "disjoint-groups"),
    "moves": ("anti-knight", "anti-king", "anti-taxicab", "nonconsecutive"),
    "whole board": ("full-rank", "global-entropy"),
    "dots": ("difference", "ratio", "greater-than", "xv"),
    "sums": ("cage", "arrow", "little-killer"),
    "lines of sums": ("sum-line", "region-sum", "zipper", "double-arrow"),
    "lines": ("thermometer", "renban", "whispers", "palindrome", "between", "entropic"),
    "outside sums": ("sandwich", "x-sum", "numbered-room"),
    "outside views": ("skyscraper", "hidden-skyscraper"),
    "sets": ("quadruple", "lunchbox", "rellik"),
    "counting": ("counting-circles", "count-distinct", "same-values"),
    "indexers": ("row-indexer", "column-indexer", "value-index"),
}
MARKS = (4, 24)  # of a kind, unless it is of the whole board
SECONDS = 2.0
BOXED = (Mark("boxes", value="3x3"),)
OUTSIDE = [clue for n in range(1, 10) for clue in ((n, 0), (n, 10), (0, n), (10, n))]


def puzzle(number: int) -> tuple[list[str], Puzzle] | None:
    """The kinds that were drawn, and the puzzle of a number, if one could be made."""
    random = Random(f"variants {number}")
    chosen = random.sample(sorted(FAMILIES), random.choice((1, 1, 2, 2, 3, 4)))
    kinds = [random.choice(FAMILIES[family]) for family in chosen]
    base = satdoku.build(marks=[Mark(kind) for kind in kinds if kind in RULES])
    with Session("native") as session:
        try:
            grid = grids(base.board, session).draw(random, Deadline(10.0))
        except (satdoku.SatdokuError, TimeIsUp):
            return None
    at: Values = dict(zip(MarkedSquare(9).positions, grid, strict=True))
    marks = [mark for mark in base.board.marks if mark.kind != "boxes"]
    for kind in kinds:
        if kind not in RULES:
            for _ in range(random.randint(*MARKS)):
                marks.append(drawn(kind, random, at))
    made = reduced(random, list(dict.fromkeys(marks)), at)
    return None if made is None else (kinds, made)


def drawn(kind: str, random: Random, at: Values) -> Mark:
    """A mark of that kind which the grid obeys."""
    if kind != "full-rank":
        return draw(kind, random, MarkedSquare(9, BOXED), at)
    clue = outside(random, MarkedSquare(9))
    lines = {each: [at[cell] for cell in MarkedSquare(9).seen(each)] for each in OUTSIDE}
    return Mark(kind, (clue,), value=sorted(lines.values()).index(lines[clue]) + 1)


def reduced(random: Random, marks: Sequence[Mark], at: Values) -> Puzzle | None:
    """A puzzle of these marks and of givens, with as few as a random order leads to, givens first."""
    clues: list[Mark | Position] = [*random.sample([*at], len(at)), *random.sample(marks, len(marks))]
    left = list(clues)
    best = built(left, at)
    if best is None or not unique(best):
        return None
    for clue in clues:
        fewer = [each for each in left if each is not clue]
        trial = built(fewer, at)
        if trial is not None and unique(trial):
            left, best = fewer, trial
    return best if any(isinstance(each, Mark) for each in left) else None


def built(clues: Sequence[Mark | Position], at: Values) -> Puzzle | None:
    """A puzzle of some marks, and of givens at some positions; None if the marks cannot be together."""
    marks = [each for each in clues if isinstance(each, Mark)]
    givens = {each: at[each] for each in clues if not isinstance(each, Mark)}
    try:
        return satdoku.build(marks=marks, givens=givens)
    except satdoku.InputError:
        return None


def unique(puzzle: Puzzle) -> bool:
    return satdoku.check(puzzle, timeout=SECONDS).verdict is Verdict.UNIQUE


def made(seed: int) -> Iterator[tuple[int, str, str]]:
    """Numbers from `seed` on, kinds and texts."""
    for number in count(seed):
        one = puzzle(number)
        if one is not None:
            kinds, each = one
            try:
                yield number, ", ".join(kinds), write(each)
            except satdoku.SatdokuError:
                pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="the first number")
    options = parser.parse_args()
    print("number\tkinds\ttext")
    for _, (number, kinds, text) in zip(range(options.count), made(options.seed), strict=False):
        print(f"{number}\t{kinds}\t{text}", flush=True)


if __name__ == "__main__":
    main()
