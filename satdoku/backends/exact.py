"""Exact, a pseudo-Boolean solver that learns sums: sums of a board stay sums, where SAT solvers take clauses.

Method: J. Elffers and J. Nordstrom, "Divide and conquer: towards faster pseudo-Boolean solving", IJCAI 2018; the solver
is https://gitlab.com/nonfiction-software/exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from satdoku.backends import BaseBackend, Budget, Ending, Engine, Search
from satdoku.backends.child_oracle import ChildOracle
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import MAX_RELEASED, refusal
from satdoku.constraints import Grid
from satdoku.encoders.cnf import DEFAULT
from satdoku.encoders.cnf import find as find_encoding
from satdoku.encoders.sums import Sums, at_least_one
from satdoku.limits import bounded_time
from satdoku.puzzle import Board, Puzzle

COUNTED = ("conflicts", "decisions", "propagations", "restarts")

Row = tuple[list[tuple[int, int]], bool, int]  # terms, whether the sum may be more, total


@dataclass(slots=True)
class LoadedSums:
    """A solver that holds the sums of a board, in a process that can be killed: nothing else stops it."""

    sums: Sums
    child: ChildOracle
    variables: int

    @classmethod
    def of(cls, board: Board) -> LoadedSums:
        sums = Sums(board)
        rows = [(each.terms, each.least, each.total) for each in sums.sums()]
        return cls(sums, ChildOracle("exact", partial(ExactOracle, rows)), sums.variables)

    def close(self) -> None:
        self.child.close()

    def grid(self, model: list[int]) -> Grid:
        true = set(model)
        board, variable = self.sums.board, self.sums.variable
        return tuple(
            next(value for value in board.values_of(cell) if variable[cell, value] in true)
            for cell in range(board.cells)
        )


class Exact(BaseBackend):
    def __init__(self) -> None:
        super().__init__()
        self._kept: LoadedSums | None = None

    def refuses(self, board: Board) -> str | None:
        return refusal(board, find_encoding(DEFAULT))

    def load(self, board: Board) -> None:
        self._keep(self._take(board))

    def close(self) -> None:
        super().close()
        self._keep(None)

    def _take(self, board: Board) -> LoadedSums:
        """The solver that was kept if it is of the board; a search has it to itself, and puts it back."""
        if self._kept is None or self._kept.sums.board is not board:
            return LoadedSums.of(board)
        loaded, self._kept = self._kept, None
        return loaded

    def _keep(self, loaded: LoadedSums | None) -> None:
        if self._kept is not None:
            self._kept.close()
        self._kept = loaded

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.seconds)
        try:
            with bounded_time(budget.seconds):
                loaded = self._take(puzzle.board)
        except TimeIsUp:
            return Ending.TIMEOUT
        loaded.variables += 1
        selector, child, variable = loaded.variables, loaded.child, loaded.sums.variable
        fixed = [each if holds else -each for _, each, holds in loaded.sums.candidates(puzzle)]
        before = child.statistics()
        count = 0
        try:
            while budget.solutions is None or count < budget.solutions:
                model = child.solve([*fixed, selector], deadline)
                if isinstance(model, Ending):
                    return model
                grid = loaded.grid(model)
                count += 1
                yield grid
                child.add_clause([-selector, *(-variable[place] for place in enumerate(grid))])
            return Ending.LIMIT
        finally:
            now = child.statistics()
            self._statistics = {figure: now[figure] - before.get(figure, 0) for figure in now}
            child.add_clause([-selector])
            if selector - loaded.sums.variables < MAX_RELEASED:
                self._keep(loaded)
            else:
                loaded.close()


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
        open=lambda argument, encoding: Exact(),
        requires=("exact",),
        extra="exact",
        abilities=("assumptions", "incremental", "all four constraints; tables and automata as clauses"),
    ),
)
