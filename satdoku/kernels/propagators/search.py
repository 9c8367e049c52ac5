"""The search over the propagators: depth first, x = v before x != v, the candidates copied at each decision."""

from __future__ import annotations

from typing import NamedTuple

from satdoku.kernels.compiled import (
    EXHAUSTED,
    FOUND,
    PAUSED,
    Floats,
    Ints,
    Ints2,
    Read,
    Shorts3,
    allocated,
    entry,
    inlined,
    inner,
    lowest_bit,
)
from satdoku.kernels.propagators.branching import blame, choose, refuted
from satdoku.kernels.propagators.domains import house, intersection, narrow, next_pending, relations, settle
from satdoku.kernels.propagators.exclusions import exclusions
from satdoku.kernels.propagators.program import EXCLUSIONS, HOUSE, INTERSECTION, RELATIONS, Program
from satdoku.kernels.propagators.scoped import scoped

NODES, DEPTH, RETREATS, FAILURES, GRIDS, RUN, LEFT, ROW = range(8)  # of a state; LEFT: failures left of RUN
FIRST_RUN = 100  # failures after which the search first starts anew, with the weights that it has come to
GROWTH = 2  # how much longer each run is than the one before
FIXPOINT, WIPED = -1, -2  # what propagation comes to if nothing fails, and if a cell has no candidates


class PropagationState(NamedTuple):
    candidates: Ints  # (cells,) of the node that is looked at
    changed: Ints  # cells that have changed, as bits: see `domains`
    pending: Ints  # propagators to run, as bits
    saved: Ints2  # (cells + 1, cells) candidates before each open decision
    decisions: Ints2  # (cells + 1, 2) cell and bit
    numbers: Ints  # integers, see above
    weights: Floats  # (cells + values,) see `branching`
    own: Ints  # this and what follows: what `scoped` works on
    kept: Ints
    required: Ints
    notes: Ints


def new_state(program: Program) -> PropagationState:
    cells = len(program.domains)
    shapes = cells, cells // 64 + 1, len(program.pending), (cells + 1, cells), (cells + 1, 2), ROW + 1
    candidates, changed, pending, saved, decisions, numbers = (
        allocated("q", *((shape,) if isinstance(shape, int) else shape)) for shape in shapes
    )
    own, kept, required = (allocated("q", program.positions) for _ in range(3))
    weights, notes = allocated("d", len(program.weights)), allocated("q", program.notes)
    numbers[ROW] = -1
    return PropagationState(
        candidates, changed, pending, saved, decisions, numbers, weights, own, kept, required, notes
    )


def grid(program: Program, state: PropagationState) -> tuple[int, ...]:
    return tuple(word.bit_length() for word in state.candidates[: program.grid_cells].tolist())


@inlined
def _copy(words, target):
    for k in range(len(words)):  # numba copies whole arrays by way of the heap
        target[k] = words[k]


@inner
def _propagate(program, state):
    """Run what is pending: FIXPOINT, the propagator that failed, or WIPED where a cell has no candidates."""
    code, rows, watch, peers, peers_at = program.code, program.rows, program.watch, program.peers, program.peers_at
    peer_sets, candidates, changed = program.peer_sets, state.candidates, state.changed
    pending, notes = state.pending, state.notes
    own, kept, required = state.own, state.kept, state.required
    wiped = settle(candidates, changed, pending, watch, peers, peers_at)
    while wiped < 0:
        propagator = next_pending(pending)
        if propagator < 0:
            return FIXPOINT
        kind = rows[propagator, 0]
        at = rows[propagator, 1]
        if kind == HOUSE:
            fits = house(at, code, candidates, changed)
        elif kind == RELATIONS:
            fits = relations(at, rows[propagator, 2], code, candidates, changed)
        elif kind == INTERSECTION:
            fits = intersection(at, code, candidates, changed)
        elif kind == EXCLUSIONS:
            fits = exclusions(at, code, candidates, changed)
        else:
            fits = scoped(kind, at, code, candidates, changed, peer_sets, own, kept, required, notes)
        if not fits:
            return propagator
        wiped = settle(candidates, changed, pending, watch, peers, peers_at)
    return WIPED


@inlined
def _retreat(program, state):
    candidates, numbers = state.candidates, state.numbers
    if numbers[DEPTH] == 0:
        return False
    numbers[DEPTH] -= 1
    depth = numbers[DEPTH]
    _copy(state.saved[depth], candidates)
    cell = state.decisions[depth, 0]
    bit = state.decisions[depth, 1]
    numbers[FAILURES] += 1
    refuted(cell, bit, numbers[FAILURES], len(candidates), state.weights)
    narrow(cell, candidates[cell] & ~bit, candidates, state.changed)
    numbers[RETREATS] = 0
    return True


@inlined
def _decide(cell, bit, program, state):
    candidates = state.candidates
    depth = state.numbers[DEPTH]
    _copy(candidates, state.saved[depth])
    state.decisions[depth, 0] = cell
    state.decisions[depth, 1] = bit
    state.numbers[DEPTH] += 1
    narrow(cell, bit, candidates, state.changed)


@inlined
def _begin(row, domains, program, state):
    numbers, candidates = state.numbers, state.candidates
    numbers[:] = 0
    numbers[ROW] = row
    numbers[RUN] = FIRST_RUN
    numbers[LEFT] = FIRST_RUN
    for cell in range(len(candidates)):
        word = program.domains[cell]
        if cell < program.grid_cells:
            word &= domains[row, cell]
        candidates[cell] = word
        if word == 0:
            numbers[RETREATS] = 1
    _copy(program.weights, state.weights)
    _copy(program.every_cell, state.changed)
    _copy(program.pending, state.pending)


@inlined
def _fail(failed, program, state):
    """Weigh what has to do with a failure; sometimes, as long as there is no grid, start anew."""
    numbers = state.numbers
    state.changed[:] = 0
    state.pending[:] = 0
    if failed >= 0:
        blame(failed, program.scopes, program.scopes_at, state.weights)
    numbers[RETREATS] = 1
    numbers[LEFT] -= 1
    if numbers[LEFT] <= 0 and numbers[DEPTH] > 0 and numbers[GRIDS] == 0:
        numbers[RUN] *= GROWTH
        numbers[LEFT] = numbers[RUN]
        numbers[DEPTH] = 0
        numbers[RETREATS] = 0
        _copy(state.saved[0], state.candidates)  # what was refuted before the first decision stays so


@inlined
def _record(program, state, row, grids):
    """Count a grid, and note the first two. Decisions on auxiliary cells are dropped, so that each is found once."""
    numbers = state.numbers
    while numbers[DEPTH] > 0 and state.decisions[numbers[DEPTH] - 1, 0] >= program.grid_cells:
        numbers[DEPTH] -= 1
    numbers[RETREATS] = 1
    if numbers[GRIDS] < 2:
        for cell in range(program.grid_cells):
            grids[row, numbers[GRIDS], cell] = lowest_bit(state.candidates[cell]) + 1
    numbers[GRIDS] += 1


@inlined
def _advance(program, state, limit, nodes, row, grids):
    """Search on until there are `limit` grids, for at most `nodes` nodes: EXHAUSTED, FOUND or PAUSED."""
    numbers = state.numbers
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        if numbers[RETREATS] == 1 and not _retreat(program, state):
            return EXHAUSTED
        numbers[NODES] += 1
        failed = _propagate(program, state)
        if failed != FIXPOINT:
            _fail(failed, program, state)
        else:
            cell, bit = choose(program.grid_cells, program.pull, state.candidates, program.houses, state.weights)
            if cell >= 0:
                _decide(cell, bit, program, state)
            else:
                _record(program, state, row, grids)
                if numbers[GRIDS] >= limit:
                    return FOUND
    return PAUSED


@entry
def propagate(program: Program, state: PropagationState, domains: Read[Ints2]) -> int:
    """Begin the first row and propagate: FIXPOINT, the propagator that failed, or WIPED; no search."""
    _begin(0, domains, program, state)
    failed: int = _propagate(program, state)
    return failed


@entry
def advance(
    program: Program,
    state: PropagationState,
    domains: Read[Ints2],
    counts: Ints,
    codes: Ints,
    grids: Shorts3,
    row: int,
    limit: int,
    bound: int,
    nodes: int,
) -> int:
    """Search the puzzles of some rows, the one that is begun first, for at most `nodes` nodes; the row to go on with.

    domains: (rows, cells) candidates
    limit:   grids to find of each; to go on with a row that has found these, give a greater one and the same row
    bound:   nodes after which a puzzle is left
    counts, codes, grids: of each row, the grids found, EXHAUSTED, FOUND or PAUSED, and the first two grids
    """
    numbers = state.numbers
    while row < len(domains) and nodes > 0:
        if numbers[ROW] != row:
            _begin(row, domains, program, state)
        before = numbers[NODES]
        code = _advance(program, state, limit, min(nodes, bound - before), row, grids)
        nodes -= numbers[NODES] - before
        counts[row] = numbers[GRIDS]
        codes[row] = code
        if code == PAUSED and numbers[NODES] < bound:
            break
        row += 1
    return row
