"""Automaton: the values of the cells, read in order, lead from the start to an accepting state.

The regular constraint of Pesant (CP 2004): the states that can be reached before each cell, swept forward, then those
of them from which acceptance can be reached, swept backward. Domain consistent where no cell is read twice.
Cost: cells x live states x candidates. The states before a cell are bitsets of `words` words.
Body: states, words, values, start, accepting states (bitset), for each state the values that it takes, then for each
state and value the next state.
"""

from __future__ import annotations

from numba import int64

from satdoku.kernels.compiled import inlined_bare, lowest_bit


@inlined_bare
def automaton(body, length, code, own, kept, notes):
    """Keep the values that an accepted word has; False if no word is accepted."""
    words = code[body + 1]
    _forward(body, length, code, own, notes)
    accepted = False
    for k in range(words):
        notes[length * words + k] &= code[body + 4 + k]
        accepted |= notes[length * words + k] != 0
    for place in range(length - 1 if accepted else -1, -1, -1):
        kept[place] = _backward(body, place, own[place], code, notes)
    return accepted


@inlined_bare
def _forward(body, length, code, own, notes):
    """The states that can be reached before each cell, and after the last."""
    states = code[body]
    words = code[body + 1]
    values = code[body + 2]
    takes = body + 4 + words
    steps = takes + states
    for k in range(words):
        notes[k] = 0
    notes[code[body + 3] >> 6] = int64(1) << (code[body + 3] & 63)
    for place in range(length):
        word = own[place]
        after = (place + 1) * words
        for k in range(words):
            notes[after + k] = 0
        for k in range(words):
            live = notes[place * words + k]
            while live != 0:
                state = 64 * k + lowest_bit(live)
                live &= live - 1
                rest = code[takes + state] & word
                while rest != 0:
                    target = code[steps + state * values + lowest_bit(rest)]
                    notes[after + (target >> 6)] |= int64(1) << (target & 63)
                    rest &= rest - 1


@inlined_bare
def _backward(body, place, word, code, notes):
    """Drop the states before a cell from which acceptance is out of reach; the values of the cell that are used."""
    states = code[body]
    words = code[body + 1]
    values = code[body + 2]
    takes = body + 4 + words
    steps = takes + states
    after = (place + 1) * words
    kept = int64(0)
    for k in range(words):
        live = notes[place * words + k]
        useful = int64(0)
        while live != 0:
            state = 64 * k + lowest_bit(live)
            rest = code[takes + state] & word
            used = int64(0)
            while rest != 0:
                target = code[steps + state * values + lowest_bit(rest)]
                used |= (rest & -rest) & -(notes[after + (target >> 6)] >> (target & 63) & 1)
                rest &= rest - 1
            if used != 0:
                useful |= live & -live
                kept |= used
            live &= live - 1
        notes[place * words + k] = useful
    return kept
