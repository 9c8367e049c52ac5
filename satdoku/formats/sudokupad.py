"""`sudokupad`: links of sudokupad.app and app.crackingthecryptic.com, and what they hold without the address."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from satdoku.drawings import noted
from satdoku.errors import FormatError, PuzzleError, Refused
from satdoku.formats import METADATA, Format, Options, Reading, fpuzzles, sudokumaker
from satdoku.formats.cages import DIAGONALS
from satdoku.formats.capabilities import refuse_change
from satdoku.formats.drawn import of_sudokupad
from satdoku.formats.fpuzzles_writer import HOLDS as ONE_BOARD
from satdoku.formats.fpuzzles_writer import compress, link_data
from satdoku.formats.links import link_of, link_sign, loaded, taken, unescaped, unpacked
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
    with_rules,
)
from satdoku.formats.regions import divided
from satdoku.formats.sudokupad_boards import boards_data, boards_of, house_cells
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
CENTRE_MARKS = "centremarks"
CELL_KEYS = frozenset({"value", "given", CENTRE_MARKS, "pencilMarks", "cornermarks", "candidates"})
CELL_KEYS |= {"color", "colors", "c"}
DISTINCT = frozenset({"extraregion", "disjoint", "rowcol", "region"})
ADDRESS, SCL = "https://sudokupad.app/fpuzzles", "https://sudokupad.app/scl"
HOST = re.compile(r"(.*\.)?(sudokupad\.app|crackingthecryptic\.com)")
SCHEME = re.compile(r"\s*sudokupad:/{0,2}puzzle/(\S+)\s*", re.IGNORECASE)
PATH = re.compile(r"(?:sudoku(?:\.html)?/?)?(.*)", re.IGNORECASE | re.DOTALL)
KIND = re.compile(r"(fpuzzles|fpuz|scl|ctc|scf)(.+)", re.DOTALL)
BARE = re.compile(r"\s*((?:fpuzzles|fpuz|scl|ctc)N[0-9A-Za-z+/%-]{20,}[=\\]*|scf[0-9A-Za-x]{14,81}(?:\*.*)?)\s*")
PACKED = re.compile(r"[\s\"']*(N4[0-9A-Za-z+/%-]{20,}[=$\\]*)(?:[\s\"',;@]+([0-9.]{16,})?[\s\"',;]*)?")
QUERY = ("puzzleid", "puzzle", "load")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
CELLS = 81


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
    drawings, others = of_sudokupad(data, frame.top, frame.left)
    drawn = noted(drawings, others)
    refuse_drawings("SudokuPad", drawn, texts["rules"], options)
    boards = _boards(frame, regions, cages) if _free(data) else []
    division = [each.mark for each in boards] or _division(frame, regions, options)
    marks, labels = [*division, *_rules(data)], list[str]()
    spent = house_cells(boards)
    for number, cage in enumerate(cages, 1):
        if has_content(cage.get("cells")):
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
            found = "\n".join(map(text_of, value)) if isinstance(value, list) else text_of(value)
            texts[name] = texts[name] or found
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
    names += [name for name in ("antiknight", "antiking") if more.get(name)]
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
    if total is None and (label or not apart):
        labels.append(label)


def _pencilled(cell: Mapping[str, object], where: str, size: Size) -> int | None:
    """The values among the marks in the centre of a cell, which may be any texts; those in corners leave others out."""
    marks = {str(mark).strip() for mark in list_of(cell.get(CENTRE_MARKS), where)}
    return size.candidates(value for value in size.digits if str(value) in marks) or None


def name_of(text: str) -> str | None:
    """What a link names, or a text that is the same without an address; None for other texts."""
    bare = SCHEME.fullmatch(text) or BARE.fullmatch(text)
    if bare:
        return bare[1]
    link = link_of(text)
    if link is None or not HOST.fullmatch(link.host):
        return None
    link = link.alone()
    match = PATH.fullmatch(link.path)
    assert match is not None
    return next((link.query[key] for key in QUERY if link.query.get(key)), match[1])


def fits(text: str) -> bool:
    if any(known.fullmatch(text) for known in (SCHEME, BARE, PACKED)) or is_json(text):
        return True
    link = link_of(text)
    return link is not None and HOST.fullmatch(link.host) is not None


def data_of(text: str) -> dict[str, Any] | None:
    """What a text of the site holds, under long names; None if it is another text, or an f-puzzles one."""
    try:
        if not is_json(text):
            kind = KIND.fullmatch(name_of(text) or "")
            if kind is None or kind[1] not in ("scl", "ctc"):
                return None
            text = _payload(kind[2])
        return table_of(unzipped(text), "the puzzle")
    except FormatError:
        return None


def fpuzzles_of(text: str) -> dict[str, Any] | None:
    """What an f-puzzles text holds: a link of either site, what stands behind its address, or JSON; None for others."""
    try:
        bare, kind = PACKED.fullmatch(text), KIND.fullmatch(name_of(text) or "")
        packed = bare[1] if bare else kind[2] if kind else taken(text, fpuzzles.SITE, "load")
        data = loaded(text) if packed is None else unzipped(_payload(packed))
    except FormatError:
        return None
    return data if isinstance(data, dict) and "grid" in data else None


def _payload(packed: str) -> str:
    """The text of a link, packed or as it is."""
    plain = unescaped(packed)
    return plain if plain.lstrip().startswith("{") else unpacked(packed)


def read(text: str, options: Options) -> Reading:
    if is_json(text):
        return read_data(unzipped(text), options)
    if packed := PACKED.fullmatch(text):
        return _packed(packed[1], packed[2], options)
    name = name_of(text)
    kind = KIND.fullmatch(name or "")
    if kind is None:
        link = repr(name[:40]) if name else "the link"
        raise FormatError(
            f"{link} names a puzzle that only the server of the site knows, and nothing here asks the network: open it"
            " there, and copy a link that holds the puzzle, which begins sudokupad.app/scl or sudokupad.app/fpuzzles"
        )
    if kind[1] == "scf":
        return _classic(unescaped(kind[2]))
    data = unzipped(_payload(kind[2]))
    return fpuzzles.read_data(data, options) if kind[1].startswith("fpuz") else read_data(data, options)


def _classic(packed: str) -> Reading:
    """A character is a digit and the empty cells behind it; what follows the cells are tags."""
    cells: list[int] = []
    rest = packed
    while len(cells) < CELLS and rest[:1] in DIGITS and rest:
        empty, digit = divmod(DIGITS.index(rest[0]), 10)
        cells += [digit, *[0] * empty]
        rest = rest[1:]
    if len(cells) != CELLS:
        raise FormatError(f"{len(cells)} cells behind scf, expected {CELLS}")
    names, texts = list[str](), {"t": "", "a": ""}
    tags = rest.removeprefix("*").replace("**", "\0").split("*") if rest else []
    for tag in (tag.replace("\0", "*") for tag in tags):
        if tag[:1] in texts and tag:
            texts[tag[0]] = tag[1:]
        elif set(tag) <= {"w", "x"}:
            names += ["windoku"] * ("w" in tag) + [*DIAGONALS] * ("x" in tag)
        elif tag:
            raise FormatError(f"the tag {tag[:20]!r} behind scf is not understood, expected w, x, t or a")
    puzzle = Puzzle.from_givens(with_rules(names), cells)
    return Reading(replace(puzzle, title=texts["t"], author=texts["a"]))


def write(puzzle: Puzzle) -> str:
    return _several(puzzle) if puzzle.board.places else ADDRESS + link_data(puzzle, "sudokupad")


def _several(puzzle: Puzzle) -> str:
    """A puzzle of several boards, if that is what is read again."""
    data = boards_data(puzzle)
    try:
        again = read_data(data, Options()).puzzle
    except (FormatError, PuzzleError) as error:
        raise Refused(f"the sudokupad format cannot hold these boards: {error}") from None
    if again.board.size != puzzle.board.size:
        raise Refused("the sudokupad format holds several boards that are square, have the values 1..N and reach r1c1")
    refuse_change(puzzle.board, again.board, "sudokupad")
    lost = next((name for name in ("candidates", *METADATA) if getattr(again, name) != getattr(puzzle, name)), None)
    if lost is not None:
        raise Refused(f"the sudokupad format cannot hold the {lost} of this puzzle of several boards")
    return SCL + compress(json.dumps(data, separators=(",", ":")))


def _packed(packed: str, beside: str | None, options: Options) -> Reading:
    """Data of a link without the link, read by its keys, and the solution that may stand beside it."""
    text = unpacked(packed)
    data = unzipped(text) if is_json(text) else loaded(text, placed=False)
    keys = data if isinstance(data, dict) else {}
    form, reader = next((known for key, known in BY_KEY.items() if key in keys), ("f-puzzles", fpuzzles.read_data))
    reading = reader(data, options)
    solution, note = stated_solution(beside or "", reading.puzzle.board)
    puzzle = replace(reading.puzzle, solution=solution or reading.puzzle.solution)
    return replace(reading, puzzle=puzzle, format=form).noted(note)


HOLDS = replace(
    ONE_BOARD,
    shapes=(ONE_BOARD.shapes or frozenset()) | {"boards"},
    drawings=lambda puzzle: () if puzzle.board.places else ONE_BOARD.held(puzzle),
)
BY_KEY = {"cells": ("sudokupad", read_data), "puzzle": ("sudokumaker", sudokumaker.read_data)}
SIGN = link_sign(fits, "an address of SudokuPad; scl, ctc, scf or fpuzzles and data; N4 and data; its JSON")
FORMATS = (Format("sudokupad", "a link of SudokuPad, or what it holds", read, write, HOLDS, SIGN, one_line=True),)
