"""`ipuz`: the JSON of ipuz (http://www.ipuz.org, version 2) with a puzzle of the kind sudoku, or of one of its kinds
whose rules are documented: cells of cages are `[column, row]`, counted from 0."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from html import escape, unescape
from itertools import product
from string import ascii_uppercase, digits
from typing import Any

from satdoku.constraints import Grid
from satdoku.errors import FormatError, Refused
from satdoku.formats import METADATA, Capabilities, Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.cages import DIAGONALS, has_diagonals
from satdoku.formats.cells import boxed
from satdoku.formats.links import loaded
from satdoku.formats.marks import (
    board,
    has_content,
    list_of,
    shown,
    stated,
    table_of,
    text_of,
    understood,
    value_in,
    whole,
    with_entered,
)
from satdoku.puzzle import MAX_VALUES, Board, Mark, Puzzle, Size
from satdoku.words import plural

BASE = "http://ipuz.org/sudoku"
VERSION = "http://ipuz.org/v2"
KIND = re.compile(r"https?://(?:www\.)?ipuz\.org/sudoku(?:/([a-z]{1,40}))?(?:#\d{1,3})?")
# The rules of the whole board that the kinds have besides
KINDS = {
    "": (),
    "wordoku": (),
    "latinsquare": (),
    "diagonalsudoku": DIAGONALS,
    "hypersudoku": ("windoku",),
    "killersudoku": (),
}
TEXTS = {"title": "title", "author": "author", "intro": "rules"}  # the fields of texts, and where a puzzle has them
CHARSET = digits[1:] + ascii_uppercase
EMPTY = 0
READ = {"version", "kind", "charset", "empty", "boxes", "cages", "puzzle", "solution", "saved", *TEXTS}
UNREAD = {  # which say nothing of the solutions
    *("copyright", "publisher", "publication", "url", "uniqueid", "explanation", "annotation", "editor", "date"),
    *("notes", "difficulty", "origin", "block", "styles", "checksum", "volatile", "displaycharset"),
    *("showoperators", "cageborder"),
}
SIGNS = {"lessthan", "greaterthan", "equal"}  # styles of cells that are rules
ReadValue = Callable[[object, str], int]
HOLDS = Capabilities(
    marks=frozenset({"boxes", "cage", "windoku", *DIAGONALS}),
    sizes=(4, len(CHARSET)),
    shapes=frozenset({"box"}),
    metadata=frozenset(METADATA),
)


def fits(text: str) -> bool:
    return text.lstrip().startswith("{") and re.search(r'"https?:\\?/\\?/(www\.)?ipuz\.org', text) is not None


def read(text: str, options: Options) -> Reading:
    data = table_of(loaded(text), "the text")
    kinds = [*_kinds(data)]
    others = [name for name in data if (name in UNREAD or "." in name) and has_content(data[name])]
    understood({name: raw for name, raw in data.items() if name not in others}, READ | UNREAD)
    rows = [list_of(row, f"row {number}") for number, row in enumerate(list_of(data.get("puzzle"), "puzzle"), 1)]
    if not 1 <= len(rows) <= MAX_VALUES or any(len(row) != len(rows) for row in rows):
        raise FormatError(f"puzzle has {plural(len(rows), 'row')}: expected N rows of N cells, N up to {MAX_VALUES}")
    size = options.of(len(rows), len(rows))
    built = board(size, [*_division(data, kinds, size, options), *_rules(kinds), *_cages(data, kinds, size)])
    value, styled = _values(data, size), 0
    givens: dict[int, int] = {}
    for cell, raw in enumerate(raw for row in rows for raw in row):
        where = built.label(cell)
        if isinstance(raw, dict):
            understood(raw, {"given", "style"}, where)
            styled += _is_styled(raw.get("style"), where)
            raw = raw.get("given", EMPTY)
        if given := value(raw, where):
            givens[cell] = given
    puzzle = Puzzle.from_givens(built, givens)
    entered = _grid(data, "saved", built, value) or ()
    reading = with_entered(puzzle, {c: v for c, v in enumerate(entered) if v and c not in givens}, options)
    solution = _grid(data, "solution", built, value)
    texts = {name: unescape(text_of(data.get(field))) for field, name in TEXTS.items()}
    drawn = (f"the style of {plural(styled, 'cell')}",) if styled else ()
    whole_grid = solution if solution is not None and 0 not in solution else None
    note = f"not read: {', '.join(name[:40] for name in others[:5])}" if others else ""
    return stated(reading.noted(note), texts, drawn, whole_grid)


def _kinds(data: Mapping[str, Any]) -> Iterator[str]:
    """The kinds of the puzzle, "" for a plain Sudoku."""
    stated = list_of(data.get("kind"), "kind")
    if not stated:
        raise FormatError(f"no kind in this object of JSON: expected {BASE}")
    for raw in stated:
        match = KIND.fullmatch(raw) if isinstance(raw, str) else None
        if match is None or (match[1] or "") not in KINDS:
            known = ", ".join(filter(None, KINDS))
            raise FormatError(f"a puzzle of the kind {text_of(raw)[:60]!r}: expected {BASE}, also with /{known}")
        yield match[1] or ""


def _division(data: Mapping[str, Any], kinds: list[str], size: Size, options: Options) -> tuple[Mark, ...]:
    boxes = data.get("boxes")
    if boxes not in (None, False, True) or (boxes and "latinsquare" in kinds):
        raise FormatError(f"boxes is {shown(boxes)}: expected true or false, and not true of a latinsquare")
    if boxes is False or "latinsquare" in kinds:
        if options.box is not None:
            raise FormatError("the puzzle has no boxes: leave out the box")
        return ()
    return boxed(size, options)


def _rules(kinds: list[str]) -> Iterator[Mark]:
    return (Mark(rule) for rule in dict.fromkeys(rule for kind in kinds for rule in KINDS[kind]))


def _cages(data: Mapping[str, Any], kinds: list[str], size: Size) -> Iterator[Mark]:
    cages = list_of(data.get("cages"), "cages")
    if cages and "killersudoku" not in kinds:
        raise FormatError("cages in a puzzle that is not a killersudoku, whose meaning is not known here")
    if cages and text_of(data.get("charset")) not in ("", CHARSET[: size.rows]):
        raise FormatError(f"sums of cages over the characters {data['charset'][:40]!r}: expected 1 to {size.rows}")
    for number, raw in enumerate(cages, 1):
        where = f"cage {number}"
        cage = table_of(raw, where)
        understood(cage, {"cells", "rect", "value", "operator", "style"}, where)
        if cage.get("operator") not in (None, "", "+"):
            raise FormatError(f"{where} has the operator {shown(cage['operator'])}: expected +, the sum")
        places = [_pair(pair, f"{where}, cells", 2) for pair in list_of(cage.get("cells"), f"{where}, cells")]
        if has_content(cage.get("rect")):
            left, top, right, bottom = _pair(cage["rect"], f"{where}, rect", 4)
            if max(right, bottom) >= size.rows:
                raise FormatError(f"{where} has a rect that leaves the grid")
            places += [[column, row] for row, column in product(range(top, bottom + 1), range(left, right + 1))]
        if not places:
            raise FormatError(f"{where} names no cells")
        total = None if cage.get("value") is None else whole(cage["value"], f"{where}, value")
        yield Mark("cage", tuple((row + 1, column + 1) for column, row in places), value=total)


def _pair(raw: object, where: str, many: int) -> list[int]:
    numbers = [whole(one, where) for one in list_of(raw, where)]
    if len(numbers) != many or min(numbers) < 0:
        raise FormatError(f"{where} is a list of {len(numbers)}: expected {many} numbers, 0 or more")
    return numbers


def _values(data: Mapping[str, Any], size: Size) -> ReadValue:
    """What reads the value of a cell as one of 1..N, 0 where it is empty."""
    empty, charset = str(data.get("empty", EMPTY)), text_of(data.get("charset"))
    if charset and (len(set(charset)) != len(charset) or len(charset) != size.rows or empty in charset):
        raise FormatError(f"charset is {charset[:40]!r}: expected {size.rows} different characters, not that of empty")

    def value(raw: object, where: str) -> int:
        if not isinstance(raw, int | str) or isinstance(raw, bool):
            raise FormatError(f"{where} is {'null' if raw is None else shown(raw)}: expected a number or a text")
        if str(raw) == empty:
            return 0
        if not charset:
            return size.inner(value_in(size, raw, where))
        if len(str(raw)) != 1 or str(raw) not in charset:
            raise FormatError(f"{where} is {shown(raw)}: expected one of {charset[:40]}")
        return charset.index(str(raw)) + 1

    return value


def _is_styled(raw: object, where: str) -> bool:
    signs = SIGNS & raw.keys() if isinstance(raw, dict) else set()
    if signs:
        raise FormatError(
            f"{where} has the style {min(signs)!r}, a rule that is not read, and leaving it out would lie"
        )
    return has_content(raw)


def _grid(data: Mapping[str, Any], field: str, built: Board, value: ReadValue) -> Grid | None:
    """The values of a field with rows of cells, 0 where it says none."""
    rows = [list_of(row, field) for row in list_of(data.get(field), field)]
    cells = [cell.get("value") if isinstance(cell, dict) else cell for row in rows for cell in row]
    if not cells:
        return None
    if len(cells) != built.cells:
        raise FormatError(f"{field} has {plural(len(cells), 'cell')}, expected {built.cells}")
    return tuple(0 if cell is None else value(cell, f"{field}, {built.label(n)}") for n, cell in enumerate(cells))


def write(puzzle: Puzzle) -> str:
    size, marks = puzzle.board.size, puzzle.board.marks
    if not size.square:
        raise Refused("the ipuz format holds boards of NxN cells with the values 1..N, and this is another")
    boxes = any(mark.kind == "boxes" for mark in marks)
    cages = [mark for mark in marks if mark.kind == "cage"]
    windoku = any(mark.kind == "windoku" for mark in marks)
    special = {
        "latinsquare": not boxes,
        "diagonalsudoku": has_diagonals(puzzle.board, "ipuz"),
        "hypersudoku": windoku,
        "killersudoku": bool(cages),
    }
    data: dict[str, Any] = {"version": VERSION}
    data["kind"] = [f"{BASE}#1", *(f"{BASE}/{name}#1" for name, is_so in special.items() if is_so)]
    data |= {field: escape(text, quote=False) for field, name in TEXTS.items() if (text := getattr(puzzle, name))}
    data |= {"charset": CHARSET[: size.rows], "boxes": boxes, "puzzle": _rows(puzzle.givens, size)}
    if puzzle.solution is not None:
        data["solution"] = _rows(puzzle.solution, size)
    if cages:
        data["cages"] = [_cage(mark) for mark in cages]
    return json.dumps(data)


def _rows(values: Grid, size: Size) -> list[list[int | str]]:
    cells = [value if value <= 9 else CHARSET[value - 1] for value in values]
    return [cells[start : start + size.columns] for start in range(0, len(cells), size.columns)]


def _cage(mark: Mark) -> dict[str, Any]:
    cage: dict[str, Any] = {"cells": [[column - 1, row - 1] for row, column in mark.cells]}
    return cage if mark.value is None else cage | {"value": mark.value, "operator": "+"}


SIGN = Detection(fits, "an object of JSON with a kind of ipuz.org", confidence=Confidence.CERTAIN, view=View.ALL)
FORMATS = (Format("ipuz", "the JSON of ipuz, of the kind sudoku", read, write, HOLDS, SIGN),)
