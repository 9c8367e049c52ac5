"""Two searches in turns, each longer than the one before: what takes one milliseconds may take the other hours."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from satdoku.backends import Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.native import Native, Run
from satdoku.backends.propagation import compiled
from satdoku.constraints import Grid, Linear
from satdoku.puzzle import Board, Puzzle

NATIVE, SAT = "native", "glucose4"

Result = TypeVar("Result")

MAX_SOLUTIONS = 1_000  # where more are asked for, the compiled search, which repeats none, takes the puzzle by itself
FEW_NODES, MANY_NODES = 2_000, 50_000  # of the first turn: 20 ms; on boards of sums, where SAT is slow, half a second
FIRST_SECONDS = 0.25  # the first turn of the SAT solver, at least; loading the clauses counts for it
SECONDS_UNLOADED = 1.0  # of the SAT solver before the code of the compiled search is loaded, which takes as long
SHARE = 1 / 3  # of the time of the compiled search, what the SAT solver gets on boards of sums

GROWTH = 3


@dataclass(slots=True, kw_only=True)
class Turns:
    """One puzzle.

    native: gives the compiled search, None if it is not to be had
    by_sat: searches until a deadline; TIMEOUT has it called again, any other ending is that of all
    chosen: called with the name of the engine whose turn it is
    known:  what the compiled search has found; by_sat may add to it
    run:    the compiled search where it has begun, which may be taken on
    """

    puzzle: Puzzle
    native: Callable[[], Native | None]
    by_sat: Callable[[Deadline], Ending]
    chosen: Callable[[str], object] = str
    known: set[Grid] = field(default_factory=set)
    run: Run | None = None

    def search(self, loaded: bool, solutions: int, deadline: Deadline) -> Ending:
        """The ending of whichever of the two comes to one first: EXHAUSTED, LIMIT, or TIMEOUT.

        loaded: whether the compiled search is; else SAT begins, which decides most puzzles before that would be loaded
        """
        ending = Ending.TIMEOUT if loaded else self._by_sat(SECONDS_UNLOADED, deadline)
        if ending is not Ending.TIMEOUT or deadline.passed():
            return ending
        native = self.native()
        if native is None:
            return self._by_sat(None, deadline)
        self.run = native.begin(self.puzzle)
        return self._in_turns(self.run, solutions, deadline)

    def _in_turns(self, run: Run, solutions: int, deadline: Deadline) -> Ending:
        nodes = first_nodes(self.puzzle.board)
        share = SHARE if nodes >= MANY_NODES else 1.0
        while True:
            began = monotonic()
            self.chosen(NATIVE)
            ending = advance(run, nodes, solutions, self.known, deadline)
            if ending is None:
                ending = self._by_sat(max(FIRST_SECONDS, share * (monotonic() - began)), deadline)
            if ending is not Ending.TIMEOUT or deadline.passed():
                return ending
            nodes *= GROWTH

    def _by_sat(self, seconds: float | None, deadline: Deadline) -> Ending:
        self.chosen(SAT)
        left = min((each for each in (seconds, deadline.left()) if each is not None), default=None)
        return self.by_sat(Deadline(left))


def advance(run: Run, nodes: int, solutions: int, known: set[Grid], deadline: Deadline) -> Ending | None:
    """Search on for about `nodes` nodes; None if neither the end, nor the limit, nor the deadline came."""
    from satdoku.kernels.compiled import EXHAUSTED, FOUND

    target = (run.nodes() or 0) + nodes
    while len(known) < solutions:
        if deadline.passed():
            return Ending.TIMEOUT
        if (run.nodes() or 0) >= target:
            return None
        code = run.advance()
        if code == FOUND:
            known.add(run.grid())
        elif code == EXHAUSTED:
            return Ending.EXHAUSTED
    return Ending.LIMIT


def first_nodes(board: Board) -> int:
    summed = {cell for rule in board.others if isinstance(rule, Linear) for cell in rule.cells}
    return MANY_NODES if 2 * len(summed) >= board.cells else FEW_NODES


class Quick:
    """The compiled search on variants beside questions that are asked of a SAT solver otherwise."""

    def __init__(self) -> None:
        self._native = Native()
        self._hard = False  # whether SAT has passed its first second with a question

    def first(self, puzzle: Puzzle, most: int, deadline: Deadline, load: bool) -> list[Grid] | None:
        """Up to `most` grids, fewer only if there are no more; None where the first turn does not come so far.

        load: whether the compiled search is to be loaded, if it is not
        """
        if not (load or loaded()) or not self._takes(puzzle.board):
            return None
        run, known = self._native.begin(puzzle), set[Grid]()
        ending = advance(run, first_nodes(puzzle.board), most, known, deadline)
        return list(known) if ending in (Ending.EXHAUSTED, Ending.LIMIT) else None

    def ask(
        self,
        puzzle: Puzzle,
        most: int,
        took: Callable[[list[Grid]], Result],
        by_sat: Callable[[Deadline], Result],
        deadline: Deadline,
    ) -> Result:
        """What `by_sat` finds, or what `took` makes of up to `most` grids; the two take turns. Raises TimeIsUp.

        SAT has the first second, until that did not suffice once, so that answers seldom depend on the clock.

        by_sat: raises TimeIsUp at the end of its turn, and is called again
        """
        if not self._takes(puzzle.board):
            return by_sat(deadline)
        answers: list[Result] = []

        def sat(until: Deadline) -> Ending:
            with suppress(TimeIsUp):
                answers.append(by_sat(until))
            return Ending.EXHAUSTED if answers else Ending.TIMEOUT

        def native() -> Native:
            self._hard = True
            return self._native

        turns = Turns(puzzle=puzzle, native=native, by_sat=sat)
        if turns.search(self._hard, most, deadline) is Ending.TIMEOUT:
            raise TimeIsUp
        return answers[0] if answers else took(list(turns.known))

    def _takes(self, board: Board) -> bool:
        return bool(board.others) and self._native.refuses(board) is None and compiled()


def loaded() -> bool:
    return "numba" in sys.modules
