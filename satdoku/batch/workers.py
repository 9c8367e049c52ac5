"""Who does the work: this process, a pool of others, or a cluster. All give the same answers in the same order."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, wait
from concurrent.futures import TimeoutError as PoolTimeout
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from satdoku.backends import Ending
from satdoku.batch import orphans
from satdoku.batch.desk import Desk, Done, Job, Out
from satdoku.errors import BackendError, InputError
from satdoku.inputs.sources import Block, Entry, Piece
from satdoku.verdict import Outcome

SECONDS = 0.25
"""What a piece should take: long against the cost of handing it over, short against a Ctrl-C."""

MOST_LINES = 8_192

AHEAD = 4
"""Pieces a worker that are handed out before the first of them is needed."""

GRACE = 2.0
"""Seconds that a worker may take beyond a timeout before it is killed."""

PATIENCE = 60.0
"""Seconds that a cluster may be without workers, or out of reach."""

LOOK = 2.0
"""Seconds between two looks at whether it is there."""

LONGEST_FOLDER = 70
"""Bytes of the name of the temporary folder in which a fork server's socket still has room for its own."""

TRIES = 2

MOST_MOVES = 20
"""How often a piece may be moved because a worker was lost to another one."""


class Pace:
    """How many lines make a piece, from how long pieces have taken. Answers do not depend on it."""

    def __init__(self) -> None:
        self.lines = 16

    def took(self, done: Done) -> None:
        if done.lines:
            fitting = int(done.lines * SECONDS / max(done.seconds, 1e-6))
            self.lines = max(1, min(fitting, 4 * self.lines, MOST_LINES))


class Cut:
    """The pieces of an input, blocks cut to size when they are asked for."""

    def __init__(self, pieces: Iterator[Piece], pace: Pace) -> None:
        self._pieces = pieces
        self._pace = pace
        self._rest: Block | None = None

    def __iter__(self) -> Iterator[Piece]:
        return self

    def __next__(self) -> Piece:
        piece = self._rest or next(self._pieces)
        self._rest = None
        if isinstance(piece, Block) and len(piece) > self._pace.lines:
            self._rest = piece.part(self._pace.lines, len(piece))
            piece = piece.part(0, self._pace.lines)
        return piece


class Waiting(Protocol):
    """A piece that has been handed out."""

    def result(self) -> Done:
        """Wait for it. Raises what ended the worker."""


class Workers(Protocol):
    """Where pieces are handed out."""

    width: int

    def submit(self, piece: Piece, seconds: float | None) -> Waiting:
        """Hand out a piece, which is given up after so many seconds."""

    def lost(self, error: BaseException) -> str | None:
        """What to say of a worker that was lost; None if the error says something else."""

    def close(self) -> None:
        """Stop whatever still runs."""


def alone(desk: Desk, pieces: Iterator[Piece], out: Out, pace: Pace) -> Iterator[tuple[Piece, Done]]:
    """Answer pieces in this process; what they print goes to `out` as it comes."""
    for piece in Cut(pieces, pace):
        done = desk.work(piece, out)
        pace.took(done)
        yield piece, done


def together(
    workers: Workers, job: Job, pieces: Iterator[Piece], pace: Pace, timeout: float | None
) -> Iterator[tuple[Piece, Done]]:
    """Answer pieces by workers, in their order."""
    pending: deque[tuple[Piece, Waiting]] = deque()
    cut = Cut(pieces, pace)
    try:
        for piece in cut:
            pending.append((piece, workers.submit(piece, _allowance(piece, timeout))))
            if len(pending) >= workers.width * AHEAD:
                yield _answered(workers, job, *pending.popleft(), pace, timeout)
        while pending:
            yield _answered(workers, job, *pending.popleft(), pace, timeout)
    finally:
        workers.close()


def _answered(
    workers: Workers, job: Job, piece: Piece, waiting: Waiting, pace: Pace, timeout: float | None
) -> tuple[Piece, Done]:
    done = _surely(workers, job, piece, waiting, timeout)
    pace.took(done)
    return piece, done


def _surely(
    workers: Workers, job: Job, piece: Piece, waiting: Waiting, timeout: float | None, tried: int = 1, moved: int = 0
) -> Done:
    """The answer to a piece, whatever becomes of its worker: tried again once, then line by line."""
    try:
        return waiting.result()
    except CancelledError as error:  # another piece took the worker with it
        if moved == MOST_MOVES:
            raise BackendError(f"workers are lost faster than they are replaced: {error}") from None
        again = workers.submit(piece, _allowance(piece, timeout))
        return _surely(workers, job, piece, again, timeout, tried, moved + 1)
    except PoolTimeout:
        if _lines(piece) == 1:
            return _undecided(job, piece, timeout)
    except Exception as error:
        reason = workers.lost(error)
        if reason is None:
            raise
        if tried < TRIES:
            again = workers.submit(piece, _allowance(piece, timeout))
            return _surely(workers, job, piece, again, timeout, tried + 1)
        if _lines(piece) == 1:
            return _given_up(piece, reason)
    done = Done()
    assert isinstance(piece, Block)
    singles = [piece.part(index, index + 1) for index in range(len(piece))]
    waitings = [workers.submit(single, _allowance(single, timeout)) for single in singles]
    for single, each in zip(singles, waitings, strict=True):
        part = _surely(workers, job, single, each, timeout)
        done.add(part)
        done.text += part.text
        done.records += part.records
        done.said += part.said
        done.fatal = done.fatal or part.fatal
        done.seconds += part.seconds
        if done.fatal:
            break
    return done


def _lines(piece: Piece) -> int:
    return len(piece) if isinstance(piece, Block) else 1


def _allowance(piece: Piece, timeout: float | None) -> float | None:
    """Seconds until a piece is given up. Of many lines few should need their whole time."""
    if timeout is None:
        return None
    return GRACE + timeout if _lines(piece) == 1 else GRACE + 3 * timeout + 4 * SECONDS


def _undecided(job: Job, piece: Piece, timeout: float | None) -> Done:
    """The answer to a puzzle whose worker was killed at the timeout."""
    entry = piece if isinstance(piece, Entry) else piece.entry(0, job.options)
    done = Done(lines=1, seconds=timeout or 0.0)
    if entry is None or isinstance(entry.found, InputError):
        return done
    engines = ",".join(name or "auto" for name in job.backends)
    outcome = Outcome(count=0, grids=(), ending=Ending.TIMEOUT, backend=engines, seconds=timeout or 0.0)
    shown = job.show(entry, outcome, job.style)
    if shown.text is not None and (not job.style.only or shown.word in job.style.only):
        done.text = f"{shown.text}\n"
    done.words[shown.word] += 1
    done.status = shown.status
    return done


def _given_up(piece: Piece, reason: str) -> Done:
    name = piece.origin if isinstance(piece, Entry) else f"{piece.origin}:{piece.numbers[0]}"
    done = Done(lines=1)
    done.words["at fault"] += 1
    error = BackendError(f"{name}: given up, {reason} on it, {TRIES} times")
    done.say(str(error), error.status)
    return done


class Pool:
    """Processes of this machine. One that dies is replaced; one that is too slow is killed, with what it started."""

    def __init__(self, job: Job, width: int, prepare: bool = False) -> None:
        """prepare: whether work that backends do once is done before the first piece, as it is to be timed."""
        # Not forked from this process: solvers have threads, and their locks would be copied locked.
        forks = hasattr(os, "fork") and len(os.fsencode(tempfile.gettempdir())) < LONGEST_FOLDER
        context: Any = multiprocessing.get_context("forkserver" if forks else "spawn")
        if forks:
            context.set_forkserver_preload(["satdoku.batch.desk", "satdoku.batch.rows"])
        self.width = width
        self._folder = tempfile.TemporaryDirectory(prefix="satdoku-", ignore_cleanup_errors=True)
        begin = partial(_begin, job, self._folder.name, prepare)
        self._seats = [_Seat(begin, context, Path(self._folder.name)) for _ in range(width)]

    def submit(self, piece: Piece, seconds: float | None) -> Waiting:
        return min(self._seats, key=lambda seat: seat.waiting).submit(piece, seconds)

    def lost(self, error: BaseException) -> str | None:
        from pebble import ProcessExpired

        if not isinstance(error, ProcessExpired):
            return None
        code = error.exitcode
        return f"a worker was ended by signal {-code}" if code and code < 0 else f"a worker exited with {code}"

    def close(self) -> None:
        for seat in self._seats:
            seat.stop()
        for seat in self._seats:
            seat.join()
        orphans.end(Path(self._folder.name), of_the_living=True)
        self._folder.cleanup()


class _Seat:
    """One process and its queue. Pools of several share a lock, which a process may take to its grave;
    so each has a pool of its own, and that is renewed with it."""

    def __init__(self, begin: Callable[[], None], context: Any, folder: Path) -> None:
        self._begin, self._context, self._folder = begin, context, folder
        self._futures: list[Any] = []
        self._pool = self._opened()

    @property
    def waiting(self) -> int:
        """Pieces that are not answered yet."""
        self._futures = [future for future in self._futures if not future.done()]
        return len(self._futures)

    def _opened(self) -> Any:
        from pebble import ProcessPool

        return ProcessPool(1, initializer=self._begin, context=self._context)

    def submit(self, piece: Piece, seconds: float | None) -> Waiting:
        try:
            future = self._pool.schedule(_work, args=(piece,), timeout=seconds)
        except RuntimeError:  # broken: its process died between two pieces
            self.renew(self._pool)
            future = self._pool.schedule(_work, args=(piece,), timeout=seconds)
        self._futures.append(future)
        return _Seated(self, self._pool, future)

    def renew(self, pool: Any) -> None:
        """Replace the pool, if it is still that one. What waits in it is cancelled."""
        if pool is self._pool:
            self.stop()
            self._pool = self._opened()
            self.sweep()

    def sweep(self) -> None:
        """End what a process that is gone has started."""
        orphans.end(self._folder)

    def stop(self) -> None:
        self._pool.stop()
        for future in self._futures:
            future.cancel()  # stopping leaves them as they are, and who waits would wait on

    def join(self) -> None:
        with suppress(PoolTimeout):
            self._pool.join(timeout=GRACE)


class _Seated:
    """A piece at a seat."""

    def __init__(self, seat: _Seat, pool: Any, future: Any) -> None:
        self._seat, self._pool, self._future = seat, pool, future

    def result(self) -> Done:
        from pebble import ProcessExpired

        while not (self._future.done() or wait([self._future], timeout=GRACE).done):
            if not self._pool.active:  # what a broken pool had not taken up yet it forgets
                self._seat.renew(self._pool)
                raise CancelledError
        try:
            done: Done = self._future.result()
        except ProcessExpired:
            self._seat.renew(self._pool)
            raise
        except PoolTimeout:
            self._seat.sweep()
            raise
        except BrokenProcessPool:  # its process died between two pieces, so this one is not at fault
            self._seat.renew(self._pool)
            raise CancelledError from None
        return done


_desk: Desk | None = None


def _begin(job: Job, folder: str, prepare: bool) -> None:
    global _desk
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that hands out
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    orphans.mark(Path(folder))
    _desk = Desk(job)
    if prepare:
        _desk.prepare()


def _work(piece: Piece) -> Done:
    assert _desk is not None
    return _desk.collected(piece)


class Cluster:
    """Workers of a dask.distributed scheduler. It redoes what a worker that died has left."""

    def __init__(self, job: Job, address: str) -> None:
        if find_spec("distributed") is None:
            raise InputError("--cluster needs the package distributed: pip install 'satdoku[cluster]'")
        distributed = import_module("distributed")
        # It would report on standard error what is seen to here, and lost pieces that nobody waits for.
        for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client: Any = distributed.Client(address, timeout=10, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"--cluster {address}: no scheduler answers: {error}") from None
        self._address = address
        self._last_seen = monotonic()
        self._job = pickle.dumps(job)  # with each piece: what lies on a worker can die with it
        self.width = max(1, sum(self._client.nthreads().values()))

    def submit(self, piece: Piece, seconds: float | None) -> Waiting:
        return _Sent(self, self._client.submit(_at_large, self._job, piece, pure=False, retries=TRIES))

    def look(self) -> None:
        """Raise BackendError if nobody has been there to work, or to hand out work, for a while."""
        try:
            there = self._client.status == "running" and bool(self._client.scheduler_info()["workers"])
        except (OSError, TimeoutError, ValueError):
            there = False
        if there:
            self._last_seen = monotonic()
        elif monotonic() - self._last_seen > PATIENCE:
            gone = "no worker is left" if self._client.status == "running" else "the scheduler has gone"
            raise BackendError(f"--cluster {self._address}: {gone}, for {PATIENCE:.0f} seconds now")

    def lost(self, error: BaseException) -> str | None:
        killed = isinstance(error, import_module("distributed").KilledWorker)
        return "workers of the cluster died" if killed else None

    def close(self) -> None:
        self._client.close()


class _Sent:
    """A piece that a cluster has."""

    def __init__(self, cluster: Cluster, future: Any) -> None:
        self._cluster, self._future = cluster, future

    def result(self) -> Done:
        while not self._future.done():
            with suppress(PoolTimeout):
                self._future.result(timeout=LOOK)
                break
            self._cluster.look()
        done: Done = self._future.result()
        return done


_desks = threading.local()


def _at_large(job: bytes, piece: Piece) -> Done:
    """Runs on a worker of a cluster, whose threads have a desk each."""
    if getattr(_desks, "job", None) != job:
        if hasattr(_desks, "desk"):
            _desks.desk.close()
        _desks.desk, _desks.job = Desk(pickle.loads(job)), job
    done: Done = _desks.desk.collected(piece)
    return done
