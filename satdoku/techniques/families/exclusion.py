"""Common exclusion: what every candidate of a cell, or every place of a value in a house, excludes.

A candidate excludes others in its cell, those of its value in cells that see it, as a knight or a cage may, and what a
mark that it is in leaves no room for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satdoku.puzzle import members
from satdoku.techniques.exclusions import excluded_by, marks_between
from satdoku.techniques.grid import CandidateGrid, Placement, Strike, merged
from satdoku.techniques.step import Level, Link, Step, Technique
from satdoku.techniques.words import cells_text, values_text
from satdoku.words import joined

MAX_PLACES = 5  # of a value in a house


def _by_cell(name: str, grid: CandidateGrid) -> Iterator[Step]:
    board = grid.layout.board
    if not board.others:
        return
    for cell in sorted(members(grid.open), key=lambda cell: grid.left[cell].bit_count()):
        cases = [(cell, value) for value in members(grid.left[cell])]
        lost = _common(grid, cases)
        if lost:
            why = f"{board.label(cell)} is {values_text(board, grid.left[cell], 'or')}, each of which excludes these"
            yield _step(name, grid, why, cases, lost, ())


def _by_house(name: str, grid: CandidateGrid) -> Iterator[Step]:
    board = grid.layout.board
    if not board.others:
        return
    for house in grid.layout.houses:
        for value in range(1, board.values + 1):
            places = grid.places[value] & house.cells
            if not 2 <= places.bit_count() <= MAX_PLACES:
                continue
            cases = [(cell, value) for cell in members(places)]
            lost = _common(grid, cases)
            if lost:
                why = (
                    f"{house.name} has {board.shown(value)} only in {cells_text(board, places)}, each of which "
                    "excludes these"
                )
                yield _step(name, grid, why, cases, lost, (house.name,))


def _common(grid: CandidateGrid, cases: Iterable[Placement]) -> int:
    lost = -1
    for cell, value in cases:
        lost &= excluded_by(grid, cell, value)
        if not lost:
            return 0
    return 0 if lost == -1 else lost


def _step(name: str, grid: CandidateGrid, why: str, cases: list[Placement], lost: int, houses: tuple[str, ...]) -> Step:
    width = grid.layout.cells
    every = (1 << width) - 1
    strikes = tuple(
        (value, lost >> value * width & every)
        for value in range(1, grid.layout.values + 1)
        if lost >> value * width & every
    )
    links = tuple(Link((value, 1 << cell), end, False) for cell, value in cases for end in _ends(strikes))
    marks = marks_between(grid, links)
    return Step(
        technique=name,
        because=f"{why} through {joined(marks)}" if marks else why,
        eliminations=strikes,
        pattern=merged((value, 1 << cell) for cell, value in cases),
        houses=houses + marks,
        links=links,
        size=len(cases),
    )


def _ends(strikes: tuple[Strike, ...]) -> Iterator[Strike]:
    return ((value, 1 << cell) for value, cells in strikes for cell in members(cells))


EXCLUDES = " excludes, in its cell, in cells that see it or through a mark, does not hold."

TECHNIQUES = (
    Technique(
        "common exclusion (cell)",
        Level.SUBSETS,
        _by_cell,
        f"What each candidate of a cell{EXCLUDES}",
        limits="boards with constraints beside AllDifferents",
        of_marks=True,
    ),
    Technique(
        "common exclusion (house)",
        Level.SUBSETS,
        _by_house,
        f"What each place of a value in a house{EXCLUDES}",
        limits="boards with constraints beside AllDifferents",
        of_marks=True,
    ),
)
