"""Chains of links, from one literal, in what a chain of the position leaves: forcing chains and cycles.

Links are in turns weak (of a unit not both hold) and strong (one of the two that are left holds). With X-links alone
they are of one value, with Y-links alone the strong ones are in cells.
"""

from __future__ import annotations

from satdoku.kernels.chains.deductions import consider, mixed, needed, slot_of
from satdoku.kernels.chains.follow import last
from satdoku.kernels.chains.state import MULTIPLE, STAMP
from satdoku.kernels.compiled import inlined, inner, int64, lowest_bit

X, Y, BOTH = 0, 1, 2  # the links of a chain
KIND = 2  # what a deduction rests on by X-links alone; one more by Y-links, two by both


@inner
def unary(p, s):
    """Deductions by chains of each kind of links, from each candidate."""
    s.numbers[MULTIPLE] = 0
    for links in (X, Y, BOTH):
        for cell in range(len(p.sizes)):
            if p.kinds[cell] != 0:
                break
            count = s.counts[1, cell]
            if count < 2 or (links == Y and count > 2):
                continue
            for place in range(p.sizes[cell]):
                candidate = p.members[cell, place]
                if s.alive[1, candidate] == 1:
                    _cycles(candidate, links, p, s)
                    if links != Y:
                        _forcing(candidate, links, p, s)
                        _forcing(s.alive.shape[1] + candidate, links, p, s)


@inlined
def _enter(count, literal, before, unit, s):
    s.entries[count, 0] = literal
    s.entries[count, 1] = before
    s.entries[count, 2] = unit
    return count + 1


@inner
def _forcing(source, links, p, s):
    """Whether a literal leads to its opposite, by the shortest chain."""
    candidates = s.alive.shape[1]
    s.numbers[STAMP] += 1
    stamp = s.numbers[STAMP]
    opposite = source - candidates if source >= candidates else source + candidates
    s.seen[source] = stamp
    count = _enter(0, source, -1, -1, s)
    entry = 0
    while entry < count:
        literal = int64(s.entries[entry, 0])
        holds = literal < candidates
        candidate = literal if holds else literal - candidates
        for number in range(links == X, p.units.shape[1]):
            unit = p.units[candidate, number]
            if unit < 0:
                break
            if not holds and (p.full[unit] == 0 or s.counts[1, unit] != 2):
                continue
            for place in range(p.sizes[unit]):
                other = int64(p.members[unit, place])
                if other == candidate or s.alive[1, other] == 0:
                    continue
                if holds:
                    other += candidates
                if other == opposite:
                    _enter(count, other, entry, unit, s)
                    _forced(count, links, p, s)
                    return
                if s.seen[other] != stamp:
                    s.seen[other] = stamp
                    count = _enter(count, other, entry, unit, s)
        entry += 1


@inner
def _forced(entry, links, p, s):
    target = s.entries[entry, 0]
    slot = slot_of(1, target, p, s)
    size, ahead = 0, int64(entry)
    while ahead >= 0:
        size += 1
        ahead = s.entries[ahead, 1]
    if slot >= 0 and consider(slot, longer(7.0 if links == BOTH else 6.6, size), size, KIND + links, -1, target, s):
        _explain(slot, entry, False, p, s)


@inner
def longer(rating, size):
    """The rating of a chain of so many literals."""
    added, most, odd = 0.0, 4, False
    while size - 2 > most:
        added += 0.1
        most = most * 4 // 3 if odd else most * 3 // 2
        odd = not odd
    return rating + added


@inner
def _explain(slot, entry, cycle, p, s):
    """Note what a chain needs to be gone, and its mark."""
    candidates = s.alive.shape[1]
    s.needs[slot, :] = 0
    mark, ahead = mixed(int64(cycle), int64(s.entries[entry, 0])), int64(entry)
    while s.entries[ahead, 1] >= 0:
        literal = s.entries[ahead, 0]
        mark = mixed(mark, int64(literal))
        if literal < candidates or cycle:  # a cycle is also gone the other way
            needed(slot, s.entries[ahead, 2], p, s)
        ahead = int64(s.entries[ahead, 1])
    s.marks[slot] = mixed(mark, int64(s.entries[ahead, 0]))


@inlined
def _ancestor(entry, literal, s):
    found, ahead = False, int64(entry)
    while ahead >= 0 and not found:
        found = s.entries[ahead, 0] == literal
        ahead = int64(s.entries[ahead, 1])
    return found


@inner
def _cycles(source, links, p, s):
    """Chains that come back to a candidate that holds, by strong links; layer by layer."""
    s.numbers[STAMP] += 1
    stamp = s.numbers[STAMP]
    for number in range(links == X, p.units.shape[1] if links != Y else 1):
        unit = p.units[source, number]
        if unit < 0:
            break
        if p.full[unit] == 1 and s.counts[1, unit] == 2:
            s.stamps[0, last(1, unit, source, p, s)] = stamp
    s.seen[source] = stamp
    count, layer = _enter(0, source, -1, -1, s), 0
    begin, middle = 0, 1
    while begin < middle:  # entries from begin to middle hold, those behind do not
        for entry in range(begin, middle):
            count = _weak(entry, count, stamp, links, p, s)
        begin, end = middle, count
        for entry in range(begin, end):
            count = _strong(entry, count, stamp, source, layer > 0, links, p, s)
        begin, middle = end, count
        layer += 1


@inner
def _weak(entry, count, stamp, links, p, s):
    """Enter what a candidate excludes, if it leads further than what was entered before."""
    candidates = s.alive.shape[1]
    candidate = s.entries[entry, 0]
    s.numbers[STAMP] += 1
    own = s.numbers[STAMP]
    for number in range(links == X, p.units.shape[1]):
        unit = p.units[candidate, number]
        if unit < 0:
            break
        for place in range(p.sizes[unit]):
            other = p.members[unit, place]
            if other == candidate or s.alive[1, other] == 0 or s.stamps[1, other] == own:
                continue
            s.stamps[1, other] = own
            new = s.seen[candidates + other] != stamp
            if (new or s.stamps[0, other] == stamp) and not _ancestor(entry, candidates + other, s):
                s.seen[candidates + other] = stamp
                count = _enter(count, candidates + other, entry, unit, s)
    return count


@inner
def _strong(entry, count, stamp, source, far, links, p, s):
    """Enter what is left by what does not hold; at the source there is a cycle, from the second layer on."""
    candidate = s.entries[entry, 0] - s.alive.shape[1]
    s.numbers[STAMP] += 1
    own = s.numbers[STAMP]
    for number in range(links == X, p.units.shape[1] if links != Y else 1):
        unit = p.units[candidate, number]
        if unit < 0:
            break
        if p.full[unit] == 0 or s.counts[1, unit] != 2:
            continue
        other = last(1, unit, candidate, p, s)
        if s.stamps[2, other] == own:
            continue
        s.stamps[2, other] = own
        if other == source and far:
            _enter(count, source, entry, unit, s)
            _cycle(count, links, p, s)
        elif s.seen[other] != stamp:
            s.seen[other] = stamp
            count = _enter(count, other, entry, unit, s)
    return count


@inner
def _cycle(entry, links, p, s):
    """What a cycle excludes whichever way it is gone, in cells other than its own."""
    candidates = s.alive.shape[1]
    words = len(s.parents)
    s.bits[1:4, :] = 0
    size, ahead = 0, int64(entry)
    while s.entries[ahead, 1] >= 0:
        literal = s.entries[ahead, 0]
        holds = literal < candidates
        candidate = literal if holds else literal - candidates
        for word in range(words):
            s.bits[1 if holds else 2, word] |= p.sees[candidate, word]
        cell = p.units[candidate, 0]
        for place in range(p.sizes[cell]):
            s.bits[3, p.members[cell, place] >> 6] |= int64(1) << (p.members[cell, place] & 63)
        size += 1
        ahead = int64(s.entries[ahead, 1])
    many, one = int64(0), int64(-1)
    for word in range(words):
        s.bits[1, word] &= s.bits[2, word] & ~s.bits[3, word]
        rest = s.bits[1, word]
        while rest != 0:
            candidate = 64 * word + lowest_bit(rest)
            if s.alive[1, candidate] == 1:
                many, one = many + 1, candidate
            else:
                s.bits[1, word] ^= rest & -rest
            rest &= rest - 1
    if many == 0:
        return
    slot = one if many == 1 else _slot_of_several(s)
    rating = 7.0 if links == BOTH else 6.5
    if slot >= 0 and consider(slot, longer(rating, size), size, KIND + links, -1, s.entries[entry, 0], s):
        _explain(slot, entry, True, p, s)


@inner
def _slot_of_several(s):
    """The slot of the candidates of the spare bits; -1 if there is no room for it."""
    words = len(s.parents)
    for number in range(s.numbers[MULTIPLE]):
        same = True
        for word in range(words):
            same &= s.multiple[number, word] == s.bits[1, word]
        if same:
            return s.follows.shape[1] + number
    number = s.numbers[MULTIPLE]
    if number == len(s.multiple):
        return -1
    s.numbers[MULTIPLE] += 1
    for word in range(words):
        s.multiple[number, word] = s.bits[1, word]
    return s.follows.shape[1] + number
