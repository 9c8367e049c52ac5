"""Nice loops and AICs as HoDoKu chooses them: of all that it knows the one that excludes most.

It knows the first of the shortest chains from each candidate, that holds or does not, to each other, and drops those
that come to a cell twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.families.chains import chain_step
from satdoku.techniques.families.multiple import reach
from satdoku.techniques.graph import FEWEST_LINKS, Chain, Graph
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.step import Step

WHY = {
    "continuous nice loop": "one end excludes the other, so of each link exactly one holds",
    "discontinuous nice loop": "it would exclude both ends, one of which holds",
    "AIC": "one of the ends holds, which excludes these",
}
CONTINUOUS, DISCONTINUOUS, AIC = WHY


class FoundChain(NamedTuple):
    """A chain that excludes something: from where to where, and what it is; its way is looked for when it is chosen."""

    effect: tuple[Strike, ...]
    name: str
    ways: ChainsFrom
    end: int
    holds: bool


class ChainsFrom:
    """The ways from one candidate that holds, or does not, to what follows from that."""

    def __init__(self, graph: Graph, start: int, holds: bool) -> None:
        self.graph, self.start, self.holds = graph, start, holds
        self.reach = reach(graph, start, holds=holds)
        self._soon: dict[tuple[int, int], tuple[tuple[tuple[int, ...], ...], int]] = {}

    def far(self, holds: bool) -> int:
        """What holds, or does not, after as many links as a chain needs."""
        nodes, odd = 0, holds is not self.holds
        for level in self.reach.levels[FEWEST_LINKS + (odd != FEWEST_LINKS % 2) :: 2]:
            nodes |= level
        return nodes

    def to(self, end: int, holds: bool) -> tuple[int, ...]:
        """The nodes of the first shortest way."""
        levels, path = self.reach.levels, [end]
        links = next(links for links in range(holds is not self.holds, len(levels), 2) if levels[links] >> end & 1)
        for level in range(links, 0, -1):
            path.append(self._first(path[-1], level)[1])
        return tuple(reversed(path))

    def _first(self, node: int, level: int) -> tuple[tuple[tuple[int, ...], ...], int]:
        """How early a node is found among those of its level, and from which."""
        if not level:
            return (), -1
        if (node, level) not in self._soon:
            graph = self.graph
            before = graph.into[(level % 2 == 1) is not self.holds][node]
            self._soon[node, level] = min(
                ((*self._first(one, level - 1)[0], _rank(graph, one, node)), one)
                for one in members(self.reach.levels[level - 1] & before)
            )
        return self._soon[node, level]


def _rank(graph: Graph, one: int, two: int) -> tuple[int, ...]:
    """By which what follows from a node is ordered."""
    (value, cells), (other, at) = graph.nodes[one], graph.nodes[two]
    layout, several, groups = graph.grid.layout, at & (at - 1), tuple[int, ...]()
    behind = len(layout.groups)  # links through marks come behind those of groups
    if several:
        numbers = [number for number, group in enumerate(layout.groups) if not at & ~group.cells] or [behind]
        groups = (numbers[0], value, numbers[-1])
    if not cells & (cells - 1):
        if value != other:
            return 0, other
        of = layout.of[cells.bit_length() - 1]
        first = next((number for number, group in enumerate(of, 1) if group.cells & at), behind)
        return (len(layout.groups), *groups) if several else (first, at.bit_length())
    if not graph.strong[one] >> two & 1:
        return (1, *groups) if several else (0, at.bit_length())
    shared = [number for number, group in enumerate(layout.groups) if not (cells | at) & ~group.cells] or [behind]
    return (1, shared[0]) if several else (0, -shared[-1])


def most_first(effect: tuple[Strike, ...]) -> tuple[int, int]:
    """By which HoDoKu orders chains: how many candidates they exclude, then a sum of these."""
    where = [(value, cell) for value, cells in sorted(effect) for cell in members(cells)]
    return -len(where), sum(cell * (1 + 80 * number) + value for number, (value, cell) in enumerate(where))


def search(grouped: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Of candidates; or of groups too."""
    graph = Graph(grid, grouped=grouped)
    for chain in sorted([*_found(graph, True), *_found(graph, False)], key=lambda chain: most_first(chain.effect)):
        nodes = chain.ways.to(chain.end, chain.holds)
        if chain.name is CONTINUOUS or not _repeats(graph, nodes, chain.name is not AIC):
            kind = f"grouped {chain.name}" if any(node >= len(graph.candidates.nodes) for node in nodes) else chain.name
            path = Chain(nodes[chain.ways.holds : len(nodes) - (not chain.holds)])
            yield chain_step(kind, graph, path, chain.effect, WHY[chain.name])


def _found(graph: Graph, holds: bool) -> Iterator[FoundChain]:
    """From each candidate that holds, or does not; the ways of continuous loops are looked at, of others not."""
    nodes, in_cell = graph.candidates.nodes, dict[int, int]()
    for node, (_, cell) in enumerate(nodes):
        in_cell[cell] = in_cell.get(cell, 0) | 1 << node
    for start, (_, cell) in enumerate(nodes):
        check_time()
        ways, own = ChainsFrom(graph, start, holds), in_cell[cell]
        true, false = ways.far(True) & (1 << len(nodes)) - 1, ways.far(False)
        if holds:
            ends = [(start, False)] if false >> start & 1 else []
            for end, its in (*ends, *((node, True) for node in members(true & own))):
                yield FoundChain((nodes[start],), DISCONTINUOUS, ways, end, its)
        else:
            if true >> start & 1:
                others = tuple(nodes[node] for node in members(own & ~(1 << start)))
                yield FoundChain(others, DISCONTINUOUS, ways, start, True)
            yield from (FoundChain((nodes[node],), DISCONTINUOUS, ways, node, False) for node in members(false & own))
            yield from _of_false(graph, ways, true & ~(1 << start), own)


def _of_false(graph: Graph, ways: ChainsFrom, ends: int, own: int) -> Iterator[FoundChain]:
    """Continuous loops, which end at another candidate of the cell where they start, and AICs."""
    grid, (value, cell) = graph.grid, graph.nodes[ways.start]
    for end in members(ends):
        other, at = graph.nodes[end]
        if own >> end & 1:
            effect = _of_loop(graph, ways.to(end, True))
            if effect:
                yield FoundChain(effect, CONTINUOUS, ways, end, True)
            continue
        effect = ()
        if other == value:
            effect = grid.present([(value, grid.layout.common(cell | at))])
        elif grid.layout.common(cell) & at:
            effect = grid.present([(other, cell), (value, at)])
        if sum(cells.bit_count() for _, cells in effect) > 1:  # one alone is that of a discontinuous loop
            yield FoundChain(effect, AIC, ways, end, True)


def _of_loop(graph: Graph, nodes: tuple[int, ...]) -> tuple[Strike, ...]:
    """What a continuous loop excludes; its weak links between cells nothing from the cells of the loop."""
    if _repeats(graph, nodes, True):
        return ()
    own, lose = 0, list[Strike]()
    for node in nodes:
        own |= graph.nodes[node][1]
    for one, two in zip(nodes[1::2], (*nodes[2::2], nodes[0]), strict=True):
        (value, cells), (other, at) = graph.nodes[one], graph.nodes[two]
        if value == other:
            lose.append((value, graph.grid.layout.common(cells | at) & ~own))
        elif cells == at == cells & -cells:  # one cell; else the link is one through a mark
            rest = graph.grid.left[cells.bit_length() - 1] & ~(1 << value | 1 << other)
            lose += [(every, cells) for every in members(rest)]
    return graph.grid.present(lose)


def _repeats(graph: Graph, nodes: tuple[int, ...], loop: bool) -> bool:
    """Whether a chain comes to a cell twice; a loop may start and end in the same, but leaves it at once."""
    first = [graph.nodes[node][1] & -graph.nodes[node][1] for node in nodes]
    if loop and (first[0] == first[1] or first[-1] == first[-2]):
        return True
    seen = before = 0
    for cell, node in zip(first, nodes, strict=True):
        if seen & cell:
            return True
        seen |= before
        before = 0 if loop and cell == first[0] else graph.nodes[node][1]
    return False
