"""`line`: a puzzle a line, row-major, one character a cell; above 9x9 decimals joined by commas. `sdm`: with 0.
`letters`: above 9x9, one character a cell with `--alphabet`, or two digits a cell without. Which of the fields of a
line is the puzzle, which the solution beside it, and what is neither."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from math import isqrt
from operator import not_

from satdoku.cache import cached_texts
from satdoku.constraints import Grid
from satdoku.errors import FormatError
from satdoku.formats import Capabilities, Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.cells import (
    ALWAYS_EMPTY,
    EMPTY_WHEN_ALONE,
    MAX_CELLS,
    Token,
    field_tokens,
    first_field,
    one_line,
    only_line,
    puzzle_of,
    spelled,
    values_of,
)
from satdoku.puzzle import Board, Puzzle
from satdoku.variants.boxes import Box

# What `satdoku solve` prints for several puzzles: the origin, the verdict, the grid.
ORIGIN = re.compile(r"(?:[^\t]*:\d+|argument \d+)\t[a-z]+\t")
COMMENT = re.compile(r"(?<=\s)#")
FIELD = re.compile(r"[^\s;:|/\"\ufeff]+")
BLANKS = ALWAYS_EMPTY | EMPTY_WHEN_ALONE
MIN_CELLS = 16
MAX_WORD = 64
MAX_DIGITS = 3
MAX_WIDTH = 25  # N up to which one character a cell is taken for a puzzle, though above 9x9 it holds no value above 9
MIN_LONG, MAX_LONG = 10, 99
LINE_HOLDS = Capabilities(shapes=frozenset())
LETTERS = "one line above 9x9: letters, or two digits a cell"
LETTERS_HOLDS = Capabilities(sizes=(MIN_LONG, MAX_LONG), shapes=frozenset())


@dataclass(frozen=True, slots=True)
class Fields:
    cells: Sequence[Token]  # the puzzle's
    solution: Sequence[Token] = ()  # those of the full grid that stands beside it, none if there is none
    unread: tuple[str, ...] = ()  # what else stands there, but a comment behind ` #`
    spaced: bool = False  # whether the puzzle has blanks between its cells or rows


@cached_texts(4)
def fields_of(
    line: str, number: int = 1, letters: frozenset[str] = frozenset(), shape: tuple[int, int] | None = None
) -> Fields:
    """The fields of a line: a puzzle, also with its solution before or behind it, an id, a comment.

    A puzzle may also be written as cells or rows with blanks between them, or with its solution run together.

    letters: the characters of cells besides digits and the empty ones
    shape:   the rows and columns that a puzzle has; None for any N*N
    Raises FormatError, with what was seen, for a line that holds more than that.
    """
    words = _words(line, number, letters)
    if shape is not None:
        count = shape[0] * shape[1]
        whole = [len(word) == count == _cells(word, letters) for word in words]
        together = [token for word in words for token in word]
        if not any(whole) and len(together) == count and len(words) in (shape[0], count):
            return Fields(together, spaced=True)
    else:
        whole = [bool(_size(word, letters)) for word in words]
    if not any(whole):
        return _spaced(words, letters)
    grids = list(compress(words, whole))
    if shape is None and len(grids) > 3 and all(len(word) == len(grids) for word in grids):
        return Fields([token for row in grids for token in row], spaced=True)
    others = list(compress(words, map(not_, whole)))
    odd = next((word for word in others if _is_odd(word, letters)), None)
    if odd is not None or len(grids) > 2 or len({len(word) for word in grids}) > 1:
        first, second = (grids[0], odd) if odd is not None else grids[:2]
        seen = f"{len(first)} cells and {len(second)} characters" if odd is not None else f"{len(grids)} grids"
        raise FormatError(f"{seen} on one line: expected a puzzle, and perhaps its solution", *second[0][1:])
    puzzle, *rest = sorted(grids, key=_is_full)
    if rest and not _is_full(rest[0]):
        raise FormatError("two puzzles on one line: expected one, and perhaps its solution", *grids[1][0][1:])
    return Fields(puzzle, rest[0] if rest else (), tuple(map(_text, others)))


def is_grid(fields: Fields) -> bool:
    """Whether the cells are as many as some board has, and stand in one field. Cells with blanks between them may as
    well be a row of a larger grid, but for 81 of one character each."""
    nine = len(fields.cells) == 81 and all(len(text) == 1 for text, *_ in fields.cells)
    return bool(_size(fields.cells, frozenset())) and (not fields.spaced or nine)


def _spaced(words: list[list[Token]], letters: frozenset[str]) -> Fields:
    """A line without a whole grid in one field: cells or rows with blanks between them, else the first field."""
    count = len(words)
    short = all(len(word) <= MAX_DIGITS and _cells(word, letters) == len(word) for word in words)
    single = short and count >= 4 and all(len(word) == 1 for word in words)  # of whatever number: not one cell and more
    if single or (count >= MIN_CELLS and isqrt(count) ** 2 == count and short):
        return Fields([(_text(word), *word[0][1:]) for word in words], spaced=True)
    if count >= 4 and all(len(word) == count for word in words):
        return Fields([token for word in words for token in word], spaced=True)
    sizes = {len(word) for word in words}
    if count >= 4 and len(sizes) == 1 and min(sizes) > MAX_DIGITS and all(_cells(w, letters) == len(w) for w in words):
        raise FormatError(f"{count} rows of {min(sizes)} cells on one line: expected N rows of N", *words[-1][0][1:])
    return Fields(words[0] if words else [], (), tuple(map(_text, words[1:])))


def _words(line: str, number: int, letters: frozenset[str]) -> list[list[Token]]:
    origin = ORIGIN.match(line)
    start = origin.end() if origin else 0
    comment = COMMENT.search(line, start)
    words: list[list[Token]] = []
    left = MAX_CELLS
    for match in FIELD.finditer(line, start, comment.start() if comment else len(line)):
        column = match.start() + 1
        parts = match.group().split(",")
        decimals = len(parts) > 1 and max(map(len, parts)) <= MAX_DIGITS
        left -= len(parts) if decimals else len(match.group())
        if left < 0:
            raise FormatError(f"over {MAX_CELLS} cells on one line: expected one puzzle", number, column)
        tokens: list[Token] = []
        for part in parts:
            if decimals:
                tokens.append((part, number, column))
            else:
                characters = [(character, number, column + index) for index, character in enumerate(part)]
                words += _halves(characters) if part and not letters else [characters] if part else []
            column += len(part) + 1
        if decimals:
            words.append(tokens)
    return words


def _halves(word: list[Token]) -> list[list[Token]]:
    """A puzzle and its solution that were run together as two fields; any other field as it is."""
    half = len(word) // 2
    size = isqrt(half)
    puzzle, solution = word[:half], word[half:]
    if not 4 <= size <= 9 or 2 * size * size != len(word) or not _is_full(solution):
        return [word]
    values = [token for token, _, _ in solution]
    lines = [values[start : start + size] for start in range(0, half, size)]
    lines += [values[column::size] for column in range(size)]
    latin = all(len(set(line)) == size for line in lines)
    agrees = all(mine in BLANKS or mine == other for (mine, _, _), other in zip(puzzle, values, strict=True))
    return [puzzle, solution] if latin and agrees else [word]


def _is_odd(word: Sequence[Token], letters: frozenset[str]) -> bool:
    return len(word) > MAX_WORD or (len(word) >= MIN_CELLS and _cells(word, letters) * 2 >= len(word))


def _cells(word: Sequence[Token], letters: frozenset[str]) -> int:
    return sum(token in BLANKS or token in letters or token.isdigit() for token, _, _ in word)


def _size(word: Sequence[Token], letters: frozenset[str]) -> int:
    size = isqrt(len(word))
    if size < 4 or size * size != len(word) or _cells(word, letters) != len(word):
        return 0
    side_by_side = word[1][2] - word[0][2] == 1
    return size if size <= MAX_WIDTH or not side_by_side else 0


def _is_full(word: Sequence[Token]) -> bool:
    return all(token not in BLANKS for token, _, _ in word)


def _text(word: list[Token]) -> str:
    commas = len(word) > 1 and word[1][2] - word[0][2] != 1
    return ("," if commas else "").join(token for token, _, _ in word)


def read(text: str, options: Options) -> Reading:
    """The only line that is neither blank nor a comment, with the solution that may stand beside the puzzle."""
    number, line = one_line(text, "line")
    letters = frozenset(spelled(options.alphabet)) if options.alphabet else frozenset()
    fields = fields_of(line, number, letters, options.size)
    if not fields.cells:
        raise FormatError("no puzzle on this line", number, 1)
    puzzle = puzzle_of(fields.cells, options)
    if fields.solution:
        solution = tuple(values_of(fields.solution, puzzle.board.size, options))
        pairs = zip(fields.solution, solution, puzzle.givens, strict=True)
        odd = next((pair for pair in pairs if pair[2] not in (0, pair[1])), None)
        if odd is not None:
            shown = puzzle.board.texts(odd[1:])
            raise FormatError(f"{shown[0]} in the full grid, but {shown[1]} in the puzzle beside it", *odd[0][1:])
        puzzle = replace(puzzle, solution=solution)
    notes = (f"not read: {' '.join(fields.unread)[:60]!r}",) if fields.unread else ()
    return Reading(puzzle, notes=notes)


def fits(text: str) -> bool:
    line = only_line(text)
    try:
        return bool(line) and is_grid(fields_of(line, 1, frozenset()))  # as `read` asks, since it is cached
    except FormatError:
        return True


def is_whole(line: str, options: Options) -> bool:
    if options.size is None:
        return False
    try:
        return len(fields_of(line, shape=options.size).cells) == options.size[0] * options.size[1]
    except FormatError:
        return True


def write(puzzle: Puzzle) -> str:
    return flat(puzzle.board, puzzle.givens)


def flat(board: Board, values: Sequence[int]) -> str:
    """Values as one line, 0 as an empty cell: a character a cell, or decimals joined by commas if some are above 9.
    What the layers of the board say follows, each behind its name."""
    between = "" if board.size.digits[-1] <= 9 else ","
    parts = board.parts(values)
    return " ".join(f"{name}=" * bool(name) + between.join(board.texts(part)) for name, part in parts)


def grid_of(board: Board, text: str) -> Grid | None:
    """The full grid that a line, as `flat` writes it, states for a board without layers; None if it is not one."""
    compact = "".join(text.split())
    try:
        shown = map(int, compact.split(",") if "," in compact else compact)
        grid = tuple(value - board.first_value + 1 for value in shown)
    except ValueError:
        return None
    return grid if len(grid) == board.cells and all(1 <= value <= board.values for value in grid) else None


def read_long(text: str, options: Options) -> Reading:
    """Raises FormatError for one character a cell without an alphabet: `A` is 10 to some, 1 to others."""
    tokens = field_tokens(text, "letters")
    if options.alphabet is None:
        if options.size is None and _side(len(tokens)) and not _side(len(tokens), 2):
            raise FormatError(
                "one character a cell above 9x9 has several readings: name the characters of 1..N,"
                " such as the alphabet 1-9A-G, A-P or 0-F",
                *tokens[0][1:],
            )
        tokens = _pairs(tokens)
    return Reading(puzzle_of(tokens, options))


def fits_long(text: str) -> bool:
    field = first_field(text)
    return "," not in field and bool(_side(len(field)) or _side(len(field), 2))


def write_long(puzzle: Puzzle) -> str:
    return "".join(text.replace(".", "..").rjust(2, "0") for text in puzzle.board.texts(puzzle.givens))


def _side(length: int, characters: int = 1) -> int:
    side = isqrt(length // characters)
    return side if side * side * characters == length and MIN_LONG <= side <= MAX_LONG and Box.of_size(side) else 0


def _pairs(tokens: list[Token]) -> list[Token]:
    if len(tokens) % 2:
        raise FormatError(f"{len(tokens)} characters, expected two a cell", *tokens[0][1:])
    pairs = []
    for (first, line, column), (second, _, _) in zip(tokens[::2], tokens[1::2], strict=True):
        pair = first + second
        pairs.append(("." if pair == ".." else pair.lstrip("0") or "0", line, column))
    return pairs


LINE_SIGN = Detection(fits, "N*N cells on one line", confidence=Confidence.POSSIBLE, view=View.CELLS)
LETTERS_SIGN = Detection(
    fits_long, "as many characters as a board above 9x9 has cells, or twice as many", confidence=Confidence.POSSIBLE
)
FORMATS = (
    Format("line", "one puzzle a line, one character a cell", read, write, LINE_HOLDS, LINE_SIGN, one_line=True),
    Format(  # read only when named: without its name the line format reads the same
        "sdm",
        "one puzzle a line, 0 for empty cells",
        read,
        lambda puzzle: "".join(map(str, puzzle.givens)),
        Capabilities(sizes=(4, 9)),
        one_line=True,
        explicit_only=True,
    ),
    Format("letters", LETTERS, read_long, write_long, LETTERS_HOLDS, LETTERS_SIGN, one_line=True),
)
