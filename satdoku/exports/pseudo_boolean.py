"""A puzzle as sums over 0-1 variables: OPB, the format of the pseudo-Boolean competition, CPLEX LP and MPS."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from satdoku.constraints import Grid
from satdoku.encoders.sums import Sums, WeightedSum
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Puzzle

WIDTH = 100  # longer lines of LP are split: some readers take 255 characters, and no more


class PseudoBooleanFormula:
    """All sums of a puzzle, excluded grids among them, and the names of the variables of cells."""

    def __init__(self, puzzle: Puzzle, blocked: Sequence[Grid]) -> None:
        self._puzzle, self._blocked = puzzle, blocked
        self._program = Sums(puzzle.board)
        board = puzzle.board
        self.names = [f"{board.label(cell)}={board.shown(value)}" for cell, value in self._program.variable]
        self.variables = self._program.variables

    def sums(self) -> Iterator[WeightedSum]:
        """Cells, constraints, candidates, excluded grids."""
        yield from self._program.sums()
        for cell, variable, holds in self._program.candidates(self._puzzle):
            yield WeightedSum([(1, variable)], False, int(holds), f"candidates of {self._puzzle.board.label(cell)}")
        for grid in self._blocked:
            row = [(-1, self._program.variable[place]) for place in enumerate(grid)]
            yield WeightedSum(row, True, 1 - len(row), "blocked")


def _opb(puzzle: Puzzle, formula: PseudoBooleanFormula) -> Iterator[str]:
    """The format numbers its variables, so comments `* varname x7 r1c1=7` name them."""
    # The first line counts what follows, and a second walk costs less than keeping all sums.
    yield f"* #variable= {formula.variables} #constraint= {sum(1 for _ in formula.sums())}\n"
    for line in heading(puzzle, "export opb"):
        yield f"* {line}\n"
    for variable, name in enumerate(formula.names, 1):
        yield f"* varname x{variable} {name}\n"
    for each in formula.sums():
        terms = " ".join(f"{coefficient:+d} x{variable}" for coefficient, variable in each.terms)
        yield f"{terms} {'>=' if each.least else '='} {each.total} ;\n"


def _lp(puzzle: Puzzle, formula: PseudoBooleanFormula) -> Iterator[str]:
    """Variable `x_r1c1_7` is 1 if r1c1 holds 7; `y_1`, `y_2` and so on belong to rules that are clauses."""
    for line in heading(puzzle, "export lp"):
        yield from (f"\\ {part}\n" for part in wrap(line, WIDTH))
    names = _column_names(formula)
    # Any grid will do: readers want an objective all the same.
    yield f"Minimize\n obj: 0 {names[1]}\nSubject To\n"
    rule = ""
    for number, each in enumerate(formula.sums(), 1):
        if each.name != rule:
            rule = each.name
            yield from (f"\\ {part}\n" for part in wrap(plain(rule), WIDTH))
        line = f" c{number}:"
        for coefficient, variable in each.terms:
            factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
            line += f" {'-' if coefficient < 0 else '+'} {factor}{names[variable]}"
            if len(line) > WIDTH:
                yield f"{line}\n"
                line = " "
        yield f"{line} {'>=' if each.least else '='} {each.total}\n"
    yield "Binary\n"
    yield from (f" {name}\n" for name in names[1:])
    yield "End\n"


def _column_names(formula: PseudoBooleanFormula) -> list[str]:
    """By the number of the variable, from 1."""
    names = ["", *(f"x_{name.replace('=', '_')}" for name in formula.names)]
    return names + [f"y_{number}" for number in range(1, formula.variables - len(formula.names) + 1)]


def _mps(puzzle: Puzzle, formula: PseudoBooleanFormula) -> Iterator[str]:
    """Free MPS: rows, then columns, which have the names that LP gives them."""
    for line in heading(puzzle, "export mps"):
        yield f"* {line}\n"
    yield "NAME satdoku\nROWS\n N obj\n"
    columns: list[list[str]] = [[] for _ in range(formula.variables + 1)]
    totals: list[str] = []
    for number, each in enumerate(formula.sums(), 1):
        yield f" {'G' if each.least else 'E'} c{number}\n"
        for coefficient, variable in each.terms:
            columns[variable].append(f"c{number} {coefficient}")
        if each.total:
            totals.append(f" rhs c{number} {each.total}\n")
    yield "COLUMNS\n"
    names = _column_names(formula)
    for name, column in zip(names[1:], columns[1:], strict=True):
        yield "".join(f" {name} {entry}\n" for entry in column or ["obj 0"])
    yield "RHS\n"
    yield from totals
    yield "BOUNDS\n"
    yield from (f" BV bound {name}\n" for name in names[1:])
    yield "ENDATA\n"


def _target(name: str, summary: str, lines: Callable[[Puzzle, PseudoBooleanFormula], Iterator[str]]) -> Target:
    # The formula is made at once, so that what it refuses is refused before the first piece of text.
    return Target(
        name=name,
        summary=summary,
        write=lambda puzzle, _, blocked: lines(puzzle, PseudoBooleanFormula(puzzle, blocked)),
    )


TARGETS = (
    _target("lp", "a 0-1 linear program in CPLEX LP format", _lp),
    _target("mps", "a 0-1 linear program in free MPS", _mps),
    _target("opb", "OPB, for pseudo-Boolean solvers", _opb),
)
