"""Values as conjunctions of literals: of none where it is decided, of one, of several; a variable comes on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from satdoku.constraints import Grid
from satdoku.deferred import Deferred
from satdoku.encoders.clauses import Clauses, Literals
from satdoku.encoders.houses import peer_pairs
from satdoku.errors import BackendError
from satdoku.puzzle import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = Deferred("numpy")


class Conjunctions:
    """How cells are written where a value is a conjunction of literals: `Variables` by a table.

    Parameters:
        board: the board.
        clauses: what a variable is added to that stands for a conjunction, where one literal is asked for.
        codes: (cells, values, width) literals, which together say cell = value; filled up with 0.
        possible: (cells, values), the values that are not known to be impossible; None for all.

    Example:
        >>> import numpy as np
        >>> import satdoku
        >>> from satdoku.encoders.clauses import Clauses
        >>> board, clauses = satdoku.board(size=4), Clauses()
        >>> bits = clauses.new_array(board.cells, 2)
        >>> signs = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], dtype=np.int32)
        >>> variables = Conjunctions(board, clauses, signs[None] * bits[:, None])
        >>> variables.literals(0, 2), variables.equals(0, 2), list(clauses)
        ((1, -2), 33, [[-33, 1], [-33, -2], [33, -1, 2]])
    """

    def __init__(
        self, board: Board, clauses: Clauses, codes: Literals, possible: NDArray[np.bool_] | None = None
    ) -> None:
        self._board = board
        self._clauses = clauses
        self._codes = codes
        self._possible = np.ones(codes.shape[:2], np.bool_) if possible is None else possible
        self._defined: dict[tuple[int, ...], int] = {}

    def literals(self, cell: int, value: int) -> tuple[int, ...]:
        if not self._possible[cell, value - 1]:
            return (-self._definition(()),)
        return tuple(literal for literal in self._codes[cell, value - 1].tolist() if literal)

    def values(self, cell: int) -> list[int]:
        possible: list[int] = (np.flatnonzero(self._possible[cell]) + 1).tolist()
        return possible

    def equals(self, cell: int, value: int) -> int:
        literals = self.literals(cell, value)
        return literals[0] if len(literals) == 1 else self._definition(literals)

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        true = [literal for literal in model if literal > 0]
        holds = np.isin(self._codes, true) | ((self._codes < 0) & ~np.isin(-self._codes, true))
        is_value = (holds | (self._codes == 0)).all(axis=2) & self._possible
        for cell in np.flatnonzero(is_value.sum(axis=1) != 1).tolist():
            raise not_one_value(self._board, cell, (np.flatnonzero(is_value[cell]) + 1).tolist())
        literals = self._codes[is_value]
        return tuple((is_value.argmax(axis=1) + 1).tolist()), literals[literals != 0].tolist()

    def _definition(self, literals: tuple[int, ...]) -> int:
        """A variable that is true exactly if all of them are; of none, one that always is."""
        if literals not in self._defined:
            defined = self._defined[literals] = self._clauses.new()
            for literal in literals:
                self._clauses.add(-defined, literal)
            self._clauses.add(defined, *(-literal for literal in literals))
        return self._defined[literals]


def not_one_value(board: Board, cell: int, values: list[int]) -> BackendError:
    listed = " and ".join(str(board.shown(value)) for value in values)
    return BackendError(f"the model gives {board.label(cell)} {listed or 'no value'}")


def write_not_equal(board: Board, clauses: Clauses, codes: Literals) -> None:
    """For each two cells that differ and each value, the clause that not both hold it.

    Parameters:
        board: the board, of whose AllDifferents the clauses are.
        clauses: what they are added to.
        codes: (cells, values, width) literals, as `Conjunctions` takes them.
    """
    pairs = np.array(peer_pairs(board), dtype=np.intp)
    if not len(pairs):
        return
    both = np.concatenate([codes[pairs[:, 0]], codes[pairs[:, 1]]], axis=2)
    for value in range(both.shape[1]):
        rows = -both[:, value]
        clauses.extend(rows[:, (rows != 0).all(axis=0)])


def sizes(variables: Callable[[int], int], own: Callable[[int], int]) -> Callable[[int, int], tuple[int, int]]:
    """The `size` of an Encoding whose AllDifferents are by `write_not_equal`.

    Parameters:
        variables: of N, those of one cell.
        own: of N, the clauses of one cell.

    Returns:
        A function of the rows and columns of a box: (variables, own clauses + E*N), E the pairs of peers.
    """

    def size(bh: int, bw: int) -> tuple[int, int]:
        n = bh * bw
        pairs = n * n * (3 * n - bh - bw - 1) // 2
        return n * n * variables(n), n * n * own(n) + pairs * n

    return size
