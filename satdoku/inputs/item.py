"""One thing that a run asks about."""

from collections.abc import Mapping
from dataclasses import dataclass

from satdoku.errors import InputError
from satdoku.puzzle import Puzzle

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that is asked about.

    puzzle:   the puzzle, or the error that stands in its place; None where only `number` counts (generate)
    """

    number: int  # its place in its file, or in the run where it comes from no file
    name: str  # FILE:LINE, or "puzzle 17"
    puzzle: Puzzle | InputError | None = None
    format: str | None = None  # the format it was read as
    text: str = ""  # what was read, without the end of its line
    notes: tuple[str, ...] = ()  # what the reader left out, for people
    expected: str | None = None  # the solution that a table states beside it, where one was asked for
    row: Mapping[str, str] | None = None  # the columns of its table, where these are kept
