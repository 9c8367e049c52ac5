"""`prompt`: a puzzle with its rules in words, for a language model. Its marks and its grid stand there as TOML, so that
every kind is held, and what was written can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from satdoku.errors import FormatError
from satdoku.formats import EVERY_SHAPE, Detection, Format, Options, Reading, View, toml, toml_writer
from satdoku.formats.detection import Confidence
from satdoku.puzzle import Mark, Puzzle
from satdoku.variants import REGIONS
from satdoku.variants.sentences import rules, sentence_of

BEGIN = "Solve this Sudoku."
FENCED = re.compile(r"^(`{3,})toml\n(.*?)^\1$", re.DOTALL | re.MULTILINE)


def write(puzzle: Puzzle) -> str:
    size, marks = puzzle.board.size, puzzle.board.marks
    first, *_ = rules(size, marks)
    described = dict.fromkeys(f"{sentence_of(mark)} (`{mark.kind}` below)" for mark in _each(marks))
    ends = f"{size.digits[0]} to {size.digits[-1]}"
    notes = ["`r1c2` is the cell in row 1, column 2."]
    if any(not size.inside(place) for mark in _each(marks) for cells in (mark.cells, *mark.lines) for place in cells):
        notes.append("Row 0, column 0 and what is behind the last row or column are outside the grid.")
    notes.append("A dot is an empty cell." if any(puzzle.givens) else "No cell is given.")
    stated = ["What the setter states under `ruleset` below."] if puzzle.rules else []
    held = toml_writer.write(replace(puzzle, solution=None)).strip("\n")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", held)), default=0))  # no line in it ends it
    apart = "" if size.digits[-1] < 10 else ", with blanks between them"
    return "\n".join(
        [
            f"{BEGIN} Fill all cells with digits from {ends}, so that these rules hold:",
            "",
            *(f"- {sentence}" for sentence in (first, *described, *stated)),
            "",
            f"The puzzle. {' '.join(notes)}",
            "",
            f"{fence}toml",
            held,
            fence,
            "",
            f"End your answer with the solved grid: {size.rows} lines of {size.columns} digits{apart}.",
        ]
    )


def read(text: str, options: Options) -> Reading:
    fenced = FENCED.search(text)
    if fenced is None:
        raise FormatError("a prompt without its puzzle, expected a line ```toml and one ``` behind it")
    return toml.read("\n" * text.count("\n", 0, fenced.start(2)) + fenced[2], options)


def _each(marks: Iterable[Mark]) -> Iterator[Mark]:
    for mark in marks:
        if mark.kind not in REGIONS:
            yield mark
        yield from _each(mark.marks)


def fits(text: str) -> bool:
    return text.startswith(BEGIN) and FENCED.search(text) is not None


SIGN = Detection(fits, f'"{BEGIN}" and a fence of TOML', confidence=Confidence.CERTAIN, view=View.ALL)
HOLDS = replace(toml.HOLDS, shapes=EVERY_SHAPE, metadata=toml.HOLDS.metadata - {"solution"})
FORMATS = (Format("prompt", "rules in words and the puzzle, for a language model", read, write, HOLDS, SIGN),)
