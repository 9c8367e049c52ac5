"""Drawings in links: what is common to the sites, and those of SudokuPad and f-puzzles; Penpa's are in
`penpa_drawn.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product
from typing import Any

from satdoku.drawings import ALONG, BULB, MAX_TEXT, Drawing, Point, drawn
from satdoku.formats.marks import oneline, position, text_of
from satdoku.puzzle import Size

FAR = 10**6  # beyond every number of a drawing
PIXELS = 64  # of a cell, in which SudokuPad measures lines and letters
Drawn = tuple[tuple[Drawing, ...], int]  # and how many others there are
Traits = dict[str, Any]  # of a Drawing
CAPITALS = 0.72  # height of capitals, as a part of the size of the letters
HEX = re.compile(r"#([0-9a-f]{1,8})", re.IGNORECASE)
NAMED = {"black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff"}
NAMED |= {"grey": "#808080", "gray": "#808080", "yellow": "#ffff00", "orange": "#ffa500", "purple": "#800080"}
BLACK, GREY = "#000000", "#cfcfcf"
CLEAR = "transparent"
FAINT = 8  # of 255: what is less opaque is not seen
OVER = "overlay"  # the layer of SudokuPad over the lines of the grid
COLOUR = "colour"  # a key of our own in SudokuPad's underlays: it is the colour of a cell, and no drawing
LAYER = "over"  # the same in f-puzzles, whose drawings have no layers: whether one lies over the lines of the grid
ARROW_HEAD, LETTER = 0.3, 0.25  # cells that the head of an arrow is long, and that a text takes
NEAR = 0.05  # cells by which a bulb may be larger or smaller than it should be
DECIMALS = 6  # of lengths in cells and in pixels
SEEN: dict[str, tuple[str, ...]] = dict.fromkeys(("line", "arrow", "thermometer"), ("tint", "width", "over"))
SEEN |= dict.fromkeys(("circle", "rectangle"), ("tint", "fill", "height", "width", "text", "over"))
SEEN |= {"cage": ("tint", "text"), "text": ("tint", "height", "text", "over")}
"""The fields of each shape that change how it looks, besides its points."""


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


def of_sudokupad(data: Mapping[str, Any], top: int = 0, left: int = 0, cages: Iterable[Traits] = ()) -> Drawn:
    """The lines, arrows, shapes and texts of a SudokuPad puzzle, of which so many rows and columns are a margin, and
    cages, as `drawn_cage` makes them. A line from a circle of its colour is a thermometer."""

    def point(raw: object) -> Point | None:
        if isinstance(raw, list) and len(raw) == 2 and all(type(at) in (int, float) and abs(at) < FAR for at in raw):
            return float(raw[0]) + 0.5 - top, float(raw[1]) + 0.5 - left
        return None

    def ways(shape: str) -> Iterator[Traits | None]:
        for entry in _tables(data, f"{shape}s"):
            every = [*map(point, list_of(_any(entry, "wayPoints", "wp")))]
            points = tuple(at for at in every if at)
            tint = colour(_any(entry, "color", "c"), GREY if shape == "line" else BLACK)
            wide = number(_any(entry, "thickness", "th"), 10 if shape == "line" else 3) / PIXELS
            fields = {
                "points": points,
                "tint": tint,
                "width": round(wide, DECIMALS),
                "over": entry.get("target") == OVER,
            }
            yield {"shape": shape, **fields} if points and len(points) == len(every) else None

    def shapes() -> Iterator[Traits | None]:
        for key in ("underlays", "overlays"):
            for entry in _tables(data, key):
                at = point(entry.get("center"))
                if not entry.get(COLOUR):
                    yield _shape(entry, at) | {"over": key == "overlays"} if at else None

    placed = list(shapes())
    lines = list(_with_bulbs(list(ways("line")), placed))
    return drawn(chain(lines, ways("arrow"), placed, cages))


def _with_bulbs(lines: Iterable[Traits | None], placed: list[Traits | None]) -> Iterator[Traits | None]:
    """The lines, of which those that begin in a circle of their colour and layer, in which they fit, are thermometers;
    the circle is no more among what is placed."""
    circles: dict[tuple[Point, str, bool], list[Traits]] = {}
    for each in placed:
        if each and each["shape"] == "circle" and not each["text"] and each["tint"] in ("", each["fill"]):
            circles.setdefault((each["points"][0], each["fill"], each["over"]), []).append(each)
    for line in lines:
        near = circles.get((line["points"][0], line["tint"], line["over"]), []) if line and line["tint"] else []
        if line and near and all(abs(near[-1][side] - BULB * line["width"]) < NEAR for side in ("height", "width")):
            placed.remove(near.pop())
            line = line | {"shape": "thermometer"}
        yield line


def drawn_cage(cells: Iterable[tuple[int, int]], cage: Mapping[str, Any]) -> Traits:
    """A cage of SudokuPad for which no rule is stated."""
    tint = colour(_any(cage, "borderColor", "c1", "outlineC"), BLACK)
    text = oneline(str(cage.get("value") or ""))[:MAX_TEXT]
    return {"shape": "cage", "points": tuple(cells), "tint": tint, "text": text}


def _shape(entry: Mapping[str, Any], at: Point) -> dict[str, Any]:
    raw = _any(entry, "text", "te")
    text = str(raw).strip()[:MAX_TEXT] if type(raw) in (str, int) else ""
    fill, edge = colour(_any(entry, "backgroundColor", "c2")), colour(_any(entry, "borderColor", "c1"))
    letters = round(number(_any(entry, "fontSize", "fs"), 28) / PIXELS * CAPITALS, DECIMALS)
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
                fields = {"tint": tint, "width": wide, "over": entry.get(LAYER) is True}
                lines = [points for line in list_of(entry.get("lines")) if (points := _cells(line))]
                yield from ({"shape": key, "points": points, **fields} for points in lines or [()])
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
    over = entry.get(LAYER, _usually_over(key, len(cells)))
    fields: dict[str, Any] = {"shape": key, "points": (at,), "text": text, "over": over is True}
    if key == "text":
        letters = round(number(entry.get("size"), 0.7) * CAPITALS, DECIMALS)
        return fields | {"tint": colour(entry.get("fontC"), BLACK), "height": letters}
    sides = {"height": number(entry.get("height"), 0.7), "width": number(entry.get("width"), 0.7)}
    return fields | {"fill": colour(entry.get("baseC")), "tint": colour(entry.get("outlineC")), **sides}


def held_by_fpuzzles(drawing: Drawing) -> bool:
    """Whether f-puzzles has a place for it: lines and cages of cells, others in a cell, on an edge or at a corner."""
    return _kept(drawing, of_fpuzzles(_entries(drawing)))


def held_by_sudokupad(drawing: Drawing, size: Size) -> bool:
    """Whether SudokuPad has a place for it: all but what nobody can see, and cages of other than cells of the grid."""
    if drawing.shape == "cage":
        return all(float(at).is_integer() for point in drawing.points for at in point) and all(
            size.inside((round(row), round(column))) for row, column in drawing.points
        )
    return _kept(drawing, of_sudokupad(sudokupad_tables([drawing])))


def shown_by_sudokupad(drawing: Drawing) -> bool:
    """Whether SudokuPad shows the data of f-puzzles for it where it is: all shapes and texts over the grid, and lines
    below."""
    return held_by_fpuzzles(drawing) and (drawing.shape == "cage" or drawing.over == (drawing.shape not in ALONG))


def _kept(drawing: Drawing, again: Drawn) -> bool:
    return [*map(look, again[0])] == [look(drawing)] and not again[1]


def look(drawing: Drawing) -> tuple[object, ...]:
    """What of a drawing is seen, its lengths rounded."""
    points = tuple((round(row, DECIMALS), round(column, DECIMALS)) for row, column in drawing.points)
    fields = (getattr(drawing, name) for name in SEEN[drawing.shape])
    parts = (round(part, 3) if isinstance(part, float) else part for part in fields)
    return drawing.shape, points, *(oneline(part) if isinstance(part, str) else part for part in parts)


def sudokupad_tables(drawings: Iterable[Drawing]) -> dict[str, list[dict[str, Any]]]:
    """The lists of SudokuPad, by their keys, that hold drawings."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for drawing in drawings:
        for key, entry in _parts(drawing):
            tables.setdefault(key, []).append(entry)
    return tables


def _parts(drawing: Drawing) -> Iterator[tuple[str, dict[str, Any]]]:
    points = [[row - 0.5, column - 0.5] for row, column in drawing.points]
    tint, layer = drawing.tint or CLEAR, f"{OVER}s" if drawing.over else "underlays"
    wide, high = round(drawing.width, DECIMALS), round(drawing.height, DECIMALS)
    if drawing.shape == "cage":
        cells = [[round(row) - 1, round(column) - 1] for row, column in drawing.points]
        label = {"value": drawing.text} if drawing.text else {}
        yield "cages", {"cells": cells, "unique": False, "borderColor": tint, **label}
    elif drawing.shape in ALONG:
        way = {"wayPoints": points, "color": tint, "thickness": round(drawing.width * PIXELS, DECIMALS)}
        way |= {"target": OVER} if drawing.over else {}
        yield ("arrows", way | {"headLength": ARROW_HEAD}) if drawing.shape == "arrow" else ("lines", way)
        if drawing.shape == "thermometer":
            side = round(drawing.width * BULB, DECIMALS)
            yield layer, {"center": points[0], "width": side, "height": side, "rounded": True, "backgroundColor": tint}
    elif drawing.shape == "text":
        letters = round(drawing.height / CAPITALS * PIXELS, DECIMALS)
        place = {"center": points[0], "width": LETTER, "height": LETTER}
        yield layer, {**place, "text": drawing.text, "color": tint, "fontSize": letters}
    else:
        looks = {"backgroundColor": drawing.fill, "borderColor": drawing.tint, "text": drawing.text}
        place = {"center": points[0], "width": wide, "height": high, "rounded": drawing.shape == "circle"}
        yield layer, place | {key: part for key, part in looks.items() if part}


def fpuzzles_entries(drawings: Iterable[Drawing]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The keys and entries of drawings that f-puzzles has a place for."""
    for drawing in filter(held_by_fpuzzles, drawings):
        yield from _entries(drawing)


def _entries(drawing: Drawing) -> Iterator[tuple[str, dict[str, Any]]]:
    """What f-puzzles draws most like it; the layer is stated where it is not the one that is usual."""
    entry: dict[str, Any] = {"value": drawing.text} if drawing.text else {}
    wide, high = round(drawing.width, DECIMALS), round(drawing.height, DECIMALS)
    cells = _names(drawing.points)
    match drawing.shape:
        case "line":
            entry = {"lines": [cells], "outlineC": drawing.tint.upper(), "width": wide}
        case "cage":
            entry = {"cells": cells, "outlineC": drawing.tint.upper(), **entry}
        case "text" | "circle" | "rectangle":
            ((row, column),) = drawing.points
            around = ({int(at // 1), int(-(-at // 1))} for at in (row, column))
            cells = entry["cells"] = _names(product(*map(sorted, around)))
            if drawing.shape == "text":
                entry |= {"fontC": drawing.tint.upper(), "size": round(drawing.height / CAPITALS, DECIMALS)}
            else:
                colours = {"baseC": drawing.fill.upper(), "outlineC": drawing.tint.upper(), "fontC": "#000000"}
                entry |= {**colours, "width": wide, "height": high}
        case _:
            return
    usual = _usually_over(drawing.shape, len(cells))
    yield drawing.shape, entry if drawing.over == usual else {**entry, LAYER: drawing.over}


def _usually_over(key: str, cells: int) -> bool:
    return key == "text" or (key not in ALONG and cells > 1)


def _names(points: Iterable[tuple[float, ...]]) -> list[str]:
    return [f"R{round(row)}C{round(column)}" for row, column in points]


def _cells(raw: object) -> tuple[Point, ...]:
    return tuple(at for name in list_of(raw) if isinstance(name, str) and (at := position(name)))


def _any(table: Mapping[str, Any], *names: str) -> Any:
    return next((table[name] for name in names if name in table), None)


def _tables(data: Mapping[str, Any], key: str) -> Iterator[dict[str, Any]]:
    yield from (each if isinstance(each, dict) else {} for each in list_of(data.get(key)))


def list_of(raw: object) -> list[Any]:
    return raw if isinstance(raw, list) else []
