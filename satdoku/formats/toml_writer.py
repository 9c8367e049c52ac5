"""Puzzles as our own TOML: the grid drawn, a key for each kind of mark, a line for each mark."""

import json
from collections.abc import Iterator

from satdoku.formats.grid import draw
from satdoku.formats.marks import cells_text
from satdoku.formats.regions import labels_of
from satdoku.puzzle import Board, Mark, Puzzle, Size, members, only
from satdoku.variants import REGIONS, Kind, Shape, kinds, rule_text
from satdoku.variants.boxes import box_of

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
}
"""By the shape of a mark, the key of its cells and that of its lines."""

LISTS = frozenset({"lines", "groups"})  # the keys of lines that hold a list of them; the others hold one
REGION_NAMES = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def write(puzzle: Puzzle) -> str:
    board = puzzle.board
    texts = (("title", puzzle.title), ("author", puzzle.author), ("ruleset", puzzle.rules))
    parts = [[f"{key} = {_quoted(text)}" for key, text in texts if text]]
    parts.append([*_size(board), *_division(board)])
    if any(puzzle.givens):
        parts[-1] += ['grid = """', draw(board, puzzle.givens), '"""']
    if puzzle.solution is not None:
        parts[-1] += ['solution = """', draw(board, puzzle.solution), '"""']
    rules = [rule_text(mark) for mark in board.marks if _kind(mark).shape is Shape.RULE and mark.kind not in REGIONS]
    if rules:
        parts.append(["rules = [" + ", ".join(f'"{name}"' for name in rules) + "]"])
    by_kind: dict[str, list[Mark]] = {}
    for mark in board.marks:
        if _kind(mark).shape is not Shape.RULE and mark.kind not in REGIONS:
            by_kind.setdefault(mark.kind, []).append(mark)
    parts += [list(_marks(kinds()[name], marks)) for name, marks in by_kind.items()]
    narrowed = [
        f"{board.label(cell)} = [{', '.join(board.texts(members(allowed)))}]"
        for cell, allowed in enumerate(puzzle.candidates)
        if allowed != board.every_value and not only(allowed)
    ]
    if narrowed:
        parts.append(["[candidates]", *narrowed])
    return "\n\n".join("\n".join(part) for part in parts if part)


def _size(board: Board) -> Iterator[str]:
    size = board.size
    yield f"size = {size.rows}" if size.rows == size.columns else f'size = "{size.shape}"'
    if size.values != Size.of(size.rows, size.columns).values:
        yield f'values = "{size.range_text}"'


def _quoted(text: str) -> str:
    """A text in quotes, over several lines where it has them; what JSON escapes, TOML does likewise, and DEL too."""
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
    names = [_region_name(label, count) for label in labels]
    width = max(map(len, names))
    yield 'regions = """'
    for start in range(0, board.cells, board.columns):
        row = [name.rjust(width) for name in names[start : start + board.columns]]
        yield ("" if width == 1 else " ").join(row)
    yield '"""'


def _region_name(label: int | None, count: int) -> str:
    if label is None:
        return "."
    return REGION_NAMES[label] if count <= len(REGION_NAMES) else f"{label + 1:03d}"


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
