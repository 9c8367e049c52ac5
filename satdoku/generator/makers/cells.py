"""Makers of marks of single cells, indexers, clones and quadruples."""

from __future__ import annotations

from random import Random

from satdoku.generator.drawing import MarkedSquare, Values, patch
from satdoku.generator.makers.registry import made_of_cells, made_of_nothing, maker
from satdoku.puzzle import Mark


@maker("odd", "even", "minimum", "maximum")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    return Mark(kind, (rng.choice(drawing.positions),))


@maker("row-indexer", "column-indexer", "box-indexer")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    return Mark(kind, tuple(rng.sample(drawing.positions, rng.choice((1, 1, 1, 2, 3)))))


@maker("clone")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    while True:
        cells = patch(rng, drawing, 1, 4)
        down, right = rng.choice(drawing.positions)
        down, right = rng.choice((down, -down)), rng.choice((right, -right))
        copy = tuple((row + down, column + right) for row, column in cells)
        if set(copy) <= drawing.inside:
            return Mark(kind, cells, (copy,))


@maker("quadruple")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    row, column = rng.randint(1, drawing.size - 1), rng.randint(1, drawing.size - 1)
    cells = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
    values = [at[cell] if at else drawing.digit(rng) for cell in cells]
    return Mark(kind, cells, value=" ".join(map(str, rng.sample(values, rng.randint(1, 4)))))


def _absent(rng: Random, drawing: MarkedSquare, held: list[int]) -> str:
    """One or two digits that these are not, where there are any."""
    other = [value for value in drawing.digits if value not in held] or [1]
    return " ".join(map(str, rng.sample(other, rng.randint(1, min(2, len(other))))))


made_of_cells("negative-quadruple", 2, 4, _absent)


@maker("battenberg")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    row, column = rng.randint(1, drawing.size - 1), rng.randint(1, drawing.size - 1)
    return Mark(kind, ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)))


made_of_nothing("negative-battenberg")

made_of_nothing("negative-row-indexer", None, "1", "2 3")

made_of_nothing("negative-column-indexer", None, "1", "2 3")

made_of_nothing("negative-box-indexer")

made_of_nothing("159", None, "1", "2 3")
