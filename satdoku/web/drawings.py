"""What a SudokuPad puzzle draws without saying what it means: alike drawings as a group, what they may be by their look
and the rules text, and the marks that they are once somebody says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from satdoku.errors import InputError
from satdoku.formats.sudokupad import DRAWN, data_of
from satdoku.puzzle import Position, Size
from satdoku.variants import Shape, kinds, label
from satdoku.web.forms import MarkForm
from satdoku.words import plural

MAX_DRAWN = 2_000  # drawings of a puzzle that are asked about
BY_LOOK = {
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
PLACES = {1: "in cells", 2: "on edges", 4: "at corners"}
TOGETHER = {"counting-circles"}  # kinds of which all cells of a group are one mark
HEX = re.compile(r"#([0-9a-fA-F]+)")


@dataclass(frozen=True, slots=True)
class Drawing:
    look: str
    cells: tuple[Position, ...]
    text: str = ""


def asked(text: str, size: Size, described: str) -> list[dict[str, Any]]:
    """For each group how it looks, how many there are, where, and the kinds that it may be, likely ones first."""
    found = []
    for look, group in _groups(text, size).items():
        cells = [list(map(label, each.cells)) for each in group]
        found.append({"what": _several(len(group), look), "cells": cells, "kinds": _kinds(look, group, described)})
    return found


def marks(text: str, size: Size, answers: list[str]) -> Iterator[MarkForm]:
    """The marks of the groups, in the order of `asked`; an empty answer is of a drawing without a rule."""
    for kind, (look, group) in zip(answers, _groups(text, size).items(), strict=False):
        if kind and kind not in _kinds(look, group, ""):
            raise InputError(f"{_several(len(group), look)} cannot be of the kind {kind[:40]!r}")
        if kind in TOGETHER:
            yield MarkForm(kind=kind, cells=[label(cell) for each in group for cell in each.cells])
        elif kind:
            yield from (_mark(kind, each) for each in group)


def explained(text: str, size: Size, answers: list[str]) -> bool:
    """Whether the answers say of every drawing what it is."""
    groups, data = _groups(text, size).values(), data_of(text) or {}
    total = sum(len(_list(data.get(key))) for key in DRAWN)
    return all(answers) and len(answers) == len(groups) and sum(map(len, groups)) == total


def _mark(kind: str, drawing: Drawing) -> MarkForm:
    cells = list(map(label, drawing.cells))
    if kinds()[kind].shape is Shape.LINE:
        return MarkForm(kind=kind, lines=[cells])
    value = kinds()[kind].value
    text = " ".join(drawing.text) if kind == "quadruple" and drawing.text.isdigit() else drawing.text
    return MarkForm(kind=kind, cells=cells, value=(text or None) if value is not None else None)


def _several(many: int, look: str) -> str:
    """`2 white circles in cells`."""
    words = look.split(" ")
    noun = next(at for at, word in enumerate(words) if word in ("line", "circle", "square", "text"))
    return " ".join([plural(many, " ".join(words[: noun + 1])), *words[noun + 1 :]])


def _kinds(look: str, group: list[Drawing], described: str) -> list[str]:
    """What fits the cells of a group: first what its look and the rules text say."""
    shape = Shape.LINE if look.endswith("line") else Shape.CELL if len(group[0].cells) == 1 else Shape.CELLS
    fits = [kind.name for kind in kinds().values() if kind.shape is shape and kind.name not in TOGETHER]
    fits += sorted(TOGETHER) if shape is Shape.CELL else []
    words, usual = described.lower(), BY_LOOK.get(look, ())

    def rank(name: str) -> tuple[int, bool, int]:
        said, known = name.replace("-", " ") in words, name in usual
        return -said - known, not known, (usual if known else fits).index(name)

    return sorted(fits, key=rank)


def _groups(text: str, size: Size) -> dict[str, list[Drawing]]:
    found: dict[str, list[Drawing]] = {}
    for number, drawing in enumerate(_drawings(text, size)):
        if number >= MAX_DRAWN:
            return {}
        found.setdefault(drawing.look, []).append(drawing)
    return found


def _drawings(text: str, size: Size) -> Iterator[Drawing]:
    """Lines along centres of cells, and shapes and texts in cells, on edges and at corners; others have no place."""
    data = data_of(text) or {}
    for line in _tables(data, "lines"):
        points = [point for raw in _list(_any(line, "wayPoints", "wp")) if (point := _point(raw))]
        cells = tuple(_along(points))
        if len(cells) > 1 and all(map(size.inside, cells)):
            yield Drawing(f"{_colour(_any(line, 'color', 'c'))} line", cells)
    for shape in (*_tables(data, "underlays"), *_tables(data, "overlays")):
        point = _point(shape.get("center"))
        cells = _around(point) if point else ()
        if not cells or not all(map(size.inside, cells)):
            continue
        words = str(_any(shape, "text", "te") or "").strip()
        form = "circle" if _any(shape, "rounded", "r") else "square"
        look = "text" if words else f"{_colour(_any(shape, 'backgroundColor', 'c2'))} {form}"
        yield Drawing(f"{look} {PLACES[len(cells)]}", cells, words)


def _along(points: list[tuple[float, float]]) -> Iterator[Position]:
    """The cells from point to point, each once in a row."""
    before = None
    for (row, column), (to_row, to_column) in pairwise(points):
        steps = max(1, min(512, round(max(abs(to_row - row), abs(to_column - column)))))
        for step in range(steps + 1):
            at = step / steps
            cell = int(row + (to_row - row) * at) + 1, int(column + (to_column - column) * at) + 1
            if cell != before:
                yield cell
            before = cell


def _around(point: tuple[float, float]) -> tuple[Position, ...]:
    """The cells that meet at a point: one, two at an edge, four at a corner."""
    rows, columns = ((round(at), round(at) + 1) if abs(at - round(at)) < 0.2 else (int(at) + 1,) for at in point)
    return tuple((row, column) for row in rows for column in columns)


def _colour(raw: object) -> str:
    """The name of a colour in hexadecimal digits, as links shorten them."""
    found = HEX.match(raw) if isinstance(raw, str) else None
    if found is None:
        return "grey"
    digits = found[1]
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


def _any(table: Mapping[str, Any], *names: str) -> Any:
    return next((table[name] for name in names if name in table), None)


def _tables(data: Mapping[str, Any], key: str) -> Iterator[dict[str, Any]]:
    yield from (each for each in _list(data.get(key)) if isinstance(each, dict))


def _list(raw: object) -> list[Any]:
    return raw if isinstance(raw, list) else []


def _point(raw: object) -> tuple[float, float] | None:
    if isinstance(raw, list) and len(raw) == 2 and all(type(each) in (int, float) for each in raw):
        return (float(raw[0]), float(raw[1])) if all(-1 <= each <= 257 for each in raw) else None
    return None
