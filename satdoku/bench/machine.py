"""Where a run takes place: the machine, and the versions of what is measured."""

from __future__ import annotations

import platform
import re
import shlex
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import psutil

from satdoku.bench.raw import Machine, Session
from satdoku.certifier import versions
from satdoku.version import __version__


def session(backends: Iterable[str]) -> Session:
    """Where and how a run of these backends takes place, for its raw file."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return Session(
        command=shlex.join(["satdoku", *sys.argv[1:]]).encode("utf-8", "replace").decode(),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        load=round(psutil.getloadavg()[0], 2),
        machine=Machine(
            processor=_processor(),
            cores=psutil.cpu_count(),
            memory=psutil.virtual_memory().total,
            system=f"{platform.system()} {platform.release()}",
        ),
        versions={"python": python, "satdoku": __version__, **versions(*backends)},
    )


def _processor() -> str:
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        named = None
    return named[1] if named else platform.processor() or platform.machine()
