"""Boards as sums over 0-1 variables, for pseudo-Boolean solvers and integer programs.

A variable for each cell and value, auxiliary cells last, says that the cell holds the value. Cells, AllDifferents
and Linears are sums as they stand; a Table or an Automaton goes through its clauses, each as a sum of at least 1.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from satdoku.constraints import AllDifferent, Linear
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.constraints import CellLiterals, write
from satdoku.limits import check_time
from satdoku.puzzle import Board, Puzzle, members, only


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """The sum of coefficient times variable is `total`, or with `least` at least that. Never without terms."""

    terms: list[tuple[int, int]]
    least: bool
    total: int
    name: str


class Sums:
    """All sums of a board. `variable` is that of a cell and a value; those after `len(variable)` are of clauses."""

    def __init__(self, board: Board) -> None:
        self.board = board
        every = range(board.cells + len(board.auxiliary))
        self.variable: dict[tuple[int, int], int] = {}
        for cell in every:
            check_time()
            first = len(self.variable) + 1
            self.variable |= {(cell, value): number for number, value in enumerate(board.values_of(cell), first)}
        self.variables = len(self.variable)
        self._clauses: list[tuple[str, list[list[int]]]] = []
        cells = CellLiterals(board.values_of, lambda cell, value: self.variable[cell, value])
        for constraint in board.others:
            if isinstance(constraint, Linear | AllDifferent) and constraint.cells:
                continue  # sums as they stand
            clauses = Clauses(self.variables)
            write(clauses, constraint, cells)
            self.variables = clauses.variables
            self._clauses.append((constraint.name, list(clauses)))

    def sums(self) -> Iterator[WeightedSum]:
        """Cells, then constraints in their order, those that are clauses last."""
        board, variable = self.board, self.variable
        for cell in range(board.cells + len(board.auxiliary)):
            check_time()
            row = [(1, variable[cell, value]) for value in board.values_of(cell)]
            yield WeightedSum(row, False, 1, board.label(cell))
        for constraint in board.constraints:
            check_time()
            if isinstance(constraint, AllDifferent) and constraint.cells:
                yield from self._all_different(constraint)
            elif isinstance(constraint, Linear) and constraint.cells:
                pairs = zip(constraint.cells, constraint.coefficients, strict=True)
                terms = [(factor * v, variable[cell, v]) for cell, factor in pairs for v in board.values_of(cell)]
                yield WeightedSum(terms, False, constraint.total, constraint.name)
        for name, clauses in self._clauses:
            yield from _at_least_one(clauses, name)

    def candidates(self, puzzle: Puzzle) -> Iterator[tuple[int, int, bool]]:
        """Cell, variable and whether it is 1: of each given, and of each value that another cell does not take."""
        for cell, allowed in enumerate(puzzle.candidates):
            given = only(allowed)
            for value in [given] if given else members(self.board.every_value & ~allowed):
                yield cell, self.variable[cell, value], bool(given)

    def _all_different(self, constraint: AllDifferent) -> Iterator[WeightedSum]:
        places: dict[int, list[int]] = {}
        for cell in constraint.cells:
            for value in self.board.values_of(cell):
                places.setdefault(value, []).append(self.variable[cell, value])
        house = len(constraint.cells) == len(places)
        sign = 1 if house else -1
        for value in sorted(places):
            yield WeightedSum([(sign, variable) for variable in places[value]], not house, sign, constraint.name)


def _at_least_one(clauses: Iterable[list[int]], name: str) -> Iterator[WeightedSum]:
    for clause in clauses:
        terms, total = at_least_one(clause)
        if all(coefficient for coefficient, _ in terms):  # else it holds whatever the values
            yield WeightedSum(terms, True, total, name)


def at_least_one(clause: Iterable[int]) -> tuple[list[tuple[int, int]], int]:
    """A clause as a sum, and the least it comes to: a negated literal is one less its variable."""
    coefficients: Counter[int] = Counter()
    for literal in dict.fromkeys(clause):
        coefficients[abs(literal)] += 1 if literal > 0 else -1
    terms = [(coefficient, variable) for variable, coefficient in coefficients.items()]
    return terms, 1 - sum(coefficient < 0 for coefficient, _ in terms)
