"""The links between candidates, and the chains that they make.

A node is a value and one or more cells; it holds if one of the cells has the value. The first nodes are the candidates,
by value and cell. Sets of nodes are integers with bit n set for node n; a set of candidates has only these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import cycle, pairwise
from typing import NamedTuple

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.almost import AlmostLocked, almost_locked
from satdoku.techniques.candidates import LinkedCandidates
from satdoku.techniques.grid import CandidateGrid, Strike, cell_set, merged
from satdoku.techniques.step import Link
from satdoku.techniques.words import cells_text

FEWEST_LINKS = 3  # of a chain
MAX_SET = 5  # cells of an almost locked set that is a link of a chain


class Chain(NamedTuple):
    """Nodes in turns false and true: if the first is false, the last is true."""

    nodes: tuple[int, ...]

    @property
    def links(self) -> int:
        return len(self.nodes) - 1


class Ends(NamedTuple):
    """The ends of a shortest chain, how many links it has, and what is reached with fewer."""

    links: int
    start: int
    end: int
    levels: list[int]


class Graph:
    """The nodes of a grid and their links.

    nodes:  the value and the cells of each
    bits:   its candidates
    off:    the candidates that are false if it is true, because cells see it or by a mark
    weak:   these and the nodes of several that it excludes
    strong: the nodes that are true if it is false
    sets:   the almost locked set that a strong link is in, by its nodes
    marked: the strong links through marks
    """

    def __init__(
        self, grid: CandidateGrid, *, grouped: bool = False, sets: bool = False, values: bool = True, cells: bool = True
    ) -> None:
        """values: with the strong links of a value in a house; cells: with the links of values in a cell, and by marks;
        grouped: with nodes of several cells that two groups share; sets: and with almost locked sets."""
        self.grid = grid
        self.candidates = candidates = grid.once(LinkedCandidates, LinkedCandidates)
        self.nodes, self.index = candidates.nodes, candidates.index
        self.sets: dict[tuple[int, int], AlmostLocked] = {}
        self.marked: set[tuple[int, int]] = set()
        self.off = candidates.off[:]
        if not cells:
            self.off = [off & of_value for off, of_value in zip(self.off, candidates.alike(), strict=True)]
        self.bits = [1 << node for node in range(len(self.nodes))]
        self.strong = (candidates.of_values if values else candidates.of_cells)[:]
        if values and cells:
            self.strong = [one | two for one, two in zip(self.strong, candidates.of_cells, strict=True)]
        if grouped or sets:
            self.nodes, self.index = self.nodes[:], dict(self.index)
        if grouped:
            self._groups()
        almost = self._almost() if sets else []
        groups = self.nodes[len(self.bits) :]
        self.strong += [0] * len(groups)
        if values and groups:
            self._link_groups(groups)
        if cells and values:
            self._link_marks()
        for each in almost:
            self._link_set(each)
        self._add_off(groups)
        self.weak = self._add_weak() if groups else self.off
        self._joint: dict[int, int] = {} if groups or not cells else candidates.joint
        self._ahead: list[int] = []

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

    def _add_off(self, groups: Sequence[Strike]) -> None:
        """What nodes of several cells exclude: what each of their candidates does."""
        for value, cells in groups:
            bits, off = self.candidates.among(value, cells), -1
            for bit in members(bits):
                off &= self.off[bit]
            self.bits.append(bits)
            self.off.append(off)

    def _link_groups(self, groups: Sequence[Strike]) -> None:
        """Of a house with more than two places a group and the rest are linked, if that is a node."""
        for value, cells in groups:
            places_of = self.grid.places[value]
            for house in self.grid.layout.house_cells:
                rest = places_of & house & ~cells
                if rest and not cells & ~(places_of & house) and (value, rest) in self.index:
                    self._link(value, cells, rest)

    def _link(self, value: int, cells: int, rest: int) -> None:
        one, two = self.index[value, cells], self.index[value, rest]
        self.strong[one] |= 1 << two
        self.strong[two] |= 1 << one

    def _link_marks(self) -> None:
        for one, others in self.candidates.through_marks(self.candidates.marks.strong):
            self.marked.update((one, two) for two in members(others & ~self.strong[one]))
            self.strong[one] |= others

    def _link_set(self, almost: AlmostLocked) -> None:
        nodes = [self.index[value, places] for value, places in almost.places.items()]
        for one in nodes:
            for two in nodes:
                if one != two and not self.strong[one] >> two & 1:
                    self.strong[one] |= 1 << two
                    self.sets[one, two] = almost

    def _add_weak(self) -> list[int]:
        """What candidates exclude with the nodes of several that they exclude, and of several what all of them do."""
        single = len(self.candidates.nodes)
        excluding, weak = self._excluding if self.grid.layout.board.others else self.off, self.off[:single]
        for node in range(single, len(self.bits)):
            every = (1 << single) - 1
            for bit in members(self.bits[node]):
                every &= excluding[bit]
            for one in members(every):
                weak[one] |= 1 << node
        for bits in self.bits[single:]:
            every = -1
            for bit in members(bits):
                every &= weak[bit]
            weak.append(every)
        return weak

    def ahead(self) -> list[int]:
        """For each node others from which a chain goes on after it and the next: they are false, and have strong links.

        Made when it is asked for the first time.
        """
        if not self._ahead:
            linked, weak, self._ahead = self._linked, self.weak, [0] * len(self.strong)
            going_on = cell_set(linked)
            for start in linked:
                after, left = 0, self.strong[start]
                while left:
                    node = left.bit_length() - 1
                    left ^= 1 << node
                    after |= weak[node]
                self._ahead[start] = after & going_on & ~(1 << start)
        return self._ahead

    @cached_property
    def _linked(self) -> list[int]:
        """The nodes with strong links."""
        return [node for node, strong in enumerate(self.strong) if strong]

    def chains(self, starts: Iterable[int], most: int, ends_of: Callable[[int], int] | None = None) -> Iterator[Ends]:
        """Shortest chains of three to so many links from nodes that are false to those that are then true.

        Those of few links come first, of as many those from the first nodes.

        ends_of: from a start to the nodes that are looked for; `joint` if it is None
        """
        strong, after, ends_of = self.strong, self.ahead(), ends_of or self.joint
        # By start what is reached first with so many links, as sets: false and true in turns.
        ahead = [(start, [1 << start, strong[start], after[start]]) for start in starts if after[start]]
        ways = [(start, levels, 1 << start | levels[2], levels[1], -1) for start, levels in ahead]
        for links in range(FEWEST_LINKS, most + 1, 2):
            check_time()
            going_on = []
            for start, levels, seen_false, seen_true, ends in ways:
                ends = ends_of(start) & ~strong[start] if ends < 0 else ends
                if not ends:
                    continue
                reached, following, left = 0, 0, levels[-1]
                while left:
                    node = left.bit_length() - 1
                    reached |= strong[node]
                    following |= after[node]
                    left ^= 1 << node
                reached &= ~seen_true
                following &= ~seen_false
                seen_true |= reached
                levels.append(reached)
                for node in members(reached & ends):
                    yield Ends(links, start, node, levels)
                if following and ends & ~seen_true:
                    levels.append(following)
                    going_on.append((start, levels, seen_false | following, seen_true, ends))
            ways = going_on

    def looping(self) -> int:
        """The nodes on loops, as far as a link of a loop through some of the same nodes may exclude something."""
        (reach, _), loops = self._reach, 0
        for start in self._linked:
            if reach[start] >> start & 1 and not loops >> start & 1 and self._may_exclude(start):
                for node in members(reach[start]):
                    loops |= (reach[node] >> start & 1) << node
        return loops

    def _may_exclude(self, start: int) -> bool:
        """Whether of the first links that lead back to a node one excludes more than its ends."""
        ahead, off, (reach, _) = self.ahead()[start], self.off, self._reach
        for node in members(self.strong[start]):
            left = self.weak[node] & ahead
            while left:
                after = left.bit_length() - 1
                left ^= 1 << after
                if reach[after] >> start & 1 and (off[node] & off[after] or (start, node) in self.sets):
                    return True
        return False

    def reachable(self, start: int) -> int:
        """The nodes that are true after some links, if a node is false."""
        return self._reach[1][start]

    @cached_property
    def _reach(self) -> tuple[list[int], list[int]]:
        """For each node those with strong links that are false after some links, if it is; and those that are true."""
        after, strong, reach, true = self.ahead(), self.strong, [0] * len(self.strong), self.strong[:]
        for start in self._linked:
            reached = left = after[start]
            held = strong[start]
            while left:
                node = left.bit_length() - 1
                if node < start:  # all that comes after it is known
                    reached |= reach[node]
                    held |= true[node]
                    left &= ~reach[node] & ~(1 << node)
                else:
                    left = (left | after[node] & ~reached) ^ 1 << node
                    reached |= after[node]
                    held |= strong[node]
            reach[start], true[start] = reached, held
        return reach, true

    def excluding(self, node: int) -> int:
        """The nodes that exclude a node; of a node of several cells, where there are marks, all nodes."""
        known = self._excluding
        return known[node] if node < len(known) else -1

    def joint(self, node: int) -> int:
        """The nodes that exclude a candidate with a node, itself among them."""
        joint = self._joint.get(node)
        if joint is None:
            excluding, joint, left = self._excluding, 0, self.off[node]
            while left:
                bit = left.bit_length() - 1
                left ^= 1 << bit
                joint |= excluding[bit]
            self._joint[node] = joint
        return joint

    @cached_property
    def _excluding(self) -> list[int]:
        """The nodes that exclude a candidate: those that it excludes, but for marks that are not looked at in full."""
        if not self.grid.layout.board.others:
            return self.weak
        excluding = [0] * sum(places.bit_count() for places in self.grid.places)
        for node, off in enumerate(self.off):
            for bit in members(off):
                excluding[bit] |= 1 << node
        return excluding

    @cached_property
    def into(self) -> tuple[list[int], list[int]]:
        """The nodes with a weak link to each, and with a strong one; those of marks need not lead back."""
        if not self.grid.layout.board.others:
            return self.weak, self.strong
        return _turned(self.weak), _turned(self.strong)

    def path(self, ends: Ends) -> Chain:
        """The chain to an end, of whose nodes each is the first of its level that leads to the next."""
        path = [ends.end]
        for number in range(ends.links - 1, -1, -1):
            path.append(next(each for each in members(ends.levels[number]) if self._leads(each, path[-1], number)))
        return Chain(tuple(reversed(path)))

    def _leads(self, node: int, following: int, number: int) -> bool:
        return bool((self.weak[node] if number % 2 else self.strong[node]) >> following & 1)

    def links(self, nodes: Sequence[int], strong: bool = True) -> tuple[Link, ...]:
        """Those of a chain in turns; strong: whether the first is"""
        pairs = enumerate(pairwise(nodes))
        return tuple(
            Link(self.nodes[one], self.nodes[two], (number % 2 == 0) is strong) for number, (one, two) in pairs
        )

    def text(self, nodes: Sequence[int], strong: bool = True) -> str:
        """`3 in r1c2 = 3 in r1c5 - 4 in r1c5 = ...`: = is a strong link, - a weak one."""
        board, signs = self.grid.layout.board, cycle((" = ", " - ") if strong else (" - ", " = "))
        parts = zip(map(self.nodes.__getitem__, nodes), signs, strict=False)
        return "".join(f"{board.shown(v)} {cells_text(board, cells)}{sign}" for (v, cells), sign in parts)[:-3]

    def strikes(self, bits: int) -> tuple[Strike, ...]:
        """Candidates as values and cells."""
        return merged(map(self.nodes.__getitem__, members(bits)))


def _turned(links: Sequence[int]) -> list[int]:
    turned = [0] * len(links)
    for one, others in enumerate(links):
        for other in members(others):
            turned[other] |= 1 << one
    return turned
