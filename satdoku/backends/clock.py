"""The clock that searches read: a moment after which they stop."""

from __future__ import annotations

from collections.abc import Callable
from threading import TIMEOUT_MAX, Timer
from time import monotonic


class Deadline:
    """`seconds` from now, or so many looks at it; None is never. `checks` counts the looks that a search took."""

    def __init__(self, seconds: float | None, checks: int | None = None) -> None:
        self._end = None if seconds is None else monotonic() + seconds
        self._most = checks
        self.checks = 0

    def left(self) -> float | None:
        """Seconds until the end, at least 0; None if there is none."""
        return None if self._end is None else max(0.0, self._end - monotonic())

    def check(self) -> None:
        """Raise TimeIsUp once it has passed."""
        if self.checks == self._most:
            raise TimeIsUp
        self.checks += 1
        if self.passed():
            raise TimeIsUp

    def passed(self) -> bool:
        return self._end is not None and monotonic() >= self._end


def alarm(seconds: float, call: Callable[..., object], *arguments: object) -> Timer:
    """A timer that is not started yet; of more seconds than a thread can wait it takes as many as it can."""
    return Timer(min(seconds, TIMEOUT_MAX), call, arguments)


class TimeIsUp(Exception):
    """Raised out of a search that its deadline ends, and caught by its backend."""
