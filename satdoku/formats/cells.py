"""What the plain formats share: the characters of a cell, the field of a line, the box that a size implies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from string import ascii_lowercase, ascii_uppercase, digits

from satdoku.errors import FormatError, InputError
from satdoku.formats import Options
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import MOST_VALUES, Box, classic

Token = tuple[str, int, int]
"""A cell as written, and its line and column in the text, both from 1."""

ALWAYS_EMPTY = frozenset(".0")
EMPTY_WHEN_ALONE = frozenset("_*xX-")
DIGITS = frozenset(digits)
FIELD = re.compile(r"[^\s;]+")
COMMENT = re.compile(r"\s*(?:#.*)?")


def is_content(line: str) -> bool:
    """Whether a line of a file is more than a blank or a comment."""
    bare = line.strip().lstrip("\ufeff")
    return bool(bare) and not bare.startswith("#")


@lru_cache(maxsize=2)
def content(text: str) -> tuple[tuple[int, str], ...]:
    """The lines that are neither blank nor comments, each with its number; cached, as every format asks for them."""
    return tuple((number, line) for number, line in enumerate(text.splitlines(), 1) if is_content(line))


def one_line(text: str, format: str) -> tuple[int, str]:
    """The only line of content and its number; raises FormatError if there is none, or a second."""
    lines = content(text)
    if not lines:
        raise FormatError("no puzzle here: the text is empty")
    if len(lines) > 1:
        raise FormatError(f"a second line: the {format} format has one line a puzzle", lines[1][0], 1)
    return lines[0]


@lru_cache(maxsize=2)
def only_line(text: str) -> str:
    """The only line of content, else nothing; cached, as every format of one line asks for it."""
    bare = text.strip()
    if bare and "\n" not in bare and bare[0] not in "#\ufeff":
        return bare
    lines = content(text)
    return lines[0][1] if len(lines) == 1 else ""


def first_field(text: str) -> str:
    """The first field of the only line, else nothing."""
    found = FIELD.search(only_line(text))
    return found.group() if found else ""


def field_tokens(text: str, format: str) -> list[Token]:
    """The characters of the only field of the only line; raises FormatError if more than a comment follows."""
    number, line = one_line(text, format)
    found = FIELD.search(line)
    if not found:
        raise FormatError("no puzzle on this line", number, 1)
    if not COMMENT.fullmatch(line, found.end()):
        rest = line[found.end() :].lstrip()
        column = len(line) - len(rest) + 1
        raise FormatError(f"{rest.rstrip()[:20]!r} follows the puzzle: expected the end of the line", number, column)
    return [(character, number, found.start() + index) for index, character in enumerate(found.group(), 1)]


def puzzle_of(tokens: Sequence[Token], options: Options, drawn: Box | None = None) -> Puzzle:
    """The plain puzzle of N*N cells; `drawn` is the box that the text shows, if any.

    Raises FormatError for a count of cells that no board has, or a token that is not a cell.
    """
    size = size_of(tokens)
    box = box_for(size, options, drawn, tokens[0])
    return Puzzle.from_givens(classic(box.rows, box.columns), values_of(tokens, size, options))


def size_of(tokens: Sequence[Token]) -> int:
    """N of N*N cells; raises FormatError where no board has so many."""
    size = isqrt(len(tokens))
    if size * size != len(tokens) or not 4 <= size <= MOST_VALUES:
        raise FormatError(f"{len(tokens)} cells, but a puzzle has N*N: {_nearest(len(tokens))}", *tokens[0][1:])
    return size


def box_for(size: int, options: Options, drawn: Box | None = None, first: Token = ("", 1, 1)) -> Box:
    """The box that was asked for, else drawn, else usual; raises FormatError if there is none or it does not fit."""
    box = options.box or drawn or Box.of_size(size)
    if box is None:
        raise FormatError(f"a {size}x{size} puzzle has no boxes of equal shape", *first[1:])
    if box.size != size:
        raise FormatError(f"{size}x{size} cells, but boxes of {box} make a {box.size}x{box.size} puzzle", *first[1:])
    return box


def values_of(tokens: Sequence[Token], size: int, options: Options) -> list[int]:
    """The value of each token, 0 where it is empty; raises FormatError at the first that is neither."""
    letters = letters_of(options.alphabet, size)
    blank = _empty(tokens, size, options) - set(letters)
    known = dict.fromkeys(blank, 0) | {letter: value for value, letter in enumerate(letters, 1)}
    values = []
    for token, line, column in tokens:
        value = known.get(token)
        values.append(_value(token, line, column, size, options) if value is None else value)
    return values


def _empty(tokens: Sequence[Token], size: int, options: Options) -> frozenset[str]:
    """The characters of empty cells: . and 0, and another one where it is the only one.

    Raises FormatError where 0 stands beside another one and N does not occur: the values may be 0 to N-1.
    """
    if options.empty is not None:
        return frozenset(options.empty)
    seen = {token for token, _, _ in tokens}
    others = {token for token in seen if not token.isdigit()} - set(options.alphabet or "") - ALWAYS_EMPTY
    alone = others & EMPTY_WHEN_ALONE if len(others) == 1 and "." not in seen else frozenset()
    beside = sorted(seen & (alone | {"."}))
    if options.alphabet is None and "0" in seen and beside and str(size) not in seen:
        first = next(token for token in tokens if token[0] == "0")
        raise FormatError(
            f"0 and {beside[0]} both stand here, and {size} does not: if 0 is a value, name the alphabet, 0-{size - 1};"
            " if it is an empty cell, write all empty cells alike",
            *first[1:],
        )
    return ALWAYS_EMPTY | alone


def _value(token: str, line: int, column: int, size: int, options: Options) -> int:
    if options.alphabet is None and token.isascii() and token.isdigit():
        value = int(token[:9])
        if value <= size:
            return value
        raise FormatError(f"{value} is above {size}, the largest value of a {size}x{size} puzzle", line, column)
    expected = f"1-{size}" if options.alphabet is None else f"one of {''.join(letters_of(options.alphabet, size))}"
    empty = "." if "0" in (options.alphabet or "") else ". or 0"
    named = "; or name the characters of empty cells" if len(token) == 1 and not token.isalnum() else ""
    raise FormatError(
        f"{token[:20]!r} is not a cell of a {size}x{size} puzzle: expected {expected}, or {empty} where empty{named}",
        line,
        column,
    )


@lru_cache(maxsize=8)
def letters_of(alphabet: str | None, size: int) -> tuple[str, ...]:
    """The characters of the values 1..N in order, nothing if no alphabet was named.

    Raises FormatError if the alphabet is that of another size.
    """
    if alphabet is None:
        return ()
    letters = spelled(alphabet)
    if len(letters) != size:
        raise FormatError(f"the alphabet has {len(letters)} characters, but the puzzle is {size}x{size}")
    return letters


def spelled(alphabet: str) -> tuple[str, ...]:
    """An alphabet with its ranges written out: `1-9A-G`, `A-P` and `0-F` have 16 characters each.

    Raises InputError for a character that stands twice or is neither letter nor digit.
    """
    orders = (digits + ascii_uppercase, digits + ascii_lowercase)
    letters: list[str] = []
    rest = alphabet
    while rest:
        first, last = rest[0], rest[2:3] if rest[1:2] == "-" else ""
        order = next((order for order in orders if last and first in order and last in order), None)
        if order is not None and order.index(first) < order.index(last):
            letters += order[order.index(first) : order.index(last) + 1]
            rest = rest[3:]
        elif first.isalnum():
            letters.append(first)
            rest = rest[1:]
        else:
            raise InputError(f"alphabet {alphabet!r}: expected letters and digits, or ranges of them such as 1-9A-G")
    double = next((letter for letter in letters if letters.count(letter) > 1), None)
    if double or not letters:
        raise InputError(f"alphabet {alphabet!r}: {double!r} stands for two values" if double else "an empty alphabet")
    return tuple(letters)


def _nearest(count: int) -> str:
    sizes = [size for size in range(4, MOST_VALUES + 1) if Box.of_size(size)]
    after = next((index for index, size in enumerate(sizes) if size * size > count), len(sizes) - 1)
    near = sizes[max(after - 1, 0) : after + 1]
    return "the nearest are " + " and ".join(f"{size * size} ({size}x{size})" for size in near)
