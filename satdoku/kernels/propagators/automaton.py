"""Automaton: the values of the cells, read in order, lead from the start to an accepting state.

The regular constraint of Pesant (CP 2004): the states that can be reached before each cell, swept forward, then those
of them from which acceptance can be reached, swept backward. Domain consistent where no cell is read twice.
Cost: cells x live states x candidates. The states before a cell are bitsets of `words` words.
Record: cells read, states, words, values, start, the cells, accepting states (bitset), for each state the values that
it takes, then for each state and value the next state.
"""

from __future__ import annotations

from numba import int64

from satdoku.kernels.compiled import inlined_bare, lowest_bit
from satdoku.kernels.propagators.domains import narrow


@inlined_bare
def automaton(at, code, candidates, changed, scratch):
    """Strike the values that no accepted word has; False if no word is accepted."""
    length = code[at]
    words = code[at + 2]
    _forward(at, code, candidates, scratch)
    accepting = at + 5 + length
    accepted = False
    for k in range(words):
        scratch[length * words + k] &= code[accepting + k]
        accepted |= scratch[length * words + k] != 0
    if not accepted:
        return False
    for place in range(length - 1, -1, -1):
        cell = code[at + 5 + place]
        kept = _backward(at, place, candidates[cell], code, scratch)
        if kept != candidates[cell] and not narrow(cell, kept, candidates, changed):
            return False
    return True


@inlined_bare
def _forward(at, code, candidates, scratch):
    """The states that can be reached before each cell, and after the last."""
    length = code[at]
    states = code[at + 1]
    words = code[at + 2]
    values = code[at + 3]
    takes = at + 5 + length + words
    steps = takes + states
    for k in range(words):
        scratch[k] = 0
    scratch[code[at + 4] >> 6] = int64(1) << (code[at + 4] & 63)
    for place in range(length):
        word = candidates[code[at + 5 + place]]
        after = (place + 1) * words
        for k in range(words):
            scratch[after + k] = 0
        for k in range(words):
            live = scratch[place * words + k]
            while live != 0:
                state = 64 * k + lowest_bit(live)
                live &= live - 1
                rest = code[takes + state] & word
                while rest != 0:
                    target = code[steps + state * values + lowest_bit(rest)]
                    scratch[after + (target >> 6)] |= int64(1) << (target & 63)
                    rest &= rest - 1


@inlined_bare
def _backward(at, place, word, code, scratch):
    """Drop the states before a cell from which acceptance is out of reach; the values of the cell that are used."""
    states = code[at + 1]
    words = code[at + 2]
    values = code[at + 3]
    takes = at + 5 + code[at] + words
    steps = takes + states
    after = (place + 1) * words
    kept = int64(0)
    for k in range(words):
        live = scratch[place * words + k]
        useful = int64(0)
        while live != 0:
            state = 64 * k + lowest_bit(live)
            rest = code[takes + state] & word
            used = int64(0)
            while rest != 0:
                target = code[steps + state * values + lowest_bit(rest)]
                used |= (rest & -rest) & -(scratch[after + (target >> 6)] >> (target & 63) & 1)
                rest &= rest - 1
            if used != 0:
                useful |= live & -live
                kept |= used
            live &= live - 1
        scratch[place * words + k] = useful
    return kept
