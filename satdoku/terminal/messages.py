"""Lines on standard error, and streams and signals that a command can rely on."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path


def say(text: str, status: int = 0) -> int:
    """One message on standard error; returns `status`."""
    print(f"satdoku: {text}", file=sys.stderr)
    return status


def settle_streams() -> None:
    """Let results and messages be written whatever their characters, and even if nobody listens."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115, open to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def settle_signals() -> None:
    """Let SIGTERM end like an exit, so that solvers are stopped and temporary files removed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
