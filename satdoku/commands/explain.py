"""`satdoku explain`: why a puzzle has no solution, several, or one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Style
from satdoku.commands import Command
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import ENGINE, OUTPUT, composed, option, seconds
from satdoku.commands.searches import STATUS, VERDICTS, Setting, puzzle_of, table
from satdoku.inputs.items import Item

if TYPE_CHECKING:
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.explain import Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Setting):
    """Whether to prove that no reason is smaller; seconds for each puzzle."""

    smallest: bool = option(OUTPUT, "Prove that no reason is smaller, as far as the timeout allows.", default=False)
    timeout: float = option(ENGINE, "Seconds for each puzzle.", parser=seconds, metavar="SECONDS", default=60.0)
    columns = table("puzzle verdict ending clashes conflict solution solutions vary unique_with steps error")

    def answered(self, solver: IncrementalSolver, item: Item) -> Answer:
        from satdoku.setter.explain import explained
        from satdoku.terminal import explanations

        found = explained(solver, puzzle_of(item), self.smallest, self.timeout)
        status, notes = STATUS[found.verdict], tuple[str, ...]()
        if found.ending is Ending.TIMEOUT:
            status, notes = 3, (explanations.cut_note(found),)
        record, pictures = explanations.record(item.name, found), tuple(explanations.pictures(found))
        word = found.verdict.value
        return Answer(status=status, outcome=word, record=record, view=found, notes=notes, pictures=pictures)

    def shown(self, item: Item, found: Explanation, style: Style) -> str | None:
        from satdoku.terminal import explanations

        lines = [] if style.alone else [f"{item.name}: {found.verdict.value}"]
        lines += explanations.lines(found, style.boxed)
        return "\n".join(lines)


@composed
def command(run: Run, ask: Ask) -> None:
    """Why a puzzle has no solution, what would make it unique, or how its solution follows step by step.

    Exit status: 0 unique, 1 some puzzle has no solution or several, 2 invalid input, 3 some were cut by the timeout.
    """
    answer(lambda found: ask, run, timeout=ask.timeout, known=VERDICTS, pictures=True)


COMMANDS = (Command(name="explain", function=command, order=70),)
