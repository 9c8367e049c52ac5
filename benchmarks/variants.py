"""The CPU time of one variant puzzle after another, beside that of the Interactive Sudoku Solver.

    python benchmarks/variants.py [SET...] [--peer CHECKOUT] [--timeout 10] [--backend auto] [--only TEXT] [--kept]

A SET is a table with a header, tab-separated, whose first or second column names a family and whose last column is a
puzzle, or a folder of puzzle files, whose own text for the peer may stand in a line `# ISS: TEXT`. Without one it is
variants_200.tsv. A puzzle is given to the peer as `satdoku.write` writes it where it has no text of its own.

Each puzzle has new processes, which have answered the first puzzle alone, as for somebody who asks about one puzzle.
With --kept one process of each answers all of them, after the first. The time of satdoku is that of reading the text,
making the board and the search, in its process and in those that it starts; that of the peer is of building and of
search, without reading. Each puzzle is run once by both, one after the other. Printed are a row a puzzle, and what is
over the bounds: in a table the geometric mean of the ratios at most 0.5, the sum of times at most 0.8 of the peer's,
no family above 1.0; in a folder the geometric mean at most 1.0; no puzzle above 3 times the peer and 50 ms; none
undecided that the peer decides. The exit status is 1 if something is over them, or a count differs.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import geometric_mean, median
from typing import Any

import psutil
from interactive_solver import Answered, InteractiveSolver

import satdoku
from satdoku import Refused, Verdict

MADE = Path(__file__).with_name("variants_200.tsv")
GEOMETRIC, SUM, FAMILY = 0.5, 0.8, 1.0  # bounds of a table, as multiples of the peer's time
FOLDER = 1.0  # of the geometric mean of a folder
SINGLE, MILLISECONDS = 3.0, 50.0  # of one puzzle: over both of these it is named


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    family: str
    text: str
    peer_text: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """milliseconds: of satdoku; peer: None if it was not asked or gave no answer in the time"""

    entry: Entry
    milliseconds: float
    verdict: Verdict
    peer: Answered | None

    @property
    def ratio(self) -> float | None:
        decided = self.verdict is not Verdict.UNDECIDED
        return self.milliseconds / self.peer.milliseconds if self.peer is not None and decided else None

    @property
    def over(self) -> bool:
        if self.peer is None:
            return False
        over = self.milliseconds > max(SINGLE * self.peer.milliseconds, MILLISECONDS)
        return over or self.verdict is Verdict.UNDECIDED


def entries(source: Path) -> Iterator[Entry]:
    """The puzzles of a table or of a folder."""
    if source.is_dir():
        for file in sorted(source.glob("*.toml")):
            text = file.read_text()
            own = re.search(r"^# ISS: (\S+)", text, re.MULTILINE)
            kinds = re.search(r"kinds (\[.*\])", text)
            yield Entry(file.stem, kinds[1] if kinds else file.stem, text, own[1] if own else _written(text))
        return
    with source.open(newline="") as stream:
        header, *rows = csv.reader(stream, delimiter="\t")
    column = 0 if header[0] == "family" else 1
    for number, row in enumerate(rows, 1):
        yield Entry(row[0] if column else str(number), row[column], row[-1], _written(row[-1]))


def _written(text: str) -> str | None:
    with suppress(Refused):
        return satdoku.write(satdoku.read(text), "iss")
    return None


def own_milliseconds() -> float:
    """CPU time of this process."""
    usage = getrusage(RUSAGE_SELF)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def children_milliseconds(apart: int | None) -> float:
    """CPU time of the processes that this one has started, without process `apart`.

    To look for them takes milliseconds, so it is not done between two readings of `own_milliseconds`.
    """
    usage = getrusage(RUSAGE_CHILDREN)
    used = usage.ru_utime + usage.ru_stime
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if child.pid != apart:
                times = child.cpu_times()
                used += times.user + times.system
    return 1000 * used


def timed(text: str, backend: str, timeout: float, apart: int | None = None) -> tuple[float, Verdict]:
    """CPU time in milliseconds of one puzzle, and its verdict."""
    children, own = children_milliseconds(apart), own_milliseconds()
    outcome = satdoku.check(text, backend=backend, timeout=timeout)
    milliseconds = own_milliseconds() - own
    return milliseconds + children_milliseconds(apart) - children, outcome.verdict


def timed_second(first: str, *asked: Any) -> tuple[float, Verdict]:
    """The same after a first puzzle: for a new process."""
    satdoku.check(first)
    return timed(*asked)


def measured(
    puzzles: Sequence[Entry], peer: InteractiveSolver | None, backend: str, timeout: float, kept: bool
) -> Iterator[Result]:
    first = puzzles[0]
    for entry in [first, *puzzles] if kept else puzzles:
        if kept:
            milliseconds, verdict = timed(entry.text, backend, timeout, None if peer is None else peer.pid)
        else:
            with get_context("spawn").Pool(1) as process:
                milliseconds, verdict = process.apply(timed_second, (first.text, entry.text, backend, timeout))
        answer = None
        if peer is not None and entry.peer_text is not None:
            if not kept:
                peer.begin_anew()
            if not kept and first.peer_text is not None:
                peer.ask(first.peer_text, timeout)
            answer = peer.ask(entry.peer_text, timeout)
        yield Result(entry, milliseconds, verdict, answer)


def single_faults(results: Sequence[Result]) -> Iterator[str]:
    """The puzzles over the bounds, and those on which the counts differ."""
    counts = {Verdict.UNSOLVABLE: 0, Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}
    for result in results:
        if result.peer is not None and counts.get(result.verdict, result.peer.count) != result.peer.count:
            yield f"{result.entry.name}: {result.verdict.value}, and the peer has {result.peer.count} solutions"
        if result.over:
            assert result.peer is not None
            times = f"{result.milliseconds:.1f} ms, the peer {result.peer.milliseconds:.1f}"
            yield f"{result.entry.name} ({result.entry.family}): {result.verdict.value}, {times}"


def set_faults(results: Sequence[Result], table: bool) -> Iterator[str]:
    """Print what a set comes to, and give what of that is over the bounds."""
    both = [(result, result.ratio, result.peer) for result in results if result.ratio and result.peer]
    if not both:
        print(f"median {median(result.milliseconds for result in results):.1f} ms")
        return
    families: dict[str, list[float]] = defaultdict(list)
    for result, ratio, _ in both:
        for family in re.findall(r"[\w+-]+", result.entry.family):
            families[family].append(ratio)
    mean = geometric_mean(ratio for _, ratio, _ in both)
    total = sum(result.milliseconds for result, _, _ in both) / sum(peer.milliseconds for _, _, peer in both)
    guesses = median(peer.guesses for _, _, peer in both)
    print(f"{len(both)} of {len(results)} by both: geometric mean {mean:.2f}, sum {total:.2f}; {guesses:g} guesses")
    for family, ratios in sorted(families.items()):
        print(f"  {family:24} {len(ratios):4} {geometric_mean(ratios):6.2f}")
        if table and geometric_mean(ratios) > FAMILY:
            yield f"family {family}: {geometric_mean(ratios):.2f}, at most {FAMILY}"
    if mean > (GEOMETRIC if table else FOLDER):
        yield f"geometric mean {mean:.2f}, at most {GEOMETRIC if table else FOLDER}"
    if table and total > SUM:
        yield f"sum {total:.2f}, at most {SUM}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path, nargs="*", default=[MADE], metavar="SET")
    parser.add_argument("--peer", type=Path, help="a checkout of the Interactive Sudoku Solver")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for each puzzle and solver")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--only", default="", help="the puzzles of families with this in their names alone")
    parser.add_argument("--kept", action="store_true", help="one process for all puzzles")
    options = parser.parse_args()
    peer = InteractiveSolver(options.peer) if options.peer is not None else None
    over = 0
    for source in options.sets:
        puzzles = [entry for entry in entries(source) if options.only in entry.family]
        if not puzzles:
            parser.error(f"{source} has no puzzle of such a family")
        print(f"{source.name}: {len(puzzles)} puzzles")
        results = list(measured(puzzles, peer, options.backend, options.timeout, options.kept))
        if options.kept:
            results.pop(0)  # it warms both up
        for result in results:
            times = (
                f"{result.milliseconds:9.1f} {result.peer.milliseconds:9.1f}"
                if result.peer
                else (f"{result.milliseconds:9.1f}         -")
            )
            print(f"{result.entry.name:>10} {times}  {result.verdict.value:10} {result.entry.family}")
        for fault in chain(single_faults(results), set_faults(results, not source.is_dir())):
            over += 1
            print(f"over the bounds: {fault}")
    if peer is not None:
        peer.close()
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
