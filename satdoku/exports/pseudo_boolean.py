"""A puzzle as sums over 0-1 variables, which OPB and LP write.

Variable cell * N + value says that the cell holds the value. Cells, AllDifferents and Linears are
sums as they stand; a Table or an Automaton goes through its clauses, each as a sum of at least 1.
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
    """All sums of a puzzle; `variables` counts those of clauses too, which come after those of cells."""

    def __init__(self, puzzle: Puzzle, blocked: Sequence[Grid]) -> None:
        self._puzzle = puzzle
        self._blocked = blocked
        self._clauses: list[tuple[str, list[list[int]]]] = []
        board = puzzle.board
        self.variables = board.cells * board.values
        cells = Cells(range(1, board.values + 1), self.variable)
        for rule in board.others:
            if isinstance(rule, Linear) and rule.cells:
                continue  # a sum as it stands
            clauses = Clauses(self.variables)
            write(clauses, rule, cells)
            self.variables = clauses.variables
            self._clauses.append((rule.name, list(clauses)))

    def variable(self, cell: int, value: int) -> int:
        return cell * self._puzzle.board.values + value

    def name(self, variable: int) -> str | None:
        """`r1c1=7`; None for a variable that belongs to the clauses of some rule."""
        board = self._puzzle.board
        cell, value = divmod(variable - 1, board.values)
        return f"{board.label(cell)}={value + 1}" if cell < board.cells else None

    def sums(self) -> Iterator[Sum]:
        """Cells, rules in their order, candidates, excluded grids."""
        board = self._puzzle.board
        for cell in range(board.cells):
            row = [(1, self.variable(cell, value)) for value in range(1, board.values + 1)]
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
        house = len(rule.cells) == self._puzzle.board.values
        for value in range(1, self._puzzle.board.values + 1):
            sign = 1 if house else -1
            yield Sum([(sign, self.variable(cell, value)) for cell in rule.cells], not house, sign, rule.name)

    def _linear(self, rule: Linear) -> Sum:
        values = range(1, self._puzzle.board.values + 1)
        pairs = zip(rule.cells, rule.coefficients, strict=True)
        terms = [(factor * value, self.variable(cell, value)) for cell, factor in pairs for value in values]
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
