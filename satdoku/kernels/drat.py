"""A checker of DRAT proofs that goes from their end to their beginning, and checks those steps alone that are needed.

First all steps are taken for granted, until propagation alone shows a conflict. From there back each clause that the
conflict needed is checked against those before it, which marks what it needs itself (Goldberg and Novikov, 2003;
Heule, Hunt and Wetzler, 2013). Which clauses each step needed, in their order, is what LRAT calls hints. As in `rup`,
literals that follow without an assumption stay, and clauses that they follow by are not deleted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satdoku.kernels.compiled import Flags, Int8s, Int32s, Ints, Read, entry, inlined, inner, int64
from satdoku.kernels.rup import (
    ASSIGNED,
    CLAUSES,
    CONFLICT,
    DELETE,
    FAILED,
    TRUE,
    UNLINKED,
    CheckerState,
    assign,
    enter,
    open_first,
    propagate,
    read,
    same_as_read,
    undo,
    watch_two,
)


class Trace(NamedTuple):
    """What is needed, beside the state of `rup`, whose clauses are all those of formula and proof."""

    variables: Int8s  # whether each is needed for what is being explained
    clauses: Int8s  # whether each is needed
    pivot: Int32s  # the first literal of each clause as it was read
    hints: Int32s  # the numbers from 1 of clauses; negative: one that RAT is about
    spans: Ints  # where the hints of each clause begin and end; of the final conflict, last
    numbers: Ints  # HINTS: how many there are; FULL: whether there is no room for more


HINTS, FULL = 0, 1


def trace(variables: int, clauses: int, literals: int) -> Trace:
    """Nothing needed yet, of so many."""
    return Trace(
        variables=np.zeros(variables + 1, np.int8),
        clauses=np.zeros(clauses, np.int8),
        pivot=np.zeros(clauses, np.int32),
        hints=np.zeros(4 * literals + 4 * variables + 64, np.int32),
        spans=np.zeros(2 * clauses + 2, np.int64),
        numbers=np.zeros(2, np.int64),
    )


@inlined
def _assign(literal, reason, s):
    s.reason[literal >> 1] = reason
    assign(literal, s)


@inlined
def _add(end, place, s, trace):
    """Keep the clause that was read, and what follows by propagation; one that is true for good is never looked at."""
    begin = s.begins[s.numbers[CLAUSES]]
    trace.pivot[s.numbers[CLAUSES]] = s.store[begin] if end > begin else 0
    clause, unassigned = enter(end, place, s), open_first(begin, end, s)
    if unassigned < 0 or s.numbers[CONFLICT] == 1:
        return
    if unassigned > 1:
        watch_two(clause, begin, s)
    elif unassigned == 0:
        s.numbers[CONFLICT], s.numbers[FAILED] = 1, clause
    else:
        _assign(s.store[begin], clause, s)
        s.numbers[CONFLICT] = int64(propagate(s))


@inlined
def _deleted(end, place, s):
    """The clause that was read, among those kept; -1 if there is none, or if a literal follows by it."""
    clause = same_as_read(end, place, s)
    if clause >= 0:
        for k in range(s.begins[clause], s.begins[clause + 1]):
            if s.value[s.store[k]] == TRUE and s.reason[s.store[k] >> 1] == clause:
                return int64(-1)
        s.active[clause] = 0
    return int64(clause)


@entry
def forward(
    formula: Read[Int32s], proof: Read[Int32s], targets: Ints, before: Ints, s: CheckerState, trace: Trace
) -> int:
    """Take all for granted until there is a conflict: how many steps that took, -1 if it never came.

    targets: of each step the clause that it adds, or deletes; -1 if it deletes none
    before:  what was on the trail before each step
    """
    at = 0
    while at < len(formula):
        end, place, at = read(formula, at, s)
        _add(end, place, s, trace)
    at, step = 0, 0
    while at < len(proof) and s.numbers[CONFLICT] == 0:
        before[step] = s.numbers[ASSIGNED]
        if proof[at] == DELETE:
            end, place, at = read(proof, at + 1, s)
            targets[step] = _deleted(end, place, s)
        else:
            targets[step] = s.numbers[CLAUSES]
            end, place, at = read(proof, at, s)
            _add(end, place, s, trace)
        step += 1
    if s.numbers[CONFLICT] == 0:
        return -1
    _explain(s.numbers[FAILED], 0, s, trace)
    trace.spans[-1] = trace.numbers[HINTS]
    return step


@inlined
def _write(number, trace):
    if trace.numbers[HINTS] == len(trace.hints):
        trace.numbers[FULL] = 1
        return
    trace.hints[trace.numbers[HINTS]] = number
    trace.numbers[HINTS] += 1


@inner
def _explain(clause, without, s, trace):
    """Mark the clause, all of whose literals but that of the variable `without` are false, and why they are false."""
    needed, hints, begin = trace.variables, trace.hints, trace.numbers[HINTS]
    trace.clauses[clause] = 1
    for k in range(s.begins[clause], s.begins[clause + 1]):
        needed[s.store[k] >> 1] = 1
    needed[without] = 0
    _write(clause + 1, trace)
    for at in range(s.numbers[ASSIGNED] - 1, -1, -1):
        variable = s.trail[at] >> 1
        reason = s.reason[variable]
        if needed[variable] == 1 and reason >= 0:
            trace.clauses[reason] = 1
            _write(reason + 1, trace)
            for k in range(s.begins[reason], s.begins[reason + 1]):
                needed[s.store[k] >> 1] = 1
        needed[variable] = 0
    for k in range((trace.numbers[HINTS] - begin) // 2):
        one, other = begin + k, trace.numbers[HINTS] - 1 - k
        hints[one], hints[other] = hints[other], hints[one]


@inner
def _shown(clause, but, s, trace):
    """Assume the literals of a clause false, but for `but`: whether propagation then ends in a conflict; mark why."""
    for k in range(s.begins[clause], s.begins[clause + 1]):
        literal = s.store[k]
        if literal != but and s.value[literal] == TRUE:
            if s.reason[literal >> 1] >= 0:  # else the clause, or what it is resolved to, is always true
                _explain(s.reason[literal >> 1], literal >> 1, s, trace)
            return True
        if literal != but and s.value[literal] == 0:
            _assign(literal ^ 1, -1, s)
    conflict = propagate(s)
    if conflict:
        _explain(s.numbers[FAILED], 0, s, trace)
    return conflict


@inner
def _follows(clause, s, trace):
    mark, pivot = s.numbers[ASSIGNED], trace.pivot[clause]
    pivot_unassigned = s.value[pivot] == 0 and pivot > 0
    holds = _shown(clause, -1, s, trace)
    if not holds and pivot_unassigned:
        holds, inner = True, s.numbers[ASSIGNED]
        for other in range(clause):
            resolves = False
            for k in range(s.begins[other], s.begins[other + 1]):
                resolves |= s.store[k] == pivot ^ 1
            if s.active[other] == 1 and resolves:
                _write(-other - 1, trace)
                holds = _shown(other, pivot ^ 1, s, trace)
                undo(inner, s)
                if not holds:
                    break
    undo(mark, s)
    return holds


@inlined
def _restore(clause, s):
    """Make a clause that was deleted active, and put its watches back that `propagate` has found in the meantime."""
    s.active[clause] = 1
    for watch in range(2 * clause, 2 * clause + 2):
        if s.following[watch] <= UNLINKED:
            literal = UNLINKED - s.following[watch]
            s.following[watch], s.first[literal] = s.first[literal], watch


@entry
def backward(
    step: int, steps: int, lemmas: Read[Flags], targets: Read[Ints], before: Read[Ints], s: CheckerState, trace: Trace
) -> tuple[int, bool]:
    """Go back from `step` by at most `steps`: (how many are left, whether all held; FULL if hints need more room)."""
    for _ in range(min(step, steps)):
        target, begin = targets[step - 1], trace.numbers[HINTS]
        if not lemmas[step - 1]:
            if target >= 0:
                _restore(target, s)
        else:
            s.active[target] = 0
            undo(before[step - 1], s)
            if trace.clauses[target] == 1:
                if not _follows(target, s, trace):
                    return step, False
                if trace.numbers[FULL] == 1:
                    trace.numbers[HINTS] = begin
                    return step, True
                trace.spans[2 * target], trace.spans[2 * target + 1] = begin, trace.numbers[HINTS]
        step -= 1
    return step, True
