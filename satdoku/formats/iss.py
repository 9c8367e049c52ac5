"""`iss`: the constraint strings of the Interactive Sudoku Solver, `.~R1C1_5.Cage~12~R1C1~R1C2`, and links with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import isqrt
from urllib.parse import unquote

from satdoku.errors import FormatError
from satdoku.formats import EVERY_SHAPE, Holds, Options, Reading
from satdoku.formats.iss_writer import (
    CELLS,
    CLUES,
    DIGITS,
    LINES,
    PAIRS,
    RULES,
    VALUED_CELLS,
    VALUED_LINES,
    killer_diagonal,
    write,
)
from satdoku.formats.links import link_format, taken
from satdoku.formats.marks import Cells, board, whole
from satdoku.formats.regions import divided
from satdoku.limits import MAX_PLAIN
from satdoku.puzzle import Mark, Position, Puzzle, Size
from satdoku.variants.boxes import Box

BEGIN = re.compile(r"\s*\.\s*(?:~|[A-Z][A-Za-z]+(?:~|\s|\.|$))")
CELL = re.compile(r"[Rr]([1-9a-g])[Cc]([1-9a-g])")
SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:(\d{1,2})-)?(\d{1,3}))?~?")
WEIGHTED = re.compile(r"(-?\d{1,6})_=_(-?\d{1,4}(?:_-?\d{1,4})*)")
SILENT = frozenset({"Shape", "NoBoxes", "RegionSize", "SearchPriority", "Jigsaw"})


def fits(text: str) -> bool:
    return BEGIN.match(text) is not None or _query(text) is not None


def _query(text: str) -> str | None:
    found = taken(text, r"sigh\.github\.io", "q")
    return found if found is not None and BEGIN.match(found) else None


def read(text: str, options: Options) -> Reading:
    """Raises FormatError, by name, for a constraint that is not understood."""
    bare = text if BEGIN.match(text) else _query(text)
    if bare is None or len(bare) > MAX_PLAIN:
        raise FormatError("expected constraints such as .~R1C1_5.Cage~12~R1C1~R1C2")
    items = [[part.strip() for part in item.split("~")] for item in unquote(bare).strip().split(".")[1:]]
    shape = _Shape.of(items, options)
    marks = [*shape.division(items, options)]
    givens: list[list[str]] = []
    for name, *rest in items:
        if name in ("", "Given"):
            givens.append(rest)
        elif name in READERS:
            marks += READERS[name](shape, name, rest)
        elif name not in SILENT:
            raise FormatError(
                f"the constraint {name[:40]!r} is not understood, and leaving it out would change the puzzle"
            )
    puzzle = Puzzle.from_givens(board(shape.size, tuple(dict.fromkeys(marks))), {})
    candidates = list(puzzle.candidates)
    for part in (part for rest in givens for part in rest):
        name, *values = part.split("_")
        row, column = shape.cell(name)
        numbers = [whole(value, part) for value in values]
        if not numbers or any(number not in shape.size.values for number in numbers):
            raise FormatError(f"{part[:40]!r} has no values of {shape.size.span}")
        candidates[(row - 1) * shape.size.columns + column - 1] &= sum(
            2 << number - shape.size.values[0] for number in set(numbers)
        )
    return Reading(Puzzle(puzzle.board, tuple(candidates)), "iss")


@dataclass(frozen=True, slots=True)
class _Shape:
    """The size of the board, and how many cells a region has."""

    size: Size
    region: int

    @classmethod
    def of(cls, items: Sequence[Sequence[str]], options: Options) -> _Shape:
        """What the constraints say of it; 9x9 if they say nothing."""
        stated = ["~".join(rest) for name, *rest in items if name == "Shape"] or ["9x9"]
        found = SHAPE.fullmatch(stated[0])
        if found is None or len(set(stated)) > 1:
            raise FormatError(f"the shape {stated[0][:30]!r}, expected one such as 6x6 or 9x9~0-8")
        rows, columns = int(found[1]), int(found[2])
        first = int(found[3] or 1)
        last = int(found[4] or max(rows, columns))
        if not 1 <= min(rows, columns) <= max(rows, columns) <= len(DIGITS) - 1 or not first <= last < first + 100:
            raise FormatError(f"the shape {stated[0][:30]!r}, expected up to 16x16")
        if options.size not in (None, (rows, columns)):
            raise FormatError(f"the shape is {rows}x{columns}, but the reader was asked for another")
        size = Size.of(rows, columns, options.values or range(first, last + 1))
        sizes = [whole(rest[0] if rest else None, "RegionSize") for name, *rest in items if name == "RegionSize"]
        return cls(size, sizes[-1] if sizes else len(size.values))

    def cell(self, name: str) -> Position:
        found = CELL.fullmatch(name)
        row, column = (DIGITS.index(part) for part in found.groups()) if found else (0, 0)
        if not (1 <= row <= self.size.rows and 1 <= column <= self.size.columns):
            raise FormatError(f"{name[:20]!r} is not a cell of the {self.size.shape} grid")
        return row, column

    def cells(self, names: Sequence[str], where: str) -> Cells:
        if not 0 < len(names) <= 2 * self.size.rows * self.size.columns:
            raise FormatError(f"{where} names {len(names)} cells, expected some of the {self.size.shape} grid")
        return tuple(self.cell(name) for name in names)

    def division(self, items: Sequence[Sequence[str]], options: Options) -> Iterator[Mark]:
        """The usual boxes unless there are to be none, and the regions of a jigsaw besides."""
        names = {item[0] for item in items}
        boxed = "NoBoxes" not in names and not options.boxless
        box = options.box or self._box() if boxed else None
        layouts = [item[-1] for item in items if item[0] == "Jigsaw"]
        if box is not None:
            yield Mark("boxes", value=str(box))
        for layout in layouts:
            if len(layout) != self.size.rows * self.size.columns:
                raise FormatError(f"a jigsaw of {len(layout)} cells, expected {self.size.rows * self.size.columns}")
            counts = {label: layout.count(label) for label in layout}
            full = range(max(self.size.rows, self.size.columns), len(self.size.values) + 1)
            if len(counts) == 1:
                continue
            if sum(count not in full for count in counts.values()) > 1:
                raise FormatError("a jigsaw with regions of several sizes")
            labels = [label if counts[label] in full else None for label in layout]
            if box is None and len(layouts) == 1:
                yield from divided(self.size, labels)
                continue
            for label in dict.fromkeys(label for label in labels if label):
                cells = (divmod(cell, self.size.columns) for cell, other in enumerate(labels) if other == label)
                yield Mark("extra-region", tuple((row + 1, column + 1) for row, column in cells))

    def _box(self) -> Box | None:
        """The squarest box of so many cells that tiles the board; lying if it can."""
        for short in range(isqrt(self.region), 1, -1):
            long, rest = divmod(self.region, short)
            for rows, columns in ((short, long), (long, short)):
                if not rest and self.size.rows % rows == self.size.columns % columns == 0:
                    return Box(rows, columns)
        return None


Reader = Callable[[_Shape, str, list[str]], Iterator[Mark]]


def _plain(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    """A rule of the board, or cells alone."""
    full = "~".join([name, *filter(None, rest)])
    if name in LINES or name in CELLS:
        cells = shape.cells(rest, name)
        yield Mark(LINES[name], (), (cells,)) if name in LINES else Mark(CELLS[name], cells)
    elif full in RULES:
        yield from RULES[full]
    else:
        raise FormatError(f"{full[:40]!r} is not understood")


def _valued_line(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    kind, value = VALUED_LINES[name]
    if rest and not CELL.fullmatch(rest[0]):
        value = whole(rest[0], name) if rest[0] else value
        rest = rest[1:]
    if rest[-1:] == ["LOOP"] and name == "SumLine":
        rest = [*rest[:-1], rest[0]]
    cells = shape.cells(rest, name)
    yield Mark("modular", (), (cells,)) if (kind, value) == ("modular-by", 3) else Mark(kind, (), (cells,), value)


def _valued_set(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    """Cells behind a value; of a cage none or 0 is none."""
    stated, cells = rest[0] if rest else "", shape.cells(rest[1:], name)
    weighted = WEIGHTED.fullmatch(stated)
    if name == "Sum" and weighted:
        yield Mark("sum", cells, value=f"{weighted[2].replace('_', ' ')}: = {weighted[1]}")
    elif name in ("ContainExact", "ContainAtLeast"):
        yield Mark(VALUED_CELLS[name], cells, value=" ".join(str(whole(part, name)) for part in stated.split("_")))
    elif name == "Cage":
        yield Mark("cage", cells, value=(whole(stated, name) if stated else 0) or None)
    else:
        value = whole(stated, name)
        yield Mark(VALUED_CELLS[name], cells, value=stated if name in ("LookAndSay", "Sum") else value)


def _pairs(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    """Every two of the cells that share an edge."""
    kind, value = PAIRS[name]
    cells = shape.cells(rest, name)
    pairs = [
        pair for pair in combinations(cells, 2) if abs(pair[0][0] - pair[1][0]) + abs(pair[0][1] - pair[1][1]) == 1
    ]
    if not pairs:
        raise FormatError(f"{name} names no cells that share an edge")
    yield from (Mark(kind, pair, value=value) for pair in pairs)


def _clue(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    """A row or column and what stands before and behind it; a sandwich has its sum first."""
    line, first, last = (*rest[1:2], rest[0], "") if name == "Sandwich" and len(rest) > 1 else (*rest, "", "", "")[:3]
    if not re.fullmatch(r"[RC][1-9a-g]", line):
        raise FormatError(f"{name} has {line[:20]!r}, expected a row or a column such as R1")
    number, row = DIGITS.index(line[1]), line[0] == "R"
    for text, at in ((first, 0), (last, (shape.size.columns if row else shape.size.rows) + 1)):
        if text:
            yield Mark(CLUES[name], ((number, at) if row else (at, number),), value=whole(text, name))


def _arrow(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    """The circle and its shaft; a pill has its length first, and is read from left to right or down."""
    length = whole(rest[0] if rest else None, name) if name == "PillArrow" else 1
    cells = shape.cells(rest[1:] if name == "PillArrow" else rest, name)
    if not 1 <= length <= 3 or len(cells) <= length:
        raise FormatError(f"{name} of {len(cells)} cells, expected a bulb and a line")
    yield Mark("arrow", tuple(sorted(cells[:length])), (cells[length:],))


def _little_killer(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    cell = shape.cell(rest[1] if len(rest) > 1 else "")
    line = killer_diagonal(cell, shape.size)
    if not line:
        raise FormatError(f"{name} has {rest[1]!r}, which begins no diagonal")
    outside = (2 * line[0][0] - line[1][0], 2 * line[0][1] - line[1][1])
    yield Mark("little-killer", (outside,), (line,), whole(rest[0], name))


def _quad(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    row, column = shape.cell(rest[0] if rest else "")
    cells = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
    yield Mark("quadruple", cells, value=" ".join(str(whole(part, name)) for part in rest[1:]))


def _indexing(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    kind = {"R": "row-indexer", "C": "column-indexer"}.get(rest[0] if rest else "")
    if kind is None:
        raise FormatError(f"{name} has {rest[:1]}, expected R or C")
    yield from (Mark(kind, (cell,)) for cell in shape.cells(rest[1:], name))


def _same(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    cells, count = shape.cells(rest[1:], name), whole(rest[0], name)
    if not 2 <= count <= len(cells) or len(cells) % count:
        raise FormatError(f"{name} of {len(cells)} cells in {count} sets")
    size = len(cells) // count
    yield Mark("same-values", (), tuple(cells[start : start + size] for start in range(0, len(cells), size)))


def _equal(shape: _Shape, name: str, rest: list[str]) -> Iterator[Mark]:
    ends = [-1, *(index for index, part in enumerate(rest) if part == "-"), len(rest)]
    yield Mark("equal-sum", (), tuple(shape.cells(rest[left + 1 : right], name) for left, right in pairwise(ends)))


READERS: dict[str, Reader] = {
    **dict.fromkeys((*LINES, *CELLS, *(name.partition("~")[0] for name in RULES)), _plain),
    **dict.fromkeys(VALUED_LINES, _valued_line),
    **dict.fromkeys(VALUED_CELLS, _valued_set),
    **dict.fromkeys(PAIRS, _pairs),
    **dict.fromkeys(CLUES, _clue),
    **dict.fromkeys(("Arrow", "PillArrow"), _arrow),
    "LittleKiller": _little_killer,
    "Quad": _quad,
    "Indexing": _indexing,
    "SameValues": _same,
    "EqualSum": _equal,
}
"""By the name of a constraint, what its arguments say."""


FORMATS = (
    link_format(
        name="iss",
        summary="a constraint string of the Interactive Sudoku Solver, or a link with one",
        fits=fits,
        sign="an address of sigh.github.io with q=, or .~ and .NAME~",
        read=read,
        text_of=write,
        holds=Holds(marks=None, sizes=(1, 16), shapes=EVERY_SHAPE, any_box=True, candidates=True),
    ),
)
