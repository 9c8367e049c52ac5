"""Formats, each checked by one function."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from satdoku import formats
from satdoku.constraints import Constraint
from satdoku.errors import InputError, Refused
from satdoku.formats import Format, Options
from satdoku.puzzle import Mark, Puzzle, Size
from satdoku.testing.searches import Fault, described
from satdoku.variants import build
from satdoku.variants.boxes import Box

NUMBERS = (4, 6, 9, 12, 16)
CAGE = Mark("cage", ((1, 1), (1, 2)), value=3)
JUNK = ("", "\n", " ", "0", "x" * 50, "{", "[[", "\x00", "1" * 17, ". " * 81, "é|" * 9, '{"a": 1}', "a = 1", "http://x")


def check_format(format: str | Format, *, puzzles: int = 50, start: int = 0) -> None:
    """Check that a format reads what it writes, names what it cannot hold, and takes no other text amiss.

    The puzzles have 4x4 to 16x16 cells; some have candidates, some a cage, some no boxes. Texts that are spoiled, and
    texts of other kinds, are to be read or refused with an InputError.

    Parameters:
        format: a Format, or the name of one. One that only reads is given spoiled texts alone.
        puzzles: how many random puzzles.
        start: the number of the first one; the same numbers give the same puzzles.

    Raises:
        Fault: what is read is not what was written, or a text that the format has written is not recognized as its own;
            a text of one line has several; all puzzles are refused; or something other than an InputError is raised.
        InputError: the format is unknown.

    Example:
        >>> from satdoku.testing import check_format
        >>> check_format("line", puzzles=20)
    """
    chosen = formats.find(format)
    written = 0
    for number in range(start, start + puzzles):
        rng = Random(number)
        puzzle = random_plain(rng)
        try:
            text = chosen.write(puzzle) if chosen.text_of is not None else ""
        except Refused:
            text = ""
        if text:
            written += 1
            _check_text(chosen, puzzle, text)
        for junk in (*(JUNK if number == start else ()), *(_spoiled(rng, text) for _ in range(3))):
            _check_junk(chosen, junk)
    one_board = "boxes" in (chosen.holds.marks or ("boxes",))
    if chosen.text_of is not None and one_board and not written:
        raise Fault(f"all of {puzzles} puzzles were refused; the last: {described(puzzle)}")


def random_plain(rng: Random) -> Puzzle:
    """A puzzle with boxes and givens, which may clash; some with candidates, some with a cage, some without boxes."""
    number = rng.choice(NUMBERS)
    box = Box.of_size(number)
    marks = [Mark("boxes", value=str(box))] if rng.random() < 0.9 else []
    marks += [CAGE] if rng.random() < 0.15 else []
    board = build(Size.of(number), tuple(marks))
    filled = rng.choice((0, 0.4)) if len(marks) > 1 else 0.4  # killers have no givens
    givens = {cell: rng.randint(1, number) for cell in range(board.cells) if rng.random() < filled}
    puzzle = Puzzle.from_givens(board, givens)
    if rng.random() < 0.8:
        return puzzle
    cell = rng.randrange(board.cells)
    return replace(puzzle, candidates=(*puzzle.candidates[:cell], 0b110, *puzzle.candidates[cell + 1 :]))


def _check_text(format: Format, puzzle: Puzzle, text: str) -> None:
    where = f"; {text!r}, written of {described(puzzle)}"
    if format.one_line and "\n" in text:
        raise Fault(f"a text of several lines, although one_line is stated{where}")
    if not format.explicit_only and not format.recognized(text):
        raise Fault(f"its sign does not fit a text of its own{where}")
    try:
        again = format.reading(text, Options().with_shape(**format.unstated(puzzle.board))).puzzle
    except InputError as error:
        raise Fault(f"it does not read what it has written: {error}{where}") from None
    except Exception as error:
        raise Fault(f"{type(error).__name__}: {error}; expected a FormatError{where}") from error
    if again.board.size != puzzle.board.size:
        raise Fault(f"a board of {again.board.size} is read{where}")
    for cell, (read, wrote) in enumerate(zip(again.candidates, puzzle.candidates, strict=True)):
        if read != wrote:
            raise Fault(f"{puzzle.board.label(cell)} is read otherwise than it was written{where}")
    if _rules(again) != _rules(puzzle):
        odd = next(iter(_rules(again) ^ _rules(puzzle)))
        raise Fault(f"the constraint {odd} was lost or added{where}")


def _rules(puzzle: Puzzle) -> set[Constraint]:
    return {replace(rule, name="") for rule in puzzle.board.constraints}


def _spoiled(rng: Random, text: str) -> str:
    """A text after one of the accidents that texts have."""
    place, length = rng.randint(0, len(text)), rng.randint(0, 9)
    lines = text.splitlines(keepends=True)
    rng.shuffle(lines)
    before, behind = text[:place], text[place:]
    return rng.choice((before + behind[length:], before + rng.choice("0x{,\n") + behind, "".join(lines)))


def _check_junk(format: Format, text: str) -> None:
    try:
        if not format.recognized(text) and not format.explicit_only:
            return
        format.reading(text, Options())
    except InputError:
        return
    except Exception as error:
        raise Fault(f"{type(error).__name__}: {error}; expected a FormatError, of the text {text!r}") from error
