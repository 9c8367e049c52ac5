"""Boards, marks and puzzles of the second reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

Cells = tuple[int, ...]
BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 15: (3, 5), 16: (4, 4)}
"""The usual box of each size: its rows and columns."""
BESIDE = ((0, 1), (1, 0))
KNIGHT = ((1, 2), (2, 1), (1, -2), (2, -1))
KING = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class Mark:
    """kind:  a key of f-puzzles, or one of the kinds in `definitions.py` that it does not have
    cells: the cells marked; of a clue outside the grid those that it sees, the nearest first; of an arrow its bulb
    lines: of marks that are lines; the shafts of an arrow without the bulb; the copy of a clone
    value: a number, a letter, or several numbers
    """

    kind: str
    cells: Cells = ()
    lines: tuple[Cells, ...] = ()
    value: int | str | tuple[int, ...] | None = None

    @property
    def number(self) -> int:
        assert isinstance(self.value, int), self
        return self.value


@dataclass(frozen=True)
class Puzzle:
    """regions: cells of each box or jigsaw region, in reading order
    allowed: the values that each cell may have
    """

    rows: int
    columns: int
    values: int
    regions: tuple[Cells, ...]
    marks: tuple[Mark, ...] = ()
    allowed: tuple[frozenset[int], ...] = ()

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @property
    def digits(self) -> range:
        return range(1, self.values + 1)

    @cached_property
    def houses(self) -> list[Cells]:
        """Rows, columns, regions."""
        rows = [tuple(range(row * self.columns, (row + 1) * self.columns)) for row in range(self.rows)]
        columns = [tuple(range(column, self.size, self.columns)) for column in range(self.columns)]
        return [*rows, *columns, *self.regions]

    @cached_property
    def region_of(self) -> dict[int, int]:
        return {cell: number for number, cells in enumerate(self.regions) for cell in cells}

    def at(self, row: int, column: int) -> int | None:
        """The cell in a row and a column, both from 0; None outside the grid."""
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def apart(self, steps: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
        """Each two cells that are one of the steps apart."""
        for cell in range(self.size):
            row, column = divmod(cell, self.columns)
            for down, right in steps:
                other = self.at(row + down, column + right)
                if other is not None:
                    yield cell, other

    def around(self, cell: int) -> list[int]:
        """The cells that share an edge with it."""
        return [sum(two) - cell for two in self.apart(BESIDE) if cell in two]

    def ray(self, row: int, column: int, down: int, right: int) -> Cells:
        """The cells from the one in a row and a column on, in one direction up to the edge."""
        found = []
        while (cell := self.at(row, column)) is not None:
            found.append(cell)
            row, column = row + down, column + right
        return tuple(found)

    def joined(self, *kinds: str) -> set[frozenset[int]]:
        """The pairs of cells between which a mark of one of the kinds stands."""
        return {frozenset(mark.cells) for mark in self.marks if mark.kind in kinds}

    def places(self) -> list[Cells]:
        """The cells at the first place of their regions, at the second, and so on."""
        return list(zip(*self.regions, strict=True))

    def windows(self) -> list[Cells]:
        """The windows of a windoku: as large as a box, a cell from the edge and from each other."""
        height, width = BOXES[self.values]
        downs, rights = range(1, self.rows - height, height + 1), range(1, self.columns - width, width + 1)
        return [
            tuple((down + row) * self.columns + right + column for row in range(height) for column in range(width))
            for down in downs
            for right in rights
        ]


def boxes(rows: int, columns: int, height: int, width: int) -> tuple[Cells, ...]:
    """The boxes of a grid, each in reading order."""
    return tuple(
        tuple((top + row) * columns + left + column for row in range(height) for column in range(width))
        for top in range(0, rows, height)
        for left in range(0, columns, width)
    )
