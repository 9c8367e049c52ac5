"""`satdoku count`: how many solutions each puzzle has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from satdoku.backends import Ending
from satdoku.batch.questions import UNDECIDED, Answer, Emit, Question, Style
from satdoku.batch.runner import cores
from satdoku.commands.asking import SearchRun, answer
from satdoku.commands.options import OUTPUT, All, Limit, Timeout, Timing, composed, option
from satdoku.commands.searches import SearchQuestion, item_puzzle, limit_of, table
from satdoku.errors import InputError
from satdoku.generator.recipe import seed as random_seed
from satdoku.inputs.items import Item
from satdoku.outcome import COUNTING_SEARCH, Outcome
from satdoku.puzzle import Puzzle
from satdoku.terminal.progress import Summing
from satdoku.verdict import DEFAULT_COUNT, Session, counted
from satdoku.words import plural

if TYPE_CHECKING:
    from satdoku.counting.estimates import Estimate

COUNTED, CUT, ESTIMATED = "counted", "cut by the timeout", "estimated"
MAX_SECONDS = 86_400  # of an estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(SearchQuestion):
    """How many solutions each puzzle has, up to `limit`; None for all.

    threads: those that share a sum out, if there is one puzzle
    """

    limit: Limit = DEFAULT_COUNT
    every: All = False
    check: bool = option(OUTPUT, "Count by a second method too.", default=False)
    estimate: float | None = option(OUTPUT, "Estimate the number at random, for this many seconds.", metavar="SECONDS")
    seed: int | None = option(OUTPUT, "Random seed of --estimate (random if omitted).")
    timeout: Timeout = None
    timing: Timing = False
    threads: int = field(default=1, compare=False)
    outcomes = (COUNTED, CUT)
    columns = table("verdict count exact:bool ending backend counted_by checked_by reason seconds:float error")

    def ask(self, session: Session, puzzle: Puzzle, emit: Emit | None) -> Outcome:
        with closing(Summing(puzzle.name)) if self.alone else nullcontext() as watch:
            try:
                outcome = counted(session, puzzle, self.limit, self.timeout, self.threads if self.alone else 1, watch)
            except KeyboardInterrupt:
                if watch is None or not watch.solutions:
                    raise
                return watch.interrupted(session.engine)
        if not self.check:
            return outcome
        from satdoku.counting.second import checked

        return checked(puzzle, outcome, self.timeout)

    def view_text(self, item: Item, outcome: Outcome, style: Style) -> str | None:
        number = f"{outcome.count}" if outcome.exact else f"at least {outcome.count}"
        return (number if style.alone else f"{item.name}\t{number}") + self.timing_text(outcome, style.alone)

    def answered(self, item: Item, outcome: Outcome) -> Answer:
        unchecked = self.check and outcome.exact and outcome.checked_by is None
        word = CUT if outcome.ending is Ending.TIMEOUT else COUNTED
        notes = [outcome.reason] if self.alone and outcome.reason else []
        if self.alone and outcome.counted_by not in (None, COUNTING_SEARCH):
            notes.append(f"counted by {outcome.counted_by}")
        if self.alone and outcome.ending is Ending.LIMIT:
            notes.append(f"stopped at the limit of {self.limit}; --all counts all of them")
        if outcome.checked_by:
            notes.append(f"checked by {outcome.checked_by}")
        elif unchecked:
            notes.append("not checked: no second method counts it, or not in the time")
        return Answer(
            status=3 if word is CUT or unchecked else 0,
            outcome=word,
            record=self.record(self.about(item), outcome, (), {}, item_puzzle(item).not_enforced),
            engine=outcome.answered_by,
            view=outcome,
            notes=tuple(notes),
        )

    def fields(self, outcome: Outcome) -> Iterator[str]:
        yield from ("count", "exact", "ending", "backend")
        if outcome.counted_by:
            yield "counted_by"
        if self.check:
            yield "checked_by"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess(Question):
    """About how many solutions each puzzle has, by random probes for so many seconds."""

    estimate: float
    seed: int
    timeout: float | None = field(default=None, compare=False)  # the same, less what reading has taken
    outcomes, held = (ESTIMATED, UNDECIDED), False  # a hundred probes are made, however few seconds are left
    columns = table("verdict count exact:bool low high probes:int counted_by seed:int reason error")

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        from satdoku.counting.estimates import estimate

        seconds = self.within(item).timeout
        assert seconds is not None, "the command sets it"
        estimated = estimate(item_puzzle(item), seconds, self.seed)
        record = {**self.about(item), "count": estimated.value, "exact": False}
        record |= {"low": estimated.low, "high": estimated.high}
        record |= {"probes": estimated.probes, "counted_by": "random probes", "seed": self.seed}
        if estimated.high is not None:
            return Answer(status=0, outcome=ESTIMATED, record=record, view=estimated)
        reason = f"none of {plural(estimated.probes, 'random probe')} found a grid, which says nothing of the number"
        cut = self.cut(item, reason)
        return replace(cut, record={**record, **cut.record}, notes=(), view=reason)

    def view_text(self, item: Item, estimated: Estimate | str, style: Style) -> str | None:
        if isinstance(estimated, str):
            return f"{UNDECIDED}: {estimated}" if style.alone else f"{item.name}\t{UNDECIDED}"
        about, low = f"about {_rounded(estimated.value)}", _rounded(estimated.low)
        span = low if estimated.high is None else f"{low} to {_rounded(estimated.high)}"
        if not style.alone:
            return f"{item.name}\t{about}\t{span}"
        return f"{about}: {span} in 95 of 100 estimates, by {estimated.probes} random probes"


def _rounded(number: int) -> str:
    return str(number) if number < 10**6 else f"{Decimal(number):.3e}".replace("e+", "e")


@composed
def count(run: SearchRun, own: Count) -> None:
    """How many solutions each puzzle has.

    Up to a million are found one by one. More are counted by sums on classic boards up to 9x9.

    Exit status: 0 counted, 2 invalid input, 3 some count was cut by the timeout or not checked, 4 counts differ.
    """
    if own.estimate is None:
        if own.seed is not None:
            raise InputError("--seed is for the random numbers of --estimate: add that, or leave out --seed")
        limit, threads = limit_of(own.limit, own.every, DEFAULT_COUNT), run.many.jobs or cores()
        answer(own.by(run.engine, limit=limit, threads=threads), run)
    if not 0 < own.estimate <= MAX_SECONDS:
        raise InputError(f"--estimate {own.estimate:g}: expected seconds above 0, up to {MAX_SECONDS}, such as 10")
    if own.check or own.every or own.limit != DEFAULT_COUNT or own.timeout is not None or own.timing:
        without = "--check, --all, --limit, --timeout and --timing"
        raise InputError(f"--estimate takes as long as it says: leave out {without}")
    answer(Guess(estimate=own.estimate, timeout=own.estimate, seed=random_seed(own.seed)), run)
