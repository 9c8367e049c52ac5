"""Random marks of each kind, as entries of f-puzzles JSON, and whole texts.

A mark is drawn at random until it holds in a grid that is given, or as it comes where none does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from support.independent.board import BESIDE, KING, Cells, Mark, Puzzle
from support.independent.definitions import HOLDS, SUMS
from support.independent.reading import CLUES, DIRECTIONS, LINES, RULES, SINGLE, marks_of, seen, slanting

Entry = dict[str, Any]
BEYOND = (
    *("numberedroom", "parityline", "lockout", "sumline"),
    *("greaterthan", "windoku", "countingcircles", "averagearrow"),
)
"""Kinds that f-puzzles cannot hold."""
WHOLE = (*RULES, "negative ratio", "negative xv", "windoku")
"""Rules of the whole board."""
TRIES = 300


@dataclass(frozen=True)
class Pen:
    """Draws marks at random on a board; `at` has the value that each cell has in the grid they are drawn for."""

    rng: Random
    puzzle: Puzzle
    at: Sequence[int]

    def name(self, cell: int) -> str:
        row, column = divmod(cell, self.puzzle.columns)
        return f"R{row + 1}C{column + 1}"

    def names(self, cells: Cells) -> list[str]:
        return [self.name(cell) for cell in cells]

    def cell(self) -> int:
        return self.rng.randrange(self.puzzle.size)

    def value(self) -> int:
        return self.rng.choice(self.puzzle.digits)

    def walk(self, least: int, most: int) -> Cells:
        """A line of cells, each of them beside the one before or at its corner, none twice."""
        length, found = self.rng.randint(least, most), [self.cell()]
        while len(found) < length:
            row, column = divmod(found[-1], self.puzzle.columns)
            steps = [*KING, *((-down, -right) for down, right in KING)]
            after = [self.puzzle.at(row + down, column + right) for down, right in steps]
            free = [cell for cell in after if cell is not None and cell not in found]
            if not free:
                return self.walk(least, most)
            found.append(self.rng.choice(free))
        return tuple(found)

    def group(self, least: int, most: int) -> Cells:
        """Cells that hang together by their edges."""
        length, found = self.rng.randint(least, most), {self.cell()}
        while len(found) < length:
            found.add(self.rng.choice([*{near for cell in found for near in self.puzzle.around(cell)} - found]))
        return tuple(sorted(found))

    def sum(self, cells: Cells) -> int:
        return sum(self.at[cell] for cell in cells)

    def outside(self) -> tuple[int, int]:
        """A place beside the grid, row and column from 1."""
        rows, columns = self.puzzle.rows, self.puzzle.columns
        if self.rng.random() < 0.5:
            return self.rng.choice((0, rows + 1)), self.rng.randint(1, columns)
        return self.rng.randint(1, rows), self.rng.choice((0, columns + 1))


def draw(kind: str, pen: Pen) -> tuple[Entry | None, tuple[Mark, ...]]:
    """An entry for the key of a kind and its marks; of a rule, or a kind that f-puzzles cannot hold, the marks alone.

    The marks hold in the grid of the pen, if such were found.
    """
    if kind in WHOLE:
        return None, (Mark(kind),)
    entry: Entry | None = None
    marks: list[Mark] = []
    for _ in range(TRIES):
        if kind in BEYOND:
            marks = [_beyond(kind, pen)]
        else:
            entry = _entry(kind, pen)
            marks = [*read_entry(kind, entry, pen.puzzle)]
        if marks and hold(pen, marks):
            break
    return entry, tuple(marks)


def hold(pen: Pen, marks: Sequence[Mark]) -> bool:
    """Whether marks hold in the grid of the pen, beside those of its board."""
    puzzle = replace(pen.puzzle, marks=(*pen.puzzle.marks, *marks))
    return all(HOLDS[mark.kind](puzzle, mark, pen.at) for mark in marks)


def companions(kind: str, pen: Pen) -> list[tuple[str, Entry]]:
    """The dots and letters that a rule about their absence needs, to hold in the grid of the pen."""
    found: list[tuple[str, Entry]] = []
    for two in pen.puzzle.apart(BESIDE):
        low, high = sorted(pen.at[cell] for cell in two)
        entry = {"cells": pen.names(two)}
        if kind == "nonconsecutive" and high - low == 1:
            found.append(("difference", entry))
        elif kind == "negative ratio" and low * 2 == high:
            found.append(("ratio", entry))
        elif kind == "negative xv" and low + high in SUMS.values():
            found.append(("xv", entry | {"value": "V" if low + high == 5 else "X"}))
    return found


def read_entry(kind: str, entry: Entry, puzzle: Puzzle) -> Iterator[Mark]:
    """As `marks_of`, of a cage with the digital root too."""
    if kind == "digital root":
        (mark,) = marks_of("killercage", entry | {"value": entry["value"][2:]}, puzzle)
        yield replace(mark, kind=kind)
    else:
        yield from marks_of(kind, entry, puzzle)


def _entry(kind: str, pen: Pen) -> Entry:
    if kind in LINES:
        return _line(kind, pen)
    if kind in SINGLE:
        return {"cell": pen.name(pen.cell())}
    if kind in CLUES:
        row, column = pen.outside()
        return {"cell": f"R{row}C{column}", "value": str(_clue(kind, pen))}
    return ENTRIES[kind](pen)


def _line(kind: str, pen: Pen) -> Entry:
    short = 1 if kind in ("thermometer", "slowthermometer") else 2
    first = pen.walk(short, 5 if pen.rng.random() < 0.3 else 3)
    if len(first) > 2 and pen.rng.random() < 0.1:
        first = (*first, pen.rng.choice(first[:-1]))  # it comes back to one of its cells
    lines = [pen.names(first)]
    if pen.rng.random() < 0.15:
        lines.append(pen.names(pen.walk(2, 3)))
    values = ["", str(pen.rng.randint(1, pen.puzzle.values // 2))] if kind == "whispers" else [""]
    value = pen.rng.choice(values)
    return {"lines": lines} | ({"value": value} if value else {})


def _clue(kind: str, pen: Pen) -> int:
    if kind == "skyscraper":
        return pen.value()
    return pen.rng.randint(0 if kind == "sandwichsum" else 1, pen.puzzle.values * 2)


def _cage(pen: Pen) -> Entry:
    cells = pen.group(1, min(5, pen.puzzle.values))
    return {"cells": pen.names(cells), "value": pen.rng.choice(["", *[str(pen.sum(cells))] * 4])}


def _root(pen: Pen) -> Entry:
    cells = pen.group(2, 4)
    return {"cells": pen.names(cells), "value": f"DR{(pen.sum(cells) - 1) % 9 + 1}"}


def _arrow(pen: Pen) -> Entry:
    bulb = pen.walk(1, 1 if pen.puzzle.values < 6 else 2)
    shafts = [pen.walk(2, 4) for _ in range(pen.rng.randint(1, 2))]
    beside = [shaft for shaft in shafts if not set(bulb) & set(shaft)]
    return {"cells": pen.names(bulb), "lines": [[pen.name(bulb[-1]), *pen.names(shaft)] for shaft in beside]}


def _little(pen: Pen) -> Entry:
    puzzle = pen.puzzle
    while True:
        row, column = pen.rng.choice((0, puzzle.rows + 1)), pen.rng.randint(0, puzzle.columns + 1)
        name, direction = f"R{row}C{column}", pen.rng.choice([*DIRECTIONS])
        on = slanting(name, direction, puzzle)
        if len(on) > 1:
            return {"cell": name, "direction": direction, "value": str(pen.sum(on))}


def _dot(pen: Pen, low: int, high: int) -> Entry:
    value = pen.rng.choice(["", str(pen.rng.randint(low, high))])
    return {"cells": pen.names(pen.group(2, 2))} | ({"value": value} if value else {})


def _xv(pen: Pen) -> Entry:
    return {"cells": pen.names(pen.group(2, 2)), "value": pen.rng.choice([*SUMS])}


def _clone(pen: Pen) -> Entry:
    cells = pen.group(1, 3)
    by = pen.cell() - cells[0]
    copy = tuple(cell + by for cell in cells)
    if not all(0 <= cell < pen.puzzle.size for cell in copy) or set(cells) & set(copy):
        return _clone(pen)
    return {"cells": pen.names(cells), "cloneCells": pen.names(copy)}


def _quadruple(pen: Pen) -> Entry:
    row, column = pen.rng.randrange(pen.puzzle.rows - 1), pen.rng.randrange(pen.puzzle.columns - 1)
    first = row * pen.puzzle.columns + column
    cells = (first, first + 1, first + pen.puzzle.columns, first + pen.puzzle.columns + 1)
    values = [pen.at[cell] for cell in pen.rng.sample(cells, pen.rng.randint(1, 3))]
    return {"cells": pen.names(cells), "values": values}


def _indexers(pen: Pen) -> Entry:
    return {"cells": [pen.name(pen.cell())]}


ENTRIES: dict[str, Callable[[Pen], Entry]] = {
    "killercage": _cage,
    "digital root": _root,
    "extraregion": lambda pen: {"cells": pen.names(pen.group(2, pen.puzzle.values))},
    "arrow": _arrow,
    "littlekillersum": _little,
    "difference": lambda pen: _dot(pen, 1, pen.puzzle.values - 1),
    "ratio": lambda pen: _dot(pen, 2, 4),
    "xv": _xv,
    "clone": _clone,
    "quadruple": _quadruple,
    "rowindexer": _indexers,
    "columnindexer": _indexers,
    "boxindexer": _indexers,
}


def _beyond(kind: str, pen: Pen) -> Mark:
    match kind:
        case "numberedroom":
            row, column = pen.outside()
            return Mark(kind, seen(f"R{row}C{column}", pen.puzzle), value=pen.value())
        case "parityline":
            return Mark(kind, lines=(pen.walk(1, 4),))
        case "lockout":
            return Mark(kind, lines=(pen.walk(2, 4),), value=pen.rng.randint(1, pen.puzzle.values // 2))
        case "sumline":
            return Mark(kind, lines=(pen.walk(2, 4),), value=pen.rng.randint(2, pen.puzzle.values * 2))
        case "greaterthan":
            return Mark(kind, pen.walk(2, 3))
        case "countingcircles":
            return Mark(kind, pen.group(1, 4))
        case "averagearrow":
            bulb, *shaft = pen.walk(3, 4)
            return Mark(kind, (bulb,), (tuple(shaft),))
    raise ValueError(kind)


def text_of(puzzle: Puzzle, entries: Sequence[tuple[str, Entry | None]], jigsaw: bool = False) -> dict[str, Any]:
    """The JSON of a square puzzle: its allowed values, and entries under the keys of their kinds."""
    rows = []
    for row in range(puzzle.rows):
        cells = []
        for cell in range(row * puzzle.columns, (row + 1) * puzzle.columns):
            allowed = puzzle.allowed[cell]
            message: Entry = {"region": puzzle.region_of[cell]} if jigsaw else {}
            if len(allowed) == 1:
                message |= {"value": min(allowed), "given": True}
            elif len(allowed) < puzzle.values:
                message |= {"givenPencilMarks": sorted(allowed)}
            cells.append(message)
        rows.append(cells)
    data: Entry = {"size": puzzle.rows, "grid": rows}
    for kind, entry in entries:
        if kind.startswith("negative "):
            data.setdefault("negative", []).append(kind.removeprefix("negative "))
        elif entry is None:
            data[kind] = True
        else:
            data.setdefault("cage" if kind == "digital root" else kind, []).append(entry)
    return data
