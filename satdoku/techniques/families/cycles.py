"""Chains and cycles with one conclusion each and the short ones first, as Sudoku Explainer rates them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from satdoku.puzzle import members
from satdoku.techniques.families.chains import Chains, chain_step
from satdoku.techniques.graph import Chain, Ends, Graph
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.step import Level, Step, Technique

LENGTHS = (4, *(more << power for power in range(1, 12) for more in (3, 4)))  # each that is passed adds 0.1
AT_BOTH_ENDS = 2  # a conclusion counts as a link's start and as its end


def longer(step: Step) -> float:
    """What the length of a chain adds to its rating."""
    return 0.1 * bisect_left(LENGTHS, step.size - AT_BOTH_ENDS)


def _of_one_value(grid: CandidateGrid) -> Chains:
    return _with_cycles(Graph(grid, cells=False))


def _through_cells(grid: CandidateGrid) -> Chains:
    return _with_cycles(Graph(grid, values=False))


def _of_both(grid: CandidateGrid) -> Chains:
    return _with_cycles(Graph(grid))


def _with_cycles(graph: Graph) -> Chains:
    """Those too whose ends exclude each other."""
    return Chains(graph, ends_of=lambda start: graph.joint(start) | graph.excluding(start))


Finder = Callable[[CandidateGrid], Chains]


def _cycle(kind: Finder, name: str, grid: CandidateGrid) -> Iterator[Step]:
    chains = grid.once(kind, kind)
    graph = chains.graph
    for ends in chains:
        if ends.start == ends.end or not graph.weak[ends.end] >> ends.start & 1:
            continue
        chain = graph.path(ends)
        effect = _both_ways(graph, chain)
        if effect:
            step = chain_step(
                name, graph, chain, effect, "one end excludes the other, so of each link exactly one holds"
            )
            yield replace(step, size=len(chain.nodes))


def _both_ways(graph: Graph, chain: Chain) -> tuple[Strike, ...]:
    """What is excluded whichever way the cycle is gone: every second candidate holds, or all others do.

    Other cells than its own alone are looked at.
    """
    peers, own, seen = graph.grid.layout.peers, 0, dict[int, list[int]]()
    for number, node in enumerate(chain.nodes):
        value, cells = graph.nodes[node]
        own |= cells
        seen.setdefault(value, [0, 0])[number % 2] |= peers[cells.bit_length() - 1]
    return graph.grid.present((value, one & other & ~own) for value, (one, other) in seen.items())


def _forcing(kind: Finder, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Of each conclusion the shortest chain."""
    chains = grid.once(kind, kind)
    graph = chains.graph
    removals, values = dict[int, Ends](), dict[int, Ends]()
    for ends in chains:
        if ends.start == ends.end:
            values.setdefault(ends.start, ends)
        else:
            for bit in members(graph.off[ends.start] & graph.off[ends.end]):
                removals.setdefault(bit, ends)
    steps = list[tuple[int, Strike, bool, Ends]]()
    steps += [(ends.links + 1 + AT_BOTH_ENDS, graph.nodes[bit], False, ends) for bit, ends in removals.items()]
    steps += [(ends.links + 1, graph.nodes[node], True, ends) for node, ends in values.items()]
    for size, (value, cells), holds, ends in sorted(steps, key=lambda step: (step[0], step[1][::-1])):
        chain = graph.path(ends)
        why = "if it did not hold, it would hold" if holds else "it would exclude both ends, one of which holds"
        step = chain_step(name, graph, chain, ((value, cells),), why)
        if holds:
            step = replace(step, placements=((cells.bit_length() - 1, value),), eliminations=())
        yield replace(step, size=size)


LINKS = "Links in turns strong (one of two candidates holds) and weak (not both hold), "
CYCLE = ", that come back to their start: of each link exactly one holds, and what is excluded either way does not."
FORCED = ": a candidate that excludes both ends does not hold, one that is both ends holds."


def _technique(
    name: str, search: Callable[[Finder, str, CandidateGrid], Iterator[Step]], kind: Finder, statement: str, se: float
) -> Technique:
    return Technique(name, Level.CHAINS, partial(search, kind), LINKS + statement, se=se, se_more=longer)


TECHNIQUES = (
    _technique("X-cycle", _cycle, _of_one_value, "of one value" + CYCLE, 6.5),
    _technique("Y-cycle", _cycle, _through_cells, "through cells of two values" + CYCLE, 6.5),
    _technique("forcing X-chain", _forcing, _of_one_value, "of one value" + FORCED, 6.6),
    _technique("XY-cycle", _cycle, _of_both, "of both kinds" + CYCLE, 7.0),
    _technique("forcing chain", _forcing, _of_both, "of both kinds" + FORCED, 7.0),
)
