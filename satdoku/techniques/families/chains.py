"""Chains: X-chain, XY-chain, alternating inference chains and nice loops, without and with groups; remote pairs.

Two candidates are linked strongly if one of them holds, weakly if not both hold. Along links in turns strong and weak,
from a strong one to a strong one, one of the two ends holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import cast

from satdoku.puzzle import members
from satdoku.techniques.exclusions import marks_between
from satdoku.techniques.families.single_digit import pairs
from satdoku.techniques.graph import Chain, Ends, Graph
from satdoku.techniques.grid import CandidateGrid, Strike, merged
from satdoku.techniques.step import Level, Link, Step, Technique
from satdoku.techniques.templates import excludable
from satdoku.techniques.words import values_text
from satdoku.words import joined

MAX_LINKS = 40  # of a chain
SIMPLE, GROUPED = False, True


class Chains:
    """The chains of a graph, the short ones first, each found when it is asked for."""

    def __init__(
        self, graph: Graph, starts: Iterable[int] | None = None, ends_of: Callable[[int], int] | None = None
    ) -> None:
        """starts: the nodes to begin with; None for all; ends_of: as in Graph.chains"""
        self.graph, self._known = graph, list[Ends]()
        nodes = range(len(graph.nodes)) if starts is None else starts
        self._rest = graph.chains(nodes, MAX_LINKS, ends_of)

    def __iter__(self) -> Iterator[Ends]:
        number = 0
        while True:
            if number == len(self._known):
                ends = next(self._rest, None)
                if ends is None:
                    return
                self._known.append(ends)
            yield self._known[number]
            number += 1


def _staged(grid: CandidateGrid, grouped: bool) -> Iterator[tuple[Graph, Ends]]:
    """Chains of single candidates; or of groups, and after these of almost locked sets too."""
    for chains in _kinds(grid, grouped):
        yield from ((chains.graph, ends) for ends in chains)


def _kinds(grid: CandidateGrid, grouped: bool) -> Iterator[Chains]:
    return (grid.once(kind, kind) for kind in ((_with_groups, with_sets) if grouped else (_of_candidates,)))


def _of_candidates(grid: CandidateGrid) -> Chains:
    graph = Graph(grid)
    return Chains(graph, ends_of=lambda start: graph.reachable(start) & graph.joint(start))


def _with_groups(grid: CandidateGrid) -> Chains:
    return Chains(Graph(grid, grouped=True))


def with_sets(grid: CandidateGrid) -> Chains:
    """Chains of candidates, of groups and of places in almost locked sets."""
    return Chains(Graph(grid, grouped=True, sets=True))


def chain_step(name: str, graph: Graph, chain: Chain, effect: tuple[Strike, ...], why: str) -> Step:
    links = graph.links(chain.nodes)
    between = [
        link
        for link, nodes in zip(links, pairwise(chain.nodes), strict=True)
        if not link.strong or nodes in graph.marked
    ]
    marks = marks_between(graph.grid, [*between, *_to_ends(graph, chain, effect)])
    through = f", with links through {joined(marks)}" if marks else ""
    return Step(
        technique=name,
        because=f"{why}: {graph.text(chain.nodes)}{through}",
        eliminations=effect,
        pattern=merged(map(graph.nodes.__getitem__, chain.nodes)),
        houses=marks,
        links=links,
        size=chain.links,
    )


def _to_ends(graph: Graph, chain: Chain, effect: tuple[Strike, ...]) -> Iterator[Link]:
    """The weak links between what a chain excludes and its ends."""
    if not graph.grid.layout.board.others:
        return
    for node in (chain.nodes[0], chain.nodes[-1]):
        for value, cells in effect:
            yield from (Link(graph.nodes[node], (value, 1 << cell), False) for cell in members(cells))


def _x_chain(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """A value of which nothing is found is passed over until a pair of places is new, where no mark links them."""
    fresh = dict[int, set[int]]()
    for value in range(1, grid.layout.values + 1) if grid.layout.board.others else excludable(grid):
        links = {pair.cells for pair in pairs(grid, value)}
        before = cast("set[int] | None", grid.seen.get((name, value)))
        if grid.layout.board.others or (len(links) > 1 and (before is None or links - before)):
            fresh[value] = links
    if fresh:
        graph = Graph(grid, cells=False)
        for ends in Chains(graph, [node for node, (value, _) in enumerate(graph.nodes) if value in fresh]):
            both = graph.off[ends.start] & graph.off[ends.end]
            if both:
                yield _by_ends(name, graph, ends, both, "one of the ends holds, and these see both")
                fresh.pop(graph.nodes[ends.start][0], None)
    grid.seen.update(((name, value), links) for value, links in fresh.items())


def _by_ends(name: str, graph: Graph, ends: Ends, lose: int, why: str) -> Step:
    return chain_step(name, graph, graph.path(ends), graph.strikes(lose), why)


def _xy_chain(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Only where there is a new cell of two values since nothing was found, unless marks link candidates."""

    def search(changed: int) -> Iterator[Step]:
        some = members(changed & grid.open)
        if not grid.layout.board.others and all(grid.left[cell].bit_count() != 2 for cell in some):
            return
        graph = Graph(grid, values=False)
        alike = graph.candidates.alike()

        def ends_of(start: int) -> int:
            ends = graph.reachable(start) & alike[start]
            return ends and ends & graph.joint(start)

        for ends in Chains(graph, ends_of=ends_of):
            both = graph.off[ends.start] & graph.off[ends.end]
            if both:
                yield _by_ends(name, graph, ends, both, "one of the ends holds, and these see both")

    return grid.where_changed(name, search)


def _aic(grouped: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    for graph, ends in _staged(grid, grouped):
        both = graph.off[ends.start] & graph.off[ends.end]
        if both:
            yield _by_ends(name, graph, ends, both, "one of the ends holds, which excludes these")


def _discontinuous(grouped: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """A candidate that excludes both ends does not hold; one that is both ends holds."""
    for graph, ends in _staged(grid, grouped):
        value, cells = graph.nodes[ends.start]
        if ends.start == ends.end and not cells & (cells - 1):
            others = members(grid.left[cells.bit_length() - 1] & ~(1 << value))
            effect = tuple((other, cells) for other in others)
            if effect:
                yield chain_step(name, graph, graph.path(ends), effect, "if it did not hold, it would hold")
        else:
            for bit in members(graph.off[ends.start] & graph.off[ends.end]):
                yield _by_ends(name, graph, ends, 1 << bit, "it would exclude both ends, one of which holds")


def _loops(grid: CandidateGrid, grouped: bool) -> Iterator[tuple[Graph, Ends]]:
    """The chains whose ends exclude each other."""
    for graph in (chains.graph for chains in _kinds(grid, grouped)):
        for ends in Chains(graph, members(graph.looping()), graph.excluding):
            if ends.start != ends.end and graph.weak[ends.end] >> ends.start & 1:
                yield graph, ends


def _continuous(grouped: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """The ends exclude each other: of each link exactly one holds."""
    for graph, ends in _loops(grid, grouped):
        start = ends.start
        chain, lose, used = graph.path(ends), 0, 0
        nodes = (*chain.nodes, start)
        for one, two in zip(nodes[1::2], nodes[2::2], strict=False):
            lose |= graph.off[one] & graph.off[two]
        for one, two in zip(nodes[::2], nodes[1::2], strict=False):
            almost = graph.sets.get((one, two))
            if almost is not None:
                for value, seen in almost.seen.items():
                    if value not in (graph.nodes[one][0], graph.nodes[two][0]):
                        lose |= graph.candidates.among(value, seen)
        for node in chain.nodes:
            used |= graph.bits[node]
        effect = graph.strikes(lose & ~used)
        if effect:
            yield chain_step(
                name, graph, chain, effect, "one end excludes the other, so of each link exactly one holds"
            )


def _remote_pair(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Cells of one pair of values, each seeing the next: two with an even number between them differ."""
    by_pair: dict[int, int] = {}
    for cell in members(grid.few(2, 2)):
        by_pair[grid.left[cell]] = by_pair.get(grid.left[cell], 0) | 1 << cell
    for pair, cells in by_pair.items():
        for start in members(cells) if cells.bit_count() >= 4 else ():
            yield from _from_end(name, grid, pair, cells, start)


def _from_end(name: str, grid: CandidateGrid, pair: int, cells: int, start: int) -> Iterator[Step]:
    board, peers = grid.layout.board, grid.layout.peers
    paths: dict[int, tuple[int, ...]] = {start: (start,)}
    ahead = [start]
    while ahead:
        following = []
        for cell in ahead:
            for near in members(peers[cell] & cells):
                if near not in paths:
                    paths[near] = (*paths[cell], near)
                    following.append(near)
        ahead = following
        for end in ahead:
            path = paths[end]
            if len(path) < 4 or len(path) % 2:
                continue
            lose = 0
            for first, one in enumerate(path):
                for two in path[first + 3 :: 2]:
                    lose |= peers[one] & peers[two]
            effect = grid.present((value, lose & ~cells) for value in members(pair))
            if effect:
                chain = " - ".join(map(board.label, path))
                why = f"in the chain {chain} {values_text(board, pair)} take turns, and these see one of each"
                pattern = tuple((value, sum(1 << cell for cell in path)) for value in members(pair))
                yield Step(technique=name, because=why, eliminations=effect, pattern=pattern, size=len(path))


CHAIN = "Links in turns strong (one of two candidates holds) and weak (not both hold) from a strong to a strong one: "
ENDS = "one of the ends holds, and what excludes both does not."
LOOP = "its ends exclude each other, so that of each link exactly one holds."
WRONG = "a candidate that excludes both ends does not hold; one that is both ends holds."
GROUPS = " Nodes may be several cells of two houses, or places in an almost locked set."

TECHNIQUES = (
    Technique(
        "remote pair",
        Level.WINGS,
        _remote_pair,
        "Cells of the same two values, each seeing the next: what sees two with an even number between has neither.",
        hodoku=110,
    ),
    Technique("X-chain", Level.CHAINS, _x_chain, CHAIN + "of one value, " + ENDS, se=6.6, hodoku=260),
    Technique("XY-chain", Level.CHAINS, _xy_chain, CHAIN + "through cells of two values, " + ENDS, se=7.0, hodoku=260),
    Technique("continuous nice loop", Level.CHAINS, partial(_continuous, SIMPLE), CHAIN + LOOP, se=7.0, hodoku=280),
    Technique("AIC", Level.CHAINS, partial(_aic, SIMPLE), CHAIN + ENDS, se=7.0, hodoku=280),
    Technique("discontinuous nice loop", Level.CHAINS, partial(_discontinuous, SIMPLE), CHAIN + WRONG, hodoku=280),
    Technique(
        "grouped continuous nice loop", Level.CHAINS, partial(_continuous, GROUPED), CHAIN + LOOP + GROUPS, hodoku=300
    ),
    Technique("grouped AIC", Level.CHAINS, partial(_aic, GROUPED), CHAIN + ENDS + GROUPS, hodoku=300),
    Technique(
        "grouped discontinuous nice loop",
        Level.CHAINS,
        partial(_discontinuous, GROUPED),
        CHAIN + WRONG + GROUPS,
        hodoku=300,
    ),
)
