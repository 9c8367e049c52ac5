"""The referee over many grids at once; a test holds it equal to `Puzzle.violations`."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from satdoku.constraints import AllDifferent
from satdoku.puzzle import Board

BLOCK = 2_000
"""Grids looked at together: small enough for the cache, large enough to hide numpy's calls."""

Values = TypeVar("Values", bound=np.unsignedinteger)


def faulty(board: Board, givens: NDArray[Values], grids: NDArray[Values]) -> NDArray[np.bool_]:
    """Which of `grids` are no solution of the puzzle beside them.

    givens: (n, cells) values, 0 = empty.  grids: (n, cells) values.  Returns (n,), True = faulty.
    Raises ValueError if the shapes differ or are not (n, cells).
    """
    if givens.shape != grids.shape or grids.ndim != 2 or grids.shape[1] != board.cells:
        raise ValueError(f"givens {givens.shape} and grids {grids.shape} should both be (n, {board.cells})")
    answers = [
        _faulty_block(board, givens[start : start + BLOCK], grids[start : start + BLOCK])
        for start in range(0, len(grids), BLOCK)
    ]
    return np.concatenate(answers) if answers else np.zeros(0, dtype=np.bool_)


def _faulty_block(board: Board, givens: NDArray[Values], grids: NDArray[Values]) -> NDArray[np.bool_]:
    bad = np.zeros(len(grids), dtype=np.bool_)
    # A row a cell, so that each step is over neighbours in memory.
    by_cell, given = np.ascontiguousarray(grids.T), np.ascontiguousarray(givens.T)
    bad |= ((by_cell < 1) | (by_cell > board.values)).any(axis=0)
    bad |= ((given != 0) & (given != by_cell)).any(axis=0)
    if board.values < 64:
        # One bit a value: a whole house folds into one word, as narrow as it may be.
        word = np.uint16 if board.values < 16 else np.uint32 if board.values < 32 else np.uint64
        bits = np.left_shift(word(1), np.minimum(by_cell, board.values).astype(word))
        for width, groups in all_different_cells(board).items():
            for cells in groups:
                bad |= np.bitwise_count(np.bitwise_or.reduce(bits[cells], axis=0)) != width
    else:
        for groups in all_different_cells(board).values():
            ordered = np.sort(grids[:, groups], axis=2)
            bad |= (ordered[:, :, 1:] == ordered[:, :, :-1]).any(axis=(1, 2))
    others = board.others
    if others:
        for row in np.flatnonzero(~bad):
            grid = grids[row].tolist()
            bad[row] = not all(rule.holds(grid) for rule in others)
    return bad


@lru_cache(maxsize=64)
def all_different_cells(board: Board) -> dict[int, NDArray[np.intp]]:
    """AllDifferents grouped by their number of cells: width -> (rules, width) cells."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    for rule in board.constraints:
        if isinstance(rule, AllDifferent) and len(rule.cells) > 1:
            groups.setdefault(len(rule.cells), []).append(rule.cells)
    return {width: np.array(cells, dtype=np.intp) for width, cells in groups.items()}
