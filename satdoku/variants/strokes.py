"""What pictures are made of, for whichever library draws them; lengths are in cells. A point is (row, column),
and (1, 1) is the centre of r1c1: the place of a mark is the place of its cells."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from math import cos, hypot, pi, sin

from satdoku.drawings import Point as Point

INK = "#000000"
PAPER = "#ffffff"
DARK = "#555555"
GREY = "#c4c4c4"
PALE = "#e6e6e6"
# Along each side of a cell, which is on the right of the step: the corner, from the top left, where it begins
STEPS = {(0, 1): (0, 0), (1, 0): (0, 1), (0, -1): (1, 1), (-1, 0): (1, 0)}


class Layer(IntEnum):
    """What is drawn above what; within one layer, what comes later is above."""

    UNDER = 0
    GRID = 1
    OVER = 2
    DIGITS = 3


@dataclass(frozen=True, slots=True)
class Line:
    """Through `points` in order, and back to the first if it is closed."""

    points: tuple[Point, ...]
    tint: str = GREY
    width: float = 0.2
    closed: bool = False
    dashed: bool = False
    layer: Layer = Layer.UNDER


@dataclass(frozen=True, slots=True)
class Area:
    """The inside of the closed line through `points`."""

    points: tuple[Point, ...]
    tint: str = PALE
    layer: Layer = Layer.UNDER


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle with an edge; either may be missing."""

    centre: Point
    radius: float
    fill: str | None = GREY
    edge: str | None = None
    layer: Layer = Layer.UNDER


@dataclass(frozen=True, slots=True)
class Text:
    """A text whose capitals are `height` tall, its middle at `at`; with `paper` behind it if lines may cross it."""

    at: Point
    text: str
    height: float
    tint: str = INK
    anchor: str = "middle"  # the part of the text that is at `at`, across: `middle` or `start`
    bold: bool = False
    paper: bool = False
    layer: Layer = Layer.OVER


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence below the grid, for a rule that has no place in it, or for what a colour means."""

    text: str
    tint: str | None = None


Stroke = Line | Area | Disc | Text | Note


def moved(stroke: Stroke, down: float, right: float) -> Stroke:
    """The same so far below and to the right of where it was."""
    match stroke:
        case Line(points=points) | Area(points=points):
            return replace(stroke, points=tuple((row + down, column + right) for row, column in points))
        case Disc(centre=(row, column)):
            return replace(stroke, centre=(row + down, column + right))
        case Text(at=(row, column)):
            return replace(stroke, at=(row + down, column + right))
    return stroke


def middle(points: Iterable[Point]) -> Point:
    rows, columns = zip(*points, strict=True)
    return sum(rows) / len(rows), sum(columns) / len(columns)


def toward(start: Point, end: Point, length: float) -> Point:
    """The point that is `length` from `start` on the way to `end`; `start` if they are one."""
    down, right = end[0] - start[0], end[1] - start[1]
    whole = hypot(down, right)
    return (start[0] + down / whole * length, start[1] + right / whole * length) if whole else start


def ellipse(centre: Point, down: float, right: float) -> tuple[Point, ...]:
    angles = [2 * pi * step / 48 for step in range(48)]
    return tuple((centre[0] + down * sin(angle), centre[1] + right * cos(angle)) for angle in angles)


def square(centre: Point, half: float) -> tuple[Point, ...]:
    row, column = centre
    return tuple((row + down * half, column + right * half) for down, right in ((-1, -1), (-1, 1), (1, 1), (1, -1)))


def head(before: Point, tip: Point, tint: str, width: float, size: float = 0.25) -> Line:
    back = toward(tip, before, size)
    down, right = back[0] - tip[0], back[1] - tip[1]
    barbs = [(tip[0] + down - side * right, tip[1] + right + side * down) for side in (1, -1)]
    return Line((barbs[0], tip, barbs[1]), tint, width)


def pill(first: Point, last: Point, radius: float) -> tuple[Point, ...]:
    down, right = toward((0, 0), (last[0] - first[0], last[1] - first[1]), 1)
    if first == last:
        down, right = 0, 1
    angles = [pi / 2 + pi * step / 16 for step in range(17)]
    around = [(first, angle) for angle in angles] + [(last, angle + pi) for angle in angles]
    turned = ((centre, radius * cos(angle), radius * sin(angle)) for centre, angle in around)
    return tuple((row + x * down + y * right, column + x * right - y * down) for (row, column), x, y in turned)


def outlines(cells: Iterable[tuple[int, int]], inset: float) -> tuple[tuple[Point, ...], ...]:
    """The closed lines around cells, `inset` inside, cells on their right; cells that meet at a corner stay apart."""
    inside = set(cells)
    sides = {
        ((row + r, column + c), step)
        for row, column in inside
        for step, (r, c) in STEPS.items()
        if (row - step[1], column + step[0]) not in inside
    }
    closed: list[tuple[Point, ...]] = []
    while sides:
        corner, step = first = min(sides)
        line: list[Point] = []
        while (corner, step) in sides:
            sides.remove((corner, step))
            corner = corner[0] + step[0], corner[1] + step[1]
            right = step[1], -step[0]
            # Right first, so that the line stays with its cell where two meet at a corner.
            turns = (right, step, (-right[0], -right[1]))
            turn = next((turn for turn in turns if (corner, turn) in sides), first[1])
            if turn != step:
                down, across = right[0] + turn[1], right[1] - turn[0]
                line.append((corner[0] - 0.5 + inset * down, corner[1] - 0.5 + inset * across))
            step = turn
        closed.append(tuple(line))
    return tuple(closed)
