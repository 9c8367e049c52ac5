"""Oracles and makers of sums, products and averages."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import Drawing, Values, along, distinct, listed, patch, walk, within
from support.oracles.registry import MAKERS, ORACLES, made_of_a_line, made_of_cells, maker, oracle


def _parts(values: Sequence[int], total: int) -> bool:
    """Whether the values split into parts of that total, in order."""
    return not values or any(
        sum(values[:end]) == total and _parts(values[end:], total) for end in range(1, len(values) + 1)
    )


@oracle("cage")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at)) and mark.value in (None, sum(within(mark, at)))


@oracle("arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    bulb = sorted(mark.cells)
    number = 0
    for position in bulb:
        number = 10 * number + at[position]
    return all(sum(at[position] for position in line) == number for line in mark.lines)


@oracle("little-killer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(along(mark, at)) == mark.value


@oracle("zipper")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    sums = {values[index] + values[-1 - index] for index in range(len(values) // 2)}
    if len(values) % 2:
        sums.add(values[len(values) // 2])
    return len(sums) <= 1


@oracle("double-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at)
    return first + last == sum(between)


@oracle("region-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    sums: list[int] = []
    before: list[Position] = []
    for position in mark.lines[0]:
        if position in before:
            sums[-1] += at[position]
        else:
            sums.append(at[position])
            before = drawing.region(position)
    return len(set(sums)) == 1


@oracle("sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    weights, colon, comparison = str(mark.value).rpartition(":")
    each = [int(word) for word in weights.split()] if colon else [1] * len(mark.cells)
    total = sum(weight * value for weight, value in zip(each, within(mark, at), strict=True))
    sign = comparison.strip().rstrip("-0123456789 ") or "="
    known = [int(word) for word in comparison.replace(sign, " ", 1).split()]
    return {
        "=": total in known,
        "!=": total not in known,
        "<": total < known[0],
        "<=": total <= known[0],
        ">": total > known[0],
        ">=": total >= known[0],
    }[sign]


@oracle("multisum-cage")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at)) and sum(within(mark, at)) in listed(mark)


@oracle("digital-root")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    root = sum(within(mark, at))
    while root > 9:
        root = sum(map(int, str(root)))
    return distinct(within(mark, at)) and root == mark.value


@oracle("product")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return prod(within(mark, at)) == mark.value


@oracle("little-killer-product")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return prod(along(mark, at)) == mark.value


@oracle("quad-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    *others, greatest = sorted(within(mark, at))
    return not others or greatest == sum(others)


@oracle("equal-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return len({sum(at[cell] for cell in group) for group in mark.lines}) == 1


@oracle("different-sum", auxiliary=True)
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct([sum(at[cell] for cell in group) for group in mark.lines])


@oracle("sum-line")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values, total = along(mark, at), 10 if mark.value is None else int(mark.value)
    if len(values) > 2 and mark.lines[0][0] == mark.lines[0][-1]:
        loop = values[:-1]
        return any(_parts(loop[start:] + loop[:start], total) for start in range(len(loop)))
    return len(values) == 1 or _parts(values, total)


@oracle("product-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return len(values) == 1 or values[0] * values[-1] == sum(values[1:-1])


@oracle("split-pea")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    ends = (values[0], values[-1])
    return len(values) == 1 or sum(values[1:-1]) in (10 * ends[0] + ends[1], 10 * ends[1] + ends[0])


@oracle("magnet-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    magnet, *values = along(mark, at)
    end = next((index for index, value in enumerate(values) if value > magnet), len(values))
    return not values or sum(values[:end]) == magnet


@oracle("average-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    (bulb,) = within(mark, at)
    return all(sum(at[cell] for cell in line) / len(line) == bulb for line in mark.lines)


@oracle("product-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    (bulb,) = within(mark, at)
    return all(prod(at[cell] for cell in line) == bulb for line in mark.lines)


@maker("cage")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    cells = patch(rng, drawing, 1, min(5, drawing.size))
    total = sum(at[cell] for cell in cells) if at else rng.randint(len(cells), len(cells) * drawing.size)
    return Mark(kind, cells, value=None if rng.random() < 0.2 else total)


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


@maker("little-killer-product")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    line = MAKERS["little-killer"](rng, drawing, at)
    held = [at[cell] if at else drawing.digit(rng) for cell in line.lines[0]]
    return Mark(kind, line.cells, line.lines, prod(held[:12]))


@maker("sum-line")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    line = walk(rng, drawing, 2, 6)
    row, column = line[0]
    down, right = (1 if row < drawing.size else -1), (1 if column < drawing.size else -1)
    if rng.random() < 0.3:
        line = [(row, column), (row, column + right), (row + down, column + right), (row + down, column), line[0]]
    total = rng.choice((None, 5, 6, 7, 8)) if at is None or rng.random() < 0.3 else sum(at[cell] for cell in line[:2])
    return Mark(kind, lines=(tuple(line),), value=total)


@maker("average-arrow", "product-arrow")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    start = rng.choice(drawing.positions)
    longest = 4 if kind == "average-arrow" else 3
    lines = tuple(tuple(walk(rng, drawing, 2, longest, start)[1:]) for _ in range(rng.choice((1, 1, 2))))
    return Mark(kind, (start,), lines)


@maker("equal-sum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    cells = rng.sample(drawing.positions, 9)
    groups = [tuple(cells[start : start + rng.randint(1, 3)]) for start in (0, 3, 6)]
    return Mark(kind, lines=tuple(groups[: rng.choice((2, 2, 3))]))


def _comparison(rng: Random, drawing: Drawing, held: list[int]) -> str:
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
for _kind in ("zipper", "double-arrow", "region-sum"):
    made_of_a_line(_kind, 3, 7)
made_of_a_line("product-sum", 3, 6)
made_of_a_line("split-pea", 5, 9)
made_of_a_line("magnet-sum", 2, 6)
