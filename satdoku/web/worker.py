"""A worker process: it takes one job after another, and sends the parts of each answer as they come.

An interrupt ends the search that runs, and nothing else; what does not stop for it is killed from outside."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from traceback import extract_tb
from types import FrameType
from typing import TYPE_CHECKING, Any

from satdoku.errors import SatdokuError
from satdoku.inputs.programs import read
from satdoku.setter.partner import Partner
from satdoku.system.clock import TimeIsUp
from satdoku.web import answers, files, listening
from satdoku.web.questions import Emit, Part, Tools

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Jobs = Mapping[str, Callable[[Tools, Any, Emit], None]]
JOBS: Jobs = {"ask": answers.answer, "read": files.read, "write": files.write, "respond": listening.respond}
FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOUR = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}]}
WARMING = (
    {"ask": "live", "puzzle": FOUR | {"givens": {"r1c1": 1, "r1c2": 1}}},
    {"ask": "step", "puzzle": FOUR | {"givens": {"r1c1": 1, "r2c3": 1, "r1c2": 2, "r3c2": 1}}},
    {"ask": "why", "puzzle": FOUR, "cell": "r1c1", "value": 1},
    {"ask": "unique", "puzzle": FOUR},
    {"ask": "count", "puzzle": FOUR},
)
"""Questions that a worker answers before its first job, so that what they need is loaded."""
MAX_LINES = 5  # that are reported of an internal error
LOADED = ("satdoku.certifier", "satdoku.backends.race", "satdoku.backends.cpsat")


class WebWorker:
    """What answers jobs, one after the other.

    send: is given each part of an answer, in its turn
    jobs: what it can do, by name
    """

    def __init__(self, send: Callable[[Part | None], object], seconds: float, jobs: Jobs = JOBS) -> None:
        self._send, self._tools, self._jobs = send, Tools(seconds), jobs
        self._searching = self._sending = self._stopped = False
        self._fault = ""  # of ours, and where it came up: what it left may be wrong for the next job, so this one ends
        signal.signal(signal.SIGINT, self._interrupt)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def run(self, connection: Connection) -> None:
        """Answer until the other end is closed; None is sent when it is ready for the next job."""
        self.load()
        for name in LOADED:
            import_module(name)
        with suppress(EOFError, OSError):
            while not self._fault:
                self._emit(None)
                self.answer(*connection.recv())

    def answer(self, name: str, raw: Any, partner: Partner | None = None) -> None:
        """Send the parts of an answer, the last of which is the error if it ends with one."""
        self._tools.partner = partner
        error = self._answer(name, raw)
        if error:
            self._emit({"error": " ".join(error.split()), "fault": self._fault})

    def load(self) -> None:
        """Import what questions import: an import that is interrupted leaves modules without half of their names."""
        self._tools.survey(read(FIRST), 1)
        self._tools.check(read(FIRST))
        for question in WARMING:
            with suppress(SatdokuError):
                answers.answer(self._tools, json.dumps(question).encode(), lambda part: None)

    def _answer(self, name: str, raw: Any) -> str | None:
        """Send the parts of an answer; returns the error, if it is one."""
        self._stopped = False
        try:
            try:
                self._searching = True
                self._jobs[name](self._tools, raw, self._emit)
            finally:
                self._searching = False
        except KeyboardInterrupt:
            self._tools = Tools(self._tools.seconds)  # the old ones may have stopped in the middle of anything
        except SatdokuError as error:
            return str(error)
        except TimeIsUp:
            return f"stopped after {self._tools.seconds:g} seconds"
        except (MemoryError, RecursionError):
            return "too large, or nested too deep"
        except Exception as error:  # our fault: the page gets no message that may name files of this machine
            self._fault = _described(error)
            return f"internal error ({type(error).__name__}): please report it, with the puzzle"
        return None

    def _emit(self, part: Part | None) -> None:
        self._sending = True  # half a message would be the end of the connection
        self._send(part)
        self._sending = False
        if self._stopped:
            self._stop()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._stopped = self._searching
        if not self._sending and not _importing(frame):
            self._stop()

    def _stop(self) -> None:
        if self._searching:
            self._searching = False
            raise KeyboardInterrupt


def _described(error: Exception) -> str:
    """What went wrong, and the lines that led there, innermost first."""
    lines = [f"{frame.filename}:{frame.lineno}" for frame in reversed(extract_tb(error.__traceback__))]
    return f"{type(error).__name__}: {error}, at {', '.join(lines[:MAX_LINES])}"


def _importing(frame: FrameType | None) -> bool:
    """Whether an import is under way, which is not cut short; one that takes long is ended by killing the process."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def serve(connection: Connection) -> None:
    """Be a worker; the first message is how many seconds each search may take."""
    WebWorker(connection.send, connection.recv()).run(connection)
