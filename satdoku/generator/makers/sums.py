"""Makers of sums, products and averages."""

from __future__ import annotations

from math import prod
from random import Random

from satdoku.generator.drawing import MarkedSquare, Values, patch, walk
from satdoku.generator.makers.registry import MAKERS, made_of_a_line, made_of_cells, maker
from satdoku.puzzle import Mark, Position


@maker("cage")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    cells = patch(rng, drawing, 1, min(5, drawing.size))
    total = sum(at[cell] for cell in cells) if at else rng.randint(len(cells), len(cells) * drawing.size)
    return Mark(kind, cells, value=None if rng.random() < 0.2 else total)


@maker("arrow")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    wide = rng.choice((1, 1, 1, 2, 2, 2, 3))
    for _ in range(200 * wide):
        mark = _arrow(kind, rng, drawing, wide)
        if at is None or _points(mark, at):
            break
    return mark


def _points(mark: Mark, at: Values) -> bool:
    """Whether each line of an arrow has the sum that its bulb says, read in the order of the grid."""
    number = 0
    for cell in sorted(mark.cells):
        number = 10 * number + at[cell]
    return all(sum(at[cell] for cell in line) == number for line in mark.lines)


def _arrow(kind: str, rng: Random, drawing: MarkedSquare, wide: int) -> Mark:
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


@maker("little-killer")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    line: list[Position] = []
    while not line:
        edge, down, right = rng.randint(0, drawing.size + 1), rng.choice((-1, 1)), rng.choice((-1, 1))
        clue = rng.choice(((0 if down > 0 else drawing.size + 1, edge), (edge, 0 if right > 0 else drawing.size + 1)))
        ahead = [(clue[0] + step * down, clue[1] + step * right) for step in range(1, drawing.size + 1)]
        line = [position for position in ahead if position in drawing.inside]
    total = sum(at[cell] for cell in line) if at else rng.randint(len(line), len(line) * drawing.size)
    return Mark(kind, (clue,), (tuple(line),), total)


@maker("little-killer-product")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    line = MAKERS["little-killer"](rng, drawing, at)
    held = [at[cell] if at else drawing.digit(rng) for cell in line.lines[0]]
    return Mark(kind, line.cells, line.lines, prod(held[:12]))


@maker("sum-line")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    line = walk(rng, drawing, 2, 6)
    row, column = line[0]
    down, right = (1 if row < drawing.size else -1), (1 if column < drawing.size else -1)
    if rng.random() < 0.3:
        line = [(row, column), (row, column + right), (row + down, column + right), (row + down, column), line[0]]
    total = rng.choice((None, 5, 6, 7, 8)) if at is None or rng.random() < 0.3 else sum(at[cell] for cell in line[:2])
    return Mark(kind, lines=(tuple(line),), value=total)


@maker("x-sum-arrow")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    start = rng.choice(drawing.positions)
    return Mark(kind, (start,), (tuple(walk(rng, drawing, 3, 6, start)[1:]),))


@maker("average-arrow", "product-arrow")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    start = rng.choice(drawing.positions)
    longest = 4 if kind == "average-arrow" else 3
    lines = tuple(tuple(walk(rng, drawing, 2, longest, start)[1:]) for _ in range(rng.choice((1, 1, 2))))
    return Mark(kind, (start,), lines)


@maker("equal-sum")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    cells = rng.sample(drawing.positions, 9)
    groups = [tuple(cells[start : start + rng.randint(1, 3)]) for start in (0, 3, 6)]
    return Mark(kind, lines=tuple(groups[: rng.choice((2, 2, 3))]))


def _comparison(rng: Random, drawing: MarkedSquare, held: list[int]) -> str:
    total, near = sum(held), rng.randint(1, 3)
    weights = [rng.choice((-2, -1, 1, 2, 3)) for _ in held]
    weighted = sum(weight * value for weight, value in zip(weights, held, strict=True))
    return rng.choice(
        (
            str(total),
            f">= {total - near}",
            f"< {total + near}",
            f"!= {total + near}",
            f"{total - near} {total} {total + 2 * near}",
            f"{' '.join(map(str, weights))}: {rng.choice(('=', '<=', '>='))} {weighted}",
        )
    )


made_of_cells("sum", 1, 4, _comparison)

made_of_cells("multisum-cage", 2, 4, lambda rng, drawing, held: f"{sum(held)} {sum(held) + rng.randint(1, 3)}")

made_of_cells("digital-root", 1, 4, lambda rng, drawing, held: (sum(held) - 1) % 9 + 1)

made_of_cells("product", 1, 4, lambda rng, drawing, held: prod(held))

made_of_cells("quad-sum", 3, 4, scattered=True)

for _kind in ("zipper", "double-arrow"):
    made_of_a_line(_kind, 3, 7)


@maker("region-sum")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    while True:
        line = walk(rng, drawing, 3, 7)
        if not any(set(line) <= set(region) for region in drawing.regions):  # such a line says nothing
            return Mark(kind, lines=(tuple(line),))


made_of_a_line("product-sum", 3, 6)

made_of_a_line("split-pea", 5, 9)

made_of_a_line("magnet-sum", 2, 6)
