"""Drawings in links: what is common to the sites, and those of SudokuPad and f-puzzles; Penpa's are in
`penpa_drawn.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from satdoku.drawings import ALONG, MAX_TEXT, Drawing, Point, drawn
from satdoku.formats.marks import oneline, position, text_of

FAR = 10**6  # beyond every number of a drawing
PIXELS = 64  # of a cell, in which SudokuPad measures lines and letters
Drawn = tuple[tuple[Drawing, ...], int]  # and how many others there are
CAPITALS = 0.72  # height of capitals, as a part of the size of the letters
HEX = re.compile(r"#([0-9a-f]{1,8})", re.IGNORECASE)
NAMED = {"black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff"}
NAMED |= {"grey": "#808080", "gray": "#808080", "yellow": "#ffff00", "orange": "#ffa500", "purple": "#800080"}
BLACK, GREY = "#000000", "#cfcfcf"
FAINT = 8  # of 255: what is less opaque is not seen


def colour(raw: object, usual: str = "") -> str:
    """A colour as six digits, as it looks on white paper; `usual` for what is none. "" is not seen."""
    text = text_of(raw).strip().lower()
    if text in ("transparent", "none"):
        return ""
    match = HEX.fullmatch(text)
    if match is None:
        return NAMED.get(text, usual)
    digits = match[1]
    if len(digits) in (1, 2, 3, 4):
        digits = digits * (6 // len(digits)) if len(digits) < 3 else "".join(digit * 2 for digit in digits)
    opaque = int(digits[6:8] or "ff", 16)
    parts = [int(digits[at : at + 2] or "0", 16) for at in (0, 2, 4)]
    return "" if opaque < FAINT else "#" + "".join(f"{round(255 + (part - 255) * opaque / 255):02x}" for part in parts)


def number(raw: object, usual: float = 0.0) -> float:
    """A number, or a text that is one; `usual` for what is none."""
    if isinstance(raw, str) and re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,20})?", raw):
        raw = float(raw)
    fits = isinstance(raw, int | float) and not isinstance(raw, bool) and abs(raw) < FAR
    return float(raw) if fits else usual  # type: ignore[arg-type]


def of_sudokupad(data: Mapping[str, Any], top: int, left: int) -> Drawn:
    """The lines, arrows, shapes and texts of a SudokuPad puzzle, of which so many rows and columns are a margin."""

    def point(raw: object) -> Point | None:
        if isinstance(raw, list) and len(raw) == 2 and all(type(at) in (int, float) and abs(at) < FAR for at in raw):
            return float(raw[0]) + 0.5 - top, float(raw[1]) + 0.5 - left
        return None

    def every() -> Iterator[dict[str, Any] | None]:
        for shape in ("line", "arrow"):
            for entry in _tables(data, f"{shape}s"):
                points = tuple(at for raw in _list(_any(entry, "wayPoints", "wp")) if (at := point(raw)))
                tint = colour(_any(entry, "color", "c"), GREY if shape == "line" else BLACK)
                wide = number(_any(entry, "thickness", "th"), 10 if shape == "line" else 3) / PIXELS
                yield {"shape": shape, "points": points, "tint": tint, "width": wide} if len(points) > 1 else None
        for key in ("underlays", "overlays"):
            for entry in _tables(data, key):
                at = point(entry.get("center"))
                yield _shape(entry, at) | {"over": key == "overlays"} if at else None

    return drawn(every())


def _shape(entry: Mapping[str, Any], at: Point) -> dict[str, Any]:
    raw = _any(entry, "text", "te")
    text = str(raw).strip()[:MAX_TEXT] if type(raw) in (str, int) else ""
    fill, edge = colour(_any(entry, "backgroundColor", "c2")), colour(_any(entry, "borderColor", "c1"))
    letters = number(_any(entry, "fontSize", "fs"), 28) / PIXELS * CAPITALS
    ink = colour(_any(entry, "color", "c"), BLACK) or BLACK
    if text and not (fill or edge):
        return {"shape": "text", "points": (at,), "tint": ink, "height": letters, "text": text}
    shape = "circle" if _any(entry, "rounded", "r") else "rectangle"
    sides = {"height": number(_any(entry, "height", "h"), 1), "width": number(_any(entry, "width", "w"), 1)}
    return {"shape": shape, "points": (at,), "fill": fill, "tint": edge, "text": text, **sides}


def of_fpuzzles(entries: Iterable[tuple[str, Mapping[str, Any]]]) -> Drawn:
    """The drawings of f-puzzles entries, each with its key."""

    def every() -> Iterator[dict[str, Any] | None]:
        for key, entry in entries:
            if key == "line":
                wide, tint = number(entry.get("width"), 0.3), colour(entry.get("outlineC"), GREY)
                lines = [points for line in _list(entry.get("lines")) if (points := _cells(line))]
                yield from ({"shape": key, "points": points, "tint": tint, "width": wide} for points in lines or [()])
                continue
            cells = _cells(entry.get("cells"))
            text = oneline(text_of(entry.get("value")))[:MAX_TEXT]
            if not cells:
                yield None
            elif key == "cage":
                yield {"shape": key, "points": cells, "tint": colour(entry.get("outlineC"), BLACK), "text": text}
            else:
                yield _placed(key, entry, cells, text)

    return drawn(every())


def _placed(key: str, entry: Mapping[str, Any], cells: tuple[Point, ...], text: str) -> dict[str, Any]:
    at = (sum(row for row, _ in cells) / len(cells), sum(column for _, column in cells) / len(cells))
    fields: dict[str, Any] = {"shape": key, "points": (at,), "text": text, "over": len(cells) > 1}
    if key == "text":
        ink = colour(entry.get("fontC"), BLACK)
        return fields | {"tint": ink, "height": number(entry.get("size"), 0.7) * CAPITALS, "over": True}
    sides = {"height": number(entry.get("height"), 0.7), "width": number(entry.get("width"), 0.7)}
    return fields | {"fill": colour(entry.get("baseC")), "tint": colour(entry.get("outlineC")), **sides}


def held_by_fpuzzles(drawing: Drawing) -> bool:
    """Whether f-puzzles has a place for it: lines and cages of cells, others in a cell, on an edge or at a corner."""
    step = 1 if drawing.shape in ALONG else 2
    places = all(float(at * step).is_integer() and -9 <= at <= 266 for point in drawing.points for at in point)
    return places and drawing.shape not in ("arrow", "thermometer")


def fpuzzles_entries(drawings: Iterable[Drawing]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The keys and entries of drawings that f-puzzles has a place for."""
    for drawing in filter(held_by_fpuzzles, drawings):
        entry: dict[str, Any] = {"value": drawing.text} if drawing.text else {}
        wide, high = round(drawing.width, 3), round(drawing.height, 3)
        if drawing.shape == "line":
            yield "line", {"lines": [_names(drawing.points)], "outlineC": drawing.tint.upper(), "width": wide}
            continue
        if drawing.shape == "cage":
            yield "cage", {"cells": _names(drawing.points), "outlineC": drawing.tint.upper(), **entry}
            continue
        ((row, column),) = drawing.points
        around = ({int(at // 1), int(-(-at // 1))} for at in (row, column))
        entry["cells"] = _names(product(*map(sorted, around)))
        if drawing.shape == "text":
            yield "text", {**entry, "fontC": drawing.tint.upper(), "size": round(drawing.height / CAPITALS, 3)}
        else:
            colours = {"baseC": drawing.fill.upper(), "outlineC": drawing.tint.upper(), "fontC": "#000000"}
            yield drawing.shape, {**entry, **colours, "width": wide, "height": high}


def _names(points: Iterable[tuple[float, ...]]) -> list[str]:
    return [f"R{round(row)}C{round(column)}" for row, column in points]


def _cells(raw: object) -> tuple[Point, ...]:
    return tuple(at for name in _list(raw) if isinstance(name, str) and (at := position(name)))


def _any(table: Mapping[str, Any], *names: str) -> Any:
    return next((table[name] for name in names if name in table), None)


def _tables(data: Mapping[str, Any], key: str) -> Iterator[dict[str, Any]]:
    yield from (each if isinstance(each, dict) else {} for each in _list(data.get(key)))


def _list(raw: object) -> list[Any]:
    return raw if isinstance(raw, list) else []
