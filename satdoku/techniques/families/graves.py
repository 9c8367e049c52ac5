"""Bivalue universal graves: without a few candidates each open cell would have two, and each value two places.

Such a grid has no solution or several. Where the puzzle is known to be unique one of the few holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.step import Level, Step, StepSearch, Technique
from satdoku.techniques.words import cells_text, values_text
from satdoku.words import joined


def surplus(grid: CandidateGrid) -> tuple[Strike, ...]:
    """The candidates without which the grid would be a grave; empty where it is none, or has marks of any kind.

    Each is in a cell with more than two, and in houses that have more than two places for its value.
    """
    layout, left = grid.layout, grid.left
    if not layout.regular or any(grid.initial[cell] != layout.board.every_value for cell in members(grid.open)):
        return ()
    crowded = sum(1 << cell for cell in members(grid.open) if left[cell].bit_count() > 2)
    strikes = list[Strike]()
    for value in range(1, layout.values + 1):
        places, few = grid.places[value], 0
        for house in layout.house_cells:
            few |= house if (places & house).bit_count() <= 2 else 0
        more = places & crowded & ~few
        if any((places & ~more & house).bit_count() not in (0, 2) for house in layout.house_cells):
            return ()
        strikes += [(value, more)] if more else []
    few_left = left[:]
    for value, cells in strikes:
        for cell in members(cells):
            few_left[cell] &= ~(1 << value)
    return () if any(few_left[cell].bit_count() != 2 for cell in members(grid.open)) else tuple(strikes)


def _step(
    name: str, grid: CandidateGrid, few: tuple[Strike, ...], strikes: list[Strike], why: str, subset: int = 0
) -> Iterator[Step]:
    effect = grid.present(strikes)
    if effect:
        board = grid.layout.board
        names = joined([f"{board.shown(value)} in {cells_text(board, cells)}" for value, cells in few])
        first = f"without {names} every open cell would have two values, every value"
        because = f"{first} two places, and the solution would not be unique{why}"
        size = sum(cells.bit_count() for _, cells in few)
        yield Step(technique=name, because=because, eliminations=effect, pattern=few, size=size, subset=subset)


def _cells(few: tuple[Strike, ...]) -> int:
    union = 0
    for _, cells in few:
        union |= cells
    return union


def _one_cell(name: str, grid: CandidateGrid) -> Iterator[Step]:
    few = grid.once(surplus, surplus)
    cells = _cells(few)
    if cells and not cells & (cells - 1):
        cell = cells.bit_length() - 1
        own = sum(1 << value for value, _ in few)
        yield from _step(name, grid, few, [(value, cells) for value in members(grid.left[cell] & ~own)], "")


def _one_value(name: str, grid: CandidateGrid) -> Iterator[Step]:
    few = grid.once(surplus, surplus)
    if len(few) == 1 and few[0][1].bit_count() > 1:
        ((value, cells),) = few
        yield from _step(name, grid, few, [(value, grid.layout.common(cells))], "; one of them holds")


def _subset(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """What is too many makes a naked subset with other cells of a house."""
    few = grid.once(surplus, surplus)
    cells, values = _cells(few), sum(1 << value for value, _ in few)
    board, houses = grid.layout.board, [house.cells for house in grid.layout.houses if not cells & ~house.cells]
    if cells.bit_count() < 2 or len(few) < 2:
        return
    for size in range(1, board.values):
        for house in houses:
            near = house & grid.open & ~cells
            for chosen in combinations(members(near), size):
                taken = sum(1 << cell for cell in chosen)
                own = values | grid.candidates(taken)
                if own.bit_count() == size + 1:
                    why = f"; one of them holds, and with {cells_text(board, taken)} takes {values_text(board, own)}"
                    strikes = [(value, near & ~taken) for value in members(own)]
                    yield from _step(name, grid, few, strikes, why, size + 1)


def _locked(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """A value that two cells share, and no other of their house has: one of the few holds in the other cell."""
    few = grid.once(surplus, surplus)
    cells, board = _cells(few), grid.layout.board
    if cells.bit_count() != 2:
        return
    for house in grid.layout.houses if cells.bit_count() == 2 else ():
        for value in range(1, board.values + 1) if not cells & ~house.cells else ():
            if grid.places[value] & house.cells == cells and all(value != other for other, _ in few):
                kept = dict.fromkeys(members(cells), 1 << value)
                for other, places in few:
                    for cell in members(places):
                        kept[cell] |= 1 << other
                strikes = [(lost, 1 << cell) for cell, own in kept.items() for lost in members(grid.left[cell] & ~own)]
                where = cells_text(board, cells)
                why = f"; one of them holds, and {board.shown(value)} in {house.name} is in the other of {where}"
                yield from _step(name, grid, few, strikes, why)


GRAVE = (
    "Without a few candidates all open cells would have two, and all values two places. Where the puzzle is known to"
    " be unique: "
)


def _more(step: Step) -> float:
    return 0.1 * max(0, step.subset - 1)


def _technique(name: str, search: StepSearch, statement: str, se: float, hodoku: int | None = None) -> Technique:
    return Technique(
        name,
        Level.WINGS,
        search,
        GRAVE + statement,
        se=se,
        hodoku=hodoku,
        se_more=_more,
        needs_uniqueness=True,
        limits="no constraint but rows, columns and regions",
    )


TECHNIQUES = (
    _technique("BUG+1", _one_cell, "where all of these are in one cell, it has no other value.", 5.6, 100),
    _technique(
        "bivalue universal grave (type 2)",
        _one_value,
        "where all of these have one value, what sees all of them does not have it.",
        5.7,
    ),
    _technique("bivalue universal grave (type 3)", _subset, "these make a naked subset with more cells.", 5.7),
    _technique(
        "bivalue universal grave (type 4)",
        _locked,
        "where these are in two cells of which a house locks a value in, both have no third value.",
        5.7,
    ),
)
