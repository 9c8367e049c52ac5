"""Kraken: chains from each candidate of a cell, or from each place of a value in a house, that end alike.

They take the links of grouped chains, through marks too. On plain boards forcing chains, which rate these, have them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from operator import and_

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.exclusions import marks_between
from satdoku.techniques.families.chains import with_sets
from satdoku.techniques.families.multiple import FEWEST, Alternatives, Reach, distance, of_cells, path_to, reach
from satdoku.techniques.graph import Graph
from satdoku.techniques.grid import CandidateGrid, merged
from satdoku.techniques.step import Level, Link, Step, Technique
from satdoku.techniques.words import cells_text
from satdoku.words import joined

SHORT = 3  # links of a chain, to what it excludes, that are followed first
MAX_LINKS = 9  # of a chain, to what it excludes

Branches = tuple[Graph, list[Reach]]


def _short(grid: CandidateGrid) -> Branches:
    return _branches(grid, SHORT)


def _long(grid: CandidateGrid) -> Branches:
    return _branches(grid, MAX_LINKS)


def _branches(grid: CandidateGrid, most: int) -> Branches:
    """What follows from each candidate by itself; those are the first nodes of the graph."""
    check_time()
    graph = grid.once(with_sets, with_sets).graph
    every = sum(places.bit_count() for places in grid.places)
    return graph, [reach(graph, node, most) for node in range(every)]


def _houses(graph: Graph) -> Iterator[Alternatives]:
    grid, board = graph.grid, graph.grid.layout.board
    for house in grid.layout.houses:
        for value in range(1, board.values + 1):
            places = grid.places[value] & house.cells
            nodes = tuple(graph.index[value, 1 << cell] for cell in members(places))
            text = f"{house.name} has {board.shown(value)} in one of {cells_text(board, places)}"
            yield Alternatives(nodes, text, (house.name,))


CASES = {"kraken cell": of_cells, "kraken house": _houses}


def _search(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Those of short chains first, then those of few links in all."""
    if grid.layout.plain:
        return
    for branches in (_short, _long):
        (graph, reaches), conclusions = grid.once(branches, branches), list[tuple[int, int, Alternatives]]()
        every = (1 << len(reaches)) - 1
        for case in CASES[name](graph):
            if len(case.nodes) >= FEWEST:
                own = [reaches[node] for node in case.nodes]
                for node in members(reduce(and_, (each.false for each in own), every)):
                    conclusions.append((sum(distance(each, node, False) for each in own), node, case))
        for size, node, case in sorted(conclusions, key=lambda one: one[:2]):
            yield _step(name, graph, [path_to(graph, reaches[start], node, False) for start in case.nodes], case, size)


def _step(name: str, graph: Graph, paths: list[list[int]], case: Alternatives, size: int) -> Step:
    """What the chains exclude together, which is more than the node that they lead to if their ends exclude more."""
    chains = [path[:-1] for path in paths]
    effect = graph.strikes(reduce(and_, (graph.off[chain[-1]] for chain in chains)))
    links, through = list[Link](), list[Link]()
    texts = [graph.text(chain, strong=False) for chain in chains]
    for chain in chains:
        own = graph.links(chain, strong=False)
        links += own
        through += (
            link for link, pair in zip(own, pairwise(chain), strict=True) if not link.strong or pair in graph.marked
        )
        end = graph.nodes[chain[-1]]
        ends = (Link(end, (value, 1 << cell), False) for value, cells in effect for cell in members(cells))
        through += ends
    marks = marks_between(graph.grid, through)
    with_marks = f", with links through {joined(marks)}" if marks else ""
    return Step(
        technique=name,
        because=f"{case.text}, and each leads to what excludes these: {'; '.join(texts)}{with_marks}",
        eliminations=effect,
        pattern=merged(graph.nodes[node] for chain in chains for node in chain),
        houses=case.houses + marks,
        links=tuple(links),
        size=size,
    )


EACH = (
    "From each {} a chain of links in turns weak (not both hold) and strong (one of two holds), of at most "
    f"{MAX_LINKS} links, leads to what it excludes: what all exclude does not hold."
)

TECHNIQUES = tuple(
    Technique(name, Level.CHAINS, _search, EACH.format(what), limits="boards with more than rows, columns and regions")
    for name, what in (("kraken cell", "candidate of a cell"), ("kraken house", "place of a value in a house"))
)
