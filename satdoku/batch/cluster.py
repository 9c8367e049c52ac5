"""Workers of a dask.distributed scheduler. It redoes what a worker that died has left."""

import logging
import os
import pickle
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import current_process
from pathlib import Path
from tempfile import mkstemp
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

from satdoku.batch.totals import Result
from satdoku.batch.worker import BatchTask, BatchWorker, Held
from satdoku.batch.workers import Pool, lost
from satdoku.errors import BackendError, InputError
from satdoku.inputs.items import Chunk
from satdoku.system.scratch import Scratch

PATIENCE = 60.0  # seconds that a cluster may be without workers, or out of reach
RECONNECT_SECONDS = 2.0  # seconds between two looks at whether it is there
START = 10.0  # seconds in which a scheduler must answer at the start
TRIES = 2
PIECE = 4 << 20  # bytes of a long text that are sent at once

UNREACHABLE = (OSError, TimeoutError, ValueError, RuntimeError)  # of a scheduler that is not there, or no address


class Cluster:
    """A pool of workers as `Pool` is one, at the address of a scheduler.

    Texts too long to be held wait in files: first of the worker, then of this machine, sent piece by piece.
    """

    def __init__(self, task: BatchTask, address: str, tls: Sequence[str] = ()) -> None:
        """tls: files of the authority, the certificate, its key, for tls://HOST:PORT. Raises InputError."""
        if find_spec("distributed") is None:
            raise InputError("--cluster needs the package distributed: pip install 'satdoku[cluster]'")
        self._distributed = import_module("distributed")
        # It would report on standard error what is handled here, and lost chunks that nobody waits for.
        for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address, self._tls = address, tls
        missing = next((name for name in tls if not Path(name).is_file()), None)
        if missing is not None:
            what = "no such file, expected those of the authority, the certificate, its key"
            raise InputError(f"--tls {missing}: {what}")
        if not re.fullmatch(r"(\w+://)?[^/]+:\d+", address):
            raise InputError(f"--cluster {address}: expected an address with its port, such as tcp://HOST:8786")
        self._client: Any = None
        self._folder = Scratch()
        self._task = pickle.dumps(task)  # with each chunk: what lies on a worker can die with it

    def start(self) -> None:
        try:
            self._client = self._opened(START)
        except UNREACHABLE as error:
            raise InputError(f"--cluster {self._address}: no scheduler answers: {error}") from None
        self._last_seen = monotonic()
        self.width = max(1, sum(self._client.nthreads().values()))

    def _opened(self, timeout: float) -> Any:
        security = None
        if self._tls:
            names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
            files = dict(zip(names, self._tls, strict=False))
            security = self._distributed.Security(require_encryption=True, **files)
        return self._distributed.Client(self._address, timeout=timeout, set_as_default=False, security=security)

    def submit(self, chunk: Chunk, seconds: float | None) -> Any:
        self.reach()
        future = self._client.submit(_work, self._task, chunk, seconds, pure=False, retries=TRIES)
        return SimpleNamespace(result=partial(self._result, future))

    def _result(self, future: Any) -> Result:
        try:
            while not future.done():
                with suppress(TimeoutError):
                    future.result(timeout=RECONNECT_SECONDS)
                    break
                self.look()
            result: Result | None = future.result()
        except OSError as error:  # the connection, and no timeout of ours
            raise CancelledError(str(error)) from None
        if result is None:
            raise TimeoutError
        result.outputs = [[self._fetched(part) for part in parts] for parts in result.outputs]
        return result

    def _fetched(self, part: Any) -> Any:
        """What waits on a worker, in a file of this machine. Raises CancelledError if the worker has gone."""
        if not isinstance(part, _Waiting):
            return part
        handle, name = mkstemp(".out", dir=self._folder.path)
        with os.fdopen(handle, "wb") as stream:
            while piece := self._asked(part.worker, _piece, part.path, stream.tell()):
                stream.write(piece)
        self._asked(part.worker, os.unlink, part.path)
        return Held(Path(name))

    def _asked(self, worker: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return self._client.run(function, *arguments, workers=[worker])[worker]
        except (KeyError, *UNREACHABLE) as error:
            raise CancelledError(str(error)) from None

    def reach(self) -> None:
        """Connect anew if the scheduler has gone. Raises BackendError after PATIENCE."""
        while self._client.status != "running":
            self.look()
            if self._client.status == "closed":
                with suppress(*UNREACHABLE):
                    self._client = self._opened(RECONNECT_SECONDS)
            sleep(RECONNECT_SECONDS / 10)

    def look(self) -> None:
        """Raise BackendError if nobody has been there to work, or to hand out work, for a while."""
        try:
            there = self._client.status == "running" and bool(self._client.scheduler_info()["workers"])
        except UNREACHABLE:
            there = False
        if there:
            self._last_seen = monotonic()
        elif monotonic() - self._last_seen > PATIENCE:
            gone = "no worker is left" if self._client.status == "running" else "the scheduler has gone"
            raise BackendError(f"--cluster {self._address}: {gone}, for {PATIENCE:.0f} seconds now")

    def lost(self, error: BaseException) -> str | None:
        return "workers of the cluster died" if isinstance(error, self._distributed.KilledWorker) else lost(error)

    def close(self) -> None:
        if self._client is not None:
            with suppress(*UNREACHABLE):
                self._client.close(timeout=RECONNECT_SECONDS)
        self._folder.close()


class _Crew(threading.local):
    """Who answers chunks in a thread of a worker: this process, or with a timeout one that can be killed."""

    task: bytes | None = None
    worker: BatchWorker | None = None
    pool: Pool | None = None
    folder: Scratch | None = None

    def begin(self, task: bytes, killed: bool) -> None:
        if self.task == task and (self.pool is not None) == killed:
            return
        if self.worker is not None:
            self.worker.close()
        if self.pool is not None:
            self.pool.close()
        if self.folder is not None:
            self.folder.close()
        self.task = self.worker = self.pool = self.folder = None
        opened: BatchTask = pickle.loads(task)
        if killed:
            current_process().daemon = False  # dask's are, which are allowed no processes of their own
            self.pool = Pool(opened, 1)
            self.pool.start()
        else:
            self.folder = Scratch()
            self.worker = opened.open(self.folder.path)
        self.task = task


_crew = _Crew()


def _work(task: bytes, chunk: Chunk, seconds: float | None) -> Result | None:
    """The answers to a chunk; None if its process was killed after so many seconds."""
    _crew.begin(task, seconds is not None)
    try:
        if _crew.pool is not None:
            result: Result = _crew.pool.submit(chunk, seconds).result()
        else:
            assert _crew.worker is not None
            result = _crew.worker.collect(chunk)
    except TimeoutError:
        return None
    result.outputs = [[_left(part) for part in parts] for parts in result.outputs]
    return result


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Text in a file of a worker, at this address."""

    worker: str
    path: str


def _left(part: Any) -> Any:
    if not isinstance(part, Held):
        return part
    return _Waiting(import_module("distributed").get_worker().address, str(part.path))


def _piece(path: str, start: int) -> bytes:
    with Path(path).open("rb") as stream:
        stream.seek(start)
        return stream.read(PIECE)
