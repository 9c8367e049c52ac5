"""What locked candidates, pairs and X-wings exclude where some candidates are gone, and which of these that needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from satdoku.puzzle import members
from satdoku.techniques.grid import BOX, COLUMN, ROW, CandidateGrid, Strike

Item = TypeVar("Item")
Found = tuple[Sequence[Strike], Sequence[Strike]]  # what is excluded, and what must be gone

CROSSING = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))
KINDS = (BOX, COLUMN, ROW)
ROOM = 4  # open cells of a house that a pair needs; a hidden one needs more


class Advanced:
    """For a grid without some of its candidates, as Sudoku Explainer does it: all by the first of these techniques."""

    def __init__(self, grid: CandidateGrid, index: Mapping[Strike, int]) -> None:
        """index: the numbers of the candidates"""
        self._grid, self._index = grid, index
        self._nodes = sorted(index, key=index.__getitem__)
        houses = {kind: [house for house in grid.layout.houses if house.kind == kind] for kind in KINDS}
        self._crossing = [
            [(one.cells, [two.cells for two in houses[second] if two.cells & one.cells]) for one in houses[first]]
            for first, second in CROSSING
        ]
        self._houses = [house.cells for kind in KINDS for house in houses[kind]]
        self._lines = [(houses[COLUMN], houses[ROW]), (houses[ROW], houses[COLUMN])]

    def exclusions(self, gone: int) -> Iterator[tuple[int, int]]:
        """Candidates that are excluded, and for each those gone that this needs, which are some.

        gone: candidates, as a set
        """
        grid, index = self._grid, self._index
        self._places, self._left = grid.places[:], grid.left[:]
        for node in members(gone):
            value, cell = self._nodes[node]
            self._places[value] &= ~cell
            self._left[cell.bit_length() - 1] &= ~(1 << value)
        for search in (self._locked, self._hidden, self._naked, self._fish):
            some = False
            for lose, needs in search():
                parents = 0
                for value, cells in needs:
                    for cell in members(cells):
                        parents |= 1 << index[value, 1 << cell]
                for value, cells in lose if parents else ():
                    for cell in members(cells):
                        some = True
                        yield index[value, 1 << cell], parents
            if some:
                return

    def _locked(self) -> Iterator[Found]:
        for crossing in self._crossing:
            for value in range(1, len(self._places)):
                places, before = self._places[value], self._grid.places[value]
                for one, others in crossing:
                    inside = places & one
                    for two in others if inside & (inside - 1) else ():
                        lose = places & two & ~one
                        if lose and not inside & ~two:
                            yield [(value, lose)], [(value, before & one & ~two)]

    def _hidden(self) -> Iterator[Found]:
        for house in self._houses:
            if (house & self._grid.open).bit_count() <= ROOM:
                continue
            where = [(value, places & house) for value, places in enumerate(self._places)]
            for (one, cells), (two, same) in _pairs(where):
                if cells == same:
                    lose = [(value, places & cells) for value, places in where if value not in (one, two)]
                    yield (lose, [(value, self._grid.places[value] & house & ~cells) for value in (one, two)])

    def _naked(self) -> Iterator[Found]:
        for house in self._houses:
            cells = [*members(house & self._grid.open)]
            for (one, values), (two, same) in _pairs([(cell, self._left[cell]) for cell in cells]):
                if values == same and len(cells) >= ROOM:
                    both = 1 << one | 1 << two
                    lose = [(value, self._places[value] & house & ~both) for value in members(values)]
                    others = self._grid.candidates(both) & ~values
                    yield (lose, [(value, self._grid.places[value] & both) for value in members(others)])

    def _fish(self) -> Iterator[Found]:
        for bases, covers in self._lines:
            for one, two in _in_order(bases):
                for value, places in enumerate(self._places):
                    inside = places & one.cells, places & two.cells
                    crossed = [cover.cells for cover in covers if cover.cells & (inside[0] | inside[1])]
                    if len(crossed) != 2 or any(cells.bit_count() != 2 for cells in inside):
                        continue
                    base, cover = one.cells | two.cells, crossed[0] | crossed[1]
                    yield ([(value, places & cover & ~base)], [(value, self._grid.places[value] & base & ~cover)])


def _pairs(sets: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    return _in_order([one for one in sets if one[1].bit_count() == 2])


def _in_order(some: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """Each two, those first whose second comes first."""
    return ((one, two) for number, two in enumerate(some) for one in some[:number])
