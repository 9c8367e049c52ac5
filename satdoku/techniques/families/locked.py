"""Locked candidates: the places of a value in a house all see a cell outside it."""

from collections.abc import Iterator
from functools import partial

from satdoku.techniques.grid import BOX, CandidateGrid
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text


def _locked(box: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    return grid.where_changed(name, partial(_locked_in, box, name, grid))


def _locked_in(box: bool, name: str, grid: CandidateGrid, changed: int) -> Iterator[Step]:
    board, common = grid.layout.board, grid.layout.common
    for house in grid.layout.houses:
        if (house.kind == BOX) is not box or not house.cells & changed:
            continue
        for value in range(1, board.values + 1):
            places = grid.places[value]
            inside = places & house.cells
            if inside and inside & (inside - 1):
                lose = common(inside) & places & ~house.cells
                if lose:
                    digit = board.shown(value)
                    why = f"{house.name} has {digit} only in {cells_text(board, inside)}, which all see these"
                    pattern, houses = ((value, inside),), (house.name,)
                    strikes = ((value, lose),)
                    yield Step(technique=name, because=why, eliminations=strikes, pattern=pattern, houses=houses)


TECHNIQUES = (
    Technique(
        "locked candidates (pointing)",
        Level.LOCKED,
        partial(_locked, True),
        "The places of a value in a region all see another cell, which does not have it.",
        se=2.6,
        hodoku=50,
    ),
    Technique(
        "locked candidates (claiming)",
        Level.LOCKED,
        partial(_locked, False),
        "The places of a value in a row or column all see another cell, which does not have it.",
        se=2.8,
        hodoku=50,
    ),
)
