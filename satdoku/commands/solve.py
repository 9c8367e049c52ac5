"""`satdoku solve`: a solution of each puzzle, or more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from satdoku.backends import Budget, Ending
from satdoku.batch.questions import UNDECIDED, Answer, Answers, Asking, Emit, Style
from satdoku.commands import Command
from satdoku.commands.asking import answer
from satdoku.commands.options import All, Engine, Input, Limit, Many, Output, Puzzles, Timeout, Timing, composed, most
from satdoku.commands.searches import DECIDED, Search, Sessions, backend_names, board_of, puzzle_of, sentence
from satdoku.constraints import Grid
from satdoku.inputs.items import Block, Item
from satdoku.pictures import Picture
from satdoku.terminal.grids import drawn, line
from satdoku.verdict import Outcome, Verdict

SOLVED, UNSOLVABLE = "solved", Verdict.UNSOLVABLE.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Solve(Search):
    """Solutions of each puzzle, up to `limit`; None is all."""

    limit: int | None = 1
    alone: bool = False
    columns: ClassVar[Mapping[str, type]] = {
        "puzzle": str,
        "verdict": str,
        "solutions": str,
        "ending": str,
        "backend": str,
        "seconds": float,
        "error": str,
    }

    def open(self) -> Solving:
        plain = self.limit in (1, 2) and not self.timing and not self.alone
        return BulkSolving(self) if plain else Solving(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        """What is left to say once the solutions were printed as they came, or all of it where they were not."""
        outcome = answer.view
        if not isinstance(outcome, Outcome):
            return Asking.text(self, item, answer, style)
        if outcome.grids:
            return "\n".join(self.grid_text(item, grid, style) for grid in outcome.grids)
        return None if outcome.count or style.alone else f"{item.name}\t{answer.outcome}{self.took(outcome, False)}"

    def grid_text(self, item: Item, grid: Grid, style: Style) -> str:
        board = board_of(item)
        if not style.alone:
            return f"{item.name}\t{SOLVED}\t{line(board, grid)}"
        return line(board, grid) if self.limit != 1 else drawn(board, grid, style.boxed)

    def answered(self, item: Item, outcome: Outcome) -> Answer:
        """The answer that an outcome makes."""
        stopped = outcome.ending is Ending.TIMEOUT
        verdict = Verdict.UNDECIDED if stopped else Verdict.UNSOLVABLE
        status = 3 if stopped else int(not outcome.count)
        word = SOLVED if outcome.count else verdict.value
        more = {
            "solutions": [line(board_of(item), grid) for grid in outcome.grids],
            "ending": outcome.ending.value,
            "backend": outcome.backend,
        }
        return Answer(
            status=status,
            outcome=word,
            record=self.record(item, outcome, more),
            engine=outcome.backend,
            view=outcome,
            notes=(sentence(verdict, outcome),) if self.alone and status else (),
            pictures=tuple(Picture(puzzle_of(item), grid) for grid in outcome.grids),
        )

    def texts(self, block: Block, answers: Answers) -> Sequence[str]:
        found = zip(block.names(answers.index.tolist()), self._lines(answers), strict=True)
        return [
            "\n".join(f"{name}\t{SOLVED}\t{grid}" for grid in grids) if grids else f"{name}\t{UNSOLVABLE}"
            for name, grids in found
        ]

    def records(self, block: Block, answers: Answers) -> Iterator[Mapping[str, object]]:
        for name, grids in zip(block.names(answers.index.tolist()), self._lines(answers), strict=True):
            yield {
                "puzzle": name,
                "solutions": grids,
                "ending": (Ending.LIMIT if len(grids) == self.limit else Ending.EXHAUSTED).value,
                "backend": answers.engine,
            }

    def _lines(self, answers: Answers) -> Iterator[list[str]]:
        from satdoku.batch.rows import lines_of

        grids, size = answers.columns["solutions"], answers.board.values
        pairs = zip(lines_of(grids[:, 0], size), lines_of(grids[:, 1], size), strict=True)
        for count, pair in zip(answers.columns["count"].tolist(), pairs, strict=True):
            yield list(pair[:count])


class Solving:
    """One worker's backend."""

    def __init__(self, question: Solve) -> None:
        self._question = question
        self._sessions = Sessions(question)

    def prepare(self) -> None:
        self._sessions.prepare()

    def close(self) -> None:
        self._sessions.close()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        question = self._question
        outcome = self._sessions.known(item)
        if outcome is None:
            outcome = self._solved(item, emit)
        return question.answered(item, outcome)

    def _solved(self, item: Item, emit: Emit | None) -> Outcome:
        budget = Budget(self._question.limit, self._question.timeout)
        search = self._sessions.open[0].search(puzzle_of(item), budget, keep=0 if emit else None)
        while True:
            try:
                grid = next(search)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            if emit:
                emit(grid)


class BulkSolving(Solving):
    """The same, with lines of plain puzzles in arrays."""

    def answer_many(self, block: Block) -> Iterator[Answers]:
        import numpy as np

        from satdoku.batch.rows import clashing

        for rows, tallies in self._sessions.rows(block, Budget(self._question.limit, self._question.timeout)):
            counts = tallies.counts
            known = np.isin(tallies.endings, DECIDED)
            if (counts == 0).any():
                known &= (counts > 0) | ~clashing(rows)
            chosen = np.flatnonzero(known)
            self._sessions.remember(block, rows, tallies, np.flatnonzero(~known).tolist())
            yield Answers(
                index=rows.index[chosen],
                outcomes=(counts[chosen] == 0).astype(np.uint8),
                words=(SOLVED, UNSOLVABLE),
                statuses=(0, 1),
                engine=self._sessions.open[0].engine,
                board=rows.board,
                columns={"solutions": tallies.grids[chosen], "count": counts[chosen]},
            )


@composed
def command(
    input: Input,
    engine: Engine,
    many: Many,
    output: Output,
    puzzles: Puzzles = None,
    limit: Limit = 1,
    every: All = False,
    timeout: Timeout = None,
    timing: Timing = False,
) -> None:
    """A solution of each puzzle, or more.

    Exit status: 0 all solved, 1 some have no solution, 2 invalid input, 3 some undecided.
    """
    upto = most(limit, every)
    answer(
        lambda run: Solve(
            backends=backend_names([engine.backend], run.many),
            encoding=engine.encoding_name(),
            timeout=timeout,
            timing=timing,
            options=run.options,
            limit=upto,
            alone=run.alone,
        ),
        puzzles=puzzles,
        input=input,
        many=many,
        output=output,
        timeout=timeout,
        known=(SOLVED, UNSOLVABLE, UNDECIDED),
        pictures=True,
    )


COMMANDS = (Command(name="solve", function=command, order=20),)
