"""Full grids by chance, of any board.

Boards of AllDifferents: a Markov chain over grids whose distribution tends to the uniform one, see
`satdoku.kernels.refill`. Other boards: values are tried in an order by chance, and kept where some
grid has them. What a solver is asked there has one answer only, so grids depend on no solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from satdoku.backends import Budget, not_all_different
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.constraints import Grid
from satdoku.errors import InputError, Refused
from satdoku.puzzle import Board, Puzzle, members, only
from satdoku.variants.boxes import box_of
from satdoku.verdict import Judge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_VALUES = 64

SMALL = 100
"""Cells up to which a board is filled as a whole often enough: one step in WHOLE_SMALL, else one in WHOLE_LARGE."""

WHOLE_SMALL, WHOLE_LARGE = 16, 64

STEPS_SMALL, STEPS_LARGE = 64, 4
"""Steps of the chain for a small board, and for each cell of a large one."""


class Grids(Protocol):
    """Where full grids come from. The same random numbers give the same grids."""

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        """A grid by chance. Raises TimeIsUp at the deadline, Refused if the board has no grid."""

    def near(self, grid: Grid, random: Random, count: int) -> NDArray[np.uint16] | None:
        """Grids that differ from `grid` in a part of it, (count, cells); None if there is no way to find some."""


def grids(board: Board, judge: Judge) -> Grids:
    """The way for a board. Raises Refused for a board that neither takes, InputError if numba is missing."""
    if not_all_different(board) is None and board.values <= MOST_VALUES:
        return Mixed(board, judge)
    return Sought(board, judge)


class Mixed:
    """Boards of AllDifferents with at most 64 values."""

    def __init__(self, board: Board, judge: Judge) -> None:
        if find_spec("numba") is None:
            raise InputError("generate needs the package numba: pip install 'satdoku[native]'")
        import numpy as np

        from satdoku.kernels import general, refill

        self._board = board
        self._kernel: Any = refill
        self._sought = Sought(board, judge)
        blocks = _blocks(board)
        self._every = np.arange(board.cells)
        self._blocks = np.array([cell for block in blocks for cell in block], np.int64)
        self._blocks_at = np.cumsum([0, *map(len, blocks)])
        self._structure = general.structure(board).arrays()
        self._state = general.state(board)
        self._spare = np.zeros(board.cells, np.int64)
        self._often = WHOLE_SMALL if board.cells <= SMALL else WHOLE_LARGE
        self._steps = STEPS_SMALL if board.cells <= SMALL else STEPS_LARGE * board.cells

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        import numpy as np

        numbers = np.array([random.getrandbits(64)], np.uint64)
        values = np.zeros(self._board.cells, np.int64)
        tries = self._kernel.FIRST_TRIES
        if not self._kernel.first(tries, self._every, self._structure, self._state, numbers, values):
            values[:] = [value - 1 for value in self._sought.draw(random, deadline)]
        self._mix(values, numbers, self._steps)
        return tuple((values + 1).tolist())

    def near(self, grid: Grid, random: Random, count: int) -> NDArray[np.uint16] | None:
        import numpy as np

        numbers = np.array([random.getrandbits(64)], np.uint64)
        found = np.empty((count, self._board.cells), np.uint16)
        for row in range(count):
            values = np.array(grid, np.int64) - 1
            self._mix(values, numbers, 1)
            found[row] = values + 1
        return found

    def _mix(self, values: NDArray[np.int64], numbers: NDArray[np.uint64], steps: int) -> None:
        self._kernel.mix(
            steps,
            self._often,
            values,
            self._every,
            self._blocks,
            self._blocks_at,
            self._structure,
            self._state,
            numbers,
            self._spare,
        )


def _blocks(board: Board) -> list[Sequence[int]]:
    """Cells that are worth filling anew together: two lines of a band or stack and boxes where they cross
    two and two; where boxes do not rule alone, any two houses."""
    size, box = board.values, box_of(board)
    if box is None or len(board.constraints) != 3 * size:
        return [tuple(dict.fromkeys(one.cells + two.cells)) for one, two in combinations(board.houses, 2)]
    rows = [range(row * size, (row + 1) * size) for row in range(size)]
    columns = [range(column, size * size, size) for column in range(size)]
    bands = [rows[start : start + box.rows] for start in range(0, size, box.rows)]
    stacks = [columns[start : start + box.columns] for start in range(0, size, box.columns)]
    lines = [(*one, *two) for group in (*bands, *stacks) for one, two in combinations(group, 2)]
    crossed = [
        tuple(cell for band in down for row in band for cell in row if cell in across)
        for down in combinations(bands, 2)
        for across in (
            {cell for stack in chosen for column in stack for cell in column} for chosen in combinations(stacks, 2)
        )
    ]
    return [*lines, *crossed]


class Sought:
    """Any board: cell after cell in an order by chance, each with one of the values that some grid has there."""

    def __init__(self, board: Board, judge: Judge) -> None:
        self._board = board
        self._judge = judge

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        board = self._board
        candidates = [board.every_value] * board.cells
        known = self._grid(candidates, deadline)
        if known is None:
            raise Refused("no grid satisfies the rules of the board")
        order = list(range(board.cells))
        random.shuffle(order)
        for cell in order:
            while not only(candidates[cell]):
                value = random.choice(list(members(candidates[cell])))
                trial = [*candidates]
                trial[cell] = 1 << value
                # A grid that is known to have the value spares the question, whose answer it is.
                found = known if known[cell] == value else self._grid(trial, deadline)
                if found is None:
                    candidates[cell] &= ~(1 << value)
                else:
                    candidates, known = trial, found
        return tuple(map(only, candidates))

    def near(self, grid: Grid, random: Random, count: int) -> NDArray[np.uint16] | None:
        return None

    def _grid(self, candidates: list[int], deadline: Deadline) -> Grid | None:
        deadline.check()
        outcome = self._judge.run(Puzzle(self._board, tuple(candidates)), Budget(1, deadline.left()))
        if not outcome.grids and not outcome.exact:
            raise TimeIsUp
        return outcome.grids[0] if outcome.grids else None
