"""FAMILY, LINEAR, COVER, OCCURRENCES, AUTOMATON and PERMUTATION, which leave some values to their own cells.

Then a value that a group of its cells must hold is struck from their common peers (after the Interactive Sudoku
Solver). Record: positions, body, which may be shared, groups, the cell of each position, the positions of each group,
one after another; and the houses of a FAMILY.
"""

from satdoku.kernels.compiled import inlined, int64, lowest_bit
from satdoku.kernels.propagators.automaton import automaton, permutation
from satdoku.kernels.propagators.cover import cover
from satdoku.kernels.propagators.domains import narrow
from satdoku.kernels.propagators.family import family
from satdoku.kernels.propagators.linear import linear
from satdoku.kernels.propagators.occurrences import occurrences
from satdoku.kernels.propagators.program import COVER, FAMILY, LINEAR, OCCURRENCES, PERMUTATION

CELLS = 3  # words of a record before its cells


@inlined
def scoped(kind, at, code, candidates, changed, peer_sets, own, kept, required, notes):
    size = code[at]
    body = code[at + 1]
    for k in range(size):
        own[k] = candidates[code[at + CELLS + k]]
    if kind == LINEAR:
        fits = linear(body, at + CELLS, size, code, peer_sets, own, kept, required, notes)
    elif kind == FAMILY:
        fits = family(body, at + CELLS + size + 1, size, code, candidates, own, kept, required, notes)
    elif kind == COVER:
        fits = cover(body, size, code, own, kept, required, notes)
    elif kind == OCCURRENCES:
        fits = occurrences(body, at + CELLS + size, code[at + 2], size, code, own, kept, required)
    elif kind == PERMUTATION:
        fits = permutation(body, size, code, own, kept, notes)
    else:
        fits = automaton(body, size, code, own, kept, required, notes, code[at + 2] != 0)
    return fits and _strike(at, code, candidates, changed, peer_sets, own, kept, required)


@inlined
def _strike(at, code, candidates, changed, peer_sets, own, kept, required):
    """Leave the cells what is kept, and strike required values from common peers; False if a cell has none left."""
    size = code[at]
    cells = at + CELLS
    for k in range(size):
        if kept[k] != own[k]:
            cell = code[cells + k]  # which may be read twice
            if not narrow(cell, candidates[cell] & kept[k], candidates, changed):
                return False
    position = 0
    for group in range(code[at + 2]):
        word = required[group]
        count = code[cells + size + group]
        for k in range(position, position + count):
            word &= ~(kept[k] & -(kept[k] & (kept[k] - 1) == 0))  # those of fixed cells are struck anyway
        while word != 0:
            bit = word & -word
            word &= word - 1
            if not _require(bit, cells, position, position + count, code, candidates, changed, peer_sets, kept):
                return False
        position += count
    return True


@inlined
def _require(bit, cells, first, last, code, candidates, changed, peer_sets, kept):
    """Strike a value from the common peers of the cells of a group that can hold it; False if one has none left."""
    places = int64(0)
    for k in range(first, last):
        places |= kept[k]
    if places & bit == 0:
        return False
    for word in range(peer_sets.shape[1]):
        common = int64(-1)
        for k in range(first, last):
            if kept[k] & bit != 0:
                common &= peer_sets[code[cells + k], word]
        while common != 0:
            peer = 64 * word + lowest_bit(common)
            common &= common - 1
            left = candidates[peer] & ~bit
            if left != candidates[peer] and not narrow(peer, left, candidates, changed):
                return False
    return True
