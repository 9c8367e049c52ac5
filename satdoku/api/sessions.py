"""The sessions of the functions: that of the default backend stays open between calls."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from satdoku.backends import Backend, Engine
from satdoku.verdict import Session

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


@atexit.register
def _close() -> None:
    while _idle:
        _idle.pop().close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # what its solvers run in is the parent's
