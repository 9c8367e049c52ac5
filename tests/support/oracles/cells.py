"""Oracles and makers of marks of single cells, indexers, clones and quadruples."""

from __future__ import annotations

from collections import Counter
from random import Random

from satdoku import Mark
from support.drawing import Drawing, Values, along, listed, patch, within
from support.oracles.registry import made_of_cells, made_of_nothing, maker, oracle


@oracle("odd", "even")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return {1: "odd", 0: "even"}[at[mark.cells[0]] % 2] == mark.kind


@oracle("minimum", "maximum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    sign = 1 if mark.kind == "maximum" else -1
    alike = [other.cells[0] for other in drawing.marks_of(mark.kind)]
    around = [at[other] for other in drawing.neighbours(mark.cells[0]) if other not in alike]
    return all(sign * at[mark.cells[0]] > sign * value for value in around)


@oracle("row-indexer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(at.get((at[row, column], column)) == row for row, column in mark.cells)


@oracle("column-indexer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(at.get((row, at[row, column])) == column for row, column in mark.cells)


@oracle("box-indexer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    for position in mark.cells:
        region = drawing.region(position)
        if at.get(dict(enumerate(region, 1)).get(at[position], (0, 0))) != region.index(position) + 1:
            return False
    return True


@oracle("159")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    columns = listed(mark) if mark.value is not None else [1, drawing.size - drawing.size // 2, drawing.size]
    return all(at.get((row, at[row, column])) == column for row in drawing.values for column in columns)


@oracle("clone")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return within(mark, at) == along(mark, at)


@oracle("quadruple")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return Counter(map(int, str(mark.value).split())) <= Counter(within(mark, at))


@oracle("negative-quadruple")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not set(listed(mark)) & set(within(mark, at))


@maker("odd", "even", "minimum", "maximum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, (rng.choice(drawing.positions),))


@maker("row-indexer", "column-indexer", "box-indexer")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, tuple(rng.sample(drawing.positions, rng.choice((1, 1, 1, 2, 3)))))


@maker("clone")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    while True:
        cells = patch(rng, drawing, 1, 4)
        down, right = rng.choice(drawing.positions)
        down, right = rng.choice((down, -down)), rng.choice((right, -right))
        copy = tuple((row + down, column + right) for row, column in cells)
        if set(copy) <= drawing.inside:
            return Mark(kind, cells, (copy,))


@maker("quadruple")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    row, column = rng.randint(1, drawing.size - 1), rng.randint(1, drawing.size - 1)
    cells = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
    values = [at[cell] if at else drawing.digit(rng) for cell in cells]
    return Mark(kind, cells, value=" ".join(map(str, rng.sample(values, rng.randint(1, 4)))))


def _absent(rng: Random, drawing: Drawing, held: list[int]) -> str:
    """One or two digits that these are not, where there are any."""
    other = [value for value in drawing.digits if value not in held] or [1]
    return " ".join(map(str, rng.sample(other, rng.randint(1, min(2, len(other))))))


made_of_cells("negative-quadruple", 2, 4, _absent)
made_of_nothing("159", None, "1", "2 3")
