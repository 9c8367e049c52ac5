"""A solver that cannot be limited runs in a process of its own, which is killed when time is up."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from satdoku.backends import Ending
from satdoku.backends.clock import Deadline, alarm
from satdoku.errors import BackendError

COMMAND = "from satdoku.backends.child import serve; serve()"


class Child:
    """An oracle whose solver, named as in `pysat.SOLVERS`, lives in a child process."""

    def __init__(self, name: str, rules: Iterable[list[int]]) -> None:
        self._name = name
        self._rules = rules
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._added: list[list[int]] = []
        self._statistics: dict[str, int] = {}
        self._start()

    def add(self, clause: list[int]) -> None:
        self._added.append(clause)

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        """Raises BackendError if the process dies before its time is up."""
        left = deadline.left()
        if left == 0:
            return Ending.TIMEOUT
        if self._process is None or self._process.poll() is not None:
            # Also where the timer fired just after the last answer had been read.
            added = self._added
            self.close()
            self._start()
            self._added = added
        assert self._process is not None
        timer = alarm(left, self._process.kill) if left is not None else None
        if timer:
            timer.start()
        try:
            self._send((self._added, assumptions))
            self._added = []
            assert self._process.stdout is not None
            answer: list[int] | None
            answer, self._statistics = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            words = self._last_words()
            self.close()
            if deadline.passed():
                return Ending.TIMEOUT
            raise BackendError(f"{self._name} died while it was solving{words}") from None
        except BaseException:
            self.close()
            raise
        finally:
            if timer:
                timer.cancel()
        return Ending.EXHAUSTED if answer is None else answer

    def statistics(self) -> dict[str, int]:
        return self._statistics

    def implied(self, assumptions: list[int]) -> list[int] | Ending | None:
        return None

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self._added, self._statistics = [], {}
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, self._errors):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass  # unsent bytes to a process that is gone

    def _start(self) -> None:
        # A file, since a pipe that nobody reads would fill and block the solver; close() closes it.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-c", COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)},
            start_new_session=True,  # Ctrl-C is for the parent, which then kills the child
        )
        try:
            self._send((self._name, list(self._rules)))
        except OSError:
            words = self._last_words()
            self.close()
            raise BackendError(f"{self._name} died while it took the rules{words}") from None

    def _send(self, message: Any) -> None:
        assert self._process is not None and self._process.stdin is not None
        pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()

    def _last_words(self) -> str:
        assert self._errors is not None
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""


def serve() -> None:
    """The child's side: rules once, then (clauses, assumptions) in; a model or None, and the solver's figures, out."""
    from satdoku.backends.pysat import SOLVERS, Solver

    # Whatever a solver prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer
    name, rules = pickle.load(requests)
    abilities = next(row for row in SOLVERS if row.name == name)
    solver = Solver(abilities, rules)
    never = Deadline(None)
    while True:
        try:
            clauses, assumptions = pickle.load(requests)
        except EOFError:
            return
        for clause in clauses:
            solver.add(clause)
        answer = solver.solve(assumptions, never)
        model = None if isinstance(answer, Ending) else answer
        pickle.dump((model, solver.statistics()), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
