"""Clocks that count looks instead of seconds, so that a test stops at the same place on every machine."""

from __future__ import annotations

from satdoku.system.clock import Deadline


class Ticks(Deadline):
    """Passes after so many looks at it."""

    def __init__(self, looks: int) -> None:
        super().__init__(None)
        self._looks = looks

    def left(self) -> float | None:
        return float(self._looks)

    def passed(self) -> bool:
        self._looks -= 1
        return self._looks < 0
