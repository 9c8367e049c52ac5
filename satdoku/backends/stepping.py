"""Searches that go on for so much work at a time, so that several can take turns, and any can be stopped."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import closing
from typing import Protocol

from satdoku.backends import BaseBackend, Budget, Ending, Search
from satdoku.constraints import Grid
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle
from satdoku.system.clock import Deadline, TimeIsUp

NO_BOUND = 1 << 62  # work that no search ever does: what kernels are given where there is no bound


class SteppedRun(Protocol):
    """The search of one puzzle.

    grids:    those found since the reader emptied the list; no grid is found twice
    deadline: when it stops; may be replaced between calls
    work:     what it has done so far, in nodes; in conflicts if it is of a SAT solver
    """

    grids: list[Grid]
    deadline: Deadline

    @property
    def work(self) -> int: ...

    def advance(self, work: int | None = None) -> Ending | None:
        """Search on until a grid is found, or for about so much more work; None is without a bound.

        Returns:
            EXHAUSTED if there is no further grid, TIMEOUT if the deadline has passed, None if the search can go on.
        """

    def close(self) -> None:
        """Give back what it holds; it is not used again."""


class Stepper(BaseBackend):
    """A backend whose searches go on for so much work at a time; `search` reads them to their end."""

    @abstractmethod
    def begin(self, puzzle: Puzzle, deadline: Deadline) -> SteppedRun:
        """The search of a puzzle, which has done nothing yet and ends at the deadline.

        What it needs of the board is made here, in `satdoku.limits.bounded_time`; it may raise TimeIsUp.
        """

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        try:
            with bounded_time(budget.timeout):
                run = self.begin(puzzle, Deadline(budget.timeout))
        except TimeIsUp:
            return Ending.TIMEOUT
        with closing(run):
            return (yield from searched(run, budget))


def searched(run: SteppedRun, budget: Budget) -> Search:
    """The search that a run is, to the end or as far as the budget goes."""
    count = 0
    while budget.limit is None or count < budget.limit:
        left = None if budget.work is None else budget.work - run.work
        if left is not None and left <= 0:
            return Ending.TIMEOUT
        ending = run.advance(left)
        for grid in run.grids:
            count += 1
            yield grid
        run.grids.clear()
        if ending is not None:
            return ending
    return Ending.LIMIT


def advance(run: SteppedRun, work: int | None, solutions: int, known: dict[Grid, None]) -> Ending | None:
    """Let a run go on for about so much work; None is without a bound.

    known: the grids of the puzzle that are known, in order; those that the run finds are added

    Returns:
        LIMIT if so many solutions are known, EXHAUSTED or TIMEOUT; None if the work is done before.
    """
    end, left = None if work is None else run.work + work, work
    while len(known) < solutions:
        if left is not None and left <= 0:
            return None
        ending = run.advance(left)
        if run.grids:
            known.update(dict.fromkeys(run.grids))
            run.grids.clear()
        if ending is not None:
            return ending
        left = None if end is None else end - run.work
    return Ending.LIMIT
