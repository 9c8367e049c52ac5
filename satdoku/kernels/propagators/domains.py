"""The candidates of the cells, and what is pending because some of them went.

A set of candidates is the bits of an int64: bit b stands for the value b + 1. `changed` has a bit for each cell which
has lost candidates since `settle` was last run. `watch` has a row a cell: the propagators to run after any change of
the cell, then those to run once it is fixed. `pending` has a bit for each propagator to run.
"""

from numba import int64

from satdoku.kernels.compiled import inlined_bare, lowest_bit

# The functions of this folder are handed arrays one by one: taking an array out of a tuple costs a count of references.


@inlined_bare
def narrow(cell, word, candidates, changed):
    """Leave a cell with fewer candidates, and note that it has changed; False if none is left."""
    candidates[cell] = word
    changed[cell >> 6] |= int64(1) << (cell & 63)
    return word != 0


@inlined_bare
def settle(candidates, changed, pending, watch, peers, peers_at):
    """Strike the values of fixed cells from their peers, note what to run: -1, or the cell without candidates."""
    words = len(pending)
    last = len(changed) - 1
    at = 0
    while at <= last:
        if changed[at] == 0:
            at += 1
            continue
        cell = 64 * at + lowest_bit(changed[at])
        changed[at] &= changed[at] - 1
        for k in range(words):
            pending[k] |= watch[cell, k]
        bit = candidates[cell]
        if bit & (bit - 1) == 0:
            for k in range(words):
                pending[k] |= watch[cell, words + k]
            for k in range(peers_at[cell], peers_at[cell + 1]):
                word = candidates[peers[k]]
                if word & bit != 0 and not narrow(peers[k], word & ~bit, candidates, changed):
                    return peers[k]
            at = 0
    return int64(-1)


@inlined_bare
def next_pending(pending):
    """The first pending propagator, which then counts as run; -1 if there is none."""
    for k in range(len(pending)):
        word = pending[k]
        if word != 0:
            pending[k] = word & (word - 1)
            return 64 * k + lowest_bit(word)
    return -1
