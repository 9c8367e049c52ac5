"""Two searches in turns, each longer than the one before: what takes one milliseconds may take the other hours.

Turns are counted in nodes and conflicts, never in seconds, so that the same question has the same answer, by the same
engine, on every machine. Seconds end it.
"""

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TypeVar

from satdoku.backends import Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.native import MAX_PLAIN_NODES, Native, Run
from satdoku.constraints import Grid, Linear
from satdoku.kernels import library
from satdoku.puzzle import Board, Puzzle

NATIVE, SAT = "native", "glucose4"

Result = TypeVar("Result")

MAX_SOLUTIONS = 1_000  # where more are asked for, the compiled search, which repeats none, takes the puzzle by itself
FEW_NODES, MANY_NODES = 2_000, 50_000  # of the first turn: 20 ms; on boards of sums, where SAT is slow, half a second
MIN_CONFLICTS = 2_000  # of each turn of the SAT solver: a tenth of a second, where loading the clauses may take as long
MAX_CONFLICTS = 1 << 30
NODES_A_CONFLICT = 10  # of the compiled search: 0.1 ms for either
SHARE_OF_SUMS = 3  # on boards of sums, how many times as long the turns of the compiled search are

GROWTH = 3


@dataclass(slots=True, kw_only=True)
class Turns:
    """One puzzle.

    run:    the compiled search of it, which begins
    by_sat: searches until a deadline, which may be in conflicts; TIMEOUT has it called again, any other ending is that
            of all
    chosen: called with the name of the engine whose turn it is
    known:  what the compiled search has found, in that order; by_sat may add to it
    """

    puzzle: Puzzle
    run: Run
    by_sat: Callable[[Deadline], Ending]
    chosen: Callable[[str], object] = str
    known: dict[Grid, None] = field(default_factory=dict)

    def search(self, solutions: int, deadline: Deadline) -> Ending:
        """The ending of whichever of the two comes to one first: EXHAUSTED, LIMIT, or TIMEOUT."""
        nodes = first_nodes(self.puzzle.board)
        a_conflict = NODES_A_CONFLICT * (SHARE_OF_SUMS if nodes == MANY_NODES else 1)
        while True:
            self.chosen(NATIVE)
            ending = advance(self.run, nodes, solutions, self.known, deadline)
            if ending is None:
                self.chosen(SAT)
                conflicts = min(max(MIN_CONFLICTS, nodes // a_conflict), MAX_CONFLICTS)
                ending = self.by_sat(Deadline(deadline.left(), conflicts=conflicts))
            if ending is not Ending.TIMEOUT or deadline.passed():
                return ending
            nodes *= GROWTH


def advance(run: Run, nodes: int, solutions: int, known: dict[Grid, None], deadline: Deadline) -> Ending | None:
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
            known[run.grid()] = None
        elif code == EXHAUSTED:
            return Ending.EXHAUSTED
    return Ending.LIMIT


def first_nodes(board: Board) -> int:
    if not board.others:
        return MAX_PLAIN_NODES
    summed = {cell for rule in board.others if isinstance(rule, Linear) for cell in rule.cells}
    return MANY_NODES if 2 * len(summed) >= board.cells else FEW_NODES


class NativeFirst:
    """The compiled search on variants before, and beside, questions that are asked of a SAT solver otherwise."""

    def __init__(self) -> None:
        self._native = Native()

    def first(self, puzzle: Puzzle, most: int, deadline: Deadline) -> list[Grid] | None:
        """Up to `most` grids, fewer only if there are no more; None where the first turn does not come so far."""
        if not self._takes(puzzle.board):
            return None
        known = dict[Grid, None]()
        with closing(self._native.begin(puzzle)) as run:
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

        by_sat: raises TimeIsUp at the end of its turn, and is called again
        """
        if not self._takes(puzzle.board):
            return by_sat(deadline)
        answers: list[Result] = []

        def sat(until: Deadline) -> Ending:
            with suppress(TimeIsUp):
                answers.append(by_sat(until))
            return Ending.EXHAUSTED if answers else Ending.TIMEOUT

        with closing(self._native.begin(puzzle)) as run:
            turns = Turns(puzzle=puzzle, run=run, by_sat=sat)
            if turns.search(most, deadline) is Ending.TIMEOUT:
                raise TimeIsUp
        return answers[0] if answers else took(list(turns.known))

    def _takes(self, board: Board) -> bool:
        return bool(board.others) and library.absent() is None and self._native.refuses(board) is None
