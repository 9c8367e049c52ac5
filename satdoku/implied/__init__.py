"""Sums that follow from a board's houses and cages: innies and outies (the rule of 45), unknown to the referee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from satdoku.constraints import Linear
from satdoku.puzzle import Board, members

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_CELLS = 5
"""Cells of an implied sum. With these a SAT solver takes half the time for killers, CP-SAT an eighth; of nine cells,
twice as long, and a sixth."""

MAX_OUTSIDE = 2  # cells that a cage may have outside a region and still be taken away from it
MAX_LINES = 4  # rows or columns beside each other that make a region, as two boxes do; with more as many nodes are left


@dataclass(frozen=True, slots=True)
class Region:
    cells: int
    houses: int
    name: str


class Sum(NamedTuple):  # made in a third of the time of a dataclass
    """What cells inside a region sum to, less cells outside.

    across: whether it is of cells outside instead, which the sums across the region leave
    """

    inside: tuple[int, ...]
    outside: tuple[int, ...]
    total: int
    region: str
    across: bool = False

    def linear(self) -> Linear:
        inside, outside = self.inside, self.outside
        if self.across:
            text = f"the {_count(inside)} that the sums across {self.region} leave outside it sum to {self.total}"
        elif not inside and not outside:
            text = f"the cages that fill {self.region} leave {self.total}, which no cell is there for"
        elif outside:
            text = (
                f"{self.region}: {_count(inside)} outside its cages minus {_count(outside)} of its cages outside it "
                f"make {self.total}"
            )
        elif len(inside) == 1:
            text = f"the cell of {self.region} outside its cages is {self.total}"
        else:
            text = f"the {_count(inside)} of {self.region} outside its cages sum to {self.total}"
        signs = (1,) * len(inside) + (-1,) * len(outside)
        return Linear(inside + outside, signs, self.total, text)


@lru_cache(maxsize=16)
def strengthened(board: Board) -> Board:
    """The board with its implied sums as further constraints, for engines that have no place of their own for them."""
    found = implied(board)
    return replace(board, constraints=board.constraints + found) if found else board


def implied(board: Board, most: int = MAX_CELLS) -> tuple[Linear, ...]:
    """The implied sums of a board over at most `most` cells, each once, named for people; those over few cells first.

    >>> from satdoku import AllDifferent, Board
    >>> row = AllDifferent((0, 1, 2, 3), "row 1")
    >>> [sum] = implied(Board(4, 4, 4, (row, Linear((0, 1, 2), (1, 1, 1), 7, "cage 7"))))
    >>> sum.name
    'the cell of row 1 outside its cages is 3'
    """
    return tuple(each.linear() for each in sums(board, most))


def sums(board: Board, most: int) -> list[Sum]:
    cages = plain_sums(board)
    if not cages or not board.houses:
        return []
    import numpy as np

    houses = tuple((house.cells, house.name) for house in board.houses)
    regions, within, sizes = _regions(houses, board.columns, board.cells)
    cells = np.zeros((len(cages), board.cells), np.float32)
    lengths = [len(rule.cells) for rule in cages]
    cells[np.repeat(np.arange(len(cages)), lengths), [cell for rule in cages for cell in rule.cells]] = 1
    totals = np.array([rule.total for rule in cages], np.float32)
    chosen = _covers(within, cells)
    left = np.concatenate((within, within)) - chosen @ cells
    numbers = np.count_nonzero(left, axis=1)
    rows = np.nonzero((numbers <= most) & chosen.any(1))[0]
    left = left[rows]
    where = np.nonzero(left)
    places, signs, ends = where[1].tolist(), left[where].tolist(), np.cumsum(numbers[rows]).tolist()
    names = (rows % len(regions)).tolist()
    sum_of_houses = sizes * (board.values * (board.values + 1) // 2)
    remains = (sum_of_houses[names] - (chosen[rows] @ totals)).astype(np.int64).tolist()
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], Sum] = {}
    for region, first, last, total in zip(names, [0, *ends], ends, remains, strict=False):
        inside: tuple[int, ...] = tuple(places[first:last])
        beyond: tuple[int, ...] = ()
        if -1 in signs[first:last]:
            signed = list(zip(inside, signs[first:last], strict=True))
            beyond = tuple([cell for cell, sign in signed if sign < 0])
            inside = tuple([cell for cell, sign in signed if sign > 0])
        if not inside and beyond:
            inside, beyond, total = beyond, (), -total
        if (inside or total) and (inside, beyond) not in found:
            found[inside, beyond] = Sum(inside, beyond, total, regions[region].name)
    for rule in cages:
        found.pop((tuple(sorted(rule.cells)), ()), None)
    return sorted(found.values(), key=lambda each: len(each.inside) + len(each.outside))


def plain_sums(board: Board) -> list[Linear]:
    """The constraints that cells of the grid sum to a total, each taken once."""
    return [
        rule
        for rule in board.constraints
        if isinstance(rule, Linear)
        and 0 < rule.coefficients.count(1) == len(rule.cells)
        and board.shows(rule)
        and rule.total <= board.cells * board.values  # else it is a contradiction by itself
    ]


def _covers(within: NDArray[np.float32], cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each region the cages inside it, of overlapping ones the first; below, also those nearly inside: 1 or 0."""
    import numpy as np

    overlaps = cells @ cells.T > 0
    common, size = within @ cells.T, cells.sum(1)
    inside = common == size
    partly = (common > 0) & (common < size) & (size - common <= MAX_OUTSIDE)
    chosen = np.concatenate((inside, inside | partly))
    if np.count_nonzero(overlaps) == len(cells):
        return chosen.astype(np.float32)
    taken = np.zeros(chosen.shape, np.float32)
    for column in (np.concatenate((inside, inside)), chosen):
        for cage in range(len(overlaps)):
            taken[:, cage] = np.maximum(taken[:, cage], column[:, cage] & (taken @ overlaps[cage] == 0))
    return taken


@lru_cache(maxsize=64)
def _regions(
    houses: tuple[tuple[tuple[int, ...], str], ...], columns: int, cells: int
) -> tuple[tuple[Region, ...], NDArray[np.float32], NDArray[np.int64]]:
    """Single houses, runs of rows and of columns, and boxes beside each other; their cells as rows; how many houses."""
    import numpy as np

    regions = tuple(_all_regions(houses, columns))
    within = np.zeros((len(regions), cells), np.float32)
    for row, region in enumerate(regions):
        within[row, list(members(region.cells))] = 1
    return regions, within, np.array([region.houses for region in regions], np.int64)


def _all_regions(houses: tuple[tuple[tuple[int, ...], str], ...], columns: int) -> list[Region]:
    lines: dict[str, list[Region]] = {"rows": [], "columns": []}
    boxes: list[Region] = []
    for cells, name in houses:
        if len({cell // columns for cell in cells}) == 1:
            kind = lines["rows"]
        else:
            kind = lines["columns"] if len({cell % columns for cell in cells}) == 1 else boxes
        kind.append(Region(sum(1 << cell for cell in cells), 1, name))
    found = [*lines["rows"], *lines["columns"], *boxes]
    for word, singles in lines.items():
        for length in range(2, MAX_LINES + 1):
            for first in range(len(singles) - length + 1):
                found += _together(singles[first : first + length], f"{word} {first + 1} to {first + length}")
    for box, other in combinations(boxes, 2):
        if _beside(box.cells, columns) & other.cells:
            found += _together([box, other], f"{box.name} and {other.name}")
    return found


def _together(regions: list[Region], name: str) -> Iterator[Region]:
    cells = number = 0
    for region in regions:
        cells |= region.cells
        number += region.cells.bit_count()
    if cells.bit_count() == number:
        yield Region(cells, len(regions), name)


def _beside(cells: int, columns: int) -> int:
    return cells << 1 | cells >> 1 | cells << columns | cells >> columns


def _count(cells: tuple[int, ...]) -> str:
    return f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
