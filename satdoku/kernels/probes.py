"""Random descents for estimates of counts: see `satdoku.counting.estimates`."""

from __future__ import annotations

from satdoku.kernels.compiled import Floats, Ints, Read, Unsigned64s, bit_count, entry
from satdoku.kernels.general import RETREATS, Search, begin, fewest, narrow, propagate
from satdoku.kernels.refill import below

FAILED = -1.0  # no logarithm of a number from 1 on


@entry
def probe(words: Read[Ints], search: Search, random: Unsigned64s, logarithm: Read[Floats], logarithms: Floats) -> None:
    """Fill in the logarithm of the product of each probe, FAILED for one that fails; `logarithm`: of 0, 1, ..., 64."""
    candidates = search.candidates
    for number in range(len(logarithms)):
        begin(search, words)
        total = 0.0
        while True:
            if search.numbers[RETREATS] == 1 or not propagate(search):
                total = FAILED
                break
            cell = fewest(candidates)
            if cell < 0:
                break
            word = candidates[cell]
            count = bit_count(word)
            total += logarithm[count]
            for _ in range(below(random, count)):
                word &= word - 1
            narrow(cell, word & -word, search)
        logarithms[number] = total
