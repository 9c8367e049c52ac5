"""The board of a string of the Interactive Sudoku Solver: its size, its regions, the names of its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Options
from satdoku.formats.iss_writer import DIGITS
from satdoku.formats.marks import Cells, whole
from satdoku.formats.regions import divided
from satdoku.puzzle import Mark, Position, Size
from satdoku.variants.boxes import Box

CELL = re.compile(r"[Rr]([1-9a-g])[Cc]([1-9a-g])")
SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:(\d{1,2})-)?(\d{1,3}))?~?")


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of the board, and how many cells a region has."""

    size: Size
    region: int

    @classmethod
    def of(cls, items: Sequence[Sequence[str]], options: Options) -> Shape:
        """What the constraints say of it; 9x9 if they say nothing."""
        stated = ["~".join(rest) for name, *rest in items if name == "Shape"] or ["9x9"]
        found = SHAPE.fullmatch(stated[0])
        if found is None or len(set(stated)) > 1:
            raise FormatError(f"the shape {stated[0][:30]!r}, expected one such as 6x6 or 9x9~0-8")
        rows, columns = int(found[1]), int(found[2])
        first = int(found[3] or 1)
        last = int(found[4] or max(rows, columns))
        if not 1 <= min(rows, columns) <= max(rows, columns) <= len(DIGITS) - 1 or not first <= last < first + 100:
            raise FormatError(f"the shape {stated[0][:30]!r}, expected up to 16x16")
        if options.size not in (None, (rows, columns)):
            raise FormatError(f"the shape is {rows}x{columns}, but the reader was asked for another")
        size = Size.of(rows, columns, options.values or range(first, last + 1))
        sizes = [whole(rest[0] if rest else None, "RegionSize") for name, *rest in items if name == "RegionSize"]
        return cls(size, sizes[-1] if sizes else len(size.values))

    def cell(self, name: str) -> Position:
        found = CELL.fullmatch(name)
        row, column = (DIGITS.index(part) for part in found.groups()) if found else (0, 0)
        if not (1 <= row <= self.size.rows and 1 <= column <= self.size.columns):
            raise FormatError(f"{name[:20]!r} is not a cell of the {self.size.shape} grid")
        return row, column

    def region_cell(self, name: str) -> Position:
        """A cell of the grid, or `CC12`, the region of the twelfth."""
        number = int(name[2:]) - 1 if re.fullmatch(r"CC[1-9]\d{0,2}", name) else -1
        if not 0 <= number < self.size.rows * self.size.columns:
            return self.cell(name)
        return number // self.size.columns + 1, number % self.size.columns + 1

    def cells(self, names: Sequence[str], where: str) -> Cells:
        if not 0 < len(names) <= 2 * self.size.rows * self.size.columns:
            raise FormatError(f"{where} names {len(names)} cells, expected some of the {self.size.shape} grid")
        return tuple(self.cell(name) for name in names)

    def division(self, items: Sequence[Sequence[str]], options: Options) -> Iterator[Mark]:
        """The usual boxes unless there are to be none, and the regions of a jigsaw besides."""
        names = {item[0] for item in items}
        boxed = "NoBoxes" not in names and not options.boxless
        box = options.box or self._box() if boxed else None
        layouts = [item[-1] for item in items if item[0] == "Jigsaw"]
        if box is not None:
            yield Mark("boxes", value=str(box))
        for layout in layouts:
            if len(layout) != self.size.rows * self.size.columns:
                raise FormatError(f"a jigsaw of {len(layout)} cells, expected {self.size.rows * self.size.columns}")
            counts = {label: layout.count(label) for label in layout}
            full = range(max(self.size.rows, self.size.columns), len(self.size.values) + 1)
            if len(counts) == 1:
                continue
            if sum(count not in full for count in counts.values()) > 1:
                raise FormatError("a jigsaw with regions of several sizes")
            labels = [label if counts[label] in full else None for label in layout]
            if box is None and len(layouts) == 1:
                yield from divided(self.size, labels)
                continue
            for label in dict.fromkeys(label for label in labels if label):
                cells = (divmod(cell, self.size.columns) for cell, other in enumerate(labels) if other == label)
                yield Mark("extra-region", tuple((row + 1, column + 1) for row, column in cells))

    def _box(self) -> Box | None:
        """The squarest box of so many cells that tiles the board; lying if it can."""
        for short in range(isqrt(self.region), 1, -1):
            long, rest = divmod(self.region, short)
            for rows, columns in ((short, long), (long, short)):
                if not rest and self.size.rows % rows == self.size.columns % columns == 0:
                    return Box(rows, columns)
        return None
