"""Oracles of other rules of the whole board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from satdoku import Mark
from support.drawing import MarkedSquare, Values, distinct, listed, third
from support.oracles.registry import oracle


def _windows(drawing: MarkedSquare, at: Values) -> Iterator[list[int]]:
    for row, column in drawing.positions:
        if row < drawing.size and column < drawing.size:
            yield [at[row + down, column + right] for down in (0, 1) for right in (0, 1)]


@oracle("global-entropy")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    if mark.value is None:
        thirds = {value: third(drawing.digits, value) for value in drawing.digits}
        classes = [[value for value in thirds if thirds[value] == name] for name in set(thirds.values())]
    else:
        classes = [[int(digit) for digit in word] for word in str(mark.value).split()]
    return all(any(value in window for value in one) for window in _windows(drawing, at) for one in classes)


@oracle("roping")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    corners = {min(region): region for region in drawing.regions}
    for axis, way in enumerate(("ROWS", "COLUMNS")):
        bands: dict[int, list[list[list[int]]]] = {}
        for corner, region in sorted(corners.items()):
            lines = sorted({cell[axis] for cell in region})
            parts = [[at[cell] for cell in region if cell[axis] == line] for line in lines]
            bands.setdefault(corner[axis], []).append(parts)
        beside = [two for band in bands.values() for two in pairwise(band)]
        if mark.value in (None, way) and not all(_roped(here, there, len(drawing.digits)) for here, there in beside):
            return False
    return True


def _roped(here: list[list[int]], there: list[list[int]], digits: int) -> bool:
    """Whether each line of a box has the digits of a line of the other; where a box holds all digits, it is enough that
    it shares all or none with each."""
    one, other = (sorted(value for line in box for value in line) for box in (here, there))
    return (len(one) == digits or one == other) and all(
        set(part) == set(line) or not set(part) & set(line) for part in here for line in there
    )


@oracle("global-mod")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    modulus = 3 if mark.value is None else int(mark.value)
    return all(len({value % modulus for value in window}) == modulus for window in _windows(drawing, at))


@oracle("flatmates")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    last = drawing.digits[-1]
    middle, above, below = listed(mark) if mark.value is not None else (last - last // 2, 1, last)
    return all(
        at.get((row - 1, column)) == above or at.get((row + 1, column)) == below
        for (row, column), value in at.items()
        if value == middle
    )


@oracle("doppelganger", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    lacked = {tuple(house): set(drawing.digits) - {at[cell] for cell in house} for house in drawing.houses}
    if any(len(digits) != 1 or 0 in digits for digits in lacked.values()):
        return False
    size = drawing.size
    families = [drawing.houses[start : start + size] for start in range(0, len(lacked), size)]
    met = [
        [lacked[tuple(house)] for house in drawing.houses if cell in house]
        for cell in drawing.positions
        if not at[cell]
    ]
    return all(distinct([*map(min, map(lacked.__getitem__, map(tuple, family)))]) for family in families) and all(
        one != other for sets in met for one, other in combinations(sets, 2)
    )
