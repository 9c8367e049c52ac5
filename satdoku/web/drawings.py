"""What SudokuPad and Penpa puzzles draw without saying what it means: alike drawings as a group, what they may be by
their look and the rules text, and the marks that they are once somebody says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import floor
from typing import Any

from satdoku.drawings import ALONG, Drawing, Point
from satdoku.errors import InputError
from satdoku.puzzle import Position, Puzzle
from satdoku.variants import Shape, kinds, label
from satdoku.web.forms import MarkForm
from satdoku.words import plural

BY_LOOK = {
    "thermometer": ("thermometer",),
    "cage": ("cage", "sum"),
    "arrow": ("arrow",),
    "grey line": ("thermometer", "palindrome", "between"),
    "green line": ("whispers",),
    "purple line": ("renban",),
    "blue line": ("region-sum",),
    "teal line": ("modular",),
    "orange line": ("whispers", "entropic"),
    "yellow line": ("nabner",),
    "white circle in cells": ("counting-circles",),
    "grey circle in cells": ("odd", "counting-circles"),
    "grey square in cells": ("even",),
    "white circle on edges": ("difference",),
    "black circle on edges": ("ratio",),
    "text on edges": ("xv", "edge-sum"),
    "text at corners": ("quadruple",),
    "white circle at corners": ("quadruple",),
}
"""Kinds of marks that setters draw so, the usual one first."""
NOUNS = ("line", "arrow", "thermometer", "cage", "circle", "square", "text")
PLACES = {1: "in cells", 2: "on edges", 4: "at corners"}
TOGETHER = {"counting-circles"}  # kinds of which all cells of a group are one mark
HEX = re.compile(r"#([0-9a-fA-F]+)")


@dataclass(frozen=True, slots=True)
class Place:
    """The cells that a drawing is about."""

    cells: tuple[Position, ...]
    drawing: Drawing


def asked(puzzle: Puzzle) -> list[dict[str, Any]]:
    """For each group how it looks, how many there are, where, and the kinds that it may be, likely ones first."""
    groups = []
    for look, group in _groups(puzzle).items():
        cells = [list(map(label, each.cells)) for each in group]
        groups.append({"what": _several(len(group), look), "cells": cells, "kinds": _kinds(look, group, puzzle.rules)})
    return groups


def marks(puzzle: Puzzle, answers: list[str]) -> tuple[list[MarkForm], list[Drawing]]:
    """The marks of the groups, by the answers in the order of `asked`, and the drawings that no mark stands for; an
    empty answer is of drawings without a rule. Raises InputError for a kind that does not fit."""
    forms: list[MarkForm] = []
    left = dict.fromkeys(puzzle.drawings)
    for kind, (look, group) in zip(answers, _groups(puzzle).items(), strict=False):
        if kind and kind not in _kinds(look, group, ""):
            raise InputError(f"{_several(len(group), look)} cannot be of the kind {kind[:40]!r}")
        if kind in TOGETHER:
            forms.append(MarkForm(kind=kind, cells=[label(cell) for each in group for cell in each.cells]))
        elif kind:
            forms += [_mark(kind, each) for each in group]
        for each in group if kind else ():
            left.pop(each.drawing, None)
    return forms, list(left)


def _mark(kind: str, place: Place) -> MarkForm:
    cells, text = list(map(label, place.cells)), place.drawing.text
    if kinds()[kind].shape is Shape.LINE:
        return MarkForm(kind=kind, lines=[cells])
    if kinds()[kind].shape is Shape.ARROW:
        return MarkForm(kind=kind, cells=cells[:1], lines=[cells[1:]])
    value = kinds()[kind].value
    text = " ".join(text) if kind == "quadruple" and text.isdigit() else text
    return MarkForm(kind=kind, cells=cells, value=(text or None) if value is not None else None)


def _several(many: int, look: str) -> str:
    """`2 white circles in cells`."""
    words = look.split(" ")
    noun = next(at for at, word in enumerate(words) if word in NOUNS)
    return " ".join([plural(many, " ".join(words[: noun + 1])), *words[noun + 1 :]])


def _kinds(look: str, group: list[Place], described: str) -> list[str]:
    """What fits the cells of a group: first what its look and the rules text say."""
    shapes = {"line": Shape.LINE, "thermometer": Shape.LINE, "arrow": Shape.ARROW, "cage": Shape.CELLS}
    shape = shapes.get(look.split(" ")[-1]) or (Shape.CELL if len(group[0].cells) == 1 else Shape.CELLS)
    fits = [kind.name for kind in kinds().values() if kind.shape is shape and kind.name not in TOGETHER]
    fits += sorted(TOGETHER) if shape is Shape.CELL else []
    words, known = described.lower(), BY_LOOK.get("arrow" if shape is Shape.ARROW else look, ())

    def rank(name: str) -> tuple[int, bool, int]:
        said, usual = name.replace("-", " ") in words, name in known
        return -said - usual, not usual, (known if usual else fits).index(name)

    return sorted(fits, key=rank)


def _groups(puzzle: Puzzle) -> dict[str, list[Place]]:
    """Lines along centres of cells, cages, and what stands in cells, on edges and at corners, by its look; the rest has
    no place."""
    groups: dict[str, list[Place]] = {}
    for drawing in puzzle.drawings:
        if drawing.shape == "cage":
            look, cells = "cage", tuple((round(row), round(column)) for row, column in drawing.points)
        elif drawing.shape in ALONG:
            colour = "" if drawing.shape == "thermometer" else f"{_colour(drawing.tint)} "
            look, cells = colour + drawing.shape, tuple(_along(drawing.points))
        else:
            form = {"rectangle": "square"}.get(drawing.shape, drawing.shape)
            cells = _around(drawing.points[0])
            look = f"{'text' if drawing.text else f'{_colour(drawing.fill)} {form}'} {PLACES[len(cells)]}"
        long_enough = len(cells) > 1 or drawing.shape not in ALONG or drawing.shape == "cage"
        if long_enough and all(map(puzzle.board.size.inside, cells)):
            groups.setdefault(look, []).append(Place(cells, drawing))
    return groups


def _along(points: tuple[Point, ...]) -> Iterator[Position]:
    """The cells from point to point, each once in a row."""
    before = None
    for (row, column), (to_row, to_column) in pairwise(points):
        steps = max(1, round(max(abs(to_row - row), abs(to_column - column))))
        for step in range(steps + 1):
            at = step / steps
            cell = floor(row + (to_row - row) * at + 0.5), floor(column + (to_column - column) * at + 0.5)
            if cell != before:
                yield cell
            before = cell


def _around(point: Point) -> tuple[Position, ...]:
    """The cells that meet at a point: one, two at an edge, four at a corner."""
    rows, columns = ((floor(at), floor(at) + 1) if 0.3 < at % 1 < 0.7 else (round(at),) for at in point)
    return tuple((row, column) for row in rows for column in columns)


def _colour(raw: object) -> str:
    """The name of a colour in hexadecimal digits, as links shorten them."""
    matched = HEX.match(raw) if isinstance(raw, str) else None
    if matched is None:
        return "grey"
    digits = matched[1]
    digits = digits * 6 if len(digits) == 1 else "".join(each * 2 for each in digits[:3]) if len(digits) < 6 else digits
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    low, high = min(red, green, blue), max(red, green, blue)
    if high - low < 32:
        return "black" if high < 64 else "white" if low > 235 else "grey"
    if high == green:
        return "yellow" if high - red < 48 else "teal" if high - blue < 64 else "green"
    if high == blue:
        return "purple" if red - green > 32 else "teal" if high - green < 32 else "blue"
    return (
        "purple" if blue - green > 32 else "yellow" if high - green < 48 else "orange" if green - blue > 48 else "red"
    )
