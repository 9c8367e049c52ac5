"""Singles: a cell with one value left, or a value with one place left."""

from collections.abc import Iterator
from functools import partial

from satdoku.puzzle import members
from satdoku.techniques.grid import BOX, CandidateGrid
from satdoku.techniques.step import Level, Step, Technique


def _full_house(name: str, grid: CandidateGrid) -> Iterator[Step]:
    unsolved, board = grid.open, grid.layout.board
    for house in grid.layout.houses:
        last = house.cells & unsolved
        if last and not last & (last - 1):
            cell = last.bit_length() - 1
            for value in members(grid.left[cell]):
                why = f"every other cell of {house.name} is filled, and only {board.shown(value)} is missing"
                yield Step(technique=name, because=why, placements=((cell, value),), houses=(house.name,))


def _naked_single(name: str, grid: CandidateGrid) -> Iterator[Step]:
    board, some, several = grid.layout.board, 0, 0
    for places in grid.places:
        several |= some & places
        some |= places
    for cell in members(some & ~several):
        value = grid.left[cell].bit_length() - 1
        why = f"{board.shown(value)} is the only value left in {board.label(cell)}"
        placed, houses = ((cell, value),), tuple(house.name for house in grid.layout.of[cell] if house.full)
        yield Step(technique=name, because=why, placements=placed, pattern=((value, 1 << cell),), houses=houses)


def _hidden_single(box: bool | None, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """box: whether in regions, or in lines; None for both"""
    board, places = grid.layout.board, grid.places
    for house in grid.layout.houses:
        if box is not None and (house.kind == BOX) is not box:
            continue
        cells = house.cells
        for value in range(1, board.values + 1):
            place = places[value] & cells
            if place and not place & (place - 1):
                cell = place.bit_length() - 1
                why = f"{board.label(cell)} is the only place left for {board.shown(value)} in {house.name}"
                placed = ((cell, value),)
                yield Step(
                    technique=name, because=why, placements=placed, pattern=((value, place),), houses=(house.name,)
                )


TECHNIQUES = (
    Technique(
        "full house",
        Level.SINGLES,
        _full_house,
        "The last open cell of a row, column or region has the value that is missing there.",
        se=1.0,
        hodoku=4,
    ),
    Technique(
        "naked single", Level.SINGLES, _naked_single, "A cell with one value left has that value.", se=2.3, hodoku=4
    ),
    Technique(
        "hidden single",
        Level.SINGLES,
        partial(_hidden_single, None),
        "A value with one place left in a row, column or region is there.",
        hodoku=14,
    ),
    Technique(
        "hidden single (region)",
        Level.SINGLES,
        partial(_hidden_single, True),
        "A value with one place left in a region is there.",
        se=1.2,
    ),
    Technique(
        "hidden single (line)",
        Level.SINGLES,
        partial(_hidden_single, False),
        "A value with one place left in a row or column is there.",
        se=1.5,
    ),
)
