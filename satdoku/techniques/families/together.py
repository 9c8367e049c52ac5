"""Marks with houses, and marks with each other: what occurs in no way to keep all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from satdoku.techniques.combined import left_by
from satdoku.techniques.grid import CandidateGrid, House
from satdoku.techniques.joint import Joint
from satdoku.techniques.marks import MarkPart, mark_parts
from satdoku.techniques.step import Level, Step, Technique

MAX_HOUSES = 3
MAX_OUTSIDE = 8  # cells of a mark outside a house with which it is looked at


def _joint(parts: tuple[MarkPart, ...], houses: tuple[House, ...], grid: CandidateGrid) -> Joint:
    return Joint(grid.layout, (rule for part in parts for rule in part.rules), (house.cells for house in houses))


def _mark_and_houses(name: str, grid: CandidateGrid) -> Iterator[Step]:
    layout = grid.layout
    for number, part in enumerate(mark_parts(layout.board)):
        near = [house for house in layout.houses if (house.cells & part.bits).bit_count() > 1]
        near.sort(key=lambda house: -(house.cells & part.bits).bit_count())
        houses = tuple(near[:MAX_HOUSES])
        if houses:
            yield from left_by(grid, name, (name, number), partial(_joint, (part,), houses), (part,), houses)


def _house_and_marks(name: str, grid: CandidateGrid) -> Iterator[Step]:
    layout = grid.layout
    parts = mark_parts(layout.board)
    for house in layout.houses:
        inside = grid.layout.known((name, house), lambda house=house: _inside(house, parts))  # type: ignore[misc]
        if len(inside) > 1:
            yield from left_by(grid, name, (name, house.name), partial(_joint, inside, (house,)), inside, (house,))


def _inside(house: House, parts: tuple[MarkPart, ...]) -> tuple[MarkPart, ...]:
    """The marks that share two cells with a house, or lie in it."""
    return tuple(
        part
        for part in parts
        if (part.bits & house.cells).bit_count() > 1 and (part.bits & ~house.cells).bit_count() <= MAX_OUTSIDE
    )


def _two_marks(name: str, grid: CandidateGrid) -> Iterator[Step]:
    parts = mark_parts(grid.layout.board)
    for one, two in grid.layout.known(name, lambda: _pairs(grid, parts)):
        pair = parts[one], parts[two]
        yield from left_by(grid, name, (name, one, two), partial(_joint, pair, ()), pair)


def _pairs(grid: CandidateGrid, parts: tuple[MarkPart, ...]) -> list[tuple[int, int]]:
    """Marks that share a cell, or of which two cells of each see two of the other."""
    peers, size = grid.layout.peers, grid.layout.cells
    seen = [sum(1 << cell for cell in range(size) if peers[cell] & part.bits) for part in parts]
    return [
        (one, two)
        for one, two in combinations(range(len(parts)), 2)
        if parts[one].bits & parts[two].bits
        or ((seen[one] & parts[two].bits).bit_count() > 1 and (seen[two] & parts[one].bits).bit_count() > 1)
    ][:MAX_PAIRS]


MAX_PAIRS = 600  # of marks that are looked at together

TECHNIQUES = (
    Technique(
        "mark and houses",
        Level.SUBSETS,
        _mark_and_houses,
        "A mark, with the houses that have two of its cells or more: its cells and those of the houses lose the values "
        "that occur in no way to keep all.",
        limits="boards with marks",
    ),
    Technique(
        "two marks",
        Level.FISH,
        _two_marks,
        "Two marks that share cells, or whose cells see each other: what occurs in no way to keep both is excluded.",
        limits="boards with marks",
    ),
    Technique(
        "house and its marks",
        Level.WINGS,
        _house_and_marks,
        "A house with all marks that have two cells in it: what occurs in no way to fill it is excluded.",
        limits="boards with marks",
    ),
)
