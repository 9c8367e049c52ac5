"""One table of makers, for every kind of mark that can be drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from satdoku.generator.drawing import MarkedSquare, Values, patch, walk
from satdoku.puzzle import Mark, Position

Argument = int | str | None
Maker = Callable[[Random, MarkedSquare, Values | None], Mark]
MakerOfKind = Callable[[str, Random, MarkedSquare, Values | None], Mark]

MAKERS: dict[str, Maker] = {}
"""For each kind that can be drawn at random: a random mark. Its value is read off the grid, where there is one."""

RULES: dict[str, tuple[Argument, ...]] = {}
"""For each rule of the whole board: the values that it may have on boards of 4x4 or more."""


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
    def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
        line = walk(rng, drawing, shortest, longest)
        return Mark(kind, lines=(tuple(line),), value=rng.choice(values or (None,)))


def made_of_cells(
    kind: str,
    fewest: int,
    most: int,
    value: Callable[[Random, MarkedSquare, list[int]], Argument] = lambda rng, drawing, values: None,
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
    def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
        cells: tuple[Position, ...]
        if scattered:
            cells = tuple(rng.sample(drawing.positions, rng.randint(fewest, most)))
        else:
            cells = patch(rng, drawing, fewest, min(most, drawing.size))
            cells = tuple(rng.sample(cells, len(cells))) if shuffled else cells
        held = [at[cell] if at else drawing.digit(rng) for cell in cells]
        return Mark(kind, cells, value=value(rng, drawing, held))
