"""Almost locked sets: cells of a group with one value more than there are cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid

MAX_CELLS = 8  # of a set
MAX_LARGE = 4  # the same on boards of more than nine values

Restricted = list[list[tuple[int, int]]]  # for each set others, and the values that not both have


class AlmostLocked(NamedTuple):
    """Cells of a group, and their values.

    places: for each of these the cells of the set that may have it
    seen:   the other places of the value that see all these
    sees:   the same of all values, as bits `value * cells + cell`
    """

    cells: int
    values: int
    places: dict[int, int]
    seen: dict[int, int]
    sees: int


def almost_locked(grid: CandidateGrid, smallest: int = 1) -> list[AlmostLocked]:
    """Every such set with at least so many cells, each once, those of few cells first."""
    values_of: dict[int, int] = {}
    most = MAX_CELLS if grid.layout.values <= 9 else MAX_LARGE
    for number, group in enumerate(grid.layout.groups):
        check_time()
        cells = [(1 << cell, grid.left[cell]) for cell in members(group.cells & grid.open)]
        known = cast("_CellsAndSets | None", grid.seen.get((almost_locked, number)))
        if known is None or known[0] != cells:
            known = grid.seen[almost_locked, number] = cells, _sets(cells, most)
        for chosen, values in known[1]:
            if chosen.bit_count() >= smallest:
                values_of[chosen] = values
    ordered = sorted(values_of.items(), key=lambda pair: pair[0].bit_count())
    return [_made(grid, cells, values) for cells, values in ordered]


_CellsAndSets = tuple[list[tuple[int, int]], list[tuple[int, int]]]  # the open cells of a group, and its sets


def _sets(cells: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Those of at most so many of some cells, in the order of their first cells; the values too."""
    subsets = list[tuple[int, int, int]]()  # of the last cells, with their values, and how many they are
    for cell, allowed in reversed(cells):
        more = [
            (cell | some, union, size + 1)
            for some, values, size in subsets
            if size < most and (union := allowed | values).bit_count() <= most + 1
        ]
        subsets = [(cell, allowed, 1), *more, *subsets]
    return [(some, values) for some, values, size in subsets if values.bit_count() == size + 1]


def _made(grid: CandidateGrid, cells: int, values: int) -> AlmostLocked:
    common, width, places, seen, sees = grid.layout.common, grid.layout.cells, dict[int, int](), dict[int, int](), 0
    for value in members(values):
        places[value] = at = grid.places[value] & cells
        seen[value] = others = common(at) & grid.places[value]
        sees |= others << value * width
    return AlmostLocked(cells, values, places, seen, sees)


def restrictions(grid: CandidateGrid) -> tuple[list[AlmostLocked], Restricted]:
    """The almost locked sets, and which of them restrict each other."""
    sets = almost_locked(grid)
    near: list[dict[int, int]] = [{} for _ in sets]
    for value in range(1, grid.layout.values + 1):
        check_time()
        bit = 1 << value
        for ones, twos in _restricted(sets, value):
            for one in ones:
                of_one = near[one]
                for two in twos:
                    of_one[two] = of_one.get(two, 0) | bit
                    near[two][one] = of_one[two]
    return sets, [sorted(others.items()) for others in near]


def _restricted(sets: list[AlmostLocked], value: int) -> Iterator[tuple[list[int], list[int]]]:
    """Sets that restrict others in a value: the places of the ones see those of the others."""
    alike: dict[int, list[int]] = {}  # the sets with the same places of the value
    for number, each in enumerate(sets):
        if each.values >> value & 1:
            alike.setdefault(each.places[value], []).append(number)
    by_first: dict[int, list[tuple[int, list[int]]]] = {}
    for places, numbers in alike.items():
        by_first.setdefault((places & -places).bit_length() - 1, []).append((places, numbers))
    for places, numbers in alike.items():
        seen = sets[numbers[0]].seen[value]
        for first in members(seen):
            for others, more in by_first.get(first, ()):
                if places < others and not others & ~seen:
                    yield numbers, more
