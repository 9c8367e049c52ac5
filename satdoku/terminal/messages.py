"""Lines on standard error, and streams and signals that a command can rely on."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from typing import NoReturn


def say(text: str, status: int = 0) -> int:
    """One message on standard error; returns `status`."""
    print(f"satdoku: {text}", file=sys.stderr)
    return status


class _Closed(io.TextIOBase):
    """Stands in for a standard output that was closed: what is written there would be lost."""

    def write(self, text: object) -> NoReturn:
        raise OSError(errno.EBADF, "closed, and the results go there; name a file to write", "standard output")

    @property
    def buffer(self) -> _Closed:
        return self


def settle_streams() -> None:
    """Let messages be written whatever their characters, and even if nobody listens; results must find a place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # or the next file that is opened would take what a solver prints
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def settle_signals() -> None:
    """Let SIGTERM end like an exit, so that solvers are stopped and temporary files removed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
