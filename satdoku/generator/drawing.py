"""Squares on which makers draw random marks: their cells, houses and edges, and shapes drawn at random.

Nothing here comes from the lowering of marks, and nothing knows a constraint.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from satdoku.puzzle import Mark, Position, Size

Values = dict[Position, int]
"""A grid: the value at each (row, column), both from 1."""


@dataclass(frozen=True)
class MarkedSquare:
    """A square of `size` rows and columns, and the marks drawn on it; cells hold `digits`, 1 to `size` unless named."""

    size: int
    marks: tuple[Mark, ...] = ()
    named: range | None = None

    @property
    def values(self) -> range:
        """The numbers of rows and of columns."""
        return range(1, self.size + 1)

    @property
    def digits(self) -> range:
        return self.values if self.named is None else self.named

    @property
    def board_size(self) -> Size:
        return Size.of(self.size, values=self.digits)

    def digit(self, rng: Random) -> int:
        return rng.choice(self.digits)

    @cached_property
    def positions(self) -> list[Position]:
        return [(row, column) for row in self.values for column in self.values]

    @cached_property
    def regions(self) -> list[list[Position]]:
        """Boxes and jigsaw regions, each in reading order."""
        regions = [sorted(mark.cells) for mark in self.marks_of("region")]
        for mark in self.marks_of("boxes"):
            height, width = map(int, str(mark.value).split("x"))
            boxes: dict[Position, list[Position]] = {}
            for row, column in self.positions:
                boxes.setdefault(((row - 1) // height, (column - 1) // width), []).append((row, column))
            regions += boxes.values()
        return regions

    def region(self, position: Position) -> list[Position]:
        return next(region for region in self.regions if position in region)

    def marks_of(self, *kinds: str) -> list[Mark]:
        return [mark for mark in self.marks if mark.kind in kinds]

    @cached_property
    def houses(self) -> list[list[Position]]:
        """Rows, columns, then boxes and regions."""
        lines = [[there for there in self.positions if there[axis] == n] for axis in (0, 1) for n in self.values]
        return lines + self.regions

    @cached_property
    def peers(self) -> dict[Position, set[Position]]:
        """The cells that share a row, column, box or region with each."""
        peers: dict[Position, set[Position]] = {here: set() for here in self.positions}
        for house in self.houses:
            for here in house:
                peers[here].update(there for there in house if there != here)
        return peers

    def neighbours(self, position: Position) -> list[Position]:
        """The cells that share an edge with this one."""
        row, column = position
        beside = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [other for other in beside if other in self.inside]

    @cached_property
    def inside(self) -> frozenset[Position]:
        return frozenset(self.positions)

    def edges(self) -> Iterator[tuple[Position, Position]]:
        """Every two cells that share an edge, once."""
        return ((here, there) for here in self.positions for there in self.neighbours(here) if here < there)

    def seen(self, clue: Position) -> list[Position]:
        """The cells of the row or column beside which a clue stands, nearest first."""
        row, column = clue
        if row in (0, self.size + 1):
            line = [(other, column) for other in self.values]
        else:
            line = [(row, other) for other in self.values]
        return sorted(line, key=lambda cell: abs(cell[0] - row) + abs(cell[1] - column))

    def linked(self, cells: set[Position]) -> bool:
        """Whether cells hang together by edges."""
        todo, reached = [min(cells)] if cells else [], set()
        while todo:
            cell = todo.pop()
            if cell not in reached:
                reached.add(cell)
                todo += [other for other in self.neighbours(cell) if other in cells]
        return reached == cells


def walk(
    rng: Random, drawing: MarkedSquare, shortest: int, longest: int, start: Position | None = None
) -> list[Position]:
    """Cells that touch by edge or corner, one after the other, none twice."""
    length = rng.randint(shortest, longest)
    while True:
        line = [start or rng.choice(drawing.positions)]
        while len(line) < length:
            row, column = line[-1]
            around = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
            free = [other for other in around if other in drawing.inside and other not in line]
            if not free:
                break
            line.append(rng.choice(free))
        if len(line) >= shortest:
            return line


def patch(rng: Random, drawing: MarkedSquare, smallest: int, largest: int) -> tuple[Position, ...]:
    """Cells that hang together by edges."""
    cells = {rng.choice(drawing.positions)}
    for _ in range(rng.randint(smallest, max(smallest, largest)) - 1):
        cells.add(rng.choice(sorted({other for cell in cells for other in drawing.neighbours(cell)} - cells)))
    return tuple(sorted(cells))


def outside(rng: Random, drawing: MarkedSquare) -> Position:
    """A place beside a row or column."""
    along, edge = rng.randint(1, drawing.size), rng.choice((0, drawing.size + 1))
    return rng.choice(((along, edge), (edge, along)))
