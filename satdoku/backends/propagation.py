"""The compiled search over propagators, for `native`, on boards that are more than AllDifferents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from satdoku.backends import parts
from satdoku.backends.parts import PartsCount
from satdoku.backends.stepping import NO_BOUND
from satdoku.constraints import Grid
from satdoku.implied import sums
from satdoku.implied.lines import sums_of_lines
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.backends import BulkResults
    from satdoku.backends.native import KernelCount
    from satdoku.kernels.propagators.program import Program

MAX_VALUES = 62  # candidates are the bits of a signed word, and sums of them need one more
MAX_IMPLIED_CELLS = 7  # cells of an implied sum: 0.95 of the nodes of killers that six cells leave
IMPLIED_OUTSIDE = (0, 1, 2, 3)  # cells that cages of them have outside a region: 0.9 of the nodes that (0, 2) leave
PLAIN_NODES = 150  # of a search before implied sums and exclusions are looked for, which takes as long as 150 nodes
SLICE = 500  # nodes between two looks at the clock: some milliseconds on 9x9, a tenth of a second on 25x25
BLOCK = 4_096  # rows whose candidates are made at once


class PropagationKernel:
    yields = False

    def __init__(self, board: Board) -> None:
        from satdoku.kernels.propagators.lower import Lowering

        self.board, self._lowering = board, Lowering(board)
        self.plain = self._lowering.program(exclusions=False)
        self._spare: dict[int, Arrays] = {}

    def arrays(self, program: Program) -> Arrays:
        """Those that a closed search has given back, or new ones: to lay them out takes as long as many a search."""
        return self._spare.pop(id(program), None) or Arrays(program)

    def take_back(self, arrays: Arrays) -> None:
        self._spare[id(arrays.program)] = arrays

    @cached_property
    def whole(self) -> Program:
        """With implied sums and exclusions, which take longer to find and lay out than all that the board states."""
        self._lowering.imply(sums(self.board, MAX_IMPLIED_CELLS, IMPLIED_OUTSIDE) + sums_of_lines(self.board))
        made = self._lowering.program(exclusions=True)
        return made if len(made.rows) > len(self.plain.rows) else self.plain

    def begin(self, puzzle: Puzzle) -> PropagationRun:
        return PropagationRun(self, puzzle, PLAIN_NODES)

    def counter(self, puzzle: Puzzle, limit: int | None) -> KernelCount:
        few = limit is not None and limit <= parts.FEW
        return PropagationRun(self, puzzle, 0) if few or not parts.takes(self.board) else PartsCount(puzzle, self.whole)

    def many(self, givens: NDArray[np.uint16], limit: int, bound: int, results: BulkResults) -> Callable[[int], int]:
        return PropagationRows(self.whole, givens, limit, bound, results)


class Arrays:
    """What a search works on, and the call with all of it laid out."""

    def __init__(self, program: Program) -> None:
        from satdoku.kernels.compiled import allocated
        from satdoku.kernels.propagators import search

        self.program, self.state = program, search.new_state(program)
        self.domains, self.counts = allocated("q", 1, program.grid_cells), allocated("q", 1)
        self.codes, grids = allocated("q", 1), allocated("H", 1, 2, program.grid_cells)
        kept = self.counts, self.codes, grids
        self.advance = search.advance.bind(program, self.state, self.domains, *kept, 0, 0, NO_BOUND, 0)

    def begin(self, candidates: Sequence[int]) -> None:
        from satdoku.kernels.propagators.search import ROW

        for cell, allowed in enumerate(candidates):
            self.domains[0, cell] = allowed >> 1
        self.counts[0], self.state.numbers[ROW] = 0, -1


class PropagationRun:
    """A search; after `plain_nodes` nodes without implied sums it begins anew with them, and repeats no grid."""

    def __init__(self, kernel: PropagationKernel, puzzle: Puzzle, plain_nodes: int) -> None:
        self._kernel, self._puzzle, self._plain_nodes = kernel, puzzle, plain_nodes
        self._known = set[Grid]()
        self._nodes_before = 0
        self._begin(kernel.plain if plain_nodes else kernel.whole)

    def _begin(self, program: Program) -> None:
        from satdoku.kernels.propagators import search

        self._search: Any = search
        self._arrays = self._kernel.arrays(program)
        self._arrays.begin(self._puzzle.candidates)

    def close(self) -> None:
        """Give its arrays to the next search; this one is not used again."""
        self._kernel.take_back(self._arrays)

    def advance(self) -> int:
        from satdoku.kernels.compiled import FOUND

        if self._plain_nodes and self.nodes() >= self._plain_nodes:
            self._plain_nodes = 0
            if self._kernel.whole is not self._arrays.program:
                self._nodes_before = self.nodes()
                self.close()
                self._begin(self._kernel.whole)
        while True:
            most = min(SLICE, self._plain_nodes - self.nodes()) if self._plain_nodes else SLICE
            code = self.count_solutions(self._solution_count, self._solution_count + 1, most)[1]
            if code != FOUND:
                return code
            grid = self.grid()
            if grid not in self._known:
                if self._plain_nodes:
                    self._known.add(grid)
                return code

    def count_solutions(self, count: int, limit: int, nodes: int = SLICE) -> tuple[int, int]:
        before = self._solution_count
        self._arrays.advance(limit=before + limit - count, nodes=nodes)
        return count + self._solution_count - before, int(self._arrays.codes[0])

    @property
    def _solution_count(self) -> int:
        count: int = self._arrays.counts[0]
        return count

    def grid(self) -> Grid:
        grid: Grid = self._search.grid(self._arrays.program, self._arrays.state)
        return grid

    def nodes(self) -> int:
        return self._nodes_before + int(self._arrays.state.numbers[self._search.NODES])


class PropagationRows:
    def __init__(
        self, program: Program, givens: NDArray[np.uint16], limit: int, bound: int, results: BulkResults
    ) -> None:
        import numpy as np

        from satdoku.backends import PASSED, Ending
        from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED
        from satdoku.kernels.propagators import search

        self._search: Any = search
        self._program, self._state = program, search.new_state(program)
        self._givens, self._limit, self._bound, self._results = givens, limit, bound, results
        self._begin, self._domains, self._codes = -1, np.zeros((0, 0), np.int64), np.zeros(BLOCK, np.int64)
        self._endings = np.zeros(3, np.uint8)
        self._endings[[EXHAUSTED, FOUND, PAUSED]] = Ending.EXHAUSTED.code, Ending.LIMIT.code, PASSED

    def __call__(self, row: int) -> int:
        begin = row - row % BLOCK
        if begin != self._begin:
            self._take(begin)
        place = row - begin
        done = self._advance(row=place)
        self._results.endings[row : begin + done] = self._endings[self._codes[place:done]]
        return begin + int(done)

    def _take(self, begin: int) -> None:
        import numpy as np

        givens = self._givens[begin : begin + BLOCK].astype(np.int64)
        self._domains = np.where(givens > 0, np.int64(1) << np.maximum(givens - 1, 0), (1 << self._program.values) - 1)
        self._begin = begin
        self._state.numbers[self._search.ROW] = -1
        block = slice(begin, begin + len(self._domains))
        kept = self._results.counts[block], self._codes, self._results.grids[block]
        domains = self._domains[:, : self._program.grid_cells]
        self._advance = self._search.advance.bind(
            self._program, self._state, domains, *kept, 0, self._limit, self._bound, SLICE
        )
