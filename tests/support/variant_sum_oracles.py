"""What sums, clues outside the grid and marks of cells say, in their own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support.variant_drawing import (
    ORACLES,
    Drawing,
    Values,
    along,
    distinct,
    maker,
    one_of,
    oracle,
    outside,
    patch,
    walk,
    within,
)

# Sums


@oracle("cage")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at)) and mark.value in (None, sum(within(mark, at)))


@maker("cage")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    cells = patch(rng, drawing, 1, min(5, drawing.size))
    total = sum(at[cell] for cell in cells) if at else rng.randint(len(cells), len(cells) * drawing.size)
    return Mark(kind, cells, value=None if rng.random() < 0.2 else total)


@oracle("arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    bulb = sorted(mark.cells)
    number = 0
    for position in bulb:
        number = 10 * number + at[position]
    return all(sum(at[position] for position in line) == number for line in mark.lines)


@maker("arrow")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    wide = rng.choice((1, 1, 1, 2, 2, 2, 3))
    for _ in range(200 * wide):
        mark = _arrow(kind, rng, drawing, wide)
        if at is None or ORACLES[kind](drawing, mark, at):
            break
    return mark


def _arrow(kind: str, rng: Random, drawing: Drawing, wide: int) -> Mark:
    """An arrow with a bulb of `wide` cells, in any order, and one line or two."""
    (down, right), edge = rng.choice(((0, 1), (1, 0))), drawing.size - wide + 1
    row, column = rng.randint(1, edge if down else drawing.size), rng.randint(1, edge if right else drawing.size)
    bulb = [(row + step * down, column + step * right) for step in range(wide)]
    rng.shuffle(bulb)
    lines = []
    for _ in range(rng.choice((1, 1, 2))):
        line: list[Position] = []
        while not line:
            around = walk(rng, drawing, 2 if wide == 1 else 4, 5 if wide == 1 else 9, rng.choice(bulb))
            line = [cell for cell in around if cell not in bulb]
        lines.append(tuple(line))
    return Mark(kind, tuple(bulb), tuple(lines))


@oracle("little-killer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(along(mark, at)) == mark.value


@maker("little-killer")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    line: list[Position] = []
    while not line:
        edge, down, right = rng.randint(0, drawing.size + 1), rng.choice((-1, 1)), rng.choice((-1, 1))
        clue = rng.choice(((0 if down > 0 else drawing.size + 1, edge), (edge, 0 if right > 0 else drawing.size + 1)))
        ahead = [(clue[0] + step * down, clue[1] + step * right) for step in range(1, drawing.size + 1)]
        line = [position for position in ahead if position in drawing.inside]
    total = sum(at[cell] for cell in line) if at else rng.randint(len(line), len(line) * drawing.size)
    return Mark(kind, (clue,), (tuple(line),), total)


# Clues outside the grid


ABSENT = -1
"""The value of a clue that nothing can satisfy."""


def sandwich(values: Sequence[int], digits: range) -> int:
    crusts = [index for index, value in enumerate(values) if value in (digits[0], digits[-1])]
    return sum(values[crusts[0] + 1 : crusts[1]]) if len(crusts) == 2 else ABSENT


def skyscraper(values: Sequence[int], digits: range) -> int:
    return sum(value > max(values[:index], default=0) for index, value in enumerate(values))


def x_sum(values: Sequence[int], digits: range) -> int:
    return sum(values[: values[0]]) if values[0] <= len(values) else ABSENT


CLUES = {"sandwich": sandwich, "skyscraper": skyscraper, "x-sum": x_sum}


@oracle(*CLUES)
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = [at[position] for position in drawing.seen(mark.cells[0])]
    return CLUES[mark.kind](values, drawing.digits) == mark.value != ABSENT


@maker(*CLUES)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    values = [at[position] for position in drawing.seen(clue)] if at else rng.sample(drawing.digits, drawing.size)
    return Mark(kind, (clue,), value=CLUES[kind](values, drawing.digits))


# Cells


@oracle("odd", "even")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return {1: "odd", 0: "even"}[at[mark.cells[0]] % 2] == mark.kind


@oracle("minimum", "maximum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    sign = 1 if mark.kind == "maximum" else -1
    alike = [other.cells[0] for other in drawing.marks_of(mark.kind)]
    around = [at[other] for other in drawing.neighbours(mark.cells[0]) if other not in alike]
    return all(sign * at[mark.cells[0]] > sign * value for value in around)


@maker("odd", "even", "minimum", "maximum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, one_of(rng, drawing))


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


@maker("row-indexer", "column-indexer", "box-indexer")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, tuple(rng.sample(drawing.positions, rng.choice((1, 1, 1, 2, 3)))))


@oracle("clone")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return within(mark, at) == along(mark, at)


@maker("clone")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    while True:
        cells = patch(rng, drawing, 1, 4)
        down, right = rng.choice(drawing.positions)
        down, right = rng.choice((down, -down)), rng.choice((right, -right))
        copy = tuple((row + down, column + right) for row, column in cells)
        if set(copy) <= drawing.inside:
            return Mark(kind, cells, (copy,))


@oracle("quadruple")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return Counter(map(int, str(mark.value).split())) <= Counter(within(mark, at))


@maker("quadruple")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    row, column = rng.randint(1, drawing.size - 1), rng.randint(1, drawing.size - 1)
    cells = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
    values = [at[cell] if at else drawing.digit(rng) for cell in cells]
    return Mark(kind, cells, value=" ".join(map(str, rng.sample(values, rng.randint(1, 4)))))
