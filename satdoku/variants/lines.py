"""Lines that order, part or repeat values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from satdoku.constraints import AllDifferent, Automaton, Table
from satdoku.puzzle import Mark
from satdoku.variants import Frame, Kind, Shape, Value, label
from satdoku.variants.drawing import line
from satdoku.variants.relations import Relation, automaton, chain, every_pair, number, pair
from satdoku.variants.strokes import DARK, GREY, PAPER, Disc, Line, Stroke


def _rises(a: int, b: int) -> bool:
    return a < b


def _never_falls(a: int, b: int) -> bool:
    return a <= b


def _equal(a: int, b: int) -> bool:
    return a == b


def _apart(a: int, b: int) -> bool:
    return abs(a - b) >= 2


@cache
def _at_least(distance: int) -> Relation:
    return lambda a, b: abs(a - b) >= distance


@cache
def _within(distance: int) -> Relation:
    return lambda a, b: abs(a - b) <= distance


@cache
def _other_third(size: int) -> Relation:
    """Values in different thirds of 1..N: low, middle, high; an odd one out widens the middle, two the ends."""
    low = size // 3 + (size % 3 == 2)
    high = size - low
    return lambda a, b: (a > low) + (a > high) != (b > low) + (b > high)


@cache
def _other_remainder(modulus: int) -> Relation:
    return lambda a, b: a % modulus != b % modulus


def _line(frame: Frame, mark: Mark, kind: str) -> tuple[tuple[int, ...], str]:
    """The cells of the mark's line, and its name for people."""
    (points,) = mark.lines
    return frame.cells(points), f"{kind} {label(points[0])}-{label(points[-1])}"


def _thermometer(frame: Frame, mark: Mark) -> Iterator[Table]:
    cells, name = _line(frame, mark, "thermometer")
    return chain(frame.size, cells, _rises, name)


def _slow(frame: Frame, mark: Mark) -> Iterator[Table]:
    cells, name = _line(frame, mark, "slow thermometer")
    return chain(frame.size, cells, _never_falls, name)


def _whispers(frame: Frame, mark: Mark) -> Iterator[Table]:
    cells, name = _line(frame, mark, "whispers")
    return chain(frame.size, cells, _at_least(number(mark, 5)), name)


def _renban(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Table]:
    points, name = _line(frame, mark, "renban")
    cells = tuple(dict.fromkeys(points))  # a closed loop names its first cell again
    yield AllDifferent(cells, name)
    yield from every_pair(frame.size, cells, _within(len(cells) - 1), name)


def _nabner(frame: Frame, mark: Mark) -> Iterator[Table]:
    cells, name = _line(frame, mark, "nabner")
    return every_pair(frame.size, tuple(dict.fromkeys(cells)), _apart, name)


def _palindrome(frame: Frame, mark: Mark) -> Iterator[Table]:
    cells, name = _line(frame, mark, "palindrome")
    for index in range(len(cells) // 2):
        if cells[index] != cells[-1 - index]:
            yield pair(frame.size, (cells[index], cells[-1 - index]), _equal, name)


def _entropic(frame: Frame, mark: Mark) -> Iterator[Table]:
    cells, name = _line(frame, mark, "entropic line")
    return _three_kinds(frame.size, cells, _other_third(frame.size), name)


def _modular(frame: Frame, mark: Mark) -> Iterator[Table]:
    cells, name = _line(frame, mark, "modular line")
    return _three_kinds(frame.size, cells, _other_remainder(3), name)


def _three_kinds(size: int, cells: tuple[int, ...], relation: Relation, name: str) -> Iterator[Table]:
    """Any three cells in a row are of three kinds: each differs in kind from the next two."""
    for step in (1, 2):
        for two in zip(cells, cells[step:], strict=False):
            yield pair(size, two, relation, name)


def _between(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """The ends first: then the automaton knows the bounds when it reads the rest."""
    cells, name = _line(frame, mark, "between line")

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(state) < 2:
            return tuple(sorted((*state, value)))
        return state if state[0] < value < state[1] else None

    ends_first = (cells[0], cells[-1], *cells[1:-1]) if len(cells) > 1 else cells
    nothing: tuple[int, ...] = ()
    yield automaton(frame.size, ends_first, nothing, step, lambda state: True, name)


def _draw_thermometer(frame: Frame, mark: Mark) -> Iterator[Stroke]:
    (points,) = mark.lines
    yield Disc(points[0], 0.4, GREY)
    yield Line(points, GREY, 0.3)


def _draw_slow(frame: Frame, mark: Mark) -> Iterator[Stroke]:
    """A thermometer that is hollow."""
    yield from _draw_thermometer(frame, mark)
    (points,) = mark.lines
    yield Disc(points[0], 0.3, PAPER)
    yield Line(points, PAPER, 0.14)


KINDS = (
    Kind(
        "thermometer",
        "thermometers",
        Shape.LINE,
        "Values rise from the bulb, the first cell.",
        _thermometer,
        None,
        "thermometer",
        _draw_thermometer,
    ),
    Kind(
        "slow-thermometer",
        "slow thermometers",
        Shape.LINE,
        "Values never fall from the bulb, the first cell.",
        _slow,
        None,
        "slowthermometer",
        _draw_slow,
    ),
    Kind(
        "whispers",
        "whispers",
        Shape.LINE,
        "Neighbours on the line differ by at least the value, 5 if it has none.",
        _whispers,
        Value(default=5),
        "whispers",
        line("#7fd67f"),
    ),
    Kind(
        "renban",
        "renbans",
        Shape.LINE,
        "The line holds consecutive values in any order.",
        _renban,
        None,
        "renban",
        line("#e7a1e7"),
    ),
    Kind(
        "nabner",
        "nabners",
        Shape.LINE,
        "No two values on the line are equal or consecutive.",
        _nabner,
        None,
        "nabner",
        line("#e3cd6e"),
    ),
    Kind(
        "palindrome",
        "palindromes",
        Shape.LINE,
        "The line reads the same from both ends.",
        _palindrome,
        None,
        "palindrome",
        line("#b5b5b5"),
    ),
    Kind(
        "entropic",
        "entropic lines",
        Shape.LINE,
        "Any three cells in a row on the line are one low, one middle and one high.",
        _entropic,
        None,
        "entropicline",
        line("#f5b98a"),
    ),
    Kind(
        "modular",
        "modular lines",
        Shape.LINE,
        "Any three cells in a row on the line leave three remainders by 3.",
        _modular,
        None,
        "modularline",
        line("#7fcfcf"),
    ),
    Kind(
        "between",
        "between lines",
        Shape.LINE,
        "The cells between the ends lie strictly between their values.",
        _between,
        None,
        "betweenline",
        line(GREY, 0.12, Disc((0, 0), 0.42, PAPER, DARK)),
    ),
)
