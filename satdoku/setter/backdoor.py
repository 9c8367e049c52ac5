"""The fewest cells whose values make all others follow by singles.

Such a set is a strong backdoor to singles (Williams, Gomes and Selman, Backdoors to Typical Case Complexity, IJCAI
2003), of which the size says how far a puzzle is from an easy one. It is found as a smallest hitting set: what follows
from cells that are not a backdoor leaves some open, and each backdoor has one of these (Moreno-Centeno and Karp, The
Implicit Hitting Set Approach, Operations Research 61, 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from satdoku.constraints import Grid
from satdoku.limits import TimeIsUp, bounded_time, check_time
from satdoku.puzzle import Puzzle, members
from satdoku.techniques.grid import CandidateGrid, cell_set


@dataclass(frozen=True, slots=True)
class Backdoor:
    """A smallest set of cells.

    cells: of one of this size; None if the timeout came first
    least: no set of fewer cells is one
    """

    cells: tuple[int, ...] | None
    least: int

    def __str__(self) -> str:
        """`2`, or `at least 3`."""
        return str(self.least) if self.cells is not None else f"at least {self.least}"


def backdoor(puzzle: Puzzle, solution: Grid, timeout: float | None = None) -> Backdoor:
    """The fewest cells whose values in the solution let naked and hidden singles fill the rest.

    Singles are those of houses and other AllDifferents: marks do not help them.

    timeout: seconds, after which no set is found but `least` holds
    """
    least, missed = 0, list[int]()
    try:
        with bounded_time(timeout):
            start = CandidateGrid(puzzle, unique=True)
            _fall(start)
            while True:
                chosen = _hitting(missed, least)
                while chosen is None:
                    least += 1
                    chosen = _hitting(missed, least)
                grid = _with(start, chosen, solution)
                if not grid.open:
                    return Backdoor(tuple(members(chosen)), least)
                missed.append(_most_without(grid, solution))
    except TimeIsUp:
        return Backdoor(None, least)


def _with(grid: CandidateGrid, cells: int, solution: Grid) -> CandidateGrid:
    """The grid with the values of some of its open cells, and what follows."""
    grid = grid.copy()
    for cell in members(cells):
        grid.place(cell, solution[cell])
    _fall(grid)
    return grid


def _fall(grid: CandidateGrid) -> None:
    """Place singles for as long as there are any."""
    houses, values, before = grid.layout.house_cells, range(1, grid.layout.values + 1), -1
    while grid.open != before:
        check_time()
        before = grid.open
        for cell in members(before):
            allowed = grid.left[cell]
            if grid.open >> cell & 1 and not allowed & (allowed - 1):
                grid.place(cell, allowed.bit_length() - 1)
        for value in values:
            for house in houses:
                place = grid.places[value] & house
                if place and not place & (place - 1):
                    grid.place(place.bit_length() - 1, value)


def _most_without(grid: CandidateGrid, solution: Grid) -> int:
    """The cells that stay open when as many others are filled as leave the grid unfinished."""
    tried = 0
    while left := grid.open & ~tried:
        cell = left & -left
        tried |= cell
        more = _with(grid, cell, solution)
        if more.open:
            grid = more
    return grid.open


def _hitting(sets: Sequence[int], most: int) -> int | None:
    """Up to so many cells, with one of each set; None if there are none."""
    if not sets:
        return 0
    if not most:
        return None
    check_time()
    for cell in members(min(sets, key=int.bit_count)):
        more = _hitting([one for one in sets if not one >> cell & 1], most - 1)
        if more is not None:
            return more | cell_set([cell])
    return None
