"""A process that answers messages: bounded in time and memory, and killed with all that it has started."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from threading import Lock
from typing import Any

from satdoku.system.clock import NEVER, Deadline
from satdoku.system.process import kill_tree, python

LOOK_AT_MEMORY = 0.02  # seconds between two looks at how much memory a process has
LONGEST_WAIT = 86_400.0  # seconds: the system refuses to wait for much longer in one call
LAST_BREATH = 1.0  # seconds that a process which has closed its connection may take to end
MAX_TEXT = 200  # characters of a message that are shown


class Cause(Enum):
    """Why a process is gone."""

    ENDED = "it ended by itself"
    TIME = "it took too long"
    MEMORY = "it took too much memory"


class Lost(Exception):
    """The process is gone; the text says how it ended."""

    def __init__(self, cause: Cause, text: str) -> None:
        super().__init__(text)
        self.cause = cause


class Child:
    """An interpreter that runs `serve` with the other end of a connection, until the connection is closed.

    What it prints goes to a file, whose last line is part of the message if it dies: a pipe that nobody reads would
    fill and block a solver.

    connection: for `first_ready` alone; messages go by `send` and `receive`
    """

    connection: Connection

    def __init__(self, serve: Callable[[Connection], None], variables: Mapping[str, str] | None = None) -> None:
        """serve: a function of a module; variables: further ones of the environment"""
        self._killing = Lock()
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  close() closes it
        self.connection, theirs = Pipe()
        options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": self._output, "stderr": self._output}
        code = f"from {__name__} import connected; from {serve.__module__} import {serve.__name__}"
        code += f"; {serve.__name__}(connected({theirs.fileno()}))"
        try:
            self._process = python(code, variables, **options, **_inheriting(theirs.fileno()))
        except BaseException:
            self.connection.close()
            self._output.close()
            raise
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, message: object) -> None:
        """Raises Lost."""
        try:
            self.connection.send(message)
        except OSError:
            raise Lost(Cause.ENDED, self._last_words()) from None

    def receive(self, deadline: Deadline = NEVER, memory: int | None = None) -> Any:
        """The next message. Raises Lost, having killed the process, if the deadline passes or it takes too much memory.

        memory: bytes that the process and all that it has started may have resident
        """
        while True:
            left = deadline.left()
            wait_for = LONGEST_WAIT if left is None else min(left, LONGEST_WAIT)
            try:
                if self.connection.poll(wait_for if memory is None else min(wait_for, LOOK_AT_MEMORY)):
                    return self.connection.recv()
            except (EOFError, OSError):
                raise Lost(Cause.ENDED, self._last_words()) from None
            if deadline.passed():
                self.kill()
                raise Lost(Cause.TIME, Cause.TIME.value)
            if memory is not None and _resident(self.pid) > memory:
                self.kill()
                raise Lost(Cause.MEMORY, f"it took more than {memory / 1e9:g} GB of memory")

    def kill(self) -> None:
        """Kill it and all that it has started; from whatever thread."""
        with self._killing:
            if self._process.returncode is None:  # else its number may be that of another process
                kill_tree(self.pid)
                self._process.wait()

    def close(self) -> None:
        """Kill it, and give back the connection. May be repeated."""
        self.kill()
        self.connection.close()
        self._output.close()

    def _last_words(self) -> str:
        """How the process ended, and the last line that it wrote."""
        try:
            status = self._process.wait(LAST_BREATH)
        except subprocess.TimeoutExpired:
            status = 0
        self._output.seek(0)
        lines = self._output.read().decode("utf-8", "replace").strip().splitlines()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"the process {how}" + (f": {lines[-1][:MAX_TEXT]}" if lines else "")


def first_ready(children: Mapping[Connection, object], deadline: Deadline) -> list[Any]:
    """The connections among these that have a message, or are closed; none if the deadline comes first."""
    while True:
        left = deadline.left()
        ready = wait(list(children), LONGEST_WAIT if left is None else min(left, LONGEST_WAIT))
        if ready or deadline.passed():
            return ready


def messages(connection: Connection) -> Iterator[Any]:
    """Those that come, until the other end is closed."""
    with suppress(EOFError):
        while True:
            yield connection.recv()


def connected(number: int) -> Connection:
    """The connection that this process was started with."""
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection

        return PipeConnection(number)
    return Connection(number)


def _inheriting(number: int) -> dict[str, Any]:
    """How a process is started that has one more open file of ours."""
    if sys.platform == "win32":
        import os

        os.set_handle_inheritable(number, True)
        return {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": [number]})}
    return {"pass_fds": (number,)}


def _resident(pid: int) -> int:
    """Bytes that a process and all below it have resident; those that have just ended do not count."""
    import psutil

    taken = 0
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                taken += each.memory_info().rss
    return taken
