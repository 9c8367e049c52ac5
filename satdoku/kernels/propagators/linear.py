"""Linear: the sum of coefficient times value is the total; values count from 0 here, as bits do.

The cells come in groups: cells of one coefficient that are all peers. What the groups add to their least sums is swept
as bitsets of one word (the dynamic program of Trick, 2003), or by bounds. A group of one cell then keeps the values
that lead to the total, a larger one is a family of sets with such sums, or bounded where these are too many to list.
Body: total, groups, the coefficient of each position, then for each group: coefficient, size, its first position, where
the bitset of sums stands for each union of its candidates (0: sets are not listed), where for each sum its sets begin.
"""

from satdoku.kernels.compiled import highest_bit, inlined, int64, lowest_bit
from satdoku.kernels.propagators.combinations import (
    COEFFICIENTS,
    MAX_COMBINATIONS,
    MAX_OPEN,
    combinations,
    of_peers,
    open_positions,
    single,
)
from satdoku.kernels.propagators.family import MAX_CELLS, begin, collect

RECORD = 5  # words that a group takes in a record
LEAST, MOST, SUMS, LEFT, BEFORE, NOTES = 0, 1, 2, 3, 4, 5  # of a group; SUMS and LEFT are bitsets, 0 if not known
MAX_SLACK = 61  # what a word holds


@inlined
def linear(body, cells, size, code, peer_sets, own, kept, required, notes):
    count, product, rest = open_positions(body, size, code, own, kept, notes)
    groups = code[body + 1]
    for group in range(groups):
        required[group] = 0
    if count <= MAX_OPEN and product <= MAX_COMBINATIONS:
        if count == 0:
            return rest == 0
        if count == 1:
            return single(body, rest, code, own, kept, notes)
        if groups > 1:  # the coefficients of one group are 1, or no total fits
            return combinations(body, cells, count, rest, code, peer_sets, own, kept, notes)
        return of_peers(count, rest, own, kept, required, notes)
    return _grouped(body, size, code, own, kept, required, notes)


@inlined
def _grouped(body, size, code, own, kept, required, notes):
    at = body
    first = body + COEFFICIENTS + size
    below, above = _bounds(at, first, code, own, notes)
    if below < 0 or above < 0:
        return False
    if _is_loose(at, first, min(below, above), code, notes):
        return True
    if min(below, above) <= MAX_SLACK:
        fits = _sweep(at, first, min(below, above), below <= above, code, notes)
    else:
        fits = _cut(at, first, below, above, code, notes)
    for group in range(code[at + 1] if fits else 0):
        record = first + RECORD * group
        note = MAX_CELLS + NOTES * group
        start = code[record + 2]
        if code[record + 1] == 1:
            kept[start] = notes[note + LEFT]
        elif code[record + 3] == 0:
            fits &= _bounded(record, notes[note + LEAST], notes[note + MOST], code, own, kept)
        elif notes[note + LEFT] != notes[note + SUMS]:
            fits &= _summed(record, group, notes[note + LEFT], code, own, kept, required, notes)
        else:
            for k in range(start, start + code[record + 1]):
                kept[k] = own[k]
    return fits


@inlined
def _is_loose(at, first, slack, code, notes):
    """Whether any sum of each group leaves the others one that fits, as far as bounds tell."""
    for group in range(code[at + 1]):
        note = MAX_CELLS + NOTES * group
        if abs(code[first + RECORD * group]) * (notes[note + MOST] - notes[note + LEAST]) > slack:
            return False
    return True


@inlined
def _bounds(at, first, code, own, notes):
    """Note the sums of each group; how far the total is above the least sum, and below the greatest."""
    below = code[at]
    above = -code[at]
    for group in range(code[at + 1]):
        record = first + RECORD * group
        note = MAX_CELLS + NOTES * group
        size = code[record + 1]
        union = int64(0)
        for k in range(code[record + 2], code[record + 2] + size):
            union |= own[k]
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
        notes[note + LEAST] = least
        notes[note + MOST] = most
        notes[note + SUMS] = sums
        coefficient = code[record]
        below -= coefficient * (least if coefficient > 0 else most)
        above += coefficient * (most if coefficient > 0 else least)
    return below, above


@inlined
def _sum_of_lowest(union, number):
    total = int64(0)
    for _ in range(number):
        if union == 0:
            return int64(-1)
        total += lowest_bit(union)
        union &= union - 1
    return total


@inlined
def _sum_of_highest(union, number):
    total = int64(0)
    for _ in range(number):
        if union != 0:
            value = highest_bit(union)
            total += value
            union ^= int64(1) << value
    return total


@inlined
def _sweep(at, first, slack, up, code, notes):
    """Leave the sums of each group, counted `up` from the least, with which the total is reached; False for none."""
    groups = code[at + 1]
    within = (int64(1) << (slack + 1)) - 1
    before = int64(1)
    for group in range(groups):
        note = MAX_CELLS + NOTES * group
        notes[note + BEFORE] = before
        coefficient = code[first + RECORD * group]
        weight = abs(coefficient)
        ascends = (coefficient > 0) == up
        sums = notes[note + SUMS]
        after = int64(0)
        for k in range(min(slack // weight, notes[note + MOST] - notes[note + LEAST]) + 1):
            total = notes[note + LEAST] + k if ascends else notes[note + MOST] - k
            if sums == 0 or sums >> total & 1 != 0:
                after |= before << (weight * k)
        before = after & within
    reaching = int64(1) << slack
    for group in range(groups - 1, -1, -1):
        note = MAX_CELLS + NOTES * group
        coefficient = code[first + RECORD * group]
        reaching = _sweep_back(note, abs(coefficient), slack, (coefficient > 0) == up, reaching, notes)
    return reaching != 0


@inlined
def _sweep_back(note, weight, slack, ascends, reaching, notes):
    """Leave the sums of one group from which the total is reached; the excess before it from which it is."""
    sums = notes[note + SUMS]
    least = notes[note + LEAST]
    most = notes[note + MOST]
    before = notes[note + BEFORE]
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
    notes[note + LEFT] = left
    notes[note + LEAST] = lowest
    notes[note + MOST] = highest
    return earlier


@inlined
def _cut(at, first, below, above, code, notes):
    for group in range(code[at + 1]):
        note = MAX_CELLS + NOTES * group
        coefficient = code[first + RECORD * group]
        least = notes[note + LEAST]
        most = notes[note + MOST]
        if coefficient > 0:
            highest = min(most, least + below // coefficient)
            lowest = max(least, most - above // coefficient)
        else:
            highest = min(most, least + above // -coefficient)
            lowest = max(least, most - below // -coefficient)
        notes[note + LEAST] = lowest
        notes[note + MOST] = highest
        if lowest > highest:
            return False
        if notes[note + SUMS] != 0:
            left = notes[note + SUMS] & between(lowest, highest)
            notes[note + LEFT] = left
            if left == 0:
                return False
    return True


@inlined
def between(lowest, highest):
    """The word of the bits from `lowest` to `highest`; both are cut to what a set of candidates holds."""
    lowest = min(max(lowest, 0), 62)
    highest = min(highest, 61)
    if lowest > highest:
        return int64(0)
    return (int64(1) << (highest + 1)) - (int64(1) << lowest)


@inlined
def _bounded(record, least, most, code, own, kept):
    """Keep the values of a group of different ones that its least and greatest sum allow; False if a cell has none."""
    size = code[record + 1]
    start = code[record + 2]
    union = int64(0)
    for k in range(start, start + size):
        union |= own[k]
    keep = between(least - _sum_of_highest(union, size - 1), most - _sum_of_lowest(union, size - 1))
    fits = True
    for k in range(start, start + size):
        kept[k] = own[k] & keep
        fits &= kept[k] != 0
    return fits


@inlined
def _summed(record, group, sums, code, own, kept, required, notes):
    """Keep what the sets with one of `sums` give each cell of a group; False if no set fits."""
    size = code[record + 1]
    start = code[record + 2]
    begin(start, size, group, kept, required)
    while sums != 0:
        index = code[record + 4] + lowest_bit(sums)
        sums &= sums - 1
        collect(start, size, group, code[index], code[index + 1], int64(0), code, own, kept, required, notes)
    return required[group] != -1
