"""`lisudoku`: links of lisudoku.xyz, `?import=` and N*N digits, or JSON in LZ-string data: constraints by their names,
and cells as `{"row": 0, "col": 0}`. Names are written `gridSize`, or `grid_size`. The form is that of the package
sudoku-formats of the same authors, the meaning that of their solver."""

import json
import re
from collections.abc import Iterator, Mapping
from math import isqrt
from typing import Any
from urllib.parse import quote

from satdoku.errors import FormatError, Refused
from satdoku.formats import Capabilities, Format, Options, Reading
from satdoku.formats.cells import boxed, boxed_board
from satdoku.formats.fpuzzles_writer import compress
from satdoku.formats.links import holds, link_sign, loaded, taken, unpacked
from satdoku.formats.marks import Cells, board, list_of, shown, table_of, understood, value_in, whole
from satdoku.formats.regions import divided, labels_of
from satdoku.puzzle import Mark, Position, Puzzle, Size
from satdoku.variants import REGIONS
from satdoku.variants.boxes import Box, box_of

ADDRESS = "https://lisudoku.xyz/solver?import="
HOST = r"lisudoku\.xyz"
SIZES = (4, 6, 9)
DIGITS = re.compile(r"[0-9]{16}|[0-9]{36}|[0-9]{81}")
# The kinds of marks by the names of the site: rules of the whole board, lists of lines, of groups and of cells
RULES = {
    "primaryDiagonal": "diagonal-",
    "secondaryDiagonal": "diagonal+",
    "antiKnight": "anti-knight",
    "antiKing": "anti-king",
}
LINES = {"thermos": "thermometer", "renbans": "renban"}
GROUPS = {"extraRegions": "extra-region"}
PARITIES = {"oddCells": "odd", "evenCells": "even"}
DOTS = {"Consecutive": ("difference", 1), "Double": ("ratio", 2)}
NEGATIVE = (Mark("negative-difference", value="1"), Mark("negative-ratio"))  # every dot is drawn
OTHERS = ("gridSize", "fixedNumbers", "regions", "arrows", "killerCages", "kropkiDots", "kropkiNegative")
KEYS = {name.lower(): name for name in (*RULES, *LINES, *GROUPS, *PARITIES, *OTHERS)}
HOLDS = Capabilities(marks=None, sizes=(min(SIZES), max(SIZES)), any_box=True)


def read(text: str, options: Options) -> Reading:
    packed = taken(text, HOST, "import", alone=True)
    if packed is None:
        raise FormatError(f"expected a link such as {ADDRESS} and the puzzle itself")
    if DIGITS.fullmatch(packed):
        size = options.of(isqrt(len(packed)), isqrt(len(packed)))
        empty = boxed_board(size, options)
        givens = [value_in(size, digit, "a cell") if digit != "0" else 0 for digit in packed]
        return Reading(Puzzle.from_givens(empty, [size.inner(value) if value else 0 for value in givens]))
    return _puzzle(_table(loaded(unpacked(packed), placed=False), "the data"), options)


def _table(raw: object, where: str) -> dict[str, Any]:
    """An object, its keys in lower case and without `_`."""
    table = table_of(raw, where)
    plain = {key.replace("_", "").lower(): value for key, value in table.items()}
    if len(plain) < len(table):
        raise FormatError(f"{where} has a key in two spellings")
    return plain


def _puzzle(data: dict[str, Any], options: Options) -> Reading:
    number = whole(data.get("gridsize"), "gridSize")
    if number not in SIZES:
        raise FormatError(f"gridSize is {number}, expected {', '.join(map(str, SIZES))}")
    understood(data, {*KEYS})
    size = options.of(number, number)
    stated = {name: data[key] for key, name in KEYS.items() if key in data}
    built = board(size, [*_division(stated, size, options), *_marks(stated, size)])
    givens: dict[int, int] = {}
    for where, raw in _entries(stated, "fixedNumbers"):
        entry = _table(raw, where)
        understood(entry, {"position", "value"}, where)
        cell = size.cell(_cell(entry.get("position"), where, size))
        value = size.inner(value_in(size, entry.get("value"), where))
        if givens.setdefault(cell, value) != value:
            raise FormatError(f"{built.label(cell)} has two numbers")
    return Reading(Puzzle.from_givens(built, givens))


def _entries(data: Mapping[str, Any], name: str) -> Iterator[tuple[str, object]]:
    return ((f"{name} {number}", raw) for number, raw in enumerate(list_of(data.get(name), name), 1))


def _cell(raw: object, where: str, size: Size) -> Position:
    table = _table(raw, where)
    understood(table, {"row", "col"}, where)
    place = (whole(table.get("row"), f"{where}, row") + 1, whole(table.get("col"), f"{where}, col") + 1)
    if not size.inside(place):
        raise FormatError(
            f"{where} has the row {place[0] - 1} and the col {place[1] - 1}: expected 0 to {size.rows - 1}"
        )
    return place


def _cells(raw: object, where: str, size: Size) -> Cells:
    cells = tuple(_cell(one, where, size) for one in list_of(raw, where))
    if not cells:
        raise FormatError(f"{where} names no cells")
    return cells


def _division(data: Mapping[str, Any], size: Size, options: Options) -> tuple[Mark, ...]:
    labels: list[int | None] = [None] * (size.rows * size.columns)
    for number, (where, raw) in enumerate(_entries(data, "regions"), 1):
        for cell in map(size.cell, _cells(raw, where, size)):
            if labels[cell] is not None:
                raise FormatError(f"regions {labels[cell]} and {number} share a cell")
            labels[cell] = number
    if any(labels):
        return divided(size, labels, options.box)
    return boxed(size, options)


def _marks(data: Mapping[str, Any], size: Size) -> Iterator[Mark]:
    for name in (*RULES, "kropkiNegative"):
        if data.get(name) not in (None, False, True):
            raise FormatError(f"{name} is {shown(data[name])}, expected true or false")
        if data.get(name):
            yield from (Mark(RULES[name]),) if name in RULES else NEGATIVE
    for name, kind in (LINES | GROUPS).items():
        for where, raw in _entries(data, name):
            cells = _cells(raw, where, size)
            yield Mark(kind, (), (cells,)) if name in LINES else Mark(kind, cells)
    for name, kind in PARITIES.items():
        yield from (Mark(kind, (_cell(raw, where, size),)) for where, raw in _entries(data, name))
    yield from _drawn(data, size)


def _drawn(data: Mapping[str, Any], size: Size) -> Iterator[Mark]:
    """The marks that are objects: arrows, cages, dots."""
    for where, raw in _entries(data, "arrows"):
        arrow = _table(raw, where)
        understood(arrow, {"circlecells", "arrowcells"}, where)
        circle, shaft = (_cells(arrow.get(key), where, size) for key in ("circlecells", "arrowcells"))
        yield Mark("arrow", circle, (shaft,))
    for where, raw in _entries(data, "killerCages"):
        cage = _table(raw, where)
        understood(cage, {"sum", "region"}, where)
        total = None if cage.get("sum") is None else whole(cage["sum"], f"{where}, sum")
        yield Mark("cage", _cells(cage.get("region"), where, size), value=total)
    for where, raw in _entries(data, "kropkiDots"):
        dot = _table(raw, where)
        understood(dot, {"dottype", "cell1", "cell2"}, where)
        if dot.get("dottype") not in DOTS:
            raise FormatError(f"{where} has the type {shown(dot.get('dottype'))}, expected {' or '.join(DOTS)}")
        kind, value = DOTS[dot["dottype"]]
        yield Mark(kind, (_cell(dot.get("cell1"), where, size), _cell(dot.get("cell2"), where, size)), value=value)


def write(puzzle: Puzzle) -> str:
    size, marks = puzzle.board.values, [mark for mark in puzzle.board.marks if mark.kind not in REGIONS]
    labels = labels_of(puzzle.board, "lisudoku")
    if size not in SIZES or None in labels:
        raise Refused(f"the lisudoku format holds boards of {', '.join(map(str, SIZES))} rows, each cell in a region")
    usual = box_of(puzzle.board) == Box.of_size(size)
    if usual and not marks:
        return ADDRESS + "".join(map(str, puzzle.givens))
    place = puzzle.board.size.position
    given = [(cell, value) for cell, value in enumerate(puzzle.givens) if value]
    data: dict[str, Any] = {"gridSize": size}
    data["fixedNumbers"] = [{"position": _named(place(cell)), "value": value} for cell, value in given]
    if not usual:
        cells = [[cell for cell, other in enumerate(labels) if other == label] for label in dict.fromkeys(labels)]
        data["regions"] = [[_named(place(cell)) for cell in region] for region in cells]
    if all(negative in marks for negative in NEGATIVE):
        data["kropkiNegative"] = True
        marks = [mark for mark in marks if mark not in NEGATIVE]
    for mark in marks:
        _add(data, mark)
    return ADDRESS + quote(compress(json.dumps(data, separators=(",", ":"))), safe="")


def _named(place: Position) -> dict[str, int]:
    return {"row": place[0] - 1, "col": place[1] - 1}


def _add(data: dict[str, Any], mark: Mark) -> None:
    cells, lines = [*map(_named, mark.cells)], [[*map(_named, line)] for line in mark.lines]
    name = next((name for name, kind in (RULES | LINES | GROUPS | PARITIES).items() if kind == mark.kind), "")
    dot = next((word for word, (kind, usual) in DOTS.items() if (kind, usual) == (mark.kind, mark.value or usual)), "")
    if name in RULES:
        data[name] = True
    elif name:
        data.setdefault(name, []).extend(lines if name in LINES else [cells] if name in GROUPS else cells)
    elif mark.kind == "arrow":
        data.setdefault("arrows", []).extend({"circleCells": cells, "arrowCells": line} for line in lines)
    elif mark.kind == "cage":
        data.setdefault("killerCages", []).append({"sum": mark.value, "region": cells})
    elif dot and len(cells) == 2:
        data.setdefault("kropkiDots", []).append({"dotType": dot, "cell1": cells[0], "cell2": cells[1]})
    else:
        value = "" if mark.value is None else f" with the value {mark.value}"
        raise Refused(f"the lisudoku format cannot hold the rule {mark.kind!r}{value}")


SIGN = link_sign(holds(HOST, "import"), "an address of lisudoku.xyz with import=")
FORMATS = (Format("lisudoku", "a link of lisudoku.xyz", read, write, HOLDS, SIGN, one_line=True),)
