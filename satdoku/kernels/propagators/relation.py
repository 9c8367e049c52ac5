"""Relation: the values of two cells are one of the pairs of a table.

All tables over one pair of cells are one relation, as are Linears over two cells. The propagator of a cell looks up,
for each relation that the cell is in, which values of the other cell have a partner left: arc consistency (AC-3 with
the lookup of Lecoutre and Vion's bitwise AC, 2008, made for the whole set at once).
Cost: a lookup or two for each relation. Record: relations, chunks, bits a chunk, then (other cell, lookup) for each.
A lookup has one row of words a chunk of the set: what that part of the set supports.
"""

from numba import int64

from satdoku.kernels.compiled import inlined_bare
from satdoku.kernels.propagators.domains import narrow


@inlined_bare
def relations(at, cell, code, candidates, changed):
    """Leave the other cells with the values that this cell supports; False if one is left with nothing."""
    chunks = code[at + 1]
    width = code[at + 2]
    low = (int64(1) << width) - 1
    own = candidates[cell]
    for k in range(at + 3, at + 3 + 2 * code[at], 2):
        other = code[k]
        lookup = code[k + 1]
        supported = int64(0)
        for chunk in range(chunks):
            supported |= code[lookup + (chunk << width) + (own >> (chunk * width) & low)]
        word = candidates[other]
        if word & ~supported != 0 and not narrow(other, word & supported, candidates, changed):
            return False
    return True
