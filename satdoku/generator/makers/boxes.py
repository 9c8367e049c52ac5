"""Makers of boxes, regions and further groups of cells."""

from __future__ import annotations

from random import Random

from satdoku.generator.drawing import MarkedSquare, Values, patch
from satdoku.generator.makers.registry import made_of_nothing, maker
from satdoku.puzzle import Mark


@maker("boxes")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    shapes = [(height, drawing.size // height) for height in range(2, drawing.size) if drawing.size % height == 0]
    height, width = rng.choice([shape for shape in shapes if shape[1] > 1])
    return Mark(kind, value=f"{height}x{width}")


@maker("region")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    return Mark(kind, patch(rng, drawing, drawing.size, drawing.size))


@maker("extra-region")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    return Mark(kind, patch(rng, drawing, 2, drawing.size))


for _kind in ("diagonal+", "diagonal-", "windoku", "disjoint-groups"):
    made_of_nothing(_kind)

made_of_nothing("disjoint-group", 1, 2, 4)
