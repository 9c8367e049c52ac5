"""Conclusions of chains: of each the best is kept, in a slot of its own, with what it rests on.

A conclusion is what is excluded. The slot of a candidate that does not hold is its number, that of one that holds the
number of that literal's opposite; where two are left in a cell, that one holds is that the other does not.
"""

from __future__ import annotations

from satdoku.kernels.chains.follow import last
from satdoku.kernels.chains.state import CASES, DOUBLE, FOUND, INSIDE, LITERAL, PLACES, SEQUENCE, SIZE, UNIT, WRONG
from satdoku.kernels.compiled import inlined, inner, int64, lowest_bit

SEVERAL = 3  # candidates of a cell from which on what follows from one of them, held or not, is looked at


@inlined
def mixed(mark, number):
    mark = (mark ^ number) * int64(0x5851F42D4C957F2D)
    return mark ^ (mark >> 29 & int64(0x7FFFFFFFF))


@inner
def slot_of(depth, literal, p, s):
    """The slot of a conclusion; -1 if it excludes nothing."""
    candidates = s.alive.shape[1]
    if literal >= candidates:
        return int64(literal - candidates)
    cell = p.units[literal, 0]
    if s.counts[depth, cell] < 2:
        return int64(-1)
    if s.counts[depth, cell] == 2:
        return int64(last(depth, cell, literal, p, s))
    return int64(candidates + literal)


@inner
def consider(slot, rating, size, kind, unit, literal, s):
    """Take a deduction if it is better than that of its slot: of lower rating, smaller, of a lower kind, or earlier."""
    number = s.numbers[SEQUENCE]
    s.numbers[SEQUENCE] += 1
    old = s.ratings[slot]
    if old >= 0 and (
        old < rating
        or (old == rating and (s.best[slot, 0] < size or (s.best[slot, 0] == size and s.best[slot, 1] <= kind)))
    ):
        return False
    s.ratings[slot] = rating
    s.best[slot, 0] = size
    s.best[slot, 1] = kind
    s.best[slot, 2] = number
    s.best[slot, 3] = unit
    s.best[slot, 4] = literal
    return True


@inner
def needed(slot, unit, p, s):
    """All that the chain of the position has taken from a unit is needed."""
    for place in range(p.sizes[unit]):
        other = p.members[unit, place]
        if s.alive[0, other] == 1 and s.alive[1, other] == 0:
            s.needs[slot, other >> 6] |= int64(1) << (other & 63)


@inner
def gather(depth, dynamic, p, s):
    """All conclusions from what follows from each literal. dynamic: also from what does not hold."""
    for cell in range(len(p.sizes)):
        count = s.counts[depth, cell]
        if p.kinds[cell] != 0 or count < (2 if dynamic else SEVERAL):
            continue
        cases = 0
        for place in range(p.sizes[cell]):
            candidate = int64(p.members[cell, place])
            if s.alive[depth, candidate] == 1:
                if dynamic:
                    _of_one(depth, candidate, count >= SEVERAL, p, s)
                for number in range(1, p.units.shape[1]):
                    if p.units[candidate, number] >= 0:
                        _of_house(depth, candidate, p.units[candidate, number], p, s)
        for place in range(p.sizes[cell]):
            if s.alive[depth, p.members[cell, place]] == 1:
                s.seen[cases] = p.members[cell, place]
                cases += 1
        _common(depth, cases, CASES, cell, p, s)


@inner
def _of_one(depth, candidate, several, p, s):
    candidates, literals = s.alive.shape[1], s.follows.shape[1]
    for start in (candidate, candidates + candidate):
        row = depth * literals + start
        if s.wrong[row, FOUND] == 1:
            target = start + candidates if start == candidate else start - candidates
            slot = slot_of(depth, target, p, s)
            if slot >= 0:
                size = int64(s.wrong[row, SIZE])
                if depth == 0 and s.inside[row] > 0:
                    s.numbers[INSIDE] = 0
                    size += _inside(row, s.both, 2 * row, s) + _inside(row, s.both, 2 * row + 1, s)
                consider(slot, 0.0, size, WRONG, start, target, s)
    if several:
        s.seen[0] = candidate
        s.seen[1] = candidates + candidate
        _common(depth, 2, DOUBLE, candidate, p, s)


@inner
def _of_house(depth, candidate, unit, p, s):
    """From each place of a value in a house, at the first of them."""
    if p.full[unit] == 0 or s.counts[depth, unit] < 2:
        return
    cases = 0
    for place in range(p.sizes[unit]):
        other = p.members[unit, place]
        if s.alive[depth, other] == 1:
            if cases == 0 and other != candidate:
                return
            s.seen[cases] = other
            cases += 1
    _common(depth, cases, PLACES, unit, p, s)


@inner
def _common(depth, cases, kind, unit, p, s):
    """What follows in each case of those of `seen`: first what holds, then what does not."""
    candidates, literals = s.alive.shape[1], s.follows.shape[1]
    first = depth * literals + s.seen[0]
    for false in (False, True):
        for number in range(s.many[first]):
            literal = int64(s.order[first, number])
            if (literal >= candidates) != false:
                continue
            size = _size_of_cases(depth, cases, literal, s)
            slot = slot_of(depth, literal, p, s) if size > 0 else int64(-1)
            if slot < 0 or (s.ratings[slot] >= 0 and s.best[slot, 0] < size):
                continue
            s.numbers[INSIDE] = 0
            for case in range(cases if depth == 0 else 0):
                row = int64(s.seen[case])
                if s.inside[row] > 0:
                    size += _inside(row, s.behind, row * literals + literal, s)
            consider(slot, 0.0, size, kind, unit, literal, s)


@inlined
def _size_of_cases(depth, cases, literal, s):
    """How many literals are behind one in all cases; 0 if it does not follow in each."""
    size = int64(0)
    for case in range(cases):
        row = depth * s.follows.shape[1] + s.seen[case]
        if s.follows[row, literal] == 0:
            return int64(0)
        size += s.sizes[row, literal]
    return size


@inner
def _inside(row, sets, at, s):
    """The size of the chains inside a chain, without those that `hashes` has, to which they are added."""
    size = int64(0)
    for word in range(sets.shape[1]):
        rest = sets[at, word]
        while rest != 0:
            literal = 64 * word + lowest_bit(rest)
            rest &= rest - 1
            mark = s.nested[row, literal]
            if mark == 0:
                continue
            known = False
            for number in range(s.numbers[INSIDE]):
                known |= s.hashes[number] == mark
            if not known:
                if s.numbers[INSIDE] < len(s.hashes):
                    s.hashes[s.numbers[INSIDE]] = mark
                    s.numbers[INSIDE] += 1
                size += s.nested_sizes[row, literal]
    return size


@inner
def explain(slot, p, s):
    """Note what a conclusion inside needs to be gone, and its mark."""
    candidates, literals = s.alive.shape[1], s.follows.shape[1]
    kind, unit, literal = s.best[slot, 1], int64(s.best[slot, 3]), int64(s.best[slot, 4])
    s.needs[slot, :] = 0
    s.marks[slot] = literal
    if kind == WRONG:
        row = literals + unit
        _explain_case(slot, row, s.both, 2 * row, -1, p, s)
        _explain_case(slot, row, s.both, 2 * row + 1, -1, p, s)
    elif kind == DOUBLE:
        for start in (unit, candidates + unit):
            _explain_case(slot, literals + start, s.behind, (literals + start) * literals + literal, -1, p, s)
    else:
        for place in range(p.sizes[unit]):
            if s.alive[1, p.members[unit, place]] == 1:
                row = literals + int64(p.members[unit, place])
                _explain_case(slot, row, s.behind, row * literals + literal, unit, p, s)


@inner
def _explain_case(slot, row, sets, at, first_unit, p, s):
    candidates, literals = s.alive.shape[1], s.follows.shape[1]
    mark = s.marks[slot]
    for word in range(sets.shape[1]):
        rest = sets[at, word]
        mark = mixed(mark, rest)
        while rest != 0:
            literal = 64 * word + lowest_bit(rest)
            rest &= rest - 1
            if literal >= candidates:
                break
            unit = int64(s.causes[row, literal])
            if literal == row - literals:
                unit = int64(first_unit)
            elif s.wrong[row, FOUND] == 1 and literal == s.wrong[row, LITERAL]:
                unit = int64(s.wrong[row, UNIT])
            if unit >= 0:
                needed(slot, unit, p, s)
    s.marks[slot] = mark
