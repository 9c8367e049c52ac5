"""Where the work is done: an evaluator that stays open, and chunks of input that it answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import mkstemp
from time import perf_counter
from typing import Any

from satdoku.batch.layouts import Layout
from satdoku.batch.questions import INVALID, Answer, Answers, Question
from satdoku.batch.totals import ENGINE, OUTCOME, PARTLY, READ, Message, Result
from satdoku.constraints import Grid
from satdoku.errors import BackendError, Disagreement, InputError, SatdokuError, TooSlow, worst_status
from satdoku.formats import Options
from satdoku.inputs.items import Batch, Block, Chunk, Item
from satdoku.puzzle import Puzzle
from satdoku.system.files import naming
from satdoku.variants.summaries import describe, shape

MAX_HELD = 4 << 20  # characters of solutions of a chunk that a worker holds; what goes beyond waits in a file
Put = Callable[[int, Any], None]  # takes packed rows of the layout of that number


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTask:
    question: Question  # what is asked
    options: Options  # how lines are read
    layouts: tuple[Layout, ...]  # the forms of the answers
    only: frozenset[str] = frozenset()  # the outcomes that are put out; empty for all
    alone: bool = False  # whether there is one puzzle in all

    def result(self, **known: Any) -> Result:
        return Result(outputs=[[] for _ in self.layouts], **known)

    def open(self, folder: Path | None = None) -> BatchWorker:
        return BatchWorker(self, folder)

    def stopped(self, chunk: Chunk, seconds: float) -> Result:
        item = self.item(chunk, 0)
        if item is None or isinstance(item.puzzle, InputError):
            return self.result(lines=1)
        return self._alone(item, self.question.cut(item, f"the worker was stopped after {seconds:g} s"), seconds)

    def given_up(self, chunk: Chunk, reason: str) -> Result:
        item = self.item(chunk, 0)
        if item is None:
            return self.result(lines=1)
        error = BackendError(f"{item.name}: {reason}")
        return self._alone(item, self.question.invalid(item, error), messages=[Message(str(error))])

    def _alone(self, item: Item, answer: Answer, seconds: float = 0.0, **known: Any) -> Result:
        result = self.result(lines=1, seconds=seconds, **known)
        self.answered(item, answer, result, lambda number, rows: result.outputs[number].append(rows))
        return result

    def item(self, chunk: Chunk, index: int) -> Item | None:
        return chunk.item(index, self.options) if isinstance(chunk, Block) else chunk.items[index]

    def put(self, rows: list[list[Any]], put: Put) -> None:
        for number, (layout, each) in enumerate(zip(self.layouts, rows, strict=True)):
            made = each if None not in each else [row for row in each if row is not None]
            if made:
                put(number, layout.pack(made))

    def answered(self, item: Item, answer: Answer, result: Result, put: Put) -> None:
        if not self.only or answer.outcome in self.only:
            self.put([[layout.one(item, answer)] for layout in self.layouts], put)
        result.messages += [Message(f"{item.name}: {note}", note=True) for note in answer.notes]
        result.count(OUTCOME, answer.outcome)
        result.status = worst_status(result.status, answer.status)
        if answer.status:
            result.first.setdefault(answer.outcome, item.name)
        if answer.outcome != INVALID and isinstance(item.puzzle, Puzzle):
            board = describe(item.puzzle) if self.alone else shape(item.puzzle.board)
            result.count(READ, f"{item.format}, {board}")
            if item.puzzle.not_enforced:
                result.count(PARTLY, "puzzles")
        if answer.engine is not None:
            result.count(ENGINE, answer.engine)
        for name, value in answer.figures.items():
            result.count(name, value)
        if answer.proof is not None:
            result.proofs.append(answer.proof)


@dataclass(frozen=True, slots=True)
class Held:
    """Text that a worker has left in a file, as it is too long to be sent."""

    path: Path


class BatchWorker:
    def __init__(self, task: BatchTask, folder: Path | None = None) -> None:
        """folder: where long texts wait; None keeps them in memory."""
        self._task = task
        self._folder = folder
        self._evaluator = task.question.open()
        self._streams = bool(task.layouts) and all(layout.streams for layout in task.layouts)
        self._bulk = not task.alone and not any(layout.one_by_one for layout in task.layouts)
        self.close = self._evaluator.close

    def collect(self, chunk: Chunk) -> Result:
        texts = [_Outbox(self._folder) for _ in self._task.layouts]
        result = self.work(chunk, lambda number, rows: texts[number].put(rows))
        result.outputs = [outbox.parts for outbox in texts]
        return result

    def work(self, chunk: Chunk, put: Put) -> Result:
        result = self._task.result()
        started = perf_counter()
        try:
            if isinstance(chunk, Block):
                self._block(chunk, result, put)
            else:
                self._batch(chunk, result, put)
            result.lines += len(chunk)
        except SatdokuError as error:
            result.fatal = error
        result.seconds = perf_counter() - started
        return result

    def _block(self, block: Block, result: Result, put: Put) -> None:
        rows: list[list[Any]] = [[None] * len(block) for _ in self._task.layouts]
        answered = [False] * len(block)
        for answers in self._evaluator.answer_many(block) if self._bulk else ():
            index = answers.index.tolist()
            if len(index) == len(block):
                answered = [True] * len(block)
            for line in index if len(index) < len(block) else ():
                answered[line] = True
            self._many(block, answers, index, rows, result)
        if False not in answered:
            self._task.put(rows, put)
            return
        for done, lines in groupby(range(len(block)), answered.__getitem__):
            some = list(lines)
            if done:
                self._task.put([each[some[0] : some[-1] + 1] for each in rows], put)
                continue
            for item in filter(None, (self._task.item(block, line) for line in some)):
                self._item(item, result, put)

    def _many(self, block: Block, answers: Answers, index: list[int], rows: list[list[Any]], result: Result) -> None:
        only, outcomes = self._task.only, answers.outcomes.tolist()
        kept = [not only or word in only for word in answers.words]
        for layout, each in zip(self._task.layouts, rows, strict=True):
            made = layout.many(block, answers)
            if len(made) == len(each) and all(kept):
                each[:] = made  # every line of the block, in order
                continue
            for line, outcome, row in zip(index, outcomes, made, strict=True):
                if kept[outcome]:
                    each[line] = row
        for code, (word, status) in enumerate(zip(answers.words, answers.statuses, strict=True)):
            number = int((answers.outcomes == code).sum())
            if number:
                result.count(OUTCOME, word, number)
                result.status = worst_status(result.status, status)
            if number and status and word not in result.first:
                result.first |= {word: block.names([index[outcomes.index(code)]])[0]}
        if index:
            result.count(READ, f"line, {shape(answers.board)}", len(index))
            result.count(ENGINE, answers.engine, len(index))

    def _batch(self, batch: Batch, result: Result, put: Put) -> None:
        answers = self._evaluator.answer_together(batch.items)
        if answers is None:
            for item in batch.items:
                self._item(item, result, put)
            return
        for item, answer in zip(batch.items, answers, strict=True):
            self._task.answered(item, answer, result, put)

    def _item(self, item: Item, result: Result, put: Put) -> None:
        emit = None
        if self._streams:

            def emit(grid: Grid) -> None:
                self._task.put([[layout.grid(item, grid)] for layout in self._task.layouts], put)

        try:
            if isinstance(item.puzzle, InputError):
                raise item.puzzle
            answer = self._evaluator.answer(item, emit)
        except TooSlow as error:
            answer = self._task.question.cut(item, str(error))
        except (InputError, Disagreement) as error:
            answer = self._task.question.invalid(item, error)
            result.messages.append(Message(str(error), item.name.rpartition(":")[0] or item.name, error.excerpt))
        else:
            result.messages += [Message(f"{item.name}: {note}", note=True) for note in item.notes]
        self._task.answered(item, answer, result, put)


class _Outbox:
    def __init__(self, folder: Path | None) -> None:
        self.parts: list[Any] = []
        self._folder = folder
        self._held = 0

    def put(self, rows: Any) -> None:
        if self.parts and isinstance(self.parts[-1], Held):
            self._keep(self.parts[-1].path, rows)
            return
        self.parts.append(rows)
        self._held += len(rows) if isinstance(rows, str) else 0
        if self._held > MAX_HELD and self._folder is not None:
            handle, name = mkstemp(".out", dir=self._folder)
            os.close(handle)
            self._keep(Path(name), "".join(self.parts))
            self.parts = [Held(Path(name))]

    def _keep(self, path: Path, text: str) -> None:
        with naming(path), path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
