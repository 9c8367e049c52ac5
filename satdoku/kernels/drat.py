"""A checker of DRAT proofs that goes from their end to their beginning, and checks those steps alone that are needed.

First all steps are taken for granted, until propagation alone shows a conflict. From there back each clause that the
conflict needed is checked against those before it, which marks what it needs itself (Goldberg and Novikov, 2003;
Heule, Hunt and Wetzler, 2013). Which clauses each step needed, in their order, is what LRAT calls hints. As in `rup`,
literals that follow without an assumption stay, and clauses that they follow by are not deleted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satdoku.kernels.compiled import Flags, Int8s, Int32s, Ints, Read, entry, inlined, inner
from satdoku.kernels.rup import (
    ASSIGNED,
    CLAUSES,
    CONFLICT,
    DELETE,
    FALSE,
    PROPAGATED,
    READ,
    TRUE,
    assign,
    is_read,
    not_false,
    open_first,
    read,
    undo,
    watch_two,
)

HINTS, FULL = READ + 1, READ + 2
UNLINKED = -2  # less a literal: where a watch of a clause that is not active was, instead of the watch after it


class State(NamedTuple):
    """All clauses, those of the formula first; clause c has the watches 2c and 2c + 1. Literal x is 2x, or 2x + 1."""

    value: Int8s  # of each literal
    reason: Int32s  # the clause by which each variable has its value, -1 for an assumption
    trail: Int32s
    needed: Int8s  # variables
    seen: Ints  # when each literal was read last
    first: Int32s  # the first watch of each literal
    store: Int32s
    begins: Int32s
    pivot: Int32s  # the first literal of each clause as it was read
    following: Int32s  # the watch after each
    bucket: Int32s  # the last clause of each hash
    chain: Int32s  # the clause before each, of the same hash
    active: Int8s  # clauses that are not deleted at the step
    marked: Int8s  # clauses that are needed
    hints: Int32s  # the numbers from 1 of clauses; negative: one that RAT is about
    spans: Ints  # where the hints of each clause begin and end; of the final conflict, last
    numbers: Ints


def state(variables: int, clauses: int, literals: int) -> State:
    """Nothing kept, and room for so many."""
    many, width = 2 * variables + 2, 1 << clauses.bit_length()
    sizes = literals, clauses + 1, clauses, 2 * clauses, width, clauses
    store, begins, pivot, following, bucket, chain = (np.full(size, -1, np.int32) for size in sizes)
    begins[0] = 0
    reason, trail, first = (np.full(size, -1, np.int32) for size in (variables + 1, variables + 1, many))
    value, needed, active, marked = (np.zeros(size, np.int8) for size in (many, variables + 1, clauses, clauses))
    seen, spans, numbers = (np.zeros(size, np.int64) for size in (many, 2 * clauses + 2, FULL + 1))
    numbers[CONFLICT] = -1
    hints = np.zeros(4 * literals + 4 * variables + 64, np.int32)
    return State(
        value, reason, trail, needed, seen, first, store, begins, pivot, following, bucket, chain, active, marked,
        hints, spans, numbers,
    )  # fmt: skip


@inlined
def _assign(literal, reason, s):
    s.reason[literal >> 1] = reason
    assign(literal, s)


@inner
def _propagate(s):
    """The clause in which it ends, or -1."""
    value, trail, store, begins, first, following = s.value, s.trail, s.store, s.begins, s.first, s.following
    numbers, active = s.numbers, s.active
    while numbers[PROPAGATED] < numbers[ASSIGNED]:
        false = trail[numbers[PROPAGATED]] ^ 1
        numbers[PROPAGATED] += 1
        watch, first[false], conflict = first[false], -1, -1
        while watch >= 0:
            clause, after, watched = watch >> 1, following[watch], false
            begin = begins[clause]
            if store[begin] == false:
                store[begin], store[begin + 1] = store[begin + 1], false
            other = store[begin]
            if active[clause] == 0:
                following[watch], watch = UNLINKED - false, after
                continue
            if value[other] != TRUE:
                k = not_false(begin + 2, begins[clause + 1], value, store)
                if k >= 0:
                    watched = store[k]
                    store[begin + 1], store[k] = watched, false
                elif value[other] == FALSE:
                    conflict = clause
                else:
                    _assign(other, clause, s)
            following[watch], first[watched] = first[watched], watch
            watch = after
        if conflict >= 0:
            return conflict
    return -1


@inlined
def _add(end, place, s):
    """Keep the clause that was read, and what follows by propagation; one that is true for good is never looked at."""
    store, clause = s.store, s.numbers[CLAUSES]
    begin = s.begins[clause]
    s.pivot[clause] = store[begin] if end > begin else 0
    s.chain[clause], s.bucket[place] = s.bucket[place], clause
    s.begins[clause + 1] = end
    s.active[clause] = 1
    s.numbers[CLAUSES] += 1
    open = open_first(begin, end, s)
    if open < 0 or s.numbers[CONFLICT] >= 0:
        return
    if open > 1:
        watch_two(clause, begin, s)
    elif open == 0:
        s.numbers[CONFLICT] = clause
    else:
        _assign(store[begin], clause, s)
        s.numbers[CONFLICT] = _propagate(s)


@inlined
def _deleted(end, place, s):
    """The clause that was read, among those kept; -1 if there is none, or if a literal follows by it."""
    clause = s.bucket[place]
    while clause >= 0:
        if s.active[clause] == 1 and is_read(clause, end, s):
            for k in range(s.begins[clause], s.begins[clause + 1]):
                if s.value[s.store[k]] == TRUE and s.reason[s.store[k] >> 1] == clause:
                    return -1
            s.active[clause] = 0
            return clause
        clause = s.chain[clause]
    return -1


@entry
def forward(formula: Read[Int32s], proof: Read[Int32s], targets: Ints, before: Ints, s: State) -> int:
    """Take all for granted until there is a conflict: how many steps that took, -1 if it never came.

    targets: of each step the clause that it adds, or deletes; -1 if it deletes none
    before:  what was on the trail before each step
    """
    at = 0
    while at < len(formula):
        end, place, at = read(formula, at, s)
        _add(end, place, s)
    at, step = 0, 0
    while at < len(proof) and s.numbers[CONFLICT] < 0:
        before[step] = s.numbers[ASSIGNED]
        if proof[at] == DELETE:
            end, place, at = read(proof, at + 1, s)
            targets[step] = _deleted(end, place, s)
        else:
            targets[step] = s.numbers[CLAUSES]
            end, place, at = read(proof, at, s)
            _add(end, place, s)
        step += 1
    if s.numbers[CONFLICT] < 0:
        return -1
    _explain(s.numbers[CONFLICT], 0, s)
    s.spans[-1] = s.numbers[HINTS]
    return step


@inlined
def _write(number, s):
    if s.numbers[HINTS] == len(s.hints):
        s.numbers[FULL] = 1
        return
    s.hints[s.numbers[HINTS]] = number
    s.numbers[HINTS] += 1


@inner
def _explain(clause, without, s):
    """Mark the clause, all of whose literals but that of the variable `without` are false, and why they are false."""
    begin = s.numbers[HINTS]
    s.marked[clause] = 1
    for k in range(s.begins[clause], s.begins[clause + 1]):
        s.needed[s.store[k] >> 1] = 1
    s.needed[without] = 0
    _write(clause + 1, s)
    for at in range(s.numbers[ASSIGNED] - 1, -1, -1):
        variable = s.trail[at] >> 1
        reason = s.reason[variable]
        if s.needed[variable] == 1 and reason >= 0:
            s.marked[reason] = 1
            _write(reason + 1, s)
            for k in range(s.begins[reason], s.begins[reason + 1]):
                s.needed[s.store[k] >> 1] = 1
        s.needed[variable] = 0
    for k in range((s.numbers[HINTS] - begin) // 2):
        one, other = begin + k, s.numbers[HINTS] - 1 - k
        s.hints[one], s.hints[other] = s.hints[other], s.hints[one]


@inner
def _shown(clause, but, s):
    """Assume the literals of a clause false, but for `but`: whether propagation then ends in a conflict; mark why."""
    for k in range(s.begins[clause], s.begins[clause + 1]):
        literal = s.store[k]
        if literal != but and s.value[literal] == TRUE:
            if s.reason[literal >> 1] >= 0:  # else the clause, or what it is resolved to, is always true
                _explain(s.reason[literal >> 1], literal >> 1, s)
            return True
        if literal != but and s.value[literal] == 0:
            _assign(literal ^ 1, -1, s)
    conflict = _propagate(s)
    if conflict >= 0:
        _explain(conflict, 0, s)
    return conflict >= 0


@inner
def _follows(clause, s):
    mark, pivot = s.numbers[ASSIGNED], s.pivot[clause]
    open = s.value[pivot] == 0 and pivot > 0
    holds = _shown(clause, -1, s)
    if not holds and open:
        holds, inner = True, s.numbers[ASSIGNED]
        for other in range(clause):
            resolves = False
            for k in range(s.begins[other], s.begins[other + 1]):
                resolves |= s.store[k] == pivot ^ 1
            if s.active[other] == 1 and resolves:
                _write(-other - 1, s)
                holds = _shown(other, pivot ^ 1, s)
                undo(inner, s)
                if not holds:
                    break
    undo(mark, s)
    return holds


@inlined
def _restore(clause, s):
    """Make a clause that was deleted active, and put its watches back that `_propagate` has found in the meantime."""
    s.active[clause] = 1
    for watch in range(2 * clause, 2 * clause + 2):
        if s.following[watch] <= UNLINKED:
            literal = UNLINKED - s.following[watch]
            s.following[watch], s.first[literal] = s.first[literal], watch


@entry
def backward(
    step: int, steps: int, lemmas: Read[Flags], targets: Read[Ints], before: Read[Ints], s: State
) -> tuple[int, bool]:
    """Go back from `step` by at most `steps`: (how many are left, whether all held; FULL if hints need more room)."""
    for _ in range(min(step, steps)):
        target, begin = targets[step - 1], s.numbers[HINTS]
        if not lemmas[step - 1]:
            if target >= 0:
                _restore(target, s)
        else:
            s.active[target] = 0
            undo(before[step - 1], s)
            if s.marked[target] == 1:
                if not _follows(target, s):
                    return step, False
                if s.numbers[FULL] == 1:
                    s.numbers[HINTS] = begin
                    return step, True
                s.spans[2 * target], s.spans[2 * target + 1] = begin, s.numbers[HINTS]
        step -= 1
    return step, True
