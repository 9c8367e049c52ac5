"""House: as many cells as values, all different, so each value has a cell.

A value that only one cell can hold is placed there (a hidden single). Cost: two passes over the cells.
Record: size, all values, cells.
"""

from __future__ import annotations

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
