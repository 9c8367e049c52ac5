"""`penpa`: links of Penpa+: the digits and the thick lines around regions; all else is drawn, and no rule is stated."""

import binascii
import re
import zlib
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from urllib.parse import unquote

from satdoku.errors import FormatError
from satdoku.formats import Options, Reading
from satdoku.formats.links import holds, link_format, loaded, taken
from satdoku.formats.marks import board, has_content, list_of, refuse_drawings, stated, table_of
from satdoku.formats.regions import divided
from satdoku.formats.walls import flooded
from satdoku.limits import MAX_PUZZLE
from satdoku.puzzle import MAX_VALUES, Mark, Puzzle, Size

NAMES = {"zN": "number", "zE": "lineE", "zS": "surface", "zO": None, "zR": "undo", "zU": "redo", "z8": "undo8"}
DRAWN = {"zL": "line", "zW": "wall", "zC": "cage line", "zY": "symbol", "z1": "small number", "zF": "free line"}
DRAWN |= {"z2": "free line (edge)", "zT": "thermometer", "z3": "arrow", "zD": "direction", "z0": "square frame"}
DRAWN |= {"z5": "polygon", "z6": "killer cage", "z7": "thermometer without a bulb"}
TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")|\b(z[0-9A-Z_])\b')
HOST = r"(swaroopg92|opt-pan)\.github\.io"
KINDS = ("square", "sudoku")
MARGIN = 2
"""Rows and columns of keys around the grid."""

THICK = 2
GIVEN = "1"
"""The style of lines around regions, and that of digits."""


def read(text: str, options: Options) -> Reading:
    """Raises FormatError for what is not a square grid, and for drawings, whose rules nothing states."""
    lines = _unpacked(taken(text, HOST, "p", alone=True) or "").split("\n")
    head = [*lines[0].split(","), *[""] * 20]
    if head[0] not in KINDS or len(lines) < 6:
        raise FormatError(f"a Penpa grid of the kind {head[0][:20]!r}, expected {' or '.join(KINDS)}")
    grid = _grid(head, loaded(lines[1] or "[]", placed=False), loaded(lines[5], placed=False), options)
    layer = table_of(loaded(TOKEN.sub(_named, lines[3]), placed=False), "the question layer")
    givens, drawn = _numbers(grid, table_of(layer.get("number"), "number"))
    walls, more = _walls(grid, table_of(layer.get("lineE"), "lineE"))
    drawn |= {"edge line": more}
    shapes = {name: layer.get(key) for key, name in DRAWN.items() if has_content(layer.get(key))}
    drawn |= {name: len(shape) if isinstance(shape, list | dict) else 1 for name, shape in shapes.items()}
    texts = [unquote(part).strip() for part in head[15:19]]
    title, author = (part.partition(":")[2].strip() for part in texts[:2])
    shown = [f"{count} {name}{'s' * (count > 1)}" for name, count in drawn.items() if count]
    refuse_drawings("Penpa", shown, texts[3], options)
    puzzle = Puzzle.from_givens(board(grid.size, _division(grid.size, walls, options)), givens)
    return stated("penpa", puzzle, (), {"title": title, "author": author, "rules": texts[3]}, shown)


def _unpacked(packed: str) -> str:
    """The text of raw deflate over base64, up to a bound."""
    unpacker = zlib.decompressobj(-15)
    try:
        text = unpacker.decompress(b64decode(packed + "=" * (-len(packed) % 4), validate=True), MAX_PUZZLE)
    except (binascii.Error, zlib.error, ValueError):
        raise FormatError("the link holds no deflated data: it may have been cut") from None
    if unpacker.unconsumed_tail:
        raise FormatError(f"the link unpacks to more than {MAX_PUZZLE} bytes: no puzzle has so many")
    if not unpacker.eof:
        raise FormatError("the link ends early: it may have been cut")
    return text.decode("utf-8", "replace")


def _named(found: re.Match[str]) -> str:
    """A string as it is, and the long name of a short one in quotes."""
    if found[1]:
        return found[1]
    name = NAMES.get(found[2], found[2])
    return "null" if name is None else f'"{name}"'


@dataclass(frozen=True, slots=True)
class _Grid:
    """The size of the puzzle, the rows and columns that stand above and left of it, and those of all keys."""

    size: Size
    top: int
    left: int
    rows: int
    columns: int

    def cell(self, key: str) -> int | None:
        """The cell of a key; None outside the puzzle."""
        row, column = (part - MARGIN for part in divmod(_number(key), self.columns))
        row, column = row - self.top, column - self.left
        inside = 0 <= row < self.size.rows and 0 <= column < self.size.columns
        return row * self.size.columns + column if inside else None

    def corner(self, key: str) -> tuple[int, int]:
        """The row and column of a corner, (0, 0) that above and left of the puzzle."""
        row, column = divmod(_number(key) - self.rows * self.columns, self.columns)
        return row - 1 - self.top, column - 1 - self.left


def _number(key: str) -> int:
    if not re.fullmatch(r"[0-9]{1,7}", key):
        raise FormatError(f"{key[:20]!r} is not the number of a cell")
    return int(key)


def _grid(head: list[str], margins: object, centers: object, options: Options) -> _Grid:
    columns, rows = _number(head[1]), _number(head[2])
    around = [part for part in list_of(margins, "the margins") if type(part) is int and 0 <= part < MAX_VALUES]
    if len(around) not in (0, 4):
        raise FormatError("expected four numbers of white rows and columns")
    top, bottom, left, right = around or [0] * 4
    sides = (rows - top - bottom, columns - left - right)
    if not 1 <= min(sides) <= max(sides) <= MAX_VALUES or options.size not in (None, sides):
        raise FormatError(f"a grid of {sides[0]}x{sides[1]} cells, expected {options.size or 'a board'}")
    grid = _Grid(options.of(*sides), top, left, rows + 2 * MARGIN, columns + 2 * MARGIN)
    steps = [part for part in list_of(centers, "the cells") if type(part) is int and abs(part) < 10**6]
    cells = {grid.cell(str(key)) for key in accumulate(steps) if key >= 0}
    if cells - {None} != set(range(sides[0] * sides[1])):
        raise FormatError("some cells of the grid are cut out, and boards here have all of them")
    return grid


def _numbers(grid: _Grid, numbers: Mapping[str, Any]) -> tuple[dict[int, int], dict[str, int]]:
    """The givens, and how many other numbers and texts there are."""
    givens, others = dict[int, int](), 0
    values = grid.size.values
    for key, entry in numbers.items():
        parts, cell = list_of(entry, "a number"), grid.cell(key)
        text = str(parts[0]).strip() if parts else ""
        if cell is not None and len(parts) > 2 and str(parts[2]) == GIVEN and re.fullmatch(r"[0-9]{1,3}", text):
            if int(text) not in values:
                raise FormatError(f"the digit {text} is not one of {grid.size.span}")
            givens[cell] = int(text) - values[0] + 1
        else:
            others += bool(text)
    return givens, {"other number or text": others}


Walls = set[tuple[int, int]]
"""Of each wall the cell above it or to its left, as number, and 0 or 1: below that cell, or to its right."""


def _walls(grid: _Grid, edges: Mapping[str, Any]) -> tuple[Walls, int]:
    """The thick lines between cells, and how many other lines there are."""
    walls: Walls = set()
    others = 0
    for key, style in edges.items():
        ends = key.split(",")
        if len(ends) != 2 or style is None:
            continue
        (row, column), (down, right) = sorted(map(grid.corner, ends))
        if style != THICK or (down - row) + (right - column) != 1:
            others += 1
        elif down > row:
            walls.add((row * grid.size.columns + column - 1, 1))
        else:
            walls.add(((row - 1) * grid.size.columns + column, 0))
    return walls, others


def _division(size: Size, walls: Walls, options: Options) -> tuple[Mark, ...]:
    """The regions that the lines enclose."""
    if options.boxless:
        return ()

    def apart(cell: int, beside: int) -> bool:
        return (min(cell, beside), int(abs(cell - beside) == 1)) in walls

    labels = flooded(size, apart)
    if len(set(labels)) == 1:
        if options.box is None:
            raise FormatError("this Penpa grid draws no regions: name the box, such as 3x3, or none")
        return (Mark("boxes", value=str(options.box)),)
    return divided(size, labels, options.box)


FORMATS = (
    link_format(
        name="penpa",
        summary="a link of Penpa+, where it draws no rules",
        fits=holds(HOST, "p"),
        sign="an address of penpa-edit with p=",
        read=read,
    ),
)
