"""Two searches in turns, each longer than the one before: what takes one milliseconds may take the other hours."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from satdoku.backends import Backend, Budget, Drain, Ending, Search
from satdoku.backends.clock import Deadline
from satdoku.backends.native import Native, Run
from satdoku.backends.propagation import compiled
from satdoku.constraints import Grid, Linear
from satdoku.puzzle import Board, Puzzle

NATIVE, SAT = "native", "glucose4"

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
    strong: adds implied constraints
    chosen: called with the name of the engine whose turn it is
    """

    puzzle: Puzzle
    native: Callable[[], Native | None]
    sat: Backend
    strong: Callable[[Puzzle], Puzzle]
    chosen: Callable[[str], None]
    known: set[Grid] = field(default_factory=set)

    def search(self, loaded: bool, budget: Budget) -> Search:
        """The grids by whichever of the two ends first.

        loaded: whether the compiled search is; else SAT begins, which decides most puzzles before that would be loaded
        """
        deadline = Deadline(budget.seconds)
        solutions = MAX_SOLUTIONS if budget.solutions is None else budget.solutions
        ending = Ending.TIMEOUT if loaded else self._by_sat(SECONDS_UNLOADED, solutions, deadline)
        if ending is Ending.TIMEOUT and not deadline.passed():
            native = self.native()
            if native is None:
                ending = self._by_sat(None, solutions, deadline)
            else:
                ending = self._in_turns(native.begin(self.puzzle), solutions, deadline)
        yield from list(self.known)[:solutions]
        return Ending.LIMIT if len(self.known) >= solutions else ending

    def _in_turns(self, run: Run, solutions: int, deadline: Deadline) -> Ending:
        nodes = first_nodes(self.puzzle.board)
        share = SHARE if nodes >= MANY_NODES else 1.0
        while True:
            began = monotonic()
            self.chosen(NATIVE)
            ending = advance(run, nodes, solutions, self.known, deadline)
            if ending is None:
                ending = self._by_sat(max(FIRST_SECONDS, share * (monotonic() - began)), solutions, deadline)
            if ending is not Ending.TIMEOUT or deadline.passed():
                return ending
            nodes *= GROWTH

    def _by_sat(self, seconds: float | None, solutions: int, deadline: Deadline) -> Ending:
        self.chosen(SAT)
        left = min((each for each in (seconds, deadline.left()) if each is not None), default=None)
        drain = Drain(self.sat.search(self.strong(self.puzzle), Budget(solutions, left)))
        self.known.update(drain)
        return drain.result


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


def exhausted(puzzle: Puzzle, deadline: Deadline, load: bool) -> list[Grid] | None:
    """All grids of a variant, if these are at most one and the compiled search sees it in its first turn; else None.

    load: whether the compiled search is to be loaded, if it is not
    """
    if not puzzle.board.others or not (load or loaded()) or not compiled():
        return None
    native = Native()
    if native.refuses(puzzle.board) is not None:
        return None
    run, known = native.begin(puzzle), set[Grid]()
    return list(known) if advance(run, first_nodes(puzzle.board), 2, known, deadline) is Ending.EXHAUSTED else None


def loaded() -> bool:
    return "numba" in sys.modules
