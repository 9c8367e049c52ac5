"""A program that is run to its end or killed, children included."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from satdoku.backends.clock import Deadline, alarm

LAST = 3
"""Lines of a program's output that an error shows."""


def run(command: Sequence[str], output: Path, errors: Path, deadline: Deadline) -> int | None:
    """The exit status of a program, negative if a signal ended it; None if the deadline did.

    Its output goes to two files, since a pipe that nobody reads would fill and block it. Whatever it
    started is gone when this returns, also on an exception. Raises OSError if it cannot be started.
    """
    left = deadline.left()
    if left == 0:
        return None
    # Made before it is started: an interrupt in the middle of starting it must find its number too.
    process: subprocess.Popen[bytes] = subprocess.Popen.__new__(subprocess.Popen)
    timer = alarm(left, kill, process) if left is not None else None
    try:
        with output.open("wb") as out, errors.open("wb") as err:
            subprocess.Popen.__init__(
                process,
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,  # a group of its own to kill; and Ctrl-C is for the parent
            )
        if timer:
            timer.start()
        _wait(process)
    finally:
        if timer and timer.is_alive():
            timer.cancel()
            timer.join()  # it must not kill by a number that is free again
        if getattr(process, "pid", None):
            kill(process)  # children that it left behind
            process.wait()
    return None if process.returncode < 0 and deadline.passed() else process.returncode


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program that leads a session, and all that it started in it."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
            return
    except (ProcessLookupError, PermissionError):
        pass  # not a leader yet, or all gone; some systems call a zombie forbidden
    process.kill()


def last_words(*files: Path) -> str:
    """The last lines of a program's output, for the end of an error message; the first file that has any."""
    for file in files:
        if file.exists():
            text = file.read_bytes()[-10_000:].decode("utf-8", "replace")
            lines = [line.strip()[:200] for line in text.splitlines() if line.strip()]
            if lines:
                return ": " + " / ".join(lines[-LAST:])
    return ""


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Wait, and where the system can, leave the process unreaped, so that its number stays its own."""
    if hasattr(os, "waitid"):
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:
        process.wait()
