"""`satdoku count`: how many solutions each puzzle has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Asking, Emit, Style
from satdoku.commands import Command
from satdoku.commands.asking import answer
from satdoku.commands.options import All, Engine, Input, Limit, Many, Output, Puzzles, Timeout, Timing, composed, most
from satdoku.commands.searches import Search, Sessions, backend_names, puzzle_of
from satdoku.inputs.items import Item
from satdoku.verdict import DEFAULT_COUNT, Outcome, counted

COUNTED, CUT = "counted", "cut by the timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Search):
    """How many solutions each puzzle has, up to `limit`; None for all."""

    limit: int | None = DEFAULT_COUNT
    alone: bool = False
    columns: ClassVar[Mapping[str, type]] = {
        "puzzle": str,
        "verdict": str,
        "count": str,  # of any length
        "exact": bool,
        "ending": str,
        "backend": str,
        "counted_by": str,
        "reason": str,
        "seconds": float,
        "error": str,
    }

    def open(self) -> Counting:
        return Counting(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        outcome = answer.view
        if not isinstance(outcome, Outcome):
            return Asking.text(self, item, answer, style)
        number = f"{outcome.count}" if outcome.exact else f"at least {outcome.count}"
        return (number if style.alone else f"{item.name}\t{number}") + self.took(outcome, style.alone)

    def answered(self, item: Item, outcome: Outcome) -> Answer:
        """The answer that an outcome makes."""
        stopped = outcome.ending is Ending.TIMEOUT
        more: dict[str, object] = {
            "count": outcome.count,
            "exact": outcome.exact,
            "ending": outcome.ending.value,
            "backend": outcome.backend,
        }
        if outcome.tallied:
            more["counted_by"] = "tally"
        return Answer(
            status=3 if stopped else 0,
            outcome=CUT if stopped else COUNTED,
            record=self.record(item, outcome, more),
            engine=outcome.backend,
            view=outcome,
            notes=(outcome.reason,) if self.alone and outcome.reason else (),
        )


class Counting:
    """One worker's backend."""

    def __init__(self, question: Count) -> None:
        self._question = question
        self._sessions = Sessions(question)

    def prepare(self) -> None:
        self._sessions.prepare()

    def close(self) -> None:
        self._sessions.close()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        question = self._question
        outcome = counted(self._sessions.open[0], puzzle_of(item), question.limit, question.timeout)
        return question.answered(item, outcome)


@composed
def command(
    input: Input,
    engine: Engine,
    many: Many,
    output: Output,
    puzzles: Puzzles = None,
    limit: Limit = DEFAULT_COUNT,
    every: All = False,
    timeout: Timeout = None,
    timing: Timing = False,
) -> None:
    """How many solutions each puzzle has.

    Exit status: 0 counted, 2 invalid input, 3 some count was cut by the timeout.
    """
    upto = most(limit, every)
    answer(
        lambda run: Count(
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
        known=(COUNTED, CUT),
    )


COMMANDS = (Command(name="count", function=command, order=30),)
