"""One table of oracles and one of makers, for every kind of mark.

An oracle says in its own words whether a grid obeys a mark. It reads the mark and the grid, and knows no constraint.
A maker draws a random mark.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import Drawing, Values, patch, walk

Argument = int | str | None
Oracle = Callable[[Drawing, Mark, Values], bool]
Maker = Callable[[Random, Drawing, Values | None], Mark]
MakerOfKind = Callable[[str, Random, Drawing, Values | None], Mark]

ORACLES: dict[str, Oracle] = {}
"""For each kind: whether a grid obeys a mark."""

MAKERS: dict[str, Maker] = {}
"""For each kind that is not in BEYOND_THE_GRID: a random mark. Its value is read off the grid, where there is one."""

RULES: dict[str, tuple[Argument, ...]] = {}
"""For each rule of the whole board: the values that it may have on boards of 4x4 or more."""

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


def maker(*kinds: str) -> Callable[[MakerOfKind], None]:
    """Enter the function below, which is given the kind as well, as the maker of these kinds."""

    def enter(function: MakerOfKind) -> None:
        assert not MAKERS.keys() & kinds, f"{kinds}: a second maker"
        MAKERS.update((kind, partial(function, kind)) for kind in kinds)

    return enter


def made_of_nothing(kind: str, *values: Argument) -> None:
    """Enter a maker of a rule of the whole board, with one of these values; none is the only one without any."""
    RULES[kind] = values or (None,)
    maker(kind)(lambda kind, rng, drawing, at: Mark(kind, value=rng.choice(RULES[kind])))


def made_of_a_line(kind: str, shortest: int, longest: int, *values: Argument) -> None:
    """Enter a maker of a line of so many cells, with one of these values; none is the only one without any."""

    @maker(kind)
    def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
        line = walk(rng, drawing, shortest, longest)
        return Mark(kind, lines=(tuple(line),), value=rng.choice(values or (None,)))


def made_of_cells(
    kind: str,
    fewest: int,
    most: int,
    value: Callable[[Random, Drawing, list[int]], Argument] = lambda rng, drawing, values: None,
    *,
    scattered: bool = False,
    shuffled: bool = False,
) -> None:
    """Enter a maker of a group of so many cells.

    value:     a value that fits what the cells hold
    scattered: whether the cells need not touch
    shuffled:  whether the order of the cells counts
    """

    @maker(kind)
    def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
        cells: tuple[Position, ...]
        if scattered:
            cells = tuple(rng.sample(drawing.positions, rng.randint(fewest, most)))
        else:
            cells = patch(rng, drawing, fewest, min(most, drawing.size))
            cells = tuple(rng.sample(cells, len(cells))) if shuffled else cells
        held = [at[cell] if at else drawing.digit(rng) for cell in cells]
        return Mark(kind, cells, value=value(rng, drawing, held))


def obeys(drawing: Drawing, at: Values) -> bool:
    """Whether a grid whose rows and columns are valid obeys every mark."""
    return all(ORACLES[mark.kind](drawing, mark, at) for mark in drawing.marks)


def draw(kind: str, rng: Random, drawing: Drawing, at: Values | None = None) -> Mark:
    """A random mark of that kind; one that the grid obeys, where there is one and it can be found soon."""
    for _ in range(3000):
        mark = MAKERS[kind](rng, drawing, at)
        if at is None or ORACLES[kind](replace(drawing, marks=(*drawing.marks, mark)), mark, at):
            break
    return mark
