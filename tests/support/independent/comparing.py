"""Whether satdoku's constraints and clauses have the same grids as the second reading of the same puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from pysat.solvers import Solver

import satdoku
from support.independent.board import Puzzle
from support.independent.bridge import encoded, literals
from support.independent.clauses import conditions
from support.independent.logic import Logic
from support.independent.solving import Grid


class Comparison:
    """Two readings of a puzzle as conditions on the same cells, which determine all variables."""

    def __init__(self, ours: Puzzle, theirs: satdoku.Puzzle) -> None:
        self.theirs, self.logic = theirs, Logic(ours.size, ours.values)
        self.here = self.logic.all(conditions(self.logic, ours))
        self.there = self.logic.all(literals(self.logic, theirs))

    @cached_property
    def _parts(self) -> list[int]:
        return sorted(set(self.logic.parts(self.here)))

    def grids(self, some: Iterable[Grid]) -> list[Grid]:
        """Those that the second reading has."""
        with Solver("glucose4", bootstrap_with=self.logic.clauses) as solver:
            return [grid for grid in some if solver.solve(assumptions=[self.here, *self._at(grid)])]

    def by_constraints(self) -> Grid | None:
        """A grid that one of the readings has and the other has not; None if there is none.

        Asked part by part: where one reading holds, a part of the other one does not.
        """
        beyond = sorted(set(self.logic.parts(self.there)) - set(self._parts))
        lacking = sorted(set(self._parts) - set(self.logic.parts(self.there)))
        with Solver("glucose4", bootstrap_with=self.logic.clauses) as solver:
            for side, parts in ((self.here, beyond), (self.there, lacking)):
                for part in parts:
                    if solver.solve(assumptions=[side, -part]):
                        return self.logic.grid(solver.get_model())
        return None

    def by_clauses(self, encoding: str | None, grids: Iterable[Grid]) -> Grid | None:
        """A grid that satdoku's clauses have and the second reading has not, or one of `grids` that they have not.

        encoding: a name of one; None for the clauses that a certificate is about
        """
        clauses = [*self.logic.clauses, *encoded(self.logic, self.theirs, encoding)]
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            for part in self._parts:
                if solver.solve(assumptions=[-part]):
                    return self.logic.grid(solver.get_model())
            return next((grid for grid in grids if not solver.solve(assumptions=self._at(grid))), None)

    def _at(self, grid: Grid) -> list[int]:
        return [self.logic.equals(cell, value) for cell, value in enumerate(grid)]
