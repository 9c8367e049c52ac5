"""One way to ask a question of any input: in this process, in workers, on a cluster, with resuming and timeouts."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from satdoku.batch.outputs import Outputs
from satdoku.batch.totals import Message, Result, Total
from satdoku.batch.worker import Put, Task, Worker
from satdoku.batch.workers import GRACE, NoWorkers, Pool
from satdoku.errors import BackendError, Excerpt, InputError, SatdokuError, worse
from satdoku.inputs.items import Chunk

if TYPE_CHECKING:
    from satdoku.batch.cluster import Cluster

    Workers = Pool | Cluster

SECONDS = 0.25  # what a chunk should take: long against the cost of handing it over, short against a Ctrl-C
MAX_LINES = 8_192  # lines of a chunk
WARM_UP = 1.0  # seconds of work before worker processes are started without being asked for
AHEAD = 4  # chunks a worker that are handed out before the first of them is needed
TRIES = 2  # how often a chunk is tried whose worker dies
MAX_MOVES = 20  # how often a chunk may be moved because a worker was lost to another one
MAX_ERRORS = 20  # errors of one file that are said one by one


class Watcher(Protocol):
    """Who is informed how far a run is."""

    def update(self, total: Total, chunk: Chunk) -> None:
        """Show the figures so far, once a chunk is answered."""

    def say(self, text: str, excerpt: Excerpt | None = None) -> None:
        """A line on standard error, and the line that it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    jobs: int | None = None  # worker processes; None is all cores, once the run has shown that they are worth it
    cluster: str | None = None  # the address of a dask scheduler instead
    tls: tuple[str, ...] = ()  # files of the authority, the certificate and its key, for a scheduler that wants them
    timeout: float | None = None  # seconds for each puzzle, which a worker is held to
    quiet: bool = False  # whether notes are left out, so that errors alone are said


def run(task: Task, chunks: Iterator[Chunk], outputs: Outputs, many: Many, watcher: Watcher) -> Total:
    """Answer all chunks in order into `outputs`; says an error that ends the run. BrokenPipeError, Ctrl-C pass."""
    total, task = outputs.total, replace(task, layouts=outputs.layouts)
    errors: Counter[str] = Counter()
    try:
        answered = _answered(task, outputs.left(chunks), outputs.put, many, watcher)
        with closing(answered):
            for chunk, result in answered:
                outputs.write(result)
                for message in result.messages:
                    if message.file is not None and outputs.keeps_errors:
                        continue
                    errors[message.file or ""] += message.file is not None
                    if errors[message.file or ""] <= MAX_ERRORS and not (message.note and many.quiet):
                        watcher.say(message.text, message.excerpt)
                total.add(result)
                if result.fatal is not None:
                    raise result.fatal
                outputs.commit(chunk)
                watcher.update(total, chunk)
        for path in outputs.finish():
            watcher.say(f"{path} written")
    except SatdokuError as error:
        watcher.say(str(error), error.excerpt)
        total.status = worse(total.status, error.status)
    finally:
        for file, number in errors.items():
            if number > MAX_ERRORS:
                watcher.say(f"{file}: and {number - MAX_ERRORS} more errors")
    return total


Answered = Generator[tuple[Chunk, Result], None, None]


class Chunks:
    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks = chunks
        self._rest: Chunk | None = None
        self._lines = 1

    def __iter__(self) -> Iterator[Chunk]:
        return self

    def __next__(self) -> Chunk:
        chunk = self._rest or next(self._chunks)
        self._rest = None
        if len(chunk) > self._lines:
            self._rest = chunk.part(self._lines, len(chunk))
            chunk = chunk.part(0, self._lines)
        return chunk

    def more(self) -> bool:
        self._rest = self._rest or next(self._chunks, None)
        return self._rest is not None

    def took(self, result: Result) -> None:
        if result.lines:
            fitting = int(result.lines * SECONDS / max(result.seconds, 1e-6))
            self._lines = max(1, min(fitting, 4 * self._lines, MAX_LINES))


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _answered(task: Task, chunks: Iterator[Chunk], put: Put, many: Many, watcher: Watcher) -> Answered:
    cut = Chunks(chunks)
    jobs = 1 if task.alone and many.cluster is None else many.jobs
    if many.cluster is None and jobs in (None, 1):
        yield from _here(task, cut, put, WARM_UP if jobs is None and cores() > 1 else None)
    else:
        Worker(task).close()  # what no worker could open is an error here, once
    if many.cluster is not None:
        from satdoku.batch.cluster import Cluster

        yield from _by(Cluster(task, many.cluster, many.tls), task, cut, many.timeout, put, watcher)
    elif cut.more():
        pool = Pool(task, jobs or cores())
        yield from _by(pool, task, cut, many.timeout, put, watcher)


def _here(task: Task, chunks: Chunks, put: Put, limit: float | None) -> Answered:
    started = monotonic()
    with closing(Worker(task)) as worker:
        for chunk in chunks:
            result = worker.work(chunk, put)
            chunks.took(result)
            yield chunk, result
            if limit is not None and monotonic() - started > limit:
                return


def _by(workers: Workers, task: Task, chunks: Chunks, timeout: float | None, put: Put, watcher: Watcher) -> Answered:
    """Answer chunks by workers, in their order; by this process where no workers can be started."""
    pending: deque[list[Any]] = deque()
    dispatcher = _Dispatcher(workers, task, timeout)
    try:
        workers.start()
        while True:
            while len(pending) < workers.width * AHEAD and chunks.more():
                pending.append([next(chunks), None])
                pending[-1][1] = dispatcher.submit(pending[-1][0])
            if not pending:
                return
            result = dispatcher.result(*pending[0])
            chunk, _ = pending.popleft()
            chunks.took(result)
            yield chunk, result
    except NoWorkers as error:
        watcher.say(f"no workers can be started ({error}): this process does all")
    finally:
        workers.close()
    yield from _here(task, Chunks(chain([chunk for chunk, _ in pending], chunks)), put, None)


class _Dispatcher:
    """Chunks to workers and their results, whatever becomes of a worker: tried again once, then line by line."""

    def __init__(self, workers: Workers, task: Task, timeout: float | None) -> None:
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
                found: Result = waiting.result()
                return found
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
            found = self._task.result()
            for part, pending in zip(parts, waiting, strict=True):
                found.join(self.result(part, pending))
                if found.fatal is not None:
                    break
            return found
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
