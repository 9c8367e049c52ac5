"""`grid`: N rows of N cells, with or without drawn boxes; above 9x9 decimals apart from each other. `newspaper`: as
printed in newspapers: columns aligned, empty cells blank. There a cell is one character wider than the largest value,
boxes stand three characters further apart, and a blank line parts the bands; blank margins can make such a text
ambiguous, so that it is read only when named, and the writer pads every line to the full width."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product, takewhile
from typing import TypeVar

from satdoku.errors import FormatError
from satdoku.formats import Capabilities, Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.blanks import bare, filled, unnamed
from satdoku.formats.cells import Token, content, puzzle_of, size_of, values_of
from satdoku.formats.marks import board as drawn_board
from satdoku.formats.regions import WIDTH, divided, enclosed, ruled
from satdoku.formats.tidy import is_prose, tidied
from satdoku.limits import MAX_PLAIN
from satdoku.puzzle import MAX_VALUES, Board, Puzzle
from satdoku.variants.boxes import Box, box_of
from satdoku.words import plural

# Box-drawing characters are read as the ASCII ones that they refine.
PLAIN = dict.fromkeys(range(9472, 9600), "+") | {ord(c): "-" for c in "─━═╌┄┈"} | {ord(c): "|" for c in "│┃║╎┆┊"}
RULE = re.compile(r"[\s|+=-]*[-=][\s|+=-]*")
Row = list[list[Token]]  # one row of the text: its segments between bars, each a list of tokens
T = TypeVar("T")
# What to make of a drawing: (its tokens, its rows, the rows that a rule was drawn above)
Finish = Callable[[list[Token], list[Row], list[int]], T]
BORDER = re.compile(r"\s*\*[-=*]+\*?\s*")
BAR_OR_CELL = re.compile(r"\||[^\s|]+")
BLANKS = (
    "blanks are taken for empty cells where columns are aligned and each row and column has a digit: else put a dot in"
    " each empty cell"
)
OPEN = ".0"
MIN_ROWS = 4
MAX_SIGNS = 4 * MAX_VALUES**2  # characters of cells and bars: decimals, and a bar between each two
Numbered = tuple[int, list[str]]  # the number of a line, and its cells without what is drawn
MAX_LINES = 4 * MAX_VALUES  # rows of cells, and what is drawn between them
GAP = 3  # extra characters between two boxes
HOLDS = Capabilities(any_box=True, shapes=frozenset({"size"}))
NEWSPAPER = "aligned columns, blanks for empty cells"


def read(text: str, options: Options) -> Reading:
    def puzzle(tokens: list[Token], rows: list[Row], bands: list[int]) -> Reading:
        size = size_of(tokens, options, len(rows))
        try:
            box = options.box or (None if options.boxless else drawn_box(rows, bands))
        except FormatError:
            regions = enclosed(tokens, size, dict(_plain(content(text))))
            if regions is None:
                raise
            irregular = drawn_board(size, divided(size, regions))
            return Reading(Puzzle.from_givens(irregular, values_of(tokens, size, options)))
        if box is None and not options.shaped and len(tokens) != len(rows) ** 2:
            raise _not_square(rows, text)
        return Reading(puzzle_of(tokens, options, box, len(rows)))

    return attempt(text, puzzle, options)


def _plain(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    return [(number, line.translate(PLAIN)) for number, line in lines]


def _split(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Lines with blanks for a comma, semicolon or tab that each of N has N-1 times, and a dot in each empty field."""
    counts = {delimiter: {line.count(delimiter) for _, line in lines} for delimiter in ",;\t"}
    separator = next((one for one, count in counts.items() if len(lines) > 3 and count == {len(lines) - 1}), None)
    fields = [(number, line.replace('"', "").split(separator)) for number, line in lines] if separator else []
    return [(number, " ".join(part.strip() or "." for part in line)) for number, line in fields] or lines


def attempt(text: str, finish: Finish[T], options: Options) -> T:
    """What `finish` makes of a drawing: as it is, else without the names of rows and columns beside the cells."""
    drawn = content(text)
    if not drawn:
        raise FormatError("no puzzle here: the text is empty")
    if len(drawn) > MAX_LINES:
        what = f"over {MAX_LINES:,} lines: expected N rows of N cells"
        raise FormatError(f"{what}{_hint(_plain(drawn[:9]))}", drawn[MAX_LINES][0], 1)
    lines = _plain(drawn)
    lines = unnamed(_split(lines), RULE)
    try:
        return _finished(lines, finish)
    except FormatError as error:
        without = bare(lines, RULE)
        if without is None:
            raise _uneven(text) or error from None
        try:
            return _finished(without, finish)
        except FormatError as other:
            raise (error if options.shaped else other) from None  # a size that is stated counts every row


def _finished(lines: list[tuple[int, str]], finish: Finish[T]) -> T:
    """A dash may be drawing or an empty cell: it is taken as drawing first, which is far more common."""
    lines = filled(lines, RULE) or lines
    attempts: list[FormatError] = []
    for dashes_are_cells in (False, True):
        try:
            rows, bands = _rows(lines, dashes_are_cells)
            return finish([token for row in rows for segment in row for token in segment], rows, bands)
        except FormatError as error:
            attempts.append(error)
    raise attempts[0]


def _uneven(text: str) -> FormatError | None:
    for delimiter in ",;\t":
        counts = [(number, line.count(delimiter) + 1) for number, line in content(text)]
        ((usual, _),) = Counter(count for _, count in counts).most_common(1)
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
    values, columns, box = board.spread(board.texts(grid), ""), board.columns, box_of(board)
    width = max(map(len, values), default=1)
    tight = columns * (width + 1) - 1
    fits = tight + 2 * ((columns // box.columns if box else 1) - 1) <= WIDTH
    bar, corner = ("|", "+") if tight <= WIDTH and not fits else (" | ", "-+-")
    rows = ruled([value.rjust(width) for value in values], columns, box, bar, corner)
    return "\n".join(row.rstrip() for row in rows)


def _rows(lines: list[tuple[int, str]], dashes_are_cells: bool) -> tuple[list[Row], list[int]]:
    drawn: list[Row] = []
    bands: list[int] = []
    signs = 0
    for number, line in lines:
        if RULE.fullmatch(line) and not (dashes_are_cells and "+" not in line and "=" not in line):
            bands.append(len(drawn))
            continue
        segments: list[list[Token]] = [[]]
        for match in BAR_OR_CELL.finditer(line):
            if match.group() == "|":
                segments.append([])
            else:
                segments[-1].append((match.group(), number, match.start() + 1))
            signs += len(match.group())
            if signs > MAX_SIGNS:
                raise FormatError(f"over {MAX_SIGNS} characters of cells: expected N rows of N cells", number, 1)
        row = [segment for segment in segments if segment]
        if row:
            drawn.append(row)
        if len(drawn) > MAX_VALUES:
            what = f"over {MAX_VALUES} rows of cells"
            raise FormatError(f"{what}: expected N rows of N cells{_hint(lines[:9])}", number, 1)
    if not drawn:
        raise FormatError("no rows of cells here, only drawing", lines[0][0], 1)
    return _even(drawn, lines), bands


def _even(drawn: list[Row], lines: list[tuple[int, str]]) -> list[Row]:
    ways = (drawn, [_characters(row) for row in drawn])
    lengths = [{sum(map(len, row)) for row in rows} for rows in ways]
    for rows, widths in zip(ways, lengths, strict=True):
        if widths == {len(drawn)} != {1}:
            return rows
    # A row of one token is a row of characters.
    for rows, widths in zip(ways, lengths, strict=True):
        if len(widths) == 1 and widths != {1}:
            return rows
    raise _not_square(ways[1], "\n".join(line for _, line in lines))


def _not_square(rows: list[Row], text: str) -> FormatError:
    size, lengths = len(rows), [sum(map(len, row)) for row in rows]
    ((usual, _),) = Counter(lengths).most_common(1)
    short = max(lengths) <= size  # cells were left out
    odd = next((number for number, length in enumerate(lengths) if length != (size if short else usual)), 0)
    others = f"and there are {size} rows" if short and usual != size else f"and other rows have {usual}"
    what = f"row {odd + 1} has {plural(lengths[odd], 'cell')}, {others}"
    what = what if len(set(lengths)) > 1 else f"{plural(size, 'row')} of {plural(usual, 'cell')}"
    dots = "; put a dot in each empty cell" * (short and min(lengths) < max(lengths))
    wanted = f"expected N rows of N cells{_hint(content(text)) or dots}"
    return FormatError(f"{what}: {wanted}", *rows[odd][0][0][1:])


def _hint(lines: Sequence[tuple[int, str]]) -> str:
    wide = any("   " in line.strip() for _, line in lines)
    return f"; {BLANKS}" if wide else ""


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
        what = f"the boxes drawn have {down}x{across} cells"
        raise FormatError(f"{what}, but the grid is {size}x{size}", rows[0][0][0][1], 1)
    return Box(down, across)


def parts(text: str) -> list[tuple[int, str]]:
    """The puzzles of a text, each with the number of its first line; nothing unless these are several whole grids. Each
    has as many rows as cells in a row, and something stands between it and the next one."""
    if len(text) > MAX_PLAIN:
        return []
    lines = [line.translate(PLAIN) for line in tidied(text).splitlines()]
    grids = _grids(lines, "".join) or _grids(lines, None)
    if len(grids) < 2 or extends(grids):
        return []
    # What is drawn above the first row of a grid belongs to it.
    starts = [_above(lines, grid[0][0]) for grid in grids]
    ends = [start - 1 for start in starts[1:]] + [len(lines)]
    originals = text.splitlines()
    return [(start, "\n".join(originals[start - 1 : end])) for start, end in zip(starts, ends, strict=True)]


def _grids(lines: list[str], join: Callable[[list[str]], str] | None) -> list[list[Numbered]]:
    grids: list[list[Numbered]] = []
    apart = True  # whether something stands above that may end a grid
    for number, line in enumerate(lines, 1):
        if RULE.fullmatch(line) and line.strip():
            apart = apart or set(line.strip()) == {"-"}
            continue
        if not line.strip() or line.lstrip().startswith("#") or is_prose(line) or BORDER.fullmatch(line):
            apart = True
            continue
        tokens = line.replace("|", " ").split()
        cells = list(join(tokens)) if join else tokens
        if not grids or len(grids[-1]) == len(grids[-1][0][1]):
            if not apart or len(cells) < MIN_ROWS:
                return []
            grids.append([])
        grids[-1].append((number, cells))
        if len(cells) != len(grids[-1][0][1]):
            return []
        apart = False
    return grids if grids and len(grids[-1]) == len(grids[-1][0][1]) else []


def _above(lines: list[str], start: int) -> int:
    above = reversed(lines[: start - 1])
    drawn = takewhile(lambda line: line.strip() and (RULE.fullmatch(line) or BORDER.match(line)), above)
    return start - len(list(drawn))


def extends(grids: list[list[Numbered]]) -> bool:
    """Whether each grid is the one before it with more digits, as solvers print them: only the first is a puzzle."""
    flat = [[cell for _, cells in grid for cell in cells] for grid in grids]
    return any(one != two for one, two in pairwise(flat)) and all(
        len(one) == len(two) and all(a in OPEN or a == b for a, b in zip(one, two, strict=True))
        for one, two in pairwise(flat)
    )


def read_newspaper(text: str, options: Options) -> Reading:
    lines = [line.expandtabs() for line in text.splitlines()]
    if not any(lines):
        raise FormatError("no puzzle here: the text is empty")
    boxes = [options.box] if options.box else _usual(lines)
    boxes_of: dict[tuple[Token, ...], Box] = {}
    for box in boxes:
        for layout in _layouts(lines, box):
            boxes_of[tuple(layout)] = box
            if len(boxes_of) > 1:
                raise FormatError(
                    "blank margins leave more than one reading of this grid:"
                    " keep the blanks that end each line, or give the box"
                )
    if not boxes_of and filled(content(text), RULE) is not None:
        return read(text, options)  # columns are aligned otherwise, and leave no doubt which cells are blank
    if not boxes_of:
        shape = f"a grid with boxes of {boxes[0]}" if len(boxes) == 1 else "a newspaper grid"
        first = next((number for number, line in enumerate(lines, 1) if line.strip()), 1)
        raise FormatError(f"the digits do not stand in the rows and columns of {shape}", first, 1)
    tokens, box = next(iter(boxes_of.items()))
    return Reading(puzzle_of(tokens, options, box))


def write_newspaper(puzzle: Puzzle) -> str:
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
        (index, match.end(), (match.group(), index + 1, match.start() + 1))
        for index, line in enumerate(lines)
        for match in re.finditer(r"\S+", line)
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


SIGN = Detection(fits, "several lines", confidence=Confidence.POSSIBLE, view=View.CELLS)
FORMATS = (
    Format("grid", "N rows of N cells, bars and rules optional", read, write, HOLDS, SIGN),
    Format("newspaper", NEWSPAPER, read_newspaper, write_newspaper, sign=Detection(view=View.ALL), explicit_only=True),
)
