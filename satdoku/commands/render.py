"""`satdoku render`: puzzles as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar

from satdoku.backends import Budget
from satdoku.batch.outputs import Plan
from satdoku.batch.questions import Answer, Emit, Style
from satdoku.batch.totals import Total
from satdoku.batch.worker import Task
from satdoku.commands import Command
from satdoku.commands.asking import run
from satdoku.commands.options import OUTPUT, Engine, Input, Many, Output, OutputFile, Puzzles, Timeout, composed, option
from satdoku.commands.puzzles import named, opened
from satdoku.commands.searches import Search, Sessions, puzzle_of
from satdoku.errors import InputError
from satdoku.formats.marks import heading
from satdoku.inputs.columns import Columns
from satdoku.inputs.items import Item
from satdoku.pictures import Page, Picture, Sheet, format_of, paged
from satdoku.verdict import Verdict

DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Render(Search):
    """A picture of each puzzle.

    solve: whether its solution is sought
    rules: whether the meaning of each kind of mark is written below
    """

    solve: bool = False
    rules: bool = False
    columns: ClassVar[Mapping[str, type]] = {"puzzle": str}

    def open(self) -> Rendering:
        return Rendering(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        return None

    def summary(self, total: Total, style: Style) -> str:
        return ""


class Rendering:
    """One worker's backend, where solutions are sought."""

    def __init__(self, question: Render) -> None:
        self._question = question
        self._sessions = Sessions(question)

    def prepare(self) -> None:
        if self._question.solve:
            self._sessions.prepare()

    def close(self) -> None:
        self._sessions.close()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        question, puzzle = self._question, puzzle_of(item)
        picture = Picture(puzzle, rules=question.rules)
        status, notes = 0, tuple[str, ...]()
        if question.solve:
            outcome = self._sessions.open[0].run(puzzle, Budget(2, question.timeout))
            picture = replace(picture, grid=next(iter(outcome.grids), None))
            if outcome.verdict is not Verdict.UNIQUE:
                how = "with one solution" if outcome.grids else "without a solution"
                notes = (f"{outcome.verdict.value}, drawn {how}{f': {outcome.reason}' if outcome.reason else ''}",)
                status = int(not outcome.count) if outcome.exact else 3 * (not outcome.count)
        return Answer(status=status, outcome=DRAWN, record={"puzzle": item.name}, notes=notes, pictures=(picture,))


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
def command(
    input: Input,
    engine: Engine,
    many: Many,
    puzzles: Puzzles = None,
    output: OutputFile = None,
    solution: Annotated[bool, option(OUTPUT, "--solution", help="Draw the solution in a second ink.")] = False,
    sheet: Annotated[
        str | None,
        option(
            OUTPUT,
            "--sheet",
            help="Several on a page for print, such as 2x3; answers at the back.",
            metavar="ROWSxCOLUMNS",
        ),
    ] = None,
    paper: Annotated[str, option(OUTPUT, "--paper", help="The paper of --sheet: a4 or letter.")] = "a4",
    answers: Annotated[
        bool, option(OUTPUT, "--answers/--no-answers", help="With --sheet: answers at the back.")
    ] = True,
    rules: Annotated[bool, option(OUTPUT, "--rules", help="Write below what each kind of mark means.")] = False,
    cell: Annotated[float | None, option(OUTPUT, "--cell", help="The side of a cell in millimetres.")] = None,
    timeout: Timeout = None,
) -> None:
    """Draw puzzles: SVG, PNG or PDF by the suffix of the file; SVG on standard output without one.

    Exit status: 0 drawn, 1 a solution was asked for and some puzzle has none, 2 invalid input, 3
    some search was stopped.
    """
    format_of(output)
    page = None if sheet is None else Sheet.parse(sheet, paper)
    if cell is not None and page is not None:
        raise InputError("--cell and --sheet exclude each other: cells on a sheet are as large as their place allows")
    if cell is not None and not 1 <= cell <= 100:
        raise InputError(f"--cell {cell:g}: expected 1 to 100 millimetres")
    back = page is not None and answers and not solution
    question = Render(
        backends=(engine.backend,),
        encoding=engine.encoding_name(),
        timeout=timeout,
        solve=solution or back,
        rules=rules,
    )
    options = input.options()
    found = opened(puzzles, options, None if input.column is None else Columns(input.column))
    plan = Plan(
        paths=() if output is None else (Path(output),),
        records=False,
        pictures=True,
        paged=partial(pages, sheet=page, cell=cell, back=back),
    )
    task = Task(question=question, options=options, layouts=(), alone=found.alone)
    read = [*named(puzzles), *([] if input.board is None else [input.board])]
    run(task, found.chunks, plan=plan, many=many, output=Output(), timeout=timeout, key={}, inputs=read)


COMMANDS = (Command(name="render", function=command, order=50),)
