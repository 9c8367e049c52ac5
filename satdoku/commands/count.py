"""`satdoku count`: how many solutions each puzzle has."""

from dataclasses import dataclass

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Emit, Style
from satdoku.commands import Command
from satdoku.commands.asking import SearchRun, answer
from satdoku.commands.options import All, Limit, Timeout, Timing, composed, most
from satdoku.commands.searches import Search, search_options, table
from satdoku.inputs.items import Item
from satdoku.puzzle import Puzzle
from satdoku.verdict import DEFAULT_COUNT, Outcome, Session, counted

COUNTED, CUT = "counted", "cut by the timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Search):
    """How many solutions each puzzle has, up to `limit`; None for all."""

    limit: int | None = DEFAULT_COUNT
    columns = table("puzzle verdict count exact:bool ending backend counted_by reason seconds:float error")

    def ask(self, session: Session, puzzle: Puzzle, emit: Emit | None) -> Outcome:
        return counted(session, puzzle, self.limit, self.timeout)

    def shown(self, item: Item, outcome: Outcome, style: Style) -> str | None:
        number = f"{outcome.count}" if outcome.exact else f"at least {outcome.count}"
        return (number if style.alone else f"{item.name}\t{number}") + self.took(outcome, style.alone)

    def answered(self, item: Item, outcome: Outcome) -> Answer:
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


@composed
def command(
    run: SearchRun, limit: Limit = DEFAULT_COUNT, every: All = False, timeout: Timeout = None, timing: Timing = False
) -> None:
    """How many solutions each puzzle has.

    Exit status: 0 counted, 2 invalid input, 3 some count was cut by the timeout.
    """
    upto = most(limit, every)
    answer(
        lambda found: Count(limit=upto, **search_options(run.engine, found, timeout, timing)),
        run,
        timeout=timeout,
        known=(COUNTED, CUT),
    )


COMMANDS = (Command(name="count", function=command, order=30),)
