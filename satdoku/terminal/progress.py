"""A bar on a terminal: how far, how fast, what came, how long still."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from satdoku.batch.runner import Watcher
from satdoku.batch.totals import OUTCOME, Total
from satdoku.errors import Excerpt
from satdoku.inputs.items import Chunk
from satdoku.terminal.messages import message, say

LENGTH = 10_000  # the bar's length; a chunk knows what share of the input lies behind it


class _Quiet:
    def update(self, total: Total, chunk: Chunk) -> None: ...

    def say(self, text: str, excerpt: Excerpt | None = None) -> None:
        say(text, excerpt=excerpt)


class _Bar:
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        before = SpinnerColumn(), TextColumn("{task.fields[number]:,} lines"), BarColumn()
        speed = TextColumn("{task.fields[rate]:,.0f}/s {task.fields[words]}")
        columns = (*before, speed, TimeElapsedColumn(), TimeRemainingColumn())
        self.shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self.shown.add_task("", total=None, number=0, rate=0.0, words="")
        self._before: int | None = None

    def update(self, total: Total, chunk: Chunk) -> None:
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
    with bar.shown:
        yield bar
