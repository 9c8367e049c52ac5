"""Puzzles at random as the sites SudokuMaker, lisudoku and Penpa+ hold them, written from what is public of their data.

SudokuMaker has a list of cells and a list of constraints, which are numbers of types with data; an edge between two
cells is a number. lisudoku has a list for each kind, and cells as row and column. Penpa+ has lines of text, of which
one is the size, one the numbers and thick lines that are drawn, and one the cells; a number stands for each cell and
each corner of a grid with two rows and columns more on each side.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

from support.independent.board import BESIDE, Cells, Mark, Puzzle, boxes
from support.independent.definitions import SUMS
from support.independent.drawing import WHOLE, Pen, companions, draw
from support.independent.making import irregular
from support.independent.reading import marks_of
from support.independent.solving import random_solution

SHAPES = {4: (4, 4, 2, 2), 6: (6, 6, 2, 3), 46: (4, 6, 2, 3)}
"""Rows, columns, and those of a box."""
RULES = {"diagonal-": 10, "diagonal+": 11, "antiking": 12, "antiknight": 13, "disjointgroups": 14, "nonconsecutive": 15}
SINGLE = {"even": 100, "odd": 101, "maximum": 102, "minimum": 103, "rowindexer": 600, "columnindexer": 601}
LINES = {"renban": 400, "whispers": 401, "palindrome": 402, "betweenline": 403}
DOTS = {"difference": 200, "ratio": 201, "xv": 202}
THERMOMETERS = ("thermometer", "slowthermometer")
ALONE = ("whispers", "extraregion")  # a block of SudokuMaker has one of them
NEGATIVE = ("negative ratio", "negative xv")
SUDOKUMAKER = (*RULES, *SINGLE, *LINES, *DOTS, *THERMOMETERS, *NEGATIVE, "killercage", "extraregion")
"""The kinds that SudokuMaker has, and the numbers of their types."""
ONCE = {"diagonal-": "primaryDiagonal", "diagonal+": "secondaryDiagonal"}
ONCE |= {"antiknight": "antiKnight", "antiking": "antiKing"}
EACH = {"thermometer": "thermos", "renban": "renbans", "odd": "oddCells", "even": "evenCells"}
LISUDOKU = (*ONCE, *EACH, "extraregion", "arrow", "killercage", "difference", "ratio", "kropki negative")
KROPKI = {"difference": (1, "Consecutive"), "ratio": (2, "Double")}


def random_puzzle(kinds: Sequence[str], shape: int, rng: Random) -> Puzzle:
    """A puzzle with marks of these kinds, most of which hold in some grid of it, and some givens."""
    rows, columns, height, width = SHAPES[shape]
    values = max(rows, columns)
    free = (frozenset(range(1, values + 1)),) * (rows * columns)
    plain, grid = Puzzle(rows, columns, values, boxes(rows, columns, height, width), allowed=free), None
    if "disjointgroups" not in kinds and rng.random() < 0.4:
        jigsaw = replace(plain, regions=irregular(plain, rng))
        grid = random_solution(jigsaw, rng)
        plain = plain if grid is None else jigsaw
    grid = grid or random_solution(plain, rng)
    assert grid is not None
    pen = Pen(rng, plain, grid)
    marks: list[Mark] = []
    for kind in kinds:
        if kind == "kropki negative":
            marks += [Mark("nonconsecutive"), Mark("negative ratio")]
            marks += _dots(pen)
            continue
        for _ in range(1 if kind in WHOLE else rng.randint(1, 3)):
            marks += draw(kind, pen)[1]
        if kind in NEGATIVE:
            marks += [mark for key, entry in companions(kind, pen) for mark in marks_of(key, entry, plain)]
    shown = [frozenset({grid[c]}) if rng.random() < 0.15 else allowed for c, allowed in enumerate(free)]
    return replace(plain, marks=tuple(dict.fromkeys(marks)), allowed=tuple(shown))


def _dots(pen: Pen) -> list[Mark]:
    """A dot wherever two cells beside each other are consecutive, or one of them is twice the other."""
    found = []
    for two in pen.puzzle.apart(BESIDE):
        low, high = sorted(pen.at[cell] for cell in two)
        if high - low == 1 or high == 2 * low:
            kind = "difference" if high - low == 1 else "ratio"
            found.append(Mark(kind, two, value=KROPKI[kind][0]))
    return found


def sudokumaker(puzzle: Puzzle, rng: Random) -> dict[str, Any]:
    """The data of a link of SudokuMaker."""
    cells: list[dict[str, Any]] = []
    for allowed in puzzle.allowed:
        given = {"given": True, "value": min(allowed)} if len(allowed) == 1 else {}
        cells.append(given or ({"cornerPencilMarks": 6} if rng.random() < 0.1 else {}))
    labels = [puzzle.region_of.get(cell, -1) for cell in range(puzzle.size)]
    blocks: list[dict[str, Any]] = [{"type": 0}, {"type": 1, "regions": labels}]
    blocks += [{"type": 12, "disabled": True}, {"type": 400, "lines": []}, {"type": 2003, "text": "Rules"}]
    for kind in dict.fromkeys(mark.kind for mark in puzzle.marks if mark.kind not in NEGATIVE):
        marks = [mark for mark in puzzle.marks if mark.kind == kind]
        groups = [[mark] for mark in marks] if kind in ALONE else [marks]
        blocks += [_block(kind, group, puzzle) for group in groups]
    for kind in {mark.kind for mark in puzzle.marks} & {*NEGATIVE}:
        dots = kind.removeprefix("negative ")
        block = next((block for block in blocks if block["type"] == DOTS[dots]), None)
        if block is None:
            blocks.append(block := {"type": DOTS[dots], "clues": []})
        denied = {clue["value"] for clue in block["clues"]} or {2}
        block["negative"] = sorted(SUMS.values()) if dots == "xv" else sorted(denied)
    size = {"size": puzzle.rows} if puzzle.rows == puzzle.columns else {"width": puzzle.columns, "height": puzzle.rows}
    rng.shuffle(blocks)
    return {"formatVersion": "1.6.0", "puzzle": {**size, "cells": cells, "constraints": blocks, "name": "At random"}}


def _block(kind: str, marks: Sequence[Mark], puzzle: Puzzle) -> dict[str, Any]:
    if kind in RULES:
        return {"type": RULES[kind]}
    if kind in SINGLE:
        return {"type": SINGLE[kind], "cells": [cell for mark in marks for cell in mark.cells]}
    if kind in THERMOMETERS:
        slow = {"slow": True} if kind == "slowthermometer" else {}
        return {"type": 300, "thermometers": [list(mark.lines[0]) for mark in marks]} | slow
    if kind in LINES:
        least = {"minDifference": marks[0].number} if kind == "whispers" else {}
        return {"type": LINES[kind], "lines": [list(mark.lines[0]) for mark in marks]} | least
    if kind == "killercage":
        return {"type": 301, "cages": [{"cells": list(mark.cells), "value": mark.value or 0} for mark in marks]}
    if kind == "extraregion":
        return {"type": 305, "cells": list(marks[0].cells)}
    values = [SUMS[mark.value] if isinstance(mark.value, str) else mark.value for mark in marks]
    clues = [
        {"edge": _edge(mark.cells, puzzle.columns), "value": value} for mark, value in zip(marks, values, strict=True)
    ]
    return {"type": DOTS[kind], "clues": clues}


def _edge(cells: Cells, columns: int) -> int:
    first, second = sorted(cells)
    row, column = divmod(first, columns)
    return 2 * columns * row + column + (1 if second == first + 1 else columns)


def lisudoku(puzzle: Puzzle, rng: Random) -> dict[str, Any]:
    """The data of a link of lisudoku, its keys in one of two spellings."""

    def at(cell: int) -> dict[str, int]:
        return {"row": cell // puzzle.columns, "col": cell % puzzle.columns}

    def every(cells: Cells) -> list[dict[str, int]]:
        return [at(cell) for cell in cells]

    given = [(cell, min(allowed)) for cell, allowed in enumerate(puzzle.allowed) if len(allowed) == 1]
    data: dict[str, Any] = {"gridSize": puzzle.rows, "regions": [every(region) for region in puzzle.regions]}
    data["fixedNumbers"] = [{"position": at(cell), "value": value} for cell, value in given]
    for mark in puzzle.marks:
        kind = mark.kind
        if kind in ONCE:
            data[ONCE[kind]] = True
        elif kind in EACH:
            data.setdefault(EACH[kind], []).append(every(mark.lines[0]) if mark.lines else at(mark.cells[0]))
        elif kind == "extraregion":
            data.setdefault("extraRegions", []).append(every(mark.cells))
        elif kind == "arrow":
            arrows = [{"circleCells": every(mark.cells), "arrowCells": every(line)} for line in mark.lines]
            data.setdefault("arrows", []).extend(arrows)
        elif kind == "killercage":
            data.setdefault("killerCages", []).append({"sum": mark.value, "region": every(mark.cells)})
        elif kind in KROPKI:
            first, second = map(at, mark.cells)
            data.setdefault("kropkiDots", []).append({"dotType": KROPKI[kind][1], "cell1": first, "cell2": second})
        else:
            data["kropkiNegative"] = True
    snake = rng.random() < 0.5
    return {"".join("_" + c.lower() if c.isupper() and snake else c for c in key): data[key] for key in data}


def penpa(puzzle: Puzzle) -> str:
    """A link of Penpa+ that draws the givens and thick lines between regions."""
    rows, columns = puzzle.rows, puzzle.columns
    wide, every = columns + 4, (rows + 4) * (columns + 4)
    key = [(cell // columns + 2) * wide + cell % columns + 2 for cell in range(puzzle.size)]
    numbers = {str(key[c]): [str(min(one)), 1, "1"] for c, one in enumerate(puzzle.allowed) if len(one) == 1}
    walls = {}
    for one, other in puzzle.apart(BESIDE):
        if puzzle.region_of[one] != puzzle.region_of[other]:
            corner = every + key[other] - wide - 1  # the upper left one of the cell to the right or below
            walls[f"{corner},{corner + (wide if other == one + 1 else 1)}"] = 2
    measures = f"square,{columns},{rows},38,0,1,1,{38 * wide},{38 * (rows + 4)},0,0,0,0,0,0"
    head = f"{measures},Title: At random,Author: ,,,OFF,false"
    steps = [key[0], *(after - before for before, after in pairwise(key))]
    layer = json.dumps({"number": numbers, "lineE": walls})
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = "\n".join([head, "[0,0,0,0]", "{}", layer, "{}", json.dumps(steps), "[]", "{}"])
    packed = packer.compress(text.encode()) + packer.flush()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={b64encode(packed).decode()}"
