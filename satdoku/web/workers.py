"""The worker processes: so many for all tabs together, which take turns; what goes too far is killed.

A question that is new gets a worker before those that have run for a while: one worker is kept from them. A search
whose turn is over while others wait is stopped and begins anew later, with a turn twice as long, so that half of the
work at most is done again, and an easy puzzle never waits for hard ones. A question whose worker dies, or has an
internal error, is asked once more in another: an interrupt of what was asked before may have damaged the first one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from threading import Thread
from time import monotonic

from satdoku.backends.child import Cause, Child, Lost
from satdoku.batch.runner import cores
from satdoku.errors import InputError
from satdoku.system.clock import Deadline
from satdoku.system.process import TMPDIR
from satdoku.system.scratch import Scratch
from satdoku.web.questions import Part
from satdoku.web.worker import serve

GRACE = 0.04  # seconds that the next question waits for a search which is not wanted any more
OVERTIME = 1.0  # further seconds that it has to end by itself: to start another process takes as long
SPARES = 1
TURN = 0.5  # seconds that a search has at first before another takes its turn
LOOK = 0.05  # seconds between two looks at whose turn is over
START = 120.0  # seconds that a process has to get ready
LOST = "the worker was lost, and another takes its place: ask again"
REPORTS = logging.getLogger("satdoku.web")
Send = Callable[[Part], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Limits:
    """The seconds of a search, which is killed after twice as many, those of a count, the bytes of a process, and how
    many processes there are at most, at least 2."""

    seconds: float = 60.0
    counting: float = 3600.0
    memory: int = 2_000_000_000
    workers: int = field(default_factory=lambda: cores() + 1)


class WorkerLost(InputError):
    """A job whose worker is gone, or not to be used any more; `again` if another one may answer it."""

    def __init__(self, message: str, again: bool = False) -> None:
        super().__init__(message)
        self.again = again


class _Over(Exception):
    """The turn of a job is over; what wakes up those who wait for its parts."""


class _Turn:
    """A job on its way: how many seconds it has run, how many it may in this turn, and the worker that it gets."""

    def __init__(self, number: int) -> None:
        self.number, self.ran, self.length, self.began = number, 0.0, TURN, 0.0
        self.over = False
        self.process: asyncio.Future[_Process] = asyncio.get_running_loop().create_future()

    @property
    def rank(self) -> tuple[float, int]:
        """Who has run least comes first, of those who have not the newest."""
        return self.ran, -self.number

    def again(self) -> None:
        self.ran, self.length, self.over = self.ran + monotonic() - self.began, 2 * self.length, False
        self.process = asyncio.get_running_loop().create_future()


class _Answer:
    """Sends the parts of an answer: each once, also if its job begins anew."""

    def __init__(self, send: Send) -> None:
        self._send, self._sent, self._skipped = send, 0, 0
        self._last: Part | None = None  # that was sent
        self._held: Part | None = None  # that was not

    def again(self) -> None:
        self._skipped, self._held = self._sent, None

    async def send(self, part: Part) -> None:
        if self._skipped:
            self._skipped, self._held = self._skipped - 1, part
            return
        self._sent, self._last, self._held = self._sent + 1, part, None
        await self._send(part)

    async def end(self) -> None:
        """A count that begins anew may tell less on its way, so that its result is among what was left out."""
        if self._held not in (None, self._last):
            await self._send(self._held or {})


class _Process:
    """One worker, and what has come from it: parts of an answer, None at its end, what is raised if it is gone."""

    def __init__(self, folder: str, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        self.messages: asyncio.Queue[Part | WorkerLost | _Over | None] = asyncio.Queue()
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
                gone = WorkerLost(LOST, again=True) if lost.cause is Cause.ENDED else WorkerLost(f"stopped: {lost}")
                loop.call_soon_threadsafe(self.messages.put_nowait, gone)

    async def ended(self, seconds: float) -> bool:
        """Whether the job ends, or the start of the process, in so many seconds; what it still says is dropped."""
        message: Part | WorkerLost | _Over | None = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while isinstance(message, dict | _Over):
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
        self._numbers = count()
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()  # also those that are not ready yet
        self._starting: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._late: set[asyncio.Task[None]] = set()  # those that are to end, and have not yet
        self._waiting: list[_Turn] = []
        self._running: dict[_Turn, _Process] = {}
        self._clock: asyncio.TimerHandle | None = None
        self._closed = False

    async def run(self, job: str, raw: object, send: Send, counts: bool = False) -> None:
        """Send the parts of an answer; cancelling ends the search. Raises InputError for one that is an error."""
        turn, answer = _Turn(next(self._numbers)), _Answer(send)
        seconds = self._limits.counting if counts else 2 * self._limits.seconds
        asked_again = False
        while True:
            process, ended = await self._take(turn), False
            try:
                process.ask((job, raw), seconds, self._limits.memory, asyncio.get_running_loop())
                error, ended = await self._parts(process, turn, answer)
                break
            except _Over:
                turn.again()
                answer.again()
            except WorkerLost as lost:
                if asked_again or not lost.again:
                    raise
                asked_again = True
                turn.again()
                answer.again()
            finally:
                ending = asyncio.create_task(self._end(turn, process, ended))
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
                await asyncio.shield(ending)
        if error is not None:
            raise InputError(error)
        await answer.end()

    async def _parts(self, process: _Process, turn: _Turn, answer: _Answer) -> tuple[str | None, bool]:
        """Send what comes until the end of the job; the error that it ended with, and whether the worker has ended it.

        Raises WorkerLost, and _Over if the turn is over.
        """
        while (message := await process.messages.get()) is not None:
            if isinstance(message, _Over):
                if turn.over:
                    raise message
            elif isinstance(message, WorkerLost):
                raise message
            elif "part" not in message and message.get("error"):
                if message["fault"]:
                    REPORTS.error("internal error of a worker: %s", message["fault"])
                    raise WorkerLost(message["error"], again=True)
                return message["error"], await process.ended(START)
            else:
                await answer.send(message)
        return None, True

    async def _end(self, turn: _Turn, process: _Process, ended: bool) -> None:
        """End what a process does, and have it ready for the next, later if it takes long."""
        if not ended:
            process.interrupt()
            ended = await process.ended(GRACE)
        self._running.pop(turn, None)
        if ended or not process.child.alive():
            self._give_back(process, ended)
        else:
            task = asyncio.create_task(self._overtime(process))
            self._late.add(task)
            self._share()

    async def _overtime(self, process: _Process) -> None:
        """Wait until a process has ended what it does, and kill it if that takes too long."""
        ended, task = await process.ended(OVERTIME), asyncio.current_task()
        assert task is not None
        self._late.discard(task)
        self._give_back(process, ended)

    async def _take(self, turn: _Turn) -> _Process:
        """Wait for a worker. Raises WorkerLost if none can be started."""
        self._waiting.append(turn)
        self._share()
        try:
            return await turn.process
        except asyncio.CancelledError:
            if (process := self._running.pop(turn, None)) is not None:
                self._give_back(process, True)
            raise
        finally:
            if turn in self._waiting:
                self._waiting.remove(turn)

    def _share(self) -> None:
        """Give those who wait the workers that are idle, but the last one to a new question alone."""
        if self._closed:
            return
        for turn in sorted(self._waiting, key=lambda turn: turn.rank):
            while self._idle and not self._idle[-1].child.alive():
                self._discard(self._idle.pop())
            if not self._idle or (turn.ran and len(self._running) >= self._limits.workers - 1):
                break
            self._waiting.remove(turn)
            process = self._running[turn] = self._idle.pop()
            turn.began = monotonic()
            turn.process.set_result(process)
        self.ready()
        if self._clock is None and (self._running or self._waiting):
            self._clock = asyncio.get_running_loop().call_later(LOOK, self._look)

    def _look(self) -> None:
        """End the turns that are over, the longest first, if others wait or no worker is left for a new question."""
        self._clock, now = None, monotonic()
        full = len(self._running) >= self._limits.workers
        needed = len(self._waiting) + full - len(self._starting) - sum(turn.over for turn in self._running)
        long = [turn for turn in self._running if not turn.over and now - turn.began > turn.length]
        for turn in sorted(long, key=lambda turn: turn.ran, reverse=True)[: max(0, needed)]:
            turn.over = True
            self._running[turn].messages.put_nowait(_Over())
        self._share()

    def ready(self) -> None:
        """See in the background that there are processes for those who wait, and spare ones, but not too many."""
        coming = len(self._idle) + len(self._starting) + (0 if self._waiting else len(self._late))
        wanted = min(SPARES + len(self._waiting), self._limits.workers - len(self._running) - len(self._late))
        for _ in range(coming, wanted):
            task = asyncio.create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start(self) -> None:
        folder, loop, task = str(self._folder.path), asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        with suppress(OSError):
            process = await asyncio.to_thread(_Process, folder, self._limits, loop)
            self._all.add(process)
            if await process.ended(START):
                self._starting.discard(task)
                self._give_back(process, True)
                return
            self._discard(process)
        for turn in self._waiting:
            if not turn.process.done():
                turn.process.set_exception(WorkerLost("no worker process can be started"))

    def _give_back(self, process: _Process, ended: bool) -> None:
        if ended and len(self._idle) <= SPARES + len(self._waiting):
            self._idle.append(process)
        else:
            self._discard(process)
        self._share()

    def _discard(self, process: _Process) -> None:
        self._all.discard(process)
        process.kill()

    async def close(self) -> None:
        self._closed = True
        if self._clock is not None:
            self._clock.cancel()
        tasks = [*self._starting, *self._ending, *self._late]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for process in self._all:
            process.kill()
        self._folder.close()


class Serving:
    """What a server has: workers for as long as it runs."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._workers: Workers

    def lifespan(self, started: Callable[[], None]) -> Callable[[object], AbstractAsyncContextManager[None]]:
        """What the app of the server begins and ends with. started: is called once it can be reached"""

        @asynccontextmanager
        async def running(app: object) -> AsyncIterator[None]:
            self._workers = Workers(self._limits)
            self._workers.ready()
            try:
                started()
                yield
            finally:
                await self._workers.close()

        return running
