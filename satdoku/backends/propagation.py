"""The compiled search over propagators, for `native`, on boards that are more than AllDifferents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from satdoku.constraints import Grid
from satdoku.implied import sums
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.backends import Tallies
    from satdoku.kernels.propagators.program import Program

MAX_VALUES = 62
"""Candidates are the bits of a signed word, and sums of them need one more."""

MAX_IMPLIED_CELLS = 6
"""Cells of an implied sum: on killers a tenth less time than with five."""

SLICE = 500
"""Nodes between two looks at the clock: some milliseconds on 9x9, a tenth of a second on 25x25."""


class Propagation:
    """Set up for one board, with what follows from its constraints."""

    def __init__(self, board: Board) -> None:
        from satdoku.kernels.propagators.lower import program

        self._program = program(board, sums(board, MAX_IMPLIED_CELLS))

    def begin(self, puzzle: Puzzle) -> Run:
        return Run(self._program, [allowed >> 1 for allowed in puzzle.candidates])

    counter = begin

    def many(self, givens: NDArray[np.uint16], limit: int, bound: int, tallies: Tallies) -> Callable[[int], int]:
        """As `native.Kernel` says."""
        return Rows(self._program, givens, limit, bound, tallies)


class Run:
    """One puzzle in the search, with its state."""

    def __init__(self, program: Program, domains: list[int]) -> None:
        import numpy as np

        from satdoku.kernels.propagators import search

        self._search: Any = search
        self._program, self._state = program, search.new_state(program)
        search.begin(np.array(domains, np.int64), program, self._state)
        self.found = 0

    def advance(self, nodes: int = SLICE) -> int:
        """EXHAUSTED, FOUND or PAUSED."""
        return self.tally(self.found, self.found + 1, nodes)[1]

    def tally(self, count: int, limit: int, nodes: int = SLICE) -> tuple[int, int]:
        """The count from `count` on, and FOUND at the limit, EXHAUSTED or PAUSED."""
        before = self.found
        code = int(self._search.advance(self._program, self._state, before + limit - count, nodes))
        self.found = int(self._state.numbers[self._search.GRIDS])
        return count + self.found - before, code

    def grid(self) -> Grid:
        """The grid that was found last."""
        found: Grid = self._search.grid(self._program, self._state)
        return found

    def nodes(self) -> int:
        return int(self._state.numbers[self._search.NODES])


class Rows:
    """Puzzles in the rows of an array. A row that takes longer than a slice is kept, and taken up again."""

    def __init__(self, program: Program, givens: NDArray[np.uint16], limit: int, bound: int, tallies: Tallies) -> None:
        self._program, self._givens, self._limit, self._bound = program, givens, limit, bound
        self._tallies, self._every = tallies, (1 << program.values) - 1
        self._run: Run | None = None

    def __call__(self, row: int) -> int:
        """Search a row for a slice; the next row, or the same where it is not done."""
        from satdoku.backends import ENDINGS, PASSED, Ending
        from satdoku.kernels.compiled import EXHAUSTED, FOUND

        run = self._run or self._begin(row)
        counts = self._tallies.counts
        target = min(self._limit, run.found + 1 if run.found < 2 else self._limit)
        counts[row], code = run.tally(run.found, target, min(SLICE, self._bound - run.nodes()))
        if code == FOUND and run.found <= 2:
            self._tallies.grids[row, run.found - 1] = run.grid()
        if code == EXHAUSTED:
            ending = ENDINGS.index(Ending.EXHAUSTED)
        elif run.found >= self._limit:
            ending = ENDINGS.index(Ending.LIMIT)
        elif run.nodes() >= self._bound:
            ending = PASSED
        else:
            self._run = run
            return row
        self._tallies.endings[row] = ending
        self._run = None
        return row + 1

    def _begin(self, row: int) -> Run:
        return Run(self._program, [1 << value - 1 if value else self._every for value in self._givens[row].tolist()])
