"""`pencilmark`: N*N*N characters, the value or a dot for each cell and value; `candidates`: a grid of their tokens."""

import re
from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Confidence, Format, Holds, Options, Reading, Sign, View
from satdoku.formats.cells import Token, boxed_board, candidates_of, content, field_tokens, first_field, size_of
from satdoku.formats.regions import ruled
from satdoku.puzzle import Puzzle, Size, members
from satdoku.variants.boxes import Box, box_of

EMPTY = ".0"
MAX_SIZE = 9  # N up to which a candidate is one character


def read_line(text: str, options: Options) -> Reading:
    tokens = field_tokens(text, "pencilmark")
    side = round(len(tokens) ** (1 / 3))
    size = options.of(*(options.size or (side, side)))
    width = len(size.values)
    if size.rows * size.columns * width != len(tokens) or size.values[-1] > MAX_SIZE or side < 4:
        raise FormatError(
            f"{len(tokens)} characters, expected N*N*N of them: 64 (4x4), 216 (6x6), 512 (8x8) or 729 (9x9)",
            *tokens[0][1:],
        )
    candidates = [0] * (size.rows * size.columns)
    if {character for character, _, _ in tokens} == {"0", "1"} and _is_binary(tokens, width):
        # The same, with 1 for each candidate.
        tokens = [
            (str(size.values[index % width]) if character == "1" else ".", line, column)
            for index, (character, line, column) in enumerate(tokens)
        ]
    for index, (character, line, column) in enumerate(tokens):
        cell, offset = divmod(index, width)
        value = str(size.values[offset])
        if character == value:
            candidates[cell] |= 2 << offset
        elif character not in EMPTY:
            raise FormatError(f"{character!r} stands where {value} or a dot belongs", line, column)
    return Reading(_puzzle(candidates, size, options, tokens[0]), "pencilmark")


def _is_binary(tokens: list[Token], width: int) -> bool:
    return any(character == "1" and index % width for index, (character, _, _) in enumerate(tokens))


def fits_line(text: str) -> bool:
    length = len(first_field(text))
    return any(length == size**3 and Box.of_size(size) for size in range(4, MAX_SIZE + 1))


def write_line(puzzle: Puzzle) -> str:
    board = puzzle.board
    values = range(1, board.values + 1)
    return "".join(str(board.shown(v)) if allowed >> v & 1 else "." for allowed in puzzle.candidates for v in values)


def read_grid(text: str, options: Options) -> Reading:
    """Rows of tokens, each the candidates of a cell; raises FormatError for a value above N or a repeated one."""
    lines = [
        [(found.group(), number, found.start() + 1) for found in re.finditer(r"[^\s|+*:-]+", line)]
        for number, line in content(text)
    ]
    tokens = [token for line in lines for token in line]
    rows = sum(map(bool, lines))
    if not rows or rows * (len(tokens) // rows) != len(tokens) or (rows**2 != len(tokens) and not options.shaped):
        rows = isqrt(len(tokens))
    size = size_of(tokens or [("", 1, 1)], options, rows or 1)
    if size.values[-1] > MAX_SIZE or (rows**2 != len(tokens) and not options.shaped):
        raise FormatError(f"{len(tokens)} sets of candidates, expected N*N of them for a board of up to 9x9", 1, 1)
    candidates = [candidates_of(token, size) for token in tokens]
    return Reading(_puzzle(candidates, size, options, tokens[0]), "candidates")


def fits_grid(text: str) -> bool:
    lines = content(text)
    tokens = [token for _, line in lines for token in re.findall(r"[^\s|+*:-]+", line)]
    longest = max(map(len, tokens), default=0)
    return len(lines) > 3 and 1 < longest <= MAX_SIZE and len(tokens) in (16, 36, 64, 81)


def write_grid(puzzle: Puzzle) -> str:
    cells = ["".join(puzzle.board.texts(members(allowed))) for allowed in puzzle.candidates]
    width = max(map(len, cells))
    rows = ruled([cell.ljust(width) for cell in cells], puzzle.board.columns, box_of(puzzle.board))
    return "\n".join(row.rstrip() for row in rows)


def _puzzle(candidates: list[int], size: Size, options: Options, first: Token) -> Puzzle:
    board = boxed_board(size, options, None, first)
    if 0 in candidates:
        raise FormatError(f"{board.label(candidates.index(0))} has no candidate", *first[1:])
    return Puzzle(board, tuple(candidates))


HOLDS = Holds(sizes=(1, MAX_SIZE), shapes=frozenset(), candidates=True)
LINE_SIGN = Sign(fits_line, "N*N*N characters on one line", r"(?!.{729}\s*$)[0-9.]{720,738}\s*$")
GRID_SIGN = Sign(
    fits_grid, "a square of tokens, some of several digits", confidence=Confidence.POSSIBLE, view=View.CELLS
)
FORMATS = (
    Format(
        "pencilmark",
        "N*N*N characters: every candidate or a dot",
        read_line,
        write_line,
        HOLDS,
        LINE_SIGN,
        one_line=True,
    ),
    Format("candidates", "a grid of candidates, several digits a cell", read_grid, write_grid, HOLDS, GRID_SIGN),
)
