"""`newspaper`: as printed in newspapers: columns aligned, empty cells blank, wider gaps between boxes. A cell is one
character wider than the largest value, boxes stand three characters further apart, and a blank line parts the bands.
Blank margins can make such a text ambiguous, so the format is read only when named, and the writer pads every line to
the full width."""

import re
from collections.abc import Iterator
from itertools import product

from satdoku.errors import FormatError
from satdoku.formats import Format, Options, Reading, Sign, View
from satdoku.formats.cells import Token, puzzle_of
from satdoku.puzzle import MAX_VALUES, Puzzle
from satdoku.variants.boxes import Box, box_of

GAP = 3  # extra characters between two boxes


def read(text: str, options: Options) -> Reading:
    lines = [line.expandtabs() for line in text.splitlines()]
    if not any(lines):
        raise FormatError("no puzzle here: the text is empty")
    boxes = [options.box] if options.box else _usual(lines)
    found: dict[tuple[Token, ...], Box] = {}
    for box in boxes:
        for layout in _layouts(lines, box):
            found[tuple(layout)] = box
            if len(found) > 1:
                raise FormatError(
                    "blank margins leave more than one reading of this grid:"
                    " keep the blanks that end each line, or name the box"
                )
    if not found:
        shape = f"a grid with boxes of {boxes[0]}" if len(boxes) == 1 else "a newspaper grid"
        first = next((number for number, line in enumerate(lines, 1) if line.strip()), 1)
        raise FormatError(f"the digits do not stand in the rows and columns of {shape}", first, 1)
    tokens, box = next(iter(found.items()))
    return Reading(puzzle_of(tokens, options, box), "newspaper")


def write(puzzle: Puzzle) -> str:
    box = box_of(puzzle.board)
    assert box is not None  # as it holds boards with boxes alone
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
    """The usual boxes that fit: of that exact size, else as high, else a band higher where blank rows were cut."""
    boxes = [box for size in range(4, MAX_VALUES + 1) if (box := Box.of_size(size))]
    bare = len("\n".join(lines).strip("\n ").splitlines())
    width = max(map(len, lines))
    high = [box for box in boxes if _height(box) == len(lines)]
    exact = [box for box in high if _width(box) == width]
    return exact or high or [box for box in boxes if bare <= _height(box) <= bare + box.rows]


def _height(box: Box) -> int:
    return box.size + box.columns - 1


def _width(box: Box) -> int:
    return (len(str(box.size)) + 1) * box.size - 1 + GAP * (box.rows - 1)


def _layouts(lines: list[str], box: Box) -> Iterator[list[Token]]:
    """Every way to lay the lines on such a grid; lines padded to one width leave a single margin."""
    size, digits = box.size, len(str(box.size))
    tokens = [
        (index, found.end(), (found.group(), index + 1, found.start() + 1))
        for index, line in enumerate(lines)
        for found in re.finditer(r"\S+", line)
    ]
    rows = [row + row // box.rows for row in range(size)]
    ends = [(digits + 1) * column + GAP * (column // box.columns) + digits for column in range(size)]
    widths = {len(line) for line in lines if line}
    if len(widths) == 1 and min(widths) >= _width(box):
        margins = [min(widths) - _width(box)]
    else:
        # The first digit stands in one of the columns, which leaves so many margins.
        margins = [tokens[0][1] - end for end in ends] if tokens else []
    highest = [tokens[0][0] - row for row in rows] if tokens else []
    tops = [0] if len(lines) == _height(box) else highest
    # Rows and columns fit or not by themselves, so that shifts of each are tried once and not in pairs.
    row_at, column_at = ({place: number for number, place in enumerate(places)} for places in (rows, ends))
    used_lines, used_ends = {line for line, _, _ in tokens}, {end for _, end, _ in tokens}
    fitting = [
        [shift for shift in shifts if all(place - shift in known for place in used)]
        for shifts, known, used in ((tops, row_at, used_lines), (margins, column_at, used_ends))
    ]
    for top, margin in product(*fitting):
        cells: list[Token] = [(".", 1, 1)] * (size * size)
        for line, end, token in tokens:
            cells[row_at[line - top] * size + column_at[end - margin]] = token
        yield cells


SIGN = Sign(view=View.ALL)
FORMATS = (Format("newspaper", "aligned columns, blanks for empty cells", read, write, sign=SIGN, explicit_only=True),)
