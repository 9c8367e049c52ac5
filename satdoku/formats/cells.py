"""What the plain formats share: the characters of a cell, and the box that a size implies."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Options
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import Box, classic

Token = tuple[str, int, int]
"""A cell as written, and its line and column in the text, both from 1."""

ALWAYS_EMPTY = frozenset(".0")
EMPTY_WHEN_ALONE = frozenset("_*xX-")
DIGITS = frozenset("0123456789")


def puzzle_of(tokens: Sequence[Token], options: Options, drawn: Box | None = None) -> Puzzle:
    """The plain puzzle of N*N cells; `drawn` is the box that the text shows, if any.

    Raises FormatError for a count of cells that no board has, or a token that is no cell.
    """
    size = isqrt(len(tokens))
    if size * size != len(tokens) or size < 4:
        raise FormatError(f"{len(tokens)} cells, but a puzzle has N*N: {_nearest(len(tokens))}", *tokens[0][1:])
    box = options.box or drawn or Box.of_size(size)
    if box is None:
        raise FormatError(f"a {size}x{size} puzzle has no boxes of equal shape", *tokens[0][1:])
    if box.size != size:
        raise FormatError(
            f"{size}x{size} cells, but boxes of {box} make a {box.size}x{box.size} puzzle", *tokens[0][1:]
        )
    return Puzzle.from_givens(classic(box.rows, box.columns), values_of(tokens, size))


def values_of(tokens: Sequence[Token], size: int) -> list[int]:
    """The value of each token, 0 where it is empty; raises FormatError at the first that is neither."""
    others = {token for token, _, _ in tokens if not token.isdigit()} - ALWAYS_EMPTY
    alone = next(iter(others)) if len(others) == 1 and "." not in {token for token, _, _ in tokens} else None
    empty = ALWAYS_EMPTY | ({alone} & EMPTY_WHEN_ALONE)
    values = []
    for token, line, column in tokens:
        if token in empty:
            values.append(0)
        elif token.isascii() and token.isdigit():
            value = int(token[:9])
            if not value:
                values.append(0)
            elif value > size:
                raise FormatError(f"{value} is above {size}, the largest value of a {size}x{size} puzzle", line, column)
            else:
                values.append(value)
        else:
            raise FormatError(
                f"{token[:20]!r} is no cell of a {size}x{size} puzzle: expected 1-{size}, or . or 0 where empty",
                line,
                column,
            )
    return values


def _nearest(count: int) -> str:
    sizes = [size for size in range(4, 257) if Box.of_size(size)]
    after = next((index for index, size in enumerate(sizes) if size * size > count), len(sizes) - 1)
    near = sizes[max(after - 1, 0) : after + 1]
    return "the nearest are " + " and ".join(f"{size * size} ({size}x{size})" for size in near)
