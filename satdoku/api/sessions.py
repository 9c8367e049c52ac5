"""The sessions of the functions: that of the default backend stays open between calls."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from satdoku.backends import Backend, Budget, Ending, Engine
from satdoku.errors import TooSlow
from satdoku.inputs.programs import Source, read_within
from satdoku.verdict import Outcome, Session, validate

if TYPE_CHECKING:
    from satdoku.encoders.cnf import Encoding

_idle: list[Session] = []
"""Sessions of the default backend that no call uses. A call takes one out, so that several threads have one each."""


@contextmanager
def opened(backend: str | Engine | Backend | None = None, encoding: str | Encoding | None = None) -> Iterator[Session]:
    """A session for one call."""
    if backend is not None or encoding is not None:
        with Session(backend, encoding) as named:
            yield named
        return
    try:
        own = _idle.pop()
    except IndexError:
        own = Session()
    try:
        yield own
    except BaseException:
        own.close()  # it may be in the middle of a search
        raise
    _idle.append(own)


def asked(
    source: Source, timeout: float | None, opening: AbstractContextManager[Session], ask: Callable[..., Outcome]
) -> Outcome:
    """The answer to a question about a puzzle that is read first, within the timeout: undecided if that is too short.

    opening: the session, opened once the puzzle is read
    ask:     is given the session, the puzzle, and as `timeout` what is left of the seconds
    """
    validate(Budget(None, timeout))
    started = monotonic()
    try:
        puzzle, left = read_within(source, timeout)
    except TooSlow:
        seconds = monotonic() - started
        with opening as session:
            return Outcome(count=0, grids=(), ending=Ending.TIMEOUT, backend=session.engine, seconds=seconds)
    with opening as session:
        return ask(session, puzzle, timeout=left)


@atexit.register
def _close() -> None:
    while _idle:
        _idle.pop().close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # what its solvers run in is the parent's
