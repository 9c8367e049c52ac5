"""Houses: as many cells as values, all different, so each value has a cell. Each propagator takes two passes over them.

House: a value that only one cell can hold is placed there (a hidden single). Record: size, all values, cells.

Intersection: where houses A and B share two cells or more, A without B holds the values of B without A: both hold all
values once, and the shared cells hold the same ones. What one side cannot hold is struck from the other. This contains
locked candidates (pointing and claiming), and is known as the law of leftovers.
Record: cells a side, cells of A without B, cells of B without A.
"""

from numba import int64

from satdoku.kernels.compiled import inlined_bare
from satdoku.kernels.propagators.domains import narrow


@inlined_bare
def house(at, code, candidates, changed):
    """Place hidden singles; False if a value has no cell, or two share one."""
    size = code[at]
    one = int64(0)
    two = int64(0)
    fixed = int64(0)
    for k in range(at + 2, at + 2 + size):
        word = candidates[code[k]]
        two |= one & word
        one |= word
        fixed |= word & -int64(word & (word - 1) == 0)
    if one != code[at + 1]:
        return False
    hidden = one & ~two & ~fixed
    if hidden != 0:
        for k in range(at + 2, at + 2 + size):
            single = candidates[code[k]] & hidden
            if single != 0:
                if single & (single - 1) != 0:
                    return False
                narrow(code[k], single, candidates, changed)
    return True


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
