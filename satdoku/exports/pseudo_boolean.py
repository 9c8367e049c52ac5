"""A puzzle as sums over 0-1 variables: OPB, the format of the pseudo-Boolean competition, and CPLEX LP.

A variable for each cell and value, auxiliary cells last, says that the cell holds the value. Cells, AllDifferents
and Linears are sums as they stand; a Table or an Automaton goes through its clauses, each as a sum of at least 1.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from satdoku.constraints import AllDifferent, Grid, Linear
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.constraints import Cells, write
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Puzzle, members, only

WIDTH = 100  # longer lines of LP are split: some readers take 255 characters, and no more


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of coefficient times variable is `total`, or with `least` at least that. Never without terms."""

    terms: list[tuple[int, int]]
    least: bool
    total: int
    name: str


class Program:
    """All sums of a puzzle. `names` are those of the variables of cells; further `variables` are of clauses."""

    def __init__(self, puzzle: Puzzle, blocked: Sequence[Grid]) -> None:
        self._puzzle, self._blocked = puzzle, blocked
        self._clauses: list[tuple[str, list[list[int]]]] = []
        board = puzzle.board
        places = [(cell, value) for cell in range(len(puzzle.domains)) for value in board.values_of(cell)]
        self._variable = {place: number for number, place in enumerate(places, 1)}
        self.names = [f"{board.label(cell)}={board.shown(value)}" for cell, value in places]
        self.variables = len(places)
        cells = Cells(board.values_of, lambda cell, value: self._variable[cell, value])
        for rule in board.others:
            if isinstance(rule, Linear | AllDifferent) and rule.cells:
                continue  # sums as they stand
            clauses = Clauses(self.variables)
            write(clauses, rule, cells)
            self.variables = clauses.variables
            self._clauses.append((rule.name, list(clauses)))

    def sums(self) -> Iterator[Sum]:
        """Cells, rules in their order, candidates, excluded grids."""
        board, variable = self._puzzle.board, self._variable
        for cell in range(len(self._puzzle.domains)):
            row = [(1, variable[cell, value]) for value in board.values_of(cell)]
            yield Sum(row, False, 1, board.label(cell))
        for rule in board.constraints:
            if isinstance(rule, AllDifferent) and rule.cells:
                yield from self._all_different(rule)
            elif isinstance(rule, Linear) and rule.cells:
                pairs = zip(rule.cells, rule.coefficients, strict=True)
                terms = [(factor * v, variable[cell, v]) for cell, factor in pairs for v in board.values_of(cell)]
                yield Sum(terms, False, rule.total, rule.name)
        for name, clauses in self._clauses:
            yield from _at_least_one(clauses, name)
        for cell, allowed in enumerate(self._puzzle.candidates):
            given = only(allowed)
            for value in [given] if given else members(board.every_value & ~allowed):
                name = f"candidates of {board.label(cell)}"
                yield Sum([(1, variable[cell, value])], False, int(bool(given)), name)
        for grid in self._blocked:
            row = [(-1, variable[place]) for place in enumerate(grid)]
            yield Sum(row, True, 1 - len(row), "blocked")

    def _all_different(self, rule: AllDifferent) -> Iterator[Sum]:
        places = [(cell, value) for cell in rule.cells for value in self._puzzle.board.values_of(cell)]
        every = sorted({value for _, value in places})
        house = len(rule.cells) == len(every)
        sign = 1 if house else -1
        for value in every:
            terms = [(sign, self._variable[place]) for place in places if place[1] == value]
            yield Sum(terms, not house, sign, rule.name)


def _at_least_one(clauses: Iterable[list[int]], name: str) -> Iterator[Sum]:
    """Each clause as a sum: a negated literal is one less its variable."""
    for clause in clauses:
        coefficients: Counter[int] = Counter()
        for literal in dict.fromkeys(clause):
            coefficients[abs(literal)] += 1 if literal > 0 else -1
        terms = [(coefficient, variable) for variable, coefficient in coefficients.items()]
        if all(coefficient for coefficient, _ in terms):  # else it holds whatever the values
            yield Sum(terms, True, 1 - sum(coefficient < 0 for coefficient, _ in terms), name)


def _opb(puzzle: Puzzle, program: Program) -> Iterator[str]:
    """The format numbers its variables, so comments `* varname x7 r1c1=7` name them."""
    # The first line counts what follows, and a second walk costs less than keeping all sums.
    yield f"* #variable= {program.variables} #constraint= {sum(1 for _ in program.sums())}\n"
    for line in heading(puzzle, "export opb"):
        yield f"* {line}\n"
    for variable, name in enumerate(program.names, 1):
        yield f"* varname x{variable} {name}\n"
    for each in program.sums():
        terms = " ".join(f"{coefficient:+d} x{variable}" for coefficient, variable in each.terms)
        yield f"{terms} {'>=' if each.least else '='} {each.total} ;\n"


def _lp(puzzle: Puzzle, program: Program) -> Iterator[str]:
    """Variable `x_r1c1_7` is 1 if r1c1 holds 7; `y_1`, `y_2` and so on belong to rules that are clauses."""
    for line in heading(puzzle, "export lp"):
        yield from (f"\\ {part}\n" for part in wrap(line, WIDTH))
    names = ["", *(f"x_{name.replace('=', '_')}" for name in program.names)]
    names += [f"y_{number}" for number in range(1, program.variables - len(program.names) + 1)]
    # Any grid will do: readers want an objective all the same.
    yield f"Minimize\n obj: 0 {names[1]}\nSubject To\n"
    rule = ""
    for number, each in enumerate(program.sums(), 1):
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


def _target(name: str, summary: str, lines: Callable[[Puzzle, Program], Iterator[str]]) -> Target:
    # The program is made at once, so that what it refuses is refused before the first piece of text.
    return Target(name=name, summary=summary, write=lambda puzzle, _, blocked: lines(puzzle, Program(puzzle, blocked)))


TARGETS = (
    _target("lp", "a 0-1 linear program in CPLEX LP format", _lp),
    _target("opb", "OPB, for pseudo-Boolean solvers", _opb),
)
