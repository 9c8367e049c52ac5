"""Classic boards with givens, as the sums see them: boxes of R x C and the digits that stand."""

from __future__ import annotations

from dataclasses import dataclass

from satdoku.puzzle import Puzzle, only
from satdoku.variants.boxes import box_of, plain


@dataclass(frozen=True, slots=True)
class Clues:
    """A plain board with boxes of `rows` x `columns` cells and its givens."""

    rows: int
    columns: int
    givens: tuple[tuple[int, int, int], ...]  # (row, column, digit), all from 0

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @property
    def counted_by(self) -> str:
        return "box partitions" if self.rows == self.columns == 3 else "box splits"

    @property
    def unused(self) -> tuple[int, ...]:
        used = {digit for _, _, digit in self.givens}
        return tuple(digit for digit in range(self.size) if digit not in used)

    @property
    def empty_stacks(self) -> tuple[int, ...]:
        filled = {column // self.columns for _, column, _ in self.givens}
        return tuple(stack for stack in range(self.rows) if stack not in filled)

    def transposed(self) -> Clues:
        """The same board with rows and columns exchanged, which has as many solutions."""
        return Clues(self.columns, self.rows, tuple(sorted((column, row, digit) for row, column, digit in self.givens)))

    def in_band(self, band: int) -> tuple[tuple[int, int, int], ...]:
        """(box of the band, row of the box, digit) of the givens of a band."""
        return tuple(
            (column // self.columns, row % self.rows, digit)
            for row, column, digit in self.givens
            if row // self.rows == band
        )


MAX_SIZE = 9


def summable(puzzle: Puzzle) -> bool:
    clues = clues_of(puzzle)
    return clues is not None and clues.size <= MAX_SIZE


def drawable(puzzle: Puzzle) -> bool:
    clues = clues_of(puzzle)
    return clues is not None and (clues.rows, clues.columns) == (3, 3)


def clues_of(puzzle: Puzzle) -> Clues | None:
    """The clues of a puzzle; None unless its board is plain and each cell is a given or open to all values."""
    board = puzzle.board
    box = box_of(board)
    if box is None or not plain(board):
        return None
    if any(not only(allowed) and allowed != board.every_value for allowed in puzzle.candidates):
        return None
    places = ((*divmod(cell, board.columns), value - 1) for cell, value in enumerate(puzzle.givens) if value)
    return Clues(box.rows, box.columns, tuple(places))
