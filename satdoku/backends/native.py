"""The compiled searches: see `satdoku.kernels`. AllDifferents alone have kernels of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from satdoku.backends import PASSED, Budget, BulkResults, Ending, Engine, Prover
from satdoku.backends.propagation import MAX_VALUES, PropagationKernel
from satdoku.backends.stepping import NO_BOUND, Stepper
from satdoku.constraints import Grid
from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED
from satdoku.puzzle import Board, Puzzle, other_constraint
from satdoku.system.clock import Deadline
from satdoku.variants.boxes import classic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_VALUES = 64

SLICE = 20_000  # nodes between two looks at the clock
MAX_PLAIN_NODES = 20_000  # nodes after which the search over propagators takes over where no grid has been found
QUICK_SLICE = 1_000_000  # the same for counting on small boards, whose nodes cost next to nothing


class KernelCount(Protocol):
    """One puzzle in a kernel, with its state, to be counted."""

    def count_solutions(self, count: int, limit: int) -> tuple[int, int]:
        """The count from `count` on, and FOUND at the limit, EXHAUSTED or PAUSED."""

    def nodes(self) -> int | None:
        """Nodes so far; None if it keeps no account of them."""

    def close(self) -> None:
        """The next search may have its arrays."""


class KernelSearch(KernelCount, Protocol):
    """One puzzle in a kernel, to be searched for grids."""

    def advance(self) -> int:
        """EXHAUSTED, FOUND or PAUSED, of `satdoku.kernels.compiled`."""

    def grid(self) -> Grid:
        """The grid that was found."""


class SearchKernel(Protocol):
    """A compiled search, set up for one board."""

    yields: bool  # whether the search over propagators takes over after some nodes

    def begin(self, puzzle: Puzzle) -> KernelSearch: ...

    def counter(self, puzzle: Puzzle, limit: int | None) -> KernelCount: ...

    def many(self, givens: NDArray[np.uint16], limit: int, bound: int, results: BulkResults) -> Callable[[int], int]:
        """A function from a row to the next; one that it stopped in the middle of is returned, and taken up again."""


class Native(Stepper):
    """Keeps the board's arrays between calls, and those of a search that is over; several threads may use one."""

    def __init__(self) -> None:
        super().__init__()
        self._board: Board | None = None
        self._kernel: SearchKernel | None = None
        self._learning: PropagationKernel | None = None

    def refuses(self, board: Board) -> str | None:
        if board is self._board:
            return None
        if board.values > MOST_VALUES:
            return f"{board.values} values, and it takes up to {MOST_VALUES}"
        if board.others and board.largest_value > MAX_VALUES:
            return f"{board.largest_value} values and {other_constraint(board)}: with that it takes up to {MAX_VALUES}"
        return None

    def load(self, board: Board) -> None:
        if board is not self._board:
            kernel = PropagationKernel if board.others else _Classic if pairs_apart(board) is not None else _General
            self._kernel, self._board = kernel(board), board

    def can_count(self, board: Board) -> bool:
        return self.refuses(board) is None

    def count_solutions(
        self, puzzle: Puzzle, budget: Budget, seen: Callable[[int], None] | None = None
    ) -> tuple[int, Ending, tuple[Grid, ...]]:
        deadline = Deadline(budget.timeout)
        few = Budget(2 if budget.limit is None else min(2, budget.limit), budget.timeout)
        examples = tuple(self._run(puzzle, few))
        if len(examples) < 2 or budget.limit == len(examples):
            ending = Ending.TIMEOUT if deadline.passed() else Ending.EXHAUSTED
            return len(examples), Ending.LIMIT if budget.limit == len(examples) else ending, examples
        run = self._loaded(puzzle.board).counter(puzzle, budget.limit)
        limit = NO_BOUND if budget.limit is None else min(budget.limit, NO_BOUND)
        count, code = 0, PAUSED
        while code == PAUSED and not deadline.passed():
            count, code = run.count_solutions(count, limit)
            if seen is not None:
                seen(count)
        self._count(run.nodes())
        run.close()
        if code == PAUSED:
            return max(count, len(examples)), Ending.TIMEOUT, examples
        return count, Ending.LIMIT if code == FOUND else Ending.EXHAUSTED, examples

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> BulkResults:
        results = BulkResults.of(len(givens), board)
        if budget.limit == 0:
            results.endings[:] = Ending.LIMIT.code
            return results
        limit, bound = min(budget.limit or NO_BOUND, NO_BOUND), NO_BOUND if budget.work is None else budget.work
        kernel = self._loaded(board)
        step = kernel.many(givens, limit, bound, results)
        row, began = 0, monotonic()
        while row < len(givens):
            before = row
            row = step(row)
            now = monotonic()
            if row != before:
                began = now
            elif budget.timeout is not None and now - began >= budget.timeout:
                results.endings[row] = Ending.TIMEOUT.code
                row, began = row + 1, now
                step = kernel.many(givens, limit, bound, results)
        return results

    def begin(self, puzzle: Puzzle, deadline: Deadline) -> NativeRun:
        kernel = self._loaded(puzzle.board)
        further = partial(self._propagating, puzzle) if kernel.yields else None
        return NativeRun(kernel.begin(puzzle), further, deadline, self._count)

    def _count(self, nodes: int | None) -> None:
        self._statistics = {} if nodes is None else {"nodes": nodes}

    def _propagating(self, puzzle: Puzzle) -> KernelSearch:
        if self._learning is None or self._learning.board is not puzzle.board:
            self._learning = PropagationKernel(puzzle.board)
        return self._learning.begin(puzzle)

    def _loaded(self, board: Board) -> SearchKernel:
        self.load(board)
        assert self._kernel is not None
        return self._kernel


class NativeRun:
    """A search in a kernel. Its work is nodes, which are looked at after each slice of them.

    The search over propagators, `further`, takes over where there is no grid after MAX_PLAIN_NODES: a 25x25 that takes
    it 140 nodes takes the other more than a million.
    """

    def __init__(
        self,
        search: KernelSearch,
        further: Callable[[], KernelSearch] | None,
        deadline: Deadline,
        count: Callable[[int], object],
    ) -> None:
        self._search, self._further, self.deadline, self._count = search, further, deadline, count
        self._nodes_before = 0
        self.grids: list[Grid] = []

    @property
    def work(self) -> int:
        return self._nodes_before + (self._search.nodes() or 0)

    def advance(self, work: int | None = None) -> Ending | None:
        end = None if work is None else self.work + work
        while True:
            if self.deadline.passed():
                return Ending.TIMEOUT
            if self._further is not None and self.work >= MAX_PLAIN_NODES:
                self._nodes_before, self._search, self._further = self.work, self._further(), None
            code = self._search.advance()
            if code == FOUND:
                self._further = None
                self.grids.append(self._search.grid())
                return None
            if code == EXHAUSTED:
                return Ending.EXHAUSTED
            if end is not None and self.work >= end:
                return None

    def close(self) -> None:
        self._count(self.work)
        self._search.close()


class _Classic:
    def __init__(self, board: Board) -> None:
        kernel: Any = classic_kernel()
        self._kernel = kernel
        self._board = board
        apart = pairs_apart(board) or ()
        self._empty = kernel.search(apart)
        self._spare: list[_Run] = []
        self.yields = bool(apart)  # a board of nine values

    def begin(self, puzzle: Puzzle) -> KernelSearch:
        try:
            run = self._spare.pop()
        except IndexError:
            run = _Run(self._kernel, self._kernel.fresh(self._empty), self._board.cells, self._spare)
        run.begin(self._candidates(puzzle))
        return run

    def _candidates(self, puzzle: Puzzle) -> Any:
        return puzzle.candidates

    def counter(self, puzzle: Puzzle, limit: int | None) -> KernelCount:
        return self.begin(puzzle)

    def many(self, givens: NDArray[np.uint16], limit: int, bound: int, results: BulkResults) -> Callable[[int], int]:
        import numpy as np

        codes = np.array([Ending.EXHAUSTED.code, Ending.LIMIT.code, PASSED], np.int64)
        search = self._kernel.fresh(self._empty)
        rest = (search, results.counts, results.endings, results.grids, codes)
        call = self._kernel.many.bind(np.ascontiguousarray(givens), 0, limit, bound, *rest, SLICE)
        return lambda row: int(call(row=row))


def classic_kernel() -> ModuleType:
    """The one of two kernels for 9x9 that is faster here: both find the same grids by the same nodes."""
    from satdoku.kernels import library

    if library.uses_avx512():
        from satdoku.kernels.classic import wide

        return wide
    from satdoku.kernels.classic import search

    return search


class _General(_Classic):
    def __init__(self, board: Board) -> None:
        from satdoku.kernels import count_small, general

        self._kernel = general
        self._small = count_small
        self._board = board
        self._empty = general.search(board)
        self._spare = []
        self.yields = board.values <= MAX_VALUES

    def _candidates(self, puzzle: Puzzle) -> Any:
        return self._kernel.words_of(puzzle.candidates)

    def counter(self, puzzle: Puzzle, limit: int | None) -> KernelCount:
        if self._board.cells > self._small.MAX_CELLS:
            return self.begin(puzzle)
        words, alike = self._kernel.words_of(puzzle.candidates), self._small.alike(puzzle)
        groups, idle = self._small.groups_of(self._board), len(self._board.all_different)
        return _Count(self._small, (words, alike, groups, idle, *self._small.state(self._board, words)))


class _Run:
    """spare: where it goes when it is closed, for the next search of the same board"""

    def __init__(self, kernel: Any, search: Any, cells: int, spare: list[_Run]) -> None:
        from satdoku.kernels.compiled import allocated

        self._kernel, self._search, self._spare = kernel, search, spare
        self._out = allocated("H", cells)
        self._advance, self._grid = kernel.advance.bind(search, SLICE), kernel.grid.bind(search, self._out)

    def begin(self, candidates: Any) -> None:
        self._kernel.begin(self._search, candidates)

    def close(self) -> None:
        self._spare[:] = [self]

    def advance(self) -> int:
        return int(self._advance())

    def grid(self) -> Grid:
        self._grid()
        return tuple(self._out)

    def count_solutions(self, count: int, limit: int) -> tuple[int, int]:
        counted: tuple[int, int] = self._kernel.count_solutions(self._search, count, limit, SLICE)
        return counted

    def nodes(self) -> int | None:
        return int(self._search[-1][self._kernel.NODES])


class _Count:
    def __init__(self, kernel: Any, arrays: tuple[Any, ...]) -> None:
        self._count = kernel.count_solutions.bind(*arrays, 0, 0, QUICK_SLICE)

    def count_solutions(self, count: int, limit: int) -> tuple[int, int]:
        counted: tuple[int, int] = self._count(count=count, limit=limit)
        return counted

    def nodes(self) -> int | None:
        return None

    def close(self) -> None:
        pass


@cache
def _houses() -> frozenset[frozenset[int]]:
    return frozenset(frozenset(house.cells) for house in classic(3, 3).houses)


def pairs_apart(board: Board) -> frozenset[tuple[int, int]] | None:
    """The pairs of cells that differ besides those of the 27 houses of the 9x9 board; None if it is another board."""
    groups = {frozenset(rule.cells) for rule in board.constraints}
    if board.cells != 81 or board.values != 9 or not groups >= _houses():
        return None
    return frozenset(pair for cells in groups - _houses() for pair in combinations(sorted(cells), 2))


def _prover(argument: str | None) -> Prover:
    from satdoku.backends.refuter import Refuter

    return Refuter()


def _missing() -> str | None:
    from satdoku.kernels import library

    return library.absent()


ENGINES = (
    Engine(
        "native",
        "compiled search, bit-parallel",
        lambda argument, encoding: Native(),
        abilities=("many puzzles in one call",),
        missing=_missing,
        prover=_prover,
    ),
)
