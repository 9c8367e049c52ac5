"""Oracles of marks of single cells, indexers, clones and quadruples."""

from __future__ import annotations

from collections import Counter

from satdoku import Mark
from support.drawing import MarkedSquare, Values, along, listed, within
from support.oracles.registry import ORACLES, oracle


@oracle("odd", "even")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return {1: "odd", 0: "even"}[at[mark.cells[0]] % 2] == mark.kind


@oracle("minimum", "maximum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    sign = 1 if mark.kind == "maximum" else -1
    alike = [other.cells[0] for other in drawing.marks_of(mark.kind)]
    around = [at[other] for other in drawing.neighbours(mark.cells[0]) if other not in alike]
    return all(sign * at[mark.cells[0]] > sign * value for value in around)


@oracle("row-indexer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(at.get((at[row, column], column)) == row for row, column in mark.cells)


@oracle("column-indexer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(at.get((row, at[row, column])) == column for row, column in mark.cells)


@oracle("box-indexer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    for position in mark.cells:
        region = drawing.region(position)
        if at.get(dict(enumerate(region, 1)).get(at[position], (0, 0))) != region.index(position) + 1:
            return False
    return True


@oracle("159")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    columns = listed(mark) if mark.value is not None else [1, drawing.size - drawing.size // 2, drawing.size]
    return all(at.get((row, at[row, column])) == column for row in drawing.values for column in columns)


@oracle("negative-row-indexer", "negative-column-indexer", "negative-box-indexer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    kind = mark.kind.removeprefix("negative-")
    drawn = [cell for other in drawing.marks_of(kind) for cell in other.cells]
    for cell in drawing.positions:
        line = cell[["row-indexer", "column-indexer"].index(kind)] if kind != "box-indexer" else 0
        if cell in drawn or (mark.value is not None and line not in listed(mark)):
            continue
        if kind == "box-indexer" and not any(cell in region for region in drawing.regions):
            continue
        if ORACLES[kind](drawing, Mark(kind, (cell,)), at):
            return False
    return True


def _alternate(values: list[int]) -> bool:
    """Of the digits around a corner, by row, those across from each other have the same parity, others do not."""
    a, b, c, d = (value % 2 for value in values)
    return a == d != b == c


@oracle("battenberg")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return _alternate(within(mark, at))


@oracle("negative-battenberg")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    drawn = [min(other.cells) for other in drawing.marks_of("battenberg")]
    for row, column in drawing.positions:
        window = [at.get((row + down, column + right)) for down in (0, 1) for right in (0, 1)]
        values = [value for value in window if value is not None]
        if len(values) == 4 and _alternate(values) and (row, column) not in drawn:
            return False
    return True


@oracle("clone")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return within(mark, at) == along(mark, at)


@oracle("quadruple")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return Counter(map(int, str(mark.value).split())) <= Counter(within(mark, at))


@oracle("negative-quadruple")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return not set(listed(mark)) & set(within(mark, at))
