"""Sums that follow from a board's houses and cages: innies and outies (the rule of 45), unknown to the referee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from satdoku.constraints import Linear
from satdoku.limits import check_time
from satdoku.puzzle import Board, members

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_CELLS = 5
"""Cells of an implied sum. With these a SAT solver takes half the time for killers, CP-SAT an eighth; of nine cells,
twice as long, and a sixth."""

MAX_OUTSIDE = 2  # cells that a cage may have outside a region and still be taken away from it
MAX_LINES = 4  # rows or columns beside each other that make a region, as two boxes do; with more as many nodes are left


Cells = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """Houses that do not overlap. cells: their cells as bits; houses: how many they are"""

    cells: int
    houses: int
    name: str


class ImpliedSum(NamedTuple):  # made in a third of the time of a dataclass
    """What cells inside a region sum to, less cells outside.

    across: whether it is of cells outside instead, which the sums across the region leave
    """

    inside: Cells
    outside: Cells
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
    added = implied(board)
    return replace(board, constraints=board.constraints + added) if added else board


def implied(board: Board, most: int = MAX_CELLS) -> tuple[Linear, ...]:
    """The implied sums of a board over at most `most` cells, each once, named for people; those over few cells first.

    >>> from satdoku import AllDifferent, Board
    >>> row = AllDifferent((0, 1, 2, 3), "row 1")
    >>> [sum] = implied(Board(4, 4, 4, (row, Linear((0, 1, 2), (1, 1, 1), 7, "cage 7"))))
    >>> sum.name
    'the cell of row 1 outside its cages is 3'
    """
    return tuple(each.linear() for each in sums(board, most))


def sums(board: Board, most: int) -> list[ImpliedSum]:
    """The implied sums over at most `most` cells, each once, those over few cells first; a cage's own is left out."""
    cages = plain_sums(board)
    if not cages or not board.houses:
        return []
    implied_sums: dict[tuple[Cells, Cells], ImpliedSum] = {}
    for inside, outside, total, region in _leftovers(board, cages, most):
        if (inside or total) and (inside, outside) not in implied_sums:
            implied_sums[inside, outside] = ImpliedSum(inside, outside, total, region)
    for cage in cages:
        check_time()
        implied_sums.pop((tuple(sorted(cage.cells)), ()), None)
    return sorted(implied_sums.values(), key=lambda each: len(each.inside) + len(each.outside))


def _leftovers(board: Board, cages: list[Linear], most: int) -> Iterator[tuple[Cells, Cells, int, str]]:
    """What is left of each region without its cages, where that is at most `most` cells: fields of an ImpliedSum."""
    import numpy as np

    houses = tuple((house.cells, house.name) for house in board.houses)
    regions, region_cells = _regions(houses, board.columns, board.cells)
    cells, totals = _matrix([cage.cells for cage in cages], board.cells), [cage.total for cage in cages]
    chosen = _covers(region_cells, cells)
    left = np.concatenate((region_cells, region_cells)) - chosen @ cells  # 1 inside the region, -1 outside
    rows = np.nonzero((np.count_nonzero(left, axis=1) <= most) & chosen.any(1))[0]
    house_sum = board.values * (board.values + 1) // 2
    covered = (chosen[rows] @ np.array(totals, np.float32)).astype(np.int64).tolist()
    for row, total, (inside, outside) in zip(rows.tolist(), covered, _signed(left[rows]), strict=True):
        region = regions[row % len(regions)]
        rest = region.houses * house_sum - total
        if outside and not inside:
            yield outside, inside, -rest, region.name
        else:
            yield inside, outside, rest, region.name


def _matrix(rows: list[Cells], cells: int) -> NDArray[np.float32]:
    """(rows, cells) with 1 for the cells of each row."""
    import numpy as np

    matrix = np.zeros((len(rows), cells), np.float32)
    matrix[np.repeat(np.arange(len(rows)), list(map(len, rows))), list(chain.from_iterable(rows))] = 1
    return matrix


def _signed(rows: NDArray[np.float32]) -> Iterator[tuple[Cells, Cells]]:
    """The cells that have 1 in each row, and those that have -1."""
    import numpy as np

    where = np.nonzero(rows)
    cells, signs = where[1].tolist(), rows[where].tolist()
    ends = np.cumsum(np.count_nonzero(rows, axis=1)).tolist()
    for first, last in pairwise((0, *ends)):
        some, signs_of = cells[first:last], signs[first:last]
        if -1 in signs_of:
            signed = list(zip(some, signs_of, strict=True))
            yield tuple([cell for cell, sign in signed if sign > 0]), tuple([cell for cell, sign in signed if sign < 0])
        else:
            yield tuple(some), ()


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


def _covers(regions: NDArray[np.float32], cages: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each region the cages inside it, of overlapping ones the first; below, also those nearly inside: 1 or 0."""
    import numpy as np

    common, size = regions @ cages.T, cages.sum(1)
    inside = common == size
    nearly = (common > 0) & (common < size) & (size - common <= MAX_OUTSIDE)
    first, either = np.concatenate((inside, inside)), np.concatenate((inside, inside | nearly))
    overlaps = cages @ cages.T > 0
    if np.count_nonzero(overlaps) == len(cages):  # each cage overlaps itself alone
        return either.astype(np.float32)
    taken = np.zeros(either.shape, np.float32)
    for wanted in (first, either):
        for cage in range(len(overlaps)):
            check_time()
            taken[:, cage] = np.maximum(taken[:, cage], wanted[:, cage] & (taken @ overlaps[cage] == 0))
    return taken


@lru_cache(maxsize=64)
def _regions(
    houses: tuple[tuple[Cells, str], ...], columns: int, cells: int
) -> tuple[list[Region], NDArray[np.float32]]:
    """Single houses, runs of rows and of columns, and boxes beside each other; a row for each, with 1 for its cells."""
    lines: dict[str, list[Region]] = {"rows": [], "columns": []}
    boxes: list[Region] = []
    for own, name in houses:
        if len({cell // columns for cell in own}) == 1:
            kind = lines["rows"]
        else:
            kind = lines["columns"] if len({cell % columns for cell in own}) == 1 else boxes
        kind.append(Region(sum(1 << cell for cell in own), 1, name))
    regions = [*lines["rows"], *lines["columns"], *boxes]
    for word, singles in lines.items():
        for length in range(2, MAX_LINES + 1):
            for first in range(len(singles) - length + 1):
                regions += _together(singles[first : first + length], f"{word} {first + 1} to {first + length}")
    for box, other in combinations(boxes, 2):
        if _beside(box.cells, columns) & other.cells:
            regions += _together([box, other], f"{box.name} and {other.name}")
    return regions, _matrix([tuple(members(region.cells)) for region in regions], cells)


def _together(regions: list[Region], name: str) -> Iterator[Region]:
    cells = number = 0
    for region in regions:
        cells |= region.cells
        number += region.cells.bit_count()
    if cells.bit_count() == number:
        yield Region(cells, len(regions), name)


def _beside(cells: int, columns: int) -> int:
    return cells << 1 | cells >> 1 | cells << columns | cells >> columns


def _count(cells: Cells) -> str:
    return f"{len(cells)} cell{'s' if len(cells) > 1 else ''}"
