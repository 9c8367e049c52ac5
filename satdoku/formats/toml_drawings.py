"""Drawings without a rule in our own TOML: a table each, with the fields of a Drawing that are not as usual."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from satdoku.drawings import MAX_DRAWINGS, MAX_POINTS, Drawing
from satdoku.errors import FormatError, PuzzleError
from satdoku.formats.marks import shown

DRAWINGS = "drawing"  # the key
TYPES = {"str": (str,), "float": (int, float), "bool": (bool,)}
WORDS = {"str": "a text", "float": "a number", "bool": "true or false"}
FIELDS = {field.name: field for field in fields(Drawing)}


def written(drawings: Iterable[Drawing]) -> list[str]:
    """The lines of the key; none without drawings."""
    entries = [f"    {{ {', '.join(_fields(drawing))} }}," for drawing in drawings]
    return [f"{DRAWINGS} = [", *entries, "]"] if entries else []


def _fields(drawing: Drawing) -> Iterator[str]:
    for name, field in FIELDS.items():
        value = getattr(drawing, name)
        if name == "points":
            yield f"{name} = [{', '.join(f'[{_number(row)}, {_number(column)}]' for row, column in value)}]"
        elif value != field.default:
            number = isinstance(value, float | int) and not isinstance(value, bool)
            yield f"{name} = {_number(value) if number else json.dumps(value)}"


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def read(raw: object) -> tuple[Drawing, ...]:
    """The drawings of the key; raises FormatError for one that cannot be drawn, and for too many."""
    entries = raw if isinstance(raw, list) else [raw]
    drawings = tuple(_drawing(entry, f"{DRAWINGS} {number}") for number, entry in enumerate(entries, 1))
    points = sum(len(each.points) for each in drawings)
    if len(drawings) > MAX_DRAWINGS or points > MAX_POINTS:
        many = f"{len(drawings)} drawings through {points} points"
        raise FormatError(f"{DRAWINGS}: {many}, expected at most {MAX_DRAWINGS} and {MAX_POINTS}")
    return drawings


def _drawing(entry: object, where: str) -> Drawing:
    if not isinstance(entry, dict):
        raise FormatError(f"{where} is {shown(entry)}, expected a table of {', '.join(FIELDS)}")
    odd = next((key for key in entry if key not in FIELDS), None)
    lacking = next((key for key in ("shape", "points") if key not in entry), None)
    if odd is not None or lacking is not None:
        fault = f"{where} has no {lacking}" if odd is None else f"{where} has {odd!r}"
        raise FormatError(f"{fault}, expected {', '.join(FIELDS)}")
    for name, value in entry.items():
        if name != "points" and type(value) not in TYPES[str(FIELDS[name].type)]:
            raise FormatError(f"{where} has {name} = {shown(value)}, expected {WORDS[str(FIELDS[name].type)]}")
    try:
        return Drawing(**{**entry, "points": tuple(_points(entry["points"], where))})
    except PuzzleError as error:
        raise FormatError(f"{where}: {error}") from None


def _points(raw: object, where: str) -> Iterator[tuple[Any, Any]]:
    for point in raw if isinstance(raw, list) else [raw]:
        if not isinstance(point, list) or len(point) != 2 or any(type(at) not in TYPES["float"] for at in point):
            raise FormatError(f"{where} has the point {shown(point)}, expected a row and a column, such as [1, 2.5]")
        yield point[0], point[1]
