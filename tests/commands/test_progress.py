"""What shows progress on a terminal leaves it as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from io import StringIO

import pytest
from rich.console import Console
from rich.live import Live
from rich.progress import Progress

from satdoku.terminal import progress

HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"


@contextmanager
def counted() -> Iterator[None]:
    with closing(progress.Summing("a puzzle")) as summing:
        summing._show("{task.fields[solutions]}", "", None, 1)
        yield


@contextmanager
def ran() -> Iterator[None]:
    with progress.progress(hidden=False):
        yield


@pytest.mark.parametrize("shows", [counted, ran])
@pytest.mark.parametrize("moment", ["_enable_redirect_io", "_disable_redirect_io"])
def test_the_cursor_is_back_after_an_interrupt_at_its_beginning_or_end(
    shows: Callable[[], AbstractContextManager[None]], moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = StringIO()

    def interrupt(live: Live) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Live, moment, interrupt)
    monkeypatch.setattr(progress, "_progress", lambda *_: Progress(console=Console(file=terminal, force_terminal=True)))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with pytest.raises(KeyboardInterrupt), shows():
        pass
    assert HIDDEN in terminal.getvalue()
    assert terminal.getvalue().rindex(SHOWN) > terminal.getvalue().rindex(HIDDEN)
