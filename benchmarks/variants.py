"""The CPU time of variant puzzles, building and search together, beside that of the Interactive Sudoku Solver.

    python benchmarks/variants.py FILE [--backend native] [--timeout 10] [--family NAME] [--peer CHECKOUT] [--best N]

FILE is a table with a header and tab-separated columns: family, solutions (2: more than one, ?: not known), the peer's
CPU time of building and of search in ms, its guesses, the f-puzzles link. With a checkout of the peer, and node, it is
run on this machine; otherwise its times are those of the file, of a machine of its own. Each time is the best of N, and
puzzles that the peer does not decide by the file are not given to it.
Compiling is not counted: each kernel is run once before. Reading links is counted for neither.
Printed are a row a puzzle, and for each family the geometric mean of the ratios and the sums.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import dataclass, replace
from math import exp, log
from pathlib import Path
from time import process_time

import interactive_solver

from satdoku import Board, Budget, Ending, Linear, Puzzle, classic, read
from satdoku.backends import Backend, find
from satdoku.referee import violations


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A puzzle of the table, and what the peer took in ms; None if it came to no end."""

    family: str
    solutions: str
    peer: float | None
    link: str


@dataclass(frozen=True, slots=True)
class Time:
    """CPU time in ms of loading the board and of the search; how it ended, and how many grids it found."""

    load: float
    search: float
    ending: Ending
    grids: int

    def all(self) -> float:
        return self.load + self.search


def rows(file: Path) -> list[Row]:
    """The puzzles of a table."""
    with file.open(newline="") as stream:
        table = list(csv.reader(stream, delimiter="\t"))[1:]
    return [
        Row(
            family=family,
            solutions=solutions,
            peer=None if search.startswith(">") else float(building) + float(search),
            link=link,
        )
        for family, solutions, building, search, _, link in table
    ]


def beside_peer(checkout: Path, puzzles: list[Row], best: int) -> list[Row]:
    """The puzzles with the peer's times on this machine. All are run once before, so that its code is compiled."""
    known = [row for row in puzzles if row.peer is not None]
    runs = list(interactive_solver.run(checkout, [read(row.link) for _ in range(best + 1) for row in known]))
    times = [
        min(build + search for build, search, _ in runs[len(known) + place :: len(known)])
        for place in range(len(known))
    ]
    found = {row.link: time for row, time in zip(known, times, strict=True)}
    return [replace(row, peer=found.get(row.link)) for row in puzzles]


def measured(backend: str, puzzle: Puzzle, timeout: float) -> Time:
    """A backend that has seen no board, on one puzzle."""
    engine = find(backend)
    try:
        began = process_time()
        engine.load(puzzle.board)
        loaded = process_time()
        grids, ending = _drain(engine, puzzle, timeout)
        return Time(1000 * (loaded - began), 1000 * (process_time() - loaded), ending, grids)
    finally:
        engine.close()


def _drain(engine: Backend, puzzle: Puzzle, timeout: float) -> tuple[int, Ending]:
    search, grids = engine.search(puzzle, Budget(2, timeout)), 0
    while True:
        try:
            grid = next(search)
        except StopIteration as stop:
            return grids, stop.value
        assert not list(violations(puzzle, grid))
        grids += 1


def warm_up(backend: str) -> None:
    """Compile what the backend compiles, and what it takes only once it is compiled."""
    summed = Linear((0, 1, 4), (1, 1, 1), 7, "sum")
    for name in ("native", backend):
        engine = find(name)
        engine.close()
        for board in (classic(3, 3), Board(16, 4, 4, (*classic(2, 2).constraints, summed))):
            measured(name, Puzzle.from_givens(board, {}), 60)


def table(rows: list[Row], times: list[Time]) -> None:
    """Print a row a family: ratios over the puzzles that both decide, sums of ms, and puzzles that only one decides."""
    print(f"{'family':20} {'puzzles':>7} {'ratio':>6} {'load':>8} {'all':>9} {'peer':>9}  undecided, peer's")
    for family in (*dict.fromkeys(row.family for row in rows), "all"):
        both = [(row, time) for row, time in zip(rows, times, strict=True) if family in (row.family, "all")]
        ratios = [
            log((time.load + time.search) / row.peer)
            for row, time in both
            if row.peer is not None and time.ending is not Ending.TIMEOUT
        ]
        ratio = f"{exp(sum(ratios) / len(ratios)):6.2f}" if ratios else "     -"
        load, search = sum(time.load for _, time in both), sum(time.search for _, time in both)
        peer = sum(row.peer or 0 for row, _ in both)
        undecided = sum(time.ending is Ending.TIMEOUT for _, time in both)
        of_peer = sum(row.peer is None for row, _ in both)
        line = f"{family:20} {len(both):7} {ratio} {load:8.1f} {load + search:9.1f} {peer:9.1f}"
        print(f"{line}  {undecided}, {of_peer}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--backend", default="native")
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--peer", type=Path, help="a checkout of the Interactive Sudoku Solver")
    parser.add_argument("--best", type=int, default=1, help="how often each is run; the least time counts")
    parser.add_argument("--family", default="", help="the puzzles of families with this in their names alone")
    options = parser.parse_args()
    puzzles = [row for row in rows(options.file) if options.family in row.family]
    if options.peer is not None:
        puzzles = beside_peer(options.peer, puzzles, options.best)
    warm_up(options.backend)
    times = []
    for number, row in enumerate(puzzles, start=1):
        puzzle = read(row.link)
        time = min((measured(options.backend, puzzle, options.timeout) for _ in range(options.best)), key=Time.all)
        times.append(time)
        decided = time.ending is not Ending.TIMEOUT
        assert not decided or row.solutions in ("?", str(time.grids)), f"puzzle {number}: {time.grids} grids"
        peer = "undecided" if row.peer is None else f"{row.peer:9.1f}"
        own = f"{time.load:6.1f} + {time.search:8.1f}" if decided else "undecided"
        print(f"{number:3} {row.family:20} {own:>17} {peer:>9}")
    table(puzzles, times)


if __name__ == "__main__":
    main()
