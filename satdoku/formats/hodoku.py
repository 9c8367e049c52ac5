"""`hodoku`: lines of its library, `:code:digits:GRID:deleted:eliminated:placed:`; `pm`: grids of candidates that
solvers print, also SudoCue's rows, in which `u5` is a digit that was entered; `pencilmark`: N*N*N characters, the value
or a dot for each cell and value; `candidates`: a grid of their tokens."""

import re
from itertools import islice
from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Capabilities, Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.cells import (
    Token,
    boxed_board,
    candidates_of,
    content,
    field_tokens,
    first_field,
    one_line,
    puzzle_of,
    size_of,
)
from satdoku.formats.marks import with_entered
from satdoku.formats.regions import ruled
from satdoku.limits import MAX_PLAIN
from satdoku.puzzle import Puzzle, Size, members, only
from satdoku.variants.boxes import Box, box_of
from satdoku.words import plural

LINE = re.compile(r":[0-9]{4}(?:-[0-9x]+)?:[0-9x]*:([0-9.+]{81,162}):([^:]*)(?::[^:]*){2,4}")
CELL = re.compile(r"\+?([0-9.])")
RULE = re.compile(r"\s*[.:'*|+](?:-+[.:'*|+])+\s*")
TOKEN = re.compile(r"[^\s|]+")
STEP = re.compile(r"[*#@A-Za-z-]+$")
MAX_SIZE = 9  # N up to which a candidate is one character
BLANKS = ".0"
PM = "digits and candidates as solvers print them, which are left out; sdx of SudoCue"
HOLDS = Capabilities(sizes=(1, MAX_SIZE), shapes=frozenset(), candidates=True)
PENCILMARK = "N*N*N characters: every candidate or a dot"
CANDIDATES = "a grid of candidates, several digits a cell"


def fits_line(text: str) -> bool:
    return LINE.fullmatch(text.strip()) is not None


def read_line(text: str, options: Options) -> Reading:
    number, line = one_line(text, "hodoku")
    match = LINE.fullmatch(line.strip())
    if match is None:
        raise _unlike(line, number)
    first = line.index(match[1]) + 1
    tokens: list[Token] = []
    entered: dict[int, int] = {}
    for place in CELL.finditer(match[1]):
        if place[0][0] == "+" and place[1] in "123456789":
            entered[len(tokens)] = int(place[1])
        tokens.append(("." if place[0][0] == "+" else place[1], number, first + place.start()))
    deleted = len(match[2].split())
    note = f"{plural(deleted, 'deleted candidate')} left out" if deleted else ""
    return with_entered(puzzle_of(tokens, options), entered, options).noted(note)


def _unlike(line: str, number: int) -> FormatError:
    expected = "expected :code:digits:grid:deleted:eliminated:placed:, as a library has them"
    fields = line.split(":")
    cells = fields[3] if len(fields) > 3 else ""
    odd = re.search(r"[^0-9.+]", cells)
    if odd:
        return FormatError(f"{odd[0]!r} is not a cell: {expected}", number, sum(map(len, fields[:3])) + odd.start() + 4)
    count = len(cells.replace("+", ""))
    what = f"{count} cells in the third field" if cells and count != MAX_SIZE**2 else f"{len(fields) - 1} colons"
    return FormatError(f"{what}: {expected}", number, 1)


def write(puzzle: Puzzle) -> str:
    return f":0000:x:{''.join(str(value or '.') for value in puzzle.givens)}::::"


def fits_grid(text: str) -> bool:
    lines = [line for _, line in content(text)]
    rules = sum(RULE.fullmatch(line) is not None for line in lines)
    entered = re.search(r"\bu[1-9]\b", text)
    marked = (rules > 1 and any(re.search(r"\d\d", line) for line in lines)) or entered is not None
    return marked and _tokens(text) is not None


def read_grid(text: str, options: Options) -> Reading:
    """Cells of one digit are given, unless it has a u or is among the candidates of a cell that it sees; of solvers'
    grids that is a digit nobody has found yet. The rest are pencil marks."""
    tokens = _tokens(text)
    if tokens is None:
        rows = [(number, len(TOKEN.findall(line))) for number, line in content(text) if not RULE.fullmatch(line)]
        odd = next((number for number, count in rows if count != len(rows)), 1)
        raise FormatError(f"{dict(rows).get(odd)} cells in this of {len(rows)} rows: expected N rows of N", odd)
    board = boxed_board(options.of(isqrt(len(tokens)), isqrt(len(tokens))), options)
    marks = [candidates_of((text.removeprefix("u"), line, column), board.size) for text, line, column in tokens]
    unseen: list[set[int]] = [set() for _ in tokens]
    for constraint in board.constraints if any(RULE.fullmatch(line) for _, line in content(text)) else ():
        for cell in constraint.cells:
            unseen[cell].update(other for other in constraint.cells if other != cell)
    alone = {cell: value for cell, allowed in enumerate(marks) if (value := only(allowed))}
    entered = {cell: value for cell, value in alone.items() if tokens[cell][0].startswith("u")}
    givens = {cell: v for cell, v in alone.items() if not any(marks[other] >> v & 1 for other in unseen[cell])}
    givens = {cell: value for cell, value in givens.items() if cell not in entered}
    left = {cell: allowed for cell, allowed in enumerate(marks) if cell not in givens and cell not in entered}
    return with_entered(Puzzle.from_givens(board, givens), entered, options, left)


def _tokens(text: str) -> list[Token] | None:
    rows = [
        [(STEP.sub("", match[0]) or match[0], number, match.start() + 1) for match in TOKEN.finditer(line)]
        for number, line in content(text)
        if not RULE.fullmatch(line)
    ]
    if not 4 <= len(rows) <= MAX_SIZE or any(len(row) != len(rows) for row in rows):
        return None
    return [token for row in rows for token in row]


def read_pencilmark(text: str, options: Options) -> Reading:
    tokens = field_tokens(text, "pencilmark", MAX_PLAIN)
    side = round(len(tokens) ** (1 / 3))
    size = options.of(*(options.size or (side, side)))
    width = len(size.digits)
    if size.rows * size.columns * width != len(tokens) or size.digits[-1] > MAX_SIZE or side < 4:
        raise FormatError(
            f"{len(tokens)} characters, expected N*N*N of them: 64 (4x4), 216 (6x6), 512 (8x8) or 729 (9x9)",
            *tokens[0][1:],
        )
    candidates = [0] * (size.rows * size.columns)
    ones = {index % width for index, (character, _, _) in enumerate(tokens) if character == "1"}
    bits = {character for character, _, _ in tokens} == {"0", "1"} and ones != {0}  # 1 for each candidate
    for index, (character, line, column) in enumerate(tokens):
        cell, offset = divmod(index, width)
        value = "1" if bits else str(size.digits[offset])
        if character == value:
            candidates[cell] |= 2 << offset
        elif character not in BLANKS:
            raise FormatError(f"{character!r} stands where {value} or a dot belongs", line, column)
    return Reading(_puzzle(candidates, size, options, tokens[0]))


def fits_pencilmark(text: str) -> bool:
    length = len(first_field(text))
    return any(length == size**3 and Box.of_size(size) for size in range(4, MAX_SIZE + 1))


def write_pencilmark(puzzle: Puzzle) -> str:
    board = puzzle.board
    values = range(1, board.values + 1)
    return "".join(str(board.shown(v)) if allowed >> v & 1 else "." for allowed in puzzle.candidates for v in values)


def read_candidates(text: str, options: Options) -> Reading:
    lines = [
        [(match.group(), number, match.start() + 1) for match in re.finditer(r"[^\s|+*:-]+", line)]
        for number, line in content(text)
    ]
    tokens = [token for line in lines for token in line]
    rows = sum(map(bool, lines))
    if not rows or rows * (len(tokens) // rows) != len(tokens) or (rows**2 != len(tokens) and not options.shaped):
        rows = isqrt(len(tokens))
    size = size_of(tokens or [("", 1, 1)], options, rows or 1)
    if size.digits[-1] > MAX_SIZE or (rows**2 != len(tokens) and not options.shaped):
        raise FormatError(f"{len(tokens)} sets of candidates, expected N*N of them for a board of up to 9x9", 1, 1)
    candidates = [candidates_of(token, size) for token in tokens]
    return Reading(_puzzle(candidates, size, options, tokens[0]))


def fits_candidates(text: str) -> bool:
    lines = content(text)
    every = (token for _, line in lines for token in re.findall(r"[^\s|+*:-]+", line))
    tokens = list(islice(every, MAX_SIZE**2 + 1))
    longest = max(map(len, tokens), default=0)
    return len(lines) > 3 and 1 < longest <= MAX_SIZE and len(tokens) in (16, 36, 64, 81)


def write_candidates(puzzle: Puzzle) -> str:
    cells = ["".join(puzzle.board.texts(members(allowed))) for allowed in puzzle.candidates]
    width = max(map(len, cells))
    rows = ruled([cell.ljust(width) for cell in cells], puzzle.board.columns, box_of(puzzle.board))
    return "\n".join(row.rstrip() for row in rows)


def _puzzle(candidates: list[int], size: Size, options: Options, first: Token) -> Puzzle:
    board = boxed_board(size, options, None, first)
    if 0 in candidates:
        raise FormatError(f"{board.label(candidates.index(0))} has no candidate", *first[1:])
    return Puzzle(board, tuple(candidates))


HODOKU_SIGN = Detection(
    fits_line, ":0000: and fields with colons between them", r":?[0-9x]{4}:[0-9x]{0,3}:", confidence=Confidence.CERTAIN
)
PM_SIGN = Detection(
    fits_grid,
    "rules such as .---.---. around sets of candidates, or rows with u and a digit",
    r"[.:'][-=]{2,}",
    confidence=Confidence.CERTAIN,
    view=View.CELLS,
)
PENCILMARK_SIGN = Detection(fits_pencilmark, "N*N*N characters on one line", r"(?!.{729}\s*$)[0-9.]{720,738}\s*$")
CANDIDATES_SIGN = Detection(
    fits_candidates, "a square of tokens, some of several digits", confidence=Confidence.POSSIBLE, view=View.CELLS
)
FORMATS = (
    Format(
        "hodoku", "a line of a HoDoKu library", read_line, write, Capabilities(sizes=(9, 9)), HODOKU_SIGN, one_line=True
    ),
    Format("pm", PM, read_grid, sign=PM_SIGN),
    Format("pencilmark", PENCILMARK, read_pencilmark, write_pencilmark, HOLDS, PENCILMARK_SIGN, one_line=True),
    Format("candidates", CANDIDATES, read_candidates, write_candidates, HOLDS, CANDIDATES_SIGN),
)
