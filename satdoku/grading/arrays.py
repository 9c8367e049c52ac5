"""Many answers to plain puzzles at once, in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku.batch.rows import VALUES
from satdoku.puzzle import Board
from satdoku.referee import faulty

BLOCK = 2_000  # grids looked at together: small enough for the cache, large enough to hide numpy's calls
MAX_BITS = 58  # N up to which the sum of N bits fits a word
CHARACTERS = VALUES.copy()  # the value of each character of an answer
CHARACTERS[ord("_")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What there is in n answers: arrays (n,), `broken` (n, constraints), in the order of `board.all_different`."""

    solved: NDArray[np.bool_]
    open: NDArray[np.int32]
    filled: NDArray[np.int32]
    givens: NDArray[np.int32]
    kept: NDArray[np.int32]
    broken: NDArray[np.bool_]


def lines_read(texts: Sequence[object], board: Board) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Which texts are a line of a digit for each cell of a board up to 9x9, and the values of these, (n, cells)."""
    lines = [
        text.encode() if isinstance(text, str) and len(text) == board.cells and text.isascii() else b""
        for text in texts
    ]
    index = np.array([place for place, line in enumerate(lines) if line], np.intp)
    values = CHARACTERS[np.frombuffer(b"".join(lines), np.uint8)].reshape(-1, board.cells)
    fine = (values <= board.values).all(axis=1)
    return index[fine], values[fine]


def counted(board: Board, givens: NDArray[Any], grids: NDArray[Any]) -> Counts:
    """Of puzzles of AllDifferents and their answers, both (n, cells) of 0..N."""
    n = len(grids)
    numbers = {name: np.empty(n, np.int32) for name in ("open", "filled", "givens", "kept")}
    broken = np.empty((n, len(board.all_different)), np.bool_)
    for start in range(0, n, BLOCK):
        at = slice(start, start + BLOCK)
        given, grid = np.ascontiguousarray(givens[at].T), np.ascontiguousarray(grids[at].T)
        is_given = given > 0
        numbers["givens"][at] = _sum(is_given)
        numbers["kept"][at] = _sum(is_given & (given == grid))
        numbers["filled"][at] = _sum((grid > 0) & ~is_given)
        broken[at] = _broken(board, grid)
    numbers["open"] = board.cells - numbers["givens"]
    return Counts(solved=~faulty(board, givens, grids), broken=broken, **numbers)


def right(givens: NDArray[Any], grids: NDArray[Any], solutions: NDArray[Any]) -> NDArray[np.int32]:
    """How many open cells are filled as in the solution beside each: (n,)."""
    result = np.empty(len(grids), np.int32)
    for start in range(0, len(grids), BLOCK):
        at = slice(start, start + BLOCK)
        given, grid = np.ascontiguousarray(givens[at].T), np.ascontiguousarray(grids[at].T)
        result[at] = _sum((grid == np.ascontiguousarray(solutions[at].T)) & (grid > 0) & (given == 0))
    return result


def _sum(cells: NDArray[np.bool_]) -> NDArray[np.int32]:
    total: NDArray[np.int32] = np.add.reduce(cells, axis=0, dtype=np.uint16).astype(np.int32)  # boards have fewer cells
    return total


def _broken(board: Board, grid: NDArray[Any]) -> NDArray[np.bool_]:
    """Which AllDifferents have a value twice: (n, constraints). The sum of bits is their union exactly if none is."""
    broken = np.empty((grid.shape[1], len(board.all_different)), np.bool_)
    if board.values <= MAX_BITS:
        word = _word(board)
        bits = _bits(word, grid)
        for place, rule in enumerate(board.all_different):
            some = bits[list(rule.cells)]
            broken[:, place] = np.bitwise_or.reduce(some, axis=0) != np.add.reduce(some, axis=0, dtype=word)
        return broken
    for place, rule in enumerate(board.all_different):
        ordered = np.sort(grid[list(rule.cells)], axis=0)
        broken[:, place] = ((ordered[1:] == ordered[:-1]) & (ordered[1:] > 0)).any(axis=0)
    return broken


def repeated(board: Board, grids: NDArray[Any]) -> NDArray[np.uint64]:
    """Which cells of each AllDifferent have a value that another of its cells has: bits (n, constraints), the first
    cell the lowest. Of grids (n, cells) of boards of at most MAX_BITS values."""
    word = _word(board)
    repeats = np.zeros((len(grids), len(board.all_different)), np.uint64)
    for start in range(0, len(grids), BLOCK):
        bits = _bits(word, np.ascontiguousarray(grids[start : start + BLOCK].T))
        for place, rule in enumerate(board.all_different):
            some = bits[list(rule.cells)]
            once = twice = np.zeros_like(bits[0])
            for bit in some:
                once, twice = once | bit, twice | (once & bit)
            again = (some & twice > 0).astype(word) << np.arange(len(some), dtype=word)[:, None]
            repeats[start : start + BLOCK, place] = np.bitwise_or.reduce(again, axis=0)
    return repeats


def _word(board: Board) -> type[np.uint16 | np.uint64]:
    """A type with a bit for each value, whose sum over a house fits too."""
    return np.uint16 if board.values < 12 else np.uint64


def _bits(word: type[np.uint16 | np.uint64], grid: NDArray[Any]) -> NDArray[Any]:
    """The bit of each value, none for an empty cell."""
    bits: NDArray[Any] = np.left_shift(word(1), grid.astype(word)) & ~word(1)
    return bits
