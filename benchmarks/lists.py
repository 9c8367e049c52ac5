"""Lists of plain 9x9 puzzles: `native` beside the fastest programs that are known, in one run.

    python benchmarks/lists.py FILE... [--peer NAME=PATH]... [--rounds 9] [--least 20000] [--table TABLE.md]

Each FILE holds puzzles of 81 characters with one solution, one a line; lines that begin with # are left out. Every
contender shows that a puzzle has no second solution. A block is the puzzles of a file, in turn until there are as many
as --least says, each in a layout drawn anew: values, rows, columns, bands and stacks, transposition. In a round the
contenders take the same block, one after the other, in an order drawn for the round. What counts is their CPU time, and
ratios are those of one round. The table has medians over the rounds.

The grids of `native` are refereed. A library must count one solution of each puzzle, a program must write the grid.

A peer is a library or a program that was built from its authors' sources, and left out without a PATH, or a package
of Python, and left out where it is not installed. A library is called from a loop that numba compiles, so that the call
costs nothing; a program reads the block from a file, and its CPU time counts from start to end. Of a slow peer's block
only the first puzzles count, and the ratio is that of the time a puzzle.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku import Budget, classic
from satdoku.backends.native import Native
from satdoku.bench.report import digits
from satdoku.bench.running import session
from satdoku.referee import faulty

Rows = NDArray[np.uint16]
"""Givens, a row a puzzle, 0 where open; or grids."""


@dataclass(frozen=True)
class Run:
    """One block by one contender. guesses: branches in all, None if it does not tell; wrong: answers unlike native's"""

    puzzles: int
    seconds: float
    guesses: int | None
    wrong: int

    @property
    def each(self) -> float:
        """Seconds a puzzle."""
        return self.seconds / self.puzzles


Contender = Callable[[Rows, Rows], Run]
"""(givens, solutions) -> what came of it."""


@dataclass(frozen=True)
class Library:
    """A function that counts the solutions of a puzzle up to a limit.

    Its arguments are the puzzle, the limit, a setting, where a grid goes and where the number of guesses goes, as in
    tdoku's `other_solvers.cc`; or only the first two.
    """

    symbol: str
    about: str
    source: str
    arguments: int = 5
    setting: int = 0

    def open(self, path: str) -> Contender:
        function = getattr(ctypes.CDLL(path), self.symbol)
        kinds = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
        function.argtypes, function.restype = kinds[: self.arguments], ctypes.c_size_t
        loop = _loop(function, self.arguments, self.setting)

        def run(givens: Rows, solutions: Rows) -> Run:
            texts = np.zeros((len(givens), 96), np.uint8)
            texts[:, :81] = _characters(givens)
            counts, guesses = np.zeros(len(givens), np.int64), np.zeros(1, np.uint64)
            grid = np.zeros(96, np.uint8)
            loop(texts[:0], counts, grid, guesses)  # compiled before the clock starts
            started = time.process_time()
            total = loop(texts, counts, grid, guesses)
            seconds = time.process_time() - started
            return Run(len(givens), seconds, int(total) if self.arguments == 5 else None, int((counts != 1).sum()))

        return run


def _loop(function: Any, arguments: int, setting: int) -> Any:
    import numba

    if arguments == 2:

        @numba.njit
        def short(texts, counts, grid, guesses):  # type: ignore[no-untyped-def]  # numba infers them
            for row in range(len(texts)):
                counts[row] = function(texts[row].ctypes.data, 2)
            return 0

        return short

    @numba.njit
    def long(texts, counts, grid, guesses):  # type: ignore[no-untyped-def]  # as above
        total = 0
        for row in range(len(texts)):
            counts[row] = function(texts[row].ctypes.data, 2, setting, grid.ctypes.data, guesses.ctypes.data)
            total += guesses[0]
        return total

    return long


@dataclass(frozen=True)
class Program:
    """A program that reads puzzles, a line each, and writes a line with the grid for each.

    Where it takes no names of files, puzzles are its standard input, and the lines that begin with a digit its answers.
    """

    options: tuple[str, ...]
    about: str
    source: str
    named: bool = True  # whether it takes the names of the two files
    most: int | None = None

    def open(self, path: str) -> Contender:
        def run(givens: Rows, solutions: Rows) -> Run:
            with tempfile.TemporaryDirectory() as folder:
                puzzles, answers = Path(folder, "puzzles"), Path(folder, "answers")
                puzzles.write_bytes(_lines(givens))
                answers.touch()
                before = _of_children()
                with puzzles.open() as source, answers.open("r+") as sink:
                    subprocess.run(
                        [path, *self.options, *((str(puzzles), str(answers)) if self.named else ())],
                        stdin=source,
                        stdout=subprocess.DEVNULL if self.named else sink,
                        env={**os.environ, "OMP_NUM_THREADS": "1"},
                        check=True,
                    )
                seconds = _of_children() - before
                lines = [line for line in answers.read_bytes().splitlines() if line[:1] in b".123456789"]
            expected = _lines(solutions).splitlines()
            wrong = sum(grid not in line for line, grid in zip(lines, expected, strict=True))
            return Run(len(givens), seconds, None, wrong)

        return run


@dataclass(frozen=True)
class Package:
    """A package of Python: a function that gives the grid of a puzzle of one solution, or only says that it has one."""

    module: str
    function: Callable[[], Callable[[str], Sequence[int] | bool]]
    about: str
    source: str
    most: int

    def open(self) -> Contender:
        function = self.function()

        def run(givens: Rows, solutions: Rows) -> Run:
            texts = _lines(givens).decode().splitlines()
            started = time.process_time()
            found = [function(text) for text in texts]
            seconds = time.process_time() - started
            grids = solutions.tolist()
            wrong = sum(one is not True and list(one or ()) != grid for one, grid in zip(found, grids, strict=True))
            return Run(len(givens), seconds, None, wrong)

        return run


def _pencilmark() -> Callable[[str], Sequence[int]]:
    from pencilmark import solve

    return lambda text: list(solve(text))


def _hodoku() -> Callable[[str], bool]:
    from hodoku import Generator

    return lambda text: bool(Generator().validate(text) == "valid")


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _characters(rows: Rows) -> NDArray[np.uint8]:
    return np.where(rows == 0, ord("."), rows + ord("0")).astype(np.uint8)


def _lines(rows: Rows) -> bytes:
    ended = np.full((len(rows), 82), ord("\n"), np.uint8)
    ended[:, :81] = _characters(rows)
    return ended.tobytes()


Peer = Library | Program | Package
PEERS: dict[str, Peer] = {
    "tdoku": Library(
        "TdokuSolverDpllTriadSimd", "C++ with AVX, by Tom Dillon, 2019 to 2023", "https://github.com/t-dillon/tdoku"
    ),
    "schoku": Program(
        ("-t1", "-rM"), "C++ with AVX2, by Martin Schulz, 0.9.6 of 2025", "https://github.com/Mart1nSchulz/Schoku"
    ),
    "rust_sudoku": Library(
        "rust_solve_sudoku", "Rust, by Emerentius, as tdoku measures it",
        "https://github.com/t-dillon/rust_sudoku_bench", arguments=2,
    ),
    "jczsolve": Library(
        "OtherSolverJCZSolve", "C, by zhouyundong, champagne and JasonLion, 2012 to 2014",
        "https://github.com/shines77/gzSudoku (others/jczslover)",
    ),
    "fsss2": Library(
        "OtherSolverFsss2", "C++, by Mladen Dobrichev, 2014, with locked candidates",
        "https://github.com/t-dillon/fsss2_bench", setting=1,
    ),
    "qqwing": Program(
        ("--solve", "--count-solutions", "--csv"), "C++, by Stephen Ostermiller, 1.3.4", "https://qqwing.com",
        named=False, most=200,
    ),
    "hodoku-py": Package(
        "hodoku", _hodoku, "its test of uniqueness, partly in C", "https://pypi.org/project/hodoku-py", most=40
    ),
    "pencilmark": Package(
        "pencilmark", _pencilmark, "its solver in C++, for any variant", "https://pypi.org/project/pencilmark", most=20
    ),
}  # fmt: skip


def native() -> Contender:
    board, engine = classic(3, 3), Native()
    engine.load(board)

    def run(givens: Rows, solutions: Rows) -> Run:
        givens = givens.copy()  # so that they were just written, as the texts for the others are
        started = time.process_time()
        results = engine.check_many(board, givens, Budget(2))
        seconds = time.process_time() - started
        wrong = (results.counts != 1) | (results.grids[:, 0] != solutions).any(1)
        return Run(len(givens), seconds, None, int(wrong.sum()))

    return run


def puzzles(file: str) -> Rows:
    lines = [line.strip() for line in Path(file).read_text("ascii").splitlines() if not line.startswith("#")]
    if not lines or any(len(line) != 81 or set(line) - set(".0123456789") for line in lines):
        raise SystemExit(f"{file}: expected lines of 81 characters, digits and dots")
    return np.array([list(map(int, line.replace(".", "0"))) for line in lines], np.uint16)


def solved(givens: Rows, file: str) -> Rows:
    """The solutions, refereed."""
    board, engine = classic(3, 3), Native()
    engine.load(board)
    results = engine.check_many(board, givens, Budget(2))
    several = np.flatnonzero(results.counts != 1)
    if len(several):
        raise SystemExit(f"{file}: puzzle {several[0] + 1} has not exactly one solution")
    grids = results.grids[:, 0].astype(np.uint16)
    assert not faulty(board, givens, grids).any()
    return grids


def blocks(givens: Rows, solutions: Rows, least: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """The same puzzles again and again, each time in other layouts."""
    random = np.random.default_rng(seed)
    most = max(least, len(givens))
    given, grid = np.resize(givens, (most, 81)), np.resize(solutions, (most, 81))
    while True:
        values = np.zeros((most, 10), np.uint16)
        values[:, 1:] = random.permuted(np.tile(np.arange(1, 10, dtype=np.uint16), (most, 1)), axis=1)
        rows, columns = _lines_of(random, most), _lines_of(random, most)
        cells = 9 * rows[:, :, None] + columns[:, None, :]
        turned = random.random(most) < 0.5
        cells[turned] = cells[turned].transpose(0, 2, 1)
        cells = cells.reshape(most, 81)
        first, second = (
            np.take_along_axis(values, np.take_along_axis(one, cells, 1).astype(np.int64), 1) for one in (given, grid)
        )
        yield first, second


def _lines_of(random: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Orders of nine rows, those of a band together."""
    three = np.tile(np.arange(3), (count, 1))
    bands = random.permuted(three, axis=1)
    within = np.stack([random.permuted(three, axis=1) for _ in range(3)], axis=1)
    rows: NDArray[np.int64] = (3 * bands[:, :, None] + within).reshape(count, 9)
    return rows


@dataclass(frozen=True)
class Figures:
    """Medians over the rounds. guesses: a puzzle; ratio: `native`'s speed over this one's"""

    rate: float
    guesses: float | None
    ratio: float


def measure(file: str, contenders: dict[str, Contender], rounds: int, least: int) -> dict[str, Figures]:
    givens = puzzles(file)
    stream = blocks(givens, solved(givens, file), least, 1)
    order = np.random.default_rng(2)
    runs: dict[str, list[Run]] = {name: [] for name in contenders}
    for _ in range(rounds):
        block = next(stream)
        for name in order.permutation(list(contenders)):
            most = getattr(PEERS.get(name), "most", None)
            run = contenders[name](*(rows[:most] for rows in block))
            if run.wrong:
                raise SystemExit(f"{file}: {name} answers {run.wrong} of {run.puzzles} puzzles unlike native")
            runs[name].append(run)
    found = {}
    for name, made in runs.items():
        ratio = median(one.each / own.each for one, own in zip(made, runs["native"], strict=True))
        guesses = [one.guesses / one.puzzles for one in made if one.guesses is not None]
        rate = median(1 / one.each for one in made)
        found[name] = Figures(rate, median(guesses) if guesses else None, ratio)
    return found


def table(measured: dict[str, dict[str, Figures]], counts: dict[str, int], command: str) -> str:
    """The comparison as Markdown: a column for each file, with the number of its puzzles."""
    titles = [f"{Path(file).name}, {counts[file]:,}" for file in measured]
    lines = ["| puzzles a second, and how many times as many `native` does | " + " | ".join(titles) + " |"]
    lines.append("|---|" + "---:|" * len(titles))
    names = list(next(iter(measured.values())))
    for name in names:
        cells = []
        for figures in measured.values():
            one = figures[name]
            text = f"{one.rate:,.0f}" + ("" if name == "native" else f", {digits(one.ratio)}")
            cells.append(
                text + ("" if one.guesses is None else f" ({one.guesses:.{1 if one.guesses < 10 else 0}f} guesses)")
            )
        about = f": {PEERS[name].about}" if name in PEERS else ""
        lines.append(f"| `{name}`{about} | " + " | ".join(cells) + " |")
    lines += ["", f"`{command}`, {datetime.now(UTC):%d %B %Y}, {session(()).machine.processor}."]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Lists of 9x9 puzzles: native beside the fastest programs.")
    parser.add_argument("files", nargs="+", help="puzzles of 81 characters, one a line, each with one solution")
    of_files = [name for name, peer in PEERS.items() if not isinstance(peer, Package)]
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PATH", help=f"of {', '.join(of_files)}")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--least", type=int, default=20_000, help="puzzles of a block")
    parser.add_argument("--table", type=Path, help="the Markdown file to write; without it the table is printed")
    asked = parser.parse_args()
    paths = dict(one.partition("=")[::2] for one in asked.peer)
    for name in paths:
        if isinstance(PEERS.get(name), Package | None) or not Path(paths[name]).is_file():
            parser.error(f"--peer {name}={paths[name]}: expected one of {', '.join(of_files)}, = and a file")
    contenders = {"native": native()}
    for name, peer in PEERS.items():
        if isinstance(peer, Package):
            if find_spec(peer.module):
                contenders[name] = peer.open()
            else:
                print(f"left out: {name}, which is not installed; {peer.source}", file=sys.stderr)
        elif name in paths:
            contenders[name] = peer.open(paths[name])
        else:
            kind = f"library with {peer.symbol}" if isinstance(peer, Library) else "program"
            print(f"left out: {name}: --peer {name}=PATH names its {kind}; sources: {peer.source}", file=sys.stderr)
    measured = {file: measure(file, contenders, asked.rounds, asked.least) for file in asked.files}
    counts = {file: len(puzzles(file)) for file in asked.files}
    text = table(measured, counts, shlex.join(["python", "benchmarks/lists.py", *sys.argv[1:]]))
    if asked.table:
        asked.table.write_text(text, "utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
