"""The compiled search before, and in turns with, questions that are asked of a SAT solver otherwise."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TypeVar

from satdoku.backends import Ending
from satdoku.backends.native import Native
from satdoku.backends.oracle import bounded
from satdoku.backends.schedule import GROWTH, NATIVE, SAT, Credit, Purpose, Stage, Turn, carry_out, policy
from satdoku.backends.stepping import NO_BOUND, advance
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


class Account:
    """What is `left` of the credit of a turn on a board of so many cells; never any where there is no such turn."""

    def __init__(self, turn: Turn | None, cells: int) -> None:
        credit = None if turn is None else turn.credit
        self._credit = credit or Credit(0, 0, 0, 0, 0, 0)
        self._least = max(0 if turn is None else turn.work or 0, self._credit.of_cell * cells)
        self.left = -NO_BOUND if credit is None else credit.first

    def nodes(self, number: int) -> int:
        """Those of a search in round `number`."""
        return int(self._least * GROWTH**number)

    def allows(self, nodes: int) -> bool:
        """Whether a search may take so many; if not, there are no others."""
        if nodes > self._credit.longest:
            self.left = -NO_BOUND
        return nodes <= self._credit.longest

    def book(self, work: int, gained: bool) -> None:
        """A search took so much, and found a new solution or not."""
        credit = self._credit
        self.left = min(self.left + (credit.solution if gained else -work - credit.begin), credit.most)


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

    def turn(self, question: Purpose, board: Board) -> Turn | None:
        """That of the compiled search, if it comes first and is here."""
        first = _stage(question, board).turns[0]
        here = NATIVE in first.engines and library.absent() is None and self._native.refuses(board) is None
        return first if here else None

    def first(self, puzzle: Puzzle, most: int, deadline: Deadline) -> list[Grid] | None:
        """Up to `most` grids, fewer only if there are no more; None where the first turn does not come so far."""
        turn = self.turn(Purpose.SETTING, puzzle.board)
        if turn is None:
            return None
        try:
            searched = self.some(puzzle, most, turn.work, deadline)
        except TimeIsUp:
            return None
        return searched.grids if searched.ending in (Ending.EXHAUSTED, Ending.LIMIT) else None

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
        if self.turn(Purpose.SETTING, puzzle.board) is None:
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
            answers = carry_out([_stage(Purpose.SETTING, puzzle.board)], lambda name: True, attempt, deadline)
        if answers is None:
            raise TimeIsUp
        return answers[0]


def _stage(question: Purpose, board: Board) -> Stage:
    (stage,) = policy(question, board)
    return stage
