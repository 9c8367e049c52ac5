"""`puzzlink`: links of puzz.link and other pages of pzpr with a Sudoku, `https://puzz.link/p?sudoku/9/9/g5i3...`:
numbers in base 16, and a letter from g for each run of empty cells."""

import re
from itertools import groupby

from satdoku.errors import FormatError, Refused
from satdoku.formats import Capabilities, Format, Options, Reading
from satdoku.formats.links import link_sign
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import Box, classic

ADDRESS = "https://puzz.link/p?sudoku"
LINK = re.compile(
    r"\s*<?(?:https?://)?(?:www\.)?(?:puzz\.link|pzv\.jp|pzprxs\.vercel\.app|pzplus\.tck\.mn)/(?:p|p\.html)\?"
    r"(?:pzprv3/)?sudoku(?:_edit)?/(\d{1,2})/(\d{1,2})/([0-9a-z.+-]*)/?[>)]?\s*",
    re.IGNORECASE,
)
TOKEN = re.compile(r"([g-z])|(\.)|([0-9a-f])|-([0-9a-f]{2})|\+([0-9a-f]{3})", re.IGNORECASE)
BOXES = {4: Box(2, 2), 6: Box(2, 3), 9: Box(3, 3), 16: Box(4, 4), 25: Box(5, 5)}  # that the pages draw
LONGEST = 20  # run of empty cells of one letter
RUN = 15  # what a letter in base 36 is more than the length of its run


def fits(text: str) -> bool:
    return LINK.fullmatch(text) is not None


def read(text: str, options: Options) -> Reading:
    match = LINK.fullmatch(text)
    if match is None:
        raise FormatError(f"expected a link such as {ADDRESS}/9/9/ and the cells")
    columns, rows = int(match[1]), int(match[2])
    box = BOXES.get(rows) if rows == columns else None
    if box is None:
        raise FormatError(f"a Sudoku of {rows}x{columns}: expected {', '.join(f'{n}x{n}' for n in BOXES)}")
    if options.box not in (None, box):
        raise FormatError(f"boxes of {options.box}, but this page draws boxes of {box}")
    givens = _cells(match[3], rows)
    if len(givens) > rows * rows:
        raise FormatError(f"{len(givens)} cells, expected {rows * rows}")
    return Reading(Puzzle.from_givens(classic(box.rows, box.columns), givens + [0] * (rows * rows - len(givens))))


def _cells(text: str, size: int) -> list[int]:
    cells: list[int] = []
    at = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None:
            raise FormatError(f"{text[at : at + 9]!r} is not a number or a run of empty cells")
        at = token.end()
        if token[1]:
            cells += [0] * (int(token[1], 36) - RUN)
            continue
        value = 0 if token[2] else int(token[3] or token[4] or token[5], 16)
        if value > size or (value == 0 and not token[2]):
            raise FormatError(f"{value} is not one of 1..{size}")
        cells.append(value)
    return cells


def write(puzzle: Puzzle) -> str:
    size = puzzle.board.values
    if size not in BOXES:
        raise Refused(f"the puzzlink format cannot hold boxes of a board of {size}x{size}")
    parts = []
    for empty, cells in groupby(puzzle.givens, lambda value: value == 0):
        values = list(cells)
        if empty:
            lengths = [LONGEST] * (len(values) // LONGEST) + [len(values) % LONGEST]
            parts += ["0123456789abcdefghijklmnopqrstuvwxyz"[RUN + length] for length in lengths if length]
        else:
            parts += [f"{value:x}" if value < 16 else f"-{value:x}" for value in values]
    return f"{ADDRESS}/{size}/{size}/{''.join(parts)}"


SIGN = link_sign(fits, "an address of puzz.link with sudoku/")
FORMATS = (Format("puzzlink", "a link of puzz.link", read, write, Capabilities(sizes=(4, 9)), SIGN, one_line=True),)
