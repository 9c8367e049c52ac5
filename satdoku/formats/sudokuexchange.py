"""`sudokuexchange`: links of sudokuexchange.com, `https://sudokuexchange.com/play/?s=` and 81 digits."""

import re

from satdoku.errors import FormatError
from satdoku.formats import Capabilities, Format, Options, Reading
from satdoku.formats.cells import Token, puzzle_of
from satdoku.formats.links import holds, link_of, link_sign, taken
from satdoku.puzzle import Puzzle

ADDRESS = "https://sudokuexchange.com/play/?s="
HOST = r"sudokuexchange\.com"


def read(text: str, options: Options) -> Reading:
    digits, link = taken(text, HOST, "s", alone=True), link_of(text)
    if digits is None or link is None:
        raise FormatError(f"expected a link such as {ADDRESS} and 81 digits")
    if not re.fullmatch(r"[0-9.]{81}", digits):
        raise FormatError(f"{digits[:20]!r} behind s=: expected 81 digits, 0 for empty cells")
    tokens: list[Token] = [(digit, 1, 1) for digit in digits]
    others = ", ".join(f"{name[:20]}={value[:20]}" for name, value in link.query.items() if name != "s")
    return Reading(puzzle_of(tokens, options)).noted(f"not read: {others}" if others else "")


def write(puzzle: Puzzle) -> str:
    return ADDRESS + "".join(map(str, puzzle.givens))


SIGN = link_sign(holds(HOST, "s"), "an address of sudokuexchange.com with s=")
HOLDS = Capabilities(sizes=(9, 9))
FORMATS = (Format("sudokuexchange", "a link of sudokuexchange.com", read, write, HOLDS, SIGN, one_line=True),)
