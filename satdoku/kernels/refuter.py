"""A search that writes down why a formula over cells and values has no solution, as a DRUP proof.

It assumes values and propagates as the checker does. Of a conflict it learns the clause of the first unique implication
point, without the literals that the others imply, and goes back to where that clause assigns a literal
(Marques-Silva and Sakallah, 1999; Sorensson and Biere, 2009). Next it assumes the variable that took part in the most
conflicts of late (Moskewicz et al., 2001), for each candidate of its cell. It begins anew after runs of conflicts as
long as Luby, Sinclair and Zuckerman (1993) propose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, Floats, Int8s, Int32s, Ints, entry, inlined, inner
from satdoku.kernels.rup import ASSIGNED, CLAUSES, CONFLICT, FAILED, CheckerState, assign, keep, propagate, undo

DECAY = 0.95  # what all activities are multiplied with after a conflict
ACTIVITY = 0.1  # of a value at the beginning; a conflict adds 1
FURTHER = 6  # what the activity of a variable that is not the value of a cell is divided by
RUN = 50  # conflicts of the shortest run
LARGEST = 1e100  # activity from which on all are made smaller
FULL = 4  # what `refute` returns where there is no room for what it learns
DEPTH, RUNS, LEFT = range(3)


class RefuterState(NamedTuple):
    """Of each variable, but for the last three."""

    level: Int32s  # how many assumptions there were when it was assigned
    activity: Floats
    marked: Int8s  # whether it is in the clause that is being learned
    clause: Int32s  # the literals of that clause
    begins: Int32s  # what was on the trail before each assumption, from 1
    bump: Floats  # what a conflict adds to an activity
    numbers: Ints  # DEPTH: assumptions; RUNS: which run this is; LEFT: conflicts left in it


def search(variables: int) -> RefuterState:
    """Of a formula with so many variables; activities and all else are those of the beginning."""
    level, clause, begins = (np.zeros(variables + 2, np.int32) for _ in range(3))
    activity, marked = np.zeros(variables + 1), np.zeros(variables + 1, np.int8)
    return RefuterState(level, activity, marked, clause, begins, np.ones(1), np.array([0, 1, RUN], np.int64))


def restart(search: RefuterState) -> None:
    """Nothing assumed any more."""
    search.numbers[DEPTH] = 0


@entry
def refute(
    cells: int, size: int, steps: int, proof: Int32s, search: RefuterState, state: CheckerState
) -> tuple[int, int]:
    """Go on for at most `steps`: (EXHAUSTED if refuted, FOUND for a solution, PAUSED, or FULL; the length of `proof`).

    steps: assumptions and conflicts
    FULL:  the state has no room for another clause
    """
    numbers, written, most = search.numbers, 0, len(search.activity)
    known = search.begins[numbers[DEPTH]] if numbers[DEPTH] > 0 else 0
    while True:
        failed = state.numbers[CONFLICT] == 1 or propagate(state)
        for k in range(known, state.numbers[ASSIGNED]):
            search.level[state.trail[k] >> 1] = numbers[DEPTH]
        if failed and numbers[DEPTH] == 0:
            proof[written] = 0
            return EXHAUSTED, written + 1
        if failed:
            length, back = _shorten(_learn(search, state), search, state)
            written = _write(length, proof, written, search)
            known = _back(back, search, state)
            _assert(length, search, state)
            search.bump[0] /= DECAY
            numbers[LEFT] -= 1
            steps -= 1
            clauses = state.numbers[CLAUSES]
            if state.begins[clauses] + most > len(state.store) or clauses + 1 >= len(state.chain):
                return FULL, written
            if steps <= 0 or written + most > len(proof):
                return PAUSED, written
            continue
        if steps <= 0:
            return PAUSED, written
        if numbers[LEFT] <= 0:
            numbers[RUNS] += 1
            numbers[LEFT] = RUN * _luby(numbers[RUNS])
            _back(0, search, state)
        variable = _choice(cells, size, search.activity, state.value)
        if variable == 0:
            return FOUND, written
        steps -= 1
        known = state.numbers[ASSIGNED]
        numbers[DEPTH] += 1
        search.begins[numbers[DEPTH]] = known
        assign(2 * variable, state)


@inlined
def _write(length, proof, at, search):
    for k in range(length):
        variable = search.clause[k] >> 1
        proof[at + k] = -variable if search.clause[k] & 1 else variable
    proof[at + length] = 0
    return at + length + 1


@inlined
def _back(level, search, state):
    """Take back what was assigned after so many assumptions: how much is on the trail."""
    if level < search.numbers[DEPTH]:
        undo(search.begins[level + 1], state)
        search.numbers[DEPTH] = level
    return state.numbers[ASSIGNED]


@inner
def _learn(search, state):
    """The clause that the conflict shows, into `search.clause`, first what will follow by it: how many literals."""
    level, marked = search.level, search.marked
    clause, last, unresolved, length, at = state.numbers[FAILED], -1, 0, 1, state.numbers[ASSIGNED]
    while True:
        for k in range(state.begins[clause], state.begins[clause + 1]):
            variable = state.store[k] >> 1
            if state.store[k] != last and marked[variable] == 0 and level[variable] > 0:
                marked[variable] = 1
                _bump(variable, search)
                if level[variable] == search.numbers[DEPTH]:
                    unresolved += 1
                else:
                    search.clause[length] = state.store[k]
                    length += 1
        at -= 1
        while marked[state.trail[at] >> 1] == 0:
            at -= 1
        last = state.trail[at]
        marked[last >> 1] = 0
        unresolved -= 1
        if unresolved == 0:
            search.clause[0] = last ^ 1
            return length
        clause = state.reason[last >> 1]


@inner
def _shorten(length, search, state):
    """Leave out literals that others of the clause imply: (how many are left, the level at which the first follows)."""
    learned, kept, back = search.clause, 1, 0
    for k in range(1, length):
        if _is_implied(learned[k] >> 1, search, state):
            learned[k] = -learned[k]
    for k in range(1, length):
        literal = learned[k]
        search.marked[abs(literal) >> 1] = 0
        if literal > 0:
            learned[kept] = literal
            if search.level[literal >> 1] > back:  # the one to watch, since it becomes open first
                back = search.level[literal >> 1]
                learned[1], learned[kept] = literal, learned[1]
            kept += 1
    return kept, back


@inlined
def _is_implied(variable, search, state):
    """Whether other literals of the clause imply that of the variable: all those of its reason are in it, or known."""
    if state.trail[search.begins[search.level[variable]]] >> 1 == variable:
        return False  # it was assumed
    clause = state.reason[variable]
    for k in range(state.begins[clause], state.begins[clause + 1]):
        other = state.store[k] >> 1
        if other != variable and search.marked[other] == 0 and search.level[other] > 0:
            return False
    return True


@inlined
def _bump(variable, search):
    search.activity[variable] += search.bump[0]
    if search.activity[variable] > LARGEST:
        search.bump[0] /= LARGEST
        for k in range(len(search.activity)):
            search.activity[k] /= LARGEST


@inlined
def _assert(length, search, state):
    """Keep the clause that was learned, and assign its first literal."""
    literal, clause = search.clause[0], state.numbers[CLAUSES]
    if length > 1:
        begin = state.begins[clause]
        for k in range(length):
            state.store[begin + k] = search.clause[k]
        keep(begin, begin + length, 0, state)
        state.reason[literal >> 1] = clause
    assign(literal, state)


@inner
def _choice(cells, size, activity, value):
    """The open variable of most activity for each open value of its cell; 0 if none is open."""
    best, most = 0, -1.0
    for first in range(1, cells * size + 1, size):
        left = 0
        for variable in range(first, first + size):
            left += value[2 * variable] == 0
        for variable in range(first, first + size):
            if value[2 * variable] == 0 and activity[variable] / left > most:
                best, most = variable, activity[variable] / left
    for variable in range(cells * size + 1, len(activity)):
        if value[2 * variable] == 0 and activity[variable] / FURTHER > most:
            best, most = variable, activity[variable] / FURTHER
    return best


@inlined
def _luby(number):
    """1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., for numbers from 1."""
    while True:
        power = 1
        while 2 * power <= number + 1:
            power *= 2
        if power == number + 1:
            return power // 2
        number -= power - 1
