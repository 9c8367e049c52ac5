"""A bar on a terminal: how far, how fast, what came, how long still."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from satdoku.batch.desk import Done
from satdoku.inputs.sources import Block, Piece

WHOLE = 10_000
"""The bar's length, of which a piece says what share of the input lies behind it."""


class Bar(Protocol):
    def update(self, total: Done, piece: Piece) -> None:
        """Show the figures so far, once a piece is answered."""

    def say(self, text: str) -> None:
        """A line on standard error, above the bar."""


class _Hidden:
    def update(self, total: Done, piece: Piece) -> None: ...

    def say(self, text: str) -> None:
        print(f"satdoku: {text}", file=sys.stderr)


class _Shown:
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = [
            SpinnerColumn(),
            TextColumn("{task.fields[number]:,} lines"),
            BarColumn(),
            TextColumn("{task.fields[rate]:,.0f}/s {task.fields[words]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        ]
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("", total=None, number=0, rate=0.0, words="")
        self._before: int | None = None

    def __enter__(self) -> _Shown:
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def update(self, total: Done, piece: Piece) -> None:
        if self._before is None:
            self._before = total.lines  # a run that is resumed has not done these now
        share = piece.share if isinstance(piece, Block) else None
        elapsed = self._progress.tasks[0].elapsed or 1e-9
        self._progress.update(
            self._task,
            total=WHOLE if share is not None else None,
            completed=int((share or 0.0) * WHOLE),
            number=total.lines,
            rate=(total.lines - self._before) / elapsed,
            words=" ".join(f"{count:,} {word}" for word, count in total.words.most_common(4)),
        )

    def say(self, text: str) -> None:
        self._progress.console.print(f"satdoku: {text}", markup=False, highlight=False, soft_wrap=True)


@contextmanager
def shown_progress(hidden: bool) -> Iterator[Bar]:
    """A bar, on a terminal only, and not where answers come to the same one."""
    if hidden or sys.stderr is None or not sys.stderr.isatty():
        yield _Hidden()
        return
    with _Shown() as bar:
        yield bar
