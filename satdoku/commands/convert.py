"""`satdoku convert`: puzzles in another format."""

from __future__ import annotations

from dataclasses import dataclass

from satdoku.batch.questions import Answer, Emit, Style
from satdoku.batch.totals import Total
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import FormatTo, Lossy, composed
from satdoku.commands.puzzles import named_format, note, suffixes
from satdoku.commands.searches import Keyed, puzzle_of, table
from satdoku.formats import find
from satdoku.formats.lossy import write_lossy
from satdoku.inputs.items import Item

CONVERTED = "converted"
DEFAULT = "line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(Keyed):
    """to:    the format to write
    lossy: whether marks that it cannot hold are stated in the rules text
    """

    to: str = DEFAULT
    lossy: bool = False
    columns = table("puzzle verdict format text error")

    @property
    def between(self) -> str:  # type: ignore[override]  # it depends on --to
        return "" if find(self.to).one_line else "\n"

    def open(self) -> Converting:
        return Converting(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        return None if answer.view is None else str(answer.view)

    def summary(self, total: Total, style: Style) -> str:
        return ""


class Converting:
    def __init__(self, question: Convert) -> None:
        self._to = question.to
        self._format = find(question.to)
        self._lossy = question.lossy
        self._noted = False

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle = puzzle_of(item)
        lost = self._format.lost(puzzle)
        text, unstated = write_lossy(self._format, puzzle) if self._lossy else (self._format.write(puzzle, False), ())
        record = {"puzzle": item.name, "format": self._to, "text": text}
        notes = [f"left out, as the format {self._to} cannot hold it: {', '.join(lost)}"] * bool(lost)
        if unstated:
            where = "in the rules text alone" if "rules" in self._format.holds.metadata else "left out"
            notes.append(f"{where}, as the format {self._to} cannot state it: {', '.join(unstated)}")
        notes_of_board = note(self._format, puzzle.board) if not self._noted else ()
        self._noted = self._noted or bool(notes_of_board)
        return Answer(status=0, outcome=CONVERTED, record=record, view=text, notes=(*notes, *notes_of_board))

    def close(self) -> None: ...


@composed
def command(run: Run, to: FormatTo = None, lossy: Lossy = False) -> None:
    """Write puzzles in another format (line if none is named); refused where the format cannot hold them.

    Exit status: 0 all written, 2 invalid input, or a puzzle that the format cannot hold.
    """
    format = named_format(to, run.output.output) or DEFAULT
    answer(lambda found: Convert(to=format, lossy=lossy), run, known=(CONVERTED,), texts=suffixes())
