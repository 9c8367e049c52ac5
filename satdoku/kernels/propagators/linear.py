"""Linear: the sum of coefficient times value is the total.

The cells come in groups: cells of one coefficient that are all peers, so that their values differ and the sums that
such a group can take are few. What the groups add to their least sums is swept as bitsets of one word (the dynamic
program of Trick, 2003), from whichever end leaves less slack; where a word is too short for it, bounds are taken.
A group of one cell then keeps the values that lead to the total, a larger one is a family of sets with such sums; where
sets are too many to list, bounds are taken again. Values count from 0 here, as bits do.
Cost: three times groups x sums, then that of the families.

Record: total, groups, then for each group: coefficient, size, where its cells stand, where the bitset of sums stands
for each union of its candidates (0: sets are not listed), where for each sum the first set with that sum stands.
"""

from __future__ import annotations

from numba import int64

from satdoku.kernels.compiled import inlined_bare, lowest_bit
from satdoku.kernels.propagators.domains import highest_bit, narrow
from satdoku.kernels.propagators.family import GROUPS, begin, collect, conclude

RECORD = 5
"""Words that a group takes in a record."""

LEAST, MOST, SUMS, LEFT, BEFORE, NOTES = 0, 1, 2, 3, 4, 5
"""What `scratch` notes of a group, from GROUPS on: least and greatest sum, the bitset of its sums (0: not known), those
left by the sweep, what the groups before it add; and how many words these are."""

MAX_SLACK = 61
"""What a word holds."""


@inlined_bare
def linear(at, code, candidates, changed, peer_sets, scratch):
    """Strike what cannot lead to the total; False if nothing does."""
    below, above = _bounds(at, code, candidates, scratch)
    if below < 0 or above < 0:
        return False
    if min(below, above) <= MAX_SLACK:
        fits = _sweep(at, min(below, above), below <= above, code, scratch)
    else:
        fits = _cut(at, below, above, code, scratch)
    for group in range(code[at + 1] if fits else 0):
        record = at + 2 + RECORD * group
        note = GROUPS + NOTES * group
        if code[record + 1] == 1:
            cell = code[code[record + 2]]
            left = scratch[note + LEFT]
            if left != scratch[note + SUMS] and not narrow(cell, left, candidates, changed):
                return False
        elif code[record + 3] == 0:
            fits &= _bounded(record, scratch[note + LEAST], scratch[note + MOST], code, candidates, changed)
        elif scratch[note + LEFT] != scratch[note + SUMS]:
            fits &= _summed(record, scratch[note + LEFT], code, candidates, changed, peer_sets, scratch)
        if not fits:
            return False
    return fits


@inlined_bare
def _bounds(at, code, candidates, scratch):
    """Note the sums of each group; how far the total is above the least sum, and below the greatest."""
    below = code[at]
    above = -code[at]
    for group in range(code[at + 1]):
        record = at + 2 + RECORD * group
        note = GROUPS + NOTES * group
        size = code[record + 1]
        union = int64(0)
        for k in range(code[record + 2], code[record + 2] + size):
            union |= candidates[code[k]]
        sums = int64(0)
        if size == 1:
            sums = union
        elif code[record + 3] != 0:
            sums = code[code[record + 3] + union]
        if sums != 0:
            least = lowest_bit(sums)
            most = highest_bit(sums)
        elif size == 1 or code[record + 3] != 0:
            return int64(-1), int64(-1)
        else:
            least = _sum_of_lowest(union, size)
            most = _sum_of_highest(union, size)
            if least < 0:
                return int64(-1), int64(-1)
        scratch[note + LEAST] = least
        scratch[note + MOST] = most
        scratch[note + SUMS] = sums
        coefficient = code[record]
        below -= coefficient * (least if coefficient > 0 else most)
        above += coefficient * (most if coefficient > 0 else least)
    return below, above


@inlined_bare
def _sum_of_lowest(union, number):
    """The least sum of so many different values; -1 if there are not so many."""
    total = int64(0)
    for _ in range(number):
        if union == 0:
            return int64(-1)
        total += lowest_bit(union)
        union &= union - 1
    return total


@inlined_bare
def _sum_of_highest(union, number):
    """The greatest sum of so many different values."""
    total = int64(0)
    for _ in range(number):
        if union != 0:
            value = highest_bit(union)
            total += value
            union ^= int64(1) << value
    return total


@inlined_bare
def _sweep(at, slack, up, code, scratch):
    """Leave the sums of each group with which the total is reached; False if there are none.

    up: whether excess is counted from the least sum, else from the greatest
    """
    groups = code[at + 1]
    within = (int64(1) << (slack + 1)) - 1
    before = int64(1)
    for group in range(groups):
        note = GROUPS + NOTES * group
        scratch[note + BEFORE] = before
        coefficient = code[at + 2 + RECORD * group]
        weight = abs(coefficient)
        ascends = (coefficient > 0) == up
        sums = scratch[note + SUMS]
        after = int64(0)
        for k in range(min(slack // weight, scratch[note + MOST] - scratch[note + LEAST]) + 1):
            total = scratch[note + LEAST] + k if ascends else scratch[note + MOST] - k
            if sums == 0 or sums >> total & 1 != 0:
                after |= before << (weight * k)
        before = after & within
    reaching = int64(1) << slack
    for group in range(groups - 1, -1, -1):
        note = GROUPS + NOTES * group
        coefficient = code[at + 2 + RECORD * group]
        reaching = _sweep_back(note, abs(coefficient), slack, (coefficient > 0) == up, reaching, scratch)
    return reaching != 0


@inlined_bare
def _sweep_back(note, weight, slack, ascends, reaching, scratch):
    """Leave the sums of one group from which the total is reached; the excess before it from which it is."""
    sums = scratch[note + SUMS]
    least = scratch[note + LEAST]
    most = scratch[note + MOST]
    before = scratch[note + BEFORE]
    left = int64(0)
    earlier = int64(0)
    lowest = most + 1
    highest = least - 1
    for k in range(min(slack // weight, most - least) + 1):
        total = least + k if ascends else most - k
        if (sums == 0 or sums >> total & 1 != 0) and (before << (weight * k)) & reaching != 0:
            earlier |= reaching >> (weight * k)
            left |= int64(1) << (total & 63)
            lowest = min(lowest, total)
            highest = max(highest, total)
    scratch[note + LEFT] = left
    scratch[note + LEAST] = lowest
    scratch[note + MOST] = highest
    return earlier


@inlined_bare
def _cut(at, below, above, code, scratch):
    """Leave the sums of each group that bounds on the others allow; False if there are none."""
    for group in range(code[at + 1]):
        note = GROUPS + NOTES * group
        coefficient = code[at + 2 + RECORD * group]
        least = scratch[note + LEAST]
        most = scratch[note + MOST]
        if coefficient > 0:
            highest = min(most, least + below // coefficient)
            lowest = max(least, most - above // coefficient)
        else:
            highest = min(most, least + above // -coefficient)
            lowest = max(least, most - below // -coefficient)
        scratch[note + LEAST] = lowest
        scratch[note + MOST] = highest
        if lowest > highest:
            return False
        if scratch[note + SUMS] != 0:
            left = scratch[note + SUMS] & between(lowest, highest)
            scratch[note + LEFT] = left
            if left == 0:
                return False
    return True


@inlined_bare
def between(lowest, highest):
    """The word of the bits from `lowest` to `highest`; both are cut to what a set of candidates holds."""
    lowest = min(max(lowest, 0), 62)
    highest = min(highest, 61)
    if lowest > highest:
        return int64(0)
    return (int64(1) << (highest + 1)) - (int64(1) << lowest)


@inlined_bare
def _bounded(record, least, most, code, candidates, changed):
    """Keep the values of a group of different ones that its least and greatest sum allow; False if a cell has none."""
    size = code[record + 1]
    cells = code[record + 2]
    union = int64(0)
    for k in range(cells, cells + size):
        union |= candidates[code[k]]
    keep = between(least - _sum_of_highest(union, size - 1), most - _sum_of_lowest(union, size - 1))
    for k in range(cells, cells + size):
        word = candidates[code[k]]
        if word & ~keep != 0 and not narrow(code[k], word & keep, candidates, changed):
            return False
    return True


@inlined_bare
def _summed(record, sums, code, candidates, changed, peer_sets, scratch):
    """Keep what the sets with one of `sums` give each cell of a group; False if no set fits."""
    size = code[record + 1]
    cells = code[record + 2]
    begin(cells, size, code, candidates, scratch)
    while sums != 0:
        index = code[record + 4] + lowest_bit(sums)
        sums &= sums - 1
        collect(cells, size, code[index], code[index + 1], code, candidates, scratch)
    return conclude(cells, size, code, candidates, changed, peer_sets, scratch)
