"""What locked candidates, pairs and X-wings exclude in what a chain leaves, and what that needs to be gone."""

from __future__ import annotations

from satdoku.kernels.chains.follow import exclude_lost, last
from satdoku.kernels.chains.state import BOX, COLUMN, LOST, ROW
from satdoku.kernels.compiled import inlined, inner, int64

ROOM = 4  # open cells of a house that a pair needs; a hidden one needs more


@inlined
def need(candidate, s):
    s.parents[candidate >> 6] |= int64(1) << (candidate & 63)


@inlined
def lose(candidate, s):
    s.lost[s.numbers[LOST]] = candidate
    s.numbers[LOST] += 1


@inlined
def _within(candidate, unit, p):
    found = False
    for number in range(p.units.shape[1]):
        found |= p.units[candidate, number] == unit
    return found


@inner
def locked(row, p, s):
    new = 0
    for pair in range(4):
        one_kind = BOX if pair < 2 else COLUMN if pair == 2 else ROW
        two_kind = COLUMN if pair == 0 else ROW if pair == 1 else BOX
        for value in range(1, p.houses.shape[1]):
            for house in range(len(p.house_kinds)):
                one = p.houses[house, value]
                if p.house_kinds[house] == one_kind and s.counts[1, one] >= 2:
                    new += _locked_in(row, one, two_kind, p, s)
    return new


@inlined
def _all_within(one, two, p, s):
    """Whether all that are left of a unit are in another."""
    every = True
    for place in range(p.sizes[one]):
        every &= s.alive[1, p.members[one, place]] == 0 or _within(p.members[one, place], two, p)
    return every


@inner
def _locked_in(row, one, kind, p, s):
    """By all places of a value in a house, if they are in one of another kind."""
    inside = last(1, one, -1, p, s)
    new = 0
    for number in range(p.units.shape[1]):
        two = p.units[inside, number]
        if two < 0:
            break
        if p.kinds[two] != kind or p.full[two] == 0:
            continue
        if s.counts[1, two] > s.counts[1, one] and _all_within(one, two, p, s):
            s.parents[:] = 0
            for place in range(p.sizes[two]):
                other = p.members[two, place]
                if s.alive[1, other] == 1 and not _within(other, one, p):
                    lose(other, s)
            for place in range(p.sizes[one]):
                if s.alive[1, p.members[one, place]] == 0 and not _within(p.members[one, place], two, p):
                    need(p.members[one, place], s)
            new += exclude_lost(row, 0, 0, p, s)
    return new


@inlined
def _ends(unit, p, s):
    """The two candidates that are left in a unit."""
    second = last(1, unit, -1, p, s)
    return last(1, unit, second, p, s), second


@inner
def _gone(unit, p, s):
    """All that are gone of a unit are needed."""
    for place in range(p.sizes[unit]):
        if s.alive[1, p.members[unit, place]] == 0:
            need(p.members[unit, place], s)


@inner
def hidden_pairs(row, p, s):
    new = 0
    for kind in (BOX, COLUMN, ROW):
        for house in range(len(p.house_kinds)):
            if p.house_kinds[house] != kind or p.houses[house, 0] <= ROOM:
                continue
            for two in range(1, p.houses.shape[1]):
                if s.counts[1, p.houses[house, two]] != 2:
                    continue
                third, fourth = _ends(p.houses[house, two], p, s)
                for one in range(1, two):
                    if s.counts[1, p.houses[house, one]] != 2:
                        continue
                    first, second = _ends(p.houses[house, one], p, s)
                    if p.cells[first] == p.cells[third] and p.cells[second] == p.cells[fourth]:
                        s.parents[:] = 0
                        _gone(p.houses[house, one], p, s)
                        _gone(p.houses[house, two], p, s)
                        _others(first, third, p, s)
                        _others(second, fourth, p, s)
                        new += exclude_lost(row, 0, 0, p, s)
    return new


@inner
def _others(one, two, p, s):
    """The others of a cell are lost."""
    unit = p.units[one, 0]
    for place in range(p.sizes[unit]):
        other = p.members[unit, place]
        if other != one and other != two and s.alive[1, other] == 1:
            lose(other, s)


@inner
def naked_pairs(row, p, s):
    new = 0
    for kind in (BOX, COLUMN, ROW):
        for house in range(len(p.house_kinds)):
            if p.house_kinds[house] != kind or p.houses[house, 0] < ROOM:
                continue
            for second in range(p.houses[house, 0]):
                two = p.house_cells[house, second]
                if s.counts[1, two] != 2:
                    continue
                for first in range(second):
                    one = p.house_cells[house, first]
                    if s.counts[1, one] == 2 and _alike(one, two, p, s):
                        new += _naked_pair(row, house, one, two, p, s)
    return new


@inner
def _alike(one, two, p, s):
    """Whether two cells have the same two values left."""
    first, second = _ends(one, p, s)
    third, fourth = _ends(two, p, s)
    return p.values[first] == p.values[third] and p.values[second] == p.values[fourth]


@inner
def _naked_pair(row, house, one, two, p, s):
    first, second = _ends(one, p, s)
    s.parents[:] = 0
    _gone(one, p, s)
    _gone(two, p, s)
    for number in range(p.houses[house, 0]):
        cell = p.house_cells[house, number]
        for place in range(p.sizes[cell] if cell not in (one, two) else 0):
            other = p.members[cell, place]
            if s.alive[1, other] == 1 and (p.values[other] == p.values[first] or p.values[other] == p.values[second]):
                lose(other, s)
    return exclude_lost(row, 0, 0, p, s)


@inner
def x_wings(row, p, s):
    new = 0
    for kind in (COLUMN, ROW):
        for second in range(len(p.house_kinds)):
            for first in range(second if p.house_kinds[second] == kind else 0):
                if p.house_kinds[first] != kind:
                    continue
                for value in range(1, p.houses.shape[1]):
                    one, two = p.houses[first, value], p.houses[second, value]
                    if s.counts[1, one] == 2 and s.counts[1, two] == 2:
                        new += _x_wing(row, one, two, ROW + COLUMN - kind, p, s)
    return new


@inlined
def _line(candidate, kind, p):
    """The whole row or column of a candidate."""
    line = int64(-1)
    for number in range(p.units.shape[1]):
        unit = p.units[candidate, number]
        if unit >= 0 and p.kinds[unit] == kind and p.full[unit] == 1:
            line = unit
    return line


@inner
def _x_wing(row, one, two, kind, p, s):
    first, second = _ends(one, p, s)
    third, fourth = _ends(two, p, s)
    lines = _line(first, kind, p), _line(second, kind, p)
    if lines[0] < 0 or lines[1] < 0 or lines[0] != _line(third, kind, p) or lines[1] != _line(fourth, kind, p):
        return 0
    s.parents[:] = 0
    _gone(one, p, s)
    _gone(two, p, s)
    for line in lines:
        for place in range(p.sizes[line]):
            other = p.members[line, place]
            if s.alive[1, other] == 1 and not _within(other, one, p) and not _within(other, two, p):
                lose(other, s)
    return exclude_lost(row, 0, 0, p, s)
