"""`grid`: N rows of N cells, with or without drawn boxes; above 9x9 decimals apart from each other."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import mode
from typing import TypeVar

from satdoku.errors import FormatError
from satdoku.formats import Confidence, Format, Holds, Options, Reading, View
from satdoku.formats.cells import Token, content, puzzle_of, size_of, values_of
from satdoku.formats.marks import board as drawn_board
from satdoku.formats.regions import divided
from satdoku.formats.walls import WIDTH, enclosed
from satdoku.puzzle import MAX_VALUES, Board, Puzzle
from satdoku.variants.boxes import Box, box_of

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
        size = size_of(tokens, options, len(rows))
        try:
            box = options.box or (None if options.boxless else drawn_box(rows, bands))
        except FormatError:
            regions = enclosed(tokens, size, dict(_plain(text)))
            if regions is None:
                raise
            irregular = drawn_board(size, divided(size, regions))
            return Reading(Puzzle.from_givens(irregular, values_of(tokens, size, options)), "grid")
        if box is None and not options.shaped and len(tokens) != len(rows) ** 2:
            raise _not_square(rows, text)
        return Reading(puzzle_of(tokens, options, box, len(rows)), "grid")

    return attempt(text, puzzle)


def _plain(text: str) -> list[tuple[int, str]]:
    """The numbered lines, with ASCII for what is drawn."""
    return [(number, line.translate(PLAIN)) for number, line in content(text)]


def _delimiter(text: str) -> str | None:
    """A comma, semicolon or tab that each of N lines has N-1 times."""
    lines = content(text)
    counts = {delimiter: {line.count(delimiter) for _, line in lines} for delimiter in ",;\t"}
    return next((one for one, found in counts.items() if len(lines) > 3 and found == {len(lines) - 1}), None)


def _split_by(delimiter: str | None, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The same with blanks in place of a delimiter and of quotes, and a dot in each empty field."""
    if delimiter is None:
        return lines
    fields = ((number, line.replace('"', "").split(delimiter)) for number, line in lines)
    return [(number, " ".join(field.strip() or "." for field in line)) for number, line in fields]


def attempt(text: str, finish: Finish[T]) -> T:
    """What `finish` makes of a drawing.

    A dash may be drawing or an empty cell: it is taken as drawing first, which is far more common.
    """
    lines = _split_by(_delimiter(text), _plain(text))
    if not lines:
        raise FormatError("no puzzle here: the text is empty")
    attempts: list[FormatError] = []
    for dashes_are_cells in (False, True):
        try:
            rows, bands = _rows(lines, dashes_are_cells)
            return finish([token for row in rows for segment in row for token in segment], rows, bands)
        except FormatError as error:
            attempts.append(error)
    raise _uneven(text) or attempts[0]


def _uneven(text: str) -> FormatError | None:
    """The error of a table in which a line has more or fewer fields than the others."""
    for delimiter in ",;\t":
        counts = [(number, line.count(delimiter) + 1) for number, line in content(text)]
        usual = mode(count for _, count in counts)
        odd = next(((number, count) for number, count in counts if count != usual), None)
        if odd is not None and len(counts) > 3 and min(count for _, count in counts) > 3:
            return FormatError(f"{odd[1]} fields on this line, and {usual} on others: expected N rows of N", odd[0], 1)
    return None


def fits(text: str) -> bool:
    return len(content(text)) > 1


def write(puzzle: Puzzle) -> str:
    return draw(puzzle.board, puzzle.givens)


def draw(board: Board, grid: Sequence[int]) -> str:
    """Rows of right-aligned values, 0 as a dot, with bars and rules around the boxes.

    Bars have margins, except where a terminal is wide enough only without. What the layers of the board say follows.
    """
    return "\n".join(f"{name}:\n" * bool(name) + _drawn(board, part) for name, part in board.parts(grid))


def _drawn(board: Board, grid: Sequence[int]) -> str:
    values, columns, box = board.texts(grid), board.columns, box_of(board)
    width = max(map(len, values), default=1)
    across = box.columns if box else columns
    down = box.rows if box else len(values)
    tight = columns * (width + 1) - 1
    fits = tight + 2 * (columns // across - 1) <= WIDTH
    bar, corner = ("|", "+") if tight <= WIDTH and not fits else (" | ", "-+-")
    rows: list[str] = []
    for start in range(0, len(values), columns):
        cells = [value.rjust(width) for value in values[start : start + columns]]
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
        if len(drawn) > MAX_VALUES:
            raise FormatError(
                f"over {MAX_VALUES} rows of cells: expected N rows of N cells{_hint(lines[:9])}", number, 1
            )
    if not drawn:
        raise FormatError("no rows of cells here, only drawing", lines[0][0], 1)
    return _split(drawn, lines), bands


def _split(drawn: list[Row], lines: list[tuple[int, str]]) -> list[Row]:
    """The rows by their tokens, or by their characters, whichever are N rows of N cells or else as long as each other.

    Raises FormatError where they are neither.
    """
    ways = (drawn, [_characters(row) for row in drawn])
    lengths = [{sum(map(len, row)) for row in rows} for rows in ways]
    for rows, found in zip(ways, lengths, strict=True):
        if found == {len(drawn)}:
            return rows
    # A row of one token is a row of characters.
    for rows, found in zip(ways, lengths, strict=True):
        if len(found) == 1 and found != {1}:
            return rows
    raise _not_square(ways[1], "\n".join(line for _, line in lines))


def _not_square(rows: list[Row], text: str) -> FormatError:
    """The error for the first row that is not as long as there are rows."""
    size = len(rows)
    row = next(row for row in rows if sum(map(len, row)) != size)
    cells = sum(map(len, row))
    return FormatError(
        f"{cells} cells in a row, but there are {size} rows: expected N rows of N cells{_hint(content(text))}",
        *row[0][0][1:],
    )


def _hint(lines: Sequence[tuple[int, str]]) -> str:
    """What wide gaps inside lines suggest."""
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
    size, columns = len(rows), sum(map(len, rows[0]))
    widths = {len(segment) for row in rows for segment in row}
    inner = [row for row in bands if 0 < row < size]
    heights = {later - earlier for earlier, later in zip([0, *inner], [*inner, size], strict=True)}
    across = next(iter(widths)) if len(widths) == 1 else None
    down = next(iter(heights)) if len(heights) == 1 else None
    if across is None or down is None:
        line = rows[0][0][0][1]
        raise FormatError("the bars and rules drawn do not split the grid into boxes of one shape", line, 1)
    across = None if across in (1, columns) else across
    down = None if down in (1, size) else down
    if across is None and down is None:
        return None
    # A board with as many rows as a box has none drawn above another.
    across = across or max(size, columns) // (down or 1)
    down = down or max(size, columns) // across
    if size == columns and across * down != size:
        raise FormatError(
            f"the boxes drawn have {down}x{across} cells, but the grid is {size}x{size}", rows[0][0][0][1], 1
        )
    return Box(down, across)


FORMATS = (
    Format(
        name="grid",
        summary="N rows of N cells, bars and rules optional",
        fits=fits,
        sign="several lines",
        confidence=Confidence.POSSIBLE,
        view=View.CELLS,
        read=read,
        text_of=write,
        holds=Holds(any_box=True, shapes=frozenset({"size"})),
    ),
)
