"""Workers of a dask.distributed scheduler. It redoes what a worker that died has left."""

from __future__ import annotations

import logging
import pickle
import threading
from concurrent.futures import TimeoutError as PoolTimeout
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from time import monotonic
from typing import Any

from satdoku.batch.totals import Result
from satdoku.batch.worker import Task, Worker
from satdoku.errors import BackendError, InputError
from satdoku.inputs.items import Chunk

PATIENCE = 60.0
"""Seconds that a cluster may be without workers, or out of reach."""

LOOK = 2.0
"""Seconds between two looks at whether it is there."""

TRIES = 2


class Cluster:
    """The workers behind one scheduler."""

    def __init__(self, task: Task, address: str) -> None:
        """Raises InputError if no scheduler answers at `address`, tcp://HOST:PORT."""
        if find_spec("distributed") is None:
            raise InputError("--cluster needs the package distributed: pip install 'satdoku[cluster]'")
        distributed = import_module("distributed")
        # It would report on standard error what is handled here, and lost chunks that nobody waits for.
        for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client: Any = distributed.Client(address, timeout=10, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"--cluster {address}: no scheduler answers: {error}") from None
        self._address = address
        self._last_seen = monotonic()
        self._task = pickle.dumps(task)  # with each chunk: what lies on a worker can die with it
        self.width = max(1, sum(self._client.nthreads().values()))

    def submit(self, chunk: Chunk, seconds: float | None) -> _Remote:
        """Hand out a chunk; a cluster kills no worker at a timeout."""
        return _Remote(self, self._client.submit(_work, self._task, chunk, pure=False, retries=TRIES))

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
        """What to say of workers that died; None if the error says something else."""
        killed = isinstance(error, import_module("distributed").KilledWorker)
        return "workers of the cluster died" if killed else None

    def close(self) -> None:
        self._client.close()


class _Remote:
    """A chunk that a cluster has."""

    def __init__(self, cluster: Cluster, future: Any) -> None:
        self._cluster, self._future = cluster, future

    def result(self) -> Result:
        while not self._future.done():
            with suppress(PoolTimeout):
                self._future.result(timeout=LOOK)
                break
            self._cluster.look()
        result: Result = self._future.result()
        return result


_workers = threading.local()


def _work(task: bytes, chunk: Chunk) -> Result:
    """Runs on a worker of a cluster, whose threads have an evaluator each."""
    if getattr(_workers, "task", None) != task:
        if hasattr(_workers, "worker"):
            _workers.worker.close()
        _workers.worker, _workers.task = Worker(pickle.loads(task)), task
    result: Result = _workers.worker.collect(chunk)
    return result
