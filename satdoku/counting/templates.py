"""A second way to count the solutions of a 9x9 puzzle, which shares nothing with the sums.

A template is where one digit stands in a full grid; a solution is nine of the 46,656 templates without a common cell.
Digits are joined one by one, that with the fewest templates first; of the joined ones only the occupied cells are
kept, with the number of ways to occupy them. From about 18 clues on this finishes; with fewer there are too many sets.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from satdoku.constraints import Grid
from satdoku.counting.clues import drawable
from satdoku.counting.exact import SolutionTotal
from satdoku.errors import Refused
from satdoku.kernels import templates as kernel
from satdoku.puzzle import Puzzle
from satdoku.system.clock import NEVER, Deadline

MAX_PAIRS = 4_000_000  # joined sets of cells at most: some 60 bytes each while they are merged
Cells = NDArray[np.uint64]  # (n, 2) sets of cells: rows 1 to 5 as 45 bits, rows 6 to 9 as 36

WayCounts = NDArray[np.int64]


def count(puzzle: Puzzle, deadline: Deadline = NEVER) -> SolutionTotal:
    """The solutions of a plain 9x9 puzzle with givens alone, or a lower bound of 0; Refused for another board."""
    if not drawable(puzzle):
        raise Refused(f"{puzzle.name}: digit templates count plain 9x9 puzzles with givens alone")
    places = sorted((_fitting(puzzle.givens, digit) for digit in range(1, 10)), key=len)
    cells, ways = places[0], np.ones(len(places[0]), np.int64)
    for further in places[1:]:
        number = kernel.pairs(cells, ways, further, cells[:0], ways[:0])
        if number > MAX_PAIRS or deadline.passed():
            return SolutionTotal(0, False)
        unions, counts = np.empty((number, 2), np.uint64), np.empty(number, np.int64)
        kernel.pairs(cells, ways, further, unions, counts)
        cells, ways = _merged(unions, counts)
    return SolutionTotal(int(ways.sum()), True)


@cache
def templates() -> Cells:
    """(46656, 2) every set of nine cells, one in each row, column and box."""
    templates = [
        columns
        for columns in permutations(range(9))
        if all(len({column // 3 for column in columns[row : row + 3]}) == 3 for row in (0, 3, 6))
    ]
    return _cells(np.array(templates) + 9 * np.arange(9))


def _cells(numbers: NDArray[np.int64]) -> Cells:
    """(n, 2) from (n, k) numbers of cells."""
    upper = np.where(numbers < 45, np.int64(1) << np.minimum(numbers, 44), 0).sum(axis=1)
    lower = np.where(numbers >= 45, np.int64(1) << np.maximum(numbers - 45, 0), 0).sum(axis=1)
    return np.stack([upper, lower], axis=1).astype(np.uint64)


def _fitting(givens: Grid, digit: int) -> Cells:
    """The templates of a digit: on its givens, off the others."""
    own = [cell for cell, value in enumerate(givens) if value == digit]
    others = [cell for cell, value in enumerate(givens) if value not in (0, digit)]
    on, off = (_cells(np.array([cells], np.int64).reshape(1, -1))[0] for cells in (own, others))
    every = templates()
    fitting: Cells = every[((every & on) == on).all(axis=1) & ((every & off) == 0).all(axis=1)]
    return fitting


def _merged(cells: Cells, ways: WayCounts) -> tuple[Cells, WayCounts]:
    order = np.lexsort((cells[:, 1], cells[:, 0]))
    cells, ways = cells[order], ways[order]
    first = np.flatnonzero(np.r_[True, (cells[1:] != cells[:-1]).any(axis=1)][: len(cells)])
    return cells[first], np.add.reduceat(ways, first) if len(first) else ways
