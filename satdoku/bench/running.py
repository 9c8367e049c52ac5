"""A plan while it is measured: what was measured before, what is measured now, and the raw file of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from satdoku.bench.harness import Harness
from satdoku.bench.machine import session
from satdoku.bench.plan import Plan
from satdoku.bench.raw import Log, Raw, Search


class Run:
    """A plan and its results. Use it as a context: leaving it closes the raw file.

    Raises InputError as `Log` does, OSError if the raw file cannot be written.
    """

    def __init__(self, plan: Plan, output: Path | None) -> None:
        self._plan = plan
        self._log = (
            None if output is None else Log(output, plan.header, session(one.backend for one in plan.contenders))
        )
        before = Raw(path="", plan=plan.header) if self._log is None else self._log.before
        self.setups, self.searches = list(before.setups), list(before.searches)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._log is not None:
            self._log.close()

    def measure(self) -> Iterator[Search]:
        """Measure what has not been; each search is in the raw file before it is handed on."""
        with Harness(self._plan) as harness:
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
