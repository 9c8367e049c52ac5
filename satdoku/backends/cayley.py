"""Cayley tables that have the givens of a puzzle: how large puzzles are often made, from one row that is shifted.

The table of a group, with its rows, columns and values in any order, is a Latin square of which two rows are one
permutation of the values apart, and two such permutations that agree on one value are the same. So a part of the table
says what the permutations are, and these say the rest of it, without a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations
from typing import TYPE_CHECKING

from satdoku.backends import BaseBackend, Budget, Ending, Engine, Search, not_all_different
from satdoku.constraints import Grid
from satdoku.deferred import Deferred
from satdoku.errors import Refused
from satdoku.limits import bounded_time, check_time
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import TimeIsUp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.int32]
else:
    np = Deferred("numpy")

MAX_TABLES = 24  # that are looked at where rows or columns without givens may change places


class Cayley(BaseBackend):
    """Finds such tables, and refuses a puzzle that has none; it never shows that there is no other solution."""

    def refuses(self, board: Board) -> str | None:
        """Expects rows and columns that are houses, of as many cells as there are values."""
        size = board.values
        lines = {tuple(range(first, first + size)) for first in range(0, size * size, size)}
        lines |= {tuple(range(first, size * size, size)) for first in range(size)}
        if not_all_different(board) is None and board.cells == size * size and board.columns == size:
            lines -= {tuple(sorted(house.cells)) for house in board.houses}
        return "it takes square boards, in whose rows and columns each value is once" if lines else None

    def load(self, board: Board) -> None:
        """Nothing: each puzzle is looked at by itself."""

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        board, found = puzzle.board, 0
        given = np.array(puzzle.givens, np.int32).reshape(board.values, board.values)
        try:
            with bounded_time(budget.timeout):
                tables = list(completed(given))
        except TimeIsUp:
            return Ending.TIMEOUT
        for table in tables:
            grid: Grid = tuple(table.ravel().tolist())
            allowed = all(allowed >> value & 1 for allowed, value in zip(puzzle.candidates, grid, strict=True))
            if allowed and all(group.holds(grid) for group in board.all_different):
                yield grid
                found += 1
                if found == budget.limit:
                    return Ending.LIMIT
        if not found:
            raise Refused(f"{puzzle.name}: its givens make no Cayley table, and backend cayley does not search")
        return Ending.TIMEOUT


def completed(given: Table) -> Iterator[Table]:
    """The Cayley tables of a group that have these values.

    Parameters:
        given: a square of values from 1, 0 where there is none; no value is twice in a row or in a column.

    Yields:
        The values of all cells: of several tables where rows or columns without a value may change places; of none
        where the values are of no such table, or too few to say of which.

    >>> [table.tolist() for table in completed(np.array([[1, 2, 3], [2, 3, 1], [3, 1, 0]]))]
    [[[1, 2, 3], [2, 3, 1], [3, 1, 2]]]
    """
    apart = _permutations(given)
    if apart is None:
        return
    # The values of one row, and the permutation of each other row from there.
    size, base = len(given), int((given > 0).sum(axis=1).argmax())
    to, back = np.argsort(apart, axis=1), np.argsort(apart, axis=0)
    row, of_row = given[base] - 1, np.full(size, -1, np.int32)
    for _ in range(2):  # a row that shares no column with the first may share one once that is filled
        for number, cells in enumerate(given - 1):
            both = np.flatnonzero((cells >= 0) & (row >= 0))
            if both.size:
                of_row[number] = apart[row[both[0]], cells[both[0]]]
        known = (given > 0) & (of_row >= 0)[:, None]
        columns = np.flatnonzero((row < 0) & known.any(axis=0))
        first = known[:, columns].argmax(axis=0)
        row[columns] = back[of_row[first], given[first, columns] - 1]
    pairs = ((values, numbers) for values in _filled(row) for numbers in _filled(of_row))
    for values, numbers in islice(pairs, MAX_TABLES):
        check_time()
        table = (to[values, numbers[:, None]] + 1).astype(np.int32)
        if (table == given)[given > 0].all():
            yield table


def _filled(numbers: Table) -> Iterator[Table]:
    """Each of 0..N-1 once, in each order that leaves those that are known."""
    empty = np.flatnonzero(numbers < 0)
    for left in permutations(np.setdiff1d(np.arange(len(numbers)), numbers).tolist()):
        filled = numbers.copy()
        filled[empty] = left[: empty.size]
        yield filled


def _permutations(given: Table) -> Table | None:
    """[value in one row, value in another]: the number of the permutation that takes the first to the second, from 0;
    None if rows are not permutations of a group apart, or that is not said of each two values."""
    size = len(given)
    number = np.arange(size * size, dtype=np.int32)  # of each two values: the least of those that are known to be one
    before = None
    while before is None or (number != before).any():
        before = number.copy()
        for cells in given:
            check_time()
            both = (cells > 0) & (given > 0)
            pairs = ((cells - 1) * size + given - 1)[both]
            rows, counts = np.nonzero(both)[0], both.sum(axis=1)
            starts = np.flatnonzero(np.diff(rows, prepend=-1))
            if starts.size:
                number[pairs] = np.repeat(np.minimum.reduceat(number[pairs], starts), counts[counts > 0])
        classes = number.reshape(size, size)
        if (np.diff(np.sort(classes, axis=1), axis=1) == 0).any():
            return None  # a value that one permutation takes to two
    names, numbers = np.unique(number, return_inverse=True)
    return numbers.reshape(size, size).astype(np.int32) if len(names) == size else None


ENGINES = (
    Engine(
        name="cayley",
        summary="completes a shifted and shuffled row, as many large puzzles are made; shows nothing else",
        open=lambda argument, encoding: Cayley(),
        requires=("numpy",),
        searches=False,
        all_different_only=True,
    ),
)
