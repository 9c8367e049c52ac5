"""What the plain formats share: the characters of a cell, the field of a line, the box that a size implies."""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from string import ascii_lowercase, ascii_uppercase, digits

from satdoku.cache import cached_texts
from satdoku.errors import FormatError, InputError
from satdoku.formats import NO_BOXES, Options
from satdoku.formats.marks import board as plain_board
from satdoku.puzzle import MAX_VALUES, Board, Mark, Puzzle, Size
from satdoku.variants.boxes import Box
from satdoku.words import plural

Token = tuple[str, int, int]  # a cell as written, and its line and column in the text, both from 1
ALWAYS_EMPTY = frozenset(".0")
EMPTY_WHEN_ALONE = frozenset("_*xXoO-?·•\u2013\u2014□▢▫◻")
DIGITS = frozenset(digits)
CELLS = DIGITS | ALWAYS_EMPTY | EMPTY_WHEN_ALONE | {","}
MAX_SHOWN = 20  # characters of a text that is quoted
MAX_ROW = 9  # cells that are taken to be one row of a puzzle
MAX_CELLS = 2 * MAX_VALUES**2  # of a line: a puzzle and its solution
FIELD = re.compile(r"[^\s;]+")
COMMENT = re.compile(r"\s*(?:#.*)?")


def is_content(line: str) -> bool:
    """Whether a line is neither blank nor a comment."""
    bare = line.strip().lstrip("\ufeff")
    return bool(bare) and not bare.startswith("#")


def is_cells(text: str) -> bool:
    """Whether each of at least four characters may be that of a cell."""
    return len(text) >= 4 and CELLS.issuperset(text)


@cached_texts(2)
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


@cached_texts(2)
def only_line(text: str) -> str:
    """The only line of content, else nothing; cached, as every format of one line asks for it."""
    bare = text.strip()
    if bare and "\n" not in bare and bare[0] not in "#\ufeff":
        return bare
    lines = content(text)
    return lines[0][1] if len(lines) == 1 else ""


def first_field(text: str) -> str:
    """That of the only line of content, up to a blank or `;`; empty if there is none."""
    match = FIELD.search(only_line(text))
    return match.group() if match else ""


def field_tokens(text: str, format: str, most: int = MAX_CELLS) -> list[Token]:
    """The characters of the only field of the only line; raises FormatError if more than a comment follows, or if they
    are more than `most`."""
    number, line = one_line(text, format)
    field = FIELD.search(line)
    if not field:
        raise FormatError("no puzzle on this line", number, 1)
    if not COMMENT.fullmatch(line, field.end()):
        rest = line[field.end() :].lstrip()
        column = len(line) - len(rest) + 1
        raise FormatError(f"{rest.rstrip()[:20]!r} follows the puzzle: expected the end of the line", number, column)
    if len(field.group()) > most:
        raise FormatError(f"over {most} cells on one line: expected one puzzle", number, field.start() + 1)
    return [(character, number, field.start() + index) for index, character in enumerate(field.group(), 1)]


def puzzle_of(tokens: Sequence[Token], options: Options, drawn: Box | None = None, rows: int | None = None) -> Puzzle:
    """The plain puzzle of these cells; `drawn` is the box that the text shows, `rows` how many rows, if any. Raises
    FormatError for a count of cells that no board has, or a token that is not a cell."""
    size = size_of(tokens, options, rows)
    board = boxed_board(size, options, drawn, tokens[0])
    return Puzzle.from_givens(board, values_of(tokens, size, options))


def size_of(tokens: Sequence[Token], options: Options, rows: int | None = None) -> Size:
    """The size that was named, else that of so many rows, else N*N; raises FormatError where no board has so many."""
    count, named = len(tokens), options.size
    first = tokens[0][1:] if tokens else ()
    if named is not None:
        if named[0] * named[1] != count or rows not in (None, named[0]):
            counted = f"{count} cells" if rows is None else f"{rows} rows of {count // rows} cells"
            raise FormatError(f"{counted}, expected {named[0]}x{named[1]} as the size says", *first)
        return options.of(*named)
    side = isqrt(count)
    if rows is None or rows * rows == count:
        rows = side if side * side == count and 4 <= side <= MAX_VALUES else 0
    columns = count // rows if rows else 0
    if rows > columns >= 4 and rows % columns == 0 and rows * columns == count:
        text = f"{rows // columns} grids of {columns}x{columns} here: expected one puzzle a text"
        raise FormatError(text, tokens[columns * columns][1], 1)
    if not rows or rows * columns != count or (rows == 1 and options.box is None and not options.shaped):
        text = "".join(token for token, _, _ in tokens[:MAX_SHOWN])
        if 2 * sum(character in CELLS for character in text) < len(text):
            raise FormatError(f"{text!r} is not a puzzle: expected digits, and . or 0 where a cell is empty", *first)
        whole = f"one row of a {count}x{count} puzzle: expected all {count * count}"
        wanted = whole if 4 <= count <= MAX_ROW and Box.of_size(count) else f"but a puzzle has N*N: {_nearest(count)}"
        raise FormatError(f"{plural(count, 'cell')}, {wanted}; another shape needs a size, such as 6x9", *first)
    return options.of(rows, columns)


def candidates_of(token: Token, size: Size) -> int:
    """The candidates that a token lists, all for an empty cell; raises FormatError unless it is digits, each once."""
    text, line, column = token
    if text == "." or (text == "0" and 0 not in size.digits):
        return (2 << len(size.digits)) - 2
    if not (text.isascii() and text.isdigit()) or len(set(text)) != len(text):
        raise FormatError(f"{text[:20]!r} is not a set of candidates: expected digits, each once", line, column)
    above = next((digit for digit in text if int(digit) not in size.digits), None)
    if above is not None:
        raise FormatError(f"{above} is not one of {size.span}", line, column)
    return size.candidates(map(int, text))


def boxed(size: Size, options: Options, drawn: Box | None = None, first: Token = ("", 1, 1)) -> tuple[Mark, ...]:
    """The mark of the box that `box_for` finds, if any."""
    box = box_for(size, options, drawn, first)
    return () if box is None else (Mark("boxes", value=str(box)),)


def boxed_board(size: Size, options: Options, drawn: Box | None = None, first: Token = ("", 1, 1)) -> Board:
    """The plain board of a size with the box that `box_for` finds, if any."""
    return plain_board(size, boxed(size, options, drawn, first))


def box_for(size: Size, options: Options, drawn: Box | None = None, first: Token = ("", 1, 1)) -> Box | None:
    """The box that was named, else drawn, else usual; None if there are to be none. Raises FormatError if none is
    usual, or it does not fit."""
    if options.boxless:
        return None
    box = options.box or drawn or Box.of_size(size)
    if box is None:
        what = f"a {size.shape} puzzle has no boxes of equal shape"
        raise FormatError(f"{what}; if it has none, give the box as {NO_BOXES}", *first[1:])
    if size.rows % box.rows or size.columns % box.columns or (size.square and box.size != size.rows):
        other = f"a {box.size}x{box.size}" if size.square else "another"
        raise FormatError(f"{size.shape} cells, but boxes of {box} make {other} puzzle", *first[1:])
    return box


def values_of(tokens: Sequence[Token], size: Size, options: Options) -> list[int]:
    """The value of each token among 1..N, 0 where it is empty; raises FormatError at the first that is neither."""
    letters = letters_of(options.alphabet, len(size.digits))
    blank = _empty(tokens, size, options) - set(letters)
    known = dict.fromkeys(blank, 0) | {letter: value for value, letter in enumerate(letters, 1)}
    values = []
    for token, line, column in tokens:
        value = known.get(token)
        if value is None:
            value = known[token] = _value(token, line, column, size, options)
        values.append(value)
    return values


def _empty(tokens: Sequence[Token], size: Size, options: Options) -> frozenset[str]:
    """The characters of empty cells: . and 0, and another one where it is the only one; 0 only if it is not a value.
    Raises FormatError where 0 stands beside another one and N does not occur: the values may be 0 to N-1."""
    if options.empty is not None:
        if "0" in options.empty and 0 in size.digits and options.alphabet is None:
            raise FormatError(f"0 is one of the values {size.span}, and cannot be an empty cell too")
        return frozenset(options.empty) | {"."} - set(options.alphabet or "")
    seen = {token for token, _, _ in tokens}
    others = {token for token in seen if not token.isdigit()} - set(options.alphabet or "") - ALWAYS_EMPTY
    alone = others & EMPTY_WHEN_ALONE if "." not in seen else frozenset()
    alone = alone if len(alone) == 1 else frozenset()  # what else is there is not a cell
    beside = sorted(seen & (alone | {"."}))
    last = size.digits[-1]
    if options.alphabet is None and options.values is None and "0" in seen and beside and str(last) not in seen:
        first = next(token for token in tokens if token[0] == "0")
        raise FormatError(
            f"0 and {beside[0]} both stand here, and {last} does not: `--values 0-{last - 1}` makes 0 a"
            " value, `--empty 0` an empty cell",
            *first[1:],
        )
    always = ALWAYS_EMPTY - {"0"} if 0 in size.digits and options.alphabet is None else ALWAYS_EMPTY
    return always | alone


def _value(token: str, line: int, column: int, size: Size, options: Options) -> int:
    first, last = size.digits[0], size.digits[-1]
    if options.alphabet is None and token.isascii() and token.isdigit():
        value = int(token[:9])
        if first <= value <= last:
            return value + 1 - first
        bound = f"above {last}, the largest value" if value > last else f"below {first}, the least value"
        raise FormatError(f"{value} is {bound} of a {size.shape} puzzle", line, column)
    letters = letters_of(options.alphabet, len(size.digits))
    expected = f"{first}-{last}" if options.alphabet is None else f"one of {''.join(letters)}"
    empty = "." if "0" in (options.alphabet or "") or first == 0 else ". or 0"
    named = "; or name the characters of empty cells" if len(token) == 1 and not token.isalnum() else ""
    raise FormatError(
        f"{token[:20]!r} is not a cell of a {size.shape} puzzle: expected {expected}, or {empty} where empty{named}",
        line,
        column,
    )


@lru_cache(maxsize=8)
def letters_of(alphabet: str | None, size: int) -> tuple[str, ...]:
    """The characters of the values 1..N in order, nothing if no alphabet was named. Raises FormatError if the alphabet
    is that of another size."""
    if alphabet is None:
        return ()
    letters = spelled(alphabet)
    if len(letters) != size:
        raise FormatError(f"the alphabet has {len(letters)} characters, but the puzzle has {size} values")
    return letters


def spelled(alphabet: str) -> tuple[str, ...]:
    """An alphabet with its ranges written out: `1-9A-G`, `A-P` and `0-F` have 16 characters each. Raises InputError for
    a character that stands twice or is neither letter nor digit."""
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
    sizes = [size for size in range(4, MAX_VALUES + 1) if Box.of_size(size)]
    after = next((index for index, size in enumerate(sizes) if size * size > count), len(sizes) - 1)
    near = sizes[max(after - 1, 0) : after + 1]
    verb = "is" if len(near) == 1 else "are"
    return f"the nearest {verb} " + " and ".join(f"{size * size} ({size}x{size})" for size in near)
