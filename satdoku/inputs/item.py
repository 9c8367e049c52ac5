"""One thing that a run asks about."""

from collections.abc import Mapping
from dataclasses import dataclass

from satdoku.errors import InputError
from satdoku.puzzle import Puzzle

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that is asked about.

    number:   its place in its file, or in the run where it comes from no file
    name:     FILE:LINE, or "puzzle 17"
    puzzle:   the puzzle, or the error that stands in its place; None where only `number` counts (generate)
    format:   the format it was read as
    text:     what was read, without the end of its line
    notes:    what the reader left out, for people
    expected: the solution that a table states beside it, where one was asked for
    row:      the columns of its table, where these are kept
    """

    number: int
    name: str
    puzzle: Puzzle | InputError | None = None
    format: str | None = None
    text: str = ""
    notes: tuple[str, ...] = ()
    expected: str | None = None
    row: Mapping[str, str] | None = None
