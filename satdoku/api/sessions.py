"""The sessions of the functions: that of the default backend stays open between calls."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager

from satdoku.verdict import Session

_idle: list[Session] = []
"""Sessions of the default backend that no call uses. A call takes one out, so that several threads have one each."""


@contextmanager
def opened(backend: str | None = None, encoding: str | None = None) -> Iterator[Session]:
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


@atexit.register
def _close() -> None:
    while _idle:
        _idle.pop().close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # what its solvers run in is the parent's
