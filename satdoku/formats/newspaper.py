"""`newspaper`: as printed in newspapers: columns aligned, empty cells blank, wider gaps between boxes.

A cell is one character wider than the largest value, boxes stand three characters further apart,
and a blank line parts the bands. Blank margins can make such a text ambiguous, so the format is
read only when named, and the writer pads every line to the full width.
"""

from __future__ import annotations

import re

from satdoku.errors import FormatError, Refused
from satdoku.formats import Format, Options, Reading, refuse_loss
from satdoku.formats.cells import Token, puzzle_of
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import MOST_VALUES, Box, box_of

GAP = 3
"""Extra characters between two boxes."""


def read(text: str, options: Options) -> Reading:
    """Raises FormatError where a digit stands in no column, or where margins leave two readings."""
    lines = [line.expandtabs() for line in text.splitlines()]
    if not any(lines):
        raise FormatError("no puzzle here: the text is empty")
    boxes = [options.box] if options.box else _usual(lines)
    found = {tuple(tokens): box for box in boxes for tokens in _layouts(lines, box)}
    if not found:
        shape = f"a grid with boxes of {boxes[0]}" if len(boxes) == 1 else "a newspaper grid"
        first = next((number for number, line in enumerate(lines, 1) if line.strip()), 1)
        raise FormatError(f"the digits do not stand in the rows and columns of {shape}", first, 1)
    if len(found) > 1:
        raise FormatError(
            "blank margins leave more than one reading of this grid:"
            " keep the blanks that end each line, or use --format grid"
        )
    tokens, box = next(iter(found.items()))
    return Reading(puzzle_of(tokens, options, box), "newspaper")


def write(puzzle: Puzzle) -> str:
    refuse_loss(puzzle, "newspaper", frozenset({"boxes"}))
    box = box_of(puzzle.board)
    if box is None:
        raise Refused("the newspaper format holds boards with boxes, and this one has none")
    size, digits = box.size, len(str(box.size))
    lines: list[str] = []
    for row in range(size):
        if row and row % box.rows == 0:
            lines.append("")
        cells = [(str(v) if v else "").rjust(digits) for v in puzzle.givens[row * size : (row + 1) * size]]
        stacks = [" ".join(cells[left : left + box.columns]) for left in range(0, size, box.columns)]
        lines.append((" " * (GAP + 1)).join(stacks))
    return "\n".join(lines)


def _usual(lines: list[str]) -> list[Box]:
    """The usual boxes whose grid is as high as these lines, or a band higher where blank rows were cut."""
    bare = len("\n".join(lines).strip("\n ").splitlines())
    boxes = [box for size in range(4, MOST_VALUES + 1) if (box := Box.of_size(size))]
    exact = [box for box in boxes if _height(box) == len(lines)]
    return exact or [box for box in boxes if bare <= _height(box) <= bare + box.rows]


def _height(box: Box) -> int:
    return box.size + box.columns - 1


def _layouts(lines: list[str], box: Box) -> list[list[Token]]:
    """Every way to lay the lines on such a grid; lines padded to one width leave a single margin."""
    width = (len(str(box.size)) + 1) * box.size - 1 + GAP * (box.rows - 1)
    widths = {len(line) for line in lines if line}
    padded = len(widths) == 1 and min(widths) >= width
    margins = [min(widths) - width] if padded else range(1 - width, max(widths))
    tops = [0] if len(lines) == _height(box) else range(1 - _height(box), len(lines))
    layouts = (_lay(lines, box, top, margin) for top in tops for margin in margins)
    return [layout for layout in layouts if layout is not None]


def _lay(lines: list[str], box: Box, top: int, margin: int) -> list[Token] | None:
    """The cells if the grid's corner is at line `top`, column `margin`; None if any digit misses."""
    size, digits = box.size, len(str(box.size))
    ends = {margin + (digits + 1) * c + GAP * (c // box.columns) + digits: c for c in range(size)}
    starts = {row + row // box.rows + top: row for row in range(size)}
    tokens: list[Token] = [(".", 1, 1)] * (size * size)
    for index, line in enumerate(lines):
        for found in re.finditer(r"\S+", line):
            row, column = starts.get(index), ends.get(found.end())
            if row is None or column is None:
                return None
            tokens[row * size + column] = (found.group(), index + 1, found.start() + 1)
    return tokens


FORMATS = (
    Format("newspaper", "aligned columns, blanks for empty cells", False, True, lambda text: False, read, write),
)
