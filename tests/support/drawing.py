"""What oracles of marks are written with, beside the squares that marks are drawn on.

Nothing here comes from the lowering of marks, and nothing knows a constraint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from satdoku import Mark
from satdoku.generator.drawing import MarkedSquare as MarkedSquare
from satdoku.generator.drawing import Values as Values
from satdoku.generator.drawing import outside as outside
from satdoku.generator.drawing import patch as patch
from satdoku.generator.drawing import walk as walk


def grids(drawing: MarkedSquare, givens: Values) -> Iterator[Values]:
    """Every grid that repeats no value in a row, column, box or region and agrees with the givens."""
    peers, at = drawing.peers, dict(givens)
    empty = [position for position in drawing.positions if position not in givens]

    def fill(number: int) -> Iterator[Values]:
        if number == len(empty):
            yield {position: at[position] for position in drawing.positions}
            return
        here = empty[number]
        taken = {at.get(peer) for peer in peers[here]}
        for value in drawing.digits:
            if value not in taken:
                at[here] = value
                yield from fill(number + 1)
        at.pop(here, None)

    clash = any(givens[here] == givens.get(peer) for here in givens for peer in peers[here])
    return iter(()) if clash else fill(0)


def distinct(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)


def along(mark: Mark, at: Values) -> list[int]:
    """The values of the mark's one line."""
    return [at[position] for position in mark.lines[0]]


def within(mark: Mark, at: Values) -> list[int]:
    """The values of the mark's cells."""
    return [at[position] for position in mark.cells]


def listed(mark: Mark) -> list[int]:
    """The numbers that the mark's value lists."""
    return [int(word) for word in str(mark.value).split()]


@cache
def third(digits: range, digit: int) -> str:
    """Thirds as equal as they can be, the low as large as the high: 1|23|4, 12|3|45, 12|34|56."""
    size, value = len(digits), digits.index(digit) + 1
    low = next(low for low in range(size) if 2 * low <= size and abs((size - 2 * low) - low) <= 1)
    return "low" if value <= low else "high" if value > size - low else "middle"
