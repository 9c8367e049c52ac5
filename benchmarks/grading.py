"""The CPU time of grading arrays, one answer, and files: `python benchmarks/grading.py [--puzzles FILE]`.

Answers are solutions of the puzzles, of which 57% have one cell that is not right.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

import satdoku

MANY, CALLS, WRONG = 100_000, 300, 0.57


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The least of several."""
    taken = []
    for _ in range(times):
        started = process_time()
        work()
        taken.append(process_time() - started)
    return min(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=Path, help="plain 9x9, a line each; generated if omitted")
    named = parser.parse_args().puzzles
    if named is None:
        lines = [satdoku.write(made.puzzle) for made in satdoku.generate(count=50, seed=1)]
    else:
        lines = [satdoku.write(puzzle) for puzzle in islice(satdoku.load_many(named), 500)]
    outcomes = list(satdoku.check_many(lines))
    puzzles = np.array([list(map(int, line.replace(".", "0"))) for line in lines], np.uint8)
    solutions = np.array([outcome.grid for outcome in outcomes], np.uint8)
    random = np.random.default_rng(1)
    which = random.integers(0, len(lines), MANY)
    puzzles, solutions = puzzles[which], solutions[which]
    answers = solutions.copy()
    wrong = np.flatnonzero(random.random(MANY) < WRONG)
    cells = random.integers(0, 81, len(wrong))
    answers[wrong, cells] = answers[wrong, cells] % 9 + 1
    ways: dict[str, Callable[[], object]] = {
        "beside stated solutions": lambda: satdoku.grade(puzzles, answers, solution=solutions),
        "beside unique solutions": lambda: satdoku.grade(puzzles, answers),
        "with completability": lambda: satdoku.grade(puzzles, answers, completable=True),
    }
    for name, work in ways.items():
        print(f"{name}: {1e6 * seconds(work) / MANY:.2f} microseconds a grid, in an array of {MANY}")
    puzzle = satdoku.read(lines[which[wrong[0]]])
    for name, row in (("right", solutions[wrong[0]]), ("wrong", answers[wrong[0]])):
        text = "".join(map(str, row.tolist()))
        once = seconds(lambda text=text: [satdoku.grade(puzzle, text) for _ in range(CALLS)]) / CALLS  # type: ignore[misc]  # mypy does not infer the default
        print(f"one call, {name}: {1e6 * once:.0f} microseconds")
    for suffix in ("txt", "jsonl", "csv"):
        print(f"satdoku grade -o FILE.{suffix}: {command(puzzles, answers, suffix):.1f} s of {MANY} pairs")
    for suffix in ("jsonl", "csv", "parquet"):
        taken = command(puzzles, answers, suffix, one_table=True)
        print(f"satdoku grade FILE.{suffix} --answer answer -o FILE.{suffix}: {taken:.1f} s of {MANY} rows")


def command(puzzles: np.ndarray, answers: np.ndarray, suffix: str, *, one_table: bool = False) -> float:
    """The CPU seconds of the command, in one process: the least of three."""
    columns = {
        name: ["".join(map(str, grid)) for grid in grids.tolist()]
        for name, grids in (("puzzle", puzzles), ("answer", answers))
    }
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{name}.txt") for name in columns]
        for file, lines in zip(files, columns.values(), strict=True):
            file.write_text("\n".join(lines) + "\n")
        words = list(map(str, files))
        if one_table:
            words = [write_table(Path(folder, f"table.{suffix}"), columns), "--answer", "answer"]
        words += ["-j", "1", "-q", "-o", str(Path(folder, f"graded.{suffix}"))]
        return min(run(words) for _ in range(3))


def run(words: list[str]) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "satdoku", "grade", *words], check=False)  # 1: some are not solved
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_table(file: Path, columns: dict[str, list[str]]) -> str:
    """The name of a table with these columns, in the form of its suffix."""
    if file.suffix == ".parquet":
        from pyarrow import parquet, table

        parquet.write_table(table(columns), file)
    else:
        rows = zip(*columns.values(), strict=True)
        if file.suffix == ".csv":
            lines = [",".join(columns), *map(",".join, rows)]
        else:
            lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
        file.write_text("\n".join(lines) + "\n")
    return str(file)


if __name__ == "__main__":
    main()
