"""A checker of DRUP and DRAT proofs: does each clause of a list follow, by reverse unit propagation, from those before
it, or is it RAT, so that the formula stays satisfiable if it was?

A clause follows if unit propagation runs into a conflict once its literals are assumed false (Goldberg and Novikov,
2003). Deletions are included (Heule, Hunt and Wetzler, 2013); what is assigned without an assumption stays, so that
deleting a unit clause has no effect, as in drat-trim. Formula and proof are integers as DIMACS has them, 0 behind each
clause, DELETE before one that is deleted. In a state, literal x is 2x and its negation 2x + 1.

Clauses of a search that follow each other begin with the same literals. Each literal that is assumed false has a level
of the trail; the levels of the literals with which the next clause begins are kept, and are not propagated again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satdoku.kernels.compiled import Int8s, Int32s, Ints, Read, entry, inlined, inner, int64

DELETE = -(1 << 31)
TRUE, FALSE = 1, -1
UNLINKED = -2  # less a literal: where a watch of a deleted clause was, instead of the watch after it
REFUTED, NOT_IMPLIED, NOT_EMPTY, PAUSED = 0, 1, 2, 3
ASSIGNED, PROPAGATED, CLAUSES, CONFLICT, READ, LEVELS, BROKEN, FAILED = range(8)


class CheckerState(NamedTuple):
    """The clauses kept, and what is assigned. Clause c has the watches 2c and 2c + 1, of its first two literals."""

    value: Int8s  # of each literal
    trail: Int32s  # literals in the order in which they were assigned
    reason: Int32s  # the clause by which each variable was last assigned by propagation
    levels: Int32s  # how many were on the trail before each literal that is assumed false
    store: Int32s  # the literals of clauses
    begins: Int32s  # where each clause begins in it
    first: Int32s  # the first watch of each literal
    following: Int32s  # the watch after each
    bucket: Int32s  # the last clause of each hash
    chain: Int32s  # the clause before each, of the same hash
    active: Int8s  # whether each clause is not deleted
    seen: Ints  # when each literal was read last
    numbers: Ints  # ASSIGNED: literals on the trail; ...; BROKEN: whether what is assumed has a conflict;
    # FAILED: the clause of the last conflict


def state(variables: int, length: int, clauses: int = 0) -> CheckerState:
    """Nothing kept, and room for a formula and a proof of so many integers, or so many clauses, in all."""
    clauses = clauses or length // 3 + 1  # those of two literals or more are kept
    trail, reason, levels = (np.full(variables + 1, -1, np.int32) for _ in range(3))
    first = np.full(2 * variables + 2, -1, np.int32)
    sizes = length, clauses + 2, 2 * clauses, 1 << clauses.bit_length(), clauses
    store, begins, following, bucket, chain = (np.full(size, -1, np.int32) for size in sizes)
    value, active = np.zeros(len(first), np.int8), np.zeros(clauses, np.int8)
    seen, numbers = np.zeros(len(first), np.int64), np.zeros(FAILED + 1, np.int64)
    begins[0] = 0
    return CheckerState(
        value, trail, reason, levels, store, begins, first, following, bucket, chain, active, seen, numbers
    )


@inlined
def assign(literal, s):
    s.value[literal] = TRUE
    s.value[literal ^ 1] = FALSE
    s.trail[s.numbers[ASSIGNED]] = literal
    s.numbers[ASSIGNED] += 1


@inlined
def undo(mark, s):
    for k in range(mark, s.numbers[ASSIGNED]):
        s.value[s.trail[k]] = 0
        s.value[s.trail[k] ^ 1] = 0
    s.numbers[ASSIGNED] = mark
    s.numbers[PROPAGATED] = mark


@inlined
def not_false(begin, end, value, store):
    """The first place of a literal that is not false, or -1."""
    for k in range(begin, end):
        if value[store[k]] != FALSE:
            return k
    return -1


@inner
def propagate(s):
    """Assign what follows: whether that ends in a conflict."""
    value, trail, reason, store, begins, active = s.value, s.trail, s.reason, s.store, s.begins, s.active
    first, following, numbers = s.first, s.following, s.numbers
    while numbers[PROPAGATED] < numbers[ASSIGNED]:
        false = trail[numbers[PROPAGATED]] ^ 1
        numbers[PROPAGATED] += 1
        watch, first[false], conflict = first[false], -1, False
        while watch >= 0:
            clause, after, watched = watch >> 1, following[watch], false
            begin = begins[clause]
            if store[begin] == false:
                store[begin], store[begin + 1] = store[begin + 1], false
            other = store[begin]
            if value[other] != TRUE:
                if active[clause] == 0:  # it is not put back
                    following[watch], watch = UNLINKED - false, after
                    continue
                k = not_false(begin + 2, begins[clause + 1], value, store)
                if k >= 0:
                    watched = store[k]
                    store[begin + 1], store[k] = watched, false
                elif value[other] == FALSE:
                    conflict, numbers[FAILED] = True, clause
                else:
                    reason[other >> 1] = clause
                    assign(other, s)
            following[watch], first[watched] = first[watched], watch
            watch = after
        if conflict:
            return True
    return False


@inlined
def _literal(number):
    return 2 * number if number > 0 else -2 * number + 1


@inlined
def read(source, at, s):
    """Copy the clause at `at`, each literal once, behind those kept: (its end there, its hash, where the next is)."""
    s.numbers[READ] += 1
    end, total = s.begins[s.numbers[CLAUSES]], int64(0)
    while source[at] != 0:
        literal = _literal(source[at])
        if s.seen[literal] != s.numbers[READ]:
            s.seen[literal] = s.numbers[READ]
            s.store[end] = literal
            end += 1
            total += (literal * 0x9E3779B97F4A7C1) >> 20
        at += 1
    return end, total & (len(s.bucket) - 1), at + 1


@inlined
def same_as_read(end, place, s):
    """The clause that has the literals of the one that was read, and is not deleted; -1 if there is none."""
    clause = s.bucket[place]
    while clause >= 0 and not (s.active[clause] == 1 and _is_read(clause, end, s)):
        clause = s.chain[clause]
    return clause


@inlined
def _is_read(clause, end, s):
    same = s.begins[clause + 1] - s.begins[clause] == end - s.begins[s.numbers[CLAUSES]]
    for k in range(s.begins[clause], s.begins[clause + 1]):
        same &= s.seen[s.store[k]] == s.numbers[READ]
    return same


@inlined
def open_first(begin, end, s):
    """Move the open literals of a clause to the front: how many there are, -1 if one is true for good."""
    store, free = s.store, begin
    for k in range(begin, end):
        if s.value[store[k]] == TRUE:
            return int64(-1)
        if s.value[store[k]] != FALSE:
            store[free], store[k] = store[k], store[free]
            free += 1
    return free - begin


@inlined
def watch_two(clause, begin, s):
    """Look at a clause when one of its first two literals becomes false."""
    for k in range(2):
        s.following[2 * clause + k] = s.first[s.store[begin + k]]
        s.first[s.store[begin + k]] = 2 * clause + k


@inlined
def enter(end, place, s):
    """Count the clause that was read among the others: which one it is."""
    clause = s.numbers[CLAUSES]
    s.chain[clause], s.bucket[place] = s.bucket[place], clause
    s.begins[clause + 1] = end
    s.active[clause] = 1
    s.numbers[CLAUSES] += 1
    return clause


@inlined
def keep(begin, end, place, s):
    """Keep the clause that was read."""
    watch_two(enter(end, place, s), begin, s)


@inlined
def _add(end, place, s):
    """Keep the clause that was read, unless it is true for good or leaves one literal, which then is."""
    begin = s.begins[s.numbers[CLAUSES]]
    unassigned = open_first(begin, end, s)
    if unassigned < 0:
        return
    if unassigned > 1:
        keep(begin, end, place, s)
        return
    if unassigned == 1:
        assign(s.store[begin], s)
    if unassigned == 0 or propagate(s):
        s.numbers[CONFLICT] = 1


@inlined
def _back(level, s):
    """Forget the levels from this one on."""
    if level < s.numbers[LEVELS]:
        undo(s.levels[level], s)
        s.numbers[LEVELS] = level
        s.numbers[BROKEN] = 0


@inlined
def _implied(end, s):
    """Whether the clause that was read follows; the levels there are those of its first literals."""
    begin = s.begins[s.numbers[CLAUSES]]
    for k in range(begin + s.numbers[LEVELS], end):
        if s.numbers[CONFLICT] == 1 or s.numbers[BROKEN] == 1 or s.value[s.store[k]] == TRUE:
            return True
        if s.value[s.store[k]] == 0:
            s.levels[s.numbers[LEVELS]] = s.numbers[ASSIGNED]
            s.numbers[LEVELS] += 1
            assign(s.store[k] ^ 1, s)
            s.numbers[BROKEN] = int64(propagate(s))
    return s.numbers[CONFLICT] == 1 or s.numbers[BROKEN] == 1


@inlined
def _learn(end, place, shared, s):
    """Keep the clause that was shown to follow, and the levels of its first `shared` literals if each has its own.

    shared: with how many of its literals the next step begins; a deletion begins with none
    """
    begin = s.begins[s.numbers[CLAUSES]]
    last = min(shared, end - begin - 1)
    if last <= 0 or s.numbers[LEVELS] < end - begin:
        _back(0, s)
        _add(end, place, s)
        return
    _back(last, s)
    for k in range((end - begin) // 2):  # its last literals are those that became false last, and are watched
        s.store[begin + k], s.store[end - 1 - k] = s.store[end - 1 - k], s.store[begin + k]
    keep(begin, end, place, s)
    if last == end - begin - 1:
        assign(s.store[begin], s)
        s.numbers[BROKEN] = int64(propagate(s))


@inner
def _rat(end, s):
    """Whether the clause, which does not follow, is RAT on its first literal: each resolvent with a clause that has
    the literal negated follows (Jarvisalo, Heule and Biere, 2012)."""
    _back(0, s)
    begin, mark = s.begins[s.numbers[CLAUSES]], s.numbers[ASSIGNED]
    if begin == end or s.value[s.store[begin]] != 0:
        return False  # where the literal is false for good, the unit clause that says so is one of these clauses
    negated = s.store[begin] ^ 1
    for k in range(begin, end):
        if s.value[s.store[k]] == 0:
            assign(s.store[k] ^ 1, s)
    propagate(s)
    holds, inner = True, s.numbers[ASSIGNED]
    for clause in range(s.numbers[CLAUSES]):
        resolves, implied = False, False
        for k in range(s.begins[clause], s.begins[clause + 1]):
            literal = s.store[k]
            resolves |= literal == negated
            implied |= literal != negated and s.value[literal] == TRUE
        if s.active[clause] == 1 and resolves and not implied:
            for k in range(s.begins[clause], s.begins[clause + 1]):
                if s.value[s.store[k]] == 0:
                    assign(s.store[k] ^ 1, s)
            holds = propagate(s)
            undo(inner, s)
            if not holds:
                break
    undo(mark, s)
    return holds


@entry
def load(formula: Read[Int32s], s: CheckerState) -> None:
    """Keep the clauses of a formula."""
    at = 0
    while at < len(formula):
        end, place, at = read(formula, at, s)
        _add(end, place, s)


@entry
def check(proof: Read[Int32s], at: int, step: int, steps: int, rat: bool, s: CheckerState) -> tuple[int, int, int]:
    """Check at most `steps` steps after `step`, which ended `at`: (REFUTED, NOT_IMPLIED, NOT_EMPTY, PAUSED; where)."""
    if s.numbers[CONFLICT] == 1 and step == 0:
        return REFUTED, step, at
    last = step + steps
    while at < len(proof):
        if step == last:
            return PAUSED, step, at
        step += 1
        deletes = proof[at] == DELETE
        end, place, at = read(proof, at + 1 if deletes else at, s)
        if deletes:
            clause = same_as_read(end, place, s)
            if clause >= 0:
                s.active[clause] = 0
            continue
        if not _implied(end, s) and not (rat and _rat(end, s)):
            return NOT_IMPLIED, step, at
        begin, shared = s.begins[s.numbers[CLAUSES]], 0
        if begin == end:
            return REFUTED, step, at
        most = min(end - begin, len(proof) - at)
        while shared < most and _literal(proof[at + shared]) == s.store[begin + shared]:
            shared += 1
        _learn(end, place, shared, s)
    return NOT_EMPTY, step, at
