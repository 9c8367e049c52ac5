"""An incremental solver that counts how often it is asked."""

from __future__ import annotations

from collections.abc import Iterable

from satdoku.backends.incremental import IncrementalSolver
from satdoku.system.clock import Deadline


class CountingSolver(IncrementalSolver):
    searches = 0

    def __enter__(self) -> CountingSolver:
        return self

    def solve(self, assumptions: Iterable[int], deadline: Deadline) -> list[int] | None:
        self.searches += 1
        return super().solve(assumptions, deadline)
