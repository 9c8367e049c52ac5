"""A puzzle as sums over 0-1 variables, which OPB and LP write.

A variable for each cell and value, auxiliary cells last, says that the cell holds the value. Cells, AllDifferents
and Linears are sums as they stand; a Table or an Automaton goes through its clauses, each as a sum of at least 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from satdoku.constraints import AllDifferent, Grid, Linear
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.constraints import Cells, write
from satdoku.puzzle import Puzzle, members, only


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of coefficient times variable is `total`, or with `least` at least that. Never without terms."""

    terms: list[tuple[int, int]]
    least: bool
    total: int
    name: str


class Program:
    """All sums of a puzzle; the first `placements` of its `variables` are of cells, the others of clauses."""

    def __init__(self, puzzle: Puzzle, blocked: Sequence[Grid]) -> None:
        self._puzzle = puzzle
        self._blocked = blocked
        self._clauses: list[tuple[str, list[list[int]]]] = []
        board = puzzle.board
        places = [(cell, value) for cell in range(len(puzzle.domains)) for value in board.values_of(cell)]
        self._variable = {place: number for number, place in enumerate(places, 1)}
        self._names = [f"{board.label(cell)}={board.shown(value)}" for cell, value in places]
        self.variables = self.placements = len(places)
        cells = Cells(board.values_of, self.variable)
        for rule in board.others:
            if isinstance(rule, Linear | AllDifferent) and rule.cells:
                continue  # sums as they stand
            clauses = Clauses(self.variables)
            write(clauses, rule, cells)
            self.variables = clauses.variables
            self._clauses.append((rule.name, list(clauses)))

    def variable(self, cell: int, value: int) -> int:
        return self._variable[cell, value]

    def name(self, variable: int) -> str | None:
        """`r1c1=7`; None for a variable that belongs to the clauses of some rule."""
        return self._names[variable - 1] if variable <= len(self._names) else None

    def sums(self) -> Iterator[Sum]:
        """Cells, rules in their order, candidates, excluded grids."""
        board = self._puzzle.board
        for cell in range(len(self._puzzle.domains)):
            row = [(1, self.variable(cell, value)) for value in board.values_of(cell)]
            yield Sum(row, False, 1, board.label(cell))
        for rule in board.constraints:
            if isinstance(rule, AllDifferent) and rule.cells:
                yield from self._all_different(rule)
            elif isinstance(rule, Linear) and rule.cells:
                yield self._linear(rule)
        for name, clauses in self._clauses:
            yield from _at_least_one(clauses, name)
        for cell, allowed in enumerate(self._puzzle.candidates):
            given = only(allowed)
            out = [] if given else members(board.every_value & ~allowed)
            for value in [given] if given else out:
                yield Sum(
                    [(1, self.variable(cell, value))], False, int(bool(given)), f"candidates of {board.label(cell)}"
                )
        for grid in self._blocked:
            row = [(-1, self.variable(cell, value)) for cell, value in enumerate(grid)]
            yield Sum(row, True, 1 - len(row), "blocked")

    def _all_different(self, rule: AllDifferent) -> Iterator[Sum]:
        places = [(cell, value) for cell in rule.cells for value in self._puzzle.board.values_of(cell)]
        every = sorted({value for _, value in places})
        house = len(rule.cells) == len(every)
        for value in every:
            sign = 1 if house else -1
            yield Sum(
                [(sign, self.variable(*place)) for place in places if place[1] == value], not house, sign, rule.name
            )

    def _linear(self, rule: Linear) -> Sum:
        pairs, values_of = zip(rule.cells, rule.coefficients, strict=True), self._puzzle.board.values_of
        terms = [(factor * value, self.variable(cell, value)) for cell, factor in pairs for value in values_of(cell)]
        return Sum(terms, False, rule.total, rule.name)


def _at_least_one(clauses: Iterable[list[int]], name: str) -> Iterator[Sum]:
    """Each clause as a sum: a negated literal is one less its variable."""
    for clause in clauses:
        coefficients: dict[int, int] = {}
        for literal in dict.fromkeys(clause):
            coefficients[abs(literal)] = coefficients.get(abs(literal), 0) + (1 if literal > 0 else -1)
        terms = [(coefficient, variable) for variable, coefficient in coefficients.items()]
        if all(coefficient for coefficient, _ in terms):  # else it holds whatever the values
            yield Sum(terms, True, 1 - sum(coefficient < 0 for coefficient, _ in terms), name)
