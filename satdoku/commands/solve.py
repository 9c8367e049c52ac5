"""`satdoku solve`: a solution of each puzzle, or more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from satdoku.backends import Budget, Drain, Ending
from satdoku.batch.questions import UNDECIDED, Answer, Answers, Asking, Emit, Style
from satdoku.commands import Command
from satdoku.commands.asking import SearchRun, answer
from satdoku.commands.options import All, Limit, Timeout, Timing, composed, most
from satdoku.commands.searches import (
    Search,
    Searching,
    board_of,
    puzzle_of,
    search_options,
    sentence,
    solved_lines,
    table,
)
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
    columns = table("puzzle verdict solutions ending backend seconds:float error")
    words, statuses = (SOLVED, UNSOLVABLE), (0, 1)
    by_count = (1, 0, 0)

    def open(self) -> Solving:
        return Solving(self)

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
            notes=(sentence(verdict, outcome, puzzle_of(item)),) if self.alone and status else (),
            pictures=tuple(Picture(puzzle_of(item), grid) for grid in outcome.grids),
        )

    def texts(self, block: Block, answers: Answers) -> Sequence[str]:
        return [
            "\n".join(f"{name}\t{word}\t{grid}" for grid in grids) if grids else f"{name}\t{word}"
            for _, name, word, grids in solved_lines(block, answers)
        ]

    def records(self, block: Block, answers: Answers) -> Iterator[Mapping[str, object]]:
        for _, name, _, grids in solved_lines(block, answers):
            ending = Ending.LIMIT if len(grids) == self.limit else Ending.EXHAUSTED
            yield {"puzzle": name, "solutions": grids, "ending": ending.value, "backend": answers.engine}


class Solving(Searching[Solve]):
    """One worker's backend."""

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        outcome = self.known(item)
        if outcome is None:
            budget = Budget(self.question.limit, self.question.timeout)
            search = Drain(self.sessions[0].search(puzzle_of(item), budget, keep=0 if emit else None))
            for grid in search:
                if emit:
                    emit(grid)
            outcome = search.result
        return self.question.answered(item, outcome)


@composed
def command(
    run: SearchRun, limit: Limit = 1, every: All = False, timeout: Timeout = None, timing: Timing = False
) -> None:
    """A solution of each puzzle, or more.

    Exit status: 0 all solved, 1 some have no solution, 2 invalid input, 3 some undecided.
    """
    upto = most(limit, every)
    answer(
        lambda found: Solve(limit=upto, **search_options(run.engine, found, timeout, timing)),
        run,
        timeout=timeout,
        known=(SOLVED, UNSOLVABLE, UNDECIDED),
        pictures=True,
    )


COMMANDS = (Command(name="solve", function=command, order=20),)
