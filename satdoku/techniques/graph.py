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
        self._with: dict[int, int] = {}
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
        by_value: dict[int, list[int]] = {}
        for value, cells in self.nodes:
            by_value.setdefault(value, []).append(cells)
        for value, nodes in by_value.items():
            for house in self.grid.layout.house_cells:
                places = self.grid.places[value] & house
                for cells in nodes:
                    rest = places & ~cells
                    if rest and not cells & ~places and (value, rest) in self.index:
                        self.strong[self.index[value, cells]] |= 1 << self.index[value, rest]

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
        weak = (grid.layout.common(cells) & grid.places[value]) << value * width
        if grid.layout.board.others:
            weak = -1
            for cell in members(cells):
                weak &= (grid.layout.peers[cell] & grid.places[value]) << value * width | self.marks.weak.get(
                    value * width + cell, 0
                )
        if not cells & (cells - 1):
            cell = cells.bit_length() - 1
            for other in members(grid.left[cell] & ~(1 << value)):
                weak |= 1 << other * width + cell
        return weak

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
        false, true = {start: -1}, dict[int, int]()
        seen_false, seen_true = 1 << start, 0
        ahead, length = 1 << start, 0
        while ahead and length < most:
            reached = 0
            for node in members(ahead):
                new = self.strong[node] & ~seen_true & ~reached
                for following in members(new):
                    true[following] = node
                reached |= new
            seen_true |= reached
            length += 1
            for node in members(reached):
                off = self.off[node]
                if off & self.off[start] or not self.bits[start] & ~off or node == start:
                    yield Chain(self._path(node, false, true))
            ahead = 0
            for node in members(reached):
                new = self.weak(node) & ~seen_false & ~ahead
                for following in members(new):
                    false[following] = node
                ahead |= new
            seen_false |= ahead
            length += 1

    def _path(self, node: int, false: dict[int, int], true: dict[int, int]) -> tuple[int, ...]:
        path = [node]
        while True:
            node = true[node]
            path.append(node)
            if false[node] < 0:
                return tuple(reversed(path))
            node = false[node]
            path.append(node)

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
