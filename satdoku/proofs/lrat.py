"""LRAT: what a proof needs, with the clauses that show each step; made from a DRAT proof, and checked."""

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

import numpy as np

from satdoku.errors import CertificateError
from satdoku.kernels import drat, lrat
from satdoku.proofs.drup import DELETE, Numbers
from satdoku.proofs.formula import Formula

KERNEL: Any = drat
CHECKER: Any = lrat
MAX_HINTS = 1 << 28
SLICE = 1_000  # steps between two looks at the clock


def trimmed(formula: Formula, proof: Numbers, watch: Callable[[int], None]) -> Numbers:
    """The steps of a DRAT proof that are needed, as LRAT; raises CertificateError for one that is wrong.

    watch: called now and then with a step, so that it can end the work
    """
    clauses = np.concatenate([formula.rules, formula.own])
    ends = np.flatnonzero(proof == 0)
    begins = np.concatenate([[0], ends + 1])[:-1]
    many, room = len(formula) + len(ends), len(clauses) + len(proof)
    variables = max(formula.variables, int(np.abs(proof[proof != DELETE]).max(initial=0)))
    state = drat.state(variables, many, room)
    targets, before = np.full(len(ends), -1, np.int64), np.zeros(len(ends), np.int64)
    last = KERNEL.forward(clauses, proof, targets, before, state)
    if last < 0:
        raise CertificateError("the proof has been cut: it never comes to the empty clause")
    adds = proof[begins] != DELETE
    left = last
    while left:
        left, holds = KERNEL.backward(left, SLICE, adds, targets, before, True, state)
        if not holds:
            raise CertificateError(f"step {left} of the proof does not follow from those before it")
        if state.numbers[drat.FULL]:
            state.numbers[drat.FULL] = 0
            state = state._replace(hints=np.concatenate([state.hints, np.zeros_like(state.hints)]))
            if len(state.hints) > MAX_HINTS:
                raise CertificateError(f"the proof needs over {MAX_HINTS} hints")
        watch(left)
    return _written(proof, [*zip(begins, ends, adds, targets, strict=True)][:last], len(formula), state)


def _written(proof: Numbers, steps: list[Any], formula: int, state: drat.State) -> Numbers:
    needed, hints, last = state.marked == 1, state.hints, len(state.marked) + 1
    needed[:formula] = True
    parts: list[Any] = []
    for begin, end, adds, target in steps:
        if target < 0 or not needed[target]:
            continue
        if adds:
            span = hints[slice(*state.spans[2 * target : 2 * target + 2])]
            parts += [[target + 1], proof[begin:end], [0], list(_kept(span.tolist(), needed)), [0]]
        else:
            parts.append([target + 1, DELETE, target + 1, 0])
    parts.append([last, 0, *hints[: state.spans[-1]].tolist(), 0])
    return np.concatenate(parts).astype(np.int32)


def _kept(hints: list[int], needed: Any) -> Iterator[int]:
    """Without what is said about clauses that were never needed, and so are not there."""
    keep = True
    for hint in hints:
        keep = needed[-hint - 1] if hint < 0 else keep
        if keep:
            yield hint


def check(formula: Formula, proof: Numbers, watch: Callable[[int], None]) -> None:
    """Raises CertificateError unless an LRAT proof refutes the formula."""
    largest = int(np.abs(proof[proof != DELETE]).max(initial=0))
    if largest > len(formula) + len(proof):
        raise CertificateError(f"the proof names {largest}, and has {len(proof)} numbers")
    state = lrat.state(
        max(formula.variables, largest), largest + len(formula), len(proof) + len(formula.rules) + len(formula.own)
    )
    CHECKER.load(np.concatenate([formula.rules, formula.own]), state)
    found, step, at = lrat.PAUSED, 0, 0
    while found == lrat.PAUSED:
        found, step, at = CHECKER.check(proof, at, step, SLICE, state)
        watch(step)
    if found == lrat.WRONG:
        raise CertificateError(f"step {step} of the LRAT proof is not shown by its hints")
    if found == lrat.NOT_EMPTY:
        raise CertificateError("the proof has been cut: it never comes to the empty clause")


def text(proof: Numbers) -> str:
    """As the format has it: `number literals 0 hints 0`, and `number d numbers 0`."""
    words, lines = iter(proof.tolist()), []
    for number in words:
        first = next(words)
        rest = takewhile(bool, words)
        if first == DELETE:
            lines.append(f"{number} d {' '.join(map(str, rest))} 0\n")
        else:
            literals = [first, *rest] if first else []
            lines.append(" ".join(map(str, [number, *literals, 0, *takewhile(bool, words), 0])) + "\n")
    return "".join(lines)
