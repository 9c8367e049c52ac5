"""Puzzles as our own TOML: the grid drawn, a key for each kind of mark, a line for each mark; and how TOML spells the
rules that setters state themselves: each form as the plain fields of a mark."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from satdoku.drawings import noted
from satdoku.errors import FormatError
from satdoku.formats.boards import apart
from satdoku.formats.grid import draw
from satdoku.formats.marks import cells_text, shown
from satdoku.formats.regions import labels_of
from satdoku.formats.toml_drawings import written
from satdoku.puzzle import Board, Mark, Puzzle, Size, members, only
from satdoku.variants import BOARDS, REGIONS, Kind, Shape, build, kinds, label, rule_text
from satdoku.variants.boxes import box_of
from satdoku.variants.own import ALLOWED

FIELDS: dict[Shape, tuple[str | None, str | None]] = {
    Shape.CELL: ("cell", None),
    Shape.CELLS: ("cells", None),
    Shape.LINE: (None, "line"),
    Shape.ARROW: ("bulb", "lines"),
    Shape.CLONE: ("cells", "copy"),
    Shape.GROUPS: (None, "groups"),
    Shape.CLUE: ("cell", None),
    Shape.DIAGONAL: ("cell", "line"),
    Shape.MARKS: (None, None),
    Shape.BOARD: ("at", None),
}
"""By the shape of a mark, the key of its cells and that of its lines."""

TEXTS = {"title": "title", "author": "author", "ruleset": "rules"}  # the keys of texts, and where a puzzle has them
UNENFORCED = "not-enforced"  # the key of what its source showed that no constraint stands for
LISTS = frozenset({"lines", "groups"})  # the keys of lines that hold a list of them; the others hold one
REGION_NAMES = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
TomlTable = dict[str, object]
TERM = re.compile(r"\s*([+-]?)\s*(\d{1,6})?\s*\*?\s*([rR]\d{1,3}[cC]\d{1,3}|[A-Z]{1,8}\d{0,4}|\d{1,9})?\s*")
SIGN = re.compile(r"\s*(<=|>=|!=|=|<|>)?(.*)")


def write(puzzle: Puzzle) -> str:
    board = puzzle.board
    parts = [[f"{key} = {_quoted(text)}" for key, name in TEXTS.items() if (text := getattr(puzzle, name))]]
    drawn = noted(puzzle.drawings)  # as reading the drawings says again
    described = [what for what in puzzle.not_enforced if what not in drawn]
    if described:
        parts[0].append(f"{UNENFORCED} = [{', '.join(map(_quoted, described))}]")
    several = apart(puzzle)
    if not several:
        parts.append(list(_shape(board, puzzle.givens, puzzle.solution)))
    parts += [*_every_mark(board), written(puzzle.drawings)]
    narrowed = [
        f"{board.label(cell)} = [{', '.join(board.texts(members(allowed)))}]"
        for cell, allowed in enumerate(puzzle.candidates)
        if allowed != board.every_value and not only(allowed)
    ]
    if narrowed:
        parts.append(["[candidates]", *narrowed])
    for place, givens, solution in several:
        name = [f'name = "{place.name}"'] * bool(place.name)
        own = build(place.size, place.marks)
        head = ["[[board]]", *name, f'at = "{label(place.corner)}"', *_shape(own, givens, solution)]
        parts += [head, *_every_mark(own)]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _shape(board: Board, givens: Sequence[int], solution: Sequence[int] | None) -> Iterator[str]:
    size = board.size
    yield f"size = {size.rows}" if size.rows == size.columns else f'size = "{size.shape}"'
    if size.digits != Size.of(size.rows, size.columns).digits:
        yield f'values = "{size.range_text}"'
    yield from _division(board)
    if any(givens):
        yield from ('grid = """', draw(board, givens), '"""')
    if solution is not None:
        yield from ('solution = """', draw(board, solution), '"""')


def _every_mark(board: Board) -> list[list[str]]:
    rules = [rule_text(mark) for mark in board.marks if _kind(mark).shape is Shape.RULE and mark.kind not in REGIONS]
    by_kind: dict[str, list[Mark]] = {}
    for mark in board.marks:
        if _kind(mark).shape is not Shape.RULE and mark.kind not in (*REGIONS, BOARDS):
            by_kind.setdefault(mark.kind, []).append(mark)
    stated = [["rules = [" + ", ".join(f'"{name}"' for name in rules) + "]"]] if rules else []
    return [*stated, *(list(_marks(kinds()[name], marks)) for name, marks in by_kind.items())]


HALVES = re.compile("[\ud800-\udfff]")


def _quoted(text: str) -> str:
    """A text in quotes, over several lines where it has them; what JSON escapes, TOML does likewise, and DEL too.

    Half of a surrogate pair, which JSON can hold, is not a character: TOML has none, and gets a sign in its place.
    """
    text = HALVES.sub("\ufffd", text)
    lines = [json.dumps(line, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f") for line in text.split("\n")]
    return f'"{lines[0]}"' if len(lines) == 1 else "\n".join(['"""', *lines[:-1], lines[-1] + '"""'])


def _kind(mark: Mark) -> Kind:
    return kinds()[mark.kind]


def _division(board: Board) -> Iterator[str]:
    box = box_of(board)
    if box is not None:
        yield f'boxes = "{box}"'
        return
    if not any(mark.kind == "region" for mark in board.marks):
        yield 'boxes = "none"'
        return
    labels = labels_of(board, "toml")
    count = 1 + max(label for label in labels if label is not None)
    every = REGION_NAMES if count <= len(REGION_NAMES) else [f"{number:03d}" for number in range(1, count + 1)]
    names = ["." if label is None else every[label] for label in labels]
    width = max(map(len, names))
    yield 'regions = """'
    for start in range(0, board.cells, board.columns):
        row = [name.rjust(width) for name in names[start : start + board.columns]]
        yield ("" if width == 1 else " ").join(row)
    yield '"""'


def _marks(kind: Kind, marks: list[Mark]) -> Iterator[str]:
    if kind.shape is Shape.CELL and not kind.value:
        yield f'{kind.name} = "{" ".join(cells_text(mark.cells) for mark in marks)}"'
        return
    entries = [list(_fields(kind, mark)) for mark in marks]
    width = max(len(fields[0]) for fields in entries)
    yield f"{kind.name} = ["
    for fields in entries:
        if len(fields) > 1:
            yield f"    {{ {fields[0]},{' ' * (width - len(fields[0]))} {', '.join(fields[1:])} }},"
        elif kind.shape in (Shape.CELLS, Shape.LINE):
            yield f"    {fields[0].partition(' = ')[2]},"
        else:
            yield f"    {{ {fields[0]} }},"
    yield "]"


def _fields(kind: Kind, mark: Mark) -> Iterator[str]:
    cells_key, lines_key = FIELDS[kind.shape]
    if cells_key:
        yield f'{cells_key} = "{cells_text(mark.cells)}"'
    if lines_key in LISTS:
        yield f"{lines_key} = [" + ", ".join(f'"{cells_text(line)}"' for line in mark.lines) + "]"
    elif lines_key:
        yield f'{lines_key} = "{cells_text(mark.lines[0])}"'
    if mark.value is not None:
        yield f"value = {_quoted(mark.value)}" if isinstance(mark.value, str) else f"value = {mark.value}"
    if mark.marks:
        inside = (", ".join([f'kind = "{part.kind}"', *_fields(_kind(part), part)]) for part in mark.marks)
        yield f"of = [{', '.join(f'{{ {part} }}' for part in inside)}]"
    if mark.name:
        yield f"name = {_quoted(mark.name)}"


def _popped(entry: TomlTable, key: str, where: str) -> str:
    raw = entry.pop(key)
    if not isinstance(raw, str | int) or isinstance(raw, bool):
        raise FormatError(f"{where} has {key} = {shown(raw)}, expected a text")
    return str(raw)


def _renamed(key: str) -> Callable[[TomlTable, str], None]:
    def form(entry: TomlTable, where: str) -> None:
        if key in entry:
            entry["value"] = _popped(entry, key, where)

    return form


def _pair(entry: TomlTable, where: str) -> None:
    """`when`, or `allow`, a list such as ["1: 2 4", "2: 1"]; `loop = true` joins the last cell to the first."""
    rows = entry.pop("allow", None)
    if rows is not None:
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows) or "when" in entry:
            raise FormatError(f'{where}: expected when, or allow with a list such as ["1: 2 4", "2: 1"]')
        entry["value"] = ALLOWED + "; ".join(rows)
    _renamed("when")(entry, where)
    loop, line = entry.pop("loop", False), entry.get("line")
    if not isinstance(loop, bool):
        raise FormatError(f"{where} has loop = {shown(loop)}, expected true or false")
    if loop and isinstance(line, str) and line.split():
        entry["line"] = f"{line} {line.replace('-', ' ').split()[0]}"


def _automaton(entry: TomlTable, where: str) -> None:
    """`start`, `accept` and `steps`, a list such as ["even 2468 even", "even 13579 odd"]."""
    steps = entry.pop("steps", None)
    if steps is None:
        return
    if (
        not isinstance(steps, list)
        or not all(isinstance(step, str) for step in steps)
        or not {"start", "accept"} <= entry.keys()
    ):
        raise FormatError(f"{where}: expected start, accept, and steps with a list of STATE DIGITS STATE")
    ends = (f"start {_popped(entry, 'start', where)}", f"accept {_popped(entry, 'accept', where)}")
    entry["value"] = "; ".join((*ends, *steps))


def _counted(entry: TomlTable, where: str) -> None:
    if "values" in entry and "is" in entry:
        entry["value"] = f"{_popped(entry, 'values', where)}: {_popped(entry, 'is', where)}"


def _summed(entry: TomlTable, where: str) -> None:
    """`terms`, `r1c1 + 2 r1c2 - r2c2`, and `is`, `>= 5`, `10 15 20` or `= r6c1 + 1`."""
    if "terms" not in entry or "is" not in entry:
        return
    cells, added = _terms(_popped(entry, "terms", where), where)
    match = SIGN.fullmatch(_popped(entry, "is", where))
    sign, right = (match[1] or "=", match[2]) if match else ("=", "")
    if len(right.split()) > 1 and all(word.lstrip("-").isdecimal() for word in right.split()):
        total = " ".join(str(int(word) - added) for word in right.split())
    else:
        others, more = _terms(right, where)
        cells += [(cell, -weight) for cell, weight in others]
        total = str(more - added)
    entry["cells"] = " ".join(cell for cell, _ in cells)
    entry["value"] = f"{' '.join(str(weight) for _, weight in cells)}: {sign} {total}"


def _terms(written: str, where: str) -> tuple[list[tuple[str, int]], int]:
    cells: list[tuple[str, int]] = []
    added = at = 0
    while at < len(written):
        match = TERM.match(written, at)
        if match is None or not (match[2] or match[3]) or (at and not match[1]):
            break
        weight = (-1 if match[1] == "-" else 1) * int(match[2] or 1)
        if match[3] is None:
            added += weight
        elif match[3].isdecimal():
            break
        else:
            cells.append((match[3], weight))
        at = match.end()
    if at < len(written) or not written.strip():
        raise FormatError(f"{where} has {written[at : at + 20]!r}, expected terms such as r1c1 + 2 r1c2 - r2c2")
    return cells, added


SPELLED: dict[str, Callable[[TomlTable, str], None]] = {
    "pair": _pair,
    "pair-all": _pair,
    "regex": _renamed("match"),
    "automaton": _automaton,
    "count": _counted,
    "sum": _summed,
    **dict.fromkeys(("any", "all", "none", "exactly"), _renamed("count")),  # how many of the marks in `of`
}
"""For each kind that people state themselves: what puts its own keys into those of every mark."""


def plain(kind: Kind, entry: object, where: str) -> object:
    if kind.shape is Shape.MARKS and isinstance(entry, list):
        entry = {"of": entry}
    if kind.name in SPELLED and isinstance(entry, dict):
        entry = dict(entry)
        SPELLED[kind.name](entry, where)
    return entry


@dataclass(frozen=True, slots=True)
class Template:
    kind: str
    fields: Mapping[str, object]

    def filled(self, raw: object, name: str, cells_key: str | None, line_key: str | None) -> list[TomlTable]:
        """The entry of each of the texts that follow the name."""
        texts = raw if isinstance(raw, list) else [raw]
        if not all(isinstance(each, str) for each in texts):
            raise FormatError(f"{name}: expected texts, each with the cells of one mark")
        return [{"name": name, **self.fields, str(cells_key or line_key): each} for each in texts]


def templates(raw: object) -> dict[str, Template]:
    templates: dict[str, Template] = {}
    keys = {"pair": "when", "pair-all": "when", "regex": "match", "sum": "value", "count": "value"}
    for name, table in raw.items() if isinstance(raw, dict) else [("define", raw)]:
        fields = dict(table) if isinstance(table, dict) else {}
        shape = fields.pop("shape", None)
        kind = next(iter(fields), "")
        if len(fields) != 1 or kind not in (*keys, "automaton") or shape not in (None, "line", "cells"):
            raise FormatError(f"define.{name}: expected one of {', '.join(keys)} and automaton, and perhaps a shape")
        if shape is not None and (shape == "cells") != (kind in ("pair-all", "sum", "count")):
            raise FormatError(f"define.{name}: shape is {shape}, which {kind} is not")
        value = fields[kind]
        if not isinstance(value, dict) and kind in keys:
            value = {keys[kind]: value}
        if not isinstance(value, dict):
            raise FormatError(f"define.{name}: {kind} is {shown(value)}, expected a table")
        templates[name] = Template(kind, value)
    return templates
