"""`iss`: the constraint strings of the Interactive Sudoku Solver, `.~R1C1_5.Cage~12~R1C1~R1C2`, and links with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from satdoku import variants
from satdoku.errors import FormatError
from satdoku.formats import EVERY_SHAPE, Capabilities, Format, Options, Reading
from satdoku.formats import iss_writer as names
from satdoku.formats.iss_parts import CELL, GridShape, Reader, bits_of, chaos
from satdoku.formats.iss_parts import READERS as OWN_READERS
from satdoku.formats.links import link_sign, taken, unescaped
from satdoku.formats.marks import Cells, board, value_of, whole
from satdoku.limits import MAX_PLAIN
from satdoku.puzzle import Mark, Position, Puzzle
from satdoku.variants import kinds

# An empty item before the first one is only taken where an argument follows: `..E..K` is a grid
BEGIN = re.compile(r"\s*\.\s*(?:~|[A-Z][A-Za-z]*(?:~|\s|\.|$)|\.\s*[A-Z][A-Za-z]+~)")
WEIGHTED = re.compile(r"(-?\d{1,6})_=_(-?\d{1,4}(?:_-?\d{1,4})*)")
GIVEN = ("", "Given")
COMPOSED = ("Or", "And", "Replicate")
MAX_DEPTH = 20
SILENT = frozenset({"Shape", "NoBoxes", "RegionSize", "SearchPriority", "Jigsaw"})
_Item = tuple[str, list[str], list["_Item"]]  # its name, what follows it, and the items before its `End`
SUMMARY = "a constraint string of the Interactive Sudoku Solver, or a link with one"
HOLDS = Capabilities(marks=None, sizes=(1, 16), shapes=EVERY_SHAPE, any_box=True, candidates=True)


def fits(text: str) -> bool:
    return BEGIN.match(text) is not None or _query(text) is not None


def _query(text: str) -> str | None:
    query = taken(text, r"sigh\.github\.io", "q")
    return query if query is not None and BEGIN.match(query) else None


def read(text: str, options: Options) -> Reading:
    bare = text if BEGIN.match(text) else _query(text)
    if bare is None or len(bare) > MAX_PLAIN:
        raise FormatError("expected constraints such as .~R1C1_5.Cage~12~R1C1~R1C2")
    items = [[part.strip() for part in map(unescaped, item.split("~"))] for item in bare.strip().split(".")[1:]]
    shape = GridShape.of(items, options)
    marks = [*shape.division(items, options)]
    givens: dict[Position, set[int]] = {}
    for name, rest, inside in _nested(iter(items)):
        if name in GIVEN:
            for position, values in _givens(shape, rest):
                givens[position] = givens.get(position, values) & values
        else:
            marks += _marks(shape, name, rest, inside)
    marks += (_is_one_of(cell, values) for cell, values in givens.items() if not shape.size.inside(cell))
    made = board(shape.size, tuple(dict.fromkeys(marks)))
    candidates = [made.every_value] * made.cells
    for position, values in givens.items():
        if shape.size.inside(position):
            candidates[shape.size.cell(position)] = shape.size.candidates(values)
    return Reading(Puzzle(made, tuple(candidates)))


def _nested(items: Iterator[list[str]], depth: int = 0) -> list[_Item]:
    nested: list[_Item] = []
    for name, *rest in items:
        if name == "End":
            if not depth:
                raise FormatError("an End that ends nothing")
            return nested
        if depth == MAX_DEPTH:
            raise FormatError(f"constraints inside each other more than {MAX_DEPTH} deep")
        nested.append((name, rest, _nested(items, depth + 1) if name in COMPOSED else []))
    return nested


def _marks(shape: GridShape, name: str, rest: list[str], inside: list[_Item]) -> Iterator[Mark]:
    if name in GIVEN:
        yield from (_is_one_of(*given) for given in _givens(shape, rest))
    elif name == "Replicate":
        template = [mark for item in inside for mark in _marks(shape, *item)]
        origin = shape.cell(rest[1] if len(rest) > 1 else "R1C1")
        for target, bit in enumerate(bits_of(rest[0] if rest else "", name)):
            yield from (_moved(shape, mark, origin, target) for mark in template if bit)
    elif name == "And":
        yield from (mark for item in inside for mark in _marks(shape, *item))
    elif name == "Or":
        parts = [tuple(_marks(shape, *item)) for item in inside]
        if not parts or not all(parts):
            raise FormatError("an Or with nothing to choose from")
        yield Mark("any", marks=tuple(part[0] if len(part) == 1 else Mark("all", marks=part) for part in parts))
    elif (reader := _reader(name)) is not None:
        yield from reader(shape, name, rest)
    elif name not in SILENT:
        raise FormatError(f"the constraint {name[:40]!r} is not understood, and leaving it out would change the puzzle")


def _givens(shape: GridShape, parts: Sequence[str]) -> Iterator[tuple[Position, set[int]]]:
    for part in parts:
        name, *values = part.split("_")
        numbers = {whole(value, part) for value in values}
        if not numbers or not all(number in shape.size.digits for number in numbers):
            raise FormatError(f"{part[:40]!r} has no values of {shape.size.span}")
        yield shape.cell(name), numbers


def _is_one_of(cell: Position, values: set[int]) -> Mark:
    return Mark("sum", (cell,), value=" ".join(map(str, sorted(values))))


def _moved(shape: GridShape, mark: Mark, origin: Position, target: int) -> Mark:
    def moved(cells: Cells) -> Cells:
        return tuple(shape.moved(cell, origin, target) for cell in cells)

    inside = tuple(_moved(shape, part, origin, target) for part in mark.marks)
    return replace(mark, cells=moved(mark.cells), lines=tuple(map(moved, mark.lines)), marks=inside)


def _reader(name: str) -> Reader | None:
    """What reads the arguments of a constraint: by its name, else by the shape of its kind."""
    return READERS.get(name) or (BY_SHAPE[kinds()[names.NAMES[name]].shape] if name in names.NAMES else None)


def _rule(shape: GridShape, name: str, rest: list[str]) -> Sequence[Mark]:
    stated = "~".join([name, *filter(None, rest)])
    if stated not in names.RULES:
        raise FormatError(f"{stated[:40]!r} is not understood")
    return names.RULES[stated]


def _line(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    kind = kinds()[names.NAMES[name]]
    value = names.usual_value(kind) if kind.value else None
    if kind.value and rest and not CELL.fullmatch(rest[0]):
        value = whole(rest[0], name) if rest[0] else value
        rest = rest[1:]
    if rest[-1:] == ["LOOP"] and name == "SumLine":
        rest = [*rest[:-1], rest[0]]
    cells = shape.cells(rest, name)
    yield Mark("modular", (), (cells,)) if (name, value) == ("Modular", 3) else Mark(kind.name, (), (cells,), value)


def _set(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    kind = kinds()[names.NAMES[name]]
    if kind.value is None:
        yield Mark(kind.name, shape.cells(rest, name))
        return
    stated, cells = rest[0] if rest else "", shape.cells(rest[1:], name)
    weighted = WEIGHTED.fullmatch(stated)
    if name == "Sum" and weighted:
        yield Mark("sum", cells, value=f"{weighted[2].replace('_', ' ')}: = {weighted[1]}")
    elif name == "Cage":
        total = (whole(stated, name) if stated else 0) or None
        once = tuple(dict.fromkeys(cells))
        yield Mark("cage", once, value=total if once == cells else None)
        if total and once != cells:
            yield Mark("sum", cells, value=str(total))
    else:
        if kind.value.text:
            whole(stated, name)
        yield Mark(kind.name, cells, value=value_of(kind, stated.replace("_", " "), name))


def _pairs(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    kind, value = names.PAIRS[name]
    cells = shape.cells(rest, name)
    pairs = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    if not pairs:
        raise FormatError(f"{name} names no cells that share an edge")
    yield from (Mark(kind, pair, value=value) for pair in pairs)


def _clue(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    line, first, last = (*rest[1:2], rest[0], "") if name == "Sandwich" and len(rest) > 1 else (*rest, "", "", "")[:3]
    if not re.fullmatch(r"[RC][1-9a-g]", line):
        raise FormatError(f"{name} has {line[:20]!r}, expected a row or a column such as R1")
    number, row = names.DIGITS.index(line[1]), line[0] == "R"
    for text, at in ((first, 0), (last, (shape.size.columns if row else shape.size.rows) + 1)):
        if text:
            yield Mark(names.NAMES[name], ((number, at) if row else (at, number),), value=whole(text, name))


def _arrow(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    length = whole(rest[0] if rest else None, name) if name == "PillArrow" else 1
    cells = shape.cells(rest[1:] if name == "PillArrow" else rest, name)
    if not 1 <= length <= 3 or len(cells) <= length:
        raise FormatError(f"{name} of {len(cells)} cells, expected a bulb and a line")
    yield Mark("arrow", tuple(sorted(cells[:length])), (cells[length:],))


def _little_killer(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    cell = shape.cell(rest[1] if len(rest) > 1 else "")
    line = names.killer_diagonal(cell, shape.size)
    if not line:
        raise FormatError(f"{name} has {rest[1]!r}, which begins no diagonal")
    outside = (2 * line[0][0] - line[1][0], 2 * line[0][1] - line[1][1])
    yield Mark("little-killer", (outside,), (line,), whole(rest[0], name))


def _quad(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    row, column = shape.cell(rest[0] if rest else "")
    cells = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
    yield Mark("quadruple", cells, value=" ".join(str(whole(part, name)) for part in rest[1:]))


def _indexing(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    kind = {"R": "row-indexer", "C": "column-indexer"}.get(rest[0] if rest else "")
    if kind is None:
        raise FormatError(f"{name} has {rest[:1]}, expected R or C")
    yield from (Mark(kind, (cell,)) for cell in shape.cells(rest[1:], name))


def _same(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    count, parts = whole(rest[0] if rest else None, name), rest[1:]
    if len(parts) == count and all(part.startswith("CC") for part in parts):
        yield Mark("same-region", tuple(map(shape.region_cell, parts)))
        return
    cells = shape.cells(parts, name)
    if not 2 <= count <= len(cells) or len(cells) % count:
        raise FormatError(f"{name} of {len(cells)} cells in {count} sets")
    size = len(cells) // count
    yield Mark("same-values", (), tuple(cells[start : start + size] for start in range(0, len(cells), size)))


def _equal(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    ends = [-1, *(index for index, part in enumerate(rest) if part == "-"), len(rest)]
    yield Mark("equal-sum", (), tuple(shape.cells(rest[left + 1 : right], name) for left, right in pairwise(ends)))


READERS: dict[str, Reader] = {  # by the name of a constraint, what its arguments say
    **{stated.partition("~")[0]: _rule for stated in names.RULES},
    **dict.fromkeys(names.PAIRS, _pairs),
    **dict.fromkeys(("Arrow", "PillArrow"), _arrow),
    "LittleKiller": _little_killer,
    "Quad": _quad,
    "Indexing": _indexing,
    "SameValues": _same,
    "EqualSum": _equal,
    **OWN_READERS,
}
BY_SHAPE: dict[variants.Shape, Reader] = {
    variants.Shape.LINE: _line,
    variants.Shape.CELLS: _set,
    variants.Shape.CLUE: _clue,
    variants.Shape.ARROW: chaos,
}
SIGN = link_sign(fits, "an address of sigh.github.io with q=, or .~ and .NAME~")
FORMATS = (Format("iss", SUMMARY, read, names.write, HOLDS, SIGN, one_line=True),)
