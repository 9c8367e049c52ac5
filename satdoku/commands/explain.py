"""`satdoku explain`: why a puzzle has the solutions it has, and how its solution follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Style
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import ENGINE, OUTPUT, composed, option, seconds
from satdoku.commands.searches import STATUS, SetterQuestion, after, asked, item_puzzle, table
from satdoku.errors import InputError
from satdoku.inputs.items import Item
from satdoku.outcome import VERDICTS

if TYPE_CHECKING:
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.explain import Explanation, Extent

STAGES = 3  # of a hint: where to look, which technique, what follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain(SetterQuestion):
    """Whether to prove that no reason is smaller; how far the steps go; seconds for each puzzle."""

    smallest: bool = option(OUTPUT, "Prove that no reason is smaller, as far as the timeout allows.", default=False)
    next: bool = option(OUTPUT, "The next step alone, as --steps 1.", default=False)
    steps: int | None = option(OUTPUT, "So many steps.", metavar="N", least=1)
    until: str | None = option(OUTPUT, "Steps up to the first by this technique.", metavar="TECHNIQUE", default=None)
    level: str | None = option(OUTPUT, "Steps by techniques up to this level: 1 to 8, or its name.", default=None)
    hint: bool = option(OUTPUT, "The next step as a hint: where to look, which technique, what follows.", default=False)
    stages: int | None = option(
        OUTPUT, "So many of the three parts of --hint, all if omitted.", metavar="N", least=1, most=STAGES
    )
    timeout: float = option(ENGINE, "Seconds for each puzzle.", parser=seconds, metavar="SECONDS", default=60.0)
    outcomes, pictures = VERDICTS, True
    columns = table(
        "verdict ending engines tried clashes conflict solution solutions vary unique_with steps difficulty error"
    )

    @property
    def extent(self) -> Extent:
        """How far the steps go. Raises InputError for an unknown technique or level."""
        from satdoku.setter.explain import Extent

        most = 1 if self.next or self.hint else self.steps
        return Extent.of(steps=most, until=self.until, level=self.level)

    def answered(self, solver: IncrementalSolver, item: Item) -> Answer:
        from satdoku.setter.explain import explained
        from satdoku.terminal import explanations

        explanation = explained(solver, item_puzzle(item), self.smallest, self.timeout, self.extent)
        status, notes = STATUS[explanation.verdict], tuple[str, ...]()
        if explanation.ending is Ending.TIMEOUT:
            status, notes = 3, (explanations.cut_note(explanation),)
        record = {**self.about(item), **explanations.record(explanation)}
        record |= asked(explanation.engines, explanation.tried)
        word = explanation.verdict.value
        return Answer(
            status=status,
            outcome=word,
            record=record,
            engine=after(explanation.engines, explanation.tried),
            view=explanation,
            notes=notes,
            pictures=lambda: tuple(explanations.pictures(explanation)),
        )

    def view_text(self, item: Item, explanation: Explanation, style: Style) -> str | None:
        from satdoku.terminal import explanations

        lines = [] if style.alone else [f"{item.name}: {explanation.verdict.value}"]
        lines += (
            explanations.hint(explanation, self.stages or STAGES)
            if self.hint and explanation.steps
            else explanations.lines(explanation, style.boxed)
        )
        return "\n".join(lines)


@composed
def explain(run: Run, own: Explain) -> None:
    """Why a puzzle has no solution, what would make it unique, or how its solution follows step by step.

    Exit status: 0 unique, 1 some puzzle has no solution or several, 2 invalid input, 3 some were cut by the timeout.
    """
    if own.smallest and (own.until is not None or own.level is not None or own.hint):
        raise InputError("--smallest gives reasons without techniques: it does not go with --until, --level or --hint")
    if own.stages is not None and not own.hint:
        raise InputError("--stages is for --hint: add that, or leave out --stages")
    if (own.next or own.hint) and own.steps is not None:
        raise InputError("--next and --hint give one step: they do not go with --steps")
    own.extent.of(own.steps, own.until, own.level)
    answer(own, run)
