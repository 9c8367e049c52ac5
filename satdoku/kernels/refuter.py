"""A search that writes down why a formula over cells and values has no solution, as a DRUP proof.

It assumes values and propagates as the checker does. Where that fails, the negation of all that is assumed is a clause
of the proof, which rules the last of them out under the others, and the search goes on from there.
"""

from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, compiled_bare
from satdoku.kernels.rup import ASSIGNED, CONFLICT, FALSE, PROPAGATED, TRUE, assign, propagate, undo

BLAME = 0.5  # what a failure adds to the weight of 1 of its cell: 0 takes half as many nodes again


@compiled_bare
def refute(grid, size, nodes, proof, levels, weights, state):
    """Go on for at most `nodes` nodes: (EXHAUSTED if refuted, FOUND for a solution, or PAUSED; the length of `proof`).

    grid:   the only grid, which a clause forbids, or 0s: none of its values is assumed first, so that this fails
    levels: (cells + 1, 2) each assumption and what was on the trail before it; the first row is their number
    weights: of each cell, more where propagation has failed
    """
    depth = levels[0, 0]
    written = 0
    for _ in range(nodes):
        if written + depth + 1 > len(proof):
            break
        if state.numbers[CONFLICT] == 0 and not propagate(state):
            variable = _choice(grid, size, depth == 0, weights, state.value)
            if variable == 0:
                return FOUND, written
            depth += 1
            levels[depth, 0] = variable
            levels[depth, 1] = state.numbers[ASSIGNED]
            assign(2 * variable, state)
            continue
        for level in range(1, depth + 1):
            proof[written] = -levels[level, 0]
            written += 1
        proof[written] = 0
        written += 1
        if depth == 0:
            return EXHAUSTED, written
        failed = ((state.trail[state.numbers[PROPAGATED] - 1] >> 1) - 1) // size
        if failed < len(grid):
            weights[failed] += BLAME
        undo(levels[depth, 1], state)
        assign(2 * levels[depth, 0] + 1, state)
        depth -= 1
    levels[0, 0] = depth
    return PAUSED, written


@compiled_bare
def _choice(grid, size, first, weights, value):
    """The variable of a value in the open cell of most weight for each of its values; 0 if no cell is open."""
    best, most = 0, -1.0
    for cell in range(len(grid)):
        left = 0
        chosen = 0
        for variable in range(cell * size + 1, cell * size + size + 1):
            if value[2 * variable] == TRUE:
                left = 0
                break
            if value[2 * variable] != FALSE:
                left += 1
                if not first or variable != cell * size + grid[cell]:
                    chosen = variable
        if left > 1 and weights[cell] / left > most:
            best, most = chosen, weights[cell] / left
    return best
