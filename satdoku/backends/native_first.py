"""The compiled search before, and in turns with, questions that are asked of a SAT solver otherwise."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from satdoku.backends import Ending
from satdoku.backends.native import Native
from satdoku.backends.oracle import bounded
from satdoku.backends.schedule import NATIVE, SAT, Purpose, Stage, carry_out, policy
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
    """Questions of the setter's tools about one puzzle, by their policies, and which engines answered them."""

    def __init__(self) -> None:
        self._native = Native()
        self._asked: dict[str, bool] = {}  # whether each has answered

    @property
    def engines(self) -> tuple[str, ...]:
        """Those that answered, in the order in which they were asked first."""
        return tuple(name for name, answered in self._asked.items() if answered)

    @property
    def tried(self) -> tuple[str, ...]:
        """Those that were asked in vain alone."""
        return tuple(name for name, answered in self._asked.items() if not answered)

    def note(self, *engines: str, answered: bool = True) -> None:
        """These were asked."""
        for name in engines:
            self._asked[name] = answered or self._asked.get(name, False)

    def takes(self, board: Board) -> Callable[[str], bool]:
        """Whether each engine is here and takes the board; the SAT solver may refuse it once it loads the clauses."""

        @cache
        def native() -> bool:
            return library.absent() is None and self._native.refuses(board) is None

        return lambda name: name != NATIVE or native()

    def first(self, puzzle: Puzzle, most: int, deadline: Deadline) -> list[Grid] | None:
        """Up to `most` grids, fewer only if there are no more; None where the first turn does not come so far, or is
        not that of the compiled search."""
        first, takes = stage(Purpose.SETTING, puzzle.board).turns[0], self.takes(puzzle.board)

        def attempt(name: str, work: int | None, until: Deadline) -> list[Grid] | None:
            searched = self.some(puzzle, most, work, until)
            return searched.grids if searched.ending in (Ending.EXHAUSTED, Ending.LIMIT) else None

        with suppress(TimeIsUp):
            once = Stage((first,), once=True)
            return carry_out([once], lambda name: name == NATIVE and takes(name), attempt, deadline)
        return None

    def some(self, puzzle: Puzzle, most: int, work: int | None, deadline: Deadline) -> FoundGrids:
        """Up to `most` grids, as far as so many nodes lead. Raises TimeIsUp."""
        known = dict[Grid, None]()
        with bounded_time(deadline.left()):
            run = self._native.begin(puzzle, deadline)
        with closing(run):
            ending = advance(run, work, most, known)
            self.note(NATIVE, answered=bool(known) or ending is Ending.EXHAUSTED)
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
        turns, takes = stage(Purpose.SETTING, puzzle.board), self.takes(puzzle.board)
        if all(NATIVE not in turn.engines for turn in turns.turns) or not takes(NATIVE):
            with bounded_time(deadline.left()):
                answer = by_sat(deadline)
            self.note(SAT)
            return answer
        known = dict[Grid, None]()

        def attempt(name: str, work: int | None, until: Deadline) -> list[Result] | None:
            self.note(name, answered=False)
            if name == NATIVE:
                ending = advance(run, work, most, known)
                if ending not in (Ending.EXHAUSTED, Ending.LIMIT):
                    return None
                self.note(name)
                return [from_grids(list(known))]
            with suppress(TimeIsUp), bounded_time(until.left()):
                answers = [by_sat(bounded(until, work))]
                self.note(name)
                return answers
            return None

        with bounded_time(deadline.left()):
            run = self._native.begin(puzzle, deadline)
        with closing(run):
            answers = carry_out([turns], takes, attempt, deadline)
        if answers is None:
            raise TimeIsUp
        return answers[0]


def stage(question: Purpose, board: Board) -> Stage:
    """The only one that the setter's tools have for a question."""
    (only,) = policy(question, board)
    return only
