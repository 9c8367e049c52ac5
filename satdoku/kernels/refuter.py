"""A search that writes down why a formula over cells and values has no solution, as a DRUP proof.

It assumes values and propagates as the checker does. Where that fails, the negation of all that is assumed is a clause
of the proof, which rules the last of them out under the others, and the search goes on from there.
"""

from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, compiled
from satdoku.kernels.rup import ASSIGNED, CONFLICT, FALSE, TRUE, assign, propagate, undo


@compiled
def refute(grid, size, nodes, proof, levels, state):
    """Go on for at most `nodes` nodes: (EXHAUSTED if refuted, FOUND for a solution, or PAUSED; the length of `proof`).

    grid:   the only grid, which a clause forbids, or 0s: none of its values is assumed first, so that this fails
    levels: (cells + 1, 2) each assumption and what was on the trail before it; the first row is their number
    """
    depth = levels[0, 0]
    written = 0
    for _ in range(nodes):
        if written + depth + 1 > len(proof):
            break
        if state.numbers[CONFLICT] == 0 and not propagate(state):
            variable = _choice(grid, size, depth == 0, state.value)
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
        undo(levels[depth, 1], state)
        assign(2 * levels[depth, 0] + 1, state)
        depth -= 1
    levels[0, 0] = depth
    return PAUSED, written


@compiled
def _choice(grid, size, first, value):
    """The variable of a value in the first cell with the fewest that are open; 0 if no cell is open."""
    best = 0
    fewest = size + 1
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
        if 1 < left < fewest:
            fewest = left
            best = chosen
            if fewest == 2:
                break
    return best
