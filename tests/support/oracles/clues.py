"""Oracles and makers of clues outside the grid."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import Drawing, Values, listed, outside
from support.oracles.registry import made_of_nothing, maker, oracle

ABSENT = -1
"""The value of a clue that nothing can satisfy."""


def sandwich(values: Sequence[int], digits: range) -> int:
    crusts = [index for index, value in enumerate(values) if value in (digits[0], digits[-1])]
    return sum(values[crusts[0] + 1 : crusts[1]]) if len(crusts) == 2 else ABSENT


def skyscraper(values: Sequence[int], digits: range) -> int:
    return sum(value > max(values[:index], default=0) for index, value in enumerate(values))


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
    "x-sum": x_sum,
    "numbered-room": numbered_room,
    "hidden-skyscraper": hidden_skyscraper,
    "before-nine": before_nine,
    "battlefield": battlefield,
}
"""The value of each clue, read off the cells that it sees."""


@oracle(*CLUES)
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = [at[position] for position in drawing.seen(mark.cells[0])]
    return CLUES[mark.kind](values, drawing.digits) == mark.value != ABSENT


def _nearest_box(drawing: Drawing, mark: Mark) -> list[Position]:
    """The cells that a clue sees in the box that it is beside."""
    seen = drawing.seen(mark.cells[0])
    return [cell for cell in seen if cell in drawing.region(seen[0])]


def _readings(drawing: Drawing, at: Values) -> dict[Position, list[int]]:
    ends = (0, drawing.size + 1)
    places = [(n, end) for n in drawing.values for end in ends] + [(end, n) for n in drawing.values for end in ends]
    return {place: [at[cell] for cell in drawing.seen(place)] for place in places}


@oracle("rossini")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    three = sorted(drawing.seen(mark.cells[0])[:3], reverse=str(mark.value) in "LU")
    return at[three[0]] < at[three[1]] < at[three[2]]


@oracle("negative-rossini")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    drawn = [other.cells[0] for other in drawing.marks_of("rossini")]
    for edge in (0, drawing.size + 1):
        for number in drawing.values:
            for clue in ((edge, number), (number, edge)):
                a, b, c = (at[cell] for cell in drawing.seen(clue)[:3])
                if clue not in drawn and (a < b < c or a > b > c):
                    return False
    return True


@oracle("outside")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = [at[cell] for cell in _nearest_box(drawing, mark)]
    return all(values.count(value) >= listed(mark).count(value) for value in listed(mark))


@oracle("frame-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(at[cell] for cell in _nearest_box(drawing, mark)) == mark.value


@oracle("full-rank", auxiliary=True)
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    every = _readings(drawing, at)
    own = every.pop(mark.cells[0])
    ties = any(str(other.value).lower() == "any" for other in drawing.marks_of("full-rank-ties"))
    return mark.value == 1 + sum(other < own for other in every.values()) and (ties or own not in every.values())


@oracle("full-rank-ties", auxiliary=True)
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return str(mark.value).lower() == "any" or len(
        set(map(tuple, lines := list(_readings(drawing, at).values())))
    ) == len(lines)


@maker(*CLUES)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    values = [at[position] for position in drawing.seen(clue)] if at else rng.sample(drawing.digits, drawing.size)
    return Mark(kind, (clue,), value=CLUES[kind](values, drawing.digits))


@maker("rossini")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    return Mark(kind, (clue,), value=rng.choice("LR" if clue[0] in drawing.values else "UD"))


@maker("outside", "frame-sum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    mark = Mark(kind, (outside(rng, drawing),))
    cells = _nearest_box(drawing, mark)
    values = [at[cell] for cell in cells] if at else rng.sample(drawing.digits, len(cells))
    if kind == "frame-sum":
        return Mark(kind, mark.cells, value=sum(values))
    return Mark(kind, mark.cells, value=" ".join(map(str, rng.sample(values, rng.randint(1, len(values))))))


made_of_nothing("negative-rossini")
