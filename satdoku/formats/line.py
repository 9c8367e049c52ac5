"""`line`: a puzzle a line, row-major, one character a cell; above 9x9 decimals joined by commas. `sdm`: with 0."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Format, Holds, Options, Reading
from satdoku.formats.cells import ALWAYS_EMPTY, EMPTY_WHEN_ALONE, FIELD, Token, one_line, only_line, puzzle_of
from satdoku.puzzle import Puzzle

# What `satdoku solve` prints for several puzzles: the origin, the verdict, the grid.
ORIGIN = re.compile(r"(?:[^\t]*:\d+|argument \d+)\t[^\t]*\t")
MAX_DIGITS = 3
BLANKS = ALWAYS_EMPTY | EMPTY_WHEN_ALONE

MAX_WIDTH = 25
"""N up to which one character a cell is taken for a puzzle, though above 9x9 it holds no value above 9."""


def read(text: str, options: Options) -> Reading:
    """The first field of the only line that is neither blank nor a comment."""
    number, line = one_line(text, "line")
    tokens = _tokens(number, line)
    if not tokens:
        raise FormatError("no puzzle on this line", number, 1)
    return Reading(puzzle_of(tokens, options), "line")


def fits(text: str) -> bool:
    """One line of as many cells as some board has, each of one digit or in decimals."""
    return is_line(only_line(text))


def write(puzzle: Puzzle) -> str:
    return flat(puzzle.givens, puzzle.board.values)


def flat(values: tuple[int, ...], size: int) -> str:
    """Values as one line, 0 written as an empty cell."""
    return ("" if size <= 9 else ",").join(str(value) if value else "." for value in values)


def is_line(line: str) -> bool:
    """Whether one line of a file has as many cells as some board: how a file of puzzles is known."""
    tokens = _tokens(1, line)
    size = isqrt(len(tokens))
    if not all(token.isdigit() or token in BLANKS for token, _, _ in tokens):
        return False
    return size >= 4 and size * size == len(tokens) and (size <= MAX_WIDTH or not _are_characters(tokens))


def _are_characters(tokens: list[Token]) -> bool:
    """Whether the cells stand side by side; decimals have commas between them."""
    return tokens[1][2] - tokens[0][2] == 1


def _tokens(number: int, line: str) -> list[Token]:
    origin = ORIGIN.match(line)
    found = FIELD.search(line.replace("\ufeff", " "), origin.end() if origin else 0)
    if not found:
        return []
    column, field = found.start() + 1, found.group()
    parts = field.split(",")
    if len(parts) > 1 and len(parts[0]) <= MAX_DIGITS:
        tokens = []
        for part in parts:
            tokens.append((part, number, column))
            column += len(part) + 1
        return tokens
    return [(character, number, column + index) for index, character in enumerate(parts[0])]


FORMATS = (
    Format(
        name="line",
        summary="one puzzle a line, one character a cell",
        one_line=True,
        permissive=True,
        fits=fits,
        read=read,
        text_of=write,
    ),
    # Read only when named: without its name the line format reads the same.
    Format(
        name="sdm",
        summary="one puzzle a line, 0 for empty cells",
        one_line=True,
        explicit_only=True,
        read=lambda text, options: replace(read(text, options), format="sdm"),
        text_of=lambda puzzle: "".join(map(str, puzzle.givens)),
        holds=Holds(sizes=(4, 9)),
    ),
)
