"""Rows, columns and values of a grid, and where its cells are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from satdoku.errors import PuzzleError

Position = tuple[int, int]  # (row, column), both from 1; clues outside the grid sit at 0 or N+1
MAX_VALUES = 256  # rows, columns and values that readers accept, so that a slip does not ask for gigabytes


@dataclass(frozen=True, slots=True)
class Size:
    """Rows x columns of a grid, and the digits that its cells show: its values as people read them."""

    rows: int
    columns: int
    digits: range

    @classmethod
    def of(cls, rows: int, columns: int | None = None, values: range | None = None) -> Size:
        """A square unless `columns` are named; as many values, from 1, as the longer side has cells."""
        columns = rows if columns is None else columns
        return cls(rows, columns, range(1, max(rows, columns) + 1) if values is None else values)

    @classmethod
    def parse(cls, size: str | None, values: str | None = None) -> tuple[tuple[int, int] | None, range | None]:
        """Rows and columns of `6x8` or `9`, and the values of `0-8`; raises PuzzleError for anything else."""
        sides = None if size is None else SIDES.fullmatch(size)
        if size is not None and (sides is None or not 1 <= int(sides[1]) <= MAX_VALUES):
            raise PuzzleError(f"size {size!r}: expected RxC, rows x columns of 1 to {MAX_VALUES}, such as 9x9 or 6x8")
        rows_columns = None if sides is None else (int(sides[1]), int(sides[2] or sides[1]))
        if rows_columns is not None and not 1 <= rows_columns[1] <= MAX_VALUES:
            raise PuzzleError(f"size {size!r}: expected 1 to {MAX_VALUES} columns")
        if values is None:
            return rows_columns, None
        ends = ENDS.fullmatch(values)
        if ends is None or not 0 <= int(ends[2]) - int(ends[1]) < MAX_VALUES:
            raise PuzzleError(f"values {values!r}: expected the first and the last, such as 1-9 or 0-8")
        return rows_columns, range(int(ends[1]), int(ends[2]) + 1)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.rows * self.columns

    @property
    def positions(self) -> Iterator[Position]:
        """The positions of the cells, row by row."""
        return product(range(1, self.rows + 1), range(1, self.columns + 1))

    @property
    def listed(self) -> tuple[Position, ...]:
        """The positions of the cells where some of the rectangle are none; else empty."""
        return ()

    @property
    def shape(self) -> str:
        """`6x8`."""
        return f"{self.rows}x{self.columns}"

    @property
    def span(self) -> str:
        """`0..8`, the values."""
        return f"{self.digits[0]}..{self.digits[-1]}"

    @property
    def range_text(self) -> str:
        """`0-8`, the values as `parse` takes them."""
        return f"{self.digits[0]}-{self.digits[-1]}"

    def inside(self, position: Position) -> bool:
        return 1 <= position[0] <= self.rows and 1 <= position[1] <= self.columns

    def cell(self, position: Position) -> int:
        """The number of the cell at a position inside the grid."""
        return (position[0] - 1) * self.columns + position[1] - 1

    def position(self, cell: int) -> Position:
        return cell // self.columns + 1, cell % self.columns + 1

    def inner(self, value: int) -> int:
        """Which of the values 1..N a shown value is."""
        return value - self.digits[0] + 1

    def candidates(self, values: Iterable[int]) -> int:
        """Shown values as a set, like those of `Puzzle.candidates`."""
        first = self.digits[0]
        return sum(2 << value - first for value in set(values))

    @property
    def square(self) -> bool:
        """Whether it is N x N with the values 1..N, as most boards are."""
        return self == Size.of(self.rows)

    def __str__(self) -> str:
        usual = self.digits == range(1, max(self.rows, self.columns) + 1)
        return self.shape if usual else f"{self.shape} with the values {self.span}"


@dataclass(frozen=True)
class SparseSize(Size):
    """A size whose grid has cells at some positions alone, as several boards in one picture leave gaps.

    places: the positions of the cells, row by row; cells are numbered in this order
    """

    places: tuple[Position, ...]

    @property
    def cells(self) -> int:
        return len(self.places)

    @property
    def positions(self) -> Iterator[Position]:
        return iter(self.places)

    @property
    def listed(self) -> tuple[Position, ...]:
        return self.places

    @cached_property
    def _numbers(self) -> dict[Position, int]:
        return {place: cell for cell, place in enumerate(self.places)}

    def inside(self, position: Position) -> bool:
        return position in self._numbers

    def cell(self, position: Position) -> int:
        return self._numbers[position]

    def position(self, cell: int) -> Position:
        return self.places[cell]


SIDES = re.compile(r"(\d{1,3})(?:[xX](\d{1,3}))?")
ENDS = re.compile(r"(\d{1,3})-(\d{1,3})")
