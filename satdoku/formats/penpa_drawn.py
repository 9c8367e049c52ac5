"""Drawings of Penpa+: what the tables of a layer draw, and the tables that draw so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from satdoku.drawings import MAX_TEXT, Drawing, Point
from satdoku.formats.drawn import CAPITALS
from satdoku.formats.drawn import GREY as USUAL
from satdoku.formats.marks import has_content

PointOf = Callable[[str], Point | None]  # where the point of a key is
KeyOf = Callable[[Point], str | None]  # the key of a point
PIXELS = 38  # of a cell, in which lines are measured
SURFACES = {
    1: "#444444", 2: "#b3ffb3", 3: "#cccccc", 4: "#000000", 5: "#c0e0ff", 6: "#ffa3a3", 7: "#ffffa3", 8: "#999999",
    9: "#ffb3ff", 10: "#ffcc80", 11: "#cc99ff", 12: "#eecab1",
}  # fmt: skip
"""The colours of cells, by their style."""
LINES = {
    2: ("#000000", 3), 21: ("#000000", 5), 3: ("#208020", 3), 5: ("#999999", 3), 6: ("#999999", 12), 8: ("#ff0000", 3),
    9: ("#187bcd", 3), 80: ("#000000", 1), 7: ("#777777", 1), 10: ("#000000", 1), 12: ("#444444", 1),
    13: ("#000000", 3), 14: ("#777777", 2), 15: ("#777777", 1), 16: ("#000000", 1), 17: ("#000000", 4),
    30: ("#208020", 3), 40: ("#999999", 2),
}  # fmt: skip
"""The colours and widths of lines, by their style; those from 7 on are dashed, or for walls and the like."""
SIDES = {"circle_L": 0.86, "circle_M": 0.7, "circle_S": 0.44, "circle_SS": 0.26}
SIDES |= {"square_LL": 1.0, "square_L": 0.8, "square_M": 0.7, "square_S": 0.44, "square_SS": 0.26}
STYLES = {
    1: ("#ffffff", "#000000"), 2: ("#000000", "#000000"), 3: ("#cccccc", ""), 5: ("#cccccc", "#000000"),
    6: ("#ffffff", "#999999"), 7: ("#ffffff", ""), 8: ("#ffffff", "#000000"), 9: ("#cccccc", "#000000"),
    10: ("#ffffff", "#000000"), 11: ("#ff0000", "#ff0000"), 12: ("#208020", "#208020"), 13: ("", "#000000"),
    4: ("", "#000000"),
}  # fmt: skip
"""The colours inside and at the edge of a symbol, by its style; the first that fits is chosen for writing."""
INKS = {1: "#000000", 2: "#4c9900", 3: "#999999", 8: "#187bcd", 9: "#0000ff", 10: "#ff0000"}
HEIGHTS = {"10": 0.6, "6": 0.4, "5": 0.25, "1": 0.7, "8": 0.5}  # of letters, by their kind
SMALL = 0.32  # the same of small numbers
SEGMENTS = ("line", "lineE", "freeline", "freelineE", "wall")
WAYS = {"thermo": "thermometer", "nobulbthermo": "line", "arrows": "arrow", "direction": "arrow"}
OTHERS = ("squareframe", "polygon")
GREY, WIDE, THIN = "#cccccc", 0.3, 0.05  # of thermometers, and the widths of those and of arrows
TOTALS = (-0.25, -0.25)  # where the total of a cage stands, from the centre of a cell
NEAR = 12_000  # how far apart two colours may be to be taken for one, as the sum of squares
PAIR = re.compile(r"[0-9]{1,7},[0-9]{1,7}")

Fields = dict[str, Any]


def fields(layer: Mapping[str, Any], point: PointOf) -> Iterator[Fields | None]:
    """What each drawing of a layer is, as fields of a Drawing; None for one that is not understood."""
    small = dict(_table(layer, "numberS"))
    yield from _cages(layer, point, small)
    for key, style in _table(layer, "surface"):
        fill, at = _of(SURFACES, style), point(key)
        yield _square(at, 1.0, fill) if at and fill else None
    for table in SEGMENTS:
        yield from _lines(layer, table, point)
    for key, shape in WAYS.items():
        tint, width = (GREY, WIDE) if key in ("thermo", "nobulbthermo") else ("#999999", THIN)
        yield from ({"shape": shape, "points": p, "tint": tint, "width": width} for p in _ways(layer, key, point))
    for key, entry in _table(layer, "symbol"):
        yield _symbol(entry, point(key))
    for key, entry in [*_table(layer, "number"), *small.items()]:
        yield _text(entry, point(key))
    for key in OTHERS:
        raw = layer.get(key)
        every = raw if isinstance(raw, list | dict) else [raw]
        yield from (None for each in every if has_content(each))


def _cages(layer: Mapping[str, Any], point: PointOf, small: dict[str, Any]) -> Iterator[Fields | None]:
    """The cages, which take their totals from the small numbers; and lines of cages, where they are nothing else."""
    totals = {at: key for key in small if (at := point(key))}
    cages = list(_ways(layer, "killercages", point))
    for cells in cages:
        corners = [(row + TOTALS[0], column + TOTALS[1]) for row, column in cells]
        key = next((totals[at] for at in corners if at in totals), None)
        entry = small.pop(key) if key is not None and key in small else None
        text = str(entry[0]).strip()[:MAX_TEXT] if isinstance(entry, list) and entry else ""
        yield {"shape": "cage", "points": cells, "tint": "#000000", "text": text}
    if not cages:
        yield from _lines(layer, "cage", point)


def _lines(layer: Mapping[str, Any], table: str, point: PointOf) -> Iterator[Fields | None]:
    """Lines of one style that meet end to end are one."""
    groups: dict[int, list[tuple[str, str]]] = {}
    for key, style in _table(layer, table):
        first, _, second = key.partition(",")
        if PAIR.fullmatch(key) and _of(LINES, style) and point(first) and point(second) and first != second:
            groups.setdefault(style, []).append((first, second))
        else:
            yield None
    for style, segments in groups.items():
        tint, width = LINES[style]
        for path in _paths(segments):
            points = tuple(at for key in path if (at := point(key)))
            over = table not in ("line", "freeline")
            yield {"shape": "line", "points": points, "tint": tint, "width": width / PIXELS, "over": over}


def _paths(segments: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    near: dict[str, list[str]] = {}
    for first, second in segments:
        near.setdefault(first, []).append(second)
        near.setdefault(second, []).append(first)
    left = {frozenset(segment) for segment in segments}
    for start in sorted(near, key=lambda key: (len(near[key]) == 2, int(key))):
        for after in near[start]:
            path = [start]
            following: str | None = after
            while following is not None and frozenset((path[-1], following)) in left:
                left.remove(frozenset((path[-1], following)))
                path.append(following)
                others = near[following] if len(near[following]) == 2 else []
                following = next((each for each in others if frozenset((path[-1], each)) in left), None)
            if len(path) > 1:
                yield path


def _ways(layer: Mapping[str, Any], key: str, point: PointOf) -> Iterator[tuple[Point, ...]]:
    raw = layer.get(key)
    for way in raw if isinstance(raw, list) else [raw] if has_content(raw) else []:
        if has_content(way):
            points = [point(str(each)) for each in way] if isinstance(way, list) else [None]
            yield tuple(at for at in points if at) if all(points) else ()  # the latter cannot be drawn


def _symbol(entry: object, at: Point | None) -> Fields | None:
    style, name, layer = [*entry, None, None, None][:3] if isinstance(entry, list) else (None, None, None)
    side, colours = SIDES.get(name) if isinstance(name, str) else None, _of(STYLES, style)
    if at is None or side is None or colours is None:
        return None
    shape = "circle" if str(name).startswith("circle") else "rectangle"
    fill, tint = colours
    return _square(at, side, fill) | {"shape": shape, "tint": tint, "over": layer == 2}


def _square(at: Point, side: float, fill: str) -> Fields:
    return {"shape": "rectangle", "points": (at,), "fill": fill, "height": side, "width": side}


def _text(entry: object, at: Point | None) -> Fields | None:
    """A number or text; small ones state no kind."""
    if at is None or not isinstance(entry, list) or not entry or not isinstance(entry[0], str | int):
        return None
    text, ink = str(entry[0]).strip(), _of(INKS, entry[1] if len(entry) > 1 else None) or "#000000"
    high = SMALL if len(entry) < 3 else HEIGHTS.get(str(entry[2]), 0.0)
    if not text or not high:
        return None
    return {"shape": "text", "points": (at,), "tint": ink, "height": high * CAPITALS, "text": text, "over": True}


def tables(drawings: Iterable[Drawing], key: KeyOf, taken: Iterable[str]) -> tuple[dict[str, Any], list[Drawing]]:
    """The tables and lists of a layer that draw these, and those that have a place there.

    taken: the keys of the table `number` that givens have
    """
    layer: dict[str, Any] = {"number": {}, "numberS": {}, "surface": {}, "symbol": {}, "freeline": {}}
    layer["freelineE"] = {}
    layer |= {"thermo": [], "nobulbthermo": [], "arrows": [], "killercages": []}
    used = {("number", each) for each in taken}
    held = []
    for drawing in drawings:
        entries = list(_entries(drawing, key))
        places = [(table, place) for table, place, _ in entries if place]
        if not entries or len(set(places)) < len(places) or not used.isdisjoint(places):
            continue
        used.update(places)
        held.append(drawing)
        for table, place, entry in entries:
            if place:
                layer[table][place] = entry
            else:
                layer[table].append(entry)
    return layer, held


def _entries(drawing: Drawing, key: KeyOf) -> Iterator[tuple[str, str, Any]]:
    """The table, the key in it (none in lists), and what stands there; nothing for what has no place."""
    keys = [found for point in drawing.points if (found := key(point))]
    cells = all(float(at).is_integer() for point in drawing.points for at in point)
    if len(keys) < len(drawing.points):
        return
    match drawing.shape:
        case "line" if cells and drawing.tint in (GREY, USUAL) and drawing.width > WIDE / 3:
            yield "nobulbthermo", "", list(map(int, keys))
        case "line":
            style = _nearest({style: tint for style, (tint, _) in LINES.items()}, drawing.tint, drawing.width)
            if style is not None:
                ends = (sorted(pair, key=int) for pair in pairwise(keys))
                table = "freelineE" if drawing.over else "freeline"
                yield from ((table, ",".join(pair), style) for pair in ends)
        case "thermometer" | "arrow" if cells and len(keys) > 1:
            yield {"thermometer": "thermo"}.get(drawing.shape, "arrows"), "", list(map(int, keys))
        case "cage" if cells:
            yield "killercages", "", list(map(int, keys))
            row, column = min(drawing.points)
            corner = key((row + TOTALS[0], column + TOTALS[1]))
            if drawing.text and corner:
                yield "numberS", corner, [drawing.text, 1]
        case "text":
            yield from _written(drawing, keys[0])
        case "circle" | "rectangle" if not drawing.text and abs(drawing.height - drawing.width) < 0.1:
            yield from _placed(drawing, keys[0], cells)


def _written(drawing: Drawing, key: str) -> Iterator[tuple[str, str, Any]]:
    ink = _nearest(INKS, drawing.tint)
    quarter = any(float(at * 2) % 1 for at in drawing.points[0])
    if ink is not None and quarter:
        yield "numberS", key, [drawing.text, ink]
    elif ink is not None:
        letters = drawing.height / CAPITALS
        kind = min((each for each in HEIGHTS if each != "1"), key=lambda each: abs(HEIGHTS[each] - letters))
        yield "number", key, [drawing.text, ink, kind]  # of the kind "1" it would be a given


def _placed(drawing: Drawing, key: str, cell: bool) -> Iterator[tuple[str, str, Any]]:
    surface = _nearest(SURFACES, drawing.fill) if drawing.fill else None
    if drawing.shape == "rectangle" and cell and drawing.height > 0.95 and not drawing.tint and surface is not None:
        yield "surface", key, surface
        return
    prefix = "circle" if drawing.shape == "circle" else "square"
    name = min((each for each in SIDES if each.startswith(prefix)), key=lambda each: abs(SIDES[each] - drawing.width))
    fits = [style for style, (_, edge) in STYLES.items() if bool(edge) == bool(drawing.tint)]
    style = _nearest({each: STYLES[each][0] for each in fits}, drawing.fill)
    if style is not None and abs(SIDES[name] - drawing.width) < 0.15:
        yield "symbol", key, [style, name, 2 if drawing.over else 1]


def _nearest(colours: Mapping[int, str], colour: str, width: float | None = None) -> int | None:
    """The style whose colour is nearest, the first one of several, or of those the nearest in width; None if all are
    far off."""

    def far(style: int) -> tuple[float, float]:
        other = colours[style]
        if not colour or not other:
            return (0.0 if colour == other else float("inf")), 0.0
        parts = ((int(colour[at : at + 2], 16) - int(other[at : at + 2], 16)) ** 2 for at in (1, 3, 5))
        return sum(parts), 0.0 if width is None else abs(LINES[style][1] / PIXELS - width)

    best = min(colours, key=far)
    return best if far(best)[0] <= NEAR else None


def _of(styles: Mapping[int, Any], style: object) -> Any:
    return styles.get(style) if type(style) is int else None


def _table(layer: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    """What a table has at its keys, without what is empty; one that is no table is one thing that is not understood."""
    raw = layer.get(key)
    if isinstance(raw, dict):
        return [(name, entry) for name, entry in raw.items() if has_content(entry)]
    return [("", raw)] if has_content(raw) else []
