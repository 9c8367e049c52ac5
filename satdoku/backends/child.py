"""An oracle in a process of its own, which is killed when time is up: for a solver that cannot be limited."""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from satdoku.backends import Ending, Statistics
from satdoku.backends.clock import Deadline, alarm
from satdoku.backends.oracle import Oracle
from satdoku.backends.process import python
from satdoku.errors import BackendError

COMMAND = "from satdoku.backends.child import serve; serve()"


class Child:
    """The oracle that `open`, which pickles, makes in the child process; `name` is for messages."""

    def __init__(self, name: str, open: Callable[[], Oracle]) -> None:
        self._name = name
        self._open = open
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._sent: list[list[int]] = []  # clauses that the child has, for one that takes its place
        self._added: list[list[int]] = []
        self._statistics: dict[str, int] = {}
        self._start()

    def add_clause(self, clause: list[int]) -> None:
        self._added.append(clause)

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        left = deadline.left()
        if left == 0:
            return Ending.TIMEOUT
        if self._process is None or self._process.poll() is not None:
            # Also where the timer fired just after the last answer had been read, or the thread that started it ended.
            added = [*self._sent, *self._added]
            self.close()
            self._start()
            self._added = added
        assert self._process is not None and self._process.stdout is not None
        timer = alarm(left, self._process.kill) if left is not None else None
        if timer:
            timer.start()
        try:
            self._send((self._added, assumptions))
            self._sent += self._added
            self._added = []
            answer: list[int] | Ending
            answer, self._statistics = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            message = self._last_message()
            self.close()
            if deadline.passed():
                return Ending.TIMEOUT
            raise BackendError(f"{self._name} died while it was solving{message}") from None
        except BaseException:
            self.close()
            raise
        finally:
            if timer:
                timer.cancel()
        return answer

    def statistics(self) -> dict[str, int]:
        return self._statistics

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self._sent, self._added, self._statistics = [], [], {}
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, self._errors):
            if stream is not None:
                with suppress(OSError):  # unsent bytes to a process that is gone
                    stream.close()

    def _start(self) -> None:
        # A file, since a pipe that nobody reads would fill and block the solver; close() closes it.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  it outlives this function
        self._process = python(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        try:
            self._send(self._open)
        except OSError:
            message = self._last_message()
            self.close()
            raise BackendError(f"{self._name} died while it took the clauses{message}") from None

    def _send(self, message: Any) -> None:
        assert self._process is not None and self._process.stdin is not None
        pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()

    def _last_message(self) -> str:
        assert self._errors is not None
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""


def serve() -> None:
    """The child's side: `open` once, then (clauses, assumptions) in; the answer and what was counted, out."""
    # Whatever a solver prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer
    oracle: Oracle = pickle.load(requests)()
    never = Deadline(None)
    while True:
        try:
            clauses, assumptions = pickle.load(requests)
        except EOFError:
            return
        for clause in clauses:
            oracle.add_clause(clause)
        answer = oracle.solve(assumptions, never)
        counted = oracle.statistics() if isinstance(oracle, Statistics) else {}
        pickle.dump((answer, counted), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
