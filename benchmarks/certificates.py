"""What certified verdicts of 9x9 variants take, stage by stage: CPU time of one process.

    python benchmarks/certificates.py [--killers 1000] [--thermometers 200] [--seed 1] [--keep DIR]

Killers have no givens, and cages of two to four cells that grow at random on random grids; those with one solution
are taken. Puzzles of thermometers have 14 that grow at random, and givens that `generate` leaves. Both are links of
f-puzzles, one a line, which `--keep` leaves in DIR. Printed are, for each kind, milliseconds a puzzle in the mean and
the median: to read the link, to decide, to prove and check; the integers of a proof; and how many a second
`satdoku check -j1 --certified FILE` answers, start and compiled code left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time

import satdoku
from satdoku import Budget, Mark, Puzzle, Session, Verdict, marks
from satdoku.batch.layouts import Text
from satdoku.batch.questions import Style
from satdoku.batch.worker import Task, Worker
from satdoku.certifier import Certifier
from satdoku.commands.check import Check
from satdoku.constraints import Grid
from satdoku.formats import Options
from satdoku.inputs.sources import chunks

Cell = tuple[int, int]
LARGEST = 4  # cells of a cage
THERMOMETERS = 14
WARM = 5  # puzzles that are answered before any is timed


def near(cell: Cell, diagonally: bool) -> list[Cell]:
    row, column = cell
    steps = [
        (up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if (up or right) and (diagonally or not (up and right))
    ]
    around = [(row + up, column + right) for up, right in steps]
    return [(r, c) for r, c in around if 1 <= r <= 9 and 1 <= c <= 9]


def cages(grid: Grid, random: Random) -> list[Mark]:
    """Of all cells, without repeats; a cell that is left alone joins a cage beside it if it can."""

    def value(cell: Cell) -> int:
        return grid[9 * cell[0] + cell[1] - 10]

    free = {(row, column) for row in range(1, 10) for column in range(1, 10)}
    found = list[list[Cell]]()
    while free:
        cage, size = [random.choice(sorted(free))], random.randint(2, LARGEST)
        free.remove(cage[0])
        while len(cage) < size:
            held = set(map(value, cage))
            fits = sorted({c for cell in cage for c in near(cell, False) if c in free and value(c) not in held})
            if not fits:
                break
            cage.append(random.choice(fits))
            free.remove(cage[-1])
        around = (
            []
            if len(cage) > 1
            else [
                other
                for other in found
                if len(other) < LARGEST
                and set(near(cage[0], False)) & set(other)
                and value(cage[0]) not in map(value, other)
            ]
        )
        if around:
            random.choice(around).append(cage[0])
        else:
            found.append(cage)
    return [marks.killer_cage(cage, total=sum(map(value, cage))) for cage in found]


def thermometers(grid: Grid, random: Random) -> list[Mark]:
    found, free = list[Mark](), {(row, column) for row in range(1, 10) for column in range(1, 10)}
    while len(found) < THERMOMETERS:
        line = [random.choice(sorted(free))]
        while len(line) < 6:
            here = grid[9 * line[-1][0] + line[-1][1] - 10]
            fits = [c for c in near(line[-1], True) if c in free and grid[9 * c[0] + c[1] - 10] > here]
            if not fits:
                break
            line.append(random.choice(fits))
        if len(line) > 1:
            free -= set(line)
            found.append(marks.thermometer(line))
    return found


def grids(seed: int) -> Iterator[tuple[Grid, Random]]:
    random = Random(seed)
    while True:
        for grid in satdoku.draw("." * 81, count=100, seed=random.randrange(1 << 30)).grids:
            yield grid, random


def killers(seed: int) -> Iterator[Puzzle]:
    for grid, random in grids(seed):
        puzzle = satdoku.build(marks=cages(grid, random))
        if satdoku.check(puzzle, backend="native", timeout=10).verdict is Verdict.UNIQUE:
            yield puzzle


def with_thermometers(seed: int) -> Iterator[Puzzle]:
    for grid, random in grids(seed):
        for made in satdoku.generate(satdoku.build(marks=thermometers(grid, random)), seed=random.randrange(1 << 30)):
            if not isinstance(made, satdoku.Failure):
                yield made.puzzle


def measure(name: str, file: Path) -> None:
    links = file.read_text().split()
    took: dict[str, list[float]] = {"read": [], "decide": [], "prove and check": []}
    lengths, certifier = list[int](), Certifier()
    with Session() as session:
        for number, link in enumerate(links[:WARM] + links):
            marked = [process_time()]
            puzzle = satdoku.read(link)
            certifier.admit(puzzle)
            marked.append(process_time())
            outcome = session.run(puzzle, Budget(2))
            marked.append(process_time())
            certificate = certifier.certify(puzzle, outcome)
            marked.append(process_time())
            assert certificate is not None and certificate.proof is not None
            if number >= WARM:
                lengths.append(len(certificate.proof))
                for times, (before, after) in zip(took.values(), pairwise(marked), strict=True):
                    times.append(1000 * (after - before))
    parts = ", ".join(f"{part} {mean(times):.2f} ms (median {median(times):.2f})" for part, times in took.items())
    print(f"{name}: {parts}; proofs of {median(lengths):.0f} integers in the median; check {rate(file):.0f} a second")


def rate(file: Path) -> float:
    """Puzzles a second, as `check` answers them."""
    question = Check(backends=(None,), checker="drat")
    task, done = Task(question=question, options=Options(), layouts=(Text(question, Style()),)), 0
    with closing(Worker(task)) as worker:
        worker.work(next(chunks([str(file)], Options())).part(0, WARM), lambda number, rows: None)
        started = process_time()
        for chunk in chunks([str(file)], Options()):
            result = worker.work(chunk, lambda number, rows: None)
            assert result.fatal is None and not result.messages, (result.fatal, result.messages)
            done += result.lines
        return done / (process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--killers", type=int, default=1000)
    parser.add_argument("--thermometers", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    kinds = (("killers", options.killers, killers), ("thermometers", options.thermometers, with_thermometers))
    with TemporaryDirectory() as folder:
        for name, number, made in kinds:
            file = (options.keep or Path(folder)) / f"{name}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                links = (satdoku.write(puzzle, "f-puzzles") for puzzle in islice(made(options.seed), number))
                file.write_text("".join(f"{link}\n" for link in links))
            measure(name, file)


if __name__ == "__main__":
    main()
