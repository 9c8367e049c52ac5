"""`f-puzzles` links and `f-puzzles-json`: marks by their shape, so that a new kind needs nothing here. A key that is
neither a known rule nor known to be decoration is refused by name: a rule that is dropped would falsify every
verdict."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from satdoku.drawings import noted
from satdoku.errors import FormatError
from satdoku.formats import Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.cells import box_for
from satdoku.formats.drawn import of_fpuzzles
from satdoku.formats.fpuzzles_writer import HOLDS, NEGATIVE, TEXTS, usual_value, write_json, write_link
from satdoku.formats.links import holds, link_sign, loaded, taken, unpacked
from satdoku.formats.marks import (
    Cells,
    board,
    diagonal,
    filled,
    has_content,
    list_of,
    position,
    shown,
    stated,
    stated_solution,
    table_of,
    text_of,
    value_in,
    value_of,
    whole,
)
from satdoku.formats.regions import box_labels, divided
from satdoku.puzzle import MAX_VALUES, Mark, Puzzle, Size
from satdoku.variants import Kind, Shape, kinds
from satdoku.variants.boxes import Box

SITE = r"f-puzzles\.com"
PARITY = "parity"
# Cells of a line below which it means nothing to the site
MIN_CELLS = {"doublearrow": 3, "entropicline": 3, "modularline": 3}
PLAIN_KEYS = {"size", "grid", "negative", PARITY}
IGNORED = {"successMessage", "msgcorrect", "disabledlogic", "truecandidatesoptions", "metadata", "customstyle"}
FOG = {"fogofwar", "foglight", "foglink", "triggereffect"}  # how a puzzle is played, which changes no solution
# Drawings, which no constraint stands for, unless they show one that is stated elsewhere
DRAWN = ("line", "text", "circle", "rectangle", "cage")
ENTRY_KEYS = {"cell", "cells", "lines", "cloneCells", "direction"}
ENTRY_DECORATION = {
    *("outlineC", "baseC", "fontC", "textC", "c", "color", "highlight", "size", "fontSize", "width", "height", "angle"),
    *("opacity", "shape", "text", "label", "fromConstraint", "isNewConstraint", "isLLConstraint"),
}
MAX_NAMED = 5  # parts of a file that a note about what is not read names
LABEL = re.compile(r"DR([1-9])|FOW|FOGLIGHT|(?:title|author|rules|msgcorrect|source): .*", re.IGNORECASE | re.DOTALL)
COPIES = ("fromConstraint", "isNewConstraint")
CELL_KEYS = frozenset({"value", "given", "region", "centerPencilMarks", "givenPencilMarks", PARITY})
CELL_KEYS |= {"cornerPencilMarks", "c", "cArray", "highlight", "color", "colors"}
LINK = "a link of f-puzzles.com that holds the puzzle"
LINK_SIGN = link_sign(holds(SITE, "load", "id"), "an address of f-puzzles.com with ?load=")
JSON_SIGN = Detection(
    lambda text: text.lstrip().startswith("{"), "an object of JSON", confidence=Confidence.POSSIBLE, view=View.ALL
)


def read_link(text: str, options: Options) -> Reading:
    """A link; raises FormatError for what is not one, and by name for a rule not understood."""
    if JSON_SIGN.fits(text):
        return read_json(text, options)
    packed = taken(text, SITE, "load", alone=True)
    if packed is None and taken(text, SITE, "id") is None:
        raise FormatError("expected a link of f-puzzles.com with ?load=, or the JSON that it holds")
    if packed is None:
        raise FormatError(
            "an ?id= link names a puzzle that only its site knows: expected ?load= with the puzzle itself, which the"
            " site gives by Export, Long link"
        )
    return read_data(loaded(unpacked(packed), placed=False), options)


def read_json(text: str, options: Options) -> Reading:
    return replace(read_data(loaded(text), options), format="f-puzzles")


def read_data(data: object, options: Options) -> Reading:
    if not isinstance(data, dict):
        raise FormatError(f"{shown(data)} instead of a puzzle: expected an object with size and grid")
    reading = _puzzle(data, options)
    cells = [cell or {} for row in data["grid"] for cell in row]
    entered = [cell.get("value") for cell in cells if not cell.get("given")]
    full = entered if len(entered) == reading.puzzle.board.cells and all(map(has_content, entered)) else None
    solution, note = stated_solution(data.get("solution") or full, reading.puzzle.board)
    texts = {name: text_of(data.get(key)) for key, name in TEXTS.items()}
    drawings, others = of_fpuzzles(_drawings(data))
    return stated(reading.noted(note), texts, noted(drawings, others), solution, drawings)


def _drawings(data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the file shows that no constraint stands for, each with its key."""
    for key in DRAWN:
        for entry in list_of(data.get(key), key):
            if not _is_known(key, entry):
                yield key, entry if isinstance(entry, dict) else {}


def _is_known(key: str, entry: object) -> bool:
    """Whether it shows a constraint stated elsewhere, or is a cage whose label is read, a fact or where fog is."""
    if not isinstance(entry, dict):
        return False
    label = text_of(entry.get("value")).strip() if key == "cage" else ""
    return any(has_content(entry.get(copy)) for copy in COPIES) or LABEL.fullmatch(label) is not None


def _roots(data: Mapping[str, Any], size: Size) -> Iterator[Mark]:
    kind = kinds()["digital-root"]
    for number, raw in enumerate(list_of(data.get("cage"), "cage"), 1):
        match = LABEL.fullmatch(text_of(raw.get("value")).strip()) if isinstance(raw, dict) else None
        if match and match[1]:
            yield from _marks(kind, raw | {"value": match[1]}, f"cage {number}", size)


def _puzzle(data: dict[str, Any], options: Options) -> Reading:
    if not has_content(data.get("grid")):
        what = "the grid is empty" if "grid" in data else "no grid"
        raise FormatError(f"{what} in this object of JSON: expected one of f-puzzles, with size and grid")
    rows = list_of(data.get("grid"), "grid")
    size = whole(data.get("size", len(rows)), "size")
    if not 4 <= size <= MAX_VALUES:
        raise FormatError(f"size is {size}, expected 4 to {MAX_VALUES}")
    if len(rows) != size:
        raise FormatError(f"the grid has {len(rows)} rows, expected {size} rows of {size}")
    for number, row in enumerate(rows, 1):
        if len(list_of(row, f"row {number}")) != size:
            raise FormatError(f"row {number} has {len(row)} cells, expected {size} rows of {size}")
    cells = [table_of(cell, f"r{r}c{c}") for r, row in enumerate(rows, 1) for c, cell in enumerate(row, 1)]
    shape = options.of(size, size)
    marks = [*_division(cells, shape, options), *_rules(data)]
    left_out: list[str] = []
    understood = {*PLAIN_KEYS, *TEXTS, "solution", *IGNORED, *FOG, *DRAWN, *site_rules()}
    known = {kind.fpuzzles: kind for kind in kinds().values() if kind.fpuzzles and kind.shape is not Shape.RULE}
    for key, raw in data.items():
        if key in known:
            for number, raw_entry in enumerate(list_of(raw, key), 1):
                entry, where = table_of(raw_entry, f"{key} {number}"), f"{key} {number}"
                drawn = list(_marks(known[key], entry, where, shape))
                marks += drawn
                left_out += _unread(known[key], entry, where, bool(drawn))
        elif has_content(raw) and key not in understood and not key.startswith("highlight"):
            raise FormatError(f"the rule {key[:40]!r} is not understood, and leaving it out would change the puzzle")
    marks += [*_roots(data, shape), *_parity(data, cells, size)]
    reading = _given(Puzzle.from_givens(board(shape, marks), {}), cells, options)
    left_out += [key for key in data if key in IGNORED and has_content(data[key])]
    some = ", ".join(name[:60] for name in left_out[:MAX_NAMED])
    more = f" and {len(left_out) - MAX_NAMED} more" * (len(left_out) > MAX_NAMED)
    return reading.noted(f"not read: {some}{more}" if left_out else "")


def _unread(kind: Kind, entry: Mapping[str, Any], where: str, drawn: bool) -> Iterator[str]:
    if not drawn:
        if any(map(has_content, entry.values())):
            yield f"{where}, which means nothing to the site"
        return
    used = ENTRY_KEYS | ENTRY_DECORATION | ({"value", "values"} if kind.value else set())
    yield from (f"{key} of {where}" for key, raw in entry.items() if key not in used and has_content(raw))


def _division(cells: list[dict[str, Any]], size: Size, options: Options) -> tuple[Mark, ...]:
    """Each cell's own region, no region where it says null, where it names none the usual box; without boxes a row."""
    if options.boxless:
        return ()
    usual = [cell // size.columns for cell in range(len(cells))]
    box = options.box or Box.of_size(size)
    if box is not None and not all("region" in cell for cell in cells):
        box_for(size, options)
        usual = box_labels(box, size)
    stated = [cell.get("region", usual[index]) for index, cell in enumerate(cells)]
    labels = [None if raw is None else whole(raw, f"the region of cell {cell}") for cell, raw in enumerate(stated, 1)]
    return divided(size, labels, options.box)


def _rules(data: Mapping[str, Any]) -> Iterator[Mark]:
    """Rules of the whole board: booleans, and names in the list of negative ones."""
    negative = [f"{NEGATIVE}{word}" for word in list_of(data.get("negative"), "negative") if word not in (*FOG,)]
    rules = site_rules()
    for name in negative:
        if name not in rules:
            raise FormatError(f"the rule {name[:40]!r} is not understood")
    for key, kind in rules.items():
        if key in negative:
            yield Mark(kind.name)
        elif not key.startswith(NEGATIVE) and has_content(data.get(key)):
            if data[key] is not True:
                raise FormatError(f"{key} is {shown(data[key])}, expected true or false")
            yield Mark(kind.name)


def site_rules() -> dict[str, Kind]:
    """The rules of the whole board by their names on the site."""
    return {kind.fpuzzles: kind for kind in kinds().values() if kind.shape is Shape.RULE and kind.fpuzzles}


def _marks(kind: Kind, raw: Mapping[str, Any], where: str, size: Size) -> Iterator[Mark]:
    """The marks of one entry; an entry that names no cells, or a clue without a value, says nothing."""
    # Clues name the cells that they see besides; their own place is what counts.
    cells = _one(raw.get("cell"), where) or _cells(raw.get("cells"), where)
    lines = [line for part in list_of(raw.get("lines"), f"{where}, lines") if (line := _cells(part, f"{where}, lines"))]
    stated = raw.get("value", raw.get("values"))
    clue = kind.shape in (Shape.CLUE, Shape.DIAGONAL) or kind.fpuzzles == "xv"
    if not (cells or lines) or (clue and not (cells and has_content(stated))):
        return
    value = value_of(kind, stated if kind.value else None, where)
    value = usual_value(kind, size.rows) if value is None else value
    if kind.shape is Shape.LINE:
        shortest = MIN_CELLS.get(str(kind.fpuzzles), 1)
        yield from (Mark(kind.name, (), (line,), value) for line in lines if len(line) >= shortest)
        return
    if kind.shape is Shape.DIAGONAL and value == 0:
        return  # which the site takes for a clue that is not filled in
    drawn = _lines(kind, raw, cells, lines, where, size)
    if kind.shape is Shape.ARROW and not drawn:
        return  # a circle without a shaft is decoration
    if not cells:
        raise FormatError(f"{where} names no cells")
    yield Mark(kind.name, cells, drawn, value)


def _lines(
    kind: Kind, raw: Mapping[str, Any], cells: Cells, lines: list[Cells], where: str, size: Size
) -> tuple[Cells, ...]:
    if kind.shape is Shape.ARROW:
        # The site's lines begin in the bulb.
        shafts = (line[1:] if line[0] in cells else line for line in lines)
        return tuple(shaft for shaft in shafts if shaft)
    if kind.shape is Shape.CLONE:
        copy = _cells(raw.get("cloneCells"), f"{where}, cloneCells")
        if len(copy) != len(cells):
            raise FormatError(f"{where} has {len(cells)} cells, but {len(copy)} in its copy")
        return (copy,)
    return (diagonal(cells, raw.get("direction"), size, where),) if kind.shape is Shape.DIAGONAL else ()


def _parity(data: Mapping[str, Any], cells: list[dict[str, Any]], size: int) -> Iterator[Mark]:
    stated = [(divmod(i, size), cell[PARITY]) for i, cell in enumerate(cells) if has_content(cell.get(PARITY))]
    parities = [((row + 1, column + 1), word) for (row, column), word in stated]
    for number, raw in enumerate(list_of(data.get(PARITY), PARITY), 1):
        entry = table_of(raw, f"{PARITY} {number}")
        parities += [(cell, entry.get("value")) for cell in _one(entry.get("cell"), f"{PARITY} {number}")]
    for cell, word in parities:
        name = word.lower() if isinstance(word, str) else ""
        if name not in ("odd", "even"):
            raise FormatError(f"a parity of {shown(word)}, expected Odd or Even")
        yield Mark(name, (cell,))


def _given(puzzle: Puzzle, cells: list[dict[str, Any]], options: Options) -> Reading:
    # A given hides the marks of its cell, which may be those of before it was entered.
    candidates = tuple(
        allowed & _candidates(cell["givenPencilMarks"], puzzle, puzzle.board.label(index))
        if "givenPencilMarks" in cell and not (cell.get("given") is True and has_content(cell.get("value")))
        else allowed
        for index, (allowed, cell) in enumerate(zip(puzzle.candidates, cells, strict=True))
    )

    def pencilled(cell: Mapping[str, object], where: str) -> int | None:
        raw = cell.get("centerPencilMarks")
        return _candidates(raw, puzzle, where) if has_content(raw) else None

    return filled(replace(puzzle, candidates=candidates), cells, CELL_KEYS, options, pencilled, "given")


def _candidates(raw: object, puzzle: Puzzle, where: str) -> int:
    size = puzzle.board.size
    if not has_content(raw):
        return puzzle.board.every_value
    return size.candidates(value_in(size, part, where) for part in list_of(raw, f"the candidates of {where}"))


def _cells(raw: object, where: str) -> Cells:
    return tuple(cell for part in list_of(raw, where) for cell in _one(part, where))


def _one(raw: object, where: str) -> Cells:
    if not has_content(raw):
        return ()
    cell = position(raw) if isinstance(raw, str) else None
    if cell is None:
        raise FormatError(f"{where} names the cell {shown(raw)}, expected a name such as R1C1")
    return (cell,)


FORMATS = (
    Format("f-puzzles", LINK, read_link, write_link, HOLDS, LINK_SIGN, one_line=True),
    Format("f-puzzles-json", "the JSON of such a link", read_json, write_json, HOLDS, JSON_SIGN),
)
