"""What exact counts of 9x9 and 8x8 boards take: CPU time on one core, the tables of docs/counting.md.

    python benchmarks/counts.py [--puzzles 35] [--patterns 200] [--hardest 5] [--values 26 20 16 6 0]

Random puzzles of 4 to 16 clues come from one full grid, relabelled, with seeds that are the row's number.
Patterns have 4 to 9 clues, all digits different, no two in one box: the slowest there are. Of these only the
hardest, by their estimates, are counted. `--values` counts the solutions with each value in each cell, of puzzles of
so many clues, at once and, from 16 clues on, by a count for each value of each cell.

The sums are engines of `satdoku bench run --work count`; peak memory is that of their processes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from random import Random
from statistics import median

from satdoku import Budget, Ending, Grid, Puzzle, Refused, classic
from satdoku.backends import Engine, Search, join
from satdoku.bench import raw
from satdoku.bench.plan import BenchPlan, Contender
from satdoku.bench.running import Measurement
from satdoku.counting.clues import summable
from satdoku.counting.exact import count, plan
from satdoku.counting.values import per_value
from satdoku.puzzle import Board, members

FULL = [(3 * (row % 3) + row // 3 + column) % 9 for row in range(9) for column in range(9)]


TIMEOUT = 3_600.0  # seconds


def total(puzzle: Puzzle) -> int:
    found = plan(puzzle)
    return 0 if found is None else count(found).count


def total_of_values(puzzle: Puzzle) -> int:
    """The same by the number of solutions with each value of each cell."""
    found = per_value(puzzle)
    return 0 if found is None else sum(found[0])


@dataclass(frozen=True)
class Sums:
    """A backend that counts, and finds no grid."""

    count: Callable[[Puzzle], int]

    def refuses(self, board: Board) -> str | None:
        return None if summable(Puzzle.from_givens(board, {})) else "no sum counts its grids"

    def load(self, board: Board) -> None:
        """Nothing is kept between puzzles."""

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        raise Refused("sums count alone")

    def can_count(self, board: Board) -> bool:
        return True

    def count_solutions(
        self, puzzle: Puzzle, budget: Budget, seen: Callable[[int], None] | None = None
    ) -> tuple[int, Ending, tuple[Grid, ...]]:
        return self.count(puzzle), Ending.EXHAUSTED, ()

    def close(self) -> None:
        pass


ENGINES = (
    Engine("sums", "exact counts by sums", lambda argument, encoding: Sums(total)),
    Engine("sums-of-values", "the same for each value of each cell", lambda argument, encoding: Sums(total_of_values)),
)


def measured(puzzles: Sequence[Puzzle], engine: str = "sums") -> list[raw.MeasuredSearch]:
    """A search of each puzzle, in their order."""
    asked = BenchPlan(
        contenders=(Contender(engine),),
        puzzles=tuple(puzzles),
        work=raw.Work.COUNT,
        limit=None,
        timeout=TIMEOUT,
        engines=(__file__,),
    )
    with closing(Measurement(asked, None)) as measurement:
        found = sorted(measurement.measure(), key=lambda search: search.index)
    assert all(search.outcome is raw.BenchOutcome.SOLVED for search in found), raw.complaints(found)
    return found


def spent(searches: Sequence[raw.MeasuredSearch]) -> list[float]:
    """CPU seconds."""
    return [search.decided("cpu") for search in searches]


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


def table(name: str, puzzles: Sequence[Puzzle]) -> int:
    """Print a row; returns the peak memory in bytes."""
    searches = measured(puzzles)
    seconds = spent(searches)
    guesses = zip(seconds, map(estimated, puzzles), strict=True)
    worst = max((max(time / guess, guess / time) for time, guess in guesses if time > 1), default=1.0)
    counts = [search.count for search in searches]
    print(
        f"| {name} | {len(searches)} | {min(counts):.1e} to {max(counts):.1e} | {median(seconds):.2f} | "
        f"{max(seconds):.2f} | {worst:.1f} |",
        flush=True,
    )
    return max(search.peak_bytes for search in searches)


def by_value(clues: int) -> str:
    """A row: one count, the counts of all values together, and those of each value of each cell by itself."""
    puzzle = from_grid(1, clues)
    (single,), (together,) = measured([puzzle]), measured([puzzle], "sums-of-values")
    assert single.count == together.count
    alone = "" if clues < 16 else f"{sum(spent(measured(list(each_value(puzzle))))):.0f}"
    return f"| {clues} | {spent([single])[0]:.2f} | {spent([together])[0]:.2f} | {alone} |"


def each_value(puzzle: Puzzle) -> Iterator[Puzzle]:
    for cell, candidates in enumerate(puzzle.candidates):
        for value in members(candidates):
            narrowed = (*puzzle.candidates[:cell], 1 << value, *puzzle.candidates[cell + 1 :])
            yield Puzzle(puzzle.board, narrowed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=35)
    parser.add_argument("--patterns", type=int, default=200)
    parser.add_argument("--hardest", type=int, default=5)
    parser.add_argument("--values", type=int, nargs="*", default=[], metavar="CLUES")
    options = parser.parse_args()
    join(__file__)
    print("| boards | number | solutions | median s | longest s | estimate off by at most (over 1 s) |")
    print("|---|---|---|---|---|---|")
    peaks = [
        table(f"empty {rows}x{columns}", [Puzzle.from_givens(classic(rows, columns), {})])
        for rows, columns in ((2, 2), (2, 3), (2, 4), (3, 3))
    ]
    peaks.append(table("4 to 16 clues", [from_grid(number) for number in range(options.puzzles)]))
    patterns = sorted(map(spread, range(options.patterns)), key=estimated, reverse=True)
    if patterns:
        hardest = patterns[: options.hardest]
        peaks.append(table(f"hardest of {options.patterns} with 4 to 9 different digits", hardest))
    if options.values:
        print("\n| clues | one count, s | per_value, s | 729 counts, s |\n|---|---|---|---|")
    for clues in options.values:
        print(by_value(clues), flush=True)
    print(f"\nMemory: {max(peaks) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
