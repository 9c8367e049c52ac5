"""`satdoku convert`: puzzles in another format."""

from __future__ import annotations

from dataclasses import dataclass, replace

from satdoku.batch.questions import Answer, Emit, Evaluator, Question, Style
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import OUTPUT, FormatTo, composed, option
from satdoku.commands.puzzles import named_format, note, suffixes
from satdoku.commands.searches import item_puzzle, table
from satdoku.formats import find
from satdoku.formats.lossy import write_lossy
from satdoku.inputs.items import Item

CONVERTED = "converted"
DEFAULT = "line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(Question):
    """to:    the format to write; None is the one that the file names, or `line`
    lossy: whether marks that it cannot hold are stated in the rules text
    """

    to: FormatTo = None
    lossy: bool = option(
        OUTPUT, "State in the rules text, in words, the marks that the format cannot hold.", default=False
    )
    columns = table("puzzle format verdict error")
    grids = "puzzle"
    outcomes, summarized = (CONVERTED,), False

    @property
    def between(self) -> str:
        return "" if find(self.to or DEFAULT).one_line else "\n"

    def open(self) -> Converting:
        return Converting(self)

    def view_text(self, item: Item, view: str, style: Style) -> str | None:
        return view


class Converting(Evaluator):
    def __init__(self, question: Convert) -> None:
        self._format = find(question.to or DEFAULT)
        self._lossy = question.lossy
        self._noted = False

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle, name = item_puzzle(item), self._format.name
        lost = self._format.lost(puzzle)
        text, unstated = write_lossy(self._format, puzzle) if self._lossy else (self._format.write(puzzle, False), ())
        notes = [f"left out, as the format {name} cannot hold it: {', '.join(lost)}"] * bool(lost)
        if unstated:
            where = "in the rules text alone" if "rules" in self._format.holds.metadata else "left out"
            notes.append(
                f"{where}, as the format {name} cannot state it: {', '.join(unstated)}; toml can (docs/own-rules.md)"
            )
        notes_of_board = note(self._format, puzzle.board) if not self._noted else ()
        self._noted = self._noted or bool(notes_of_board)
        record = {**item.place, "puzzle": text, "format": name}
        return Answer(status=0, outcome=CONVERTED, record=record, view=text, notes=(*notes, *notes_of_board))


@composed
def convert(run: Run, own: Convert) -> None:
    """Write puzzles in another format (line if none is named); refused where the format cannot hold them.

    Exit status: 0 all written, 2 invalid input, or a puzzle that the format cannot hold.
    """
    to = named_format(own.to, run.output.output) or DEFAULT
    answer(replace(own, to=to), run, stated="solution" in find(to).holds.metadata, texts=suffixes())
