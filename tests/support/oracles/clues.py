"""Oracles of clues outside the grid."""

from __future__ import annotations

from satdoku import Mark
from satdoku.generator.makers.clues import ABSENT, CLUES, _nearest_box
from satdoku.puzzle import Position
from support.drawing import MarkedSquare, Values, listed
from support.oracles.registry import oracle


@oracle(*CLUES)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = [at[position] for position in drawing.seen(mark.cells[0])]
    return CLUES[mark.kind](values, drawing.digits) == mark.value != ABSENT


def _readings(drawing: MarkedSquare, at: Values) -> dict[Position, list[int]]:
    ends = (0, drawing.size + 1)
    places = [(n, end) for n in drawing.values for end in ends] + [(end, n) for n in drawing.values for end in ends]
    return {place: [at[cell] for cell in drawing.seen(place)] for place in places}


@oracle("first-seen")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    alike = [at[cell] for cell in drawing.seen(mark.cells[0]) if (at[cell] - int(str(mark.value))) % 2 == 0]
    return alike[:1] == [mark.value]


@oracle("position-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = [at[cell] for cell in drawing.seen(mark.cells[0])]
    a, b, *_ = values
    if not {a, b} <= {*range(1, len(values) + 1)}:
        return False
    return f"{a + b} {values[a - 1] + values[b - 1]}" == mark.value


@oracle("rossini")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    three = sorted(drawing.seen(mark.cells[0])[:3], reverse=str(mark.value) in "LU")
    return at[three[0]] < at[three[1]] < at[three[2]]


@oracle("negative-rossini")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    drawn = [other.cells[0] for other in drawing.marks_of("rossini")]
    for edge in (0, drawing.size + 1):
        for number in drawing.values:
            for clue in ((edge, number), (number, edge)):
                a, b, c = (at[cell] for cell in drawing.seen(clue)[:3])
                if clue not in drawn and (a < b < c or a > b > c):
                    return False
    return True


@oracle("outside")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = [at[cell] for cell in _nearest_box(drawing, mark)]
    return all(values.count(value) >= listed(mark).count(value) for value in listed(mark))


@oracle("frame-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return sum(at[cell] for cell in _nearest_box(drawing, mark)) == mark.value


@oracle("full-rank", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    every = _readings(drawing, at)
    own = every.pop(mark.cells[0])
    ties = any(str(other.value).lower() == "any" for other in drawing.marks_of("full-rank-ties"))
    return mark.value == 1 + sum(other < own for other in every.values()) and (ties or own not in every.values())


@oracle("full-rank-ties", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return str(mark.value).lower() == "any" or len(
        set(map(tuple, lines := list(_readings(drawing, at).values())))
    ) == len(lines)
