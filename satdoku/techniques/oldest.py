"""Hidden singles in the order in which they came to be, as HoDoKu takes them: its score depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from satdoku.puzzle import Puzzle, members
from satdoku.techniques.grid import BoardLayout, CandidateGrid, Placement
from satdoku.techniques.step import Step, Technique


class OldestSingles:
    """When each hidden single of a puzzle came to be, as steps are taken.

    The givens are set one by one. A value goes first from the cells that see its cell, in their order, then the other
    values from the cell itself; of the houses of a cell rows are looked at first, then columns, then regions.
    """

    def __init__(self, puzzle: Puzzle, layout: BoardLayout) -> None:
        self._layout, self._every = layout, (1 << layout.cells) - 1
        self._places = [0] + [self._every] * layout.values
        self._groups = [[group.cells for group in groups] for groups in layout.of]
        self._age = dict[Placement, int]()
        for cell, value in enumerate(puzzle.givens):
            if value:
                self._place(cell, value)

    def order(self, techniques: Sequence[Technique]) -> tuple[Technique, ...]:
        """The techniques, with the oldest of the hidden singles for the first in the grid."""
        return tuple(
            replace(each, search=lambda name, grid, each=each: self._oldest(each, grid))  # type: ignore[misc]
            if each.name == "hidden single"
            else each
            for each in techniques
        )

    def follow(self, step: Step) -> None:
        """Do what a step says."""
        for cell, value in step.placements:
            self._place(cell, value)
        for value, cells in step.eliminations if not step.placements else ():
            for cell in members(cells & self._every) if value < len(self._places) else ():
                self._strike(cell, value)

    def _oldest(self, technique: Technique, grid: CandidateGrid) -> Iterator[Step]:
        yield from sorted(technique.steps(grid), key=lambda step: self._age.get(step.placements[0], inf))

    def _place(self, cell: int, value: int) -> None:
        for other in members(self._layout.peers[cell] & self._places[value]):
            self._strike(other, value)
        for other, places in enumerate(self._places):
            if other != value and places >> cell & 1:
                self._strike(cell, other)

    def _strike(self, cell: int, value: int) -> None:
        places = self._places[value]
        if places >> cell & 1:
            places &= ~(1 << cell)
            self._places[value] = places
            for group in self._groups[cell]:
                inside = places & group
                if inside and not inside & (inside - 1):
                    self._age.setdefault((inside.bit_length() - 1, value), len(self._age))
