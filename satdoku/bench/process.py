"""The other side of a worker: starts its process, asks it, and kills it where it overshoots."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import IO, Any

from satdoku.backends.clock import alarm
from satdoku.backends.process import kill_tree
from satdoku.bench.plan import Contender
from satdoku.bench.usage import Cost
from satdoku.bench.worker import Opening
from satdoku.errors import BackendError, SatdokuError

COMMAND = "from satdoku.bench.worker import serve; serve()"

LAST_BREATH = 1.0
"""Seconds that a process whose output has ended may take to end itself."""


class Overshot(Exception):
    """The process was killed because its limit had passed."""


class Died(Exception):
    """The process ended by itself; says how."""


class Worker:
    """The process of one contender; started when it is first needed, and again after it was killed."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None

    def start(self, limit: float) -> Cost:
        """What it took until the backend was there. Raises BackendError if that failed."""
        # A file, since a pipe that nobody reads would fill and block the solver; close() closes it.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        # Of its own, since a process that is killed leaves its temporary files behind.
        self._folder = tempfile.TemporaryDirectory(prefix="satdoku-", ignore_cleanup_errors=True)
        path = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        started = perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-c", COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # Sets of text come in the same order in every run, so that one run is like the next.
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "TMPDIR": self._folder.name},
            start_new_session=True,  # Ctrl-C is for this process, which then kills the worker
        )
        try:
            self.send(self._opening)
            cpu = self.receive(limit)
        except (Overshot, Died) as error:
            name = Contender(self._opening.backend, self._opening.encoding)
            raise BackendError(f"{name}: its process did not start: {error}") from None
        if isinstance(cpu, SatdokuError):
            raise cpu
        return Cost(perf_counter() - started, cpu)

    def send(self, message: Any) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except OSError:
            raise Died(self._last_words()) from None

    def receive(self, limit: float) -> Any:
        """The next answer. Raises Overshot, having killed the process, if it took longer than `limit` seconds."""
        assert self._process is not None and self._process.stdout is not None
        passed = Event()

        def kill(pid: int) -> None:
            passed.set()
            kill_tree(pid)

        timer = alarm(limit, kill, self._process.pid)
        timer.start()
        try:
            return pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            words = self._last_words()
            self.close()
            if passed.is_set():
                raise Overshot(f"killed after {limit:g} s") from None
            raise Died(words) from None
        finally:
            timer.cancel()

    def close(self) -> None:
        if self._process is None:
            return
        kill_tree(self._process.pid)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass  # unsent bytes to a process that is gone
        if self._folder is not None:
            self._folder.cleanup()
        self._process = None

    def _last_words(self) -> str:
        """How the process ended, and the last line that it wrote to its standard error."""
        assert self._process is not None and self._errors is not None
        try:
            status = self._process.wait(LAST_BREATH)
        except subprocess.TimeoutExpired:
            status = 0
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"the process {how}" + (f": {lines[-1][:200]}" if lines else "")
