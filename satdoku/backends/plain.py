"""What backends in plain Python share: the last board stays prepared, and a search stops where it should."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

from satdoku.backends import Ending
from satdoku.backends.stepping import Stepper
from satdoku.constraints import Grid
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import Deadline

Loaded = TypeVar("Loaded")
MAX_PEERS = 10_000_000  # of all cells: 144x144 has 9 million, 225x225 34 million; sets of so many take half a gigabyte

Nodes = Iterator[Grid | None]  # a search: None after each node, and each grid, which are distinct


def too_many_peers(board: Board) -> str | None:
    """Why an engine that keeps the peers of each cell refuses the board; None if it need not refuse."""
    pairs = sum(len(rule.cells) ** 2 for rule in board.all_different)
    return f"{pairs} pairs of different cells, and it takes up to {MAX_PEERS}" if pairs > MAX_PEERS else None


class PythonBackend(Stepper, Generic[Loaded]):
    """A backend from two functions."""

    def __init__(
        self,
        prepare: Callable[[Board], Loaded],  # what the puzzles of a board have in common
        nodes: Callable[[Loaded, Puzzle], Nodes],
        refuses: Callable[[Board], str | None] = lambda board: None,  # as in `Backend`
    ) -> None:
        super().__init__()
        self.refuses = refuses
        self._prepare = prepare
        self._nodes = nodes
        self._loaded: tuple[Board, Loaded] | None = None

    def load(self, board: Board) -> None:
        self._load(board)

    def _load(self, board: Board) -> Loaded:
        if self._loaded is None or self._loaded[0] is not board:
            self._loaded = board, self._prepare(board)
        return self._loaded[1]

    def begin(self, puzzle: Puzzle, deadline: Deadline) -> "PlainRun":
        return PlainRun(partial(self._nodes, self._load(puzzle.board), puzzle), deadline, self._over)

    def _over(self, nodes: int) -> None:
        self._statistics = {"nodes": nodes}


class PlainRun:
    """A search. One that the deadline cuts in the middle of a node begins anew if it goes on, and repeats no grid."""

    def __init__(self, begin: Callable[[], Nodes], deadline: Deadline, over: Callable[[int], object]) -> None:
        self._begin, self.deadline, self._over = begin, deadline, over
        self._nodes = begin()
        self._count = self._known = 0  # grids that were found, and those of them that come again
        self.grids: list[Grid] = []
        self.work = 0

    def advance(self, work: int | None = None) -> Ending | None:
        try:
            with bounded_time(self.deadline.left()):
                return self._advance(None if work is None else self.work + work)
        except TimeIsUp:
            self._nodes, self._known = self._begin(), self._count
            return Ending.TIMEOUT

    def _advance(self, end: int | None) -> Ending | None:
        if self.deadline.passed():
            return Ending.TIMEOUT
        for grid in self._nodes:
            if grid is not None:
                if self._known:
                    self._known -= 1
                    continue
                self._count += 1
                self.grids.append(grid)
                return None
            self.work += 1
            if self.deadline.passed():
                return Ending.TIMEOUT
            if self.work == end:
                return None
        return Ending.EXHAUSTED

    def close(self) -> None:
        self._over(self.work)
