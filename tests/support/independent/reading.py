"""f-puzzles, read a second time: what a link or its JSON says, as a puzzle of `board.py`.

The JSON has the size, the grid (a cell is an object with `value`, `given`, `region`, `givenPencilMarks`), a list for
each kind of mark, true for each rule of the whole board, and in `negative` the names of the marks whose absence means
something. Cells are named R1C1, those of clues outside the grid with a row or a column 0 or one more than the last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from support.independent import lz
from support.independent.board import BOXES, Cells, Mark, Puzzle, boxes

LINES = (
    *("thermometer", "slowthermometer", "whispers", "renban", "nabner", "palindrome", "entropicline", "modularline"),
    *("betweenline", "zipperline", "doublearrow", "regionsumline"),
)
GROUPS = (
    *("killercage", "extraregion", "quadruple", "difference", "ratio", "xv"),
    *("rowindexer", "columnindexer", "boxindexer"),
)
SINGLE = ("odd", "even", "minimum", "maximum")
CLUES = ("sandwichsum", "skyscraper", "xsum")
RULES = ("diagonal+", "diagonal-", "antiknight", "antiking", "nonconsecutive", "disjointgroups")
NEGATIVE = ("ratio", "xv")
ROOT = "digital root"  # a cage that is drawn with the label DR5, say
KINDS = (*LINES, *GROUPS, *SINGLE, *CLUES, *RULES, *(f"negative {name}" for name in NEGATIVE))
KINDS = (*KINDS, "arrow", "littlekillersum", "clone", ROOT)
USUAL = {"difference": 1, "ratio": 2}  # the value of a dot without one
LEAST = {"doublearrow": 3, "entropicline": 3, "modularline": 3}  # cells below which a line says nothing
DIRECTIONS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}
# What says nothing about solutions: texts, progress, how the puzzle is shown and played, drawings.
SILENT = {
    *("title", "author", "ruleset", "solution", "successMessage", "msgcorrect", "metadata", "customstyle"),
    *("disabledlogic", "truecandidatesoptions", "highlightConflicts"),
    *("fogofwar", "foglight", "foglink", "triggereffect", "text", "line", "circle", "rectangle"),
}


class Unknown(ValueError):
    """The puzzle has a rule that this reader does not know."""


def read_link(link: str) -> Puzzle:
    """The puzzle in a link, or in what stands behind its `load=`."""
    packed = unquote(link.rpartition("load=")[2]).replace(" ", "+")
    return read(json.loads(lz.decode(packed)))


def read(data: dict[str, Any]) -> Puzzle:
    """The puzzle of a JSON object; raises Unknown for a rule that is not known."""
    size = data["size"]
    cells = [cell for row in data["grid"] for cell in row]
    puzzle = Puzzle(size, size, size, _regions(size, cells))
    marks: list[Mark] = []
    for key, content in data.items():
        if key not in ("size", "grid", "negative", "cage") and content:
            marks += _of_key(key, content, puzzle)
    for name in data.get("negative", []):
        if name not in NEGATIVE:
            raise Unknown(f"negative {name}")
        marks.append(Mark(f"negative {name}"))
    for entry in data.get("cage", []):
        label = re.fullmatch(r"DR([1-9])", str(entry.get("value", "")))
        if label:
            marks.append(Mark(ROOT, _cells(entry["cells"], puzzle), value=int(label[1])))
    return replace(puzzle, marks=tuple(marks), allowed=tuple(_allowed(cell, size) for cell in cells))


def _regions(size: int, cells: list[dict[str, Any]]) -> tuple[Cells, ...]:
    """The cells with the same number; a cell without one is in its usual box, and null is in none."""
    usual = boxes(size, size, *BOXES.get(size, (1, size)))
    box = {cell: number for number, part in enumerate(usual) for cell in part}
    of = [cell.get("region", box[number]) for number, cell in enumerate(cells)]
    names = sorted({name for name in of if name is not None})
    return tuple(tuple(cell for cell in range(len(cells)) if of[cell] == name) for name in names)


def _allowed(cell: dict[str, Any], size: int) -> frozenset[int]:
    if cell.get("given") and cell.get("value"):
        return frozenset({int(cell["value"])})
    return frozenset(map(int, cell.get("givenPencilMarks") or range(1, size + 1)))


def _of_key(key: str, content: Any, puzzle: Puzzle) -> Iterator[Mark]:
    if key in RULES:
        yield Mark(key)
    elif key in KINDS:
        for entry in content:
            yield from marks_of(key, entry, puzzle)
    elif key not in SILENT and not key.startswith("highlight"):
        raise Unknown(key)


def marks_of(key: str, entry: dict[str, Any], puzzle: Puzzle) -> Iterator[Mark]:
    """What one entry in the list of a key says."""
    if key in LINES:
        value = _number(entry, -(-puzzle.values // 2)) if key == "whispers" else None
        lines = [_cells(line, puzzle) for line in entry["lines"]]
        yield from (Mark(key, lines=(line,), value=value) for line in lines if len(line) >= LEAST.get(key, 1))
    elif key in GROUPS:
        yield from _of_cells(key, entry, puzzle)
    elif key in SINGLE:
        yield Mark(key, _cells([entry["cell"]], puzzle))
    elif key in CLUES:
        if entry.get("value"):
            yield Mark(key, seen(entry["cell"], puzzle), value=int(entry["value"]))
    elif key == "arrow":
        bulb = _cells(entry["cells"], puzzle)
        lines = [_cells(line, puzzle) for line in entry["lines"]]
        shafts = [line[1:] if line[0] in bulb else line for line in lines]
        yield Mark(key, tuple(sorted(bulb)), tuple(shaft for shaft in shafts if shaft))
    elif key == "littlekillersum":
        if str(entry.get("value", "")) not in ("", "0"):
            yield Mark(key, slanting(entry["cell"], entry["direction"], puzzle), value=int(entry["value"]))
    else:
        yield Mark(key, _cells(entry["cells"], puzzle), (_cells(entry["cloneCells"], puzzle),))


def _of_cells(key: str, entry: dict[str, Any], puzzle: Puzzle) -> Iterator[Mark]:
    cells = _cells(entry["cells"], puzzle)
    match key:
        case "quadruple":
            yield Mark(key, cells, value=tuple(map(int, entry["values"])))
        case "xv":
            if entry.get("value"):
                yield Mark(key, cells, value=entry["value"].upper())
        case "killercage":
            yield Mark(key, cells, value=_number(entry, None))
        case "rowindexer" | "columnindexer" | "boxindexer":
            yield from (Mark(key, (cell,)) for cell in cells)
        case _:
            yield Mark(key, cells, value=_number(entry, USUAL.get(key)))


def _number(entry: dict[str, Any], usual: int | None) -> int | None:
    return int(entry["value"]) if entry.get("value") not in (None, "") else usual


def _place(name: str) -> tuple[int, int]:
    """Row and column, both from 0."""
    found = re.fullmatch(r"[Rr](-?\d+)[Cc](-?\d+)", name)
    if not found:
        raise ValueError(f"{name!r} is not a cell")
    return int(found[1]) - 1, int(found[2]) - 1


def _cells(names: list[str], puzzle: Puzzle) -> Cells:
    found = [puzzle.at(*_place(name)) for name in names]
    if None in found:
        raise ValueError(f"{names}: not all in the grid")
    return tuple(cell for cell in found if cell is not None)


def seen(name: str, puzzle: Puzzle) -> Cells:
    """The row or column that a clue outside the grid sees, from its side."""
    row, column = _place(name)
    if row < 0:
        return puzzle.ray(0, column, 1, 0)
    if row >= puzzle.rows:
        return puzzle.ray(puzzle.rows - 1, column, -1, 0)
    return puzzle.ray(row, 0, 0, 1) if column < 0 else puzzle.ray(row, puzzle.columns - 1, 0, -1)


def slanting(name: str, direction: str, puzzle: Puzzle) -> Cells:
    """The diagonal that an arrow sees; one outside the grid begins beside it."""
    (row, column), (down, right) = _place(name), DIRECTIONS[direction]
    if puzzle.at(row, column) is None:
        row, column = row + down, column + right
    return puzzle.ray(row, column, down, right)
