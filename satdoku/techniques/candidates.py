"""The candidates of a grid as the first nodes of a graph of chains, and the links between them alone.

They are numbered by value and cell. A set of them is an integer with bit n set for candidate n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satdoku.puzzle import members
from satdoku.techniques.exclusions import Bits, MarkLinks, through_marks
from satdoku.techniques.grid import BoardLayout, CandidateGrid, Strike


class LinkedCandidates:
    """The candidates of a grid, and what links them.

    nodes: the value and the cell of each, as a set
    index: the number of each of them
    off:   for each the candidates that are false if it is true, because cells see it or by a mark
    of_values, of_cells: for each those that are true if it is false: the other place of a value in a house, the other
           value of a cell
    marks: the links through marks
    joint: for some those that exclude a candidate with them
    """

    def __init__(self, grid: CandidateGrid) -> None:
        layout = grid.layout
        self.joint = dict[int, int]()
        self.grid, self.nodes, self.off = grid, list[Strike](), list[int]()
        self.marks = through_marks(grid) if layout.board.others else MarkLinks({}, {})
        self.of_values, in_cell = list[int](), [0] * layout.cells
        for value in range(1, layout.values + 1):
            self._add_value(value, in_cell)
        self.index = dict(zip(self.nodes, range(len(self.nodes)), strict=True))
        self.of_cells = [0] * len(self.nodes)
        for number, (_, place) in enumerate(self.nodes):
            self.off[number] |= in_cell[place.bit_length() - 1] & ~(1 << number)
        _link_pairs(self.of_cells, in_cell)
        for number, others in self.through_marks(self.marks.weak):
            self.off[number] |= others

    def _add_value(self, value: int, in_cell: list[int]) -> None:
        """The candidates of a value, linked with each other; each is added to those of its cell."""
        first, cells = len(self.nodes), [*members(self.grid.places[value])]
        off, pairs = self.grid.of_places(LinkedCandidates, value, lambda: _within(self.grid.layout, cells))
        self.nodes += [(value, 1 << cell) for cell in cells]
        self.off += [each << first for each in off]
        self.of_values += [each << first for each in pairs]
        for number, cell in enumerate(cells, first):
            in_cell[cell] |= 1 << number

    def through_marks(self, links: Bits) -> Iterator[tuple[int, int]]:
        """Links of candidates that are bits, `value * cells + cell`."""
        width = self.grid.layout.cells
        for bit, others in links.items():
            value, cell = divmod(bit, width)
            ends = 0
            for other in members(others):
                ends |= 1 << self.index[other // width, 1 << other % width]
            yield self.index[value, 1 << cell], ends

    def alike(self) -> list[int]:
        """For each candidate those of its value."""
        alike = list[int]()
        for many in map(int.bit_count, self.grid.places):
            alike += [(1 << many) - 1 << len(alike)] * many
        return alike

    def among(self, value: int, cells: int) -> int:
        """Those of a value in some cells."""
        some = 0
        for cell in members(cells & self.grid.places[value]):
            some |= 1 << self.index[value, 1 << cell]
        return some


def _within(layout: BoardLayout, cells: Sequence[int]) -> tuple[list[int], list[int]]:
    """For each place of a value, by its number, those that it excludes, and the other ones of houses with two."""
    in_group, off, links = [0] * len(layout.groups), list[int](), [0] * len(cells)
    for number, cell in enumerate(cells):
        for group in layout.numbers_of[cell]:
            in_group[group] |= 1 << number
    for number, cell in enumerate(cells):
        others = 0
        for group in layout.numbers_of[cell]:
            others |= in_group[group]
        off.append(others & ~(1 << number))
    _link_pairs(links, [in_group[house] for house in layout.house_numbers])
    return off, links


def _link_pairs(links: list[int], sets: Iterable[int]) -> None:
    """Link the two candidates of each set that has two."""
    for pair in sets:
        if pair.bit_count() == 2:
            one, two = members(pair)
            links[one] |= 1 << two
            links[two] |= 1 << one
