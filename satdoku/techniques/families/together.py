"""Marks with houses, and marks with each other: what occurs in no way to keep all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from operator import or_

from satdoku.techniques.combined import left_by
from satdoku.techniques.grid import BoardLayout, CandidateGrid, House
from satdoku.techniques.joint import Joint, SearchedJoint
from satdoku.techniques.marks import MarkPart, mark_parts
from satdoku.techniques.step import Level, Step, Technique

MAX_HOUSES = 3
MAX_OUTSIDE = 8  # cells of a mark outside a house with which it is looked at
MAX_TRIPLES = 300  # of houses
MAX_PAIRS = 600  # of marks that are looked at together

Together = tuple[tuple[MarkPart, ...], tuple[House, ...]]


def _all(name: str, grid: CandidateGrid, groups: list[Together]) -> Iterator[Step]:
    for number, (parts, houses) in enumerate(groups):
        joint = grid.layout.known((name, number), lambda: _joint(grid.layout, parts, houses))  # noqa: B023 - called here
        yield from left_by(grid, name, (name, number), joint, parts, houses)


def _joint(layout: BoardLayout, parts: tuple[MarkPart, ...], houses: tuple[House, ...]) -> Joint:
    return SearchedJoint(layout, (rule for part in parts for rule in part.rules), (house.cells for house in houses))


def _mark_and_houses(name: str, grid: CandidateGrid) -> Iterator[Step]:
    yield from _all(name, grid, grid.layout.known(name, lambda: _marks_with_houses(grid.layout)))


def _marks_with_houses(layout: BoardLayout) -> list[Together]:
    groups: list[Together] = []
    for part in mark_parts(layout.board):
        near = [house for house in layout.houses if (house.cells & part.bits).bit_count() > 1]
        near.sort(key=lambda house: -(house.cells & part.bits).bit_count())
        if near:
            groups.append(((part,), tuple(near[:MAX_HOUSES])))
    return groups


def _house_and_marks(name: str, grid: CandidateGrid) -> Iterator[Step]:
    yield from _all(name, grid, grid.layout.known(name, lambda: _houses_with_marks(grid.layout)))


def _houses_with_marks(layout: BoardLayout) -> list[Together]:
    groups = [(_inside(house.cells, layout), (house,)) for house in layout.houses]
    return [(inside, houses) for inside, houses in groups if len(inside) > 1]


def _inside(cells: int, layout: BoardLayout) -> tuple[MarkPart, ...]:
    """The marks that have two cells or more in a set of cells, and few outside."""
    return tuple(
        part
        for part in mark_parts(layout.board)
        if (part.bits & cells).bit_count() > 1 and (part.bits & ~cells).bit_count() <= MAX_OUTSIDE
    )


def _two_houses(name: str, grid: CandidateGrid) -> Iterator[Step]:
    yield from _all(name, grid, grid.layout.known(name, lambda: _pairs_of_houses(grid.layout)))


def _pairs_of_houses(layout: BoardLayout) -> list[Together]:
    """Houses that share cells, or that a mark joins, with the marks that have two cells in them."""
    groups: list[Together] = []
    for one, two in combinations(layout.houses, 2):
        inside = _inside(one.cells | two.cells, layout)
        if inside and (
            one.cells & two.cells or any(part.bits & one.cells and part.bits & two.cells for part in inside)
        ):
            groups.append((inside, (one, two)))
    return groups


def _three_houses(name: str, grid: CandidateGrid) -> Iterator[Step]:
    yield from _all(name, grid, grid.layout.known(name, lambda: _triples_of_houses(grid.layout)))


def _triples_of_houses(layout: BoardLayout) -> list[Together]:
    """Houses of which one shares cells with both others, with the marks in them; those of the largest marks first."""
    groups: list[Together] = []
    for houses in combinations(layout.houses, MAX_HOUSES):
        if sum(bool(one.cells & two.cells) for one, two in combinations(houses, 2)) > 1:
            inside = _inside(reduce(or_, (house.cells for house in houses)), layout)
            groups += [(inside, houses)] if inside else []
    groups.sort(key=lambda group: -sum(part.bits.bit_count() for part in group[0]))
    return groups[:MAX_TRIPLES]


def _two_marks(name: str, grid: CandidateGrid) -> Iterator[Step]:
    yield from _all(name, grid, grid.layout.known(name, lambda: _pairs_of_marks(grid.layout)))


def _pairs_of_marks(layout: BoardLayout) -> list[Together]:
    """Marks that share a cell, or of which two cells of each see two of the other."""
    peers, size, parts = layout.peers, layout.cells, mark_parts(layout.board)
    seen = [sum(1 << cell for cell in range(size) if peers[cell] & part.bits) for part in parts]
    pairs = [
        (parts[one], parts[two])
        for one, two in combinations(range(len(parts)), 2)
        if parts[one].bits & parts[two].bits
        or ((seen[one] & parts[two].bits).bit_count() > 1 and (seen[two] & parts[one].bits).bit_count() > 1)
    ]
    return [(pair, ()) for pair in pairs[:MAX_PAIRS]]


TECHNIQUES = (
    Technique(
        "mark and houses",
        Level.SUBSETS,
        _mark_and_houses,
        "A mark, with the houses that have two of its cells or more: its cells and those of the houses lose the values "
        "that occur in no way to keep all.",
        limits="boards with marks",
        of_marks=True,
    ),
    Technique(
        "two marks",
        Level.FISH,
        _two_marks,
        "Two marks that share cells, or whose cells see each other: what occurs in no way to keep both is excluded.",
        limits="boards with marks",
        of_marks=True,
    ),
    Technique(
        "house and its marks",
        Level.WINGS,
        _house_and_marks,
        "A house with all marks that have two cells in it: what occurs in no way to fill it is excluded.",
        limits="boards with marks",
        of_marks=True,
    ),
    Technique(
        "two houses and their marks",
        Level.CHAINS,
        _two_houses,
        "Two houses that share cells, or that a mark joins, with all marks that have two cells in them: what occurs in "
        "no way to fill both is excluded.",
        limits="boards with marks",
        of_marks=True,
    ),
    Technique(
        "three houses and their marks",
        Level.CHAINS,
        _three_houses,
        "Three houses, one of which shares cells with both others, with all marks that have two cells in them: what "
        "occurs in no way to fill them is excluded.",
        limits="boards with marks",
        of_marks=True,
    ),
)
