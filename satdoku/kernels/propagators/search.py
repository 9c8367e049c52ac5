"""The search over the propagators: depth first, x = v before x != v, the candidates copied at each decision.

All state is in arrays of the caller: the search stops after a number of nodes and is called again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64
from numpy.typing import NDArray

from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, compiled, inlined, lowest_bit
from satdoku.kernels.propagators.automaton import automaton
from satdoku.kernels.propagators.branching import blame, choose, refuted
from satdoku.kernels.propagators.domains import narrow, next_pending, strike
from satdoku.kernels.propagators.family import family
from satdoku.kernels.propagators.house import house
from satdoku.kernels.propagators.intersection import intersection
from satdoku.kernels.propagators.linear import linear
from satdoku.kernels.propagators.program import AUTOMATON, FAMILY, HOUSE, INTERSECTION, LINEAR, RELATIONS, Program
from satdoku.kernels.propagators.relation import relations
from satdoku.kernels.propagators.table import table

NODES, DEPTH, RETREATS, FAILED, FAILURES = 0, 1, 2, 3, 4
"""Where the integers of a state stand: nodes of this puzzle (-1: none begun), open decisions, whether the last node
failed or was a grid, the propagator that failed (-1: a cell had no candidate), and failures so far."""


class State(NamedTuple):
    """What a search has come to.

    candidates: (cells,) of the node that is looked at
    flow:       what is pending: see `domains`
    saved:      (cells + 1, cells) candidates before each open decision
    decisions:  (cells + 1, 2) cell and bit
    numbers:    integers, see above
    weights:    (cells + values,) see `branching`
    scratch:    what one propagator notes
    """

    candidates: NDArray[np.int64]
    flow: NDArray[np.int64]
    saved: NDArray[np.int64]
    decisions: NDArray[np.int64]
    numbers: NDArray[np.int64]
    weights: NDArray[np.float64]
    scratch: NDArray[np.int64]


def new_state(program: Program) -> State:
    """Arrays for the puzzles of one board."""
    cells = len(program.domains)
    return State(
        np.empty(cells, np.int64),
        np.zeros(1 + program.watch.shape[1] // 2 + cells + 8, np.int64),
        np.empty((cells + 1, cells), np.int64),
        np.empty((cells + 1, 2), np.int64),
        np.full(5, -1, np.int64),
        np.ones(cells + program.values, np.float64),
        np.empty(program.scratch, np.int64),
    )


@compiled
def begin(words, program, state):
    """Set up a puzzle by the candidates of each cell."""
    watch = program.watch
    candidates, flow, numbers = state.candidates, state.flow, state.numbers
    half = watch.shape[1] >> 1
    numbers[NODES] = 0
    numbers[DEPTH] = 0
    numbers[RETREATS] = 0
    numbers[FAILURES] = 0
    state.weights[:] = 1.0
    flow[0] = 0
    for k in range(half):
        flow[1 + k] = program.pending[k]
    for cell in range(len(words)):
        word = words[cell] & program.domains[cell]
        candidates[cell] = word
        if word == 0:
            numbers[RETREATS] = 1
        elif word & (word - 1) == 0:
            flow[1 + half + flow[0]] = cell
            flow[0] += 1


@inlined
def _propagate(program, state):
    """Run what is pending to the fixpoint; False at a contradiction, `numbers[FAILED]` then says which."""
    code, rows, watch, peers, peers_at = program.code, program.rows, program.watch, program.peers, program.peers_at
    candidates, flow, scratch, peer_sets = state.candidates, state.flow, state.scratch, program.peer_sets
    words = watch.shape[1] >> 1
    fits = strike(candidates, flow, watch, peers, peers_at)
    propagator = next_pending(flow, words) if fits else -1
    while propagator >= 0:
        kind = rows[propagator, 0]
        at = rows[propagator, 1]
        if kind == HOUSE:
            fits = house(at, code, candidates, flow, watch)
        elif kind == RELATIONS:
            fits = relations(at, rows[propagator, 2], code, candidates, flow, watch)
        elif kind == INTERSECTION:
            fits = intersection(at, code, candidates, flow, watch)
        elif kind == FAMILY:
            fits = family(at, code, candidates, flow, watch, peer_sets, scratch)
        elif kind == LINEAR:
            fits = linear(at, code, candidates, flow, watch, peer_sets, scratch)
        elif kind == AUTOMATON:
            fits = automaton(at, code, candidates, flow, watch, scratch)
        else:
            fits = table(at, code, candidates, flow, watch, scratch)
        if not fits:
            state.numbers[FAILED] = propagator
            return False
        fits = strike(candidates, flow, watch, peers, peers_at)
        if not fits:
            break
        propagator = next_pending(flow, words)
    state.numbers[FAILED] = -1
    return fits


@inlined
def _fail(program, state):
    """Clear what is pending, and weigh the cells of what failed."""
    for k in range(1 + (program.watch.shape[1] >> 1)):
        state.flow[k] = 0
    if state.numbers[FAILED] >= 0:
        blame(state.numbers[FAILED], program.scopes, program.scopes_at, state.weights)


@inlined
def _retreat(program, state):
    """Take back the last decision and leave its value out; False if there is none."""
    candidates, numbers = state.candidates, state.numbers
    if numbers[DEPTH] == 0:
        return False
    numbers[DEPTH] -= 1
    depth = numbers[DEPTH]
    for cell in range(len(candidates)):
        candidates[cell] = state.saved[depth, cell]
    cell = state.decisions[depth, 0]
    bit = state.decisions[depth, 1]
    numbers[FAILURES] += 1
    refuted(cell, bit, numbers[FAILURES], len(candidates), state.weights)
    narrow(cell, candidates[cell] & ~bit, candidates, state.flow, program.watch)
    numbers[RETREATS] = 0
    return True


@inlined
def _decide(cell, bit, program, state):
    """Try a value of a cell."""
    candidates = state.candidates
    depth = state.numbers[DEPTH]
    for other in range(len(candidates)):
        state.saved[depth, other] = candidates[other]
    state.decisions[depth, 0] = cell
    state.decisions[depth, 1] = bit
    state.numbers[DEPTH] += 1
    narrow(cell, bit, candidates, state.flow, program.watch)


@compiled
def advance(program, state, nodes):
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND (the candidates are the grid) or PAUSED.

    Grids that differ in auxiliary cells alone are found once: decisions on these are dropped with the grid.
    """
    numbers = state.numbers
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        if numbers[RETREATS] == 1 and not _retreat(program, state):
            return EXHAUSTED
        numbers[NODES] += 1
        if not _propagate(program, state):
            _fail(program, state)
            numbers[RETREATS] = 1
        else:
            cell, bit = choose(program.grid_cells, state.candidates, program.houses, state.weights)
            if cell < 0:
                while numbers[DEPTH] > 0 and state.decisions[numbers[DEPTH] - 1, 0] >= program.grid_cells:
                    numbers[DEPTH] -= 1
                numbers[RETREATS] = 1
                return FOUND
            _decide(cell, bit, program, state)
    return PAUSED


@compiled
def grid(program, state, out):
    """Write the grid that was found to `out`, one value a cell."""
    for cell in range(len(out)):
        out[cell] = lowest_bit(state.candidates[cell]) + 1


@compiled
def tally(program, state, count, limit, nodes):
    """Count on, from `count` up to `limit`: (the count, EXHAUSTED, FOUND at the limit, or PAUSED)."""
    numbers = state.numbers
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        code = advance(program, state, target - numbers[NODES])
        if code != FOUND:
            return count, code
        count += 1
        if count >= limit:
            return count, FOUND
    return count, PAUSED
