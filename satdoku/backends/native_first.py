"""The compiled search before, and in turns with, questions that are asked of a SAT solver otherwise."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TypeVar

from satdoku.backends import Ending
from satdoku.backends.native import Native
from satdoku.backends.oracle import bounded
from satdoku.backends.schedule import NATIVE, Purpose, Stage, carry_out, policy
from satdoku.backends.stepping import advance
from satdoku.constraints import Grid
from satdoku.kernels import library
from satdoku.limits import bounded_time
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import Deadline, TimeIsUp

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class FoundGrids:
    """Grids, the nodes that they took, and how the search ended; None if it may go on."""

    grids: list[Grid]
    work: int
    ending: Ending | None


class NativeFirst:
    """Questions about variants by the policy of SETTING."""

    def __init__(self) -> None:
        self._native = Native()

    def first(self, puzzle: Puzzle, most: int, deadline: Deadline) -> list[Grid] | None:
        """Up to `most` grids, fewer only if there are no more; None where the first turn does not come so far."""
        stage = _stage(puzzle.board)
        if not self._begins(stage, puzzle.board):
            return None
        known = dict[Grid, None]()
        try:
            with bounded_time(deadline.left()):
                run = self._native.begin(puzzle, deadline)
        except TimeIsUp:
            return None
        with closing(run):
            ending = advance(run, stage.turns[0].work, most, known)
        return list(known) if ending in (Ending.EXHAUSTED, Ending.LIMIT) else None

    def some(self, puzzle: Puzzle, most: int, work: int, deadline: Deadline) -> FoundGrids | None:
        """Up to `most` grids, as far as so many nodes lead; None where the first turn has fewer."""
        stage = _stage(puzzle.board)
        if work > (stage.turns[0].work or 0) or not self._begins(stage, puzzle.board):
            return None
        known = dict[Grid, None]()
        with closing(self._native.begin(puzzle, deadline)) as run:
            ending = advance(run, work, most, known)
            return FoundGrids(list(known), run.work, ending)

    def ask(
        self,
        puzzle: Puzzle,
        most: int,
        from_grids: Callable[[list[Grid]], Result],
        by_sat: Callable[[Deadline], Result],
        deadline: Deadline,
    ) -> Result:
        """What `by_sat` finds, or what `from_grids` makes of up to `most` grids; the two take turns. Raises TimeIsUp.

        by_sat: raises TimeIsUp at the end of its turn, and is called again
        """
        stage = _stage(puzzle.board)
        if not self._begins(stage, puzzle.board):
            with bounded_time(deadline.left()):
                return by_sat(deadline)
        known = dict[Grid, None]()

        def attempt(name: str, work: int | None, until: Deadline) -> list[Result] | None:
            if name == NATIVE:
                ending = advance(run, work, most, known)
                return [from_grids(list(known))] if ending in (Ending.EXHAUSTED, Ending.LIMIT) else None
            with suppress(TimeIsUp), bounded_time(until.left()):
                return [by_sat(bounded(until, work))]
            return None

        with bounded_time(deadline.left()):
            run = self._native.begin(puzzle, deadline)
        with closing(run):
            answers = carry_out([stage], lambda name: True, attempt, deadline)
        if answers is None:
            raise TimeIsUp
        return answers[0]

    def _begins(self, stage: Stage, board: Board) -> bool:
        return NATIVE in stage.turns[0].engines and self._takes(board)

    def _takes(self, board: Board) -> bool:
        return library.absent() is None and self._native.refuses(board) is None


def _stage(board: Board) -> Stage:
    (stage,) = policy(Purpose.SETTING, board)
    return stage
