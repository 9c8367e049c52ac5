"""What a worker that was killed leaves: processes that it started, and temporary files.

A worker has a temporary folder of its own, which what it starts finds as TMPDIR, and what that starts
as well. So the processes of a worker are known when it can no longer be asked (on systems with /proc).
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")


def mark(folder: Path) -> None:
    """Let this process, and all that it starts from now on, have their temporary files below `folder`."""
    own = folder / str(os.getpid())
    own.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(own)


def end(folder: Path, of_the_living: bool = False) -> None:
    """Kill what processes that were marked with `folder` have started, if they are gone."""
    for process, worker in _marked(folder):
        if of_the_living or not (PROCESSES / worker).exists():
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _marked(folder: Path) -> Iterator[tuple[int, str]]:
    """Processes that were started by marked ones, and the number of the marked one."""
    beginning = os.fsencode(f"TMPDIR={folder}{os.sep}")
    for entry in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            for variable in (entry / "environ").read_bytes().split(b"\0"):
                if variable.startswith(beginning):
                    yield int(entry.name), os.fsdecode(variable[len(beginning) :]).partition(os.sep)[0]
