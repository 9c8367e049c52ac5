"""The CPU time of variant puzzles, building and search together, beside that of the Interactive Sudoku Solver.

    python benchmarks/variants.py FILE [--backend native] [--timeout 10] [--family NAME] [--peer CHECKOUT] [--best N]
                                  [-o RAW.jsonl]

FILE is a table with a header and tab-separated columns: family, solutions (2: more than one, ?: not known), the peer's
CPU time of building and of search in ms, its guesses, the f-puzzles link. With a checkout of the peer, and node, it is
run on this machine; otherwise its times are those of the file, of a machine of its own. Each time is the best of N, and
puzzles that the peer does not decide by the file are not given to it.
The backend runs as in `satdoku bench run --cold`: it is warmed up before, its grids are refereed, and boards of
AllDifferents are permuted, for the peer as well. Reading links is counted for neither.
Printed are a row a puzzle, and for each family the geometric mean of the ratios and the sums.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from statistics import geometric_mean

import interactive_solver

from satdoku import read
from satdoku.bench.plan import BenchPlan, Contender, Job
from satdoku.bench.raw import MeasuredSearch, Outcome
from satdoku.bench.running import Measurement


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A puzzle of the table, and what the peer took in ms; None if it came to no end."""

    family: str
    solutions: str
    peer: float | None
    link: str


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


def plan_of(puzzles: Sequence[Row], backend: str, timeout: float, best: int) -> BenchPlan:
    """Each puzzle by a backend that has seen no board, in a layout of its own each time."""
    found = tuple(read(row.link, name=f"puzzle {number}") for number, row in enumerate(puzzles, 1))
    return BenchPlan(contenders=(Contender(backend),), puzzles=found, warm=False, timeout=timeout, repeats=best)


def beside_peer(checkout: Path, puzzles: Sequence[Row], plan: BenchPlan) -> list[Row]:
    """The puzzles with the peer's times on this machine, in the same layouts as of `plan`.

    All are run once before, so that its code is compiled.
    """
    (contender,) = plan.contenders
    known = [index for index, row in enumerate(puzzles) if row.peer is not None]
    jobs = [Job(contender, index, repeat) for repeat in range(plan.repeats) for index in known]
    layouts = [plan.puzzles[index] for index in known] + [plan.puzzle(job) for job in jobs]
    runs = list(interactive_solver.run(checkout, layouts))[len(known) :]
    best: dict[int, float] = {}
    for job, (build, search, _) in zip(jobs, runs, strict=True):
        best[job.index] = min(best.get(job.index, inf), build + search)
    return [replace(row, peer=best.get(index)) for index, row in enumerate(puzzles)]


def measured(plan: BenchPlan, output: Path | None) -> list[MeasuredSearch]:
    """The best search of each puzzle, in their order."""
    with closing(Measurement(plan, output)) as measurement:
        for _ in measurement.measure():
            pass
        by_puzzle: dict[int, list[MeasuredSearch]] = {}
        for search in measurement.searches:
            by_puzzle.setdefault(search.index, []).append(search)
    return [min(by_puzzle[index], key=seconds) for index in sorted(by_puzzle)]


def seconds(search: MeasuredSearch) -> float:
    return search.decided("cpu")


def spent(search: MeasuredSearch) -> tuple[float, float]:
    """CPU time of loading the board and of the search in ms, as far as it is known."""
    return 1000 * (search.encode_cpu or 0), 1000 * (search.search_cpu or 0)


def table(rows: Sequence[Row], searches: Sequence[MeasuredSearch]) -> None:
    """Print a row a family: ratios over the puzzles that both decide, sums of ms, and puzzles that only one decides."""
    print(f"{'family':20} {'puzzles':>7} {'ratio':>6} {'load':>8} {'all':>9} {'peer':>9}  undecided, peer's")
    for family in (*dict.fromkeys(row.family for row in rows), "all"):
        both = [(row, search) for row, search in zip(rows, searches, strict=True) if family in (row.family, "all")]
        ratios = [
            1000 * seconds(search) / row.peer
            for row, search in both
            if row.peer is not None and search.outcome is Outcome.SOLVED
        ]
        ratio = f"{geometric_mean(ratios):6.2f}" if ratios else "     -"
        loads, times = zip(*(spent(search) for _, search in both), strict=True)
        peer = sum(row.peer or 0 for row, _ in both)
        undecided = sum(search.outcome is not Outcome.SOLVED for _, search in both)
        of_peer = sum(row.peer is None for row, _ in both)
        line = f"{family:20} {len(both):7} {ratio} {sum(loads):8.1f} {sum(loads) + sum(times):9.1f} {peer:9.1f}"
        print(f"{line}  {undecided}, {of_peer}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--backend", default="native")
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--peer", type=Path, help="a checkout of the Interactive Sudoku Solver")
    parser.add_argument("--best", type=int, default=1, help="how often each is run; the least time counts")
    parser.add_argument("--family", default="", help="the puzzles of families with this in their names alone")
    parser.add_argument("-o", "--output", type=Path, help="raw results, as of `satdoku bench run`")
    options = parser.parse_args()
    puzzles = [row for row in rows(options.file) if options.family in row.family]
    plan = plan_of(puzzles, options.backend, options.timeout, options.best)
    if options.peer is not None:
        puzzles = beside_peer(options.peer, puzzles, plan)
    searches = measured(plan, options.output)
    for number, (row, search) in enumerate(zip(puzzles, searches, strict=True), 1):
        decided = search.outcome is Outcome.SOLVED
        assert search.fault is None, f"puzzle {number}: {search.fault}"
        assert not decided or row.solutions in ("?", str(search.count)), f"puzzle {number}: {search.count} grids"
        peer = "undecided" if row.peer is None else f"{row.peer:9.1f}"
        load, time = spent(search)
        own = f"{load:6.1f} + {time:8.1f}" if decided else "undecided"
        print(f"{number:3} {row.family:20} {own:>17} {peer:>9}")
    table(puzzles, searches)


if __name__ == "__main__":
    main()
