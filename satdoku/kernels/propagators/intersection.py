"""Intersection: where houses A and B share two cells or more, A without B holds the values of B without A.

Both hold all values once, and the shared cells hold the same ones, so what one side cannot hold is struck from the
other. This contains locked candidates (pointing and claiming), and is known as the law of leftovers.
Cost: two passes over the cells outside. Record: cells a side, cells of A without B, cells of B without A.
"""

from __future__ import annotations

from numba import int64

from satdoku.kernels.compiled import inlined_bare
from satdoku.kernels.propagators.domains import narrow


@inlined_bare
def intersection(at, code, candidates, changed):
    """Strike from each side what the other cannot hold; False if a cell is left with nothing."""
    size = code[at]
    first = int64(0)
    second = int64(0)
    for k in range(at + 1, at + 1 + size):
        first |= candidates[code[k]]
        second |= candidates[code[k + size]]
    if first != second:
        both = first & second
        for k in range(at + 1, at + 1 + 2 * size):
            word = candidates[code[k]]
            if word & ~both != 0 and not narrow(code[k], word & both, candidates, changed):
                return False
    return True
