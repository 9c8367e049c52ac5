"""`samurai`: several 9x9 boards in one picture, as newspapers print them: a line for each row of the picture, a
character for each cell, the gaps between boards blank, left out, or of a sign of their own. Five boards are a samurai,
two that share a box a twodoku. Bars, rules and blanks between cells are drawing."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

from satdoku.errors import FormatError, Refused
from satdoku.formats import Capabilities, Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.boards import BoardPart, together
from satdoku.formats.cells import Token, puzzle_of
from satdoku.formats.grid import PLAIN, RULE, draw
from satdoku.puzzle import Mark, Position, Puzzle, Size
from satdoku.variants.boxes import Box
from satdoku.variants.placed import PlacedBoard

SIDE = 9
LAYOUTS: tuple[tuple[Position, ...], ...] = (
    ((1, 1), (1, 13), (7, 7), (13, 1), (13, 13)),
    ((1, 1), (7, 7)),
    ((1, 7), (7, 1)),
)
"""The corners of the boards of each picture."""
BOX = Mark("boxes", value="3x3")
DIGITS = frozenset("123456789")
EMPTY_SIGNS = frozenset(".0_*?-")
ROW = re.compile(r"(?=.*\S)[\d.*?_xX#|+ -]{1,200}")  # other lines are comments
MOST = 21  # rows of a picture
LEAST = 17  # digits that a text of aligned columns has at least
NumberedLines = Sequence[tuple[int, str]]  # the number of a line, and the line
Cells = dict[Position, Token]


def read(text: str, options: Options) -> Reading:
    picture = _found(text)
    if picture is None:
        raise FormatError(
            "no samurai: expected 21 lines with 18, 21 or 9 cells, or 15 with 9 or 15, and blanks in gaps"
        )
    corners, tokens = picture
    own = replace(options, size=None, values=None, box=None, boxless=False)
    parts = [
        BoardPart((top, left), puzzle_of([tokens[place] for place in _board(top, left)], own, Box(3, 3)))
        for top, left in corners
    ]
    return Reading(together(parts, options))


def write(puzzle: Puzzle) -> str:
    for corners in LAYOUTS:
        boards = [PlacedBoard(number, corner, Size.of(SIDE), (BOX,)).mark for number, corner in enumerate(corners, 1)]
        if sorted(puzzle.board.marks, key=lambda mark: mark.cells) == boards:
            return draw(puzzle.board, puzzle.givens)
    raise Refused("the samurai format holds five boards of 9x9 with 3x3 boxes as a samurai has them, or two")


def fits(text: str) -> bool:
    return _found(text) is not None


def _found(text: str) -> tuple[tuple[Position, ...], Cells] | None:
    """The layout of a picture, and the token of each of its cells."""
    drawn = ((number, line.translate(PLAIN).expandtabs()) for number, line in enumerate(text.splitlines(), 1))
    rows = ((number, line) for number, line in drawn if ROW.fullmatch(line) and not RULE.fullmatch(line))
    lines = list(islice(rows, MOST + 1))  # more are of no picture
    for corners in LAYOUTS:
        places = _places(corners)
        if len(lines) != places[-1][0]:
            continue
        cells = _by_count(lines, places) or _by_sign(lines, places) or _by_place(lines, places)
        if cells is not None and all(token[0] in DIGITS | EMPTY_SIGNS for token in cells.values()):
            return corners, cells
    return None


def corners_of(places: Collection[Position]) -> tuple[Position, ...] | None:
    """The corners of the boards whose cells are these; None if they are not such a picture."""
    own = set(places)
    return next((each for each in LAYOUTS if own == set(_places(each))), None)


@cache
def _places(corners: tuple[Position, ...]) -> tuple[Position, ...]:
    return tuple(sorted({place for corner in corners for place in _board(*corner)}))


def _board(top: int, left: int) -> Iterator[Position]:
    return ((row, column) for row in range(top, top + SIDE) for column in range(left, left + SIDE))


def _tokens(lines: NumberedLines) -> list[list[Token]]:
    """The signs of each line that are neither blanks nor bars."""
    return [
        [(sign, number, index) for index, sign in enumerate(line, 1) if sign not in " |+"] for number, line in lines
    ]


def _by_count(lines: NumberedLines, places: Sequence[Position]) -> Cells | None:
    """Each line has the cells of its row and nothing for a gap; of a twodoku and its mirror image, blanks before the
    first and the last row tell."""
    rows = _tokens(lines)
    if [len(row) for row in rows] != [sum(place[0] == row for place in places) for row in range(1, len(lines) + 1)]:
        return None
    mirrored = rows[0][0][2] > rows[-1][0][2]
    if mirrored != (places[0][1] > 1):
        return None
    return dict(zip(places, (token for row in rows for token in row), strict=True))


def _by_sign(lines: NumberedLines, places: Sequence[Position]) -> Cells | None:
    """Each line is as long as the picture is wide, with signs in the gaps that no cell has."""
    rows, wide = _tokens(lines), max(column for _, column in places)
    if {len(row) for row in rows} != {wide}:
        return None
    every = {(row, column): token for row, line in enumerate(rows, 1) for column, token in enumerate(line, 1)}
    cells = {place: every.pop(place) for place in places}
    gaps = {token[0] for token in every.values()}
    return cells if gaps.isdisjoint({token[0] for token in cells.values()} | DIGITS) else None


def _by_place(lines: NumberedLines, places: Sequence[Position]) -> Cells | None:
    """Each sign stands in the column of its cell, with or without blanks between columns; a blank is an empty cell."""
    for step in (1, 2):
        at = {(row, step * (column - 1) + 1): (row, column) for row, column in places}
        signs = {
            (row, index): (sign, number, index)
            for row, (number, line) in enumerate(lines, 1)
            for index, sign in enumerate(line, 1)
            if sign != " "
        }
        digits = sum(token[0] in DIGITS for token in signs.values())
        if signs.keys() <= at.keys() and digits >= LEAST:
            first = [number for number, _ in lines]
            return {place: signs.get((row, index), (".", first[row - 1], index)) for (row, index), place in at.items()}
    return None


HOLDS = Capabilities(
    marks=frozenset({"board"}), sizes=(SIDE, SIDE), shapes=frozenset({"size", "values", "box", "boards"})
)
SIGN = Detection(
    fits, "21 or 15 lines, blanks in the gaps between boards", confidence=Confidence.CERTAIN, view=View.ALL
)
FORMATS = (Format("samurai", "five 9x9 boards in one picture, or two", read, write, HOLDS, SIGN),)
