"""Lines that order, part or repeat values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from satdoku.constraints import AllDifferent, Automaton, Table
from satdoku.puzzle import Mark
from satdoku.variants import Alias, Frame, Kinds, Shape, Value
from satdoku.variants.drawing import line
from satdoku.variants.relations import (
    Relation,
    automaton,
    chain,
    ends_first,
    equal,
    every_pair,
    line_of,
    number,
    other_remainder,
    pair,
    rises,
    thirds,
)
from satdoku.variants.strokes import DARK, GREY, PAPER, Disc, Line, Stroke


def _never_falls(a: int, b: int) -> bool:
    return a <= b


def _apart(a: int, b: int) -> bool:
    return abs(a - b) >= 2


@cache
def _at_least(distance: int) -> Relation:
    return lambda a, b: abs(a - b) >= distance


@cache
def _within(distance: int) -> Relation:
    return lambda a, b: abs(a - b) <= distance


@cache
def _other_third(values: range) -> Relation:
    third = thirds(values)
    return lambda a, b: third[a] != third[b]


KINDS = Kinds()


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


@KINDS.add("thermometer", Shape.LINE, fpuzzles="thermometer", draw=_draw_thermometer)
def _thermometer(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Thermometer: digits rise from the bulb, the first cell."""
    cells, name = line_of(frame, mark, "thermometer")
    return chain(frame.values, cells, rises, name)


@KINDS.add("slow-thermometer", Shape.LINE, fpuzzles="slowthermometer", draw=_draw_slow)
def _slow(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Hollow thermometer: digits never fall from the bulb, the first cell."""
    cells, name = line_of(frame, mark, "slow thermometer")
    return chain(frame.values, cells, _never_falls, name)


@KINDS.add(
    "whispers",
    Shape.LINE,
    Value(default=5, meaning="the least difference"),
    plural="whispers",
    fpuzzles="whispers",
    draw=line("#7fd67f"),
    aliases=("german-whispers", Alias("dutch-whispers", 4)),
)
def _whispers(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Green line: neighbours on it differ by at least the number, 5 if it has none."""
    cells, name = line_of(frame, mark, "whispers")
    return chain(frame.values, cells, _at_least(number(mark, 5)), name)


@KINDS.add("renban", Shape.LINE, fpuzzles="renban", draw=line("#e7a1e7"), aliases=("renban-line",))
def _renban(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Table]:
    """Purple line: its digits are consecutive, in any order."""
    points, name = line_of(frame, mark, "renban")
    cells = tuple(dict.fromkeys(points))  # a closed loop names its first cell again
    yield AllDifferent(cells, name)
    yield from every_pair(frame.values, cells, _within(len(cells) - 1), name)


@KINDS.add("nabner", Shape.LINE, fpuzzles="nabner", draw=line("#e3cd6e"))
def _nabner(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Yellow line: no two digits on it are equal or consecutive."""
    cells, name = line_of(frame, mark, "nabner")
    return every_pair(frame.values, tuple(dict.fromkeys(cells)), _apart, name)


@KINDS.add("palindrome", Shape.LINE, fpuzzles="palindrome", draw=line("#b5b5b5"))
def _palindrome(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Grey line: it reads the same from both ends."""
    cells, name = line_of(frame, mark, "palindrome")
    for index in range(len(cells) // 2):
        if cells[index] != cells[-1 - index]:
            yield pair(frame.values, (cells[index], cells[-1 - index]), equal, name)


@KINDS.add(
    "entropic",
    Shape.LINE,
    plural="entropic lines",
    fpuzzles="entropicline",
    draw=line("#f5b98a"),
    aliases=("entropic-line",),
)
def _entropic(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Peach line: any three cells in a row on it are one low, one middle and one high."""
    cells, name = line_of(frame, mark, "entropic line")
    return _three_kinds(frame.values, cells, _other_third(frame.values), name)


@KINDS.add(
    "modular",
    Shape.LINE,
    plural="modular lines",
    fpuzzles="modularline",
    draw=line("#7fcfcf"),
    aliases=("modular-line",),
)
def _modular(frame: Frame, mark: Mark) -> Iterator[Table]:
    """Turquoise line: any three cells in a row on it leave three different remainders by 3."""
    cells, name = line_of(frame, mark, "modular line")
    return _three_kinds(frame.values, cells, other_remainder(3), name)


def _three_kinds(values: range, cells: tuple[int, ...], relation: Relation, name: str) -> Iterator[Table]:
    """Any three cells in a row are of three kinds: each differs in kind from the next two."""
    for step in (1, 2):
        for two in zip(cells, cells[step:], strict=False):
            yield pair(values, two, relation, name)


@KINDS.add(
    "between",
    Shape.LINE,
    plural="between lines",
    fpuzzles="betweenline",
    draw=line(GREY, 0.12, Disc((0, 0), 0.42, PAPER, DARK)),
    aliases=("between-line",),
)
def _between(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Line between circles: the digits on it lie strictly between those in the circles."""
    # The ends first: then the automaton knows the bounds when it reads the rest.
    cells, name = line_of(frame, mark, "between line")

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(state) < 2:
            return tuple(sorted((*state, value)))
        return state if state[0] < value < state[1] else None

    nothing: tuple[int, ...] = ()
    yield automaton(frame.values, ends_first(cells), nothing, step, lambda state: True, name)


@KINDS.add(
    "lockout",
    Shape.LINE,
    Value(default=4, meaning="the least difference of the ends"),
    plural="lockout lines",
    draw=line("#9db8e8", 0.12, Disc((0, 0), 0.42, PAPER, "#4f7ed0")),
    aliases=("lockout-line",),
)
def _lockout(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Line between diamonds: the digits in them differ by at least the number, 4 if it has none, and those between
    lie outside their range."""
    cells, name = line_of(frame, mark, "lockout line")
    apart = number(mark, 4)

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(state) == 2:
            return None if state[0] <= value <= state[1] else state
        both = tuple(sorted((*state, value)))
        return both if len(both) < 2 or both[1] - both[0] >= apart else None

    nothing: tuple[int, ...] = ()
    yield automaton(frame.values, ends_first(cells), nothing, step, lambda state: True, name)
