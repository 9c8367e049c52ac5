"""LRAT: the steps of a proof, each with the clauses that show it; made from a DRAT proof or read, and checked."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from satdoku.errors import CertificateError
from satdoku.kernels import drat, rup
from satdoku.limits import check_time
from satdoku.proofs.drup import DELETE, EMPTY_CLAUSE, Numbers
from satdoku.proofs.formula import Formula

kernel: Any = drat
MAX_HINTS = 1 << 28
SLICE = 1_000  # steps between two looks at the clock

LratStep = tuple[int, list[int] | None, list[int]]  # the number of a clause, the clause, hints; None: those are deleted
_LITERALS = r"((?:-?[1-9]\d{0,8} )*)"
_LINE = re.compile(rf"(\d{{1,18}}) (?:d |{_LITERALS}0 )((?:-?[1-9]\d{{0,17}} )*)0", re.ASCII)


def trimmed(formula: Formula, proof: Numbers) -> Iterator[LratStep]:
    """The steps of a DRAT proof that are needed; raises CertificateError for one that is wrong, before the first."""
    return _steps(proof, _Needed(formula, proof))


def core(formula: Formula, proof: Numbers) -> Numbers:
    """The same as a DRAT proof."""
    needed = _Needed(formula, proof)
    targets = needed.targets[: needed.last]
    kept = (targets >= 0) & (needed.trace.clauses[targets] == 1)
    parts = np.repeat(kept, (needed.ends - needed.begins + 1)[: needed.last])
    return np.concatenate([proof[: len(parts)][parts], EMPTY_CLAUSE])


class _Needed:
    """Which steps of a proof are needed, and by what clauses each follows.

    begins, ends: of each step in the proof
    targets: the clause that it adds or deletes; -1 if it deletes none
    last:    of how many steps propagation alone leads to a conflict
    """

    def __init__(self, formula: Formula, proof: Numbers) -> None:
        self.ends = np.flatnonzero(proof == 0)
        self.begins = np.concatenate([[0], self.ends + 1])[:-1]
        clauses = np.concatenate([formula.rules, formula.own])
        variables = max(formula.variables, int(np.abs(proof[proof != DELETE]).max(initial=0)))
        number, literals = len(formula) + len(self.ends), len(clauses) + len(proof)
        state, trace = rup.state(variables, literals, number), drat.trace(variables, number, literals)
        self.targets, before = np.full(len(self.ends), -1, np.int64), np.zeros(len(self.ends), np.int64)
        self.last = left = kernel.forward(clauses, proof, self.targets, before, state, trace)
        if left < 0:
            raise CertificateError("the proof has been cut: it never comes to the empty clause")
        self.adds = proof[self.begins] != DELETE
        while left:
            left, holds = kernel.backward(left, SLICE, self.adds, self.targets, before, state, trace)
            if not holds:
                raise CertificateError(f"step {left} of the proof does not follow from those before it")
            if trace.numbers[drat.FULL]:
                trace.numbers[drat.FULL] = 0
                trace = trace._replace(hints=np.concatenate([trace.hints, np.zeros_like(trace.hints)]))
                if len(trace.hints) > MAX_HINTS:
                    raise CertificateError(f"the proof needs over {MAX_HINTS} hints")
            check_time()
        trace.clauses[: len(formula)] = 1
        self.trace = trace


def _steps(proof: Numbers, needed: _Needed) -> Iterator[LratStep]:
    trace = needed.trace
    for begin, end, adds, target in islice(
        zip(needed.begins, needed.ends, needed.adds, needed.targets, strict=True), needed.last
    ):
        number = int(target) + 1
        if target >= 0 and trace.clauses[target] and adds:
            first, last = trace.spans[2 * target : 2 * target + 2]
            hints, kept, keep = trace.hints[first:last].tolist(), [], True
            for hint in hints:  # without those of clauses that were never needed, and so are not there
                keep = bool(trace.clauses[-hint - 1]) if hint < 0 else keep
                kept += [hint] * keep
            yield number, proof[begin:end].tolist(), kept
        elif target >= 0 and trace.clauses[target]:
            yield number, None, [number]
    yield len(trace.clauses) + 1, [], trace.hints[: trace.spans[-1]].tolist()


def text(steps: Iterator[LratStep]) -> str:
    """As the format has it: `number literals 0 hints 0`, and `number d numbers 0`."""
    starts = ((step, ["d"] if step[1] is None else [*step[1], 0]) for step in steps)
    return "".join(" ".join(map(str, [step[0], *start, *step[2], 0])) + "\n" for step, start in starts)


def read(text: str, name: str) -> Iterator[LratStep]:
    """The steps in a text of that name, without comments; raises CertificateError, with the line."""
    for number, line in enumerate(text.splitlines(), 1):
        words = " ".join(line.split())
        match = _LINE.fullmatch(words)
        if match:
            start, clause, hints = match.groups()
            yield int(start), None if clause is None else [*map(int, clause.split())], [*map(int, hints.split())]
        elif words and not words.startswith("c"):
            expected = "a number, literals, 0, hints, 0, or a number, d, numbers, 0"
            raise CertificateError(f"{name}, line {number}: expected {expected}")


def plain(formula: Formula, steps: Iterable[LratStep]) -> Numbers:
    """The steps without their hints, as a DRAT proof."""
    clauses, proof = dict(enumerate(formula, 1)), list[int]()
    for number, added, hints in steps:
        if added is None:
            for gone in hints:
                proof += [DELETE, *clauses.pop(gone), 0] if gone in clauses else []
        else:
            clauses[number] = added
            proof += [*added, 0]
    return np.array(proof, np.int32)


def check(formula: Formula, steps: Iterable[LratStep]) -> None:
    """Raise CertificateError unless the steps refute the formula.

    It searches nothing. It assumes the literals of a clause false, and looks at the clauses that the hints name: each
    must leave one literal that is not false, which then is true, or none, which is a conflict. Where that does not
    come, the clause must be RAT on its first literal: hints of all clauses that have it negated show the resolvents.
    """
    clauses = dict(enumerate(formula, 1))
    having = defaultdict[int, set[int]](set)
    for number, clause in clauses.items():
        for literal in clause:
            having[literal].add(number)
    for number, added, hints in steps:
        check_time()
        if added is None:
            for gone in hints:
                for literal in clauses.pop(gone, []):
                    having[literal].discard(gone)
            continue
        if number in clauses or not _shown(added, hints, clauses, having):
            raise CertificateError(f"clause {number} of the LRAT proof is not shown by its hints")
        if not added:
            return
        clauses[number] = added
        for literal in added:
            having[literal].add(number)
    raise CertificateError("the proof has been cut: it never comes to the empty clause")


def _shown(clause: list[int], hints: list[int], clauses: dict[int, list[int]], having: dict[int, set[int]]) -> bool:
    groups: list[list[int]] = [[]]
    for hint in hints:
        groups += [[]] * (hint < 0)
        groups[-1].append(hint)
    true = {-literal for literal in clause}
    conflict = _follow(groups[0], clauses, true)
    if conflict or conflict is None or not clause:
        return bool(conflict)
    resolved = having[-clause[0]].copy()
    for other, *rest in groups[1:]:
        literals = set(clauses.get(-other, clause)) - {-clause[0]}
        false = {-literal for literal in literals}  # unless the resolvent is always true
        if literals.isdisjoint(true | false) and not _follow(rest, clauses, true | false):
            return False
        resolved.discard(-other)
    return not resolved


def _follow(hints: list[int], clauses: dict[int, list[int]], true: set[int]) -> bool | None:
    """Whether there is a conflict; None if a hint is not as it should be. What follows is added to `true`."""
    for hint in hints:
        left = {literal for literal in clauses.get(hint, ()) if -literal not in true}
        if not left:
            return hint in clauses or None
        if len(left) > 1:
            return None
        true |= left
    return False
