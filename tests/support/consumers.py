"""The tools that exports are for: each takes a text and gives back grids, or says why it is not here."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from satdoku import Grid, Puzzle
from satdoku.exports import export
from satdoku.exports.decode import decode

TIME = 60


@dataclass(frozen=True)
class Consumer:
    """grids: (text, puzzle, folder to work in) -> grids that the tool finds. every: whether these are all."""

    name: str
    target: str
    missing: Callable[[], str | None]
    grids: Callable[[str, Puzzle, Path], list[Grid]]
    every: bool
    slow: bool = False

    def all_grids(self, puzzle: Puzzle, folder: Path, most: int = 1_000) -> list[Grid]:
        """All grids of the puzzle; a tool that gives one is asked again, with those found excluded."""
        if self.every:
            return self.grids("".join(export(puzzle, self.target)), puzzle, folder)
        found: list[Grid] = []
        while len(found) < most:
            more = self.grids("".join(export(puzzle, self.target, None, found)), puzzle, folder)
            if not more:
                break
            found += more
        return found


def program(name: str, package: str) -> Callable[[], str | None]:
    return lambda: None if shutil.which(name) else f"{name} is not on PATH: apt-get install {package}"


def module(name: str) -> Callable[[], str | None]:
    return lambda: None if find_spec(name) else f"{name} is not importable: pip install {name}"


MINIEXACT = Path(sysconfig.get_path("scripts")) / "miniexact"


def beside_python(script: Path) -> Callable[[], str | None]:
    return lambda: None if script.exists() else f"{script} is not there: pip install {script.name}"


def ran(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME)
    return done.stdout


def solver(*command: str) -> Callable[[str, Puzzle, Path], list[Grid]]:
    """A SAT solver; `{out}` is the file that it writes its answer to, else it prints it."""

    def grids(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
        cnf, out = folder / "a.cnf", folder / "a.out"
        cnf.write_text(text)
        printed = ran(*(word.format(cnf=cnf, out=out) for word in command))
        answer = out.read_text() if "{out}" in command else printed
        decoded = decode(text.encode(), answer)
        return [] if decoded.grid is None else [decoded.grid]

    return grids


def cpsat(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text)
    assert model.validate() == ""
    found: list[Grid] = []

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            names = {variable.name: index for index, variable in enumerate(model.proto.variables)}
            labels = map(puzzle.board.label, range(puzzle.board.cells))
            found.append(by_name(puzzle, {label: self.response_proto.solution[names[label]] for label in labels}))

    engine = cp_model.CpSolver()
    engine.parameters.num_workers = 1
    engine.parameters.enumerate_all_solutions = True
    engine.solve(model, Collector())
    return list(dict.fromkeys(found))


def by_name(puzzle: Puzzle, values: dict[str, int]) -> Grid:
    """The grid of shown values by the names of cells, those of auxiliary cells left out."""
    board = puzzle.board
    return tuple(values[board.label(cell)] - board.first_value + 1 for cell in range(board.cells))


def clingo_module(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    import clingo

    messages: list[str] = []
    control = clingo.Control(["0", "--project=show"], logger=lambda code, message: messages.append(message))
    control.add("base", [], text)
    control.ground([("base", [])])
    assert messages == []
    found = []
    with control.solve(yield_=True) as models:
        for model in models:
            atoms = model.symbols(shown=True)
            assert len(atoms) == puzzle.board.cells
            found.append(by_name(puzzle, {atom.arguments[0].name: atom.arguments[1].number for atom in atoms}))
    return found


def clingo_program(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    file = folder / "a.lp"
    file.write_text(text)
    rows = re.findall(r"^Answer: .*\n(.*)$", ran("clingo", "0", "--project=show", str(file)), re.M)
    return [
        by_name(puzzle, {name: int(value) for name, value in re.findall(r"is\((r\d+c\d+),(\d+)\)", row)})
        for row in rows
    ]


def minizinc(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    file = folder / "a.mzn"
    file.write_text(text)
    done = subprocess.run(["minizinc", "--all-solutions", str(file)], capture_output=True, text=True, timeout=TIME)
    assert done.returncode == 0, done.stderr
    inner = 1 - puzzle.board.first_value
    grids = [tuple(int(value) + inner for value in part.split()) for part in done.stdout.split("----------")[:-1]]
    return list(dict.fromkeys(grids))


def clasp(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    file = folder / "a.opb"
    file.write_text(text)
    printed = ran("clasp", str(file))
    if "s SATISFIABLE" not in printed:
        assert "s UNSATISFIABLE" in printed
        return []
    names = dict(re.findall(r"^\* varname (x\d+) ([rx][\dc]+=\d+)$", text, re.M))
    true = [names[word] for word in re.findall(r" (x\d+)", printed) if word in names]
    assert len(true) == len(puzzle.domains)
    return [by_name(puzzle, {name.split("=")[0]: int(name.split("=")[1]) for name in true})]


def grid_of_columns(puzzle: Puzzle, ones: list[str]) -> list[Grid]:
    pairs = [name.split("_")[1:] for name in ones if name.startswith("x_")]
    assert len(pairs) == len(puzzle.domains)
    return [by_name(puzzle, {label: int(value) for label, value in pairs})]


HIGHS = """
import json, sys, highspy
from pathlib import Path
engine = highspy.Highs()
engine.setOptionValue("output_flag", False)
assert engine.readModel(sys.argv[1]) == highspy.HighsStatus.kOk
engine.run()
status = engine.modelStatusToString(engine.getModelStatus())
values = engine.getSolution().col_value
ones = [engine.getColName(index)[1] for index, value in enumerate(values) if value > 0.5]
Path(sys.argv[2]).write_text(json.dumps([status, ones]))
"""


def highs(suffix: str) -> Callable[[str, Puzzle, Path], list[Grid]]:
    """HiGHS, which tells formats by the suffix of the file."""

    def grids(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
        # In a process of its own: its symbols and those of ortools exclude each other.
        file, out = folder / f"a{suffix}", folder / "a.json"
        file.write_text(text)
        ran(sys.executable, "-c", HIGHS, str(file), str(out))  # it prints a banner: the answer has a file of its own
        status, ones = json.loads(out.read_text())
        if status != "Optimal":
            assert status == "Infeasible"
            return []
        return grid_of_columns(puzzle, ones)

    return grids


def maxsat(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    """PySAT's RC2. The candidates of a puzzle are soft clauses: it has a solution where none of them has to go."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = WCNF(from_string=text)
    with RC2(formula) as engine:
        model = engine.compute()
        if model is None or engine.cost:
            return []
    names = dict(re.findall(r"^c varname (\d+) (\S+)$", text, re.M))
    true = [names[str(literal)].split("=") for literal in model if literal > 0 and str(literal) in names]
    return [by_name(puzzle, {label: int(value) for label, value in true})]


def z3(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    import z3

    engine = z3.SolverFor("QF_LIA")
    engine.from_string(text)
    if engine.check() == z3.unsat:
        return []
    model = engine.model()
    values = {str(name): model[name].as_long() for name in model.decls()}
    return [by_name(puzzle, values)]


def choco_missing() -> str | None:
    return program("java", "default-jre-headless")() or module("pycsp3")()


def choco(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    """Choco, whose jar is part of the package pycsp3."""
    spec = find_spec("pycsp3")
    assert spec is not None
    assert spec.origin is not None
    (jar,) = Path(spec.origin).parent.glob("solvers/choco/choco-parsers-*.jar")
    file = folder / "a.xml"
    file.write_text(text)
    printed = ran(
        "java",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        str(jar),
        "org.chocosolver.parser.xcsp.ChocoXCSP",
        str(file),
        "-a",
    )
    if "s SATISFIABLE" not in printed:
        assert "s UNSATISFIABLE" in printed, printed
        return []
    listed = re.findall(r"<list>(.*?)</list>\s*v\s*<values>(.*?)</values>", printed, re.S)
    found = [dict(zip(names.split(), map(int, values.split()), strict=True)) for names, values in listed]
    return list(dict.fromkeys(by_name(puzzle, values) for values in found))


def glpsol(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    file, out = folder / "a.lp", folder / "a.out"
    file.write_text(text)
    out.unlink(missing_ok=True)
    printed = ran("glpsol", "--lp", str(file), "--output", str(out))
    if "INTEGER OPTIMAL SOLUTION FOUND" not in printed:
        assert re.search("(PROBLEM|LP) HAS NO (PRIMAL|INTEGER) FEASIBLE SOLUTION", printed), printed
        return []
    ones = re.findall(r"^ *\d+ (\S+)\s+\*\s+1 ", out.read_text(), re.M)
    return grid_of_columns(puzzle, ones)


def placed(puzzle: Puzzle, options: list[str]) -> Grid:
    """The grid that options say: all but those that exclude grids begin with a cell and end with its value."""
    placements = [option.split() for option in options if option.startswith("r")]
    assert len(placements) == puzzle.board.cells
    return by_name(puzzle, {cell: int(rest[0].partition("=")[2]) for cell, *rest in placements})


def miniexact(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    file = folder / "a.dlx"
    file.write_text(text)
    *blocks, last = ran(str(MINIEXACT), "-x", "-e", "-p", "-D", str(file)).strip("\n").split("\n\n")
    assert last == f"Found {len(blocks)} solutions!"
    return [placed(puzzle, [line.removesuffix(";") for line in block.splitlines()]) for block in blocks]


def parsed(text: str) -> tuple[list[str], list[str], list[frozenset[str]], list[str]]:
    """Primary items, secondary items, options as sets and as they are written."""
    items, *options = [line for line in text.splitlines() if not line.startswith("|")]
    primary, _, secondary = items.partition("|")
    return primary.split(), secondary.split(), [frozenset(option.split()) for option in options], options


def covers(wanted: list[str], options: list[frozenset[str]]) -> Iterator[list[frozenset[str]]]:
    """Exact covers by the shortest way to say it: the item with the fewest options, then what does not overlap."""
    if not wanted:
        yield []
        return
    meeting = {item: [option for option in options if item in option] for item in wanted}
    for chosen in min(meeting.values(), key=len):
        rest = [item for item in wanted if item not in chosen]
        for others in covers(rest, [option for option in options if option.isdisjoint(chosen)]):
            yield [chosen, *others]


def by_hand(text: str, puzzle: Puzzle, folder: Path) -> list[Grid]:
    primary, _, options, lines = parsed(text)
    written = dict(zip(options, lines, strict=True))
    return [placed(puzzle, [written[option] for option in cover]) for cover in covers(primary, options)]


CONSUMERS = (
    Consumer("minisat", "dimacs", program("minisat", "minisat"), solver("minisat", "{cnf}", "{out}"), False),
    Consumer("cadical", "dimacs", program("cadical", "cadical"), solver("cadical", "-q", "{cnf}"), False),
    Consumer(
        "cryptominisat5",
        "dimacs",
        program("cryptominisat5", "cryptominisat"),
        solver("cryptominisat5", "--verb", "0", "{cnf}"),
        False,
    ),
    Consumer("picosat", "dimacs", program("picosat", "picosat"), solver("picosat", "{cnf}"), False),
    Consumer("ortools", "cpsat", module("ortools"), cpsat, True),
    Consumer("clingo of PyPI", "asp", module("clingo"), clingo_module, True),
    Consumer("clingo", "asp", program("clingo", "gringo"), clingo_program, True),
    Consumer("minizinc", "minizinc", program("minizinc", "minizinc"), minizinc, True, slow=True),
    Consumer("clasp", "opb", program("clasp", "clasp"), clasp, False),
    Consumer("highspy", "lp", module("highspy"), highs(".lp"), False, slow=True),
    Consumer("highspy, MPS", "mps", module("highspy"), highs(".mps"), False, slow=True),
    Consumer("RC2", "wcnf", module("pysat"), maxsat, False),
    Consumer("z3", "smt", module("z3"), z3, False),
    Consumer("Choco", "xcsp", choco_missing, choco, True, slow=True),
    Consumer("miniexact", "exact-cover", beside_python(MINIEXACT), miniexact, True),
    Consumer("covers by hand", "exact-cover", lambda: None, by_hand, True),
    Consumer("glpsol", "lp", program("glpsol", "glpk-utils"), glpsol, False, slow=True),
)


def here(consumer: Consumer) -> Consumer:
    """The consumer; the test is skipped where it is missing."""
    reason = consumer.missing()
    if reason:
        pytest.skip(reason)
    return consumer
