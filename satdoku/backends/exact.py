"""Exact, a pseudo-Boolean solver that learns sums: sums of a board stay sums, where SAT solvers take clauses.

Method: J. Elffers and J. Nordstrom, "Divide and conquer: towards faster pseudo-Boolean solving", IJCAI 2018; the solver
is https://gitlab.com/nonfiction-software/exact.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from satdoku.backends import Ending, Engine
from satdoku.backends.child_oracle import ChildOracle
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.oracle import Oracle
from satdoku.backends.sat import Sat
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.cnf import Cnf
from satdoku.encoders.encodings.direct import Direct
from satdoku.encoders.sums import Sums, at_least_one
from satdoku.puzzle import Board
from satdoku.system.clock import Deadline

COUNTED = ("conflicts", "decisions", "propagations", "restarts")

Row = tuple[list[tuple[int, int]], bool, int]  # terms, whether the sum may be more, total


class SumClauses(Clauses):
    """The sums of a board, over whose variables clauses may follow."""

    def __init__(self, board: Board) -> None:
        sums = Sums(board)
        super().__init__(sums.variables)
        self.rows: list[Row] = [(each.terms, each.least, each.total) for each in sums.sums()]


class SumSolver(IncrementalSolver):
    """The incremental solver, with sums in place of the clauses of a board, which is never reduced by givens."""

    def refuses(self, board: Board) -> str | None:
        reason = super().refuses(board)
        self._reduces, self._before_whole = False, 0
        return reason

    def _encode(self, board: Board) -> Cnf:
        return Cnf(board=board, encoding="sums", clauses=SumClauses(board), variables=Direct(board))


def _open(clauses: Clauses) -> Oracle:
    """In a process that can be killed: nothing else stops it."""
    assert isinstance(clauses, SumClauses)
    return ChildOracle("exact", partial(ExactOracle, clauses.rows))


class ExactOracle:
    """The solver itself, as an oracle that has loaded sums."""

    def __init__(self, rows: list[Row]) -> None:
        import exact

        self._solver: Any = exact.Exact([("verbosity", "0")])
        self._variables = 0
        for row in rows:
            self._add(row)

    def add_clause(self, clause: list[int]) -> None:
        terms, total = at_least_one(clause)
        self._add((terms, True, total))

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        self._extend(max(map(abs, assumptions), default=0))
        self._solver.clearAssumptions()
        self._solver.setAssumptions([(str(abs(literal)), int(literal > 0)) for literal in assumptions])
        if self._solver.runFull(False, 0) != "SAT":
            return Ending.EXHAUSTED
        variables = range(1, self._variables + 1)
        values = self._solver.getLastSolutionFor([str(variable) for variable in variables])
        return [variable if value else -variable for variable, value in zip(variables, values, strict=True)]

    def statistics(self) -> dict[str, int]:
        counted = dict(self._solver.getStats())
        return {figure: int(counted[figure]) for figure in COUNTED}

    def close(self) -> None:
        self._solver = None

    def _add(self, row: Row) -> None:
        terms, least, total = row
        self._extend(max(variable for _, variable in terms))
        named = [(coefficient, str(variable)) for coefficient, variable in terms]
        self._solver.addConstraint(named, True, total, not least, total)

    def _extend(self, variables: int) -> None:
        for variable in range(self._variables + 1, variables + 1):
            self._solver.addVariable(str(variable), 0, 1)
        self._variables = max(self._variables, variables)


ENGINES = (
    Engine(
        name="exact",
        summary="pseudo-Boolean solver Exact: sums stay sums",
        open=lambda argument, encoding: Sat(_open, solver=SumSolver),
        requires=("exact",),
        extra="exact",
        abilities=("assumptions", "incremental", "all four constraints; tables and automata as clauses"),
    ),
)
