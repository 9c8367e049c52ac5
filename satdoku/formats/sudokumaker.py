"""`sudokumaker`: links of sudokumaker.app: cells, and constraints that are numbers of types with data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from satdoku.errors import FormatError
from satdoku.formats import Format, Options, Reading
from satdoku.formats.links import holds, link_sign, loaded, taken, unpacked
from satdoku.formats.marks import board, filled, has_content, list_of, stated, table_of, text_of, understood, whole
from satdoku.formats.regions import divided
from satdoku.puzzle import MAX_VALUES, Mark, Position, Puzzle, Size
from satdoku.words import plural

SITE = "sudokumaker.app"
NAMES = {16: "global entropy", 302: "clone", 303: "quadruple", 304: "look-and-say cages", 306: "counting circles"}
NAMES |= {404: "region sum line", 405: "sequence", 406: "entropy line", 407: "lockout line", 408: "arrow"}
NAMES |= {409: "double arrow", 500: "little killer", 501: "sandwich", 502: "X-sum", 503: "skyscraper"}
NAMES |= {504: "numbered room"}
"""What the types are called that are not read."""

RULES = {10: "diagonal-", 11: "diagonal+", 12: "anti-king", 13: "anti-knight"}
RULES |= {14: "disjoint-groups", 15: "nonconsecutive"}
ONE_CELL = {100: "even", 101: "odd", 102: "maximum", 103: "minimum", 600: "row-indexer", 601: "column-indexer"}
LINES = {400: "renban", 401: "whispers", 402: "palindrome", 403: "between"}
DOTS = {200: "difference", 201: "ratio", 202: "xv"}
REGIONS, XV, THERMOMETERS, CAGES, DIFFERENT, WHISPER, CUSTOM, TEXT = 1, 202, 300, 301, 305, 401, 1000, 2003
DRAWN = frozenset({2000, 2001, 2002})
SILENT = frozenset({0, 4000, 4001})  # givens, and fog
LETTERS = {10: "X", 5: "V"}
LOOKS = frozenset({"type", "style", "name", "disabled", "id", "groupId", "color", "description"})
CELL_KEYS = frozenset({"given", "value", "candidates", "cornerPencilMarks", "colors"})
SIZED = {"size", "width", "height", "minDigit", "maxDigit"}
PUZZLE_KEYS = SIZED | {"cells", "constraints", "name", "author", "comment", "solution", "type", "settings", "id"}
SIGN = link_sign(holds(SITE, "puzzle"), f"an address {SITE}/?puzzle=")


def read(text: str, options: Options) -> Reading:
    packed = taken(text, SITE, "puzzle", alone=True)
    if packed is None:
        raise FormatError(f"expected a link {SITE}/?puzzle=")
    return read_data(loaded(unpacked(packed), placed=False), options)


def read_data(raw: object, options: Options) -> Reading:
    data = table_of(table_of(raw, "the data").get("puzzle"), "puzzle")
    understood(data, PUZZLE_KEYS)
    cells = list_of(data.get("cells"), "cells")
    size = _size(data, len(cells), options)
    blocks = [table_of(block, "a constraint") for block in list_of(data.get("constraints"), "constraints")]
    blocks = [block for block in blocks if block.get("disabled") is not True]
    marks = list(_division(blocks, size, options))
    rules, drawn = [], 0
    for block in blocks:
        kind = whole(block.get("type"), "a constraint")
        rules += [text_of(block.get(key)) for key in ("rules", "text")] if kind == TEXT else []
        drawn += kind in DRAWN and _is_used(block)
        marks += _marks(kind, block, blocks, size)
    empty = Puzzle.from_givens(board(size, marks), {})
    reading = filled(empty, cells, CELL_KEYS, options, lambda cell, where: _pencilled(cell, where, size), "given")
    rules_text = "\n".join(filter(None, (text_of(data.get("comment")), *rules)))
    texts = {"title": text_of(data.get("name")), "author": text_of(data.get("author")), "rules": rules_text}
    return stated(reading, texts, [plural(drawn, "drawing")] * bool(drawn))


def _size(data: Mapping[str, Any], count: int, options: Options) -> Size:
    side = whole(data.get("size", 9 if "width" not in data else isqrt(count)), "size")
    columns = whole(data.get("width", side), "width")
    rows = whole(data.get("height", count // columns if columns else 0), "height")
    if not 1 <= min(rows, columns) <= max(rows, columns) <= MAX_VALUES or rows * columns != count:
        raise FormatError(f"{count} cells, expected {rows}x{columns}")
    first = whole(data.get("minDigit", 1), "minDigit")
    last = whole(data.get("maxDigit", first + max(rows, columns) - 1), "maxDigit")
    if not 0 <= first <= last < first + MAX_VALUES:
        raise FormatError(f"digits from {first} to {last}, expected at most {MAX_VALUES} from 0 or above")
    return options.of(rows, columns, range(first, last + 1))


def _is_used(block: Mapping[str, Any]) -> bool:
    return any(has_content(value) for key, value in block.items() if key not in LOOKS)


def _division(blocks: Sequence[Mapping[str, Any]], size: Size, options: Options) -> tuple[Mark, ...]:
    divisions = [list_of(block.get("regions"), "regions") for block in blocks if block.get("type") == REGIONS]
    if len(divisions) > 1 or any(len(labels) != size.rows * size.columns for labels in divisions):
        raise FormatError(f"expected one list of regions, of {size.rows * size.columns} cells")
    if options.boxless or not divisions:
        return ()
    labels = [whole(label, "regions") for label in divisions[0]]
    return divided(size, [label if label >= 0 else None for label in labels], options.box)


def _marks(kind: int, block: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]], size: Size) -> Iterator[Mark]:
    where = f"constraint {kind}"
    if kind in SILENT or kind in (REGIONS, TEXT) or kind in DRAWN:
        return
    if kind in RULES:
        yield Mark(RULES[kind])
        return
    if kind == CUSTOM:
        name = table_of(block.get("definition"), "definition").get("name")
        raise FormatError(f"a custom constraint ({text_of(name)[:40]!r}) is a program, and programs are not run")
    if kind not in READERS:
        if _is_used(block):
            raise FormatError(f"constraint type {kind} ({NAMES.get(kind, 'unknown')}) is not understood")
        return
    keys, reader = READERS[kind]
    understood(block, keys | LOOKS, where)
    yield from reader(_Block(kind, block, blocks, size, where))


@dataclass(frozen=True, slots=True)
class _Block:
    """A constraint of the file: its type, its data, all constraints, the size, and what messages call it."""

    kind: int
    data: Mapping[str, Any]
    all: Sequence[Mapping[str, Any]]
    size: Size
    where: str

    def cells(self, raw: object) -> tuple[Position, ...]:
        return tuple(self._place(cell) for cell in list_of(raw, self.where))

    def listed(self, key: str) -> list[Any]:
        return list_of(self.data.get(key), self.where)

    def _place(self, raw: object) -> tuple[int, int]:
        cell, size = whole(raw, self.where), self.size
        if not 0 <= cell < size.rows * size.columns:
            raise FormatError(f"{self.where} has the cell {cell}, which is outside the {size.shape} grid")
        return size.position(cell)


def _cells(block: _Block) -> Iterator[Mark]:
    cells = block.cells(block.data.get("cells"))
    if block.kind != DIFFERENT:
        yield from (Mark(ONE_CELL[block.kind], (cell,)) for cell in cells)
    elif cells:
        yield Mark("extra-region", cells)


def _cages(block: _Block) -> Iterator[Mark]:
    for raw in block.listed("cages"):
        cage = table_of(raw, block.where)
        total = whole(cage.get("value") or 0, block.where)
        if has_content(cage.get("cells")):
            yield Mark("cage", block.cells(cage["cells"]), value=total or None)


def _lines(block: _Block) -> Iterator[Mark]:
    name = LINES.get(block.kind) or ("slow-thermometer" if block.data.get("slow") is True else "thermometer")
    lines = [line for line in block.listed("thermometers" if block.kind == THERMOMETERS else "lines") if line]
    least = whole(block.data.get("minDifference"), block.where) if block.kind == WHISPER and lines else None
    yield from (Mark(name, (), (block.cells(line),), least) for line in lines)


def _dots(block: _Block) -> Iterator[Mark]:
    kind, columns, drawn = block.kind, block.size.columns, set[int]()
    for raw in block.listed("clues"):
        clue = table_of(raw, block.where)
        value = whole(clue.get("value"), block.where)
        if kind == XV and value not in LETTERS:
            raise FormatError(f"{block.where} has the value {value}, expected 10 (X) or 5 (V)")
        # A row of cells has its own edges between columns first, numbered from 1, then those to the row below.
        row, rest = divmod(whole(clue.get("edge"), block.where), 2 * columns)
        if rest == 0:
            raise FormatError(f"{block.where} has an edge that lies between no cells")
        cell = row * columns + (rest - 1 if rest < columns else rest - columns)
        cells = block.cells([cell, cell + (1 if rest < columns else columns)])
        drawn.add(value)
        yield Mark(DOTS[kind], cells, value=LETTERS[value] if kind == XV else value)
    negative = sorted({whole(value, block.where) for value in block.listed("negative")})
    others = any(has_content(other.get("clues")) for other in block.all if other.get("type") in {200, 201} - {kind})
    if kind == XV and negative == [5, 10]:
        yield Mark("negative-xv")
    elif kind == 200 and negative and not others:
        yield Mark("negative-difference", value=" ".join(map(str, negative)))
    elif kind == 201 and negative == sorted(drawn or {2}) and not others:  # what the mark denies
        yield Mark("negative-ratio")
    elif negative:
        raise FormatError(f"{block.where} has the negative values {negative}, which are not understood")


READERS: dict[int, tuple[set[str], Callable[[_Block], Iterator[Mark]]]] = {
    **{kind: ({"cells"}, _cells) for kind in (*ONE_CELL, DIFFERENT)},
    **{kind: ({"lines"}, _lines) for kind in LINES},
    **{kind: ({"clues", "negative"}, _dots) for kind in DOTS},
    WHISPER: ({"lines", "minDifference"}, _lines),
    THERMOMETERS: ({"thermometers", "slow"}, _lines),
    CAGES: ({"cages"}, _cages),
}
"""By the type of a constraint, the keys of its data and what they mean."""


def _pencilled(cell: Mapping[str, object], where: str, size: Size) -> int | None:
    if not has_content(cell.get("candidates")):
        return None
    mask = whole(cell["candidates"], where)
    return size.candidates(value for value in size.digits if mask >> value & 1)


FORMATS = (Format("sudokumaker", "a link of SudokuMaker", read, sign=SIGN, one_line=True),)
