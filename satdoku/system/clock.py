"""The clock that searches read: a moment after which they stop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import TIMEOUT_MAX, Thread
from time import monotonic
from typing import TypeVar

from satdoku.limits import LEAST
from satdoku.limits import TimeIsUp as TimeIsUp

Result = TypeVar("Result")

THREADS = sys.platform != "emscripten"  # in a browser there are none, and no processes
INTERRUPT_AGAIN = 0.05  # seconds between two attempts to end a call: one that comes before it has begun has no effect


class Deadline:
    """`seconds` from now; None is never."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else monotonic() + seconds

    def within(self, seconds: float) -> Deadline:
        """The earlier one of this deadline and so many seconds from now."""
        left = self.left()
        return Deadline(seconds if left is None else min(seconds, left))

    def left(self) -> float | None:
        """Seconds until the end, at least 0; None if there is none."""
        return None if self._end is None else max(0.0, self._end - monotonic())

    def timeout(self) -> float | None:
        """The same as a timeout, which is above 0: the search then says that its time is up."""
        left = self.left()
        return None if left is None else max(left, LEAST)

    def check(self) -> None:
        """Raises TimeIsUp if it has passed."""
        if self.passed():
            raise TimeIsUp

    def passed(self) -> bool:
        return self._end is not None and monotonic() >= self._end


NEVER = Deadline(None)


def interruptible(call: Callable[[], Result], interrupt: Callable[[], object], deadline: Deadline) -> Result:
    """The result of compiled code, run in a thread so that this one takes Ctrl-C; `interrupt` ends it; TimeIsUp.

    Where there are no threads it runs to its end.
    """
    deadline.check()
    if not THREADS:
        return call()
    from concurrent.futures import Future

    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    left = deadline.left()
    thread = Thread(target=run, daemon=True)
    try:
        thread.start()
        return future.result(None if left is None else min(left, TIMEOUT_MAX))
    except TimeoutError:
        raise TimeIsUp from None
    finally:
        while thread.is_alive():
            if not future.done():
                interrupt()
            thread.join(INTERRUPT_AGAIN)
