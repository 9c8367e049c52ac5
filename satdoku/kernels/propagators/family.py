"""SetFamily: the cells hold the values of one of some sets, each value once. Cages and renbans are such families.

Of each set that the candidates allow, a matching of values to cells is looked for by singles, to the fixpoint; a cell
keeps the values that some set gives it. A value that all sets left have is required: it is in the cages' cells, and is
struck from the peers that these have in common. The combinations of cages go back to killer Sudoku solvers; the
required values are after the Interactive Sudoku Solver.
Cost: sets x cells, some times. Record: cells, sets, the cells, the sets.

In `scratch`, the cells' candidates within one set come first, what the cells keep from `KEPT` on, and at `REQUIRED`
the values that are required.
"""

from __future__ import annotations

from numba import int64

from satdoku.kernels.compiled import inlined_bare, lowest_bit
from satdoku.kernels.propagators.domains import narrow

KEPT, REQUIRED, GROUPS = 64, 128, 129
"""Cells of a family are at most 62, as values are. What other propagators note comes from GROUPS on."""


@inlined_bare
def family(at, code, candidates, changed, peer_sets, scratch):
    """Strike what no set gives a cell, and required values from common peers; False if no set fits."""
    size = code[at]
    cells = at + 2
    begin(cells, size, code, candidates, scratch)
    collect(cells, size, cells + size, cells + size + code[at + 1], code, candidates, scratch)
    return conclude(cells, size, code, candidates, changed, peer_sets, scratch)


@inlined_bare
def begin(cells, size, code, candidates, scratch):
    """Nothing kept yet."""
    scratch[REQUIRED] = -1
    for k in range(size):
        scratch[KEPT + k] = 0


@inlined_bare
def collect(cells, size, first, last, code, candidates, scratch):
    """Keep what the sets from `first` to `last` give each cell."""
    union = int64(0)
    fixed = int64(0)
    for k in range(cells, cells + size):
        word = candidates[code[k]]
        union |= word
        fixed |= word & -int64(word & (word - 1) == 0)
    for at in range(first, last):
        values = code[at]
        if values & ~union == 0 and fixed & ~values == 0 and _matches(cells, size, values, code, candidates, scratch):
            scratch[REQUIRED] &= values
            missing = scratch[REQUIRED] & ~fixed
            for k in range(size):
                kept = scratch[KEPT + k] | scratch[k]
                scratch[KEPT + k] = kept
                missing |= candidates[code[cells + k]] & ~kept
            if missing == 0:
                break  # each further set could only give what is kept


@inlined_bare
def _matches(cells, size, values, code, candidates, scratch):
    """Singles within one set, to the fixpoint; False if a cell or a value is left over."""
    for k in range(size):
        scratch[k] = candidates[code[cells + k]] & values
    every = (int64(1) << size) - 1
    placed = int64(0)
    done = int64(0)
    going = True
    while going:
        before = done
        placed, done, one, two = _naked(size, placed, done, scratch)
        if one != values:
            return False
        hidden = one & ~two & ~placed
        if hidden != 0 and not _hidden(size, hidden, scratch):
            return False
        going = done != every and (hidden != 0 or done != before)
    return True


@inlined_bare
def _naked(size, placed, done, scratch):
    """Place the cells that have one value left; what is placed, which cells are, and values of one cell and of two.

    Where a cell has none left, the values come out as none.
    """
    one = int64(0)
    two = int64(0)
    for k in range(size):
        word = scratch[k]
        if done >> k & 1 == 0:
            word &= ~placed
            if word == 0:
                return placed, done, int64(0), int64(0)
            if word & (word - 1) == 0:
                placed |= word
                done |= int64(1) << k
            scratch[k] = word
        two |= one & word
        one |= word
    return placed, done, one, two


@inlined_bare
def _hidden(size, hidden, scratch):
    """Leave the cells that alone have some values with these; False if two are of one cell."""
    for k in range(size):
        single = scratch[k] & hidden
        if single != 0:
            if single & (single - 1) != 0:
                return False
            scratch[k] = single
    return True


@inlined_bare
def conclude(cells, size, code, candidates, changed, peer_sets, scratch):
    """Strike what was not kept, then required values from common peers."""
    required = scratch[REQUIRED]
    if required == -1:
        return False
    for k in range(size):
        cell = code[cells + k]
        kept = scratch[KEPT + k]
        if kept != candidates[cell]:
            narrow(cell, kept, candidates, changed)
        required &= ~(kept & -int64(kept & (kept - 1) == 0))
    while required != 0:
        bit = required & -required
        required &= required - 1
        for word in range(peer_sets.shape[1]):
            common = int64(-1)
            for k in range(size):
                if scratch[KEPT + k] & bit != 0:
                    common &= peer_sets[code[cells + k], word]
            while common != 0:
                peer = 64 * word + lowest_bit(common)
                common &= common - 1
                left = candidates[peer] & ~bit
                if left != candidates[peer] and not narrow(peer, left, candidates, changed):
                    return False
    return True
