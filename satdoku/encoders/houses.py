"""The AllDifferents of a board as arrays, for encoders that write many clauses at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from satdoku.encoders.clauses import Literals
from satdoku.puzzle import Board, Puzzle, members


def peer_pairs(board: Board) -> NDArray[np.intp]:
    """Every two cells that some AllDifferent holds apart, once each: shape (pairs, 2)."""
    pairs = {pair for constraint in board.all_different for pair in combinations(sorted(constraint.cells), 2)}
    return np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2)


@lru_cache(maxsize=64)
def cells_by_width(board: Board) -> dict[int, NDArray[np.intp]]:
    """The AllDifferents by their number of cells, from 2: an array of shape (constraints, width) each."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    for constraint in board.all_different:
        if len(constraint.cells) > 1:
            groups.setdefault(len(constraint.cells), []).append(constraint.cells)
    return {width: np.array(cells, dtype=np.intp) for width, cells in groups.items()}


def by_count(groups: Literals) -> Iterator[Literals]:
    """The rows of `groups` with their zeros left out, as one dense array for each length that occurs."""
    counts = np.count_nonzero(groups, axis=1)
    for count in np.unique(counts).tolist():
        rows = groups if count == groups.shape[1] and (counts == count).all() else groups[counts == count]
        yield rows[rows != 0].reshape(len(rows), count)


@dataclass(frozen=True, slots=True)
class Known:
    """What is decided before any clause is written; an encoding that is `reducible` leaves it out."""

    open: NDArray[np.bool_]  # (cells, values), what is not decided
    true: NDArray[np.bool_]  # (cells, values), the givens
    contradictory: bool  # whether two givens clash


def nothing_known(board: Board) -> Known:
    shape = (board.cells, board.values)
    return Known(np.ones(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_), False)


def known(puzzle: Puzzle) -> Known:
    """A given decides its cell, and that its peers do not hold its value (Kwon and Jain 2006)."""
    board = puzzle.board
    state = nothing_known(board)
    candidates, true, contradictory = state.open, state.true, False
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
    return Known(candidates, true, contradictory)
