"""How many 9x9 puzzles a second the compiled search checks for uniqueness, on one core.

    python benchmarks/native.py FILE... [--repeat 9] [--puzzles 20000]

FILE holds a puzzle a line, 81 characters. Its puzzles are taken in turn until there are `--puzzles`.
Printed for each file is the best of `--repeat` runs in CPU time: the search alone, and the search and
the referee. Reading and writing are left out: for these, time `satdoku check` on a long file.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

from satdoku import Budget, classic
from satdoku.backends.native import Native
from satdoku.referee import faulty


def puzzles(file: Path, number: int) -> np.ndarray:
    """(number, 81) givens."""
    lines = [line.strip().replace(".", "0") for line in file.read_text().splitlines() if line.strip()]
    return np.resize(np.array([list(map(int, line)) for line in lines], np.uint16), (number, 81))


def seconds(run: Callable[[], object], repeat: int) -> float:
    """CPU time of the fastest of `repeat` runs."""
    times = []
    for _ in range(repeat):
        started = process_time()
        run()
        times.append(process_time() - started)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--puzzles", type=int, default=20_000)
    options = parser.parse_args()
    board, native = classic(3, 3), Native()
    native.load(board)
    for file in options.files:
        givens = puzzles(file, options.puzzles)
        found = native.check_many(board, givens, Budget(2))
        solved = found.counts > 0
        assert not faulty(board, givens[solved], found.grids[solved, 0]).any()
        search = seconds(partial(native.check_many, board, givens, Budget(2)), options.repeat)
        referee = seconds(partial(faulty, board, givens, found.grids[:, 0]), options.repeat)
        rates = f"{len(givens) / search:,.0f}/s, with the referee {len(givens) / (search + referee):,.0f}/s"
        print(f"{file}: {rates}; {(found.counts == 1).mean():.1%} unique")


if __name__ == "__main__":
    main()
