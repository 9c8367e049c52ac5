"""`satdoku count`: how many solutions each puzzle has."""

from dataclasses import dataclass

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Emit, Style
from satdoku.commands import Command
from satdoku.commands.asking import SearchRun, answer
from satdoku.commands.options import All, Limit, Timeout, Timing, composed, most
from satdoku.commands.searches import Search, search_of, table
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
        status, word = (3, CUT) if outcome.ending is Ending.TIMEOUT else (0, COUNTED)
        more: dict[str, object] = {"count": outcome.count, "exact": outcome.exact, "ending": outcome.ending.value}
        more |= {"backend": outcome.backend} | ({"counted_by": "tally"} if outcome.tallied else {})
        record = self.record(item, outcome, more)
        notes = (outcome.reason,) if self.alone and outcome.reason else ()
        return Answer(status=status, outcome=word, record=record, engine=outcome.backend, view=outcome, notes=notes)


@composed
def command(
    run: SearchRun, limit: Limit = DEFAULT_COUNT, every: All = False, timeout: Timeout = None, timing: Timing = False
) -> None:
    """How many solutions each puzzle has.

    Exit status: 0 counted, 2 invalid input, 3 some count was cut by the timeout.
    """
    question = search_of(Count, run, timeout, timing, limit=most(limit, every))
    answer(question, run, timeout=timeout, known=(COUNTED, CUT))


COMMANDS = (Command(name="count", function=command, order=30),)
