"""The links between candidates, and the chains that they make.

A node is a value and one or more cells; it holds if one of the cells has the value. A candidate is a bit:
`value * cells + cell`. Sets of nodes are integers with bit n set for node n.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from satdoku.puzzle import members
from satdoku.techniques.almost import AlmostLocked, almost_locked
from satdoku.techniques.exclusions import MarkLinks, through_marks
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.step import Link

MAX_SET = 5  # cells of an almost locked set that is a link of a chain


class Chain(NamedTuple):
    """Nodes in turns false and true: if the first is false, the last is true."""

    nodes: tuple[int, ...]

    @property
    def links(self) -> int:
        return len(self.nodes) - 1


class Graph:
    """The nodes of a grid and their links.

    nodes:  the value and the cells of each
    bits:   its candidates
    off:    the candidates that are false if it is true, because cells see it or by a mark
    weak:   the nodes that are false if it is true
    strong: the nodes that are true if it is false
    sets:   the almost locked set that a strong link is in, by its nodes
    marked: the strong links through marks
    """

    def __init__(
        self, grid: CandidateGrid, *, grouped: bool = False, sets: bool = False, values: bool = True, cells: bool = True
    ) -> None:
        """values: with the strong links of a value in a house; cells: with those of cells of two values;
        grouped: with nodes of several cells that two groups share; sets: and with almost locked sets."""
        self.grid, self.width = grid, grid.layout.cells
        self.nodes: list[Strike] = []
        self.index: dict[Strike, int] = {}
        self.sets: dict[tuple[int, int], AlmostLocked] = {}
        self.marks = through_marks(grid) if grid.layout.board.others else MarkLinks({}, {})
        self.marked: set[tuple[int, int]] = set()
        for value in range(1, grid.layout.values + 1):
            for cell in members(grid.places[value]):
                self.node(value, 1 << cell)
        if grouped:
            self._groups()
        almost = self._almost() if sets else []
        self.strong = [0] * len(self.nodes)
        if values:
            self._link_values()
        if cells:
            self._link_cells()
        if cells and values:
            self._link_marks()
        for each in almost:
            self._link_set(each)
        self.bits = [cells << value * self.width for value, cells in self.nodes]
        self.off = [self._off(value, cells) for value, cells in self.nodes]
        self._weak: list[int | None] = [None] * len(self.nodes)
        self._with: dict[int, int] = {}  # by candidate, the nodes that it is in, and those that exclude it
        self._excluding: dict[int, int] = {}
        for node, bits in enumerate(self.bits):
            for bit in members(bits):
                self._with[bit] = self._with.get(bit, 0) | 1 << node

    def _almost(self) -> list[AlmostLocked]:
        """The almost locked sets of two and more cells, whose places become nodes."""
        sets = [each for each in almost_locked(self.grid, 2) if each.cells.bit_count() <= MAX_SET]
        for each in sets:
            for value, places in each.places.items():
                self.node(value, places)
        return sets

    def node(self, value: int, cells: int) -> int:
        """The node of a value and cells, which is made if there is none."""
        key = value, cells
        if key not in self.index:
            self.index[key] = len(self.nodes)
            self.nodes.append(key)
        return self.index[key]

    def _groups(self) -> None:
        """Places of a value in two groups at once."""
        grid, groups = self.grid, self.grid.layout.groups
        for number, one in enumerate(groups):
            for two in groups[number + 1 :]:
                shared = one.cells & two.cells & grid.open
                if shared & (shared - 1):
                    for value in members(grid.candidates(shared)):
                        places = grid.places[value] & shared
                        if places & (places - 1):
                            self.node(value, places)

    def _link_values(self) -> None:
        """A house with two places links these; with more, a group and the rest, if that is a node."""
        groups: dict[int, list[int]] = {}
        for value, cells in self.nodes:
            if cells & (cells - 1):
                groups.setdefault(value, []).append(cells)
        for value, of_value in enumerate(self.grid.places):
            for house in self.grid.layout.house_cells:
                places = of_value & house
                if places.bit_count() == 2:
                    self._link(value, places & -places, places & (places - 1))
                elif places:
                    for cells in groups.get(value, ()):
                        rest = places & ~cells
                        if rest and not cells & ~places and (value, rest) in self.index:
                            self._link(value, cells, rest)

    def _link(self, value: int, cells: int, rest: int) -> None:
        one, two = self.index[value, cells], self.index[value, rest]
        self.strong[one] |= 1 << two
        self.strong[two] |= 1 << one

    def _link_cells(self) -> None:
        for cell in members(self.grid.open):
            if self.grid.left[cell].bit_count() == 2:
                one, two = (self.index[value, 1 << cell] for value in members(self.grid.left[cell]))
                self.strong[one] |= 1 << two
                self.strong[two] |= 1 << one

    def _link_marks(self) -> None:
        for bit, others in self.marks.strong.items():
            one = self._node_of(bit)
            for other in members(others):
                two = self._node_of(other)
                if not self.strong[one] >> two & 1:
                    self.strong[one] |= 1 << two
                    self.marked.add((one, two))

    def _node_of(self, bit: int) -> int:
        value, cell = divmod(bit, self.width)
        return self.index[value, 1 << cell]

    def _link_set(self, almost: AlmostLocked) -> None:
        nodes = [self.index[value, places] for value, places in almost.places.items()]
        for one in nodes:
            for two in nodes:
                if one != two and not self.strong[one] >> two & 1:
                    self.strong[one] |= 1 << two
                    self.sets[one, two] = almost

    def _off(self, value: int, cells: int) -> int:
        grid, width = self.grid, self.width
        if not grid.layout.board.others and cells & (cells - 1):
            return (grid.layout.common(cells) & grid.places[value]) << value * width
        off = -1
        for cell in members(cells):
            # With the other candidates of the cell: by a mark, one of them may exclude the other cells of the node.
            own = (
                self.marks.weak.get(value * width + cell, 0)
                | (grid.layout.peers[cell] & grid.places[value]) << value * width
            )
            for other in members(grid.left[cell] & ~(1 << value)):
                own |= 1 << other * width + cell
            off &= own
        return off

    def weak(self, node: int) -> int:
        """The nodes that are false if one is true."""
        weak = self._weak[node]
        if weak is None:
            off, some, other = self.off[node], 0, 0
            for bit in members(off):
                some |= self._with[bit]
            for one in members(some):
                other |= bool(self.bits[one] & ~off) << one
            weak = self._weak[node] = some & ~other
        return weak

    def chains(self, start: int, most: int) -> Iterator[Chain]:
        """Shortest chains of at most so many links from a node that is false to those that are then true.

        Only to the node itself, to those that exclude it, and to those that exclude a candidate with it.
        """
        ends, strong = self._ends(start), self.strong
        levels = [1 << start]  # what is reached first with so many links, as sets: false and true in turns
        seen_false, seen_true = 1 << start, 0
        while levels[-1] and len(levels) <= most:
            reached, left = 0, levels[-1]
            while left:
                low = left & -left
                reached |= strong[low.bit_length() - 1]
                left ^= low
            reached &= ~seen_true
            seen_true |= reached
            levels.append(reached)
            for node in members(reached & ends):
                yield Chain(self._path(node, levels))
            ahead, left = 0, reached
            while left:
                low = left & -left
                ahead |= self.weak(low.bit_length() - 1)
                left ^= low
            levels.append(ahead & ~seen_false)
            seen_false |= ahead

    def _ends(self, start: int) -> int:
        """The nodes where a chain from a node may end."""
        if not self._excluding:
            for node, off in enumerate(self.off):
                for bit in members(off):
                    self._excluding[bit] = self._excluding.get(bit, 0) | 1 << node
        excluding, ends = self._excluding.get, -1
        for bit in members(self.bits[start]):
            ends &= excluding(bit, 0)
        for bit in members(self.off[start]):
            ends |= excluding(bit, 0)
        return ends | 1 << start

    def _path(self, node: int, levels: list[int]) -> tuple[int, ...]:
        """The nodes of a chain to one of the last level, each the first of its level that leads to the next."""
        path = [node]
        for number in range(len(levels) - 2, -1, -1):
            path.append(next(each for each in members(levels[number]) if self._leads(each, path[-1], number)))
        return tuple(reversed(path))

    def _leads(self, node: int, following: int, number: int) -> bool:
        return bool((self.weak(node) if number % 2 else self.strong[node]) >> following & 1)

    def links(self, nodes: tuple[int, ...]) -> tuple[Link, ...]:
        """Those of a chain, the first strong."""
        pairs = pairwise(nodes)
        return tuple(Link(self.nodes[one], self.nodes[two], not number % 2) for number, (one, two) in enumerate(pairs))

    def strikes(self, bits: int) -> tuple[Strike, ...]:
        """Candidates as values and cells."""
        nodes, every = [], (1 << self.width) - 1
        for value in range(1, self.grid.layout.values + 1):
            cells = bits >> value * self.width & every
            if cells:
                nodes.append((value, cells))
        return tuple(nodes)
