"""One table of oracles, for every kind of mark.

An oracle says in its own words whether a grid obeys a mark. It reads the mark and the grid, and knows no constraint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from satdoku import Mark
from satdoku.generator.makers import MAKERS as MAKERS
from satdoku.generator.makers import RULES as RULES
from satdoku.generator.makers import maker as maker
from support.drawing import MarkedSquare, Values

Oracle = Callable[[MarkedSquare, Mark, Values], bool]

ORACLES: dict[str, Oracle] = {}
"""For each kind: whether a grid obeys a mark."""

BEYOND_THE_GRID: set[str] = set()
"""The kinds whose constraints are about layers or auxiliary cells, so that they say nothing of a grid alone."""

LAYERS: dict[str, str] = {}
"""The layer that a kind reads, of those that read one."""


class Layered(Values):
    """A grid, and what each of its layers says of each cell."""

    def __init__(self, grid: Values, layers: dict[str, Values]) -> None:
        super().__init__(grid)
        self.layers = layers


def layer(mark: Mark, at: Values) -> Values:
    """What the layer that the mark reads says of each cell."""
    assert isinstance(at, Layered)
    return at.layers[LAYERS[mark.kind]]


def oracle(*kinds: str, layer: str = "", auxiliary: bool = False) -> Callable[[Oracle], Oracle]:
    """Enter the function below as the oracle of these kinds.

    layer:     the layer that the kinds read
    auxiliary: whether their constraints are about auxiliary cells
    """

    def enter(function: Oracle) -> Oracle:
        assert not ORACLES.keys() & kinds, f"{kinds}: a second oracle"
        ORACLES.update(dict.fromkeys(kinds, function))
        if layer:
            LAYERS.update(dict.fromkeys(kinds, layer))
        if layer or auxiliary:
            BEYOND_THE_GRID.update(kinds)
        return function

    return enter


def obeys(drawing: MarkedSquare, at: Values) -> bool:
    """Whether a grid whose rows and columns are valid obeys every mark."""
    return all(ORACLES[mark.kind](drawing, mark, at) for mark in drawing.marks)


def draw(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None = None) -> Mark:
    """A random mark of that kind; one that the grid obeys, where there is one and it can be found soon."""
    for _ in range(3000):
        mark = MAKERS[kind](rng, drawing, at)
        if at is None or ORACLES[kind](replace(drawing, marks=(*drawing.marks, mark)), mark, at):
            break
    return mark
