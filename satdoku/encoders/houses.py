"""The AllDifferents of a board, for encoders that write many clauses at once, and what givens decide."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from satdoku.deferred import Deferred
from satdoku.encoders.clauses import LiteralRows
from satdoku.puzzle import Board, Puzzle, members

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.encoders.clauses import Literals
else:
    np = Deferred("numpy")


def peer_pairs(board: Board) -> list[tuple[int, int]]:
    """Every two cells that some AllDifferent holds apart, once each, rising."""
    return sorted({pair for rule in board.all_different for pair in combinations(sorted(rule.cells), 2)})


@lru_cache(maxsize=64)
def cells_by_width(board: Board) -> dict[int, list[tuple[int, ...]]]:
    """The cells of the AllDifferents by their number, from 2."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    for constraint in board.all_different:
        if len(constraint.cells) > 1:
            groups.setdefault(len(constraint.cells), []).append(constraint.cells)
    return groups


def by_count(groups: Literals) -> list[Literals]:
    """The rows of `groups` with their zeros left out, as one dense array for each length that occurs."""
    counts = np.count_nonzero(groups, axis=1)
    dense: list[Literals] = []
    for count in np.unique(counts).tolist():
        rows = groups if count == groups.shape[1] and (counts == count).all() else groups[counts == count]
        dense.append(rows[rows != 0].reshape(len(rows), count))
    return dense


def by_length(groups: Iterable[Iterable[int]]) -> list[LiteralRows]:
    """The groups with their zeros left out, those of one length together, the short ones first."""
    rows: dict[int, LiteralRows] = {}
    for group in groups:
        row = [literal for literal in group if literal]
        rows.setdefault(len(row), []).append(row)
    return [rows[length] for length in sorted(rows)]


class Known:
    """What is decided before any clause is written; an encoding that is `reducible` leaves it out.

    Parameters:
        shape: (cells, values).
        decided: `open`, which of these is not decided, and `true`, the givens; None where nothing is decided.
        contradictory: whether two givens clash.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        decided: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None,
        contradictory: bool = False,
    ) -> None:
        self._shape, self._decided, self.contradictory = shape, decided, contradictory

    @property
    def nothing(self) -> bool:
        return self._decided is None

    @cached_property
    def open(self) -> NDArray[np.bool_]:
        """(cells, values), what is not decided."""
        return np.ones(self._shape, dtype=np.bool_) if self._decided is None else self._decided[0]

    @cached_property
    def true(self) -> NDArray[np.bool_]:
        """(cells, values), the givens."""
        return np.zeros(self._shape, dtype=np.bool_) if self._decided is None else self._decided[1]


def nothing_known(board: Board) -> Known:
    return Known((board.cells, board.values))


def known(puzzle: Puzzle) -> Known:
    """A given decides its cell, and that its peers do not hold its value (Kwon and Jain 2006)."""
    board = puzzle.board
    shape = (board.cells, board.values)
    candidates, true, contradictory = np.ones(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_), False
    every = board.every_value
    for cell, (allowed, given) in enumerate(zip(puzzle.candidates, puzzle.givens, strict=True)):
        if given:
            true[cell, given - 1] = True
        elif allowed != every:
            candidates[cell] = False
            candidates[cell, [value - 1 for value in members(allowed)]] = True
    for constraint in board.all_different:
        cells = np.array(constraint.cells, dtype=np.intp)
        taken = true[cells].sum(axis=0)
        contradictory = contradictory or bool((taken > 1).any())
        candidates[cells] &= taken == 0
    candidates[true.any(axis=1)] = False
    return Known(shape, (candidates, true), contradictory)
