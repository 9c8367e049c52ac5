"""What Python calls: what follows from a literal, with chains inside up to a level, and what is concluded.

Levels are those of Sudoku Explainer's dynamic chains: what may be used inside a chain where no single follows.
"""

from __future__ import annotations

from satdoku.kernels.chains.deductions import explain, gather
from satdoku.kernels.chains.follow import begin, close, exclude_lost
from satdoku.kernels.chains.links import unary
from satdoku.kernels.chains.sets import hidden_pairs, locked, lose, naked_pairs, x_wings
from satdoku.kernels.chains.state import CASES, DOUBLE, LOST, MULTIPLE, SEQUENCE, Position, State
from satdoku.kernels.compiled import entry, inner, int64, lowest_bit

SINGLES, SETS, FORCING, MULTIPLE_CHAINS, DYNAMIC = 0, 1, 2, 3, 4


@entry
def follow(position: Position, state: State, level: int, literal: int) -> None:
    """What follows from a literal of the position, up to a contradiction."""
    row = begin(0, literal, state)
    while not close(0, row, True, position, state):
        if level == SINGLES or _deduce(level, row, position, state) == 0:
            break


@entry
def conclude(position: Position, state: State) -> None:
    """The best deduction of each conclusion of the position, when all its literals have been followed."""
    _clear(state)
    gather(0, True, position, state)


@inner
def _clear(s):
    s.ratings[:] = -1.0
    s.numbers[SEQUENCE] = 0
    s.numbers[MULTIPLE] = 0


@inner
def _deduce(level, row, p, s):
    """Add to a chain what the first technique excludes that finds something; how many are new."""
    s.numbers[LOST] = 0
    new = locked(row, p, s)
    if new == 0:
        new = hidden_pairs(row, p, s)
    if new == 0:
        new = naked_pairs(row, p, s)
    if new == 0:
        new = x_wings(row, p, s)
    if new == 0 and FORCING <= level < DYNAMIC:
        _clear(s)
        unary(p, s)
        new = _apply(row, p, s)
    if new == 0 and level >= MULTIPLE_CHAINS:
        _clear(s)
        _several(level == DYNAMIC, p, s)
        new = _apply(row, p, s)
    return new


@inner
def _several(dynamic, p, s):
    """Conclusions of chains from several candidates, in what the chain of the position leaves."""
    candidates = s.alive.shape[1]
    for literal in range(2 * candidates if dynamic else candidates):
        candidate = literal if literal < candidates else literal - candidates
        if s.alive[1, candidate] == 1:
            row = begin(1, literal, s)
            close(1, row, dynamic, p, s)
    gather(1, dynamic, p, s)


@inner
def _before(one, two, s):
    """Whether the deduction of a slot comes before that of another."""
    if s.ratings[one] != s.ratings[two]:
        return s.ratings[one] < s.ratings[two]
    for number in range(3):
        if s.best[one, number] != s.best[two, number]:
            return s.best[one, number] < s.best[two, number]
    return False


@inner
def _apply(row, p, s):
    """Exclude in a chain of the position what the conclusions in it exclude, the best first; how many are new."""
    count = 0
    for slot in range(len(s.ratings)):
        if s.ratings[slot] >= 0:
            place = count
            while place > 0 and _before(slot, s.ranks[place - 1], s):
                s.ranks[place] = s.ranks[place - 1]
                place -= 1
            s.ranks[place] = slot
            count += 1
        elif slot >= s.follows.shape[1] + s.numbers[MULTIPLE]:
            break
    new = 0
    for number in range(count):
        slot = int64(s.ranks[number])
        kind = s.best[slot, 1]
        if kind == DOUBLE or kind >= CASES:
            explain(slot, p, s)
        _fill_lost(slot, p, s)
        for word in range(len(s.parents)):
            s.parents[word] = s.needs[slot, word]
        new += exclude_lost(row, s.marks[slot], s.best[slot, 0], p, s)
    return new


@inner
def _fill_lost(slot, p, s):
    """What a slot excludes."""
    candidates = s.alive.shape[1]
    if slot < candidates:
        lose(slot, s)
    elif slot < 2 * candidates:
        cell = p.units[slot - candidates, 0]
        for place in range(p.sizes[cell]):
            other = p.members[cell, place]
            if other != slot - candidates and s.alive[1, other] == 1:
                lose(other, s)
    else:
        for word in range(len(s.parents)):
            rest = s.multiple[slot - 2 * candidates, word]
            while rest != 0:
                lose(64 * word + lowest_bit(rest), s)
                rest &= rest - 1
