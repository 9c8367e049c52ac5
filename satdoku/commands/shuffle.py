"""`satdoku shuffle`: puzzles that symmetries of their boards make of others, by a seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from satdoku.batch.layouts import Layout
from satdoku.batch.questions import Answer, Emit, Question, Style
from satdoku.bench.shuffle import Draws, isomorphs
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import OUTPUT, FormatTo, composed, option
from satdoku.commands.puzzles import format_for, named_format, one_puzzle, suffixes
from satdoku.commands.searches import item_puzzle, table
from satdoku.errors import InputError
from satdoku.formats import Format, find
from satdoku.formats.line import flat as line
from satdoku.inputs.items import Item
from satdoku.puzzle import Board, only
from satdoku.words import plural

MADE = "made"
MAX_EACH = 100_000
"""Puzzles made of one: they are one answer, which is held in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffled(Question):
    """header: the columns of the input, which are not written"""

    each: int = option(OUTPUT, "How many puzzles to make of each.", "-k", default=1, least=1, most=MAX_EACH)
    seed: int = option(OUTPUT, "Random seed.", default=1, least=0)
    to: FormatTo = None
    columns = table("number:int puzzle solution verdict error")
    grids = "puzzle"
    outcomes, summarized = (MADE,), False

    @property
    def between(self) -> str:
        return "" if self.to is None or find(self.to).one_line else "\n"

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle = item_puzzle(item)
        every = puzzle.board.every_value
        candidates = not all(one == every or only(one) for one in puzzle.candidates)
        made = isomorphs(puzzle, Draws(self.seed, item.number, item.text), self.each)
        rows = [
            {
                **item.place,
                "number": number,
                "puzzle": _format(one.board, self.to, candidates).write(one, False),
                "solution": None if one.solution is None else line(one.board, one.solution),
            }
            for number, one in enumerate(made, 1)
        ]
        few = f"{plural(len(made), 'puzzle')}, as symmetries of this board give no more"
        return Answer(status=0, outcome=MADE, record={}, view=rows, notes=(few,) * (len(made) < self.each))

    def view_text(self, item: Item, view: dict[str, object], style: Style) -> str | None:
        text = str(view["puzzle"])
        return f"{text}\n" if "\n" in text and not self.between else text


@lru_cache(maxsize=64)
def _format(board: Board, to: str | None, candidates: bool) -> Format:
    return format_for(board, to, True, True, candidates)


@dataclass(frozen=True, slots=True)
class Each(Layout):
    """Answers that are several rows of a layout each."""

    layout: Layout

    def one(self, item: Item, answer: Answer) -> list[Any]:
        if not isinstance(answer.view, list):
            return [self.layout.one(item, answer)]
        return [self.layout.one(item, replace(answer, record=row, view=row)) for row in answer.view]

    def pack(self, rows: list[Any]) -> Any:
        return self.layout.pack([row for some in rows for row in some if row is not None])


@composed
def shuffle(run: Run, own: Shuffled) -> None:
    """Puzzles that symmetries make of each, drawn at random.

    A puzzle with marks is turned and reflected with them, as far as they say the same there.

    Exit status: 0, or 2 invalid input.
    """
    if run.output.resume:
        raise InputError("--resume: shuffle writes several rows for a puzzle, so it cannot go on; leave it out")
    to = named_format(own.to, run.output.output)
    one_puzzle(run.output.output, False)
    answer(replace(own, to=to), run, stated=True, texts=suffixes(), collect=lambda layout, sink: (Each(layout), sink))
