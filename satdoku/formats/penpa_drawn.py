"""Drawings of Penpa+: what the tables of a layer draw, and the tables that draw so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from satdoku.drawings import MAX_TEXT, Drawing, Point
from satdoku.formats.drawn import BLACK, CAPITALS, colour
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
BOTH, EDGES, FIXED = (2,), (4, 10, 13), (11, 12)
"""The styles of symbols of which a colour of their own is both, or that of the edge, or nothing; elsewhere it is that
inside."""
INKS = {1: "#000000", 2: "#4c9900", 3: "#999999", 8: "#187bcd", 9: "#0000ff", 10: "#ff0000"}
HEIGHTS = {"10": 0.6, "6": 0.4, "5": 0.25, "1": 0.7, "8": 0.5}  # of letters, by their kind
SMALL = 0.32  # the same of small numbers
SEGMENTS = ("line", "lineE", "freeline", "freelineE", "wall")
WAYS = {"thermo": "thermometer", "nobulbthermo": "line", "arrows": "arrow", "direction": "arrow"}
OTHERS = ("squareframe", "polygon")
GREY, SHAFT = "#cccccc", "#999999"  # of thermometers and of arrows
WIDE, THIN = 0.3, 0.05  # the widths of those
THICK = 2  # the style of lines around regions
PLAIN = (THICK, 21, 6)  # the styles of lines that are nothing but lines, each of another width
TOTALS = (-0.25, -0.25)  # where the total of a cage stands, from the centre of a cell
PAIR = re.compile(r"[0-9]{1,7},[0-9]{1,7}")
RGB = re.compile(r"rgba?\( *([0-9]{1,3}) *, *([0-9]{1,3}) *, *([0-9]{1,3}) *(?:, *([01]?(?:\.[0-9]{1,9})?) *)?\)")

Traits = dict[str, Any]


def fields(layer: Mapping[str, Any], own: Mapping[str, Any], point: PointOf) -> Iterator[Traits | None]:
    """What each drawing of a layer is, as fields of a Drawing; None for one that is not understood. `own` has the
    colours that are not those of the styles, in the same tables."""
    small = dict(_table(layer, "numberS"))
    yield from _cages(layer, point, small)
    for key, style in _table(layer, "surface"):
        fill, at = _of(SURFACES, style), point(key)
        yield _square(at, 1.0, own_colour(own, "surface", key, fill)) if at and fill else None
    for table in SEGMENTS:
        yield from _lines(layer, own, table, point)
    for key, shape in WAYS.items():
        tint, width = (GREY, WIDE) if key in ("thermo", "nobulbthermo") else (SHAFT, THIN)
        for place, points in _ways(layer, key, point):
            yield {"shape": shape, "points": points, "tint": own_colour(own, key, place, tint), "width": width}
    for key, entry in _table(layer, "symbol"):
        yield _symbol(entry, own, key, point(key))
    for key, entry in [*_table(layer, "number"), *small.items()]:
        yield _text(entry, point(key))
    for key in OTHERS:
        raw = layer.get(key)
        every = raw if isinstance(raw, list | dict) else [raw]
        yield from (None for each in every if has_content(each))


def _cages(layer: Mapping[str, Any], point: PointOf, small: dict[str, Any]) -> Iterator[Traits | None]:
    """The cages, which take their totals from the small numbers; and lines of cages, where they are nothing else."""
    totals = {at: key for key in small if (at := point(key))}
    cages = [cells for _, cells in _ways(layer, "killercages", point)]
    for cells in cages:
        corners = [(row + TOTALS[0], column + TOTALS[1]) for row, column in cells]
        key = next((totals[at] for at in corners if at in totals), None)
        entry = small.pop(key) if key is not None and key in small else None
        text = str(entry[0]).strip()[:MAX_TEXT] if isinstance(entry, list) and entry else ""
        yield {"shape": "cage", "points": cells, "tint": "#000000", "text": text}
    if not cages:
        yield from _lines(layer, {}, "cage", point)


def _lines(layer: Mapping[str, Any], own: Mapping[str, Any], table: str, point: PointOf) -> Iterator[Traits | None]:
    """Lines of one style and colour that meet end to end are one."""
    groups: dict[tuple[str, int], list[tuple[str, str]]] = {}
    for key, style in _table(layer, table):
        first, _, second = key.partition(",")
        if PAIR.fullmatch(key) and _of(LINES, style) and point(first) and point(second) and first != second:
            tint, width = LINES[style]
            groups.setdefault((own_colour(own, table, key, tint), width), []).append((first, second))
        else:
            yield None
    for (tint, width), segments in groups.items():
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


def _ways(layer: Mapping[str, Any], key: str, point: PointOf) -> Iterator[tuple[int, tuple[Point, ...]]]:
    """The places of the ways in their list, and the points of each."""
    raw = layer.get(key)
    for place, way in enumerate(raw if isinstance(raw, list) else [raw] if has_content(raw) else []):
        if has_content(way):
            points = [point(str(each)) for each in way] if isinstance(way, list) else [None]
            yield place, tuple(at for at in points if at) if all(points) else ()  # the latter cannot be drawn


def own_colour(own: Mapping[str, Any], table: str, place: str | int, usual: str) -> str:
    """The colour of something of its own, as it looks on white paper; `usual` where it has none."""
    every = own.get(table)
    if isinstance(every, list):
        raw = every[place] if isinstance(place, int) and place < len(every) else None
    else:
        raw = every.get(str(place)) if isinstance(every, dict) else None
    match = RGB.fullmatch(raw) if isinstance(raw, str) else None
    if match is None:
        return colour(raw, usual)
    opaque = min(float(match[4] or 0), 1.0) if match[4] is not None else 1.0
    return colour(
        "#" + "".join(f"{min(int(part), 255):02x}" for part in match.groups()[:3]) + f"{round(255 * opaque):02x}"
    )


def _symbol(entry: object, own: Mapping[str, Any], key: str, at: Point | None) -> Traits | None:
    style, name, layer = [*entry, None, None, None][:3] if isinstance(entry, list) else (None, None, None)
    side = SIDES.get(name) if isinstance(name, str) else None
    if at is None or side is None or type(style) is not int or style not in STYLES:
        return None
    shape = "circle" if str(name).startswith("circle") else "rectangle"
    fill, tint = STYLES[style]
    fill, tint = _painted(style, own_colour(own, "symbol", key, tint if style in EDGES else fill))
    return _square(at, side, fill) | {"shape": shape, "tint": tint, "over": layer == 2}


def _painted(style: int, paint: str) -> tuple[str, str]:
    """The colours inside and at the edge of a symbol that has this one of its own."""
    fill, tint = STYLES[style]
    if style in FIXED:
        return fill, tint
    return (fill if style in EDGES else paint), (paint if style in (*EDGES, *BOTH) else tint)


def _square(at: Point, side: float, fill: str) -> Traits:
    return {"shape": "rectangle", "points": (at,), "fill": fill, "height": side, "width": side}


def _text(entry: object, at: Point | None) -> Traits | None:
    """A number or text; small ones state no kind."""
    if at is None or not isinstance(entry, list) or not entry or not isinstance(entry[0], str | int):
        return None
    text, ink = str(entry[0]).strip(), _of(INKS, entry[1] if len(entry) > 1 else None) or "#000000"
    high = SMALL if len(entry) < 3 else HEIGHTS.get(str(entry[2]), 0.0)
    if not text or not high:
        return None
    return {"shape": "text", "points": (at,), "tint": ink, "height": high * CAPITALS, "text": text, "over": True}


def tables(
    drawings: Iterable[Drawing], key: KeyOf, taken: Iterable[str]
) -> tuple[dict[str, Any], dict[str, Any], list[Drawing]]:
    """The tables and lists of a layer that draw these, the colours in them that are not those of the styles, and the
    drawings that have a place there.

    taken: the keys of the table `number` that givens have
    """
    layer: dict[str, Any] = {"number": {}, "numberS": {}, "surface": {}, "symbol": {}, "freeline": {}}
    layer["freelineE"] = {}
    layer |= {"thermo": [], "nobulbthermo": [], "arrows": [], "killercages": []}
    own: dict[str, Any] = {}
    used = {("number", each) for each in taken}
    held = []
    for drawing in drawings:
        entries = list(_entries(drawing, key))
        places = [(table, place) for table, place, _, _ in entries if place]
        if not entries or len(set(places)) < len(places) or not used.isdisjoint(places):
            continue
        used.update(places)
        held.append(drawing)
        for table, place, entry, paint in entries:
            if place:
                layer[table][place] = entry
            else:
                layer[table].append(entry)
            if paint and place:
                own.setdefault(table, {})[place] = _rgba(paint)
            elif paint:
                before = own.setdefault(table, [])
                before += [None] * (len(layer[table]) - 1 - len(before)) + [_rgba(paint)]
    return layer, own, held


def _rgba(paint: str) -> str:
    red, green, blue = (int(paint[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},1)"


def _entries(drawing: Drawing, key: KeyOf) -> Iterator[tuple[str, str, Any, str]]:
    """The table, the key in it (none in lists), what stands there, and its colour where the style has another; nothing
    for what has no place."""
    keys = [point_key for point in drawing.points if (point_key := key(point))]
    cells = all(float(at).is_integer() for point in drawing.points for at in point)
    if len(keys) < len(drawing.points):
        return
    tint, ways = drawing.tint, [*map(int, keys)]
    match drawing.shape:
        case "line" if tint:
            yield from _line(drawing, keys, cells)
        case "thermometer" if cells and len(keys) > 1:
            yield "thermo", "", ways, "" if tint in (GREY, USUAL) else tint
        case "arrow" if cells and len(keys) > 1:
            yield "arrows", "", ways, "" if tint == SHAFT else tint
        case "cage" if cells:
            yield "killercages", "", ways, ""
            row, column = min(drawing.points)
            corner = key((row + TOTALS[0], column + TOTALS[1]))
            if drawing.text and corner:
                yield "numberS", corner, [drawing.text, 1], ""
        case "text":
            yield from _written(drawing, keys[0])
        case "circle" | "rectangle" if not drawing.text and abs(drawing.height - drawing.width) < 0.1:
            yield from _placed(drawing, keys[0], cells)


def _line(drawing: Drawing, keys: list[str], cells: bool) -> Iterator[tuple[str, str, Any, str]]:
    """A line in the style that is like it; else as a thermometer without a bulb, if it is wide, along cells and below
    the grid, or in the style of the nearest width."""
    tint, width = drawing.tint, drawing.width
    exact = (style for style, look in LINES.items() if look[0] == tint and abs(look[1] / PIXELS - width) < 0.001)
    style = next(exact, None)
    if style is None and cells and width > WIDE / 3 and not drawing.over:
        yield "nobulbthermo", "", [*map(int, keys)], "" if tint in (GREY, USUAL) else tint
        return
    if style is None:
        free = [each for each in PLAIN if each != THICK or not drawing.over]  # along edges it would be a region's
        style = min(free, key=lambda each: abs(LINES[each][1] / PIXELS - width))
    table = "freelineE" if drawing.over else "freeline"
    for pair in pairwise(keys):
        yield table, ",".join(sorted(pair, key=int)), style, "" if LINES[style][0] == tint else tint


def _written(drawing: Drawing, key: str) -> Iterator[tuple[str, str, Any, str]]:
    """A text in the nearest of the inks: it takes no other."""
    ink = _nearest(INKS, drawing.tint or BLACK)
    quarter = any(float(at * 2) % 1 for at in drawing.points[0])
    if quarter:
        yield "numberS", key, [drawing.text, ink], ""
    else:
        letters = drawing.height / CAPITALS
        kind = min((each for each in HEIGHTS if each != "1"), key=lambda each: abs(HEIGHTS[each] - letters))
        yield "number", key, [drawing.text, ink, kind], ""  # of the kind "1" it would be a given


def _placed(drawing: Drawing, key: str, cell: bool) -> Iterator[tuple[str, str, Any, str]]:
    fill, tint = drawing.fill, drawing.tint
    if drawing.shape == "rectangle" and cell and drawing.height > 0.95 and fill and not (tint or drawing.over):
        surface = _nearest(SURFACES, fill)
        yield "surface", key, surface, "" if SURFACES[surface] == fill else fill
        return
    prefix = "circle" if drawing.shape == "circle" else "square"
    name = min((each for each in SIDES if each.startswith(prefix)), key=lambda each: abs(SIDES[each] - drawing.width))
    if abs(SIDES[name] - drawing.width) < 0.15 and (fill or tint):
        style, paint = _style(fill, tint)
        yield "symbol", key, [style, name, 2 if drawing.over else 1], paint


def _style(fill: str, tint: str) -> tuple[int, str]:
    """The style of a symbol with these colours inside and at the edge, and the colour that it needs of its own. A
    symbol has one such colour: where the two differ from those of all styles, the edge is black."""
    for style, colours in STYLES.items():
        if colours == (fill, tint):
            return style, ""
    paints = {style: tint if style in EDGES else fill for style in STYLES}
    fits = (style for style, paint in paints.items() if style not in FIXED and _painted(style, paint) == (fill, tint))
    style = next(fits, 1)
    return style, paints[style]


def _nearest(colours: Mapping[int, str], paint: str) -> int:
    """The style whose colour is nearest, the first one of several."""
    return min(colours, key=lambda each: _apart(colours[each], paint))


def _apart(one: str, other: str) -> int:
    """How far apart two colours are: the sum of the squares of their differences."""
    return sum((int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) ** 2 for at in (1, 3, 5))


def _of(styles: Mapping[int, Any], style: object) -> Any:
    return styles.get(style) if type(style) is int else None


def _table(layer: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    """What a table has at its keys, without what is empty; what is not a table is one thing not understood."""
    raw = layer.get(key)
    if isinstance(raw, dict):
        return [(name, entry) for name, entry in raw.items() if has_content(entry)]
    return [("", raw)] if has_content(raw) else []
