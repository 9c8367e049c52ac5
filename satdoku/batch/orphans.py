"""What a worker that was killed leaves: processes that it started, and temporary files.

A worker has a temporary folder of its own, which what it starts finds as TMPDIR, and what that starts
as well. So the processes of a worker are known when it can no longer be asked.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil

from satdoku.backends.process import TMPDIR, below


def mark(folder: Path) -> None:
    """Let this process, and all that it starts from now on, have their temporary files below `folder`."""
    own = folder / str(os.getpid())
    own.mkdir(exist_ok=True)
    os.environ[TMPDIR] = tempfile.tempdir = str(own)


def end(folder: Path) -> None:
    """Kill what processes that were marked with `folder` have started, if they are gone."""
    for process, worker in below(folder):
        if not (worker.isdigit() and psutil.pid_exists(int(worker))):
            with suppress(psutil.Error):
                process.kill()
