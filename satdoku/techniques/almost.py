"""Almost locked sets: cells of a group with one value more than there are cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid

MAX_CELLS = 8  # of a set
MAX_LARGE = 4  # the same on boards of more than nine values

Restricted = list[list[tuple[int, int]]]  # for each set others, and the values that not both have


class AlmostLocked(NamedTuple):
    """places: for each of its values the cells of the set that may have it, seen: what sees all of these"""

    cells: int
    values: int
    places: dict[int, int]
    seen: dict[int, int]


def almost_locked(grid: CandidateGrid, smallest: int = 1) -> list[AlmostLocked]:
    """Every such set with at least so many cells, each once, those of few cells first."""
    values_of: dict[int, int] = {}
    most = MAX_CELLS if grid.layout.values <= 9 else MAX_LARGE
    for group in grid.layout.groups:
        check_time()
        cells = [(1 << cell, grid.left[cell]) for cell in members(group.cells & grid.open)]
        for chosen, values in _sets(cells, 0, 0, 0, 0, most):
            if chosen.bit_count() >= smallest:
                values_of[chosen] = values
    ordered = sorted(values_of.items(), key=lambda pair: pair[0].bit_count())
    return [_made(grid, cells, values) for cells, values in ordered]


def _sets(
    cells: list[tuple[int, int]], start: int, chosen: int, values: int, size: int, most: int
) -> Iterator[tuple[int, int]]:
    for index in range(start, len(cells)):
        cell, allowed = cells[index]
        more, union = chosen | cell, values | allowed
        if union.bit_count() == size + 2:
            yield more, union
        if size + 1 < most and union.bit_count() <= most + 1:
            yield from _sets(cells, index + 1, more, union, size + 1, most)


def _made(grid: CandidateGrid, cells: int, values: int) -> AlmostLocked:
    places = {value: grid.places[value] & cells for value in members(values)}
    return AlmostLocked(cells, values, places, {value: grid.layout.common(at) for value, at in places.items()})


def restrictions(grid: CandidateGrid) -> tuple[list[AlmostLocked], Restricted]:
    """The almost locked sets, and which of them restrict each other."""
    sets = almost_locked(grid)
    near: list[dict[int, int]] = [{} for _ in sets]
    for value in range(1, grid.layout.values + 1):
        check_time()
        alike: dict[int, list[int]] = {}  # the sets with the same places of the value
        for number, each in enumerate(sets):
            if each.values >> value & 1:
                alike.setdefault(each.places[value], []).append(number)
        for places, numbers in alike.items():
            seen = sets[numbers[0]].seen[value]
            for others, more in alike.items():
                if not others & ~seen and places < others:
                    for one in numbers:
                        for two in more:
                            near[one][two] = near[one].get(two, 0) | 1 << value
                            near[two][one] = near[two].get(one, 0) | 1 << value
    return sets, [sorted(each.items()) for each in near]
