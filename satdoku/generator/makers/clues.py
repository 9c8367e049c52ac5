"""Makers of clues outside the grid."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from satdoku.generator.drawing import MarkedSquare, Values, outside
from satdoku.generator.makers.registry import made_of_nothing, maker
from satdoku.puzzle import Mark, Position

ABSENT = -1

"""The value of a clue that nothing can satisfy."""


def sandwich(values: Sequence[int], digits: range) -> int:
    crusts = [index for index, value in enumerate(values) if value in (digits[0], digits[-1])]
    return sum(values[crusts[0] + 1 : crusts[1]]) if len(crusts) == 2 else ABSENT


def _seen(values: Sequence[int]) -> list[int]:
    return [value for index, value in enumerate(values) if value > max(values[:index], default=0)]


def skyscraper(values: Sequence[int], digits: range) -> int:
    return len(_seen(values))


def skyscraper_sum(values: Sequence[int], digits: range) -> int:
    return sum(_seen(values))


def x_sum(values: Sequence[int], digits: range) -> int:
    return sum(values[: values[0]]) if values[0] <= len(values) else ABSENT


def numbered_room(values: Sequence[int], digits: range) -> int:
    return values[values[0] - 1] if 1 <= values[0] <= len(values) else ABSENT


def hidden_skyscraper(values: Sequence[int], digits: range) -> int:
    hidden = (value for index, value in enumerate(values) if value < max(values[:index], default=0))
    return next(hidden, ABSENT)


def before_nine(values: Sequence[int], digits: range) -> int:
    return sum(values[: values.index(digits[-1])]) if digits[-1] in values else ABSENT


def battlefield(values: Sequence[int], digits: range) -> int:
    first = range(values[0])
    last = range(len(values) - values[-1], len(values))
    both = [value for index, value in enumerate(values) if index in first and index in last]
    neither = [value for index, value in enumerate(values) if index not in first and index not in last]
    return sum(both or neither)


CLUES = {
    "sandwich": sandwich,
    "skyscraper": skyscraper,
    "skyscraper-sum": skyscraper_sum,
    "x-sum": x_sum,
    "numbered-room": numbered_room,
    "hidden-skyscraper": hidden_skyscraper,
    "before-nine": before_nine,
    "battlefield": battlefield,
}

"""The value of each clue, read off the cells that it sees."""


def _nearest_box(drawing: MarkedSquare, mark: Mark) -> list[Position]:
    """The cells that a clue sees in the box that it is beside."""
    seen = drawing.seen(mark.cells[0])
    return [cell for cell in seen if cell in drawing.region(seen[0])]


@maker(*CLUES)
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    values = [at[position] for position in drawing.seen(clue)] if at else rng.sample(drawing.digits, drawing.size)
    return Mark(kind, (clue,), value=CLUES[kind](values, drawing.digits))


@maker("first-seen", "position-sum")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    values = [at[position] for position in drawing.seen(clue)] if at else rng.sample(drawing.digits, drawing.size)
    if kind == "first-seen":
        parity = rng.randint(0, 1)
        return Mark(kind, (clue,), value=next((value for value in values if value % 2 == parity), ABSENT))
    named = [dict(enumerate(values, 1)).get(place, 0) for place in values[:2]]
    return Mark(kind, (clue,), value=f"{sum(values[:2])} {sum(named)}")


@maker("rossini")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    return Mark(kind, (clue,), value=rng.choice("LR" if clue[0] in drawing.values else "UD"))


@maker("outside", "frame-sum")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    mark = Mark(kind, (outside(rng, drawing),))
    cells = _nearest_box(drawing, mark)
    values = [at[cell] for cell in cells] if at else rng.sample(drawing.digits, len(cells))
    if kind == "frame-sum":
        return Mark(kind, mark.cells, value=sum(values))
    return Mark(kind, mark.cells, value=" ".join(map(str, rng.sample(values, rng.randint(1, len(values))))))


made_of_nothing("negative-rossini")
