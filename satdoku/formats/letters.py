"""`letters`: above 9x9, one character a cell with `--alphabet`, or two digits a cell without."""

from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Confidence, Format, Holds, Options, Reading, Sign
from satdoku.formats.cells import Token, field_tokens, first_field, puzzle_of
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import Box

MIN_SIZE, MAX_SIZE = 10, 99


def read(text: str, options: Options) -> Reading:
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
    return Reading(puzzle_of(tokens, options), "letters")


def fits(text: str) -> bool:
    field = first_field(text)
    return "," not in field and bool(_side(len(field)) or _side(len(field), 2))


def write(puzzle: Puzzle) -> str:
    return "".join(text.replace(".", "..").rjust(2, "0") for text in puzzle.board.texts(puzzle.givens))


def _side(length: int, characters: int = 1) -> int:
    """N of N*N cells of so many characters, 0 if no board above 9x9 has that length."""
    side = isqrt(length // characters)
    return side if side * side * characters == length and MIN_SIZE <= side <= MAX_SIZE and Box.of_size(side) else 0


def _pairs(tokens: list[Token]) -> list[Token]:
    if len(tokens) % 2:
        raise FormatError(f"{len(tokens)} characters, expected two a cell", *tokens[0][1:])
    pairs = []
    for (first, line, column), (second, _, _) in zip(tokens[::2], tokens[1::2], strict=True):
        pair = first + second
        pairs.append(("." if pair == ".." else pair.lstrip("0") or "0", line, column))
    return pairs


HOLDS = Holds(sizes=(MIN_SIZE, MAX_SIZE), shapes=frozenset())
SIGN = Sign(fits, "as many characters as a board above 9x9 has cells, or twice as many", confidence=Confidence.POSSIBLE)
FORMATS = (
    Format("letters", "one line above 9x9: letters, or two digits a cell", read, write, HOLDS, SIGN, one_line=True),
)
