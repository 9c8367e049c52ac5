"""Oracles of relations, patterns, automata, counts and choices."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

from satdoku import Mark
from satdoku.generator.makers.own import RELATIONS, _spelled
from support.drawing import MarkedSquare, Values, along, within
from support.oracles.registry import ORACLES, oracle


def _related(mark: Mark, a: int, b: int, n: int) -> bool:
    text = str(mark.value)
    if text in RELATIONS:
        return RELATIONS[text](a, b, n)
    rows = [row.split(":") for row in text.removeprefix("allow ").split(";")]
    return any(int(first) == a and str(b) in seconds.split() for first, seconds in rows)


def _held(drawing: MarkedSquare, mark: Mark, at: Values) -> int:
    return sum(ORACLES[part.kind](drawing, part, at) for part in mark.marks)


@oracle("pair")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(_related(mark, a, b, len(drawing.digits)) for a, b in pairwise(along(mark, at)))


@oracle("pair-all")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(_related(mark, a, b, len(drawing.digits)) for a, b in combinations(within(mark, at), 2))


@oracle("regex")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    # Each value as one character far from any that patterns have; numbers in braces stay.
    pattern = re.sub(r"<(\d+)>|(\d)(?![^{]*\})", lambda found: chr(0x400 + int(found[1] or found[2])), str(mark.value))
    return re.fullmatch(pattern, "".join(chr(0x400 + value) for value in along(mark, at))) is not None


@oracle("automaton")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    start, accept, *steps = [part.split() for part in str(mark.value).split(";")]

    def leads(state: str, left: list[int]) -> bool:
        if not left:
            return state in accept[1:]
        return any(
            leads(target, left[1:])
            for source, values, target in steps
            if source == state and _spelled(left[0]) in re.findall(r"<\d+>|\d", values)
        )

    return leads(start[1], along(mark, at))


@oracle("count")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    listed, _, many = str(mark.value).partition(":")
    counted = [str(value) in listed.split() for value in within(mark, at)].count(True)
    return counted >= int(many[3:]) if many.startswith(" >=") else str(counted) in many.split()


@oracle("any")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return _held(drawing, mark, at) > 0


@oracle("all")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return _held(drawing, mark, at) == len(mark.marks)


@oracle("none")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not _held(drawing, mark, at)


@oracle("exactly")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return _held(drawing, mark, at) == (1 if mark.value is None else mark.value)
