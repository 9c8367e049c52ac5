"""Constraints that follow from a board's own, found once a board: sums of cells that houses and cages leave over.

A region, one house or a few beside each other, has a known sum. Take away the cages inside, or nearly inside: what is
left is a sum over few cells, which people call innies and outies (the rule of 45). Every engine may take these besides
the board's constraints; no solution breaks them, and the referee does not know them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from satdoku.constraints import Linear
from satdoku.puzzle import Board, members

MAX_CELLS = 5
"""Cells of an implied sum."""

MAX_OUTSIDE = 2
"""Cells that a cage may have outside a region and still be taken away from it."""

MAX_LINES = 4
"""Rows or columns beside each other that make a region. More are what is left of the others."""

MAX_BOXES = 3
"""The same for boxes and other regions."""


@dataclass(frozen=True, slots=True)
class Region:
    """Houses without a common cell. cells: as bits."""

    cells: int
    houses: int
    name: str


@dataclass(frozen=True, slots=True)
class Cage:
    """Cells, as bits, with a known sum."""

    cells: int
    total: int


def implied(board: Board) -> tuple[Linear, ...]:
    """The implied sums of a board, each once, named for people; those over few cells first.

    >>> from satdoku import Board, implied
    """
    cages = [
        Cage(_bits(rule.cells), rule.total)
        for rule in board.constraints
        if isinstance(rule, Linear) and rule.cells and set(rule.coefficients) == {1}
    ]
    if not cages or not board.houses:
        return ()
    sum_of_house = board.values * (board.values + 1) // 2
    found: dict[tuple[int, int], tuple[int, str]] = {(cage.cells, 0): (cage.total, "") for cage in cages}
    given = len(found)
    for region in regions(board):
        for taken in _choices(region, cages):
            covered = _union(cage.cells for cage in taken)
            inside, outside = region.cells & ~covered, covered & ~region.cells
            if inside.bit_count() + outside.bit_count() <= MAX_CELLS:
                total = region.houses * sum_of_house - sum(cage.total for cage in taken)
                if not inside:
                    inside, outside, total = outside, inside, -total
                found.setdefault((inside, outside), (total, region.name))
    sums = list(found.items())[given:]
    sums.sort(key=lambda item: item[0][0].bit_count() + item[0][1].bit_count())
    return tuple(_linear(inside, outside, total, name) for (inside, outside), (total, name) in sums)


def regions(board: Board) -> Iterator[Region]:
    """Single houses, runs of rows and of columns, and boxes beside each other."""
    lines: dict[str, list[Region]] = {"rows": [], "columns": []}
    boxes: list[Region] = []
    for house in board.houses:
        region = Region(_bits(house.cells), 1, house.name)
        yield region
        rows, columns = ({cell // board.columns for cell in house.cells}, {cell % board.columns for cell in house.cells})
        (lines["rows"] if len(rows) == 1 else lines["columns"] if len(columns) == 1 else boxes).append(region)
    for kind, singles in lines.items():
        for length in range(2, MAX_LINES + 1):
            for first in range(len(singles) - length + 1):
                run = singles[first : first + length]
                cells = _union(region.cells for region in run)
                if cells.bit_count() == length * board.values:
                    yield Region(cells, length, f"{kind} {first + 1} to {first + length}")
    beside = [_beside(region.cells, board.columns) for region in boxes]
    for length in range(2, MAX_BOXES + 1):
        for chosen in combinations(range(len(boxes)), length):
            cells = _union(boxes[k].cells for k in chosen)
            if cells.bit_count() == length * board.values and _connected(chosen, boxes, beside):
                yield Region(cells, length, " and ".join(boxes[k].name for k in chosen))


def _connected(chosen: tuple[int, ...], boxes: list[Region], beside: list[int]) -> bool:
    """Whether each of some boxes touches another of them."""
    return all(any(boxes[k].cells & beside[other] for other in chosen if other != k) for k in chosen)


def _beside(cells: int, columns: int) -> int:
    """The cells that share a side with some of `cells`; on the edge a few more."""
    return cells << 1 | cells >> 1 | cells << columns | cells >> columns


def _choices(region: Region, cages: list[Cage]) -> Iterator[list[Cage]]:
    """The cages inside a region, then also those nearly inside; cages that overlap one taken before are left out."""
    near = [cage for cage in cages if cage.cells & region.cells]
    inside = _disjoint(cage for cage in near if not cage.cells & ~region.cells)
    if inside:
        yield inside
    partly = [cage for cage in near if 0 < (cage.cells & ~region.cells).bit_count() <= MAX_OUTSIDE]
    if partly:
        yield _disjoint([*inside, *partly])


def _disjoint(cages: Iterable[Cage]) -> list[Cage]:
    taken, covered = [], 0
    for cage in cages:
        if not cage.cells & covered:
            taken.append(cage)
            covered |= cage.cells
    return taken


def _linear(inside: int, outside: int, total: int, name: str) -> Linear:
    cells, others = tuple(members(inside)), tuple(members(outside))
    if others:
        text = f"{name}: {len(cells)} cells outside its cages minus {len(others)} cells of its cages outside it are {total}"
    else:
        text = f"the {len(cells)} cells of {name} outside its cages sum to {total}"
    return Linear(cells + others, (1,) * len(cells) + (-1,) * len(others), total, text)


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def _union(sets: Iterable[int]) -> int:
    union = 0
    for cells in sets:
        union |= cells
    return union
