"""What keeping the rules loaded gains, and what the front end costs: `python benchmarks/bulk.py FILE [SOLVER]`.

FILE holds plain 9x9 puzzles, one a line. In one run, interleaved, by CPU time of one process:

- fresh: python-sat as anyone would write it, a new solver for each puzzle over clauses built once
- warm:  `satdoku check`, from the file to the printed line; of that, what the solver itself takes
- model: CP-SAT as anyone would write it, a model built for each puzzle, against the backend `cpsat`
- native: the compiled search, the same way
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median

from satdoku import classic
from satdoku.backends.solvers import PropagatingSolver
from satdoku.batch.layouts import Text
from satdoku.batch.questions import Style
from satdoku.batch.worker import Task, Worker
from satdoku.commands.check import Check
from satdoku.encoders.cnf import encode
from satdoku.formats import Options
from satdoku.inputs.sources import chunks

ROUNDS = 5
FEW = 100


def timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def fresh(lines: list[str], name: str, clauses: list[list[int]]) -> None:
    from pysat.solvers import Solver as PySat

    for line in lines:
        givens = [9 * cell + int(value) for cell, value in enumerate(line) if value not in ".0"]
        with PySat(name=name, bootstrap_with=clauses) as solver:
            assert solver.solve(assumptions=givens)
            solver.add_clause([-literal for literal in solver.get_model()[:729] if literal > 0])
            assert not solver.solve(assumptions=givens)


def built(lines: list[str]) -> None:
    from ortools.sat.python import cp_model

    class Two(cp_model.CpSolverSolutionCallback):
        def __init__(self, cells: list[cp_model.IntVar]) -> None:
            super().__init__()
            self.cells = cells
            self.grids: list[list[int]] = []

        def on_solution_callback(self) -> None:
            self.grids.append([self.value(cell) for cell in self.cells])
            if len(self.grids) == 2:
                self.stop_search()

    for line in lines:
        model = cp_model.CpModel()
        cells = [model.new_int_var(1, 9, "") for _ in range(81)]
        for house in classic(3, 3).houses:
            model.add_all_different([cells[cell] for cell in house.cells])
        for cell, value in enumerate(line):
            if value not in ".0":
                model.add(cells[cell] == int(value))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        two = Two(cells)
        solver.solve(model, two)
        assert len(two.grids) == 1


def worker(backend: str) -> Worker:
    question = Check(backends=(backend,))
    return Worker(Task(question=question, options=Options(), layouts=(Text(question, Style()),)))


def check(one: Worker, file: str) -> None:
    stream = io.StringIO()
    for chunk in chunks([file], Options()):
        result = one.work(chunk, lambda _, text: print(text, end="", file=stream))
        assert result.status == 0, result.messages
    assert stream.getvalue().count("unique") == stream.getvalue().count("\n")


def main(file: str, name: str = "glucose4") -> None:
    lines = Path(file).read_text().split()
    some = Path(f"{file}.some")
    inside = 0.0

    def measured(method: str) -> None:
        original = getattr(PropagatingSolver, method)

        def timing(self: PropagatingSolver, *arguments: object) -> object:
            nonlocal inside
            started = time.process_time()
            try:
                return original(self, *arguments)
            finally:
                inside += time.process_time() - started

        setattr(PropagatingSolver, method, timing)

    clauses = list(encode(classic(3, 3)).clauses)
    each: dict[str, list[float]] = {}
    with closing(worker(name)) as warm, closing(worker("native")) as native, closing(worker("cpsat")) as cpsat:
        check(native, file)
        check(warm, file)
        some.write_text("\n".join(lines[:FEW]) + "\n")
        check(cpsat, str(some))
        for _ in range(ROUNDS):
            each.setdefault("fresh", []).append(timed(lambda: fresh(lines[:FEW], name, clauses)) / FEW)
            each.setdefault("warm", []).append(timed(lambda: check(warm, file)) / len(lines))
            each.setdefault("native", []).append(timed(lambda: check(native, file)) / len(lines))
            each.setdefault("model", []).append(timed(lambda: built(lines[:FEW])) / FEW)
            each.setdefault("cpsat", []).append(timed(lambda: check(cpsat, str(some))) / FEW)
        for method in ("solve", "propagate", "add_clause", "__init__"):
            measured(method)
        whole = timed(lambda: check(warm, file))
    some.unlink()
    micro = {key: 1e6 * median(values) for key, values in each.items()}
    for key, value in micro.items():
        print(f"{key:8}{value:10.1f} us a puzzle {1e6 / value:12,.0f}/s")
    print(f"{name} kept loaded against fresh: {micro['fresh'] / micro['warm']:.1f} times")
    print(f"cpsat kept loaded against built: {micro['model'] / micro['cpsat']:.2f} times")
    print(f"front end of {name}: {100 * (1 - inside / whole):.0f} % of the time")


if __name__ == "__main__":
    main(*sys.argv[1:])
