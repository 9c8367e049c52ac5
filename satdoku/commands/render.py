"""`satdoku render`: puzzles as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from satdoku.backends import Budget, Ending
from satdoku.batch.questions import Answer, Emit
from satdoku.commands import options
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import OUTPUT, composed, option
from satdoku.commands.searches import Searching, SearchQuestion, item_puzzle, table
from satdoku.errors import InputError
from satdoku.formats.marks import heading
from satdoku.inputs.items import Item
from satdoku.pictures import Page, Picture, Sheet, format_of, paged
from satdoku.verdict import Verdict
from satdoku.words import joined, plural

DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Render(SearchQuestion):
    """A picture of each puzzle, with its solution if that is to be sought."""

    output: options.OutputPath = None
    solution: bool = option(OUTPUT, "Draw the solution in a second ink.", default=False)
    heat: bool = option(OUTPUT, "Draw how many of the solutions have each value.", default=False)
    sheet: str | None = option(
        OUTPUT, "Several on a page for print, such as 2x3; answers at the back.", metavar="ROWSxCOLUMNS"
    )
    paper: str | None = option(OUTPUT, "The paper of --sheet: a4 (usual) or letter.")
    answers: bool | None = option(
        OUTPUT, "With --sheet: answers at the back, which is usual.", "--answers/--no-answers"
    )
    rules: bool = option(OUTPUT, "Write below what each kind of mark means.", default=False)
    cell: float | None = option(OUTPUT, "The side of a cell in millimetres.")
    timeout: options.Timeout = None
    columns = table("")
    pictures, summarized = True, False

    @property
    def back(self) -> bool:
        """Whether the solutions stand at the back alone."""
        return self.sheet is not None and self.answers is not False and not self.solution

    def open(self) -> Rendering:
        return Rendering(self)


class Rendering(Searching[Render]):
    def answer(self, item: Item, emit: Emit | None) -> Answer:
        from satdoku.api.setter import candidates

        question, puzzle = self.question, item_puzzle(item)
        picture = Picture(puzzle, rules=question.rules)
        status, notes = 0, tuple[str, ...]()
        if question.heat:
            survey = candidates(puzzle, limit=None, timeout=question.timeout)
            picture = replace(picture, heat=survey.shares, grid=survey.decided)
            if survey.ending is Ending.TIMEOUT:
                status, notes = 3, (f"drawn by {plural(survey.solutions, 'solution')}, when the timeout came",)
        elif question.solution or question.back:
            outcome = self.sessions[0].run(puzzle, Budget(2, question.timeout))
            picture = replace(picture, grid=next(iter(outcome.grids), None))
            if outcome.verdict is not Verdict.UNIQUE:
                how = "with one solution" if outcome.grids else "without a solution"
                notes = (f"{outcome.verdict.value}, drawn {how}{f': {outcome.reason}' if outcome.reason else ''}",)
                status = int(not outcome.count) if outcome.exact else 3 * (not outcome.count)
        return Answer(
            status=status, outcome=DRAWN, record=question.about(item), notes=notes, pictures=lambda: [picture]
        )


def pages(pictures: Sequence[Picture], sheet: Sheet | None, cell: float | None, back: bool) -> Sequence[Page]:
    """Pictures on their pages, headed by their titles, and numbered if there are several.

    back: with the solutions at the back alone
    """
    several = len(pictures) > 1
    pictures = [
        replace(picture, title=f"{number if several else ''} {heading(picture.puzzle)}".strip())
        for number, picture in enumerate(pictures, 1)
    ]
    if not back:
        return paged(pictures, (), sheet, cell)
    return paged([replace(picture, grid=None) for picture in pictures], pictures, sheet, cell)


@composed
def render(
    input: options.Input,
    engine: options.EngineOptions,
    many: options.Many,
    own: Render,
    puzzles: options.Puzzles = None,
) -> None:
    """Draw puzzles: SVG, PNG or PDF by the suffix of the file; SVG on standard output without one.

    Exit status: 0 drawn, 1 a solution was asked for and some puzzle has none, 2 invalid input, 3
    some search was stopped.
    """
    format_of(own.output)
    if own.heat and (own.solution or own.sheet is not None):
        raise InputError("--heat draws all solutions: leave out --solution and --sheet")
    if own.sheet is None and (own.paper is not None or own.answers is not None):
        given = ["--paper"] * (own.paper is not None)
        given += ["--answers" if own.answers else "--no-answers"] * (own.answers is not None)
        verb = "is" if len(given) == 1 else "are"
        raise InputError(f"{joined(given)} {verb} for --sheet: name that too, such as --sheet 2x3")
    page = None if own.sheet is None else Sheet.parse(own.sheet, own.paper or "a4")
    if own.cell is not None and page is not None:
        raise InputError("--cell and --sheet exclude each other: cells on a sheet are as large as their place allows")
    if own.cell is not None and not 1 <= own.cell <= 100:
        raise InputError(f"--cell {own.cell:g}: expected 1 to 100 millimetres")
    output = options.Output(output=None if own.output is None else [own.output])
    run = Run(input=input, many=many, output=output, puzzles=puzzles)
    layout = partial(pages, sheet=page, cell=own.cell, back=own.back)
    answer(own.by(engine), run, records=False, paged=layout)
