"""`grid`: N rows of N cells, with or without drawn boxes; above 9x9 decimals apart from each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from satdoku.errors import FormatError
from satdoku.formats import Format, Holds, Options, Reading
from satdoku.formats.cells import Token, content, puzzle_of, size_of, values_of
from satdoku.formats.marks import board
from satdoku.formats.regions import divided
from satdoku.formats.walls import WIDTH, enclosed
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import MOST_VALUES, Box, box_of

# Box-drawing characters are read as the ASCII ones that they refine.
PLAIN = dict.fromkeys(range(9472, 9600), "+") | {ord(c): "-" for c in "─━═╌┄┈"} | {ord(c): "|" for c in "│┃║╎┆┊"}
RULE = re.compile(r"[\s|+=-]*[-=][\s|+=-]*")

Row = list[list[Token]]
"""One row of the text: its segments between bars, each a list of tokens."""

T = TypeVar("T")
Finish = Callable[[list[Token], list[Row], list[int]], T]
"""What to make of a drawing: (its tokens, its rows, the rows that a rule was drawn above)."""


def read(text: str, options: Options) -> Reading:
    """Raises FormatError unless the text is N rows of N cells once the drawing is dropped."""

    def puzzle(tokens: list[Token], rows: list[Row], bands: list[int]) -> Reading:
        try:
            box = options.box or drawn_box(rows, bands)
        except FormatError:
            size = size_of(tokens)
            regions = enclosed(tokens, size, dict(_plain(text)))
            if regions is None:
                raise
            irregular = board(size, divided(size, regions))
            return Reading(Puzzle.from_givens(irregular, values_of(tokens, size, options)), "grid")
        return Reading(puzzle_of(tokens, options, box), "grid")

    return attempt(text, puzzle)


def _plain(text: str) -> list[tuple[int, str]]:
    """The numbered lines, with ASCII for what is drawn."""
    return [(number, line.translate(PLAIN)) for number, line in content(text)]


def attempt(text: str, finish: Finish[T]) -> T:
    """What `finish` makes of a drawing.

    A dash may be drawing or an empty cell: it is taken as drawing first, which is far more common.
    """
    lines = _plain(text)
    if not lines:
        raise FormatError("no puzzle here: the text is empty")
    attempts: list[FormatError] = []
    for dashes_are_cells in (False, True):
        try:
            rows, bands = _rows(lines, dashes_are_cells)
            return finish([token for row in rows for segment in row for token in segment], rows, bands)
        except FormatError as error:
            attempts.append(error)
    raise attempts[0]


def fits(text: str) -> bool:
    """More than one line."""
    return len(content(text)) > 1


def write(puzzle: Puzzle) -> str:
    return draw(puzzle.givens, puzzle.board.columns, box_of(puzzle.board))


def draw(values: Sequence[int], columns: int, box: Box | None) -> str:
    """Rows of right-aligned values, 0 as a dot, with bars and rules around the boxes.

    Bars have margins, except where a terminal is wide enough only without.
    """
    width = len(str(max(values, default=0)))
    across = box.columns if box else columns
    down = box.rows if box else len(values)
    tight = columns * (width + 1) - 1
    fits = tight + 2 * (columns // across - 1) <= WIDTH
    bar, corner = ("|", "+") if tight <= WIDTH and not fits else (" | ", "-+-")
    rows: list[str] = []
    for start in range(0, len(values), columns):
        cells = [(str(value) if value else ".").rjust(width) for value in values[start : start + columns]]
        segments = [" ".join(cells[left : left + across]) for left in range(0, columns, across)]
        if start and start // columns % down == 0:
            rows.append(corner.join("-" * len(segment) for segment in segments))
        rows.append(bar.join(segments))
    return "\n".join(rows)


def _rows(lines: list[tuple[int, str]], dashes_are_cells: bool) -> tuple[list[Row], list[int]]:
    """The rows, and before which rows a rule was drawn."""
    drawn: list[Row] = []
    bands: list[int] = []
    for number, line in lines:
        if RULE.fullmatch(line) and not (dashes_are_cells and "+" not in line and "=" not in line):
            bands.append(len(drawn))
            continue
        segments = [
            [(found.group(), number, found.start() + 1) for found in re.finditer(r"\S+", part)]
            for part in _blanked_parts(line)
        ]
        row = [segment for segment in segments if segment]
        if row:
            drawn.append(row)
        if len(drawn) > MOST_VALUES:
            raise FormatError(
                f"over {MOST_VALUES} rows of cells: expected N rows of N cells{_hint(lines[:9])}", number, 1
            )
    size = len(drawn)
    if not size:
        raise FormatError("no rows of cells here, only drawing", lines[0][0], 1)
    widths = {sum(map(len, row)) for row in map(_characters, drawn)}
    several = next((width for width in widths if len(widths) == 1 and size > width >= 4 and size % width == 0), 0)
    if several:
        where = drawn[several][0][0][1]
        raise FormatError(f"{size // several} grids of {several}x{several} here: expected one puzzle a text", where, 1)
    split = drawn if all(sum(map(len, row)) == size for row in drawn) else [_characters(row) for row in drawn]
    for row in split:
        cells = sum(map(len, row))
        if cells != size:
            token = row[0][0]
            raise FormatError(
                f"{cells} cells in a row, but there are {size} rows: expected N rows of N cells{_hint(lines)}",
                *token[1:],
            )
    return split, bands


def _hint(lines: list[tuple[int, str]]) -> str:
    """What commas, or wide gaps inside lines, suggest."""
    if all("," in line for _, line in lines):
        return "; cells are separated by blanks, not by commas"
    wide = any("   " in line.strip() for _, line in lines)
    return "; a newspaper's aligned columns need the format newspaper" if wide else ""


def _blanked_parts(line: str) -> list[str]:
    """The line once for each stretch between bars, all else blanked, so that columns stay true."""
    edges = [-1, *(index for index, character in enumerate(line) if character == "|"), len(line)]
    return [" " * (left + 1) + line[left + 1 : right] for left, right in pairwise(edges)]


def _characters(row: Row) -> Row:
    return [
        [(character, line, column + index) for token, line, column in segment for index, character in enumerate(token)]
        for segment in row
    ]


def drawn_box(rows: list[Row], bands: list[int]) -> Box | None:
    """The box that bars and rules draw; None where they say nothing or mark every cell."""
    size = len(rows)
    widths = {len(segment) for row in rows for segment in row}
    inner = [row for row in bands if 0 < row < size]
    heights = {later - earlier for earlier, later in zip([0, *inner], [*inner, size], strict=True)}
    across = next(iter(widths)) if len(widths) == 1 else None
    down = next(iter(heights)) if len(heights) == 1 else None
    if across is None or down is None:
        line = rows[0][0][0][1]
        raise FormatError("the bars and rules drawn do not split the grid into boxes of one shape", line, 1)
    across = None if across in (1, size) else across
    down = None if down in (1, size) else down
    if across is None and down is None:
        return None
    across = across or size // (down or 1)
    down = down or size // across
    if across * down != size:
        raise FormatError(
            f"the boxes drawn have {down}x{across} cells, but the grid is {size}x{size}", rows[0][0][0][1], 1
        )
    return Box(down, across)


FORMATS = (
    Format(
        name="grid",
        summary="N rows of N cells, bars and rules optional",
        permissive=True,
        fits=fits,
        read=read,
        text_of=write,
        holds=Holds(any_box=True),
    ),
)
