"""Oracles of lines that compare digits."""

from __future__ import annotations

from itertools import accumulate, pairwise

from satdoku import Mark
from support.drawing import MarkedSquare, Values, along, distinct, third
from support.oracles.registry import oracle


@oracle("thermometer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return values == sorted(set(values))


@oracle("slow-thermometer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return along(mark, at) == sorted(along(mark, at))


@oracle("whispers")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    apart = 5 if mark.value is None else int(mark.value)
    return all(max(two) >= min(two) + apart for two in pairwise(along(mark, at)))


@oracle("renban")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = sorted(at[position] for position in set(mark.lines[0]))
    return values == list(range(values[0], values[0] + len(values)))


@oracle("not-renban")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = [at[position] for position in set(mark.lines[0])]
    return sorted(values) not in [[*range(low, low + len(values))] for low in drawing.digits]


@oracle("max-difference")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(max(two) - min(two) <= int(str(mark.value)) for two in pairwise(along(mark, at)))


@oracle("skyscraper-line")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return len(set(accumulate(along(mark, at), max)) - {0}) == mark.value


@oracle("nabner")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = sorted(at[position] for position in set(mark.lines[0]))
    return all(high > low + 1 for low, high in pairwise(values))


@oracle("palindrome")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return along(mark, at) == along(mark, at)[::-1]


@oracle("entropic")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    thirds = [third(drawing.digits, value) for value in along(mark, at)]
    windows = [thirds[index : index + 3] for index in range(len(thirds))]
    return all(len(set(window)) == len(window) for window in windows)


@oracle("modular")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    rests = [value % 3 for value in along(mark, at)]
    return all(distinct(rests[index : index + 3]) for index in range(len(rests)))


@oracle("between")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at)
    return all(min(first, last) < value < max(first, last) for value in between)


@oracle("lockout")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at) if len(mark.lines[0]) > 1 else [0, 10**6]
    low, high = sorted((first, last))
    return high - low >= (4 if mark.value is None else int(mark.value)) and not any(
        low <= value <= high for value in between
    )


@oracle("same-difference")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    steps = {abs(b - a) for a, b in pairwise(along(mark, at))}
    return len(steps) <= 1 and (mark.value == "ZERO" or 0 not in steps)


@oracle("arithmetic")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return len({b - a for a, b in pairwise(along(mark, at))}) <= 1


@oracle("parity-line")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return all(a % 2 != b % 2 for a, b in pairwise(along(mark, at)))


@oracle("odd-even-thermometer")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return values == sorted(set(values)) and len({value % 2 for value in values}) == 1


@oracle("high-low-line")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    middle = (drawing.digits[0] + drawing.digits[-1]) / 2
    sides = [(value > middle) - (value < middle) for value in along(mark, at)]
    return all(a * b == -1 for a, b in pairwise(sides))


@oracle("modular-by")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    rests, modulus = [value % int(str(mark.value)) for value in along(mark, at)], int(str(mark.value))
    return all(distinct(rests[index : index + modulus]) for index in range(len(rests)))


@oracle("unimodular")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return len({value % (3 if mark.value is None else int(mark.value)) for value in along(mark, at)}) == 1


@oracle("index-line")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return all(0 < value <= len(values) and values[value - 1] == place for place, value in enumerate(values, 1))


@oracle("value-index")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    wanted, index, *others = along(mark, at)
    return 0 < index <= len(others) and others[index - 1] == wanted


@oracle("successor-arrow")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return len(values) == 1 or (values[0] < len(values) and values[values[0]] == values[0] + 1)
