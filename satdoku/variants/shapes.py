"""What marks are made of, whatever they mean."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum


class Shape(Enum):
    """What a mark is made of: the cells and lines that `Mark` holds."""

    RULE = "rule"  # nothing but perhaps a value: it holds for the whole board
    CELL = "cell"  # one cell in `cells`
    CELLS = "cells"  # `cells`, in order
    LINE = "line"  # one line in `lines`
    ARROW = "arrow"  # a bulb in `cells`, and `lines` that leave it; the bulb is not repeated in them
    CLONE = "clone"  # `cells`, and their copy as the one line, in the same order
    GROUPS = "groups"  # groups of cells, each of them one of `lines`
    CLUE = "clue"  # one cell outside the grid in `cells`
    DIAGONAL = "diagonal"  # one cell outside the grid in `cells`, and the diagonal that it sees as the one line
    MARKS = "marks"  # other marks, in `marks`
    BOARD = "board"  # the upper left cell of a board in `cells`, and the marks on it in `marks`, if any


PARTS: dict[Shape, tuple[str, Callable[[int, int], bool]]] = {
    Shape.RULE: ("neither cells nor lines", lambda cells, lines: not cells and not lines),
    Shape.CELL: ("one cell and no line", lambda cells, lines: cells == 1 and not lines),
    Shape.CLUE: ("one cell and no line", lambda cells, lines: cells == 1 and not lines),
    Shape.CELLS: ("cells and no line", lambda cells, lines: cells > 0 and not lines),
    Shape.LINE: ("one line and no cells", lambda cells, lines: not cells and lines == 1),
    Shape.ARROW: ("a bulb and lines", lambda cells, lines: cells > 0),
    Shape.CLONE: ("cells and one line, their copy", lambda cells, lines: cells > 0 and lines == 1),
    Shape.GROUPS: ("groups of cells, each one of the lines", lambda cells, lines: not cells and lines > 0),
    Shape.DIAGONAL: ("one cell and one line", lambda cells, lines: cells == 1 and lines == 1),
    Shape.BOARD: ("one cell and marks", lambda cells, lines: cells == 1 and not lines),
    Shape.MARKS: ("marks alone", lambda cells, lines: not cells and not lines),
}
"""For each shape what its marks are made of: in words, and whether so many cells and lines are that."""
