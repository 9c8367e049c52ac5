"""`pencilmark`: N*N*N characters, the value or a dot for each cell and value; `candidates`: a grid of their tokens."""

from __future__ import annotations

import re
from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Format, Holds, Options, Reading
from satdoku.formats.cells import Token, box_for, content, field_tokens, first_field
from satdoku.puzzle import Puzzle, members
from satdoku.variants.boxes import Box, box_of, classic

EMPTY = ".0"
MAX_SIZE = 9
"""N up to which a candidate is one character."""


def read_line(text: str, options: Options) -> Reading:
    """Raises FormatError for a value in another's place, or a cell without candidates."""
    tokens = field_tokens(text, "pencilmark")
    size = round(len(tokens) ** (1 / 3))
    if size**3 != len(tokens) or not 4 <= size <= MAX_SIZE:
        raise FormatError(
            f"{len(tokens)} characters, expected N*N*N of them: 64 (4x4), 216 (6x6), 512 (8x8) or 729 (9x9)",
            *tokens[0][1:],
        )
    candidates = [0] * (size * size)
    for index, (character, line, column) in enumerate(tokens):
        cell, offset = divmod(index, size)
        if character == str(offset + 1):
            candidates[cell] |= 2 << offset
        elif character not in EMPTY:
            raise FormatError(f"{character!r} stands where {offset + 1} or a dot belongs", line, column)
    return Reading(_puzzle(candidates, size, options, tokens[0]), "pencilmark")


def fits_line(text: str) -> bool:
    """N*N*N characters for a board of up to 9x9."""
    length = len(first_field(text))
    return any(length == size**3 and Box.of_size(size) for size in range(4, MAX_SIZE + 1))


def write_line(puzzle: Puzzle) -> str:
    values = range(1, puzzle.board.values + 1)
    return "".join(str(v) if allowed >> v & 1 else "." for allowed in puzzle.candidates for v in values)


def read_grid(text: str, options: Options) -> Reading:
    """Rows of tokens, each the candidates of a cell; raises FormatError for a value above N or a repeated one."""
    tokens: list[Token] = [
        (found.group(), number, found.start() + 1)
        for number, line in content(text)
        for found in re.finditer(r"[^\s|+*:-]+", line)
    ]
    size = isqrt(len(tokens))
    if size * size != len(tokens) or not Box.of_size(size) or size > MAX_SIZE:
        raise FormatError(f"{len(tokens)} sets of candidates, expected N*N of them for a board of up to 9x9", 1, 1)
    candidates = []
    for token, line, column in tokens:
        if token in EMPTY:
            candidates.append((2 << size) - 2)
            continue
        if not (token.isascii() and token.isdigit()) or len(set(token)) != len(token):
            raise FormatError(f"{token[:20]!r} is not a set of candidates: expected digits, each once", line, column)
        above = next((digit for digit in token if not 1 <= int(digit) <= size), None)
        if above is not None:
            raise FormatError(f"{above} is not one of 1-{size}", line, column)
        candidates.append(sum(1 << int(digit) for digit in token))
    return Reading(_puzzle(candidates, size, options, tokens[0]), "candidates")


def fits_grid(text: str) -> bool:
    """Several lines in which a token has several digits, on a board small enough."""
    lines = content(text)
    tokens = [token for _, line in lines for token in re.findall(r"[^\s|+*:-]+", line)]
    longest = max(map(len, tokens), default=0)
    return len(lines) > 3 and 1 < longest <= MAX_SIZE and len(tokens) in (16, 36, 64, 81)


def write_grid(puzzle: Puzzle) -> str:
    size, box = puzzle.board.values, box_of(puzzle.board)
    assert box is not None
    cells = ["".join(map(str, members(allowed))) for allowed in puzzle.candidates]
    width = max(map(len, cells))
    rows = []
    for start in range(0, len(cells), size):
        padded = [cell.ljust(width) for cell in cells[start : start + size]]
        stacks = [" ".join(padded[left : left + box.columns]) for left in range(0, size, box.columns)]
        if start and start // size % box.rows == 0:
            rows.append("-+-".join("-" * len(stack) for stack in stacks))
        rows.append(" | ".join(stacks).rstrip())
    return "\n".join(rows)


def _puzzle(candidates: list[int], size: int, options: Options, first: Token) -> Puzzle:
    box = box_for(size, options, None, first)
    board = classic(box.rows, box.columns)
    if 0 in candidates:
        raise FormatError(f"{board.label(candidates.index(0))} has no candidate", *first[1:])
    return Puzzle(board, tuple(candidates))


HOLDS = Holds(sizes=(4, MAX_SIZE), candidates=True)
FORMATS = (
    Format(
        name="pencilmark",
        summary="N*N*N characters: every candidate or a dot",
        one_line=True,
        fits=fits_line,
        read=read_line,
        text_of=write_line,
        holds=HOLDS,
    ),
    Format(
        name="candidates",
        summary="a grid of candidates, several digits a cell",
        permissive=True,
        fits=fits_grid,
        read=read_grid,
        text_of=write_grid,
        holds=HOLDS,
    ),
)
