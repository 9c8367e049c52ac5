"""Texts to puzzles and back. Each file in this folder offers `FORMATS`; detection is here alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from satdoku.discovery import offered
from satdoku.errors import FormatError, PuzzleError, Refused, unknown
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.variants import REGIONS, build
from satdoku.variants.boxes import Box


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said about the text.

    box:      the box to use
    format:   what to read it as
    alphabet: the characters of the values 1..N, where a text has one character a cell above 9
    entered:  whether digits and pencil marks that a solver entered count as givens
    rules:    marks of rules of the whole board that are added to each puzzle
    board:    a board whose marks are added to each puzzle, its regions in place of the puzzle's
    """

    box: Box | None = None
    format: str | None = None
    alphabet: str | None = None
    entered: bool = False
    rules: tuple[Mark, ...] = ()
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A puzzle, the format it was read as, and what the reader left out, for people."""

    puzzle: Puzzle
    format: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write puzzles.

    one_line: a puzzle is one line, and a file may hold many
    asked:    read only when named, because its texts can be read otherwise too
    plain:    takes nearly any text, so its errors say less than those of a format that fits besides
    fits:     whether a text looks like this format; quick, never raises, may be wrong
    read:     text -> puzzle; raises FormatError
    write:    puzzle -> text without a final newline; raises Refused where something would be lost
    """

    name: str
    summary: str
    one_line: bool
    asked: bool
    fits: Callable[[str], bool]
    read: Callable[[str, Options], Reading]
    write: Callable[[Puzzle], str]
    plain: bool = False


@cache
def formats() -> dict[str, Format]:
    """Every format by its name."""
    return {known.name: known for known in offered("satdoku.formats", "FORMATS", Format)}


def find(name: str) -> Format:
    """The format of that name; raises InputError with the near names."""
    known = formats()
    if name not in known:
        raise unknown("format", name, known, "satdoku formats")
    return known[name]


def detect(text: str, options: Options, among: Iterable[Format] | None = None) -> Reading:
    """Read `text` by the named format, else by the one that fits.

    Raises FormatError if none fits, or if two fit and read different puzzles.
    """
    text = text.removeprefix("\ufeff")
    if options.format is not None:
        chosen = find(options.format)
        return chosen.read(text, options)
    known = formats().values() if among is None else among
    fitting = [candidate for candidate in known if not candidate.asked and candidate.fits(text)]
    fitting.sort(key=lambda candidate: candidate.plain)
    if not fitting:
        # The plainest formats say best what is wrong.
        lines = sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in text.splitlines())
        fitting = [find("grid" if lines > 1 else "line")]
    readings: list[Reading] = []
    errors: list[FormatError] = []
    for candidate in fitting:
        try:
            readings.append(candidate.read(text, options))
        except FormatError as error:
            errors.append(error)
    if not readings:
        raise errors[0] if errors else FormatError("no puzzle here: the text is empty")
    first = readings[0]
    for other in readings[1:]:
        if other.puzzle != first.puzzle:
            raise FormatError(
                f"this can be read as {first.format} and as {other.format}, with different meanings:"
                f" name the format, {first.format} or {other.format}"
            )
    return first


def read(
    text: str,
    *,
    format: str | None = None,
    box: str | None = None,
    alphabet: str | None = None,
    entered: bool = False,
    name: str = "puzzle",
) -> Puzzle:
    """The puzzle that `text` states.

    format:   a format's name; None finds it out
    box:      "RxC", the rows and columns of a box; None takes what the text shows
    alphabet: the characters of the values, for texts of one character a cell above 9x9
    entered:  whether digits that a solver entered count as givens, in formats that tell them apart
    name:     what to call the puzzle in messages

    Raises FormatError (an InputError) with line and column if the text is no puzzle.
    """
    options = Options(Box.parse(box) if box is not None else None, format, alphabet, entered)
    return replace(detect(text, options).puzzle, name=name)


def write(puzzle: Puzzle, format: str = "line") -> str:
    """`puzzle` as text, without a final newline. Raises Refused if the format cannot hold it."""
    return find(format).write(puzzle)


def refuse_loss(puzzle: Puzzle, format: str, holds: frozenset[str] | None, candidates: bool = False) -> None:
    """Raise Refused, naming what would be lost, unless the format can hold all that the puzzle states.

    holds:      the kinds of marks that the format has; None is every kind
    candidates: whether it can hold cells that are neither open nor given
    """
    board = puzzle.board
    if board.cells != board.columns**2 or board.values != board.columns:
        raise Refused(f"the {format} format holds square boards with rows, columns and boxes, and this is another")
    for mark in board.marks:
        if holds is not None and mark.kind not in holds:
            raise Refused(f"the {format} format cannot hold the rule {mark.kind!r}")
    if holds is not None and REGIONS.isdisjoint(mark.kind for mark in board.marks):
        raise Refused(f"the {format} format holds boards with boxes, and this one has none")
    _refuse_undrawn(board, format)
    for cell, (allowed, given) in enumerate(zip(puzzle.candidates, puzzle.givens, strict=True)):
        if not candidates and allowed != board.every_value and not given:
            raise Refused(f"the {format} format cannot hold the candidates of {board.label(cell)}")


def refuse_unusual(puzzle: Puzzle, format: str) -> None:
    """Raise Refused unless the boxes are those that a reader takes a board of this size to have."""
    box = next((mark.value for mark in puzzle.board.marks if mark.kind == "boxes"), None)
    usual = Box.of_size(puzzle.board.values)
    if box is not None and box != str(usual):
        raise Refused(f"the {format} format cannot hold boxes of {box}: it would be read with boxes of {usual}")


def _refuse_undrawn(board: Board, format: str) -> None:
    """Raise Refused if some constraint is drawn by no mark: a file holds marks, so it would be lost."""
    try:
        drawn = build(board.values, board.marks)
    except PuzzleError as error:
        name, _, reason = str(error).partition(": ")
        raise Refused(f"the {format} format cannot hold the rule {name!r}: {reason}") from None
    if drawn.constraints is board.constraints:
        return
    stray = next((rule for rule in board.constraints if rule not in set(drawn.constraints)), None)
    if stray is not None:
        raise Refused(f"the {format} format cannot hold the constraint {stray.name!r}: no mark draws it")
    missing = next((rule for rule in drawn.constraints if rule not in set(board.constraints)), None)
    if missing is not None:
        raise Refused(f"the {format} format would add the constraint {missing.name!r}, which this board has not")
