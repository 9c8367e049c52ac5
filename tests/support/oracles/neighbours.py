"""Oracles of marks between cells, and rules about cells at some distance."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise, product
from math import prod

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import MarkedSquare, Values, listed, within
from support.oracles.registry import oracle

Pairs = dict[tuple[int, int], list[tuple[Position, Position]]]
"""Pairs of cells, by how many rows and columns apart they are, the smaller number first."""


@cache
def _pairs(size: int, toroidal: bool, shortest: bool) -> Pairs:
    """Each two cells of a square; on a toroidal board by every way round, or by the shortest one alone."""
    pairs: Pairs = {}
    for here, there in combinations(MarkedSquare(size).positions, 2):
        direct = [abs(a - b) for a, b in zip(here, there, strict=True)]
        ways = [{apart, size - apart} if toroidal else {apart} for apart in direct]
        ways = [{min(apart)} for apart in ways] if shortest else ways
        for way in {(min(way), max(way)) for way in product(*ways)}:
            pairs.setdefault(way, []).append((here, there))
    return pairs


def _apart(drawing: MarkedSquare, near: int, far: int) -> list[tuple[Position, Position]]:
    """The pairs of cells that are so far apart, by any way round."""
    return _pairs(drawing.size, bool(drawing.marks_of("toroidal")), False).get((near, far), [])


def _shortest(drawing: MarkedSquare) -> Pairs:
    return _pairs(drawing.size, bool(drawing.marks_of("toroidal")), True)


def _undrawn(drawing: MarkedSquare, at: Values, *kinds: str) -> Iterator[tuple[int, int]]:
    """The values of neighbours that no mark of these kinds joins, the smaller first."""
    joined = [set(mark.cells) for mark in drawing.marks_of(*kinds)]
    for here, there in _apart(drawing, 0, 1):
        if {here, there} not in joined:
            yield min(at[here], at[there]), max(at[here], at[there])


@oracle("toroidal", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return True


@oracle("difference")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    low, high = sorted(within(mark, at))
    return high - low == (1 if mark.value is None else mark.value)


@oracle("ratio")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    low, high = sorted(within(mark, at))
    return high == low * (2 if mark.value is None else int(mark.value))


@oracle("xv")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return sum(within(mark, at)) == {"X": 10, "V": 5}[str(mark.value)]


@oracle("edge-product")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return prod(within(mark, at)) == mark.value


@oracle("edge-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return mark.value in (None, sum(within(mark, at)))


@oracle("greater-than")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(a > b for a, b in pairwise(within(mark, at)))


@oracle("nonconsecutive")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(high != low + 1 for low, high in _undrawn(drawing, at, "difference", "ratio"))


@oracle("negative-ratio")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    drawn = [2 if dot.value is None else int(dot.value) for dot in drawing.marks_of("ratio")] or [2]
    return all(high != low * ratio for low, high in _undrawn(drawing, at, "difference", "ratio") for ratio in drawn)


@oracle("negative-xv")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(low + high not in (5, 10) for low, high in _undrawn(drawing, at, "xv"))


@oracle("negative-difference")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    dots = [set(dot.cells) for dot in drawing.marks_of("difference", "ratio")]
    return all(abs(at[a] - at[b]) not in listed(mark) for a, b in _apart(drawing, 0, 1) if {a, b} not in dots)


@oracle("negative-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    joined = [set(other.cells) for other in drawing.marks_of("xv", "edge-sum")]
    return all(at[a] + at[b] not in listed(mark) for a, b in _apart(drawing, 0, 1) if {a, b} not in joined)


@oracle("anti-knight")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(at[a] != at[b] for a, b in _apart(drawing, 1, 2))


@oracle("anti-king")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(at[a] != at[b] for near in (0, 1) for a, b in _apart(drawing, near, 1))


@oracle("anti-leaper")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    move, _, values = str(mark.value).partition(" of ")
    near, far = sorted(map(int, move.split()))
    among = [int(value) for value in values.split()]
    alike = (at[a] for a, b in _apart(drawing, near, far) if at[a] == at[b])
    return not any(value in among or not among for value in alike)


@oracle("anti-queen")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    diagonal = (pair for apart in range(1, drawing.size) for pair in _apart(drawing, apart, apart))
    return not any(at[a] == at[b] in listed(mark) for a, b in diagonal)


@oracle("taxicab")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    so_far = (pair for apart, pairs in _shortest(drawing).items() if sum(apart) == mark.value for pair in pairs)
    return all(at[a] != at[b] for a, b in so_far)


@oracle("anti-taxicab")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    far = ((sum(apart), pair) for apart, pairs in _shortest(drawing).items() for pair in pairs)
    return not any(distance == at[a] == at[b] for distance, (a, b) in far)


@oracle("knightmare")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    sums = [5, 15] if mark.value is None else listed(mark)
    return not any(at[a] + at[b] in sums for a, b in _apart(drawing, 1, 2))


@oracle("diagonal-nonconsecutive")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(abs(at[a] - at[b]) != 1 for a, b in _apart(drawing, 1, 1))
