"""What backends in plain Python share: the last board stays prepared, and a search stops where it should."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from satdoku.backends import Budget, Ending, Live, Search
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.constraints import Grid
from satdoku.puzzle import Board, Puzzle

Loaded = TypeVar("Loaded")


class Plain(Live, Generic[Loaded]):
    """A backend from two functions."""

    def __init__(
        self,
        prepare: Callable[[Board], Loaded],  # what the puzzles of a board have in common
        grids: Callable[[Loaded, Puzzle, Deadline], Iterator[Grid]],  # distinct; it checks the deadline at each node
        refuses: Callable[[Board], str | None] = lambda board: None,  # as in `Backend`
        nodes: int | None = None,  # after so many a search ends as if its time were up, on every machine alike
    ) -> None:
        super().__init__()
        self.refuses = refuses
        self._max_nodes = nodes
        self._prepare = prepare
        self._grids = grids
        self._loaded: tuple[Board, Loaded] | None = None

    def load(self, board: Board) -> None:
        self._load(board)

    def _load(self, board: Board) -> Loaded:
        if self._loaded is None or self._loaded[0] is not board:
            self._loaded = board, self._prepare(board)
        return self._loaded[1]

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.seconds, self._max_nodes)
        self._statistics = {"nodes": 0}
        if budget.solutions == 0:
            return Ending.LIMIT
        try:
            for found, grid in enumerate(self._grids(self._load(puzzle.board), puzzle, deadline), 1):
                yield grid
                if found == budget.solutions:
                    return Ending.LIMIT
        except TimeIsUp:
            return Ending.TIMEOUT
        finally:
            self._statistics = {"nodes": deadline.checks}
        return Ending.EXHAUSTED
