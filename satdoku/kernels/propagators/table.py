"""Table: the values of three cells or more are one of the tuples of a table.

Compact-table (Demeulenaere et al., CP 2016) without its incremental state: the tuples that fit are a bitset, worked
out anew from the candidates. Domain consistent. Cost: cells x candidates x words of tuples, twice.
Record: cells, values, words, the cells, then for each cell and value the bitset of tuples that have it.
"""

from __future__ import annotations

from numba import int64

from satdoku.kernels.compiled import inlined_bare, lowest_bit
from satdoku.kernels.propagators.domains import narrow


@inlined_bare
def table(at, code, candidates, changed, scratch):
    """Strike the values that no fitting tuple has; False if no tuple fits."""
    arity = code[at]
    values = code[at + 1]
    words = code[at + 2]
    supports = at + 3 + arity
    some = False
    for k in range(words):
        fitting = int64(-1)
        for place in range(arity):
            rest = candidates[code[at + 3 + place]]
            having = int64(0)
            while rest != 0:
                having |= code[supports + (place * values + lowest_bit(rest)) * words + k]
                rest &= rest - 1
            fitting &= having
        scratch[k] = fitting
        some |= fitting != 0
    for place in range(arity if some else 0):
        cell = code[at + 3 + place]
        word = candidates[cell]
        kept = int64(0)
        rest = word
        while rest != 0:
            first = supports + (place * values + lowest_bit(rest)) * words
            for k in range(words):
                if code[first + k] & scratch[k] != 0:
                    kept |= rest & -rest
                    break
            rest &= rest - 1
        if kept != word and not narrow(cell, kept, candidates, changed):
            return False
    return some
