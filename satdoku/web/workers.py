"""The worker processes: one for each running search, and a spare one; what goes too far is killed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from time import monotonic
from typing import Any

import psutil

from satdoku.backends.process import Scratch, context
from satdoku.errors import InputError
from satdoku.web.answers import Part
from satdoku.web.worker import serve

GRACE = 0.04  # seconds that a search which is not wanted any more has to end by itself
LOOK = 0.2  # seconds between two looks at the memory and the time that a search takes
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


class Lost(InputError):
    """A job whose worker is gone."""


class _Process:
    """One worker, and what has come from it."""

    def __init__(self, context: Any, folder: str, seconds: float, loop: asyncio.AbstractEventLoop) -> None:
        self.messages: asyncio.Queue[Part | Lost | None] = asyncio.Queue()
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, folder, seconds), daemon=True)
        self.process.start()
        theirs.close()
        Thread(target=self._receive, args=(loop,), daemon=True).start()

    def _receive(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take what comes until the process is gone. Then the connection is closed, here and nowhere else: its number
        may be given to that of another process at once, of which this thread would read what comes."""
        message: Part | Lost | None = None
        with self.connection, suppress(RuntimeError):  # the loop is closed
            while not isinstance(message, Lost):
                try:
                    message = self.connection.recv()
                except (EOFError, OSError):
                    message = Lost(LOST)
                loop.call_soon_threadsafe(self.messages.put_nowait, message)

    async def ended(self, seconds: float) -> bool:
        """Whether the job ends, or the start of the process, in so many seconds; what it still says is dropped."""
        message: Part | Lost | None = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while isinstance(message, dict):
                    message = await self.messages.get()
        return message is None

    def interrupt(self) -> None:
        if os.name == "posix":
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGINT)

    def kill(self) -> None:
        with suppress(psutil.Error):
            for child in psutil.Process(self.process.pid).children(recursive=True):
                child.kill()
        self.process.kill()


class Workers:
    def __init__(self, limits: Limits) -> None:
        self._limits, self._folder = limits, Scratch()
        self._context = context("satdoku.web.worker")
        self._idle: asyncio.LifoQueue[_Process | Lost] = asyncio.LifoQueue()
        self._all: set[_Process] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting = 0

    async def run(self, job: str, raw: object, send: Send, counts: bool = False) -> None:
        """Send the parts of an answer; cancelling ends the search. Raises InputError for one that is an error."""
        process, ended = await self._take(), False
        try:
            await asyncio.to_thread(process.connection.send, (job, raw))
            until = self._limits.counting if counts else 2 * self._limits.seconds
            error = await self._parts(process, monotonic() + until, send)
            ended = True
        except OSError:
            raise Lost(LOST) from None
        finally:
            if not ended:
                process.interrupt()
            self._give_back(process, ended or await process.ended(GRACE))
        if error is not None:
            raise InputError(error)

    async def _parts(self, process: _Process, until: float, send: Send) -> str | None:
        """Send what comes until the end of the job; returns the error that it ended with. Raises Lost."""
        error = None
        while True:
            try:
                async with asyncio.timeout(LOOK):
                    message = await process.messages.get()
            except TimeoutError:
                self._judge(process, until)
                continue
            if message is None:
                return error
            if isinstance(message, Lost):
                raise message
            error = message.get("error") if "part" not in message else None
            if error is None:
                await send(message)

    def _judge(self, process: _Process, until: float) -> None:
        """Raises Lost for a process that takes too much; it is killed then."""
        with suppress(psutil.Error):
            owner = psutil.Process(process.process.pid)
            taken = sum(each.memory_info().rss for each in (owner, *owner.children(recursive=True)))
            if taken > self._limits.memory:
                raise Lost(f"stopped: it took more than {self._limits.memory / 1e9:g} GB of memory")
        if monotonic() > until:
            raise Lost("stopped: it took too long")

    async def _take(self) -> _Process:
        while True:
            self._waiting += 1
            self.ready()
            try:
                process = await self._idle.get()
            finally:
                self._waiting -= 1
            if isinstance(process, Lost):
                raise process
            if process.process.is_alive():
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
        folder, seconds, loop = str(self._folder.path), self._limits.seconds, asyncio.get_running_loop()
        with suppress(OSError):
            process = await asyncio.to_thread(_Process, self._context, folder, seconds, loop)
            self._all.add(process)
            if await process.ended(START):
                self._give_back(process, True)
                return
            self._all.discard(process)
            process.kill()
        for _ in range(self._waiting):
            self._idle.put_nowait(Lost("no worker process can be started"))

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
