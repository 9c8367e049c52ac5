"""Full grids by chance, of any board.

A Markov chain changes a grid part by part; the uniform distribution over the grids of the board is
its own, see `satdoku.kernels.refill`. Rules other than AllDifferent have no part in proposing a
change: one that breaks them is turned down, which leaves the distribution uniform over those that
satisfy them. The chain begins at a random filling. Where rules other than AllDifferent leave no
hope for that, values are tried in an order by chance, and kept where some grid has them; what a
solver is asked there has one answer only, so grids depend on no solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from satdoku.backends import Budget
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.constraints import Grid
from satdoku.errors import InputError, Refused
from satdoku.puzzle import Board, Puzzle, members, only
from satdoku.variants.boxes import Box, box_of, plain
from satdoku.verdict import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_VALUES = 64

SMALL = 100
"""Cells up to which a board is filled as a whole often enough: one step in WHOLE_SMALL, else one in WHOLE_LARGE."""

WHOLE_SMALL, WHOLE_LARGE = 16, 64

MOST_WHOLE = 400
"""Cells up to which a board is filled as a whole at all: beyond, the chance of a filling is no number that floats hold,
and hardly any filling succeeds."""

STEPS_SMALL, STEPS_LARGE = 64, 4
"""Steps of the chain for a small board, and for each cell of a large one."""

FROM_SHIFTS = 4
"""Times as many for a board so large that no random filling succeeds, which begins at a grid of shifted rows."""


class Grids(Protocol):
    """Where full grids come from. The same random numbers give the same grids."""

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        """A grid by chance. Raises TimeIsUp at the deadline, Refused if the board has no grid."""

    def near(self, grid: Grid, random: Random, count: int) -> NDArray[np.uint16] | None:
        """Grids that differ from `grid` in a part of it, (count, cells); None if there is no way to find some."""


def grids(board: Board, judge: Session) -> Grids:
    """The way for a board. Raises InputError if numba is missing."""
    # A cell in no house could hold any value, and the cells of some values would not stay the same cells.
    in_houses = {cell for house in board.houses for cell in house.cells}
    if board.values <= MOST_VALUES and len(in_houses) == board.cells:
        return Mixed(board, judge)
    return Sought(board, judge)


class Mixed:
    """Boards of at most 64 values whose every cell is in a house."""

    def __init__(self, board: Board, judge: Session) -> None:
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
        self._often = 0 if board.cells > MOST_WHOLE else WHOLE_SMALL if board.cells <= SMALL else WHOLE_LARGE
        self._steps = STEPS_SMALL if board.cells <= SMALL else STEPS_LARGE * board.cells

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        import numpy as np

        numbers = np.array([random.getrandbits(64)], np.uint64)
        values = np.zeros(self._board.cells, np.int64)
        tries = 0 if self._board.others else self._kernel.FIRST_TRIES
        steps = self._steps
        if not self._kernel.first(tries, self._every, self._structure, self._state, numbers, values):
            box = box_of(self._board)
            if box is not None and plain(self._board):
                values[:] = _shifts(box)
                steps *= FROM_SHIFTS
            else:
                values[:] = [value - 1 for value in self._sought.draw(random, deadline)]
        self._walk(values, numbers, steps)
        return tuple((values + 1).tolist())

    def near(self, grid: Grid, random: Random, count: int) -> NDArray[np.uint16] | None:
        import numpy as np

        numbers = np.array([random.getrandbits(64)], np.uint64)
        found = np.empty((count, self._board.cells), np.uint16)
        for row in range(count):
            values = np.array(grid, np.int64) - 1
            self._walk(values, numbers, 1)
            found[row] = values + 1
        return found

    def _walk(self, values: NDArray[np.int64], numbers: NDArray[np.uint64], steps: int) -> None:
        """Steps of the chain, in place."""
        if not self._board.others:
            self._mix(values, numbers, steps)
            return
        for _ in range(steps):
            before = values.copy()
            self._mix(values, numbers, 1)
            grid = (values + 1).tolist()
            if not all(rule.holds(grid) for rule in self._board.others):
                values[:] = before

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
    if box is None or not plain(board):
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


def _shifts(box: Box) -> list[int]:
    """A grid of a plain board whose rows are shifts of the first, values from 0."""
    starts = [row % box.rows * box.columns + row // box.rows for row in range(box.size)]
    return [(start + column) % box.size for start in starts for column in range(box.size)]


class Sought:
    """Any board: cell after cell in an order by chance, each with one of the values that some grid has there."""

    def __init__(self, board: Board, judge: Session) -> None:
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
