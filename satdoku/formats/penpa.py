"""`penpa`: links of Penpa+: the digits and the thick lines around regions; all else is drawn, and no rule is stated."""

import binascii
import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate, pairwise
from math import ceil, floor
from typing import Any

from satdoku.drawings import Drawing, Point, drawn, noted
from satdoku.errors import FormatError, Refused
from satdoku.formats import Capabilities, Format, Options, Reading
from satdoku.formats.links import holds, link_sign, loaded, taken
from satdoku.formats.marks import board, list_of, refuse_drawings, stated, table_of
from satdoku.formats.penpa_drawn import THICK, fields, tables
from satdoku.formats.regions import Walls, divided, flooded, labels_of, walled
from satdoku.formats.samurai import SIDE, corners_of
from satdoku.limits import MAX_PUZZLE
from satdoku.puzzle import MAX_VALUES, Board, Mark, Position, Puzzle, Size
from satdoku.variants.placed import PlacedBoard

SHORT = (  # what stands for what in the whole text, in the order in which it was put there
    ("z", "zZ"), ('"qa"', "z9"), ('"pu_q"', "zQ"), ('"pu_a"', "zA"), ('"grid"', "zG"), ('"edit_mode"', "zM"),
    ('"surface"', "zS"), ('"line"', "zL"), ('"lineE"', "zE"), ('"wall"', "zW"), ('"cage"', "zC"), ('"number"', "zN"),
    ('"symbol"', "zY"), ('"special"', "zP"), ('"board"', "zB"), ('"command_redo"', "zR"), ('"command_undo"', "zU"),
    ('"command_replay"', "z8"), ('"numberS"', "z1"), ('"freeline"', "zF"), ('"freelineE"', "z2"), ('"thermo"', "zT"),
    ('"arrows"', "z3"), ('"direction"', "zD"), ('"squareframe"', "z0"), ('"polygon"', "z5"), ('"deletelineE"', "z4"),
    ('"killercages"', "z6"), ('"nobulbthermo"', "z7"), ('"__a"', "z_"), ("null", "zO"),
)  # fmt: skip
# Characters of the rules; the title and the author escape commas alone
ESCAPES = (("\n", "%2D"), (",", "%2C"), ("&", "%2E"), ("=", "%2F"))
ADDRESS = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
HOST = r"(swaroopg92|opt-pan)\.github\.io"
NUMBER = re.compile(r"[0-9]{1,7}")
# From the centre of a cell, in the order of the keys: itself, its corner, the middles of its lower and its right edge
MIDDLES = ((0, 0), (0.5, 0.5), (0.5, 0), (0, 0.5))
QUARTERS = ((-0.25, -0.25), (-0.25, 0.25), (0.25, -0.25), (0.25, 0.25))
KINDS = ("square", "sudoku")
MARGIN = 2  # rows and columns of keys around the grid
GIVEN = "1"  # the style of digits
COLOURED = ("1", '"true"')  # where colours are not only those of the styles
STACKS = ("command_redo", "command_undo", "command_replay")
TABLES = (
    "surface", "number", "numberS", "symbol", "freeline", "freelineE", "line", "lineE", "wall", "cage", "deletelineE",
)  # fmt: skip
# The keys of a layer, by what they hold
LISTS = ("thermo", "arrows", "direction", "squareframe", "polygon", "killercages", "nobulbthermo")
SCALE = 38  # pixels of a cell
HOLDS = Capabilities(
    marks=frozenset({"boxes", "region"}),
    shapes=frozenset({"size"}),
    any_box=True,
    metadata=frozenset({"title", "author", "rules"}),
    drawings=lambda puzzle: _drawn(puzzle)[2],
)
SIGN = link_sign(holds(HOST, "p"), "an address of penpa-edit with p=")


def read(text: str, options: Options) -> Reading:
    lines = _replaced(_unpacked(taken(text, HOST, "p", alone=True) or ""), SHORT).split("\n")
    head = [*lines[0].split(","), *[""] * 20]
    if head[0] not in KINDS or len(lines) < 6:
        raise FormatError(f"a Penpa grid of the kind {head[0][:20]!r}, expected {' or '.join(KINDS)}")
    grid = _grid(head, loaded(lines[1] or "[]", placed=False), loaded(lines[5], placed=False), options)
    layer = table_of(loaded(lines[3], placed=False), "the question layer")
    own = lines[14] if len(lines) > 14 and lines[13] in COLOURED else ""
    colours = table_of(loaded(own, placed=False), "the colours") if own else {}
    givens, texts = _numbers(grid, table_of(layer.get("number"), "number"))
    walls, edges = _walls(grid, table_of(layer.get("lineE"), "lineE"))
    drawings, others = drawn(fields(layer | {"number": texts, "lineE": edges}, colours, grid.point))
    title, author = (_replaced(part.partition(":")[2], ESCAPES[1:2]).strip() for part in head[15:17])
    rules = _replaced(head[18], ESCAPES).strip()
    shown = noted(drawings, others)
    refuse_drawings("Penpa", shown, rules, options)
    boards = [_board(grid, number, corner, walls, options) for number, corner in enumerate(grid.corners, 1)]
    division = [each.mark for each in boards] or _division(grid.size, walls, options)
    built = board(grid.size, division)
    puzzle = Puzzle.from_givens(built, {built.size.cell(place): value for place, value in givens.items()})
    return stated(Reading(puzzle), {"title": title, "author": author, "rules": rules}, shown, None, drawings)


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


def _replaced(text: str, pairs: Sequence[tuple[str, str]]) -> str:
    """The text with the second of each pair replaced by the first, the last pair first."""
    return reduce(lambda done, pair: done.replace(pair[1], pair[0]), reversed(pairs), text)


def _put(text: str, pairs: Sequence[tuple[str, str]]) -> str:
    return reduce(lambda done, pair: done.replace(*pair), pairs, text)


@dataclass(frozen=True, slots=True)
class _PenpaGrid:
    """The size of the puzzle, the rows and columns that stand above and left of it, those of all keys, and the corners
    of its boards where these are several."""

    size: Size
    top: int
    left: int
    rows: int
    columns: int
    corners: tuple[Position, ...] = ()

    def cell(self, key: str) -> int | None:
        row, column = (part - MARGIN for part in divmod(_number(key), self.columns))
        row, column = row - self.top, column - self.left
        inside = 0 <= row < self.size.rows and 0 <= column < self.size.columns
        return row * self.size.columns + column if inside else None

    def key(self, cell: int) -> int:
        row, column = divmod(cell, self.size.columns)
        return (row + MARGIN) * self.columns + column + MARGIN

    def point(self, key: str) -> Point | None:
        """Where the point of a key is: the centre of a cell, a corner, the middle of an edge, or of a quarter."""
        kind, rest = divmod(_number(key), self.rows * self.columns) if NUMBER.fullmatch(key) else (8, 0)
        if kind >= 8:
            return None
        rest, quarter = divmod(_number(key) - 4 * self.rows * self.columns, 4) if kind > 3 else (rest, 0)
        down, right = QUARTERS[quarter] if kind > 3 else MIDDLES[kind]
        row, column = divmod(rest, self.columns)
        return row - MARGIN - self.top + 1 + down, column - MARGIN - self.left + 1 + right

    def key_of(self, point: Point) -> str | None:
        """The key of a point; None if it has none, or is too far from the grid."""
        row, column = (floor(at + 0.25 + 1e-6) if at % 1 < 0.7 else ceil(at) for at in point)
        shift = (point[0] - row, point[1] - column)
        row, column = row - 1 + self.top + MARGIN, column - 1 + self.left + MARGIN
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        cell, every = row * self.columns + column, self.rows * self.columns
        if shift in QUARTERS:
            return str(4 * every + 4 * cell + QUARTERS.index(shift))
        return str(MIDDLES.index(shift) * every + cell) if shift in MIDDLES else None

    def corner(self, key: str) -> tuple[int, int]:
        row, column = divmod(_number(key) - self.rows * self.columns, self.columns)
        return row - 1 - self.top, column - 1 - self.left


def _number(key: str) -> int:
    if not NUMBER.fullmatch(key):
        raise FormatError(f"{key[:20]!r} is not the number of a cell")
    return int(key)


def _grid(head: list[str], margins: object, centers: object, options: Options) -> _PenpaGrid:
    columns, rows = _number(head[1]), _number(head[2])
    around = [part for part in list_of(margins, "the margins") if type(part) is int and 0 <= part < MAX_VALUES]
    if len(around) not in (0, 4):
        raise FormatError("expected four numbers of white rows and columns")
    top, bottom, left, right = around or [0] * 4
    sides = (rows - top - bottom, columns - left - right)
    if not 1 <= min(sides) <= max(sides) <= MAX_VALUES or options.size not in (None, sides):
        raise FormatError(f"a grid of {sides[0]}x{sides[1]} cells, expected {options.size or 'a board'}")
    grid = _PenpaGrid(options.of(*sides), top, left, rows + 2 * MARGIN, columns + 2 * MARGIN)
    steps = [part for part in list_of(centers, "the cells") if type(part) is int and abs(part) < 10**6]
    cells = {grid.cell(str(key)) for key in accumulate(steps) if key >= 0}
    if cells - {None} == set(range(sides[0] * sides[1])):
        return grid
    places = {grid.size.position(cell) for cell in cells if cell is not None}
    corners = corners_of(places)
    if corners is None:
        raise FormatError("some cells of the grid are cut out: boards here have all of them, or are a samurai")
    return replace(grid, size=replace(grid.size, digits=range(1, SIDE + 1)), corners=corners)


def _board(grid: _PenpaGrid, number: int, corner: Position, walls: Walls, options: Options) -> PlacedBoard:
    """One of several boards, with the regions between the walls inside it."""
    size = Size.of(SIDE)
    own: Walls = set()
    for cell, beside in walls:
        row, column = grid.size.position(cell)
        place = row - corner[0] + 1, column - corner[1] + 1
        if size.inside(place) and size.inside((place[0] + 1 - beside, place[1] + beside)):
            own.add((size.cell(place), beside))
    return PlacedBoard(number, corner, size, _division(size, own, options))


def _numbers(grid: _PenpaGrid, numbers: Mapping[str, Any]) -> tuple[dict[Position, int], dict[str, Any]]:
    """The givens, and the other numbers and texts."""
    givens, others = dict[Position, int](), dict[str, Any]()
    for key, entry in numbers.items():
        parts, cell = list_of(entry, "a number"), grid.cell(key)
        text = str(parts[0]).strip() if parts else ""
        if cell is not None and len(parts) > 2 and str(parts[2]) == GIVEN and re.fullmatch(r"[0-9]{1,3}", text):
            if int(text) not in grid.size.digits:
                raise FormatError(f"the digit {text} is not one of {grid.size.span}")
            givens[grid.size.position(cell)] = grid.size.inner(int(text))
        elif text:
            others[key] = entry
    return givens, others


def _walls(grid: _PenpaGrid, edges: Mapping[str, Any]) -> tuple[Walls, dict[str, Any]]:
    """The walls between regions, and the other lines along edges."""
    walls: Walls = set()
    others = dict[str, Any]()
    for key, style in edges.items():
        ends = key.split(",")
        if len(ends) != 2 or style is None:
            continue
        (row, column), (down, right) = sorted(map(grid.corner, ends))
        if style != THICK or (down - row) + (right - column) != 1:
            others[key] = style
        elif down > row:
            walls.add((row * grid.size.columns + column - 1, 1))
        else:
            walls.add(((row - 1) * grid.size.columns + column, 0))
    return walls, others


def _division(size: Size, walls: Walls, options: Options) -> tuple[Mark, ...]:
    if options.boxless:
        return ()
    labels = walled(size, walls)
    if len(set(labels)) == 1:
        if options.box is None:
            raise FormatError("this Penpa grid draws no regions: give the box, such as 3x3, or none")
        return (Mark("boxes", value=str(options.box)),)
    return divided(size, labels, options.box)


def _grid_of(size: Size) -> _PenpaGrid:
    return _PenpaGrid(size, 0, 0, size.rows + 2 * MARGIN, size.columns + 2 * MARGIN)


def _drawn(puzzle: Puzzle) -> tuple[dict[str, Any], dict[str, Any], list[Drawing]]:
    """The tables that draw what a puzzle draws without a rule, their colours, and what of that has a place."""
    grid, cells = _grid_of(puzzle.board.size), enumerate(puzzle.givens)
    return tables(puzzle.drawings, grid.key_of, (str(grid.key(cell)) for cell, value in cells if value))


def write(puzzle: Puzzle) -> str:
    size = puzzle.board.size
    grid = _grid_of(size)
    keys = [grid.key(cell) for cell in range(size.rows * size.columns)]
    edges = {f"{first},{second}": THICK for first, second in _edges(puzzle.board, grid)}
    numbers = {
        str(key): [str(puzzle.board.shown(value)), 1, GIVEN]
        for key, value in zip(keys, puzzle.givens, strict=True)
        if value
    }
    drawn, own, _ = _drawn(puzzle)
    layer: dict[str, object] = {key: {"__a": []} for key in STACKS}
    layer |= {key: {} for key in TABLES} | {key: [] for key in LISTS}
    empty, question, colours, steps = (
        json.dumps(part, separators=(",", ":"))
        for part in (
            layer,
            layer | drawn | {"number": drawn["number"] | numbers, "lineE": edges},
            layer | own,
            [keys[0], *(after - before for before, after in pairwise(keys))],
        )
    )
    lines = [_head(puzzle, grid), "[0,0,0,0]", "{}", question, empty, steps]
    lines += ["[]", "{}", '"x"', '"x"', "[3,2,0]", "", '"x"', "1" if own else "0"]
    lines += [colours, empty, "", "[]", "false"]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(_put("\n".join(lines), SHORT).encode()) + packer.flush()
    return ADDRESS + b64encode(packed).decode()


def _head(puzzle: Puzzle, grid: _PenpaGrid) -> str:
    """The kind and the measures of the grid, then what the puzzle says of itself."""
    rows, columns = grid.size.rows, grid.size.columns
    # The middle is that of a cell, a corner or an edge, whose keys follow each other in this order.
    kind = {(1, 1): 0, (0, 0): 1, (0, 1): 2, (1, 0): 3}[rows % 2, columns % 2]
    middle = kind * grid.rows * grid.columns + (grid.rows - 1) // 2 * grid.columns + (grid.columns - 1) // 2
    texts = (puzzle.title, puzzle.author, puzzle.rules)
    written = (_put(texts[0], ESCAPES[1:2]), _put(texts[1], ESCAPES[1:2]), _put(texts[2], ESCAPES))
    for name, text, put in zip(("title", "author", "rules"), texts, written, strict=True):
        if "\n" in put or text != _replaced(put, ESCAPES).strip():
            raise Refused(f"the penpa format cannot hold the {name}: blanks at its ends, %2, or several lines")
    head = ["square", columns, rows, SCALE, 0, 1, 1, SCALE * (columns + 1), SCALE * (rows + 1), middle, middle]
    head += [0, 0, 0, 0, f"Title: {written[0]}", f"Author: {written[1]}", "", written[2], "OFF", "false"]
    return ",".join(map(str, head))


def _edges(board: Board, grid: _PenpaGrid) -> Iterator[tuple[int, int]]:
    size, labels = board.size, labels_of(board, "penpa")
    shown = flooded(size, lambda cell, beside: labels[cell] != labels[beside])
    if None in labels or len(set(shown)) != len(set(labels)) or len(set(labels)) == 1:
        raise Refused("the penpa format holds connected regions that cover the grid, and this board has others")
    for cell, label in enumerate(labels):
        corner = grid.rows * grid.columns + grid.key(cell)  # below and to the right of the cell
        if (cell + 1) % size.columns and label != labels[cell + 1]:
            yield corner - grid.columns, corner
        if cell + size.columns < len(labels) and label != labels[cell + size.columns]:
            yield corner - 1, corner


FORMATS = (Format("penpa", "a link of Penpa+, where it draws no rules", read, write, HOLDS, SIGN, one_line=True),)
