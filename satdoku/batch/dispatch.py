"""Chunks to workers, and their answers in order, whatever becomes of a worker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError
from itertools import chain
from typing import TYPE_CHECKING, Any

from satdoku.batch.chunks import SECONDS, Chunks
from satdoku.batch.totals import Message, Result
from satdoku.batch.worker import BatchTask
from satdoku.batch.workers import GRACE, NoWorkers, Pool
from satdoku.errors import BackendError, InputError
from satdoku.inputs.items import Chunk

if TYPE_CHECKING:
    from satdoku.batch.cluster import Cluster

    Workers = Pool | Cluster

AHEAD = 4  # chunks a worker that are handed out before the first of them is needed
TRIES = 2  # how often a chunk is tried whose worker dies
MAX_MOVES = 20  # how often a chunk may be moved because a worker was lost to another one


def by_workers(
    workers: Workers, task: BatchTask, chunks: Chunks, timeout: float | None, say: Callable[[str], object]
) -> Generator[tuple[Chunk, Result], None, Iterator[Chunk]]:
    """Answer chunks by workers, in their order; returns those that are left where no workers can be started."""
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
        say(f"no workers can be started ({error}): this process does all")
        return chain([chunk for chunk, _ in pending], chunks)
    finally:
        workers.close()


class _Dispatcher:
    """Chunks to workers and their results, whatever becomes of a worker: tried again once, then line by line."""

    def __init__(self, workers: Workers, task: BatchTask, timeout: float | None) -> None:
        self._workers, self._task, self._timeout = workers, task, timeout

    def submit(self, chunk: Chunk) -> Any:
        # Of many lines few should need their whole time.
        timeout = self._timeout
        seconds = None if timeout is None else GRACE + (timeout if len(chunk) == 1 else 3 * timeout + 4 * SECONDS)
        return self._workers.submit(chunk, seconds)

    def result(self, chunk: Chunk, waiting: Any) -> Result:
        moves = tries = 0
        while True:
            try:
                result: Result = waiting.result()
                return result
            except CancelledError as error:  # another chunk took the worker with it
                moves += 1
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

    def _without(self, chunk: Chunk, lost: str | None) -> Result:
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
        result = self._task.result(lines=1)
        item = self._task.item(chunk, 0)
        if item is None or (lost is None and isinstance(item.puzzle, InputError)):
            return result
        question = self._task.question
        if lost is None:
            answer = question.cut(item, f"the worker was stopped after {self._timeout:g} s")
        else:
            error = BackendError(f"{item.name}: given up, {lost} on it, {TRIES} times")
            answer = question.invalid(item, error)
            result.messages.append(Message(str(error)))
        result.seconds = self._timeout or 0.0
        self._task.answered(item, answer, result, lambda number, rows: result.outputs[number].append(rows))
        return result
