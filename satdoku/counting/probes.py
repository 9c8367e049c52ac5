"""The compiled probes of `satdoku.counting.estimates`."""

from __future__ import annotations

import numpy as np

from satdoku.kernels.compiled import bit_count, compiled
from satdoku.kernels.general import RETREATS, begin, fewest, narrow, propagate
from satdoku.kernels.refill import below


@compiled
def probe(words, search, random, logarithms):
    """Fill in the natural logarithm of the product of each probe, -inf for one that fails."""
    full, peers, peers_at, houses, houses_of, candidates, trail, _, queue, changed, numbers = search
    for number in range(len(logarithms)):
        changed[:] = 0
        begin(search, words)
        total = 0.0
        while True:
            if numbers[RETREATS] == 1 or not propagate(
                full, peers, peers_at, houses, houses_of, candidates, trail, queue, changed, numbers
            ):
                total = -np.inf
                break
            cell = fewest(candidates)
            if cell < 0:
                break
            word = candidates[cell]
            count = bit_count(word)
            total += np.log(count)
            for _ in range(below(random, count)):
                word &= word - 1
            narrow(cell, word & -word, houses_of, candidates, trail, queue, changed, numbers)
        logarithms[number] = total
