"""The worker processes: one for each running search, and a spare one; what goes too far is killed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread

from satdoku.backends.child import Cause, Child, Lost
from satdoku.backends.clock import Deadline
from satdoku.backends.process import TMPDIR, Scratch
from satdoku.errors import InputError
from satdoku.web.answers import Part
from satdoku.web.worker import serve

GRACE = 0.04  # seconds that a search which is not wanted any more has to end by itself
SPARES = 1
START = 120.0  # seconds that a process has to get ready
LOST = "the worker was lost, and another takes its place: ask again"
Send = Callable[[Part], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Limits:
    """The seconds of a search, which is killed after twice as many, those of a count, and the bytes of a process."""

    seconds: float = 60.0
    counting: float = 3600.0
    memory: int = 2_000_000_000


class WorkerLost(InputError):
    """A job whose worker is gone."""


class _Process:
    """One worker, and what has come from it: parts of an answer, None at its end, what is raised if it is gone."""

    def __init__(self, folder: str, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        self.messages: asyncio.Queue[Part | WorkerLost | None] = asyncio.Queue()
        self.child = Child(serve, {TMPDIR: folder})
        self.ask(limits.seconds, START, None, loop)

    def ask(self, message: object, seconds: float, memory: int | None, loop: asyncio.AbstractEventLoop) -> None:
        """Send a message, and take what comes until the end of the answer, which may take so much time and memory."""
        self._reader = Thread(target=self._exchange, args=(message, Deadline(seconds), memory, loop), daemon=True)
        self._reader.start()

    def _exchange(
        self, message: object, deadline: Deadline, memory: int | None, loop: asyncio.AbstractEventLoop
    ) -> None:
        """The connection of one that is gone is closed here: its number may be given to another's at once, of which
        this thread would read what comes."""
        part: Part | WorkerLost | None = {}
        with suppress(RuntimeError):  # the loop is closed
            try:
                self.child.send(message)
                while part is not None:
                    part = self.child.receive(deadline, memory)
                    loop.call_soon_threadsafe(self.messages.put_nowait, part)
            except Lost as lost:
                self.child.close()
                gone = WorkerLost(LOST if lost.cause is Cause.ENDED else f"stopped: {lost}")
                loop.call_soon_threadsafe(self.messages.put_nowait, gone)

    async def ended(self, seconds: float) -> bool:
        """Whether the job ends, or the start of the process, in so many seconds; what it still says is dropped."""
        message: Part | WorkerLost | None = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while isinstance(message, dict):
                    message = await self.messages.get()
        return message is None

    def interrupt(self) -> None:
        if os.name == "posix":
            with suppress(ProcessLookupError):
                os.kill(self.child.pid, signal.SIGINT)

    def kill(self) -> None:
        self.child.kill()
        if not self._reader.is_alive():
            self.child.close()


class Workers:
    def __init__(self, limits: Limits) -> None:
        self._limits, self._folder = limits, Scratch()
        self._idle: asyncio.LifoQueue[_Process | WorkerLost] = asyncio.LifoQueue()
        self._all: set[_Process] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting = 0

    async def run(self, job: str, raw: object, send: Send, counts: bool = False) -> None:
        """Send the parts of an answer; cancelling ends the search. Raises InputError for one that is an error."""
        process, ended = await self._take(), False
        try:
            seconds = self._limits.counting if counts else 2 * self._limits.seconds
            process.ask((job, raw), seconds, self._limits.memory, asyncio.get_running_loop())
            error = await self._parts(process, send)
            ended = True
        finally:
            if not ended:
                process.interrupt()
            self._give_back(process, ended or await process.ended(GRACE))
        if error is not None:
            raise InputError(error)

    async def _parts(self, process: _Process, send: Send) -> str | None:
        """Send what comes until the end of the job; returns the error that it ended with. Raises WorkerLost."""
        error = None
        while (message := await process.messages.get()) is not None:
            if isinstance(message, WorkerLost):
                raise message
            error = message.get("error") if "part" not in message else None
            if error is None:
                await send(message)
        return error

    async def _take(self) -> _Process:
        while True:
            self._waiting += 1
            self.ready()
            try:
                process = await self._idle.get()
            finally:
                self._waiting -= 1
            if isinstance(process, WorkerLost):
                raise process
            if process.child.alive():
                self.ready()
                return process
            self._give_back(process, False)

    def ready(self) -> None:
        """See in the background that there are processes for those who wait, and spare ones."""
        while self._idle.qsize() + len(self._starting) < SPARES + self._waiting:
            task = asyncio.create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start(self) -> None:
        folder, loop = str(self._folder.path), asyncio.get_running_loop()
        with suppress(OSError):
            process = await asyncio.to_thread(_Process, folder, self._limits, loop)
            self._all.add(process)
            if await process.ended(START):
                self._give_back(process, True)
                return
            self._all.discard(process)
            process.kill()
        for _ in range(self._waiting):
            self._idle.put_nowait(WorkerLost("no worker process can be started"))

    def _give_back(self, process: _Process, ended: bool) -> None:
        if ended and self._idle.qsize() <= SPARES + self._waiting:
            self._idle.put_nowait(process)
            return
        self._all.discard(process)
        process.kill()
        self.ready()

    async def close(self) -> None:
        starting = [*self._starting]
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        for process in self._all:
            process.kill()
        self._folder.close()
