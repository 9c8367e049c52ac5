"""The time that grading takes, in CPU seconds of this process: `python benchmarks/grading.py [--puzzles FILE]`.

Answers are solutions of the puzzles, of which 57% have one cell that is not right.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import islice
from pathlib import Path
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


if __name__ == "__main__":
    main()
