"""Lines on which the step from cell to cell, or the place in the line, decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

from satdoku.constraints import Automaton, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Alias, Frame, Kinds, Shape, Value, needs
from satdoku.variants.drawing import line
from satdoku.variants.relations import Relation, automaton, chain, line_of, number, only, other_remainder, pair
from satdoku.variants.strokes import DARK, GREY, PAPER, Disc

ZERO = "ZERO"
"""The value of a same difference line on which all digits may be equal."""

KINDS = Kinds()


@KINDS.add(
    "same-difference",
    Shape.LINE,
    Value(words=(ZERO,), meaning="ZERO if all digits may be equal"),
    plural="same difference lines",
    draw=line("#6fd3c8"),
    aliases=("same-difference-line",),
)
def _same_difference(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Turquoise line: all neighbours on it differ by the same number, which is not 0 unless the line says ZERO."""
    return _steps(frame, mark, "same difference line", lambda before, value: abs(value - before), mark.value == ZERO)


@KINDS.add("arithmetic", Shape.LINE, plural="arithmetic lines", draw=line("#c3c06a"), aliases=("arithmetic-line",))
def _arithmetic(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Olive line: each digit is as much more, or less, than the one before it as that is than the one before."""
    return _steps(frame, mark, "arithmetic line", lambda before, value: value - before, True)


def _steps(frame: Frame, mark: Mark, kind: str, between: Callable[[int, int], int], zero: bool) -> Iterator[Automaton]:
    """All steps along the line are alike; the state is the last value and the step, once there was one."""
    cells, name = line_of(frame, mark, kind)

    def step(state: tuple[int, int | None], value: int) -> tuple[int, int | None] | None:
        before, known = state
        if before == NOTHING:
            return value, None
        found = between(before, value)
        return (value, found) if (known is None or found == known) and (found or zero) else None

    start: tuple[int, int | None] = (NOTHING, None)
    yield automaton(frame.values, cells, start, step, lambda state: True, name)


NOTHING = -1


def _other_parity(a: int, b: int) -> bool:
    return (a + b) % 2 == 1


def _rises_in_parity(a: int, b: int) -> bool:
    return a < b and (b - a) % 2 == 0


@cache
def _high_and_low(values: range) -> Relation:
    """One is among the low half of the values, one among the high; the middle one of an odd number is neither."""
    half = len(values) // 2
    low, high = values[:half], values[len(values) - half :]
    return lambda a, b: min(a, b) in low and max(a, b) in high


@cache
def _same_remainder(modulus: int) -> Relation:
    return lambda a, b: a % modulus == b % modulus


@KINDS.add("parity-line", Shape.LINE, draw=line("#ec9a9a"), aliases=("odd-even-line", "alternating-parity"))
def _parity(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Red line: odd and even digits alternate."""
    cells, name = line_of(frame, mark, "parity line")
    return chain(frame.values, cells, _other_parity, name)


@KINDS.add(
    "odd-even-thermometer",
    Shape.LINE,
    plural="odd-even thermometers",
    draw=line("#a8a8d8", 0.3),
    aliases=("odd-thermometer", "even-thermometer", "parity-thermometer"),
)
def _parity_thermometer(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Thermometer in outline: digits rise from the first cell, and all are odd or all are even."""
    cells, name = line_of(frame, mark, "odd-even thermometer")
    return chain(frame.values, cells, _rises_in_parity, name)


@KINDS.add("high-low-line", Shape.LINE, plural="high-low lines", draw=line("#f2b36b"))
def _halves(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Orange line: low and high digits alternate; the middle digit of an odd number of digits is neither."""
    cells, name = line_of(frame, mark, "high-low line")
    return chain(frame.values, cells, _high_and_low(frame.values), name)


def _modulus(mark: Mark, default: int | None = None) -> int:
    modulus = number(mark, default)
    if modulus < 1:
        raise PuzzleError(f"value {modulus}: expected a number of 1 or more to divide by")
    return modulus


@KINDS.add(
    "modular-by",
    Shape.LINE,
    needs("the number m that is divided by"),
    plural="modular lines by m",
    draw=line("#59b5b5"),
)
def _modular(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Teal line with a number m: any m cells in a row on it leave m different remainders by m."""
    modulus = _modulus(mark)
    cells, name = line_of(frame, mark, f"modular line by {modulus}")
    for apart in range(1, min(modulus, len(cells))):
        for two in zip(cells, cells[apart:], strict=False):
            yield pair(frame.values, two, other_remainder(modulus), name)


@KINDS.add(
    "unimodular",
    Shape.LINE,
    Value(default=3, meaning="the number that is divided by"),
    plural="unimodular lines",
    draw=line("#b2e0dc"),
    aliases=(Alias("same-parity-line", 2),),
)
def _unimodular(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Light teal line: all digits leave the same remainder by the number, 3 if it has none."""
    modulus = _modulus(mark, 3)
    cells, name = line_of(frame, mark, f"unimodular line by {modulus}")
    return chain(frame.values, cells, _same_remainder(modulus), name)


@KINDS.add("index-line", Shape.LINE, draw=line("#f0b8cf", 0.2, Disc((0, 0), 0.12, "#d77fa5")))
def _index(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Pink line: if its cell k holds v, its cell v holds k."""
    # For each two cells: one names the other exactly if the other names it.
    cells, name = line_of(frame, mark, "index line")
    for cell in cells:
        yield only(cell, range(1, len(cells) + 1), name)
    for (i, first), (j, second) in combinations(enumerate(cells, 1), 2):
        yield pair(frame.values, (first, second), _each_other(i, j), name)


@cache
def _each_other(i: int, j: int) -> Relation:
    return lambda a, b: (a == j) == (b == i)


@KINDS.add(
    "value-index",
    Shape.LINE,
    plural="value index lines",
    draw=line("#c9a8e8", 0.12, Disc((0, 0), 0.14, "#8c5fc0")),
    aliases=("value-indexing",),
)
def _value_index(frame: Frame, mark: Mark) -> Iterator[Automaton | Table]:
    """Line of three or more cells: the second digit, v, says that the digit of the first stands v cells after
    it."""
    # For each value of the second cell an automaton over it, the first cell, and the cell that it names.
    cells, name = line_of(frame, mark, "value index line")
    if len(cells) < 3:
        raise PuzzleError(f"a line of {len(cells)} cells: expected three or more")

    def names(index: int) -> Automaton:
        def step(state: int, value: int) -> int | None:
            if state == START:
                return OPEN if value == index else DONE
            if state in (OPEN, DONE):
                return value if state == OPEN else DONE
            return DONE if value == state else None

        return automaton(frame.values, (cells[1], cells[0], cells[1 + index]), START, step, lambda s: s == DONE, name)

    yield from (names(index) for index in range(1, len(cells) - 1))
    yield only(cells[1], range(1, len(cells) - 1), name)


START, OPEN, DONE = -1, -2, -3


@KINDS.add("successor-arrow", Shape.LINE, draw=line(GREY, 0.08, Disc((0, 0), 0.3, PAPER, DARK)))
def _successor(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Line from a circle: if the circle holds n, the cell n steps on holds n + 1."""
    # If the first cell holds n, the cell n steps on holds n + 1; the line has such a cell.
    cells, name = line_of(frame, mark, "successor arrow")
    steps = range(1, min(len(cells), frame.values[-1]))
    if len(cells) > 1:
        yield only(cells[0], steps, name)
    for index in steps:
        yield pair(frame.values, (cells[0], cells[index]), _followed(index), name)


@cache
def _followed(index: int) -> Relation:
    return lambda a, b: a != index or b == index + 1
