"""The candidates of the cells, and what is pending because some of them went.

A set of candidates is the bits of an int64: bit b stands for the value b + 1. `flow` holds what has yet to be
propagated: the number of fixed cells on the stack, one bit a propagator, then the stack itself. `watch` has a
row a cell: the propagators to run after any change of the cell, then those to run once it is fixed.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from satdoku.kernels.compiled import inlined, lowest_bit

# The functions of this folder are handed arrays one by one: taking an array out of a tuple costs a count of references.


@inlined
def narrow(cell, word, candidates, flow, watch):
    """Leave a cell with fewer candidates, and note what follows; False if none is left."""
    words = watch.shape[1] >> 1
    candidates[cell] = word
    for k in range(words):
        flow[1 + k] |= watch[cell, k]
    if word & (word - 1) == 0:
        for k in range(words):
            flow[1 + k] |= watch[cell, words + k]
        flow[1 + words + flow[0]] = cell
        flow[0] += 1
    return word != 0


@inlined
def strike(candidates, flow, watch, peers, peers_at):
    """Strike the values of the fixed cells on the stack from their peers; False if a peer has no other."""
    words = watch.shape[1] >> 1
    while flow[0] > 0:
        flow[0] -= 1
        cell = flow[1 + words + flow[0]]
        bit = candidates[cell]
        for k in range(peers_at[cell], peers_at[cell + 1]):
            word = candidates[peers[k]]
            if word & bit != 0 and not narrow(peers[k], word & ~bit, candidates, flow, watch):
                return False
    return True


@inlined
def next_pending(flow, words):
    """The first pending propagator, which then counts as run; -1 if there is none."""
    for k in range(words):
        word = flow[1 + k]
        if word != 0:
            flow[1 + k] = word & (word - 1)
            return 64 * k + lowest_bit(word)
    return -1


@intrinsic
def highest_bit(context: Any, word: Any) -> Any:
    """The index of the highest set bit of an int64 that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate
