"""`sudokuwiki`: links of sudokuwiki.org, whose `bd=` is a line, or two characters a cell."""

import re

from satdoku.errors import FormatError
from satdoku.formats import Capabilities, Format, Options, Reading
from satdoku.formats.cages import DIAGONALS
from satdoku.formats.links import link_of, link_sign, taken
from satdoku.formats.marks import with_entered, with_rules
from satdoku.puzzle import Puzzle

ADDRESS = "https://www.sudokuwiki.org/sudoku.htm?bd="
HOST = r"sudokuwiki\.(org|com)"
PAGES = {"sudoku.htm": "S", "": "S", "sudokux.htm": "X", "windoku.htm": "W"}
# By the letter of a board, the rules that it has besides
RULES = {"S": (), "X": DIAGONALS, "W": ("windoku",)}
BARE = re.compile(r"\s*([A-Z]9[A-Z][0-9a-z]{162})\s*")
CELLS = 81
# The givens, the digits that were entered, and the candidates, by their cells
Cells = tuple[dict[int, int], dict[int, int], dict[int, int]]


def fits(text: str) -> bool:
    return BARE.fullmatch(text) is not None or taken(text, HOST, "bd") is not None


def read(text: str, options: Options) -> Reading:
    bare, link = BARE.fullmatch(text), link_of(text)
    page = "" if bare or link is None else link.path.lower()
    if page not in PAGES:
        raise FormatError(f"the page {page[:40]!r} has rules that are not known here, expected {', '.join(PAGES)[:-2]}")
    data = bare[1] if bare else link.alone().query.get("bd", "") if link else ""
    letter = PAGES[page]
    if BARE.fullmatch(data):
        letter = data[0] if page == "" or letter == "S" else letter if data[0] == letter else "?"
        values = [int(data[at : at + 2], 36) for at in range(3, len(data), 2)]
        givens, entered, marks = _second(values)
    elif re.fullmatch(r"[0-9.]{81}", data):
        givens, entered, marks = {c: int(d) for c, d in enumerate(data) if d not in ".0"}, {}, {}
    elif re.fullmatch(r"[0-9a-v]{162}", data):
        givens, entered, marks = _first([int(data[at : at + 2], 32) for at in range(0, len(data), 2)])
    else:
        raise FormatError(f"{len(data)} characters behind bd=, expected 81 cells, or S9B and two characters for each")
    if letter not in RULES:
        raise FormatError(f"the board begins {data[:3]!r}, which is another kind of puzzle than are read: S, X and W")
    return with_entered(Puzzle.from_givens(with_rules(RULES[letter]), givens), entered, options, marks)


def _first(numbers: list[int]) -> Cells:
    """A set of candidates, and a bit that says whether it is a given."""
    masks = {cell: number >> 1 << 1 for cell, number in enumerate(numbers)}
    masks = {cell: mask for cell, mask in masks.items() if mask}
    alone = {cell: mask.bit_length() - 1 for cell, mask in masks.items() if mask.bit_count() == 1}
    givens = {cell: value for cell, value in alone.items() if numbers[cell] & 1}
    if any(number & 1 for cell, number in enumerate(numbers) if cell not in givens):
        raise FormatError("a given of several digits behind bd=")
    return givens, {}, {cell: mask for cell, mask in masks.items() if cell not in givens}


def _second(numbers: list[int]) -> Cells:
    """0 is empty, 1 to 9 a given, 10 to 18 an entered digit, above that a set of candidates."""
    if any(number > 18 + 511 for number in numbers):
        raise FormatError("a cell of more candidates than there are digits behind bd=")
    givens = {cell: number for cell, number in enumerate(numbers) if 0 < number < 10}
    entered = {cell: number - 9 for cell, number in enumerate(numbers) if 9 < number < 19}
    return givens, entered, {cell: number - 18 << 1 for cell, number in enumerate(numbers) if number > 18}


def write(puzzle: Puzzle) -> str:
    return ADDRESS + "".join(map(str, puzzle.givens))


SIGN = link_sign(fits, "an address of sudokuwiki.org with bd=, or S9B and its cells", r"S[3-9GP][A-Z][0-9A-Z]{20}")
FORMATS = (
    Format("sudokuwiki", "a link of sudokuwiki.org", read, write, Capabilities(sizes=(9, 9)), SIGN, one_line=True),
)
