"""`ss` (Simple Sudoku): 9 x 9 cells between bars and dashes, also with the clipboard's `*---*` border."""

from satdoku.errors import FormatError
from satdoku.formats import Format, Holds, Options, Reading, Sign, View
from satdoku.formats.cells import Token, content, puzzle_of
from satdoku.puzzle import Puzzle

DRAWING = frozenset("|+-* \t")
BORDER = "*-----------*"
CELLS = 81


def read(text: str, options: Options) -> Reading:
    tokens: list[Token] = [
        (character, number, column)
        for number, line in content(text)
        for column, character in enumerate(line, 1)
        if character not in DRAWING
    ]
    if len(tokens) != CELLS:
        raise FormatError(f"{len(tokens)} cells once the drawing is dropped, expected {CELLS}", 1, 1)
    return Reading(puzzle_of(tokens, options), "ss")


def fits(text: str) -> bool:
    return any(line.strip().startswith("*-") and line.strip().endswith("-*") for line in text.splitlines())


def write(puzzle: Puzzle) -> str:
    cells = "".join(str(value or ".") for value in puzzle.givens)
    rows = [
        f"|{cells[start : start + 3]}|{cells[start + 3 : start + 6]}|{cells[start + 6 : start + 9]}|"
        for start in range(0, CELLS, 9)
    ]
    rule = "|---+---+---|"
    return "\n".join([BORDER, *rows[:3], rule, *rows[3:6], rule, *rows[6:], BORDER])


SIGN = Sign(fits, "a border *---*", view=View.CELLS)
FORMATS = (
    Format("ss", "Simple Sudoku: rows between bars, with or without a border", read, write, Holds(sizes=(9, 9)), SIGN),
)
