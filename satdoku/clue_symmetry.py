"""Symmetries of clue patterns: which cells are given or empty together."""

from collections.abc import Callable
from enum import Enum
from functools import cache

from satdoku.errors import Refused

Turn = Callable[[int, int, int, int], tuple[int, int]]  # (row, column, last row, last column) -> where it goes
HALF_TURN: Turn = lambda row, column, last, right: (last - row, right - column)  # noqa: E731  a row of a table
TRANSPOSE: Turn = lambda row, column, last, right: (column, row)  # noqa: E731  a row of a table
REFLECT: Turn = lambda row, column, last, right: (row, right - column)  # noqa: E731  a row of a table


class Symmetry(Enum):
    """Where clues stand together: each set of cells that the moves lead between is given or empty as a whole."""

    NONE = "none"
    ROTATIONAL = "rotational"
    DIAGONAL = "diagonal"
    MIRROR = "mirror"
    FULL = "full"

    @cache
    def orbits(self, rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
        """The sets of cells, each ascending, by their first cell; raises Refused for a symmetry that needs a square."""
        if rows != columns and TRANSPOSE in MOVES[self]:
            raise Refused(f"symmetry {self.value} needs as many rows as columns, and the board is {rows}x{columns}")
        orbit_of: dict[int, tuple[int, ...]] = {}
        for start in range(rows * columns):
            orbit, new = set(), {start}
            while new and start not in orbit_of:
                orbit |= new
                places = [move(*divmod(cell, columns), rows - 1, columns - 1) for cell in new for move in MOVES[self]]
                new = {row * columns + column for row, column in places} - orbit
            orbit_of |= dict.fromkeys(orbit, tuple(sorted(orbit)))
        return tuple(dict.fromkeys(map(orbit_of.__getitem__, range(rows * columns))))


MOVES: dict[Symmetry, tuple[Turn, ...]] = {
    Symmetry.NONE: (),
    Symmetry.ROTATIONAL: (HALF_TURN,),
    Symmetry.DIAGONAL: (TRANSPOSE,),
    Symmetry.MIRROR: (REFLECT,),
    Symmetry.FULL: (TRANSPOSE, REFLECT),
}
