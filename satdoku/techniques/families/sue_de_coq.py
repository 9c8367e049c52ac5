"""Sue de Coq: cells where a line and a region cross, with cells of either, take as many values as they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from satdoku.puzzle import members
from satdoku.techniques.grid import BOX, CandidateGrid, House
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text


class LinePart(NamedTuple):
    """Cells of one house, their values, and how many more cells they are than values that the crossing lacks."""

    cells: int
    values: int
    gain: int


Subsets = list[tuple[int, int, int]]  # sets of cells, with their values, and how many cells they are


def _subsets(grid: CandidateGrid, cells: int) -> Subsets:
    subsets = [(0, 0, 0)]
    for cell in members(cells & grid.open):
        allowed = grid.left[cell]
        subsets += [(some | 1 << cell, values | allowed, size + 1) for some, values, size in subsets]
    return subsets


def _parts(subsets: Subsets, crossing: int) -> list[LinePart]:
    """The sets of cells that take something from the values of the crossing."""
    return [
        LinePart(cells, values, gain)
        for cells, values, size in subsets
        if values & crossing and (gain := size - (values & ~crossing).bit_count()) > 0
    ]


def _sue_de_coq(name: str, grid: CandidateGrid) -> Iterator[Step]:
    return grid.where_changed(name, partial(_in_crossings, name, grid))


def _in_crossings(name: str, grid: CandidateGrid, changed: int) -> Iterator[Step]:
    for box in grid.layout.groups:
        for line in grid.layout.groups:
            shared = box.cells & line.cells & grid.open
            if box.kind != BOX or line.kind == BOX or shared.bit_count() < 2 or not (box.cells | line.cells) & changed:
                continue
            in_line, in_box = _subsets(grid, line.cells & ~box.cells), _subsets(grid, box.cells & ~line.cells)
            for size in range(2, shared.bit_count() + 1):
                for chosen in combinations(members(shared), size):
                    cells = sum(1 << cell for cell in chosen)
                    values = grid.candidates(cells)
                    if values.bit_count() >= size + 2:
                        parts = _parts(in_line, values), _parts(in_box, values)
                        yield from _found(name, grid, line, box, cells, values, *parts)


def _found(
    name: str,
    grid: CandidateGrid,
    line: House,
    box: House,
    cells: int,
    values: int,
    in_line: list[LinePart],
    in_box: list[LinePart],
) -> Iterator[Step]:
    wanted = values.bit_count() - cells.bit_count()
    by_gain: dict[int, list[LinePart]] = {}
    for part in in_box:
        by_gain.setdefault(part.gain, []).append(part)
    for one in in_line:
        for two in by_gain.get(wanted - one.gain, ()):
            if one.values & two.values:
                continue
            others_line, others_box = line.cells & ~cells & ~one.cells, box.cells & ~cells & ~two.cells
            strikes = [(value, others_line) for value in members((values | one.values) & ~two.values)]
            strikes += [(value, others_box) for value in members((values | two.values) & ~one.values)]
            effect = grid.present(strikes)
            if effect:
                board, every = grid.layout.board, cells | one.cells | two.cells
                taken = values_text(board, values | one.values | two.values)
                why = (
                    f"{cells_text(board, cells)} with {cells_text(board, one.cells)} of {line.name} and "
                    f"{cells_text(board, two.cells)} of {box.name} are as many cells as their values {taken}"
                )
                pattern = tuple((value, grid.places[value] & every) for value in members(grid.candidates(every)))
                crossing = tuple((value, grid.places[value] & cells) for value in members(values))
                yield Step(
                    technique=name,
                    because=why,
                    eliminations=effect,
                    pattern=pattern,
                    parts=(("crossing", crossing),),
                    houses=(line.name, box.name),
                    size=every.bit_count(),
                )


TECHNIQUES = (
    Technique(
        "Sue de Coq",
        Level.CHAINS,
        _sue_de_coq,
        "Cells of a line and a region, with cells of the line and of the region that share no value, have as many "
        "values as cells: each value is in the one or in the other.",
        hodoku=250,
        limits="it takes lines and regions that share two cells",
    ),
)
