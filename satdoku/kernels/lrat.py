"""A checker of LRAT proofs, in which each clause names those that show it (Cruz-Filipe and others, 2017).

It searches nothing: it assumes the literals of the clause false, and looks at the clauses named, of which each must
leave one literal that is not false, which then is true, or none, which is a conflict. Where that does not come, the
clause must be RAT on its first literal: all clauses that have it negated are named, each with what shows the resolvent.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satdoku.kernels.compiled import compiled
from satdoku.kernels.rup import ASSIGNED, DELETE, FALSE, PROPAGATED, TRUE, assign, undo

REFUTED, WRONG, NOT_EMPTY, PAUSED = 0, 1, 2, 3
STORED, LAST = PROPAGATED + 1, PROPAGATED + 2


class State(NamedTuple):
    value: NDArray[np.int8]  # of each literal: x is 2x, its negation 2x + 1
    trail: NDArray[np.int32]
    store: NDArray[np.int32]
    begins: NDArray[np.int64]  # of each clause by its number; -1 if there is none
    ends: NDArray[np.int64]
    resolved: NDArray[np.int64]  # the last step that named each clause for RAT
    numbers: NDArray[np.int64]  # STORED: literals; LAST: the greatest number of a clause


def state(variables: int, clauses: int, literals: int) -> State:
    begins, ends, resolved = (np.full(clauses + 1, -1, np.int64) for _ in range(3))
    value, trail = np.zeros(2 * variables + 2, np.int8), np.zeros(variables + 1, np.int32)
    return State(value, trail, np.zeros(literals, np.int32), begins, ends, resolved, np.zeros(LAST + 1, np.int64))


@compiled
def _keep(number, source, at, s):
    """Keep the clause at `at`; where the next thing is."""
    s.begins[number] = s.numbers[STORED]
    while at < len(source) and source[at] != 0:
        s.store[s.numbers[STORED]] = 2 * source[at] if source[at] > 0 else -2 * source[at] + 1
        s.numbers[STORED] += 1
        at += 1
    s.ends[number] = s.numbers[STORED]
    s.numbers[LAST] = number
    return at + 1


@compiled
def load(formula, s):
    at = 0
    while at < len(formula):
        at = _keep(s.numbers[LAST] + 1, formula, at, s)


@compiled
def _falsify(number, but, s):
    """Assume the literals of a clause false, but for `but`; whether one of them is true."""
    for k in range(s.begins[number], s.ends[number]):
        literal = s.store[k]
        if literal != but and s.value[literal] == TRUE:
            return True
        if literal != but and s.value[literal] == 0:
            assign(literal ^ 1, s)
    return False


@compiled
def _hints(proof, at, s):
    """Follow the hints at `at`: (whether there was a conflict, whether one was not as it should be)."""
    while at < len(proof) and proof[at] > 0:
        number = proof[at]
        if number > s.numbers[LAST] or s.begins[number] < 0:
            return False, True
        left, open = 0, 0
        for k in range(s.begins[number], s.ends[number]):
            if s.value[s.store[k]] != FALSE and s.store[k] != left:
                left, open = s.store[k], open + 1
        if open == 0:
            return True, False
        if open > 1:
            return False, True
        if s.value[left] != TRUE:
            assign(left, s)
        at += 1
    return False, False


@compiled
def _rat(proof, at, pivot, step, number, s):
    """Whether the groups of hints at `at` show each resolvent on `pivot` with the clauses before `number`."""
    mark = s.numbers[ASSIGNED]
    while at < len(proof) and proof[at] != 0:
        other = -proof[at]
        if other >= number or s.begins[other] < 0:
            return False
        s.resolved[other] = step
        shown = _falsify(other, pivot ^ 1, s)
        if not shown:
            shown, _ = _hints(proof, at + 1, s)
        undo(mark, s)
        if not shown:
            return False
        at += 1
        while at < len(proof) and proof[at] > 0:
            at += 1
    for other in range(1, number):
        if s.begins[other] >= 0 and s.resolved[other] != step:
            for k in range(s.begins[other], s.ends[other]):
                if s.store[k] == pivot ^ 1:
                    return False
    return True


@compiled
def _delete(proof, at, s):
    """Delete the clauses named at `at`; where the next thing is."""
    while at < len(proof) and proof[at] != 0:
        if 0 < proof[at] <= s.numbers[LAST]:
            s.begins[proof[at]] = -1
        at += 1
    return at + 1


@compiled
def check(proof, at, step, steps, s):
    """Check at most `steps` steps after `step`, which ended `at`: (REFUTED, WRONG, NOT_EMPTY, PAUSED; where)."""
    last = step + steps
    while at < len(proof):
        if step == last:
            return PAUSED, step, at
        step += 1
        number, before = proof[at], s.numbers[LAST]
        at += 1
        if at < len(proof) and proof[at] == DELETE:
            at = _delete(proof, at + 1, s)
            continue
        if number <= before:
            return WRONG, step, at
        at = _keep(number, proof, at, s)
        begin, true = s.begins[number], _falsify(number, -1, s)
        empty = s.ends[number] == begin
        pivot = 0 if empty else s.store[begin]
        s.begins[number] = -1  # until it is shown
        conflict, wrong = _hints(proof, at, s)
        while at < len(proof) and proof[at] > 0:
            at += 1
        rat = not (empty or true or conflict or wrong)  # with no hint at all where no clause has the literal negated
        shown = true or conflict or (rat and _rat(proof, at, pivot, step, number, s))
        undo(0, s)
        if not shown:
            return WRONG, step, at
        if empty:
            return REFUTED, step, at
        s.begins[number] = begin
        while at < len(proof) and proof[at] != 0:
            at += 1
        at += 1
    return NOT_EMPTY, step, at
