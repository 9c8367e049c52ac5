"""Oracles of marks between cells, and rules about cells at some distance."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product
from math import prod

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import MarkedSquare, Values, listed, within
from support.oracles.registry import oracle


def _lengths(drawing: MarkedSquare, one: int, other: int) -> set[int]:
    """How far apart two rows or columns are, by either way round on a toroidal board."""
    apart = abs(one - other)
    return {apart, drawing.size - apart} if drawing.marks_of("toroidal") else {apart}


def _alike(drawing: MarkedSquare, at: Values, moves: set[Position]) -> bool:
    """Whether two cells that are one of these (sorted) distances apart hold the same value."""
    return any((near, far) in moves and low == high for near, far, low, high in _apart(drawing, at))


def _undrawn(drawing: MarkedSquare, at: Values, *kinds: str) -> Iterator[tuple[int, int]]:
    """The values of neighbours that no mark of these kinds joins, the smaller first."""
    joined = [set(mark.cells) for mark in drawing.marks_of(*kinds)]
    for here, there in _edges(drawing):
        if {here, there} not in joined:
            yield min(at[here], at[there]), max(at[here], at[there])


def _edges(drawing: MarkedSquare) -> Iterator[tuple[Position, Position]]:
    for here, there in combinations(drawing.positions, 2):
        down, right = (_lengths(drawing, a, b) for a, b in zip(here, there, strict=True))
        if (0 in down and 1 in right) or (1 in down and 0 in right):
            yield here, there


def _apart(drawing: MarkedSquare, at: Values) -> Iterator[tuple[int, int, int, int]]:
    """For each two cells: rows and columns between them, the smaller first, and their values, smaller first."""
    for here, there in combinations(drawing.positions, 2):
        low, high = sorted((at[here], at[there]))
        for down, right in product(*(_lengths(drawing, a, b) for a, b in zip(here, there, strict=True))):
            near, far = sorted((down, right))
            yield near, far, low, high


def _shortest(drawing: MarkedSquare, at: Values) -> Iterator[tuple[int, int, int, int]]:
    """The same, once for each two cells, by the shorter ways round."""
    for here, there in combinations(drawing.positions, 2):
        near, far = sorted(min(_lengths(drawing, a, b)) for a, b in zip(here, there, strict=True))
        low, high = sorted((at[here], at[there]))
        yield near, far, low, high


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
    return all(abs(at[a] - at[b]) not in listed(mark) for a, b in _edges(drawing) if {a, b} not in dots)


@oracle("negative-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    joined = [set(other.cells) for other in drawing.marks_of("xv", "edge-sum")]
    return all(at[a] + at[b] not in listed(mark) for a, b in _edges(drawing) if {a, b} not in joined)


@oracle("anti-knight")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not _alike(drawing, at, {(1, 2)})


@oracle("anti-king")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not _alike(drawing, at, {(1, 1)})  # cells beside each other are in a row or column


@oracle("anti-leaper")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    move, _, values = str(mark.value).partition(" of ")
    a, b = sorted(map(int, move.split()))
    among = [int(value) for value in values.split()] or list(range(-1, 10_000))
    return not any((near, far) == (a, b) and low == high in among for near, far, low, high in _apart(drawing, at))


@oracle("anti-queen")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not any(near == far and low == high in listed(mark) for near, far, low, high in _apart(drawing, at))


@oracle("taxicab")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not any(near + far == mark.value and low == high for near, far, low, high in _shortest(drawing, at))


@oracle("anti-taxicab")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not any(near + far == low == high and near for near, far, low, high in _shortest(drawing, at))


@oracle("knightmare")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    sums = [5, 15] if mark.value is None else listed(mark)
    return not any((near, far) == (1, 2) and low + high in sums for near, far, low, high in _apart(drawing, at))


@oracle("diagonal-nonconsecutive")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not any(near == far == 1 and high == low + 1 for near, far, low, high in _apart(drawing, at))
