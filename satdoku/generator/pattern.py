"""Texts that say which cells hold clues."""

from itertools import chain

from satdoku.errors import FormatError
from satdoku.puzzle import Board

EMPTY = frozenset(".0-_")  # cells without a clue; with the value 0, "0" is one

DRAWING = frozenset("|+-=")


def places(text: str, board: Board) -> tuple[int, ...]:
    """The cells that hold clues: of N rows of N characters, or of N fields between blanks; or of one line of all cells.

    Bars, and lines of `-=+|` and blanks, are drawing. Raises FormatError if this is no pattern of the board.
    """
    size, height, rows = board.columns, board.size.rows, []
    empty = EMPTY - {"0"} if board.first_value == 0 else EMPTY
    lines = text.removeprefix("\ufeff").splitlines()
    whole = next((line.strip() for line in lines if line.strip()), "")
    every = whole.split(",") if "," in whole else list(whole)
    if len(every) == board.cells and sum(map(bool, map(str.strip, lines))) == 1:
        return tuple(cell for cell, field in enumerate(every) if field and field not in empty)
    for number, line in enumerate(lines, 1):
        fields = line.replace("|", " ").split()
        cells = fields if len(fields) == size else list("".join(fields))
        if len(cells) == size and "+" not in cells:
            rows.append(cells)
        elif cells and not DRAWING.issuperset(line.replace(" ", "")):
            raise FormatError(f"{len(cells)} cells in a row of the pattern, expected {size}", number)
    if len(rows) != height:
        raise FormatError(f"{len(rows)} rows in the pattern, expected {height} of {size} cells, such as X..X.X..X")
    return tuple(cell for cell, field in enumerate(chain.from_iterable(rows)) if field not in empty)
