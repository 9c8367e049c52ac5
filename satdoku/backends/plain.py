"""What backends in plain Python share: the last board stays prepared, and a search stops where it should."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from satdoku.backends import Ending
from satdoku.backends.clock import Deadline
from satdoku.backends.stepping import Stepper
from satdoku.constraints import Grid
from satdoku.puzzle import Board, Puzzle

Loaded = TypeVar("Loaded")
Nodes = Iterator[Grid | None]  # a search: None after each node, and each grid, which are distinct


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
        return PlainRun(self._nodes(self._load(puzzle.board), puzzle), deadline, self._over)

    def _over(self, nodes: int) -> None:
        self._statistics = {"nodes": nodes}


class PlainRun:
    def __init__(self, nodes: Nodes, deadline: Deadline, over: Callable[[int], object]) -> None:
        self._nodes, self.deadline, self._over = nodes, deadline, over
        self.grids: list[Grid] = []
        self.work = 0

    def advance(self, work: int | None = None) -> Ending | None:
        end = None if work is None else self.work + work
        if self.deadline.passed():
            return Ending.TIMEOUT
        for grid in self._nodes:
            if grid is not None:
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
