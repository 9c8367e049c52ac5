"""A small drawing of each kind of mark, as the board draws it, for the page's tools."""

from __future__ import annotations

from typing import Any

import msgspec

from satdoku.errors import InputError
from satdoku.puzzle import Mark, Position, Size
from satdoku.variants import Frame, Kind, Shape
from satdoku.variants.drawing import of_mark
from satdoku.variants.strokes import Note

PAIR = ((1, 1), (1, 2))
EXAMPLES: dict[Shape, tuple[tuple[Position, ...], tuple[tuple[Position, ...], ...]]] = {
    Shape.CELL: (((1, 1),), ()),
    Shape.CELLS: (PAIR, ()),
    Shape.LINE: ((), (((3, 1), (2, 1), (1, 2), (1, 3)),)),
    Shape.ARROW: (((3, 1),), (((2, 2), (1, 3)),)),
    Shape.CLUE: (((0, 1),), ()),
    Shape.DIAGONAL: (((0, 1),), (((1, 2), (2, 3)),)),
    Shape.CLONE: (PAIR, (((3, 2), (3, 3)),)),
    Shape.GROUPS: ((), (PAIR, ((3, 1), (3, 2)))),
    Shape.RULE: ((), ()),
    Shape.MARKS: ((), ()),
}
SQUARE = (*PAIR, (2, 1), (2, 2))
SIZES = {"region": Size.of(2)}  # of boards on which the example fits; others take 9x9


def icon(kind: Kind) -> list[dict[str, Any]]:
    """Strokes as the page draws them; none for a kind that has no place on the board."""
    cells, lines = EXAMPLES[kind.shape]
    if kind.name.endswith("quadruple") or kind.name.startswith("quad-"):
        cells = SQUARE
    mark = Mark(kind.name, cells, lines, _value(kind))
    try:
        strokes = list(of_mark(Frame(SIZES.get(kind.name, Size.of(9)), (mark,)), mark))
    except InputError:  # what it draws rests on other marks
        return []
    drawn = (stroke for stroke in strokes if not isinstance(stroke, Note))
    return [{"type": type(stroke).__name__.lower(), "mark": None, **msgspec.to_builtins(stroke)} for stroke in drawn]


def _value(kind: Kind) -> int | str | None:
    value = kind.value
    if value is None:
        return None
    if value.words:
        return value.words[0]
    if value.several:
        return "1 2"
    usual = value.default if value.default is not None else 5 if value.required else None
    return str(usual) if value.text and usual is not None else usual
