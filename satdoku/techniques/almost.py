"""Almost locked sets: cells of a group with one value more than there are cells."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

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
    common, width, places, seen, sees = grid.layout.common, grid.layout.cells, dict[int, int](), dict[int, int](), 0
    for value in members(values):
        places[value] = at = grid.places[value] & cells
        seen[value] = others = common(at) & grid.places[value]
        sees |= others << value * width
    return AlmostLocked(cells, values, places, seen, sees)


def restrictions(grid: CandidateGrid) -> tuple[list[AlmostLocked], Restricted]:
    """The almost locked sets, and which of them restrict each other."""
    sets, pairs = almost_locked(grid), dict[int, int]()
    many, near = len(sets), Restricted([] for _ in sets)
    for value in range(1, grid.layout.values + 1):
        check_time()
        for one, two in _restricted(sets, value):
            pair = one * many + two if one < two else two * many + one
            pairs[pair] = pairs.get(pair, 0) | 1 << value
    for pair, values in sorted(pairs.items()):
        one, two = divmod(pair, many)
        near[one].append((two, values))
        near[two].append((one, values))
    return sets, near


def _restricted(sets: list[AlmostLocked], value: int) -> Iterator[tuple[int, int]]:
    """The sets that restrict each other in a value: the places of the one see those of the other."""
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
                    yield from product(numbers, more)
