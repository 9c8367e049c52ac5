"""`toml`: our own format, which names every rule and reads well by eye; docs/toml.md shows it. Every kind of mark is
a key, and its shape says how a mark is written, so that a new kind needs nothing here."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, TypeVar

from satdoku.drawings import noted
from satdoku.errors import MAX_NAME, FormatError, PuzzleError, near_names
from satdoku.formats import EVERY_SHAPE, METADATA, NO_BOXES, Capabilities, Detection, Format, Options, Reading, View
from satdoku.formats.boards import read_parts, renamed, together
from satdoku.formats.cells import Token, boxed, content, size_of, values_of
from satdoku.formats.grid import PLAIN, RULE, Finish, Row, attempt, drawn_box
from satdoku.formats.marks import Cells, board, cells_in, diagonal, shown, value_of, whole
from satdoku.formats.regions import divided
from satdoku.formats.toml_drawings import DRAWINGS
from satdoku.formats.toml_drawings import read as read_drawings
from satdoku.formats.toml_text import at_its_line, loaded
from satdoku.formats.toml_writer import FIELDS, LISTS, SPELLED, TEXTS, UNENFORCED, plain, templates, write
from satdoku.puzzle import Mark, Puzzle, Size
from satdoku.variants import REGIONS, Kind, Shape, label, named
from satdoku.variants.boxes import Box
from satdoku.variants.placed import BOARDS

SHAPE_KEYS = ("size", "values", "boxes", "regions")
OF_ONE = (*SHAPE_KEYS, "grid", "solution")  # the keys of a board, which stand in each of several
PLAIN_KEYS = (*TEXTS, "define", *SHAPE_KEYS, "grid", "solution", "candidates", "rules", UNENFORCED, DRAWINGS)
OTHER_WORDS = {
    **dict.fromkeys(("givens", "puzzle", "board", "clues", "digits", "cells", "start"), "grid"),
    **dict.fromkeys(("name", "heading"), "title"),
    **dict.fromkeys(("by", "setter"), "author"),
    **dict.fromkeys(("pencilmarks", "possible"), "candidates"),
    **dict.fromkeys(("answer", "solved"), "solution"),
    **dict.fromkeys(("box", "blocks"), "boxes"),
    **dict.fromkeys(("jigsaw", "areas"), "regions"),
    **dict.fromkeys(("constraints", "variants"), "rules"),
    **dict.fromkeys(("sum", "killersudoku"), "cage"),
}
"""What people call a key that has another name."""

T = TypeVar("T")
KEY = re.compile(r"^[ \t]*(?:\[\[?[ \t]*([\w-]+)[ \t]*\]|([\w-]+)[ \t]*=)", re.MULTILINE)  # with = or as a table
OF_CELL = re.compile(r"r\d+c\d+ ")  # begins what is wrong with the cells of a mark
Placed = tuple[Mark, str]  # a mark, and the entry that it stands in, as messages begin: `cage 2`
HOLDS = Capabilities(
    marks=None,
    shapes=EVERY_SHAPE | {"boards"},
    any_box=True,
    candidates=True,
    metadata=frozenset({*METADATA, "not_enforced"}),
    drawings=lambda puzzle: puzzle.drawings,
)


def read(text: str, options: Options) -> Reading:
    data = loaded(text)
    try:
        return Reading(_puzzle(data, options))
    except FormatError as error:
        raise at_its_line(error, text, data) from None


def fits(text: str) -> bool:
    begun = {match[1] or match[2] for match in KEY.finditer(text)}
    return bool(begun) and not begun.isdisjoint((*PLAIN_KEYS, *_marked()))


def _marked() -> dict[str, Kind]:
    return {name: kind for name, kind in named().items() if kind.shape is not Shape.RULE and name not in REGIONS}


def _puzzle(data: dict[str, Any], options: Options) -> Puzzle:
    known, defined = _marked(), templates(data.get("define", {}))
    for key in data:
        if key not in PLAIN_KEYS and key not in known and key not in defined:
            raise FormatError(_unknown(key, known))
    if BOARDS in data:
        puzzle = _several(data, options)
    else:
        options = _shaped(data, options)
        grid = _grid(data, options)
        division, marks = _division(data, grid, options), list(_every_mark(data, grid.size))
        divides = "regions" if "regions" in data else "boxes"
        with _entry_named([*((mark, divides) for mark in division), *marks], data):
            built = board(grid.size, [*division, *(mark for mark, _ in marks)])
        puzzle = Puzzle.from_givens(built, grid.values or [0] * built.cells)
        puzzle = replace(puzzle, solution=_solution(data, grid.size, options))
    texts = {name: _text(data.get(key, ""), key) for key, name in TEXTS.items()}
    drawings = read_drawings(data.get(DRAWINGS, []))
    described = (_text(what, UNENFORCED) for what in _list(data.get(UNENFORCED, []), UNENFORCED))
    return replace(
        puzzle,
        candidates=_candidates(data.get("candidates", {}), puzzle),
        title=texts["title"],
        author=texts["author"],
        rules=texts["rules"],
        not_enforced=(*noted(drawings), *described),
        drawings=drawings,
    )


@contextmanager
def _entry_named(marks: Sequence[Placed], data: Mapping[str, Any]) -> Iterator[None]:
    """FormatErrors about one of the marks name the entry that it stands in, or what defines its key."""
    try:
        yield
    except FormatError as error:
        wrong = getattr(error.__cause__, "mark", None)
        entry = next((entry for mark, entry in marks if mark == wrong), None)
        if not isinstance(wrong, Mark) or entry is None:
            raise
        reason = error.message.removeprefix(f"{wrong.kind}: ")
        if wrong.name in data.get("define", {}) and not OF_CELL.match(reason):
            entry = f"define.{wrong.name}.{wrong.kind}"
        raise FormatError(f"{entry}: {reason}") from None


def _every_mark(data: Mapping[str, Any], size: Size) -> Iterator[Placed]:
    """The marks beside boxes and regions, and beside boards."""
    known, defined = _marked(), templates(data.get("define", {}))
    rules = dict[Mark, str]()
    for mark, entry in _rules(data.get("rules", [])):
        rules.setdefault(mark, entry)  # one that is there again says nothing more, and takes long
    yield from rules.items()
    for key, raw in data.items():
        if key in known and key != BOARDS:
            yield from _entries(known[key], raw, key, size)
        elif key in defined:
            kind = known[defined[key].kind]
            yield from _entries(kind, defined[key].filled(raw, key, *FIELDS[kind.shape]), key, size)


def _several(data: Mapping[str, Any], options: Options) -> Puzzle:
    def one(entry: Mapping[str, Any], options: Options) -> Puzzle:
        odd = next((key for key in entry if key in (*TEXTS, UNENFORCED, DRAWINGS, BOARDS, "define")), None)
        if odd is not None:
            raise FormatError(f"{odd} cannot stand in a board: state it above the first [[{BOARDS}]]")
        return _puzzle({**entry, **{key: data[key] for key in data if key == "define"}}, options)

    odd = next((key for key in data if key in OF_ONE), None)
    if odd is not None:
        raise FormatError(f"{odd} cannot stand beside boards: state it in each [[{BOARDS}]]")
    parts = read_parts(data[BOARDS], options, one)
    texts = {key: raw for key, raw in data.items() if key in (*TEXTS, UNENFORCED, DRAWINGS, BOARDS)}
    marks: list[Placed] = []

    def beside(size: Size) -> list[Mark]:
        marks.extend(_every_mark({**renamed(data, parts), **texts}, size))
        return [mark for mark, _ in marks]

    with _entry_named(marks, data):
        return together(parts, options, beside)


def _list(raw: object, where: str) -> list[object]:
    if not isinstance(raw, list):
        raise FormatError(f"{where} is {shown(raw)}, expected a list")
    return raw


def _solution(data: Mapping[str, Any], size: Size, options: Options) -> tuple[int, ...] | None:
    if "solution" not in data:
        return None
    values = _drawn(data, "solution", lambda tokens, rows, bands: values_of(tokens, size, options), options)
    if len(values) != size.rows * size.columns or 0 in values:
        raise FormatError(f"solution has {len(values) - values.count(0)} values, expected a full grid of {size.shape}")
    return tuple(values)


def _unknown(key: str, known: Mapping[str, Kind]) -> str:
    if key in named():
        return f'{key!r} is a rule of the whole board: write it as rules = ["{key}"]'
    hint = near_names(key, [*PLAIN_KEYS, *known], OTHER_WORDS) or "no rule is known under this name"
    return f"{key[:MAX_NAME]!r} is not a key of this format: {hint}"


def _shaped(data: Mapping[str, Any], options: Options) -> Options:
    size, values = data.get("size"), data.get("values")
    if isinstance(size, bool) or not isinstance(size, int | str | None):
        raise FormatError(f'size is {shown(size)}, expected a whole number, or a text such as "6x8"')
    try:
        sides, alphabet = Size.parse(None if size is None else str(size), None if values is None else str(values))
    except PuzzleError as error:
        raise FormatError(str(error)) from None
    for key, stated, asked in (("size", sides, options.size), ("values", alphabet, options.values)):
        if None not in (stated, asked) and stated != asked:
            raise FormatError(f"{key} is {data[key]}, but the reader was asked for another")
    return replace(options, size=sides or options.size, values=alphabet or options.values)


@dataclass(frozen=True, slots=True)
class _TomlGrid:
    size: Size
    values: list[int]
    box: Box | None = None


def _grid(data: Mapping[str, Any], options: Options) -> _TomlGrid:
    def finish(tokens: list[Token], rows: list[Row], bands: list[int]) -> _TomlGrid:
        size = size_of(tokens, options, len(rows))
        return _TomlGrid(size, values_of(tokens, size, options), drawn_box(rows, bands))

    if "grid" in data:
        return _drawn(data, "grid", finish, options)
    if options.size is None:
        raise FormatError("no size and no grid here: expected one of them")
    return _TomlGrid(options.of(*options.size), [])


def _drawn(data: Mapping[str, Any], key: str, finish: Finish[T], options: Options) -> T:
    """What `finish` makes of the drawing under a key; errors begin with the key and the row."""
    text = _in_rows(_text(data[key], key), options)
    rows = sum(not RULE.fullmatch(line.translate(PLAIN)) for _, line in content(text))
    if options.size is not None and rows and rows != options.size[0]:
        size = f" (size = {data['size']})" * ("size" in data)
        raise FormatError(f"{key} has {rows} row{'s' * (rows != 1)}, expected {options.size[0]}{size}")
    try:
        return attempt(text, finish, options)
    except FormatError as error:
        row = f", row {error.line}" if error.line else ""
        raise FormatError(f"{key}{row}: {error.message}", error.line, error.column) from None


def _in_rows(text: str, options: Options) -> str:
    """A grid that is written on one line, as lists of puzzles have it, with a line for each row; others as they are."""
    line = text.strip()
    rows, columns = options.size or (isqrt(len(line)), isqrt(len(line)))
    if rows == 1 or rows * columns != len(line) or len(line.split()) != 1 or not columns:
        return text
    return "\n".join(line[start : start + columns] for start in range(0, len(line), columns))


def _division(data: Mapping[str, Any], grid: _TomlGrid, options: Options) -> tuple[Mark, ...]:
    size, drawn = grid.size, grid.box
    if "boxes" in data and "regions" in data:
        raise FormatError("boxes and regions exclude each other")
    if "regions" in data:
        labels, rows = _drawn(
            data,
            "regions",
            lambda tokens, rows, _: ([None if t[0] == "." else t[0] for t in tokens], len(rows)),
            options,
        )
        if rows != size.rows or len(labels) != size.rows * size.columns:
            raise FormatError(f"regions has {rows} rows of {len(labels) // rows} cells, but the puzzle is {size.shape}")
        return divided(size, labels, options.box)
    named = data.get("boxes")
    if named == NO_BOXES and options.box is None:
        return ()
    if named in (None, NO_BOXES):
        return boxed(size, options, drawn)
    box = Box.parse(_text(named, "boxes"))
    for other, where in ((drawn, "the grid draws"), (options.box, "the reader was asked for")):
        if other not in (None, box):
            raise FormatError(f"boxes are {box}, but {where} boxes of {other}")
    return (Mark("boxes", value=str(box)),)


def _rules(raw: object) -> Iterator[Placed]:
    rules = {name: kind for name, kind in named().items() if kind.shape is Shape.RULE and name not in REGIONS}
    for where, entry in _numbered(raw if isinstance(raw, list) else [raw], "rules"):
        name, _, value = entry.strip().partition(" ") if isinstance(entry, str) else ("", "", "")
        if name not in rules:
            what = f"{where} has {shown(entry)}, which is not a rule of the whole board"
            raise FormatError(": ".join(filter(None, (what, near_names(str(entry), rules)))))
        where = f"{where}, {name}"
        yield Mark(rules[name].name, value=value_of(rules[name], value.strip(), where)), where


def _numbered(entries: list[Any], key: str) -> Iterator[tuple[str, Any]]:
    """Entries with what messages call each: its key, and its number if there are several."""
    for number, entry in enumerate(entries, 1):
        yield f"{key} {number}" if len(entries) > 1 else key, entry


def _entries(kind: Kind, raw: object, key: str, size: Size) -> Iterator[Placed]:
    entries = raw if isinstance(raw, list) else [raw]
    if kind.shape is Shape.MARKS and any(isinstance(entry, dict) and "kind" in entry for entry in entries):
        entries = [entries]
    for where, entry in _numbered(entries, key):
        yield from ((mark, where) for mark in _marks(kind, entry, where, size))


def _marks(kind: Kind, entry: object, where: str, size: Size) -> Iterator[Mark]:
    cells_key, lines_key = FIELDS[kind.shape]
    if isinstance(entry, str) and kind.shape is Shape.CELL:
        yield from (Mark(kind.name, (cell,), value=value_of(kind, None, where)) for cell in _cells(entry, where))
        return
    if isinstance(entry, str) and kind.shape in (Shape.CELLS, Shape.LINE):
        entry = {cells_key or lines_key: entry}
    entry = plain(kind, entry, where)
    extra = ["direction"] * (kind.shape is Shape.DIAGONAL) + ["value"] * bool(kind.value)
    extra += ["of"] * (kind.shape is Shape.MARKS) + ["name"] * (kind.name in SPELLED)
    keys = [key for key in (cells_key, lines_key, *extra) if key]
    if not isinstance(entry, dict):
        raise FormatError(f"{where} is {shown(entry)}, expected a table of {', '.join(keys)}")
    odd = next((key for key in entry if key not in (*keys, "value")), None)
    if odd is not None:
        raise FormatError(f"{where} has {odd!r}, expected {', '.join(keys)}")
    value = value_of(kind, entry.get("value"), where)
    cells = _part(entry, cells_key, where) if cells_key else ()
    inside = tuple(_inside(entry.get("of", []), where, size))
    name = _text(entry.get("name", ""), where)
    yield Mark(kind.name, cells, _lines(kind, entry, cells, where, size), value, inside, name)


def _inside(raw: object, where: str, size: Size) -> Iterator[Mark]:
    entries = raw if isinstance(raw, list) else [raw]
    known = _marked() if entries else {}
    for number, entry in enumerate(entries, 1):
        kind = entry.get("kind") if isinstance(entry, dict) else None
        if kind not in known:
            raise FormatError(f'{where}, mark {number}: expected a table with a kind, such as {{ kind = "cage", ... }}')
        yield from _marks(known[kind], {key: part for key, part in entry.items() if key != "kind"}, where, size)


def _lines(kind: Kind, entry: Mapping[str, object], cells: Cells, where: str, size: Size) -> tuple[Cells, ...]:
    key = FIELDS[kind.shape][1]
    if key is None:
        return ()
    if key in LISTS:
        lines = entry.get(key)
        if not isinstance(lines, list) or not lines:
            raise FormatError(f"{where} has no {key}, expected a list of them")
        return tuple(_cells(line, where) for line in lines)
    if kind.shape is Shape.DIAGONAL and key not in entry:
        return (diagonal(cells, entry.get("direction"), size, where),)
    if "direction" in entry:
        raise FormatError(f"{where} has a line and a direction, expected one of them")
    return (_part(entry, key, where),)


def _part(entry: Mapping[str, object], key: str, where: str) -> Cells:
    if key not in entry:
        raise FormatError(f"{where} has no {key}")
    return _cells(entry[key], where)


def _cells(raw: object, where: str) -> Cells:
    cells = cells_in(_text(raw, where), where)
    if not cells:
        raise FormatError(f"{where} has no cells")
    return cells


def _text(raw: object, where: str) -> str:
    if not isinstance(raw, str):
        raise FormatError(f"{where} is {shown(raw)}, expected a text")
    return raw


def _candidates(raw: object, puzzle: Puzzle) -> tuple[int, ...]:
    if not isinstance(raw, dict):
        raise FormatError(f"candidates is {shown(raw)}, expected a table such as {{ r1c1 = [1, 2] }}")
    size, left = puzzle.board.size, list(puzzle.candidates)
    for key, values in raw.items():
        where = f"candidates of {key}"
        numbers = [whole(value, where) for value in (values if isinstance(values, list) else [values])]
        outside = [number for number in numbers if number not in size.digits]
        if outside:
            raise FormatError(f"{where}: {outside[0]} is not one of {size.span}")
        for place in _cells(key, where):
            if not size.inside(place):
                raise FormatError(f"{where}: {label(place)} is outside the {size.shape} grid")
            cell = size.cell(place)
            given = puzzle.givens[cell]
            if given and puzzle.board.shown(given) not in numbers:
                raise FormatError(f"{where}: the given {puzzle.board.shown(given)} is not among them")
            left[cell] &= size.candidates(numbers)
    return tuple(left)


SIGN = Detection(
    fits, "a key such as size or grid", r"[a-z_]{1,20}[ \t]*=[ \t]*[\"'\d\[]|\[\[[a-z-]{1,40}\]\]", view=View.ALL
)
FORMATS = (Format("toml", "every rule by its name, to write by hand", read, write, HOLDS, SIGN),)
