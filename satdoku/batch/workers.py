"""Processes of this machine that answer chunks. One that dies is replaced; one that is too slow is killed."""

import os
import signal
import tempfile
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

from satdoku.batch.chunks import Divisible
from satdoku.batch.totals import Result
from satdoku.errors import reason_of
from satdoku.system import process
from satdoku.system.process import TMPDIR, below
from satdoku.system.scratch import Scratch

GRACE = 2.0  # seconds that a worker may take beyond a timeout before it is killed
FILES, MORE_FILES = 16, 8  # open files that a process with workers needs, and those for each worker
MAX_STARTS = 3  # how often the start of a process is tried: the process that starts workers may die, too
MAX_LOCKS = 100  # pools whose locks a worker keeps after their end


class NoWorkers(Exception):
    """No processes can be started, or none any longer."""


class Worker(Protocol):
    def collect(self, chunk: Any) -> Result:
        """The answers to a chunk. An error in it that ends the run is `fatal` in the result."""


Sent = TypeVar("Sent", bound=Divisible, contravariant=True)


class Task(Protocol[Sent]):
    """What workers do with chunks: data that goes to each of them."""

    def open(self, folder: Path | None = None) -> Worker:
        """What a worker keeps open. folder: where long texts wait; None keeps them in memory."""

    def result(self) -> Result:
        """The result of no chunks, to which others are joined."""

    def stopped(self, chunk: Sent, seconds: float) -> Result:
        """That of a chunk of length 1 whose worker was killed after its time."""

    def given_up(self, chunk: Sent, reason: str) -> Result:
        """That of a chunk of length 1 on which workers were lost."""


class Pool:
    def __init__(self, task: Task[Any], width: int) -> None:
        self.width = width
        self._task = task
        self._folder: Scratch | None = None
        self._slots: list[_Slot] = []

    def start(self) -> None:
        """Raises NoWorkers if no processes can be started here. Whatever it raises, `close` must follow."""
        _want_files(FILES + MORE_FILES * self.width)
        context = process.context("satdoku.batch.worker", "satdoku.batch.rows")
        self._folder = Scratch()
        begin = partial(_begin, self._task, str(self._folder.path))
        self._slots += [_Slot(begin, context, self._folder.path) for _ in range(self.width)]
        for slot in self._slots:
            slot.start()

    def submit(self, chunk: Any, seconds: float | None) -> Any:
        return min(self._slots, key=lambda slot: slot.waiting).submit(chunk, seconds)

    def lost(self, error: BaseException) -> str | None:
        return lost(error)

    def close(self) -> None:
        with ExitStack() as each:  # an interrupt keeps none of the others from being done; the last is done first
            if self._folder is not None:
                each.callback(self._folder.close)
            for slot in self._slots:
                each.callback(slot.join)
            for slot in self._slots:
                each.callback(slot.stop)


def lost(error: BaseException) -> str | None:
    """What became of a process, if this error says that it has ended."""
    from pebble import ProcessExpired

    if not isinstance(error, ProcessExpired):
        return None
    code = error.exitcode
    return f"a worker was ended by signal {-code}" if code and code < 0 else f"a worker exited with {code}"


class _Slot:
    """One process and its queue: a pool of its own, as a process may take the lock of a shared one to its grave."""

    def __init__(self, begin: Callable[[], None], context: Any, folder: Path) -> None:
        self._begin, self._context, self._folder = begin, context, folder
        self._futures: list[Any] = []
        self._pool: Any = None
        self._server: int | None = None  # the process that has started its worker
        self._ending: list[Thread] = []  # each ends what a pool before that has started
        self._locks = deque[Any](maxlen=MAX_LOCKS)  # of pools before

    @property
    def waiting(self) -> int:
        self._futures = [future for future in self._futures if not future.done()]
        return len(self._futures)

    def start(self) -> None:
        for left in reversed(range(MAX_STARTS)):
            # It is known before it starts: one that is not stopped replaces its process for ever.
            self._pool = process.pool(1, self._begin, context=self._context)
            try:
                if process.start(self._pool):
                    self._server = process.fork_server()
                    return
            except (OSError, EOFError, BrokenProcessPool) as error:
                if not left:
                    raise NoWorkers(reason_of(error)) from None
            self._end()
        raise NoWorkers("they end at once")

    def submit(self, chunk: Any, seconds: float | None) -> Any:
        for left in reversed(range(MAX_STARTS)):
            try:
                future = self._pool.schedule(_work, args=(chunk,), timeout=seconds)
                break
            except RuntimeError:  # broken: its process died between two chunks, or as soon as it had started
                if not left:
                    raise NoWorkers("they end at once") from None
                self.renew(self._pool)
        self._futures.append(future)
        return SimpleNamespace(result=partial(self._result, self._pool, future))

    def renew(self, pool: Any) -> None:
        if pool is self._pool:
            self.stop()
            self._end()
            self.start()
            self.sweep()

    def _end(self) -> None:
        """End what the pool has started: one whose process died may have another one by the time it is stopped."""
        pool, self._pool = self._pool, None
        pool.stop()
        # Its locks have names until nobody holds them. A process that is starting would not find them, and say so: one
        # of which nobody knows, if the process that starts workers died before it said that it had begun.
        channel = pool._pool_manager.worker_manager.workers_channel
        self._locks.append(channel and (channel.mutex.reader_mutex, channel.mutex.writer_mutex))
        thread = Thread(target=_join, args=(pool,), daemon=True)
        thread.start()
        self._ending = [each for each in self._ending if each.is_alive()] + [thread]

    def _result(self, pool: Any, future: Any) -> Result:
        from pebble import ProcessExpired

        while not (future.done() or wait([future], timeout=GRACE).done):
            if not pool.active:  # what a broken pool had not taken up yet it forgets
                self.renew(pool)
                raise CancelledError
        try:
            result: Result = future.result()
        except ProcessExpired:
            server, self._server = self._server, None
            # With the process that starts workers all that it has started are lost; the chunk is not the cause.
            blameless = server is not None and (server != process.fork_server() or process.ended(server))
            self.renew(pool)
            if blameless:
                raise CancelledError from None
            raise
        except TimeoutError:
            self.sweep()
            raise
        except BrokenProcessPool:  # its process died between two chunks, so this one is not the cause
            self.renew(pool)
            raise CancelledError from None
        return result

    def sweep(self) -> None:
        import psutil

        for each, worker in below(self._folder):
            if not (worker.isdigit() and psutil.pid_exists(int(worker))):
                with suppress(psutil.Error):
                    each.kill()

    def stop(self) -> None:
        if self._pool is not None:
            self._pool.stop()
        for future in self._futures:
            future.cancel()  # stopping leaves them as they are, and who waits would wait on

    def join(self) -> None:
        if self._pool is not None:
            self._end()
        for thread in self._ending:
            thread.join(GRACE)


def _join(pool: Any) -> None:
    with suppress(RuntimeError):  # a process that cannot be ended
        pool.join()


def _want_files(count: int) -> None:
    if find_spec("resource") is None:
        return
    resource = import_module("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        if hard != resource.RLIM_INFINITY and hard < count:
            raise NoWorkers(f"{hard} open files are allowed, and {count} needed")
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


_worker: Worker | None = None


def _begin(task: Task[Any], folder: str) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that hands out
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # What this process starts, and what that starts, finds this as TMPDIR: so it is known when this one is gone.
    own = Path(folder) / str(os.getpid())
    own.mkdir(exist_ok=True)
    os.environ[TMPDIR] = tempfile.tempdir = str(own)
    _worker = task.open(Path(folder))


def _work(chunk: Any) -> Result:
    assert _worker is not None
    return _worker.collect(chunk)
