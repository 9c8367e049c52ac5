"""`sdm`: one puzzle a line, empty cells as 0; what `line` reads, in the spelling that sdm files use."""

from __future__ import annotations

from satdoku.errors import Refused
from satdoku.formats import Format, Options, Reading, refuse_loss, refuse_unusual
from satdoku.formats.line import read as read_line
from satdoku.puzzle import Puzzle


def read(text: str, options: Options) -> Reading:
    """Raises FormatError as the line format does."""
    return Reading(read_line(text, options).puzzle, "sdm")


def write(puzzle: Puzzle) -> str:
    refuse_loss(puzzle, "sdm", frozenset({"boxes"}))
    refuse_unusual(puzzle, "sdm")
    if puzzle.board.values > 9:
        raise Refused("the sdm format has one digit a cell, which holds boards up to 9x9")
    return "".join(map(str, puzzle.givens))


# Asked for by name only: without it the line format reads the same.
FORMATS = (Format("sdm", "one puzzle a line, 0 for empty cells", True, True, lambda text: False, read, write),)
