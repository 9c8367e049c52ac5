"""Occurrences: each value that occurs in some cells occurs as often as is said of it, as in counting circles.

The values that occur are one of some sets, whose counts fill the cells. Of these sets those are left that have every
fixed value, and no value without a candidate. A value needs as many groups of cells that differ as it occurs; where
there are no more, each of them holds it. Body: values, sets, how often each value occurs, the sets.
"""

from satdoku.kernels.compiled import inlined, int64, lowest_bit


@inlined
def occurrences(body, sizes, groups, size, code, own, kept, required):
    """Keep what some set of values gives each cell; False if no set fits. sizes: where those of the groups stand"""
    union = int64(0)
    fixed = int64(0)
    for k in range(size):
        word = own[k]
        union |= word
        fixed |= word & -int64(word & (word - 1) == 0)
    possible = int64(0)
    needed = int64(-1)
    counts = body + 2
    first = counts + code[body]
    for at in range(first, first + code[body + 1]):
        values = code[at]
        if values & ~union == 0 and fixed & ~values == 0:
            possible |= values
            needed &= values
    if possible == 0:
        return False
    for group in range(groups):
        required[group] = 0
    for k in range(size):
        kept[k] = own[k] & possible
    while possible != 0:
        bit = possible & -possible
        possible &= possible - 1
        count = code[counts + lowest_bit(bit)]
        if not _place(bit, count, needed & bit != 0, sizes, groups, size, code, own, kept, required):
            return False
    return True


@inlined
def _place(bit, count, is_needed, sizes, groups, size, code, own, kept, required):
    """Keep what a value that occurs so often leaves; False if it cannot."""
    places = 0
    holds = 0
    for k in range(size):
        places += int64(own[k] & bit != 0)
        holds += int64(own[k] == bit)
    met = _groups_met(bit, sizes, groups, code, own)
    if holds > count or (met < count and is_needed):
        return False
    if holds == count or met < count:
        for k in range(size):
            if own[k] != bit:
                kept[k] &= ~bit
    elif is_needed and places == count:
        for k in range(size):
            if own[k] & bit != 0:
                kept[k] &= bit
    elif is_needed and met == count:
        _place_in_each(bit, sizes, groups, code, own, kept, required)
    return True


@inlined
def _groups_met(bit, sizes, groups, code, own):
    """How many groups can hold a value."""
    met = 0
    position = 0
    for group in range(groups):
        here = int64(0)
        for k in range(position, position + code[sizes + group]):
            here |= own[k]
        met += int64(here & bit != 0)
        position += code[sizes + group]
    return met


@inlined
def _place_in_each(bit, sizes, groups, code, own, kept, required):
    """Let each group that can hold a value hold it."""
    position = 0
    for group in range(groups):
        places = 0
        last = 0
        for k in range(position, position + code[sizes + group]):
            if own[k] & bit != 0:
                places += 1
                last = k
        if places == 1:
            kept[last] &= bit
        elif places > 1:
            required[group] |= bit
        position += code[sizes + group]
