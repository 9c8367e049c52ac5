"""Table: the values of three cells or more are one of the tuples of a table.

Compact-table (Demeulenaere et al., CP 2016) without its incremental state: the tuples that fit are a bitset, worked
out anew from the candidates. Domain consistent. Cost: cells x candidates x words of tuples, twice.
Body: values, words, then for each cell and value the bitset of tuples that have it.
"""

from __future__ import annotations

from numba import int64

from satdoku.kernels.compiled import inlined_bare, lowest_bit


@inlined_bare
def table(body, arity, code, own, kept, notes):
    """Keep the values that a fitting tuple has; False if no tuple fits."""
    values = code[body]
    words = code[body + 1]
    supports = body + 2
    some = False
    for k in range(words):
        fitting = int64(-1)
        for place in range(arity):
            rest = own[place]
            having = int64(0)
            while rest != 0:
                having |= code[supports + (place * values + lowest_bit(rest)) * words + k]
                rest &= rest - 1
            fitting &= having
        notes[k] = fitting
        some |= fitting != 0
    for place in range(arity if some else 0):
        supported = int64(0)
        rest = own[place]
        while rest != 0:
            first = supports + (place * values + lowest_bit(rest)) * words
            for k in range(words):
                if code[first + k] & notes[k] != 0:
                    supported |= rest & -rest
                    break
            rest &= rest - 1
        kept[place] = supported
    return some
