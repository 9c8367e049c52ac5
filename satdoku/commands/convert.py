"""`satdoku convert`: puzzles in another format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from satdoku.batch.questions import Answer, Asking, Emit, Style
from satdoku.batch.totals import Total
from satdoku.commands import Command
from satdoku.commands.asking import answer
from satdoku.commands.options import FormatTo, Input, Many, Output, Puzzles, composed, key_of
from satdoku.commands.searches import puzzle_of
from satdoku.commands.writing import named_format, note, suffixes
from satdoku.formats import find
from satdoku.inputs.items import Item

CONVERTED = "converted"

DEFAULT = "line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(Asking):
    """to: the format to write."""

    to: str = DEFAULT
    columns: ClassVar[Mapping[str, type]] = {"puzzle": str, "verdict": str, "format": str, "text": str, "error": str}

    @property
    def between(self) -> str:  # type: ignore[override]
        """Blocks stand apart; lines need nothing between them."""
        return "" if find(self.to).one_line else "\n"

    def key(self) -> Mapping[str, str]:
        return key_of(self)

    def open(self) -> Converting:
        return Converting(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        return None if answer.view is None else str(answer.view)

    def summary(self, total: Total, style: Style) -> str:
        return ""


class Converting:
    """Writes; it keeps nothing open."""

    def __init__(self, question: Convert) -> None:
        self._to = question.to
        self._format = find(question.to)
        self._told = False

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle = puzzle_of(item)
        lost = self._format.lost(puzzle)
        text = self._format.write(puzzle, metadata=False)
        record = {"puzzle": item.name, "format": self._to, "text": text}
        notes = (f"left out, as the format {self._to} cannot hold it: {', '.join(lost)}",) if lost else ()
        told = note(self._format, puzzle.board) if not self._told else ()
        self._told = self._told or bool(told)
        return Answer(status=0, outcome=CONVERTED, record=record, view=text, notes=(*notes, *told))

    def close(self) -> None: ...


@composed
def command(input: Input, many: Many, output: Output, puzzles: Puzzles = None, to: FormatTo = None) -> None:
    """Write puzzles in another format (line if none is named); refused where the format cannot hold them.

    Exit status: 0 all written, 2 invalid input, or a puzzle that the format cannot hold.
    """
    format = named_format(to, output.output) or DEFAULT
    answer(
        lambda run: Convert(to=format),
        puzzles=puzzles,
        input=input,
        many=many,
        output=output,
        known=(CONVERTED,),
        texts=suffixes(),
    )


COMMANDS = (Command(name="convert", function=command, order=40),)
