"""Makers of marks between cells, and rules about cells at some distance."""

from __future__ import annotations

from math import prod
from random import Random

from satdoku.generator.drawing import MarkedSquare, Values
from satdoku.generator.makers.registry import made_of_cells, made_of_nothing, maker
from satdoku.puzzle import Mark


@maker("difference", "ratio", "xv")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    values = {"difference": (None, None, 1, 2, 3, 0), "ratio": (None, None, 2, 3, 4, 1), "xv": ("V", "V", "X")}
    edge = list(rng.choice(list(drawing.edges())))
    rng.shuffle(edge)
    return Mark(kind, tuple(edge), value=rng.choice(values[kind]))


made_of_cells("edge-sum", 2, 2, lambda rng, drawing, held: sum(held))

made_of_cells("edge-product", 2, 2, lambda rng, drawing, held: prod(held))

made_of_cells("greater-than", 2, 3, shuffled=True)

for _kind in ("nonconsecutive", "negative-ratio", "negative-xv", "anti-knight", "anti-king"):
    made_of_nothing(_kind)

made_of_nothing("negative-difference", "2", "3", "1 3")

made_of_nothing("negative-sum", "4", "5", "6")

made_of_nothing("anti-leaper", "1 3", "2 2", "2 3 of 1 2", "1 2 of 3")

made_of_nothing("anti-queen", "1", "2 4")

made_of_nothing("taxicab", 3, 4)

made_of_nothing("anti-taxicab")

made_of_nothing("knightmare", "4", "5", "3 6", None)

made_of_nothing("diagonal-nonconsecutive")
