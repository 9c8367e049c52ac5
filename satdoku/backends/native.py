"""The compiled search, for boards of AllDifferents alone: see `satdoku.kernels`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

from satdoku.backends import ENDINGS, PASSED, Budget, Ending, Engine, Search, Tallies, not_all_different
from satdoku.backends.clock import Deadline
from satdoku.backends.live import Live
from satdoku.constraints import Grid
from satdoku.errors import BackendError
from satdoku.puzzle import Board, Puzzle
from satdoku.variants.boxes import classic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula

MAX_VALUES = 64

SLICE = 20_000
"""Nodes between two looks at the clock."""

QUICK_SLICE = 1_000_000
"""The same for counting on small boards, whose nodes cost next to nothing."""

UNBOUNDED = 1 << 62

PROOF_SLICE = 1_000
"""Nodes of a proof between two looks at the clock: each propagates over all clauses."""

PROOF = 1 << 14
"""Integers of a proof that are written before it is taken over."""


class Native:
    """Keeps nothing between calls but the board's arrays, so that several threads may use one; `statistics`
    has the nodes of the search that ended last."""

    def __init__(self) -> None:
        self._kernel: _Kernel | None = None
        self._live = Live()
        self._nodes: int | None = None

    def refuses(self, board: Board) -> str | None:
        if self._kernel is not None and board is self._kernel.board:
            return None
        if board.values > MAX_VALUES:
            return f"{board.values} values, and it takes up to {MAX_VALUES}"
        return not_all_different(board)

    def load(self, board: Board) -> None:
        self._loaded(board)

    def prepare(self) -> None:
        for is_classic in (True, False):
            for many in (False, True):
                _compile(is_classic, many)

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        return self._live.start(self._run(puzzle, budget))

    def statistics(self) -> dict[str, int]:
        return {} if self._nodes is None else {"nodes": self._nodes}

    def close(self) -> None:
        self._live.close()

    def tallies(self, board: Board) -> bool:
        return self.refuses(board) is None

    def tally(self, puzzle: Puzzle, budget: Budget) -> tuple[int, Ending, tuple[Grid, ...]]:
        from satdoku.kernels.compiled import FOUND, PAUSED

        deadline = Deadline(budget.seconds)
        limit = _limit(budget)
        examples = tuple(self._run(puzzle, Budget(min(2, limit), budget.seconds)))
        if len(examples) == limit:
            return limit, Ending.LIMIT, examples
        if len(examples) < 2:
            return len(examples), Ending.TIMEOUT if deadline.passed() else Ending.EXHAUSTED, examples
        run = self._loaded(puzzle.board).counter(puzzle)
        count, code = 0, PAUSED
        while code == PAUSED and not deadline.passed():
            count, code = run.tally(count, limit)
        self._nodes = run.nodes()
        if code == PAUSED:
            return max(count, len(examples)), Ending.TIMEOUT, examples
        return count, Ending.LIMIT if code == FOUND else Ending.EXHAUSTED, examples

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget, nodes: int | None = None) -> Tallies:
        """As `Bulk` says; a puzzle that takes more than `nodes` nodes is passed on."""
        tallies = Tallies.of(len(givens), board)
        if budget.solutions == 0:
            tallies.endings[:] = ENDINGS.index(Ending.LIMIT)
            return tallies
        kernel = self._loaded(board)
        _compile(kernel.is_classic, many=True)

        def started() -> Callable[[int], int]:
            return kernel.many(givens, _limit(budget), UNBOUNDED if nodes is None else nodes, tallies)

        step, row, began = started(), 0, monotonic()
        while row < len(givens):
            before = row
            row = step(row)
            now = monotonic()
            if row != before:
                began = now
            elif budget.seconds is not None and now - began >= budget.seconds:
                tallies.endings[row] = ENDINGS.index(Ending.TIMEOUT)
                step, row, began = started(), row + 1, now
        return tallies

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        from satdoku.kernels.compiled import EXHAUSTED, FOUND

        kernel = self._loaded(puzzle.board)
        _compile(kernel.is_classic, many=False)
        deadline = Deadline(budget.seconds)
        run = _Run(kernel, puzzle)
        found = 0
        try:
            while budget.solutions is None or found < budget.solutions:
                if deadline.passed():
                    return Ending.TIMEOUT
                code = run.advance()
                if code == FOUND:
                    found += 1
                    yield run.grid()
                elif code == EXHAUSTED:
                    return Ending.EXHAUSTED
            return Ending.LIMIT
        finally:
            self._nodes = run.nodes()

    def _loaded(self, board: Board) -> _Kernel:
        if self._kernel is None or board is not self._kernel.board:
            self._kernel = _Kernel(board)
        return self._kernel


class _Kernel:
    """A compiled search, set up for one board: that for 9x9 with boxes of 3x3, or that for any other board.

    Both have the same functions over `arrays`, but for `grid`, which wants the state alone.
    """

    def __init__(self, board: Board) -> None:
        from satdoku.kernels import classic, general

        self.board = board
        self.is_classic = _is_classic(board)
        self.module: Any = classic if self.is_classic else general
        self._structure = None if self.is_classic else general.structure(board).arrays()

    def arrays(self) -> tuple[Any, ...]:
        """Room for one search: (state, numbers), or (the board's structure, state)."""
        return self.module.state() if self.is_classic else (self._structure, self.module.state(self.board))

    def counter(self, puzzle: Puzzle) -> _Run | _Count:
        from satdoku.kernels import small

        if self.is_classic or self.board.cells > small.MOST_CELLS:
            return _Run(self, puzzle)
        words, alike = self.module.words_of(puzzle.candidates), small.alike(puzzle)
        groups, idle = small.groups_of(self.board), len(self.board.all_different)
        return _Count(small, (words, alike, groups, idle, *small.state(self.board)))

    def many(self, givens: NDArray[np.uint16], limit: int, bound: int, tallies: Tallies) -> Callable[[int], int]:
        """A function from a row to the next; one that it stopped in the middle of is returned, and taken up again."""
        import numpy as np

        codes = np.array([ENDINGS.index(Ending.EXHAUSTED), ENDINGS.index(Ending.LIMIT), PASSED], np.int64)
        rest = (*self.arrays(), tallies.counts, tallies.endings, tallies.grids, codes)
        return lambda row: int(self.module.many(givens, row, limit, bound, SLICE, *rest))


class _Run:
    """One puzzle in a kernel, with its state, to be searched or counted."""

    def __init__(self, kernel: _Kernel, puzzle: Puzzle) -> None:
        self._kernel, self._module, self._arrays = kernel, kernel.module, kernel.arrays()
        self._module.begin(self._module.words_of(puzzle.candidates), *self._arrays)

    def advance(self) -> int:
        """EXHAUSTED, FOUND or PAUSED, of `satdoku.kernels.compiled`."""
        return int(self._module.advance(*self._arrays, SLICE))

    def grid(self) -> Grid:
        """The grid that was found."""
        import numpy as np

        out = np.zeros(self._kernel.board.cells, np.uint16)
        self._module.grid(*(self._arrays if self._kernel.is_classic else self._arrays[1:]), out)
        return tuple(out.tolist())

    def tally(self, count: int, limit: int) -> tuple[int, int]:
        """The count from `count` on, and FOUND at the limit, EXHAUSTED or PAUSED."""
        found: tuple[int, int] = self._module.tally(*self._arrays, count, limit, SLICE)
        return found

    def nodes(self) -> int | None:
        """Nodes so far; None if no account is kept of them."""
        numbers = self._arrays[1] if self._kernel.is_classic else self._arrays[1][-1]
        return int(numbers[self._module.NODES])


class _Count:
    """The same on a small board, to be counted alone."""

    def __init__(self, module: Any, arrays: tuple[Any, ...]) -> None:
        self._module, self._arrays = module, arrays

    def tally(self, count: int, limit: int) -> tuple[int, int]:
        found: tuple[int, int] = self._module.tally(*self._arrays, count, limit, QUICK_SLICE)
        return found

    def nodes(self) -> int | None:
        return None


def _limit(budget: Budget) -> int:
    return UNBOUNDED if budget.solutions is None else min(budget.solutions, UNBOUNDED)


@cache
def _compile(is_classic: bool, many: bool) -> None:
    """Compile what a kernel needs for one puzzle, or for many, where no clock counts it."""
    import numpy as np

    board = classic(3, 3) if is_classic else classic(2, 2)
    try:
        if many:
            _Kernel(board).many(np.zeros((1, board.cells), np.uint16), 2, UNBOUNDED, Tallies.of(1, board))(0)
        else:
            run = _Run(_Kernel(board), Puzzle.from_givens(board, {}))
            run.advance()
            run.grid()
    except RuntimeError as error:
        before = error.__context__
        while before is not None and not isinstance(before, KeyboardInterrupt):
            before = before.__context__
        if before is None:
            raise
        raise KeyboardInterrupt from error  # of which numba has made an error of its own


@cache
def _houses() -> frozenset[frozenset[int]]:
    return frozenset(frozenset(house.cells) for house in classic(3, 3).houses)


def _is_classic(board: Board) -> bool:
    """Whether these are the 27 houses of the 9x9 board, however named, and nothing else."""
    return (
        board.cells == 81
        and board.values == 9
        and {frozenset(constraint.cells) for constraint in board.constraints} == _houses()
    )


class Refuter:
    """Proofs of the search in `satdoku.kernels.refuter`, given up after `most` nodes."""

    name = "native"

    def __init__(self, most: int = UNBOUNDED) -> None:
        from satdoku.kernels import refuter
        from satdoku.proofs.loaded import Loaded

        self._kernel: Any = refuter
        self._loaded = Loaded()
        self._most = most

    def refute(self, formula: Formula, grid: Grid | None, deadline: Deadline) -> Numbers | None:
        import numpy as np

        cells = formula.variables // formula.values
        state, levels = self._loaded.state(formula), np.zeros((cells + 1, 2), np.int64)
        solution = np.array(grid or (0,) * cells, np.int64)
        room = np.zeros(max(PROOF, cells + 1), np.int32)
        parts: list[Numbers] = []
        left = self._most
        while left > 0 and not deadline.passed():
            nodes = min(left, PROOF_SLICE)
            code, length = self._kernel.refute(solution, formula.values, nodes, room, levels, state)
            parts.append(room[:length].copy())
            left -= nodes
            if code == self._kernel.EXHAUSTED:
                return np.concatenate(parts)
            if code == self._kernel.FOUND:
                raise BackendError(f"backend {self.name}: nothing to prove, there is another grid")
        return None


ENGINES = (
    Engine(
        name="native",
        summary="compiled search, bit-parallel, by numba",
        open=lambda argument, encoding: Native(),
        requires=("numba", "platformdirs"),
        abilities=("many puzzles in one call",),
        all_different_only=True,
        prover=lambda argument: Refuter(),
    ),
)
