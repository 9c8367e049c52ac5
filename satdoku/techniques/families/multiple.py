"""Forcing chains from each candidate of a cell, or from each place of a value in a house, to one conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.families.cycles import longer
from satdoku.techniques.graph import Graph
from satdoku.techniques.grid import CandidateGrid, merged
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text

FEWEST = 3  # candidates or places: of two the chain from one to the other is a forcing chain


class Reach(NamedTuple):
    """What follows from a candidate that holds, or does not, by single links.

    levels: the nodes that come after so many links, in turns those that hold and those that do not, each once of a kind
    true, false: all of either kind
    """

    levels: tuple[int, ...]
    true: int
    false: int


def reach(graph: Graph, start: int, most: int | None = None, *, holds: bool = True) -> Reach:
    """most: the links to follow; None for all"""
    levels, seen = [1 << start], [0, 0]
    seen[holds] = 1 << start
    while most is None or len(levels) <= most:
        following = 0
        for node in members(levels[-1]):
            following |= graph.weak[node] if holds else graph.strong[node]
        holds = not holds
        following &= ~seen[holds]
        if not following:
            break
        seen[holds] |= following
        levels.append(following)
    return Reach(tuple(levels), seen[True], seen[False])


def _reaches(grid: CandidateGrid) -> tuple[Graph, list[Reach]]:
    check_time()
    graph = Graph(grid)
    return graph, [reach(graph, node) for node in range(len(graph.nodes))]


class Alternatives(NamedTuple):
    """Candidates one of which holds, and what that is in words."""

    nodes: tuple[int, ...]
    text: str
    houses: tuple[str, ...] = ()


def of_cells(graph: Graph) -> Iterator[Alternatives]:
    """Each cell with FEWEST candidates or more: one of them holds."""
    grid = graph.grid
    for cell in members(grid.open):
        if grid.left[cell].bit_count() >= FEWEST:
            nodes = tuple(graph.index[value, 1 << cell] for value in members(grid.left[cell]))
            board = grid.layout.board
            yield Alternatives(nodes, f"{board.label(cell)} is {values_text(board, grid.left[cell], 'or')}")


def _regions(graph: Graph) -> Iterator[Alternatives]:
    grid, board = graph.grid, graph.grid.layout.board
    for house in grid.layout.houses:
        for value in range(1, board.values + 1):
            places = grid.places[value] & house.cells
            first = (places & -places).bit_length() - 1
            # Sudoku Explainer looks at a house from its first place, and at cells with as many candidates alone.
            if places.bit_count() >= FEWEST and grid.left[first].bit_count() >= FEWEST:
                nodes = tuple(graph.index[value, 1 << cell] for cell in members(places))
                text = f"{house.name} has {board.shown(value)} in one of {cells_text(board, places)}"
                yield Alternatives(nodes, text, (house.name,))


def distance(reach: Reach, node: int, holds: bool) -> int:
    """How many links lead to a node that holds, or does not."""
    return next(number for number in range(not holds, len(reach.levels), 2) if reach.levels[number] >> node & 1)


def _search(cases: Callable[[Graph], Iterable[Alternatives]], name: str, grid: CandidateGrid) -> Iterator[Step]:
    graph, reaches = grid.once(_reaches, _reaches)
    conclusions = list[tuple[int, int, bool, Alternatives]]()
    for case in cases(graph):
        own = [reaches[node] for node in case.nodes]
        true = false = -1
        for reach in own:
            true, false = true & reach.true, false & reach.false
        for common, holds in ((true, True), (false, False)):
            for node in members(common):
                size = sum(distance(reach, node, holds) + 1 for reach in own)
                conclusions.append((size, node, holds, case))
    for size, node, holds, case in sorted(conclusions, key=lambda one: one[:3]):
        yield _step(name, graph, reaches, case, node, holds, size)


def _step(name: str, graph: Graph, reaches: list[Reach], case: Alternatives, node: int, holds: bool, size: int) -> Step:
    paths = [path_to(graph, reaches[start], node, holds) for start in case.nodes]
    texts = [graph.text(path, strong=False) for path in paths]
    value, cells = graph.nodes[node]
    return Step(
        technique=name,
        because=f"{case.text}, and it follows from each: {'; '.join(texts)}",
        placements=((cells.bit_length() - 1, value),) if holds else (),
        eliminations=() if holds else ((value, cells),),
        pattern=merged(graph.nodes[one] for path in paths for one in path),
        houses=case.houses,
        links=tuple(link for path in paths for link in graph.links(path, strong=False)),
        size=size,
    )


def path_to(graph: Graph, reach: Reach, node: int, holds: bool) -> list[int]:
    """A shortest way from the candidate to a node."""
    path = [node]
    for number in range(distance(reach, node, holds), 0, -1):
        before = graph.weak[path[-1]] if number % 2 else graph.strong[path[-1]]
        path.append((reach.levels[number - 1] & before).bit_length() - 1)
    return path[::-1]


EACH = "What follows from each {} holds, by links in turns weak (not both hold) and strong (one of two holds)."

TECHNIQUES = tuple(
    Technique(name, Level.CHAINS, partial(_search, cases), EACH.format(what), se=8.0, se_more=longer)
    for name, cases, what in (
        ("cell forcing chain", of_cells, "candidate of a cell"),
        ("region forcing chain", _regions, "place of a value in a house"),
    )
)
