"""Symmetries of clue patterns: which cells are given or empty together."""

from collections.abc import Callable
from enum import Enum
from functools import cache

from satdoku.errors import Refused
from satdoku.size import Position, Size

CellMove = Callable[[int, int, int, int], tuple[int, int]]  # (row, column, last row, last column) -> where it goes
HALF_TURN: CellMove = lambda row, column, last, right: (last - row, right - column)  # noqa: E731  a row of a table
TRANSPOSE: CellMove = lambda row, column, last, right: (column, row)  # noqa: E731  a row of a table
REFLECT: CellMove = lambda row, column, last, right: (row, right - column)  # noqa: E731  a row of a table


class Symmetry(Enum):
    """Where clues stand together: each set of cells that the moves lead between is given or empty as a whole."""

    NONE = "none"
    ROTATIONAL = "rotational"
    DIAGONAL = "diagonal"
    MIRROR = "mirror"
    FULL = "full"

    @cache
    def orbits(self, size: Size) -> tuple[tuple[int, ...], ...]:
        """The sets of cells, each ascending, by their first cell; raises Refused for a symmetry that needs a square, or
        that the gaps between several boards do not have."""
        if size.rows != size.columns and TRANSPOSE in MOVES[self]:
            raise Refused(f"symmetry {self.value} needs as many rows as columns, and the board is {size.shape}")
        orbit_of: dict[Position, tuple[int, ...]] = {}
        for start in size.positions:
            orbit, new = set(), {start}
            while new and start not in orbit_of:
                orbit |= new
                new = {self._moved(move, place, size) for place in new for move in MOVES[self]} - orbit
            orbit_of |= dict.fromkeys(orbit, tuple(sorted(map(size.cell, orbit))))
        return tuple(dict.fromkeys(map(orbit_of.__getitem__, size.positions)))

    def _moved(self, move: CellMove, place: Position, size: Size) -> Position:
        row, column = move(place[0] - 1, place[1] - 1, size.rows - 1, size.columns - 1)
        if not size.inside((row + 1, column + 1)):
            raise Refused(f"symmetry {self.value}: the boards do not lie so in the picture")
        return row + 1, column + 1


MOVES: dict[Symmetry, tuple[CellMove, ...]] = {
    Symmetry.NONE: (),
    Symmetry.ROTATIONAL: (HALF_TURN,),
    Symmetry.DIAGONAL: (TRANSPOSE,),
    Symmetry.MIRROR: (REFLECT,),
    Symmetry.FULL: (TRANSPOSE, REFLECT),
}
