"""What exact counts of 9x9 and 8x8 boards take: CPU time on one core, the tables of docs/counting.md.

    python benchmarks/counts.py [--puzzles 35] [--patterns 200] [--hardest 5] [--values 26 20 16 6 0]

Random puzzles of 4 to 16 clues come from one full grid, relabelled, with seeds that are the row's number.
Patterns have 4 to 9 clues, all digits different, no two in one box: the slowest there are. Of these only the
hardest, by their estimates, are counted. `--values` counts the solutions with each value in each cell, of puzzles of
so many clues, at once and, from 16 clues on, by a count for each value of each cell.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import process_time

from satdoku import Puzzle, classic
from satdoku.counting.exact import count, plan
from satdoku.counting.values import per_value
from satdoku.puzzle import members

FULL = [(3 * (row % 3) + row // 3 + column) % 9 for row in range(9) for column in range(9)]


def timed(puzzle: Puzzle) -> tuple[float, float, int]:
    """(CPU seconds, estimated seconds, solutions)"""
    started = process_time()
    found = plan(puzzle)
    assert found is not None
    total = count(found)
    return process_time() - started, found.seconds, total.count


def estimated(puzzle: Puzzle) -> float:
    """CPU seconds."""
    found = plan(puzzle)
    assert found is not None
    return found.seconds


def from_grid(number: int, clues: int | None = None) -> Puzzle:
    """A puzzle of so many clues, else of 4 to 16."""
    random = Random(number)
    digits = random.sample(range(1, 10), 9)
    cells = random.sample(range(81), 4 + number % 13 if clues is None else clues)
    return Puzzle.from_givens(classic(3, 3), {cell: digits[FULL[cell]] for cell in cells})


def spread(number: int) -> Puzzle:
    """4 to 9 different digits, no two in one box."""
    random = Random(number)
    boxes = random.sample(range(9), 4 + number % 6)
    cells = [27 * (box // 3) + 3 * (box % 3) + random.choice((0, 1, 2, 9, 10, 11, 18, 19, 20)) for box in boxes]
    return Puzzle.from_givens(classic(3, 3), {cell: digit for digit, cell in enumerate(cells, 1)})


def table(name: str, puzzles: list[Puzzle]) -> None:
    rows = [timed(puzzle) for puzzle in puzzles]
    seconds = sorted(row[0] for row in rows)
    worst = max(max(spent / guess, guess / spent) for spent, guess, _ in rows if spent > 1) if seconds[-1] > 1 else 1.0
    counts = [row[2] for row in rows]
    print(
        f"| {name} | {len(rows)} | {min(counts):.1e} to {max(counts):.1e} | {median(seconds):.2f} | "
        f"{seconds[-1]:.2f} | {worst:.1f} |",
        flush=True,
    )


def by_value(clues: int) -> str:
    """A row: one count, the counts of all values together, and those of each value of each cell by itself."""
    puzzle = from_grid(1, clues)
    single, started = timed(puzzle)[0], process_time()
    found = per_value(puzzle)
    together = process_time() - started
    assert found is not None
    alone = "" if clues < 16 else f"{sum(map(one_count, each_value(puzzle))):.0f}"
    return f"| {clues} | {single:.2f} | {together:.2f} | {alone} |"


def each_value(puzzle: Puzzle) -> Iterator[Puzzle]:
    for cell, candidates in enumerate(puzzle.candidates):
        for value in members(candidates):
            narrowed = (*puzzle.candidates[:cell], 1 << value, *puzzle.candidates[cell + 1 :])
            yield Puzzle(puzzle.board, narrowed)


def one_count(puzzle: Puzzle) -> float:
    """CPU seconds, plans that find nothing to sum included."""
    started = process_time()
    found = plan(puzzle)
    if found is not None:
        count(found)
    return process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=35)
    parser.add_argument("--patterns", type=int, default=200)
    parser.add_argument("--hardest", type=int, default=5)
    parser.add_argument("--values", type=int, nargs="*", default=[], metavar="CLUES")
    options = parser.parse_args()
    timed(Puzzle.from_givens(classic(3, 3), {0: 1}))  # compiles what is not in the cache
    print("| boards | number | solutions | median s | longest s | estimate off by at most (over 1 s) |")
    print("|---|---|---|---|---|---|")
    for rows, columns in ((2, 2), (2, 3), (2, 4), (3, 3)):
        table(f"empty {rows}x{columns}", [Puzzle.from_givens(classic(rows, columns), {})])
    table("4 to 16 clues", [from_grid(number) for number in range(options.puzzles)])
    patterns = sorted(map(spread, range(options.patterns)), key=estimated, reverse=True)
    if patterns:
        table(f"hardest of {options.patterns} with 4 to 9 different digits", patterns[: options.hardest])
    if options.values:
        print("\n| clues | one count, s | per_value, s | 729 counts, s |\n|---|---|---|---|")
    for clues in options.values:
        print(by_value(clues), flush=True)
    print(f"\nMemory: {getrusage(RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")


if __name__ == "__main__":
    main()
