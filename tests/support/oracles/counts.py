"""Oracles of marks that count digits, and cages that say something else than a sum."""

from __future__ import annotations

from itertools import combinations

from satdoku import Mark
from support.drawing import MarkedSquare, Values, along, distinct, listed, within
from support.oracles.registry import oracle


def _says(text: str, values: list[int]) -> bool:
    parts = text.split() if " " in text else list(text)
    return all(values.count(int(value)) == int(many) for many, value in zip(parts[::2], parts[1::2], strict=True))


@oracle("look-and-say")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return _says(str(mark.value), within(mark, at))


@oracle("little-killer-look-and-say")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return _says(str(mark.value), along(mark, at))


@oracle("contain-exact")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(within(mark, at).count(value) == listed(mark).count(value) for value in listed(mark))


@oracle("counting-circles")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = within(mark, at)
    return all(values.count(value) == value for value in values)


@oracle("counting-line")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return all(values.count(value) == value for value in values)


@oracle("count-distinct")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    number, *others = within(mark, at)
    return number == len(set(others))


@oracle("odd-count", "even-count")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    odd = sum(value % 2 for value in within(mark, at))
    return mark.value == (odd if mark.kind == "odd-count" else len(mark.cells) - odd)


@oracle("odd-lots", "even-lots")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    odd = sum(value % 2 for value in within(mark, at))
    return within(mark, at)[0] == (odd if mark.kind == "odd-lots" else len(mark.cells) - odd)


@oracle("same-values")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return len({tuple(sorted(at[cell] for cell in group)) for group in mark.lines}) == 1


@oracle("region-same-values", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    most = max(map(len, drawing.houses))
    return len({tuple(sorted(at[cell] for cell in house)) for house in drawing.houses if len(house) == most}) == 1


@oracle("equality-cage")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values, middle = within(mark, at), (drawing.digits[0] + drawing.digits[-1]) / 2
    odd, low, high = (sum(map(test, values)) for test in (lambda v: v % 2, lambda v: v < middle, lambda v: v > middle))
    return distinct(values) and 2 * odd == len(values) and low == high and low + high == len(values)


@oracle("rellik")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = within(mark, at)
    some = (part for length in range(1, len(values) + 1) for part in combinations(values, length))
    return distinct(values) and all(sum(part) != mark.value for part in some)


@oracle("lunchbox")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = within(mark, at)
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return distinct(values) and sum(values[first + 1 : last]) == mark.value


@oracle("vault")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    around = {cell for inner in mark.cells for cell in drawing.neighbours(inner)} - set(mark.cells)
    return not {at[cell] for cell in around} & set(within(mark, at))
