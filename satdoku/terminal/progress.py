"""A bar on a terminal: how far, how fast, what came, how long still."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from satdoku.backends import Ending
from satdoku.batch.runner import Watcher
from satdoku.batch.totals import OUTCOME, RunTotal
from satdoku.errors import Excerpt
from satdoku.inputs.items import Chunk
from satdoku.outcome import Outcome
from satdoku.terminal.messages import message, say
from satdoku.verdict import MAX_ENUMERATED

if TYPE_CHECKING:
    from decimal import Decimal

    from rich.progress import Progress

    from satdoku.counting.exact import AnyPlan

MIN_SECONDS = 2.0  # what a sum takes that is announced

LENGTH = 10_000  # the bar's length; a chunk knows what share of the input lies behind it


class _Quiet:
    def update(self, total: RunTotal, chunk: Chunk) -> None: ...

    def say(self, text: str, excerpt: Excerpt | None = None) -> None:
        say(text, excerpt=excerpt)


class Summing:
    """Shows how far a count is, says what a sum will take, and keeps what Ctrl-C leaves.

    solutions: how many there are at least
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._plan: AnyPlan | None = None
        self._bar: Progress | None = None
        self._shown = ExitStack()
        self._started = monotonic()
        self.solutions = 0

    def enumerated(self, solutions: int) -> None:
        self.solutions = max(solutions, self.solutions)
        if self._bar is None and sys.stderr.isatty() and monotonic() - self._started > MIN_SECONDS:
            self._show("{task.fields[solutions]:,} solutions", "found one by one", None, solutions)
        elif self._bar is not None:
            self._bar.update(self._bar.task_ids[0], solutions=self.solutions)

    def begin(self, plan: AnyPlan) -> None:
        self.close()
        self._plan, self.solutions = plan, MAX_ENUMERATED
        if plan.seconds >= MIN_SECONDS:
            say(f"{self._name}: {plan.counted_by}: about {plan.seconds:.0f} s of CPU time")
        if sys.stderr.isatty():
            self._show("at least {task.fields[solutions]:.3e}", plan.counted_by, plan.terms, _decimal(0))

    def _show(self, figures: str, what: str, length: int | None, solutions: int | Decimal) -> None:
        self._bar = _progress("{task.description}", figures)
        self._bar.add_task(what, total=length, solutions=solutions)
        self._shown.enter_context(live(self._bar))

    def update(self, terms: int, solutions: int) -> None:
        self.solutions = max(solutions, MAX_ENUMERATED)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=terms, solutions=_decimal(solutions))

    def close(self) -> None:
        self._bar = None
        self._shown.close()

    def interrupted(self, backend: str) -> Outcome:
        """What Ctrl-C leaves of the count, a lower bound."""
        return Outcome(
            count=self.solutions,
            grids=(),
            ending=Ending.INTERRUPTED,
            backend=backend,
            seconds=monotonic() - self._started,
            counted_by=self._plan.counted_by if self._plan else None,
        )


def _progress(before: str, after: str) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = SpinnerColumn(), TextColumn(before), BarColumn(), TextColumn(after), TimeElapsedColumn()
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)


class _Bar:
    def __init__(self) -> None:
        self.shown = _progress("{task.fields[number]:,} lines", "{task.fields[rate]:,.0f}/s {task.fields[words]}")
        self._task = self.shown.add_task("", total=None, number=0, rate=0.0, words="")
        self._before: int | None = None

    def update(self, total: RunTotal, chunk: Chunk) -> None:
        if self._before is None:
            self._before = total.lines  # a run that is resumed has not done these now
        elapsed = self.shown.tasks[0].elapsed or 1e-9
        self.shown.update(
            self._task,
            total=LENGTH if chunk.share is not None else None,
            completed=int((chunk.share or 0.0) * LENGTH),
            number=total.lines,
            rate=(total.lines - self._before) / elapsed,
            words=" ".join(f"{count:,} {word}" for word, count in total.of(OUTCOME).most_common(4)),
        )

    def say(self, text: str, excerpt: Excerpt | None = None) -> None:
        self.shown.console.print(message(text, excerpt), markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress(hidden: bool) -> Iterator[Watcher]:
    """A bar, on a terminal only, and not where answers come to the same one."""
    if hidden or sys.stderr is None or not sys.stderr.isatty():
        yield _Quiet()
        return
    bar = _Bar()
    with live(bar.shown):
        yield bar


@contextmanager
def live(shown: Progress) -> Iterator[None]:
    """What shows progress; the cursor is back afterwards, also where Ctrl-C came while it began or ended."""
    try:
        with shown:
            yield
    finally:
        shown.console.show_cursor()


def _decimal(count: int) -> Decimal:
    """A count of any length, which is written with an exponent; imported here, since few commands show one."""
    from decimal import Decimal

    return Decimal(count)
