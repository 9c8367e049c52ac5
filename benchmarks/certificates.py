"""What certified verdicts of 9x9 variants take, stage by stage: CPU time of one process.

    python benchmarks/certificates.py [--killers 1000] [--thermometers 200] [--seed 1] [--keep DIR]

Killers have no givens, and cages of two to four cells that grow at random on random grids; those with one solution
are taken. Puzzles of thermometers have 14 that grow at random, and givens that `generate` leaves. Both are links of
f-puzzles, one a line, which `--keep` leaves in DIR. Printed are, for each kind, milliseconds a puzzle in the mean and
the median: to read the link, to decide as `satdoku bench run` measures it, to prove and check; the integers of a proof;
and how many a second `satdoku check -j1 --certified FILE` answers, start and compiled code left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time

import satdoku
from satdoku import Budget, Mark, Puzzle, Session, Verdict, marks
from satdoku.batch.layouts import TextLayout
from satdoku.batch.questions import Style
from satdoku.batch.worker import BatchTask, BatchWorker
from satdoku.bench.plan import BenchPlan, Contender
from satdoku.bench.running import Measurement
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


def grown(start: Cell, most: int, random: Random, fits: Callable[[list[Cell]], Iterable[Cell]]) -> list[Cell]:
    """Cells from `start` on, up to `most`, the next one of those that fit to what there is."""
    cells = [start]
    while len(cells) < most and (found := sorted(set(fits(cells)))):
        cells.append(random.choice(found))
    return cells


def cages(grid: Grid, random: Random) -> list[Mark]:
    """Of all cells, without repeats; a cell that is left alone joins a cage beside it if it can."""

    def value(cell: Cell) -> int:
        return grid[9 * cell[0] + cell[1] - 10]

    def fits(cage: list[Cell]) -> Iterator[Cell]:
        held = set(map(value, cage))
        return (c for cell in cage for c in near(cell, False) if c in free and value(c) not in held)

    free = {(row, column) for row in range(1, 10) for column in range(1, 10)}
    found = list[list[Cell]]()
    while free:
        start, size = random.choice(sorted(free)), random.randint(2, LARGEST)
        cage = grown(start, size, random, fits)
        free -= set(cage)
        beside, lone = set(near(start, False)), value(start)
        small = (other for other in found if len(cage) == 1 and len(other) < LARGEST)
        around = [other for other in small if beside & set(other) and lone not in map(value, other)]
        if around:
            random.choice(around).append(start)
        else:
            found.append(cage)
    return [marks.killer_cage(cage, total=sum(map(value, cage))) for cage in found]


def thermometers(grid: Grid, random: Random) -> list[Mark]:
    def fits(line: list[Cell]) -> Iterator[Cell]:
        here = grid[9 * line[-1][0] + line[-1][1] - 10]
        return (c for c in near(line[-1], True) if c in free and grid[9 * c[0] + c[1] - 10] > here)

    found, free = list[Mark](), {(row, column) for row in range(1, 10) for column in range(1, 10)}
    while len(found) < THERMOMETERS:
        line = grown(random.choice(sorted(free)), 6, random, fits)
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
        wanted = satdoku.build(marks=thermometers(grid, random)), random.randrange(1 << 30)
        # Those that take too long are left out.
        found = satdoku.generate(wanted[0], seed=wanted[1], on_failure=lambda _: None)
        yield from (made.puzzle for made in found)


def measure(name: str, file: Path) -> None:
    links = file.read_text().split()
    lengths, certifier = list[int](), Certifier()
    took: dict[str, list[float]] = {"read": [], "decide": decided(links), "prove and check": []}
    with Session() as session:
        for number, link in enumerate(links[:WARM] + links):
            began = process_time()
            puzzle = satdoku.read(link)
            certifier.admit(puzzle)
            read = process_time() - began
            outcome = session.run(puzzle, Budget(2))
            began = process_time()
            certificate = certifier.certify(puzzle, outcome)
            assert certificate is not None and certificate.proof is not None
            if number >= WARM:
                lengths.append(len(certificate.proof))
                took["read"].append(1000 * read)
                took["prove and check"].append(1000 * (process_time() - began))
    parts = ", ".join(f"{part} {mean(times):.2f} ms (median {median(times):.2f})" for part, times in took.items())
    print(f"{name}: {parts}; proofs of {median(lengths):.0f} integers in the median; check {rate(file):.0f} a second")


def decided(links: Sequence[str]) -> list[float]:
    """Milliseconds of each verdict, as `satdoku bench run -b auto` measures it."""
    plan = BenchPlan(contenders=(Contender("auto"),), puzzles=tuple(map(satdoku.read, links)), timeout=60.0)
    with closing(Measurement(plan, None)) as measurement:
        return [1000 * search.decided("cpu") for search in measurement.measure()]


def rate(file: Path) -> float:
    """Puzzles a second, as `check` answers them."""
    question = Check(certified=True)
    task, done = BatchTask(question=question, options=Options(), layouts=(TextLayout(question, Style()),)), 0
    with closing(BatchWorker(task)) as worker:
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
