"""`satdoku grade`: how good the answers to puzzles are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import TextIOWrapper
from os.path import exists, isdir
from pathlib import Path
from typing import IO, Literal

from satdoku.api.graded import grade_one
from satdoku.batch.questions import Answer, Answers, Emit, Question, Style
from satdoku.commands import options
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import ENGINE, INPUT, composed, option
from satdoku.commands.puzzles import Opened, binary, once, whole
from satdoku.commands.searches import item_puzzle, table
from satdoku.errors import InputError, reason_of
from satdoku.formats import Options
from satdoku.grading.answers import taken
from satdoku.grading.grades import Grade
from satdoku.inputs.columns import Columns, rows
from satdoku.inputs.items import STANDARD_INPUT, Batch, Block, Chunk, Item, content_lines
from satdoku.inputs.streams import DAMAGED, plain
from satdoku.terminal.texts import cell_lines
from satdoku.words import plural

SOLVED, UNSOLVED, UNPARSED = "solved", "unsolved", "unparsed"
TABLES = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".arrow", ".feather", ".npy", ".npz")
ANSWER = "answer"
LEFT_OUT = ("solved", "parsed", "compared")  # of a grade, what other fields of its record say


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading(Question):
    """How good each answer is. answers: the file that has them, for --resume."""

    answer_column: str | None = option(
        INPUT, f"The column of the answers; of a file ANSWERS {ANSWER!r} unless named.", "--answer", metavar="NAME"
    )
    compare: str = option(
        ENGINE,
        "unique, all or none: right is what the only solution has, some solution, or not said.",
        default="unique",
        choices=("unique", "all", "none"),
    )
    completable: bool = option(ENGINE, "Search for a solution with all that is filled.", default=False)
    timeout: options.Timeout = None
    answers: str = ""
    options: Options = field(default_factory=Options, compare=False)
    columns = table(
        "verdict score:float open:int filled:int right:int wrong:int givens:int kept:int wrong_cells violations"
        " completable:bool taken answer error"
    )
    grids = ANSWER
    outcomes = (SOLVED, UNSOLVED, UNPARSED)

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle = item_puzzle(item)
        how: Literal["unique", "all"] | None = {"unique": "unique", "all": "all"}.get(self.compare)  # type: ignore[assignment]  # these two
        given = taken(item.expected, puzzle.board)
        grade = grade_one(puzzle, given, None, how, self.completable, self.within(item).timeout)
        outcome = SOLVED if grade.solved else UNSOLVED if grade.parsed else UNPARSED
        fields = {name: value for name, value in grade.to_dict().items() if name not in LEFT_OUT}
        record = {**self.about(item), "verdict": outcome, **fields}
        return Answer(status=0 if grade.solved else 1, outcome=outcome, record=record, view=grade)

    def answer_many(self, block: Block) -> Iterator[Answers]:
        """Lines of digits beside plain puzzles; what is read otherwise, and what is searched more for, is left."""
        if self.compare == "all" or self.completable:
            return
        import numpy as np

        from satdoku.batch.rows import plain
        from satdoku.commands.graded import graded

        for puzzles in plain(block, self.options):
            grades = graded(block, puzzles, self.compare == "unique", self.timeout)
            if grades is not None:
                yield Answers(
                    index=grades.rows.index,
                    outcomes=np.where(grades.counts.solved, 0, 1).astype(np.uint8),
                    words=(SOLVED, UNSOLVED),
                    statuses=(0, 1),
                    engine="native",
                    board=puzzles.board,
                    view=grades,
                )

    def records(self, block: Block, answers: Answers) -> Iterator[Mapping[str, object]]:
        places = block.places(answers.index.tolist())
        for place, outcome, fields in zip(places, answers.outcomes.tolist(), answers.view.fields(), strict=True):
            yield {**place, "verdict": answers.words[outcome], **fields}

    def texts(self, block: Block, answers: Answers) -> list[str]:
        names = block.names(answers.index.tolist())
        rows = zip(names, answers.outcomes.tolist(), answers.view.numbers(), strict=True)
        return [
            _line(name, answers.words[outcome], score, right, cells) for name, outcome, (score, right, cells, _) in rows
        ]

    def view_text(self, item: Item, grade: Grade, style: Style) -> str | None:
        outcome = SOLVED if grade.solved else UNSOLVED if grade.parsed else UNPARSED
        if not style.alone:
            return _line(item.name, outcome, grade.score, grade.right, grade.open)
        right = "" if grade.right is None else f"{grade.right} of {grade.open} right"
        score = "" if grade.score is None else f"{grade.score:.3f}"
        lines = [f"{outcome}: {grade.taken}"]
        if grade.parsed:
            filled = f"{plural(grade.open, 'open cell')}: {grade.filled} filled"
            lines.append(", ".join(filter(None, (filled, right and f"{grade.right} right, {grade.wrong} wrong"))))
            lines.append(f"{grade.kept} of {plural(grade.givens, 'given')} kept; score {score or 'unknown'}")
        if grade.wrong_cells:
            lines += cell_lines("wrong: ", grade.board, grade.wrong_cells)
        for fault in grade.violations:
            lines += cell_lines(f"{fault.name} is broken by ", grade.board, fault.cells)
        if grade.completable is not None:
            lines.append(f"it can{'' if grade.completable else 'not'} be completed")
        return "\n".join(lines)


def _line(name: str, outcome: str, score: float | None, right: int | None, open_cells: int) -> str:
    shown = ("" if score is None else f"{score:.3f}", "" if right is None else f"{right} of {open_cells} right")
    return "\t".join(filter(None, (name, outcome, *shown)))


def _answers(name: str, column: str | None, alone: bool) -> Iterator[str]:
    """The answers in a file: rows of a table, a line each, or one that is all of it."""
    is_table = any(suffix.lower() in TABLES for suffix in Path(name).suffixes[-2:])
    if column is not None and not is_table:
        raise InputError(f"--answer {column}: {name} is not a table: expected one of {', '.join(TABLES)}")
    with binary(name) as raw:
        try:
            yield from _texts(plain(raw), name, (column or ANSWER) if is_table else None, alone)
        except DAMAGED as error:
            raise InputError(f"{name}: {reason_of(error)}") from None


def _texts(stream: IO[bytes], name: str, column: str | None, alone: bool) -> Iterator[str]:
    if column is not None:
        try:
            yield from (row[1] or "" for row in rows(stream, Columns(column)))
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    elif alone:
        yield whole(stream, name).decode("utf-8-sig", "replace")
    else:
        yield from (line.rstrip("\r\n") for line in TextIOWrapper(stream, "utf-8-sig", errors="replace"))


def _beside(puzzles: Opened, name: str, column: str | None) -> Opened:
    """The puzzles, each with its answer. Raises InputError, behind all puzzles, if there are more or fewer answers."""
    return replace(puzzles, chunks=_paired(puzzles.chunks, _answers(name, column, puzzles.alone), name))


def _paired(chunks: Iterator[Chunk], answers: Iterator[str], name: str) -> Iterator[Chunk]:
    number = 0
    for chunk in chunks:
        if isinstance(chunk, Batch):
            beside = [next(answers, None) for _ in chunk.items]
            number += len(beside)
            _refuse_fewer(beside, number, name)
            pairs = zip(chunk.items, beside, strict=True)
            yield replace(chunk, items=tuple(replace(item, expected=text) for item, text in pairs))
        else:
            lines = range(len(chunk)) if chunk.table else content_lines(chunk)
            expected: list[str | None] = [None] * len(chunk)
            for line in lines:
                expected[line] = next(answers, None)
            number += len(lines)
            _refuse_fewer([expected[line] for line in lines], number, name)
            yield replace(chunk, expected=expected, stated=False)
    more = sum(1 for text in answers if text.strip())
    if more:
        raise InputError(f"{name}: {plural(number + more, 'answer')} to {plural(number, 'puzzle')}: expected as many")


def _refuse_fewer(beside: list[str | None], number: int, name: str) -> None:
    if None in beside:
        some = number - beside.count(None)
        raise InputError(f"{name}: {plural(some, 'answer')}, but more puzzles: expected as many; a blank line is none")


@composed
def grade(run: Run, own: Grading) -> None:
    """How good answers to puzzles are: cells right and wrong, broken houses and marks, a score.

    The last argument is the file of ANSWERS: a line or a row for each puzzle; for one puzzle the whole text. Without
    it, --answer names the column of a table of PUZZLES. Of a text the last grid counts.

    Exit status: 0 all solved, 1 some are not, 2 invalid input.
    """
    names = list(run.puzzles or ())
    if len(names) > 1:
        *names, file = names
        once(*names, file)
        if file != STANDARD_INPUT and not (exists(file) and not isdir(file)):
            raise InputError(f"{file[:200]}: no such file; the last argument is the file of answers")
        beside = replace(run, puzzles=names)
        answer(
            replace(own, answers=file),
            beside,
            beside=lambda opened: _beside(opened, file, own.answer_column),
            inputs=[file],
        )
    if own.answer_column is None:
        raise InputError("no answers named: give their file as the last argument, or --answer, the column of a table")
    answer(own, run, expect=own.answer_column)
