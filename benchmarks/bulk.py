"""What keeping the rules loaded gains, and what the front end costs: `python benchmarks/bulk.py FILE [SOLVER]`.

FILE holds plain 9x9 puzzles, one a line. In one run, by CPU time of one process:

- fresh: python-sat as anyone would write it, a new solver for each puzzle over clauses built once
- warm:  `satdoku check`, from the file to the printed line; of that, what the solver itself takes
- model: CP-SAT as anyone would write it, a model built for each puzzle, against the backend `cpsat`
- native: the compiled search, the same way; of that `search`, without reading and printing, the puzzles taken in turn
  until there are 20,000; with the referee `refereed`; of both the best run

`fresh` and `model` are engines of `satdoku bench run`, on the first hundred puzzles.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from statistics import fmean, median

import numpy as np
import peers

from satdoku import Budget, Grid, classic
from satdoku.backends import Engine, join
from satdoku.backends.native import Native
from satdoku.backends.solvers import PropagatingSolver
from satdoku.batch.layouts import TextLayout
from satdoku.batch.questions import Style
from satdoku.batch.worker import BatchTask, BatchWorker
from satdoku.bench.plan import BenchPlan, Contender
from satdoku.bench.raw import BenchOutcome
from satdoku.bench.running import Measurement
from satdoku.commands.check import Check
from satdoku.formats import Options
from satdoku.inputs.programs import load_many
from satdoku.inputs.sources import chunks
from satdoku.referee import faulty
from satdoku.variants.boxes import Box

ROUNDS = 5
FEW = 100
MANY = 20_000
FRESH, MODEL = "fresh", "cpsat-fresh"
rules = cache(partial(peers.clauses, givens=()))


def fresh(name: str, box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=rules(box)) as solver:
        known = [cell * box.size + value for cell, value in enumerate(givens) if value]
        for model in solver.enum_models(assumptions=known):
            yield peers.decoded(model, box.size)


ENGINES = (
    Engine(
        FRESH,
        "python-sat by hand, a fresh solver for each puzzle over clauses built once",
        lambda argument, encoding: peers.Peer(partial(fresh, argument or "glucose4")),
        requires=("pysat",),
        argument="a solver of python-sat",
    ),
)


def by_hand(file: str, name: str) -> dict[str, float]:
    """CPU seconds a puzzle of the engines that are fresh for each, in the mean."""
    engines = (__file__, peers.__file__)
    for each in engines:
        join(each)
    names = {"fresh": f"{FRESH}:{name}", "model": MODEL}
    few = tuple(load_many(file))[:FEW]
    plan = BenchPlan(contenders=tuple(map(Contender, names.values())), puzzles=few, timeout=60.0, engines=engines)
    with closing(Measurement(plan, None)) as measurement:
        found = list(measurement.measure())
    assert all(search.outcome is BenchOutcome.SOLVED for search in found), "a search that was cut or failed"
    return {
        key: fmean(search.search_cpu or 0.0 for search in found if search.backend == backend)
        for key, backend in names.items()
    }


def searched(lines: Sequence[str]) -> dict[str, float]:
    """CPU seconds a puzzle of the compiled search by itself, and of it and the referee."""
    rows = np.array([list(map(int, line.replace(".", "0"))) for line in lines], np.uint16)
    board, native, givens = classic(3, 3), Native(), np.resize(rows, (MANY, 81))
    native.load(board)
    search = partial(native.check_many, board, givens, Budget(2))
    referee = partial(faulty, board, givens, search().grids[:, 0])
    assert not referee().any()
    alone, after = (min(timed(work) for _ in range(ROUNDS)) / MANY for work in (search, referee))
    return {"search": alone, "refereed": alone + after}


def timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def worker(backend: str) -> BatchWorker:
    question = Check(backends=(backend,))
    return BatchWorker(BatchTask(question=question, options=Options(), layouts=(TextLayout(question, Style()),)))


def check(one: BatchWorker, file: str) -> None:
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

    seconds = by_hand(file, name)
    each: dict[str, list[float]] = {}
    with closing(worker(name)) as warm, closing(worker("native")) as native, closing(worker("cpsat")) as cpsat:
        check(native, file)
        check(warm, file)
        some.write_text("\n".join(lines[:FEW]) + "\n")
        check(cpsat, str(some))
        for _ in range(ROUNDS):
            each.setdefault("warm", []).append(timed(lambda: check(warm, file)) / len(lines))
            each.setdefault("native", []).append(timed(lambda: check(native, file)) / len(lines))
            each.setdefault("cpsat", []).append(timed(lambda: check(cpsat, str(some))) / len(lines[:FEW]))
        for method in ("solve", "propagate", "add_clause", "__init__"):
            measured(method)
        whole = timed(lambda: check(warm, file))
    some.unlink()
    seconds |= {key: median(values) for key, values in each.items()} | searched(lines)
    for key, value in seconds.items():
        print(f"{key:8}{1e6 * value:10.1f} us a puzzle {1 / value:12,.0f}/s")
    print(f"{name} kept loaded against fresh: {seconds['fresh'] / seconds['warm']:.1f} times")
    print(f"cpsat kept loaded against built: {seconds['model'] / seconds['cpsat']:.2f} times")
    print(f"front end of {name}: {100 * (1 - inside / whole):.0f} % of the time")


if __name__ == "__main__":
    main(*sys.argv[1:])
