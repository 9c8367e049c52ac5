"""Oracles of sums, products and averages."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import MarkedSquare, Values, along, distinct, listed, within
from support.oracles.registry import oracle


def _parts(values: Sequence[int], total: int) -> bool:
    """Whether the values split into parts of that total, in order."""
    return not values or any(
        sum(values[:end]) == total and _parts(values[end:], total) for end in range(1, len(values) + 1)
    )


@oracle("cage")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at)) and mark.value in (None, sum(within(mark, at)))


@oracle("arrow")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    bulb = sorted(mark.cells)
    number = 0
    for position in bulb:
        number = 10 * number + at[position]
    return all(sum(at[position] for position in line) == number for line in mark.lines)


@oracle("little-killer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return sum(along(mark, at)) == mark.value


@oracle("zipper")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    sums = {values[index] + values[-1 - index] for index in range(len(values) // 2)}
    if len(values) % 2:
        sums.add(values[len(values) // 2])
    return len(sums) <= 1


@oracle("double-arrow")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at)
    return first + last == sum(between)


@oracle("region-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
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
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
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
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at)) and sum(within(mark, at)) in listed(mark)


@oracle("digital-root")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    root = sum(within(mark, at))
    while root > 9:
        root = sum(map(int, str(root)))
    return distinct(within(mark, at)) and root == mark.value


@oracle("product")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return prod(within(mark, at)) == mark.value


@oracle("little-killer-product")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return prod(along(mark, at)) == mark.value


@oracle("quad-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    *others, greatest = sorted(within(mark, at))
    return not others or greatest == sum(others)


@oracle("equal-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return len({sum(at[cell] for cell in group) for group in mark.lines}) == 1


@oracle("different-sum", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return distinct([sum(at[cell] for cell in group) for group in mark.lines])


@oracle("sum-line")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values, total = along(mark, at), 10 if mark.value is None else int(mark.value)
    if len(values) > 2 and mark.lines[0][0] == mark.lines[0][-1]:
        loop = values[:-1]
        return any(_parts(loop[start:] + loop[:start], total) for start in range(len(loop)))
    return len(values) == 1 or _parts(values, total)


@oracle("product-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return len(values) == 1 or values[0] * values[-1] == sum(values[1:-1])


@oracle("split-pea")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    ends = (values[0], values[-1])
    return len(values) == 1 or sum(values[1:-1]) in (10 * ends[0] + ends[1], 10 * ends[1] + ends[0])


@oracle("magnet-sum")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    magnet, *values = along(mark, at)
    end = next((index for index, value in enumerate(values) if value > magnet), len(values))
    return not values or sum(values[:end]) == magnet


@oracle("x-sum-arrow")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    (bulb,), shafts = within(mark, at), [[at[cell] for cell in line] for line in mark.lines]
    return all(max(1, shaft[0]) <= len(shaft) and sum(shaft[: max(1, shaft[0])]) == bulb for shaft in shafts)


@oracle("average-arrow")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    (bulb,) = within(mark, at)
    return all(sum(at[cell] for cell in line) / len(line) == bulb for line in mark.lines)


@oracle("product-arrow")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    (bulb,) = within(mark, at)
    return all(prod(at[cell] for cell in line) == bulb for line in mark.lines)
