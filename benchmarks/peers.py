"""satdoku beside what people would use instead, in one run of one harness.

    pip install -r benchmarks/requirements.txt
    python benchmarks/peers.py PUZZLES... -o RAW.jsonl --table TABLE.md

Each peer is written as its own tutorials would: a fresh solver, and the whole puzzle stated to it, every
time. They are engines like those of satdoku (`satdoku bench run --engines benchmarks/peers.py` takes them
by name), so their answers are refereed, timed and cut alike.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, islice
from pathlib import Path
from shutil import which
from typing import Any

from satdoku.backends import Budget, Ending, Engine, Search
from satdoku.bench import raw, report
from satdoku.constraints import Grid
from satdoku.errors import Refused
from satdoku.puzzle import Board, Puzzle
from satdoku.symmetries import Shuffle, freedom
from satdoku.variants.boxes import Box, box_of

Ask = Callable[[Box, Grid, int | None], Iterator[Grid]]
"""(box, givens row-major with 0 where open, solutions wanted at most or None) -> solutions."""


@dataclass(frozen=True)
class Peer:
    """A backend that states each puzzle anew; it knows plain boards alone, and no timeout."""

    ask: Ask

    def refuses(self, board: Board) -> str | None:
        return None if freedom(board) is Shuffle.ALL else "only rows, columns and boxes are stated"

    def load(self, board: Board) -> None:
        """Nothing is kept between puzzles."""

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        box = box_of(puzzle.board)
        assert box is not None
        found = 0
        for grid in islice(self.ask(box, puzzle.givens, budget.limit), budget.limit):
            found += 1
            yield tuple(grid)
        return Ending.LIMIT if found == budget.limit else Ending.EXHAUSTED

    def close(self) -> None:
        pass


def clauses(box: Box, givens: Grid) -> list[list[int]]:
    """The puzzle as CNF, written out plainly: each cell and each house has every value exactly once."""
    size = box.size
    literal = [[cell * size + value for value in range(1, size + 1)] for cell in range(size * size)]
    groups = [*literal]
    groups += [[literal[cell][value] for cell in house] for house in houses(box) for value in range(size)]
    found = [[literal[cell][value - 1]] for cell, value in enumerate(givens) if value]
    for group in groups:
        found.append(group)
        found += [[-one, -other] for one, other in combinations(group, 2)]
    return found


def decoded(model: list[int], size: int) -> Grid:
    """The values of the true variables, which come cell by cell."""
    return tuple((literal - 1) % size + 1 for literal in model if literal > 0)


def houses(box: Box) -> list[list[int]]:
    size = box.size
    rows = [[row * size + column for column in range(size)] for row in range(size)]
    columns = [[row * size + column for row in range(size)] for column in range(size)]
    boxes = [
        [row * size + column for row in range(top, top + box.rows) for column in range(left, left + box.columns)]
        for top in range(0, size, box.rows)
        for left in range(0, size, box.columns)
    ]
    return rows + columns + boxes


def pysat(name: str, box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=clauses(box, givens)) as solver:
        for model in solver.enum_models():
            yield decoded(model, box.size)


def pycosat(box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    from pycosat import itersolve

    for model in itersolve(clauses(box, givens)):
        yield decoded(model, box.size)


def cpsat(box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [model.new_int_var(value or 1, value or box.size, "") for value in givens]
    for house in houses(box):
        model.add_all_different([cells[cell] for cell in house])
    found: list[Grid] = []

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.append(tuple(self.value(cell) for cell in cells))
            if len(found) == most:
                self.stop_search()

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = most != 1
    solver.solve(model, Collector())
    yield from found


ASP = """
1 { at(R, C, V) : V = 1..n } 1 :- R = 0..n-1, C = 0..n-1.
:- at(R, C, V), at(R, D, V), C < D.
:- at(R, C, V), at(S, C, V), R < S.
:- at(R, C, V), at(S, D, V), R/rows == S/rows, C/columns == D/columns, R * n + C < S * n + D.
:- given(R, C, V), not at(R, C, V).
#show at/3.
"""


def clingo(box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    from clingo import Control

    size = box.size
    facts = "".join(f"given({cell // size},{cell % size},{value})." for cell, value in enumerate(givens) if value)
    constants = [f"-c{name}={value}" for name, value in (("n", size), ("rows", box.rows), ("columns", box.columns))]
    control = Control([f"--models={most or 0}", *constants])
    control.add("base", [], ASP + facts)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        for model in models:
            grid = [0] * size * size
            for atom in model.symbols(shown=True):
                row, column, value = (argument.number for argument in atom.arguments)
                grid[row * size + column] = value
            yield tuple(grid)


def cpmpy(box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    # It looks for every solver that it knows, and one process cannot load both HiGHS of highspy and that of ortools.
    with without("highspy"):
        import cpmpy as cp

    cells = cp.intvar(1, box.size, shape=box.size**2)
    model = cp.Model([cp.AllDifferent([cells[cell] for cell in house]) for house in houses(box)])
    model += [cells[cell] == value for cell, value in enumerate(givens) if value]
    found: list[Grid] = []
    model.solveAll(solution_limit=most, display=lambda: found.append(tuple(map(int, cells.value()))))
    yield from found


@contextmanager
def without(package: str) -> Iterator[None]:
    """As if a package were not installed, unless it has been imported already."""
    modules: dict[str, Any] = sys.modules
    absent = modules.setdefault(package) is None
    try:
        yield
    finally:
        if absent:
            del modules[package]


def z3(box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    from z3 import Distinct, Int, Or, Solver, sat

    solver = Solver()
    cells = [Int(f"c{cell}") for cell in range(box.size**2)]
    solver.add(*(cell >= 1 for cell in cells), *(cell <= box.size for cell in cells))
    solver.add(*(Distinct(*(cells[cell] for cell in house)) for house in houses(box)))
    solver.add(*(cells[cell] == value for cell, value in enumerate(givens) if value))
    while solver.check() == sat:
        model = solver.model()
        grid = tuple(model[cell].as_long() for cell in cells)
        yield grid
        solver.add(Or(*(cell != value for cell, value in zip(cells, grid, strict=True))))


def py_sudoku(box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    """Its own test of uniqueness is a second search that tries the values from the top; as here, where both show."""
    from sudoku import Sudoku

    if most is None or most > 2:
        raise Refused("py-sudoku tells one solution from two, and counts no further")
    size = box.size
    found: list[Grid] = []
    for turned in (False, True):
        named = [size + 1 - value if turned and value else value for value in givens]
        board = [[value or None for value in named[row * size : (row + 1) * size]] for row in range(size)]
        solved = Sudoku(box.columns, box.rows, board=board).solve().board
        if any(None in row for row in solved):
            return
        values = [value for row in solved for value in row]
        grid = tuple(size + 1 - value if turned else value for value in values)
        if grid not in found:
            found.append(grid)
            yield grid


MODEL = """include "alldifferent.mzn";
array[1..{cells}] of var 1..{size}: x;
constraint forall(h in [{houses}])(alldifferent([x[c] | c in h]));
constraint {givens};
output ["\\(v) " | v in x] ++ ["\\n"];
"""


def minizinc(solver: str, box: Box, givens: Grid, most: int | None) -> Iterator[Grid]:
    model = MODEL.format(
        cells=box.size**2,
        size=box.size,
        houses=", ".join("{" + ", ".join(str(cell + 1) for cell in house) + "}" for house in houses(box)),
        givens=" /\\ ".join(f"x[{cell + 1}] = {value}" for cell, value in enumerate(givens) if value) or "true",
    )
    wanted = ["-a"] if most is None else ["-n", str(most)]
    command = ["minizinc", "--solver", solver, *wanted, "--solution-separator", "", "--search-complete-msg", "", "-"]
    answer = subprocess.run(command, input=model, capture_output=True, text=True, check=True).stdout
    for line in answer.splitlines():
        if line[:1].isdigit():
            yield tuple(map(int, line.split()))


def _without_solver(solver: str) -> str | None:
    """Why MiniZinc cannot run this solver."""
    if which("minizinc") is None:
        return "needs the program minizinc: https://www.minizinc.org"
    return None if solver in _solvers().casefold() else f"needs {solver} among the solvers of minizinc"


@cache
def _solvers() -> str:
    return subprocess.run(["minizinc", "--solvers"], capture_output=True, text=True, check=True).stdout


def _open(ask: Ask, argument: str | None, encoding: str | None) -> Peer:
    return Peer(ask)


PEERS = (
    ("pysat-fresh", "python-sat by hand, a fresh Glucose 4 for each puzzle", "pysat", partial(pysat, "glucose4")),
    ("cpsat-fresh", "CP-SAT by hand, a fresh model for each puzzle", "ortools", cpsat),
    ("pycosat-fresh", "the same clauses by pycosat (PicoSAT)", "pycosat", pycosat),
    ("clingo-fresh", "answer set programming by clingo", "clingo", clingo),
    ("cpmpy-fresh", "a CPMpy model, solved by its default, OR-Tools", "cpmpy", cpmpy),
    ("z3-fresh", "integers and Distinct by z3", "z3", z3),
    ("py-sudoku", "the package py-sudoku, a search in Python", "sudoku", py_sudoku),
)

ENGINES = tuple(
    Engine(name, summary, partial(_open, ask), requires=(package,)) for name, summary, package, ask in PEERS
) + tuple(
    Engine(
        f"{solver}-fresh",
        f"a MiniZinc model, solved by {solver.capitalize()}",
        partial(_open, partial(minizinc, solver)),
        missing=partial(_without_solver, solver),
    )
    for solver in ("gecode", "chuffed")
)


def table(results: raw.Raw, command: str, clock: str) -> str:
    """The comparison as Markdown: for each set how many puzzles a second, and as a multiple of the baseline's time."""
    (study,) = report.studies([results])
    rows = report.rows(study, clock)
    groups = study.groups
    session = results.sessions[0]
    words = {engine.name: engine.summary for engine in ENGINES}
    titles = [f"{Path(file).stem}, {size}x{size}" for file, size in groups]
    lines = [
        f"Puzzles decided a second ({report.SHOWN[study.scenario.work]}, rules kept loaded where an engine can;"
        f" timeout {study.scenario.timeout:g} s; {clock} time), and the typical time as a multiple of that of"
        f" `{study.baseline}`:",
        "",
        "| | " + " | ".join(titles) + " |",
        "|---|" + "---:|" * len(groups),
    ]
    for contender in study.searches:
        cells = []
        for file, size in groups:
            row = next((row for row in rows if (row.set, row.size, row.contender) == (file, size, contender)), None)
            cells.append("" if row is None else _cell(row))
        described = f": {words[contender]}" if contender in words else ""
        lines.append(f"| `{contender}`{described} | " + " | ".join(cells) + " |")
    versions = ", ".join(f"{name} {version}" for name, version in session.versions.items())
    lines += [
        "",
        f"`{command}`, {session.started[:10]}, {session.machine.processor}; {versions}.",
        "",
        *(report.markdown(made) for made in report.tables(study, clock)),
    ]
    return "\n".join(lines)


def _cell(row: report.ReportRow) -> str:
    """`120/s, 8.3x`; and how many were not decided, if any."""
    if not row.summary.solved:
        return f"none of {row.summary.runs}"
    rate = row.summary.puzzles_a_second
    text = f"{rate:.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
    if row.ratio is not None:
        text += f", {report.digits(row.ratio.typical.value)}x"
    lost = row.summary.runs - row.summary.solved
    return text + (f"; {lost} of {row.summary.runs} not decided" if lost else "")


def main() -> int:
    parser = argparse.ArgumentParser(description="satdoku beside what people would use instead.")
    parser.add_argument("puzzles", nargs="+", help="files, FILE:LINE, or puzzles as text")
    parser.add_argument(
        "-b", "--backend", default="glucose4,native,cpsat,backtrack", help="satdoku's own; the first is the baseline"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="raw results; a run begun there goes on")
    parser.add_argument("--table", type=Path, required=True, help="the Markdown file to write")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="the time that the table shows")
    parser.add_argument("--timeout", default="10", help="seconds for each search")
    parser.add_argument("--repeat", default="1", help="times that each puzzle is solved")
    asked = parser.parse_args()
    present = [engine.name for engine in ENGINES if engine.absent() is None]
    for engine in ENGINES:
        if engine.absent() is not None:
            print(f"left out: {engine.name} {engine.absent()}", file=sys.stderr)
    command = [sys.executable, "-m", "satdoku", "bench", "run", *asked.puzzles, "--engines", __file__]
    command += ["-b", ",".join([asked.backend, *present]), "-o", str(asked.output)]
    command += ["--timeout", asked.timeout, "--repeat", asked.repeat, "--clock", asked.clock]
    status = subprocess.run(command, check=False).returncode
    if status != 2:  # else some were cut, or a peer was killed or wrong, as the table says
        typed = shlex.join(["python", "benchmarks/peers.py", *sys.argv[1:]])
        asked.table.write_text(table(raw.read(str(asked.output)), typed, asked.clock), "utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
