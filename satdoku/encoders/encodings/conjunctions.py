"""What order and log share: a value is a conjunction of literals, and gets a variable only on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from satdoku.constraints import Grid
from satdoku.encoders.clauses import Clauses, Literals
from satdoku.encoders.houses import peer_pairs
from satdoku.errors import BackendError
from satdoku.puzzle import Board


class Conjunctions:
    """codes: (cells, values, width) literals, 0 where a conjunction is shorter."""

    def __init__(self, board: Board, clauses: Clauses, codes: Literals) -> None:
        self._board = board
        self._clauses = clauses
        self._codes = codes
        self._defined: dict[tuple[int, int], int] = {}

    def literals(self, cell: int, value: int) -> tuple[int, ...]:
        return tuple(literal for literal in self._codes[cell, value - 1].tolist() if literal)

    def equals(self, cell: int, value: int) -> int:
        literals = self.literals(cell, value)
        if len(literals) == 1:
            return literals[0]
        if (cell, value) not in self._defined:
            defined = self._clauses.new()
            for literal in literals:
                self._clauses.add(-defined, literal)
            self._clauses.add(defined, *(-literal for literal in literals))
            self._defined[cell, value] = defined
        return self._defined[cell, value]

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        true = [literal for literal in model if literal > 0]
        holds = np.isin(self._codes, true) | ((self._codes < 0) & ~np.isin(-self._codes, true))
        is_value = (holds | (self._codes == 0)).all(axis=2)
        wrong = np.flatnonzero(is_value.sum(axis=1) != 1)
        if len(wrong):
            found = int(is_value[wrong[0]].sum())
            raise BackendError(f"the model gives {self._board.label(int(wrong[0]))} {found} values")
        said = self._codes[is_value]
        return tuple((is_value.argmax(axis=1) + 1).tolist()), said[said != 0].tolist()


def hold_apart(board: Board, clauses: Clauses, codes: Literals) -> None:
    """For each two cells that differ and each value, the clause that not both hold it."""
    pairs = peer_pairs(board)
    if not len(pairs):
        return
    both = np.concatenate([codes[pairs[:, 0]], codes[pairs[:, 1]]], axis=2)
    for value in range(both.shape[1]):
        rows = -both[:, value]
        clauses.extend(rows[:, (rows != 0).all(axis=0)])


def sizes(variables: Callable[[int], int], own: Callable[[int], int]) -> Callable[[int, int], tuple[int, int]]:
    """(variables, own clauses + E*N) of a plain board, E the pairs of peers, as a function of the box."""

    def size(bh: int, bw: int) -> tuple[int, int]:
        n = bh * bw
        pairs = n * n * (3 * n - bh - bw - 1) // 2
        return n * n * variables(n), n * n * own(n) + pairs * n

    return size
