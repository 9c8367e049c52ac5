"""Cells by what people call them: `r1c1` in the grid, and cells beside it by a name, such as `A`, `S12` or
`regions_r1c1`, which some kinds of marks make.

Marks name both alike, by a position. That of a cell beside the grid is a row far above it, whose number spells its
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from satdoku.puzzle import Mark, Position, Size

NAME = re.compile(r"[A-Z]{1,8}(?:[1-9]\d{0,3})?|[a-z]{1,16}_r[1-9]\d{0,2}c[1-9]\d{0,2}")
NUMBERED = re.compile(r"([A-Z]+)(\d+)")
LAYER_CELL = re.compile(r"[a-z]+_r(\d+)c(\d+)")
BEGIN = b"\xff\xff\xff\xff"  # before the letters of a name, so that no row that anybody counts is one


@lru_cache(maxsize=4096)
def named(name: str) -> Position:
    """The position of the cell beside the grid that has a name."""
    return -int.from_bytes(BEGIN + name.encode(), "big"), 0


def name_of(position: Position) -> str | None:
    """The name of a cell beside the grid; None for any other position.

    >>> name_of(named("S12")), name_of((1, 2))
    ('S12', None)
    """
    row, column = position
    return None if column or row >= -(1 << 32) else _name(-row)


@lru_cache(maxsize=4096)
def _name(spelled: int) -> str | None:
    letters = spelled.to_bytes((spelled.bit_length() + 7) // 8, "big")
    name = letters.removeprefix(BEGIN).decode("latin-1")
    return name if letters.startswith(BEGIN) and NAME.fullmatch(name) else None


class Connected(NamedTuple):
    """Those of some cells that hold certain values are connected by edges.

    beside: for each cell the numbers of its neighbours among them, as a set
    values: those values, as a set of values from 1
    least, most: how many of them there are
    hidden: auxiliary cells that are there to say so
    edge:   the cells, as a set of numbers, that are also connected with each other outside of the grid
    """

    name: str
    cells: tuple[int, ...]
    beside: tuple[int, ...]
    values: int
    least: int
    most: int
    hidden: frozenset[int]
    edge: int = 0


@lru_cache(maxsize=4)
def cells_of(size: Size) -> dict[Position, int]:
    """The cell at each position in the grid."""
    return {place: cell for cell, place in enumerate(size.positions)}


def run(first: Position, last: Position) -> tuple[Position, ...]:
    """The cells from one to another in a straight line, or variables from one number to another; () if there are none.

    >>> [label(place) for place in run(named("S2"), named("S4"))]
    ['S2', 'S3', 'S4']
    """
    names = [NUMBERED.fullmatch(name_of(end) or "") for end in (first, last)]
    if names[0] and names[1]:
        letters, begin, end = names[0][1], int(names[0][2]), int(names[1][2])
        numbers = range(begin, end + 1) if begin <= end else range(begin, end - 1, -1)
        return tuple(named(f"{letters}{number}") for number in numbers) if letters == names[1][1] else ()
    down, right = last[0] - first[0], last[1] - first[1]
    steps = max(abs(down), abs(right))
    if name_of(first) or name_of(last) or {abs(down), abs(right)} - {0, steps}:
        return (first,) if first == last else ()
    unit = max(steps, 1)
    return tuple((first[0] + down // unit * step, first[1] + right // unit * step) for step in range(steps + 1))


def label(position: Position) -> str:
    return name_of(position) or f"r{position[0]}c{position[1]}"


def every_mark(mark: Mark) -> Iterator[Mark]:
    """A mark, and those inside it."""
    yield mark
    for part in mark.marks:
        yield from every_mark(part)


def every_place(mark: Mark) -> Iterator[Position]:
    """All positions that a mark names, those of the marks inside it too."""
    for part in every_mark(mark):
        yield from part.cells
        for line in part.lines:
            yield from line
