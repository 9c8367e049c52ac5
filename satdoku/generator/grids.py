"""Random full grids of any board: exactly uniform on the plain 9x9 board, else by a Markov chain (`kernels.refill`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from satdoku.backends import Budget
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.oracle import bounded
from satdoku.backends.schedule import MAX_WORK
from satdoku.constraints import Grid
from satdoku.counting.clues import drawable
from satdoku.errors import Refused
from satdoku.puzzle import Board, Puzzle, members, only
from satdoku.system.clock import NEVER, Deadline, TimeIsUp
from satdoku.variants.boxes import Box, box_of, plain
from satdoku.verdict import Session

if TYPE_CHECKING:
    from satdoku.counting.draws import Drawer

MAX_VALUES = 64
MAX_SMALL = 100  # cells up to which one step in WHOLE_SMALL fills the whole board, else one in WHOLE_LARGE
WHOLE_SMALL, WHOLE_LARGE = 16, 64
MAX_WHOLE = 400  # cells up to which a board is filled as a whole at all: beyond, hardly any filling succeeds
STEPS_SMALL, STEPS_LARGE = 64, 4  # steps of the chain for a small board, and for each cell of a large one
TRIES_AT_ONCE, STEPS_AT_ONCE = 4, 64  # between two looks at the clock: a tenth of a second on 64x64
CONFLICTS = 200  # of a SAT solver for one value on a board with auxiliary cells: hundredths of a second
FROM_SHIFTS = 4  # times as many from a grid of shifted rows, where no random filling succeeds


def source(board: Board, session: Session) -> GridSource:
    exact = drawable(Puzzle.from_givens(board, {}))
    return Uniform(board, session) if exact else grids(board, session)


def grids(board: Board, session: Session) -> GridSource:
    """Where full grids of a board come from."""
    # A cell in no house could hold any value, and the cells of some values would not stay the same cells. Whether a
    # grid has values of auxiliary cells is a search of its own.
    in_houses = {cell for house in board.houses for cell in house.cells}
    if board.values <= MAX_VALUES and len(in_houses) == board.cells and not board.auxiliary:
        return Mixed(board, session)
    return Learning(board, session) if board.auxiliary else GridSource(board, session)


class GridSource:
    """Any board: cell after cell in a random order, each with one of the values that some grid has there."""

    def __init__(self, board: Board, session: Session) -> None:
        self._board = board
        self._session = session

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        """A random grid, the same for the same random numbers. Raises TimeIsUp, Refused if the board has no grid."""
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
                solution = known if known[cell] == value else self._grid(trial, deadline)
                if solution is None:
                    candidates[cell] &= ~(1 << value)
                else:
                    candidates, known = trial, solution
        return tuple(map(only, candidates))

    def near(self, grid: Grid, random: Random, count: int) -> NDArray[np.uint16] | None:
        """Grids that differ from `grid` in a part of it, (count, cells); None if there is no way to find some."""
        return None

    def _grid(self, candidates: list[int], deadline: Deadline) -> Grid | None:
        deadline.check()
        outcome = self._session.run(Puzzle(self._board, tuple(candidates)), Budget(1, deadline.left()))
        if not outcome.grids and not outcome.exact:
            raise TimeIsUp
        return outcome.grids[0] if outcome.grids else None


class Learning(GridSource):
    """A board with auxiliary cells, where each question is as hard as the first one: a SAT solver keeps what it learns.

    A value that takes it more than CONFLICTS is passed over, as the grid that is known has another one.
    """

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        with IncrementalSolver() as self._solver:  # made anew: a grid does not depend on those before
            self._cnf = None if self._solver.refuses(self._board) else self._solver.load_board(self._board, many=True)
            self._conflicts = MAX_WORK
            return super().draw(random, deadline)

    def _grid(self, candidates: list[int], deadline: Deadline) -> Grid | None:
        if self._cnf is None:
            return super()._grid(candidates, deadline)
        units, clauses = self._cnf.restrict(Puzzle(self._board, tuple(candidates)))
        bound, self._conflicts = bounded(deadline, self._conflicts), CONFLICTS
        with self._solver.temporary(clauses) as selector:
            try:
                model = self._solver.solve([*units, selector], bound)
            except TimeIsUp:
                deadline.check()
                return None
        return None if model is None else self._cnf.read(model)[0]


class Mixed(GridSource):
    def __init__(self, board: Board, session: Session) -> None:
        super().__init__(board, session)
        from satdoku.kernels import general, refill

        self._kernel: Any = refill
        blocks = _blocks(board)
        self._filling = np.arange(board.cells), general.search(board)
        self._blocks = np.concatenate(blocks, dtype=np.int64), np.cumsum([0, *map(len, blocks)])
        self._spare = np.zeros(board.cells, np.int64)
        self._often = 0 if board.cells > MAX_WHOLE else WHOLE_SMALL if board.cells <= MAX_SMALL else WHOLE_LARGE
        self._steps = STEPS_SMALL if board.cells <= MAX_SMALL else STEPS_LARGE * board.cells

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        numbers = np.array([random.getrandbits(64)], np.uint64)
        values = np.zeros(self._board.cells, np.int64)
        steps = self._steps
        if not self._filled(values, numbers, deadline):
            box = box_of(self._board)
            if box is not None and plain(self._board):
                values[:] = shifted_rows(box)
                values -= 1
                steps *= FROM_SHIFTS
            else:
                values[:] = [value - 1 for value in super().draw(random, deadline)]
        self._walk(values, numbers, steps, deadline)
        return tuple((values + 1).tolist())

    def _filled(self, values: NDArray[np.int64], numbers: NDArray[np.uint64], deadline: Deadline) -> bool:
        """Whether some random filling of the empty board succeeds."""
        tries = 0 if self._board.others else self._kernel.FIRST_TRIES
        for tried in range(0, tries, TRIES_AT_ONCE):
            deadline.check()
            if self._kernel.first(min(TRIES_AT_ONCE, tries - tried), *self._filling, numbers, values):
                return True
        return False

    def near(self, grid: Grid, random: Random, count: int) -> NDArray[np.uint16] | None:
        numbers = np.array([random.getrandbits(64)], np.uint64)
        grids = np.empty((count, self._board.cells), np.uint16)
        for row in range(count):
            values = np.array(grid, np.int64) - 1
            self._walk(values, numbers, 1, NEVER)
            grids[row] = values + 1
        return grids

    def _walk(self, values: NDArray[np.int64], numbers: NDArray[np.uint64], steps: int, deadline: Deadline) -> None:
        others = self._board.others
        at_once = 1 if others else STEPS_AT_ONCE
        for taken in range(0, steps, at_once):
            deadline.check()
            before, some = values.copy(), min(at_once, steps - taken)
            self._kernel.mix(some, self._often, values, *self._filling, numbers, *self._blocks, self._spare)
            grid = (values + 1).tolist()
            if not all(rule.holds(grid) for rule in others):
                values[:] = before


class Uniform(Mixed):
    def draw(self, random: Random, deadline: Deadline) -> Grid:
        return _drawer(self._board).draw(random)


@cache
def _drawer(board: Board) -> Drawer:
    from satdoku.counting.draws import Drawer

    return Drawer(Puzzle.from_givens(board, {}))


def _blocks(board: Board) -> list[Sequence[int]]:
    """Cells worth filling anew together: two lines of a band or stack, boxes two and two; else any two houses."""
    box = box_of(board)
    if box is None or not plain(board):
        return [tuple(dict.fromkeys(one.cells + two.cells)) for one, two in combinations(board.houses, 2)]
    cells = np.arange(board.cells).reshape(board.columns, board.columns)
    bands, stacks = np.split(cells, box.columns), np.split(cells.T, box.rows)
    lines = [np.concatenate(pair) for group in (*bands, *stacks) for pair in combinations(group, 2)]
    crossed = [np.intersect1d(down, across) for down in combinations(bands, 2) for across in combinations(stacks, 2)]
    return [block.tolist() for block in (*lines, *crossed)]


def shifted_rows(box: Box) -> list[int]:
    starts = [row % box.rows * box.columns + row // box.rows for row in range(box.size)]
    return [(start + column) % box.size + 1 for start in starts for column in range(box.size)]
