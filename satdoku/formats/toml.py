"""`toml`: our own format, which names every rule and reads well by eye; docs/formats.md shows it.

Every kind of mark is a key, and its shape says how a mark is written, so that a new kind needs
nothing here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from satdoku.errors import FormatError
from satdoku.formats import Format, Options, Reading
from satdoku.formats.cells import Token, box_for, size_of, values_of
from satdoku.formats.grid import Row, attempt, drawn_box
from satdoku.formats.marks import Cells, board, diagonal, position, shown, value_of, whole
from satdoku.formats.regions import divided
from satdoku.formats.toml_writer import write
from satdoku.puzzle import Mark, Position, Puzzle
from satdoku.variants import REGIONS, Kind, Shape, label, named
from satdoku.variants.boxes import MOST_VALUES, Box

PLAIN_KEYS = ("size", "boxes", "regions", "grid", "candidates", "rules")

FIELDS = {
    Shape.CELL: ("cell",),
    Shape.CELLS: ("cells",),
    Shape.LINE: ("line",),
    Shape.ARROW: ("bulb", "lines"),
    Shape.CLONE: ("cells", "copy"),
    Shape.GROUPS: ("groups",),
    Shape.CLUE: ("cell",),
    Shape.DIAGONAL: ("cell", "line", "direction"),
}
"""The keys of a mark, by its shape; `value` besides, where the kind takes one."""

RUN = re.compile(r"\s*-\s*")
DECODE_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)")


def read(text: str, options: Options) -> Reading:
    """Raises FormatError for what is no TOML, and by name for every key that is not understood."""
    data = _loaded(text)
    try:
        return Reading(_puzzle(data, options), "toml")
    except FormatError as error:
        if error.line is None:
            error.line = _line_of(text, data, error.message)
        raise


def fits(text: str) -> bool:
    """A key of this format at the beginning of a line."""
    return _keys().search(text) is not None


def _keys() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in (*PLAIN_KEYS, *_marked()))
    return re.compile(rf"^[ \t]*(?:\[\[?[ \t]*(?:{names})[ \t]*\]|(?:{names})[ \t]*=)", re.MULTILINE)


def _marked() -> dict[str, Kind]:
    """The kinds that have a key of their own."""
    return {name: kind for name, kind in named().items() if kind.shape is not Shape.RULE and name not in REGIONS}


def _loaded(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FormatError("brackets nested too deep for any puzzle") from None
    except ValueError as error:
        place = DECODE_PLACE.fullmatch(str(error))
        if place:
            raise FormatError(f"not TOML: {place[1]}", int(place[2]), int(place[3])) from None
        raise FormatError(f"not TOML: {error}") from None


def _line_of(text: str, data: Mapping[str, Any], message: str) -> int | None:
    """The line that begins with the key that an error message begins with."""
    key = next((key for key in data if re.match(rf"\W*{re.escape(key)}(?!\w)", message)), None)
    found = re.search(rf"^[ \t]*\[*[ \t\"']*{re.escape(key)}[ \t\"']*[=\]]", text, re.MULTILINE) if key else None
    return text.count("\n", 0, found.end()) + 1 if found else None


def _puzzle(data: dict[str, Any], options: Options) -> Puzzle:
    known = _marked()
    for key in data:
        if key not in PLAIN_KEYS and key not in known:
            raise FormatError(_unknown(key, known))
    values, drawn = _grid(data, options)
    size = _size(data, len(values))
    marks = list(_division(data, size, drawn, options))
    marks += _rules(data.get("rules", []))
    for key, raw in data.items():
        if key in known:
            entries = raw if isinstance(raw, list) else [raw]
            for number, entry in enumerate(entries, 1):
                marks += _marks(known[key], entry, f"{key} {number}" if len(entries) > 1 else key, size)
    built = board(size, marks)
    givens = Puzzle.from_givens(built, values or [0] * built.cells)
    return Puzzle(built, _candidates(data.get("candidates", {}), givens))


def _unknown(key: str, known: Mapping[str, Kind]) -> str:
    if key in named():
        return f'{key!r} is a rule of the whole board: write it as rules = ["{key}"]'
    near = get_close_matches(key, [*PLAIN_KEYS, *known], n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "no rule is known under this name"
    return f"{key!r} is no key of this format: {hint}"


def _size(data: Mapping[str, Any], cells: int) -> int:
    if "size" not in data:
        if not cells:
            raise FormatError("no size and no grid here: expected one of them")
        return int(cells**0.5)
    size = data["size"]
    if not isinstance(size, int) or isinstance(size, bool) or not 4 <= size <= MOST_VALUES:
        raise FormatError(f"size is {shown(size)}, expected a whole number from 4 to {MOST_VALUES}")
    if cells and cells != size * size:
        rows = int(cells**0.5)
        raise FormatError(f"size is {size}, but the grid has {rows} rows")
    return size


def _grid(data: Mapping[str, Any], options: Options) -> tuple[list[int], Box | None]:
    """The givens, nothing if there is no grid, and the box that it draws."""
    if "grid" not in data:
        return [], None

    def finish(tokens: list[Token], rows: list[Row], bands: list[int]) -> tuple[list[int], Box | None]:
        return values_of(tokens, size_of(tokens), options), drawn_box(rows, bands)

    try:
        return attempt(_text(data["grid"], "grid"), finish)
    except FormatError as error:
        raise FormatError(_in_key("grid", error)) from None


def _division(data: Mapping[str, Any], size: int, drawn: Box | None, options: Options) -> tuple[Mark, ...]:
    if "boxes" in data and "regions" in data:
        raise FormatError("boxes and regions exclude each other")
    if "regions" in data:
        return divided(size, _labels(_text(data["regions"], "regions"), size), options.box)
    named = data.get("boxes")
    if named == "none":
        return divided(size, [None] * (size * size), options.box)
    if named is None:
        return (Mark("boxes", value=str(box_for(size, options, drawn))),)
    box = Box.parse(_text(named, "boxes"))
    for other, where in ((drawn, "the grid draws"), (options.box, "--box asks for")):
        if other not in (None, box):
            raise FormatError(f"boxes are {box}, but {where} boxes of {other}")
    return (Mark("boxes", value=str(box)),)


def _labels(text: str, size: int) -> list[str | None]:
    def finish(tokens: list[Token], rows: list[Row], bands: list[int]) -> list[str | None]:
        return [None if token == "." else token for token, _, _ in tokens]

    try:
        labels = attempt(text, finish)
    except FormatError as error:
        raise FormatError(_in_key("regions", error)) from None
    if len(labels) != size * size:
        raise FormatError(f"regions has {int(len(labels) ** 0.5)} rows, but the puzzle {size}")
    return labels


def _in_key(key: str, error: FormatError) -> str:
    row = f", row {error.line}" if error.line else ""
    return f"{key}{row}: {error.message}"


def _rules(raw: object) -> Iterator[Mark]:
    """A name each, with its value after a blank where it takes one."""
    rules = {name: kind for name, kind in named().items() if kind.shape is Shape.RULE and name not in REGIONS}
    for entry in raw if isinstance(raw, list) else [raw]:
        name, _, value = entry.strip().partition(" ") if isinstance(entry, str) else ("", "", "")
        if name not in rules:
            near = get_close_matches(str(entry), rules, n=3, cutoff=0.5)
            hint = f": did you mean {' or '.join(near)}?" if near else ""
            raise FormatError(f"rules has {shown(entry)}, which is no rule of the whole board{hint}")
        yield Mark(rules[name].name, value=value_of(rules[name], value.strip(), f"rules, {name}"))


def _marks(kind: Kind, entry: object, where: str, size: int) -> Iterator[Mark]:
    """The marks of one entry: a text is the cells alone, a table names each part."""
    if isinstance(entry, str):
        if kind.shape is Shape.CELL:
            for cell in _cells(entry, where):
                yield Mark(kind.name, (cell,), value=value_of(kind, None, where))
            return
        if kind.shape not in (Shape.CELLS, Shape.LINE):
            raise FormatError(f"{where} is a text, expected a table of {_expected(kind)}")
        entry = {FIELDS[kind.shape][0]: entry}
    if not isinstance(entry, dict):
        raise FormatError(f"{where} is {shown(entry)}, expected a table of {_expected(kind)}")
    for field in entry:
        if field not in (*FIELDS[kind.shape], "value"):
            raise FormatError(f"{where} has {field!r}, expected {_expected(kind)}")
    value = value_of(kind, entry.get("value"), where)
    if kind.shape is Shape.GROUPS:
        yield Mark(kind.name, (), tuple(_list_of_cells(entry, "groups", where)), value)
        return
    first = _part(entry, FIELDS[kind.shape][0], where)
    match kind.shape:
        case Shape.LINE:
            yield Mark(kind.name, (), (first,), value)
        case Shape.ARROW:
            yield Mark(kind.name, first, tuple(_list_of_cells(entry, "lines", where)), value)
        case Shape.CLONE:
            yield Mark(kind.name, first, (_part(entry, "copy", where),), value)
        case Shape.DIAGONAL if "line" not in entry:
            yield Mark(kind.name, first, (diagonal(first, entry.get("direction"), size, where),), value)
        case Shape.DIAGONAL:
            if "direction" in entry:
                raise FormatError(f"{where} has a line and a direction, expected one of them")
            yield Mark(kind.name, first, (_part(entry, "line", where),), value)
        case _:
            yield Mark(kind.name, first, (), value)


def _list_of_cells(entry: Mapping[str, object], key: str, where: str) -> Iterator[Cells]:
    lines = entry.get(key)
    if not isinstance(lines, list) or not lines:
        raise FormatError(f"{where} has no {key}, expected a list of them")
    return (_cells(line, where) for line in lines)


def _expected(kind: Kind) -> str:
    names = [*FIELDS[kind.shape], *(["value"] if kind.value else [])]
    return ", ".join(names)


def _part(entry: Mapping[str, object], key: str, where: str) -> Cells:
    if key not in entry:
        raise FormatError(f"{where} has no {key}")
    return _cells(entry[key], where)


def _cells(raw: object, where: str) -> Cells:
    """The cells of `r1c1 r1c2`, or of a run in a straight line, `r1c1-r1c5`."""
    words = RUN.sub("-", _text(raw, where)).replace(",", " ").split()
    cells: list[Position] = []
    for word in words:
        ends = [position(end) for end in word.split("-")]
        known = [end for end in ends if end is not None]
        if len(known) != len(ends) or len(ends) > 2:
            raise FormatError(f"{where} has {word[:20]!r}, expected cells such as r1c1 r1c2, or a run r1c1-r1c5")
        cells += known if len(known) == 1 else _run(known[0], known[1], where)
    if not cells:
        raise FormatError(f"{where} has no cells")
    return tuple(cells)


def _run(first: Position, last: Position, where: str) -> Iterator[Position]:
    down, right = last[0] - first[0], last[1] - first[1]
    steps = max(abs(down), abs(right))
    if abs(down) not in (0, steps) or abs(right) not in (0, steps) or not steps:
        raise FormatError(f"{where} has {label(first)}-{label(last)}, which is no straight run")
    return ((first[0] + down // steps * step, first[1] + right // steps * step) for step in range(steps + 1))


def _text(raw: object, where: str) -> str:
    if not isinstance(raw, str):
        raise FormatError(f"{where} is {shown(raw)}, expected a text")
    return raw


def _candidates(raw: object, puzzle: Puzzle) -> tuple[int, ...]:
    """The puzzle's candidates, less those that the table takes away."""
    if not isinstance(raw, dict):
        raise FormatError(f"candidates is {shown(raw)}, expected a table such as {{ r1c1 = [1, 2] }}")
    size, left = puzzle.board.values, list(puzzle.candidates)
    for key, values in raw.items():
        where = f"candidates of {key}"
        numbers = [whole(value, where) for value in (values if isinstance(values, list) else [values])]
        outside = [number for number in numbers if not 1 <= number <= size]
        if outside:
            raise FormatError(f"{where}: {outside[0]} is not one of 1..{size}")
        for row, column in _cells(key, where):
            if not (1 <= row <= size and 1 <= column <= size):
                raise FormatError(f"{where}: {label((row, column))} is outside the {size}x{size} grid")
            cell = (row - 1) * size + column - 1
            given = puzzle.givens[cell]
            if given and given not in numbers:
                raise FormatError(f"{where}: the given {given} is not among them")
            left[cell] &= sum(1 << number for number in set(numbers))
    return tuple(left)


FORMATS = (Format("toml", "every rule by its name, to write by hand", False, False, fits, read, write),)
