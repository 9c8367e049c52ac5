"""What follows from a literal: singles again and again, and where they end, what chains inside the chain exclude.

As Sudoku Explainer does it: first what a literal that holds excludes, in the order of its units, then the units that
one that does not hold leaves with one candidate. What is excluded is taken away when all before it is looked at.
"""

from __future__ import annotations

from satdoku.kernels.chains.state import FALSE_END, FALSE_HEAD, FOUND, LITERAL, LOST, SIZE, TRUE_END, TRUE_HEAD, UNIT
from satdoku.kernels.compiled import bit_count, inlined, inner, int64, lowest_bit


@inlined
def _count(sets, at):
    count = int64(0)
    for word in range(sets.shape[1]):
        count += bit_count(sets[at, word])
    return count


@inlined
def _copy(sets, at, other, source):
    for word in range(sets.shape[1]):
        sets[at, word] = other[source, word]


@inlined
def _include(sets, at, number):
    sets[at, number >> 6] |= int64(1) << (number & 63)


@inner
def _add(depth, row, literal, unit, s):
    """Note that a literal follows, whose row of `behind` is filled."""
    literals = s.follows.shape[1]
    s.follows[row, literal] = 1
    s.order[row, s.many[row]] = literal
    s.many[row] += 1
    s.sizes[row, literal] = _count(s.behind, row * literals + literal)
    s.causes[row, literal] = unit
    false = 2 * literal >= literals
    end = FALSE_END if false else TRUE_END
    s.queues[2 * depth + false, s.ends[depth, end]] = literal
    s.ends[depth, end] += 1


@inner
def begin(depth, literal, s):
    """Assume a literal where the depth below leaves what it does."""
    literals, candidates = s.follows.shape[1], s.alive.shape[1]
    row = depth * literals + literal
    s.follows[row, :] = 0
    if depth == 0:
        s.nested[row, :] = 0
        s.inside[row] = 0
    for candidate in range(candidates):
        s.alive[depth + 1, candidate] = s.alive[depth, candidate]
    for unit in range(s.counts.shape[1]):
        s.counts[depth + 1, unit] = s.counts[depth, unit]
    s.ends[depth, :] = 0
    s.many[row] = 0
    s.wrong[row, FOUND] = 0
    at = row * literals + literal
    s.behind[at, :] = 0
    _include(s.behind, at, literal)
    _add(depth, row, literal, -1, s)
    return row


@inner
def close(depth, row, dynamic, p, s):
    """Look at all that follows; whether a contradiction does. dynamic: what is excluded leaves new singles."""
    ends = s.ends
    while True:
        if ends[depth, TRUE_HEAD] < ends[depth, TRUE_END]:
            candidate = s.queues[2 * depth, ends[depth, TRUE_HEAD]]
            ends[depth, TRUE_HEAD] += 1
            if _exclude(depth, row, candidate, p, s):
                return True
        elif ends[depth, FALSE_HEAD] < ends[depth, FALSE_END]:
            candidate = s.queues[2 * depth + 1, ends[depth, FALSE_HEAD]] - s.alive.shape[1]
            ends[depth, FALSE_HEAD] += 1
            if _fill(depth, row, candidate, p, s):
                return True
            if dynamic:
                s.alive[depth + 1, candidate] = 0
                for number in range(p.units.shape[1]):
                    if p.units[candidate, number] < 0:
                        break
                    s.counts[depth + 1, p.units[candidate, number]] -= 1
        else:
            return False


@inner
def _exclude(depth, row, candidate, p, s):
    """What a candidate that holds excludes, up to one that holds."""
    literals, candidates = s.follows.shape[1], s.alive.shape[1]
    first = row * literals
    for number in range(p.units.shape[1]):
        unit = p.units[candidate, number]
        if unit < 0:
            break
        for place in range(p.sizes[unit]):
            other = p.members[unit, place]
            if other == candidate or s.alive[depth + 1, other] == 0:
                continue
            if s.follows[row, other] == 1:
                _copy(s.both, 2 * row, s.behind, first + other)
                _copy(s.both, 2 * row + 1, s.behind, first + candidate)
                _include(s.both, 2 * row + 1, candidates + other)
                _contradict(row, -1, -1, s)
                return True
            if s.follows[row, candidates + other] == 0:
                at = first + candidates + other
                _copy(s.behind, at, s.behind, first + candidate)
                _include(s.behind, at, candidates + other)
                _add(depth, row, candidates + other, unit, s)
    return False


@inner
def _fill(depth, row, candidate, p, s):
    """What is alone in a unit without a candidate that does not hold, up to one that does not hold either."""
    literals, candidates = s.follows.shape[1], s.alive.shape[1]
    first = row * literals
    for number in range(p.units.shape[1]):
        unit = p.units[candidate, number]
        if unit < 0:
            break
        if p.full[unit] == 0 or s.counts[depth + 1, unit] != 2:
            continue
        other = last(depth + 1, unit, candidate, p, s)
        wrong = s.follows[row, candidates + other] == 1
        if s.follows[row, other] == 1 and not wrong:
            continue
        sets = s.both if wrong else s.behind
        at = 2 * row if wrong else first + other
        _copy(sets, at, s.behind, first + candidates + candidate)
        _include(sets, at, other)
        for place in range(p.sizes[unit]):
            gone = p.members[unit, place]
            if s.alive[depth, gone] == 1 and s.alive[depth + 1, gone] == 0:
                for word in range(sets.shape[1]):
                    sets[at, word] |= s.behind[first + candidates + gone, word]
        if wrong:
            _copy(s.both, 2 * row + 1, s.behind, first + candidates + other)
            _contradict(row, unit, other, s)
            return True
        _add(depth, row, other, unit, s)
    return False


@inlined
def last(layer, unit, candidate, p, s):
    """The last of those that are left in a unit, besides one."""
    other = int64(-1)
    for place in range(p.sizes[unit]):
        if p.members[unit, place] != candidate and s.alive[layer, p.members[unit, place]] == 1:
            other = p.members[unit, place]
    return other


@inlined
def _contradict(row, unit, literal, s):
    s.wrong[row, FOUND] = 1
    s.wrong[row, UNIT] = unit
    s.wrong[row, LITERAL] = literal
    s.wrong[row, SIZE] = _count(s.both, 2 * row) + _count(s.both, 2 * row + 1)


@inner
def exclude_lost(row, mark, size, p, s):
    """Add to a chain of the position what `lost` has and `parents` need; how many are new.

    mark, size: of the chain inside by which they follow, 0 without one
    """
    candidates, literals = s.alive.shape[1], s.follows.shape[1]
    count = s.numbers[LOST]
    s.numbers[LOST] = 0
    behind, first, some = s.bits[0], row * literals + candidates, False
    behind[:] = 0
    for word in range(len(s.parents)):
        rest = s.parents[word]
        while rest != 0:
            gone = 64 * word + lowest_bit(rest)
            rest &= rest - 1
            some = True
            for each in range(len(behind)):
                behind[each] |= s.behind[first + gone, each]
    if not some:
        return 0
    _sort_lost(count, p, s)
    new = 0
    for number in range(count):
        literal = candidates + s.lost[number]
        if s.follows[row, literal] == 0:
            at = row * literals + literal
            _copy(s.behind, at, s.bits, 0)
            _include(s.behind, at, literal)
            s.nested[row, literal] = mark
            s.nested_sizes[row, literal] = size
            s.inside[row] += mark != 0
            _add(0, row, literal, -1, s)
            new += 1
    return new


@inner
def _sort_lost(count, p, s):
    """In the order in which Sudoku Explainer takes them: of a hash table of their cells."""
    cells, before = 0, -1
    for number in range(count):
        cells += p.cells[s.lost[number]] != before
        before = p.cells[s.lost[number]]
    room = 16
    while 4 * cells > 3 * room:
        room *= 2
    for number in range(1, count):
        one = s.lost[number]
        key = (p.cells[one] & (room - 1)) << 20 | p.cells[one]
        place = number
        while place > 0:
            other = s.lost[place - 1]
            rank = (p.cells[other] & (room - 1)) << 20 | p.cells[other]
            if rank < key or (rank == key and other < one):
                break
            s.lost[place] = other
            place -= 1
        s.lost[place] = one
