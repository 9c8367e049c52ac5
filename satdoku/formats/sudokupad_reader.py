"""Puzzles from data of SudokuPad."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from satdoku.drawings import noted
from satdoku.errors import FormatError
from satdoku.formats import Options, Reading, fpuzzles
from satdoku.formats.cages import DIAGONALS
from satdoku.formats.drawn import drawn_cage, of_sudokupad
from satdoku.formats.links import loaded
from satdoku.formats.marks import (
    Cells,
    board,
    filled,
    has_content,
    list_of,
    oneline,
    refuse_drawings,
    stated,
    stated_solution,
    table_of,
    text_of,
    understood,
    whole,
)
from satdoku.formats.regions import divided
from satdoku.formats.sudokupad_boards import boards_of, house_cells
from satdoku.limits import MAX_PLAIN
from satdoku.puzzle import MAX_VALUES, Mark, Position, Puzzle, Size
from satdoku.variants import label
from satdoku.variants.placed import PlacedBoard, around
from satdoku.words import counted

NAMES = {"ce": "cells", "re": "regions", "ca": "cages", "v": "value", "l": "lines", "a": "arrows", "u": "underlays"}
NAMES |= {"o": "overlays", "ct": "center", "t": "title", "cs": "cellSize", "d": "duration", "vd": "videos"}
"""What links shorten names to."""

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s"\[\]{},:]+')
WORDS = {"t": "true", "f": "false", "true": "true", "false": "false", "null": "null"}
NUMBER = re.compile(r"-?(0|[1-9]\d{0,20})(\.\d{1,30})?([eE][-+]?\d{1,3})?")
STATEMENT = re.compile(r"\s*([^: ]{1,40}):\s*(.+)", re.DOTALL)
DRAWN = ("lines", "arrows", "underlays", "overlays")
# Keys that change nothing of what the solutions are
SILENT = {"id", "cellSize", "settings", "videos", "duration", "foglight", "foglink", "triggereffect", "version"}
RULES = {"diagonal+": "diagonal+", "diagonal-": "diagonal-", "windoku": "windoku"}
DATA_KEYS = {*DRAWN, *SILENT, *RULES, "cells", "regions", "cages", "metadata", "metaData", "global", "sudokuX"}
FLAGS = ("antiknight", "antiking")  # rules that the metadata state
CENTRE_MARKS = "centremarks"
CELL_KEYS = frozenset({"value", "given", CENTRE_MARKS, "pencilMarks", "cornermarks", "candidates"})
CELL_KEYS |= {"color", "colors", "c"}
DISTINCT = frozenset({"extraregion", "disjoint", "rowcol", "region"})


def is_json(text: str) -> bool:
    head = text.lstrip()
    return head.startswith("{") and re.search(r"[{,]\s*[\"']?(ce|cells)[\"']?\s*:\s*\[\s*\[", head) is not None


def unzipped(text: str) -> Any:
    """The data of a text that is JSON, or JSON without quotes and with short names; raises FormatError."""
    if len(text) > MAX_PLAIN:
        raise FormatError(f"over {MAX_PLAIN} characters of a SudokuPad puzzle: no puzzle has so many")
    if text.lstrip().startswith('{"'):
        return loaded(text, placed=False)
    if '"' not in text:
        text = re.sub(r"(?<!\\)'", '"', text).replace("\\'", "'")
    return _renamed(loaded("".join(_quoted(TOKEN.findall(text))), placed=False))


def _quoted(tokens: list[str]) -> Iterator[str]:
    before = ""
    for token, after in zip(tokens, [*tokens[1:], ""], strict=True):
        if token in (",", "]") and before in ("[", ",") and before + token != "[]":
            yield "{}"
        if token[0] in '"[]{},:':
            yield token
        elif after != ":" and (token in WORDS or NUMBER.fullmatch(token)):
            yield WORDS.get(token, token)
        else:
            yield json.dumps(token)
        before = token


def _renamed(data: Any, depth: int = 0) -> Any:
    if depth > 40:
        raise FormatError("brackets nested too deep for any puzzle")
    if isinstance(data, dict):
        return {NAMES.get(name, name): _renamed(value, depth + 1) for name, value in data.items()}
    return [_renamed(value, depth + 1) for value in data] if isinstance(data, list) else data


@dataclass(frozen=True, slots=True)
class _Frame:
    """The part of the cells that is the puzzle; the others are a margin."""

    top: int
    left: int
    size: Size

    def place(self, raw: object, where: str) -> Position:
        if not (isinstance(raw, list) and len(raw) == 2 and all(type(part) is int for part in raw)):
            raise FormatError(f"{where} has a cell that is not [row, column]")
        position = raw[0] - self.top + 1, raw[1] - self.left + 1
        if not self.size.inside(position):
            raise FormatError(f"{where} has a cell outside the {self.size.shape} grid of the regions")
        return position

    def cells(self, raw: object, where: str) -> Cells:
        return tuple(self.place(cell, where) for cell in list_of(raw, where))

    def inner(self, rows: list[list[Any]]) -> list[Any]:
        cells: list[Any] = [None] * self.size.cells
        for index, row in enumerate(rows):
            for number, cell in enumerate(row):
                if has_content(cell):
                    cells[self.size.cell(self.place([index, number], "cells"))] = cell
        return cells


def read_data(raw: object, options: Options) -> Reading:
    """What a link holds. Raises FormatError for a key that is not understood, and for drawings, whose rules nothing
    states."""
    data = table_of(raw, "the puzzle")
    understood(data, DATA_KEYS)
    cages = [table_of(cage, f"cage {number}") for number, cage in enumerate(list_of(data.get("cages"), "cages"), 1)]
    texts = _texts(data, cages)
    for key in DRAWN:
        list_of(data.get(key), key)
    frame, regions = _frame(data, options)
    outlined = [(number, cage) for number, cage in enumerate(cages, 1) if has_content(cage.get("cells"))]
    outlines = [drawn_cage(frame.cells(cage["cells"], f"cage {at}"), cage) for at, cage in outlined if not _ruled(cage)]
    drawings, others = of_sudokupad(data, frame.top, frame.left, outlines)
    drawn = noted(drawings, others)
    beside = noted((each for each in drawings if each.shape != "cage"), others)
    refuse_drawings("SudokuPad", beside, texts["rules"], options)
    boards = _boards(frame, regions, cages) if _free(data) else []
    division = [each.mark for each in boards] or _division(frame, regions, options)
    marks, labels = [*division, *_rules(data)], list[str]()
    spent = set(house_cells(boards))
    for number, cage in outlined:
        made = _cage(frame, cage, f"cage {number}", labels)
        marks += (mark for mark in made if mark.value is not None or tuple(sorted(mark.cells)) not in spent)
    built = board(around(boards) if boards else frame.size, marks)
    cells = replace(frame, size=built.size).inner(data["cells"])
    empty = Puzzle.from_givens(built, {})
    reading = filled(empty, cells, CELL_KEYS, options, lambda cell, where: _pencilled(cell, where, built.size), "")
    if labels:
        drawn.append(counted(len(labels), "cage", labels))
    full = texts.pop("solution")
    if boards and len(full) == frame.size.cells:
        full = "".join(full[frame.size.cell(place)] for place in built.places)
    solution, note = stated_solution(full if set(full) - {".", "?"} else "", reading.puzzle.board)
    return stated(reading.noted(note), texts, drawn, solution, drawings)


def _texts(data: Mapping[str, Any], cages: list[dict[str, Any]]) -> dict[str, str]:
    texts = dict.fromkeys(("title", "author", "rules", "solution"), "")
    for key in ("metadata", "metaData"):
        table = table_of(data.get(key), key)
        for name in texts:
            value = table.get(name)
            text = "\n".join(map(text_of, value)) if isinstance(value, list) else text_of(value)
            texts[name] = texts[name] or text
    for cage in cages:
        statement = STATEMENT.fullmatch(text_of(cage.get("value"))) if not has_content(cage.get("cells")) else None
        if statement and statement[1] in texts:
            texts[statement[1]] = "\n".join(filter(None, (texts[statement[1]], statement[2])))
    return texts


def _free(data: Mapping[str, Any]) -> bool:
    """Whether rows and columns of the whole grid may repeat digits."""
    return any(table_of(data.get(key), key).get("norowcol") for key in ("metadata", "metaData"))


def _boards(frame: _Frame, regions: list[list[Any]], cages: list[dict[str, Any]]) -> list[PlacedBoard]:
    groups = [
        frame.cells(cage["cells"], f"cage {number}")
        for number, cage in enumerate(cages, 1)
        if has_content(cage.get("cells")) and (_distinct(cage) or cage.get("unique") is True)
    ]
    return boards_of(groups, [frame.cells(region, f"region {number}") for number, region in enumerate(regions, 1)])


def _distinct(cage: Mapping[str, Any]) -> bool:
    return cage.get("type") in DISTINCT or cage.get("style") in DISTINCT


def _ruled(cage: Mapping[str, Any]) -> bool:
    """Whether it states a rule, or is not to be seen; the others are drawings."""
    return has_content(cage.get("sum")) or _distinct(cage) or True in (cage.get("unique"), cage.get("hidden"))


def _frame(data: Mapping[str, Any], options: Options) -> tuple[_Frame, list[list[Any]]]:
    rows = [list_of(row, f"row {number}") for number, row in enumerate(list_of(data.get("cells"), "cells"), 1)]
    wide = len(rows[0]) if rows else 0
    if not rows or any(len(row) != wide for row in rows) or not 0 < max(len(rows), wide) <= MAX_VALUES:
        raise FormatError(f"cells is not a grid of up to {MAX_VALUES}x{MAX_VALUES} cells")
    regions = [list_of(region, "regions") for region in list_of(data.get("regions"), "regions")]
    regions = [region for region in regions if region and (len(region) < len(rows) * wide or min(len(rows), wide) == 1)]
    whole_grid = _Frame(0, 0, Size.of(len(rows), wide))
    cells = [cell for region in regions for cell in whole_grid.cells(region, "regions")]
    tops, lefts = ([cell[side] for cell in cells] or [1, (len(rows), wide)[side]] for side in (0, 1))
    size = (max(tops) - min(tops) + 1, max(lefts) - min(lefts) + 1)
    return _Frame(min(tops) - 1, min(lefts) - 1, options.of(*size)), regions


def _division(frame: _Frame, regions: list[list[Any]], options: Options) -> tuple[Mark, ...]:
    if options.boxless or not regions:
        return ()
    labels: list[int | None] = [None] * (frame.size.rows * frame.size.columns)
    for number, region in enumerate(regions):
        for position in frame.cells(region, f"region {number + 1}"):
            cell = frame.size.cell(position)
            if labels[cell] is not None:
                raise FormatError(f"{label(position)} is in two regions")
            labels[cell] = number
    return divided(frame.size, labels, options.box)


def _rules(data: Mapping[str, Any]) -> Iterator[Mark]:
    known = fpuzzles.site_rules()
    names = [str(name) for name in list_of(data.get("global"), "global")]
    more = {**table_of(data.get("metadata"), "metadata"), **table_of(data.get("metaData"), "metaData")}
    names += [name for name in FLAGS if more.get(name)]
    for name in dict.fromkeys(names):
        kind = known.get(name) or known.get(f"negative {name.removeprefix('anti')}")
        if kind is None:
            raise FormatError(f"the rule {name[:40]!r} is not understood, and leaving it out would change the puzzle")
        yield Mark(kind.name)
    diagonals = DIAGONALS if data.get("sudokuX") else ()
    yield from (Mark(name) for name in RULES if data.get(name) or name in diagonals)


def _cage(frame: _Frame, cage: Mapping[str, Any], where: str, labels: list[str]) -> Iterator[Mark]:
    cells, total = frame.cells(cage["cells"], where), cage.get("sum")
    total = whole(total, where) if has_content(total) else None
    label = oneline(str(cage.get("value") or ""))
    apart = _distinct(cage) or cage.get("unique") is True
    if total is None and _distinct(cage):
        yield Mark("extra-region", cells)
    elif apart:
        yield Mark("cage", cells, value=total)
    elif total is not None:
        yield Mark("sum", cells, value=str(total))
    if total is None and (label if apart else _ruled(cage)):
        labels.append(label)


def _pencilled(cell: Mapping[str, object], where: str, size: Size) -> int | None:
    """The values among the marks in the centre of a cell, which may be any texts; those in corners leave others out."""
    marks = {str(mark).strip() for mark in list_of(cell.get(CENTRE_MARKS), where)}
    return size.candidates(value for value in size.digits if str(value) in marks) or None
