"""A plan while it is measured: what was measured before, what is measured now, and the raw file of both."""

from __future__ import annotations

import platform
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psutil

from satdoku.bench.harness import Harness
from satdoku.bench.plan import Plan
from satdoku.bench.raw import Log, Machine, Raw, Search, Session
from satdoku.certifier import versions
from satdoku.version import __version__


class Run:
    """A plan and its results; `close` closes the raw file.

    Raises InputError as `Log` does, OSError if the raw file cannot be written.
    """

    def __init__(self, plan: Plan, output: Path | None) -> None:
        self._plan = plan
        here = session(one.backend for one in plan.contenders)
        self._log = None if output is None else Log(output, plan.header, here)
        before = Raw(path="", plan=plan.header) if self._log is None else self._log.before
        self.setups, self.searches = list(before.setups), list(before.searches)

    def close(self) -> None:
        if self._log is not None:
            self._log.close()

    def measure(self) -> Iterator[Search]:
        """Measure what has not been; each search is in the raw file before it is handed on."""
        with closing(Harness(self._plan)) as harness:
            for record in harness.run({search.key for search in self.searches}):
                if self._log is not None:
                    self._log.add(record)
                if isinstance(record, Search):
                    self.searches.append(record)
                    yield record
                else:
                    self.setups.append(record)

    def results(self) -> Raw:
        return Raw(path="", plan=self._plan.header, setups=tuple(self.setups), searches=tuple(self.searches))


def session(backends: Iterable[str]) -> Session:
    """Where and how a run of these backends takes place, for its raw file."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        named = None
    return Session(
        command=shlex.join(["satdoku", *sys.argv[1:]]).encode("utf-8", "replace").decode(),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        load=round(psutil.getloadavg()[0], 2),
        machine=Machine(
            processor=named[1] if named else platform.processor() or platform.machine(),
            cores=psutil.cpu_count(),
            memory=psutil.virtual_memory().total,
            system=f"{platform.system()} {platform.release()}",
        ),
        versions={"python": python, "satdoku": __version__, **versions(*backends)},
    )
