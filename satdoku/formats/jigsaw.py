"""`jigsaw`: a line of N*N cells followed by N*N characters that name the region of each."""

from collections import Counter
from math import isqrt
from string import ascii_uppercase, digits

from satdoku.errors import FormatError, Refused
from satdoku.formats import Format, Holds, Options, Reading, Sign
from satdoku.formats.cells import field_tokens, first_field, only_line, size_of, values_of
from satdoku.formats.line import fields_of
from satdoku.formats.marks import board
from satdoku.formats.regions import divided, labels_of
from satdoku.puzzle import Puzzle

NAMES = digits[1:] + ascii_uppercase


def read(text: str, options: Options) -> Reading:
    tokens = field_tokens(text, "jigsaw")
    half = len(tokens) // 2
    cells, regions = tokens[:half], tokens[half:]
    size = size_of(cells, options)
    expected = max(size.rows, size.columns)
    for name, count in Counter(name for name, _, _ in regions).items():
        if count != expected:
            first = next(token for token in regions if token[0] == name)
            raise FormatError(f"region {name!r} has {count} cells, expected {expected}", *first[1:])
    built = board(size, divided(size, [name for name, _, _ in regions], options.box))
    return Reading(Puzzle.from_givens(built, values_of(cells, size, options)), "jigsaw")


def fits(text: str) -> bool:
    field = first_field(text)
    size = isqrt(len(field) // 2)
    if size < 4 or 2 * size * size != len(field) or len(set(field[size * size :])) != size:
        return False
    try:
        return not fields_of(only_line(text)).solution  # a puzzle and its solution look alike
    except FormatError:
        return True


def write(puzzle: Puzzle) -> str:
    labels = labels_of(puzzle.board, "jigsaw")
    size = puzzle.board.values
    known = [label for label in labels if label is not None]
    if len(known) != len(labels) or set(Counter(known).values()) != {size}:
        raise Refused(f"the jigsaw format holds {size} regions of {size} cells, and this board has others")
    order = {label: NAMES[index] for index, label in enumerate(dict.fromkeys(known))}
    return "".join(str(value or ".") for value in puzzle.givens) + "".join(order[label] for label in known)


HOLDS = Holds(marks=frozenset({"boxes", "region"}), sizes=(4, 9), any_box=True)
SIGN = Sign(
    fits,
    "2*N*N characters, of which the second half are N different ones",
    r"(?!.{162}\s*$)[0-9.]{70}[0-9.A-Z]{90,94}\s*$",
)
FORMATS = (Format("jigsaw", "a line of cells and a line of regions in one", read, write, HOLDS, SIGN, one_line=True),)
