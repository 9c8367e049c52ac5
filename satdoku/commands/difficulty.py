"""`satdoku difficulty`: how hard each unique puzzle is for people, by the techniques that it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satdoku.backends import Ending
from satdoku.backends.clock import Deadline
from satdoku.batch.questions import UNDECIDED, Answer, Evaluator, Question, Style
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import ENGINE, composed, option, seconds
from satdoku.commands.searches import STATUS, VERDICTS, item_puzzle, table
from satdoku.inputs.items import Item
from satdoku.verdict import Verdict

if TYPE_CHECKING:
    from satdoku.batch.questions import Emit
    from satdoku.setter.difficulty import Difficulty


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate(Question):
    """Seconds for each puzzle."""

    timeout: float | None = option(ENGINE, "Seconds for each puzzle.", parser=seconds, metavar="SECONDS", default=60.0)
    outcomes = VERDICTS
    columns = table("verdict level:int name hardest count:int score:int steps open:int ending error")

    def open(self) -> Rating:
        return Rating(self)

    def view_text(self, item: Item, difficulty: Difficulty, style: Style) -> str | None:
        if style.alone:
            return f"{difficulty}{difficulty.score_text}"
        least = "at least " if difficulty.ending is Ending.TIMEOUT else ""
        return f"{item.name}\t{least}{difficulty.level.value} {difficulty.level.name.lower()}{difficulty.score_text}"


class Rating(Evaluator):
    """What one worker keeps open."""

    def __init__(self, question: Rate) -> None:
        from satdoku.verdict import Session

        self._question, self._session = question, Session()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        from satdoku.setter.difficulty import rate, scored

        question, puzzle = self._question.within(item), item_puzzle(item)
        deadline = Deadline(question.timeout)
        outcome = self._session.check(puzzle, timeout=question.timeout)
        about = {**question.about(item), "verdict": outcome.verdict.value}
        if outcome.verdict is not Verdict.UNIQUE:
            note = f"{outcome.verdict.value}: only a puzzle with one solution has a difficulty"
            return Answer(status=STATUS[outcome.verdict], outcome=outcome.verdict.value, record=about, notes=(note,))
        difficulty = rate(puzzle, deadline.left())
        if difficulty.ending is not Ending.TIMEOUT:
            difficulty = scored(puzzle, difficulty, deadline.left())
        record = {
            **about,
            **difficulty.record(),
            "hardest": difficulty.hardest,
            "count": sum(difficulty.steps.values()),
            "score": difficulty.score,
        }
        late = difficulty.ending is Ending.TIMEOUT
        return Answer(status=3 if late else 0, outcome=UNDECIDED if late else "unique", record=record, view=difficulty)

    def close(self) -> None:
        self._session.close()


@composed
def difficulty(run: Run, own: Rate) -> None:
    """How hard each unique puzzle is for people, by the techniques that it takes.

    Exit status: 0 unique, 1 some puzzle has no solution or several, 2 invalid input, 3 some were cut by the timeout.
    """
    answer(own, run)
