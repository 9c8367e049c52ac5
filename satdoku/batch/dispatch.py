"""Chunks to workers, and their answers in order, whatever becomes of a worker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError
from itertools import chain
from typing import Any, Generic, Protocol

from satdoku.batch.chunks import SECONDS, C, Chunks
from satdoku.batch.totals import Result
from satdoku.batch.workers import GRACE, NoWorkers, Task
from satdoku.errors import BackendError

AHEAD = 4  # chunks a worker that are handed out before the first of them is needed
TRIES = 2  # how often a chunk is tried whose worker dies
MAX_MOVES = 20  # how often a chunk may be moved because a worker was lost to another one


class ChunkWorkers(Protocol):
    """Who answers chunks: processes of this machine, or a cluster."""

    width: int  # how many chunks are answered at the same time, once it is started

    def start(self) -> None:
        """Raises NoWorkers. Whatever it raises, `close` must follow."""

    def submit(self, chunk: Any, seconds: float | None) -> Any:
        """Hand a chunk to a worker; `result()` of what it returns waits for the Result."""

    def lost(self, error: BaseException) -> str | None:
        """What became of the worker, if this error says that it is gone."""

    def close(self) -> None:
        """End what was started."""


def by_workers(
    workers: ChunkWorkers,
    task: Task[C],
    chunks: Chunks[C],
    timeout: float | None,
    none_start: Callable[[NoWorkers], object],
) -> Generator[tuple[C, Result], None, Iterator[C]]:
    """Answer chunks by workers, in their order; returns those that are left where no workers can be started.

    none_start: is called with the reason for that, first; what it raises is raised
    """
    pending: deque[list[Any]] = deque()
    dispatcher = _Dispatcher(workers, task, timeout)
    try:
        workers.start()
        while True:
            while len(pending) < workers.width * AHEAD and chunks.more():
                pending.append([next(chunks), None])
                pending[-1][1] = dispatcher.submit(pending[-1][0])
            if not pending:
                return iter(())
            result = dispatcher.result(*pending[0])
            chunk, _ = pending.popleft()
            chunks.resize(result)
            yield chunk, result
    except NoWorkers as error:
        none_start(error)
        return chain([chunk for chunk, _ in pending], chunks)
    finally:
        workers.close()


class _Dispatcher(Generic[C]):
    """Chunks to workers and their results, whatever becomes of a worker: tried again once, then line by line."""

    def __init__(self, workers: ChunkWorkers, task: Task[C], timeout: float | None) -> None:
        self._workers, self._task, self._timeout = workers, task, timeout
        self._answered = False  # whether any chunk was

    def submit(self, chunk: C) -> Any:
        # Of many lines few should need their whole time.
        timeout = self._timeout
        seconds = None if timeout is None else GRACE + (timeout if len(chunk) == 1 else 3 * timeout + 4 * SECONDS)
        return self._workers.submit(chunk, seconds)

    def result(self, chunk: C, waiting: Any) -> Result:
        moves = tries = 0
        while True:
            try:
                result: Result = waiting.result()
                self._answered = True
                return result
            except CancelledError as error:  # another chunk took the worker with it
                moves += 1
                if moves > MAX_MOVES and not self._answered:
                    raise NoWorkers("they end as they start") from None
                if moves > MAX_MOVES:
                    raise BackendError(f"workers are lost faster than they are replaced: {error}") from None
            except TimeoutError:
                return self._without(chunk, None)
            except Exception as error:
                reason = self._workers.lost(error)
                if reason is None:
                    raise
                tries += 1
                if tries == TRIES:
                    return self._without(chunk, reason)
            waiting = self.submit(chunk)

    def _without(self, chunk: C, lost: str | None) -> Result:
        """What becomes of a chunk that was `lost`, or stopped at the timeout (None): each line by itself, or cut."""
        if len(chunk) > 1:
            parts = [chunk.part(index, index + 1) for index in range(len(chunk))]
            waiting = [self.submit(part) for part in parts]
            merged = self._task.result()
            for part, pending in zip(parts, waiting, strict=True):
                merged.join(self.result(part, pending))
                if merged.fatal is not None:
                    break
            return merged
        if lost is None:
            return self._task.stopped(chunk, self._timeout or 0.0)
        return self._task.given_up(chunk, f"given up, {lost} on it, {TRIES} times")
