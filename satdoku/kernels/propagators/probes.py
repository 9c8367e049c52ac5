"""Random descents over propagators, for estimates of counts: see `satdoku.counting.estimates`."""

from __future__ import annotations

from satdoku.kernels.compiled import (
    EXHAUSTED,
    PAUSED,
    Floats,
    Ints,
    Read,
    Shorts3,
    Unsigned64s,
    bit_count,
    entry,
    inlined,
)
from satdoku.kernels.probes import FAILED
from satdoku.kernels.propagators.domains import narrow
from satdoku.kernels.propagators.program import Program
from satdoku.kernels.propagators.search import (
    FIRST_RUN,
    FIXPOINT,
    LEFT,
    NODES,
    RUN,
    PropagationState,
    _advance,
    _propagate,
)
from satdoku.kernels.refill import below


@inlined
def _fewest(first, last, candidates, weights):
    """The open cell with the fewest candidates, of these the first of most weight; -1 if all are fixed."""
    best = -1
    fewest = 65
    heaviest = 0.0
    for cell in range(first, last):
        word = candidates[cell]
        if word & (word - 1) != 0:
            count = bit_count(word)
            if count < fewest or (count == fewest and weights[cell] > heaviest):
                best = cell
                fewest = count
                heaviest = weights[cell]
    return best


@entry
def probe(
    program: Program,
    state: PropagationState,
    root: Read[Ints],
    random: Unsigned64s,
    logarithm: Read[Floats],
    grids: Shorts3,
    logarithms: Floats,
    number: int,
    searching: bool,
    nodes: int,
) -> tuple[int, bool]:
    """Fill in the logarithm of the product of each probe from `number` on, FAILED for one that fails.

    A probe fixes cells of the grid. If auxiliary cells are open then, a search says whether some values of them fit.

    root:      (cells,) the candidates that propagation leaves before the first decision
    logarithm: of 0, 1, ..., as many as there are values
    grids:     (1, 2, cells) work space
    nodes:     after about so many it returns the number to go on with, and whether a search goes on

    """
    candidates, numbers = state.candidates, state.numbers
    while number < len(logarithms) and nodes > 0:
        if not searching:
            for cell in range(len(root)):
                candidates[cell] = root[cell]
            total = 0.0
            cell = _fewest(0, program.grid_cells, candidates, program.weights)
            while cell >= 0:
                word = candidates[cell]
                count = bit_count(word)
                total += logarithm[count]
                for _ in range(below(random, count)):
                    word &= word - 1
                narrow(cell, word & -word, candidates, state.changed)
                nodes -= 1
                if _propagate(program, state) == FIXPOINT:
                    cell = _fewest(0, program.grid_cells, candidates, program.weights)
                else:
                    state.changed[:] = 0
                    state.pending[:] = 0
                    total = FAILED
                    cell = -1
            nodes -= 1
            logarithms[number] = total
            if total == FAILED or _fewest(program.grid_cells, len(candidates), candidates, program.weights) < 0:
                number += 1
                continue
            numbers[:] = 0
            numbers[RUN] = FIRST_RUN
            numbers[LEFT] = FIRST_RUN
            searching = True
        before = numbers[NODES]
        code = _advance(program, state, 1, nodes, 0, grids)
        nodes -= numbers[NODES] - before
        if code != PAUSED:
            if code == EXHAUSTED:
                logarithms[number] = FAILED
            searching = False
            number += 1
    return number, searching
