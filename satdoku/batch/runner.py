"""One way to ask a question of any input: in this process, in workers, on a cluster, with resuming and timeouts."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as PoolTimeout
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from time import monotonic
from typing import Any, Protocol

from satdoku.batch.chunks import SECONDS, Chunks
from satdoku.batch.outputs import Outputs
from satdoku.batch.questions import Answer
from satdoku.batch.totals import OUTCOME, Message, Result, Total
from satdoku.batch.worker import Put, Task, Worker
from satdoku.batch.workers import GRACE, NoWorkers
from satdoku.errors import BackendError, Excerpt, InputError, SatdokuError, worse
from satdoku.inputs.items import Block, Chunk, Item

WARM_UP = 1.0
"""Seconds of work before worker processes are started without being asked for."""

AHEAD = 4
"""Chunks a worker that are handed out before the first of them is needed."""

TRIES = 2
"""How often a chunk is tried whose worker dies."""

MAX_MOVES = 20
"""How often a chunk may be moved because a worker was lost to another one."""

MAX_ERRORS = 20
"""Errors of one file that are said one by one."""


class Watcher(Protocol):
    """Who is informed how far a run is."""

    def update(self, total: Total, chunk: Chunk) -> None:
        """Show the figures so far, once a chunk is answered."""

    def say(self, text: str, excerpt: Excerpt | None = None) -> None:
        """A line on standard error, and the line that it is about."""


class Pending(Protocol):
    """A chunk that has been handed out."""

    def result(self) -> Result:
        """Wait for it. Raises what ended the worker."""


class Workers(Protocol):
    """Where chunks are handed out."""

    width: int

    def start(self) -> None:
        """Start them."""

    def submit(self, chunk: Chunk, seconds: float | None) -> Pending:
        """Hand out a chunk, which is given up after so many seconds."""

    def lost(self, error: BaseException) -> str | None:
        """What to say of a worker that was lost; None if the error says something else."""

    def close(self) -> None:
        """Stop whatever still runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Who does the work.

    jobs:    worker processes; None is all cores, once some time has shown that they are worth starting
    cluster: the address of a dask scheduler instead
    tls:     files of the authority, the certificate and its key, for a scheduler that wants them
    timeout: seconds for each puzzle, which a worker is held to
    """

    jobs: int | None = None
    cluster: str | None = None
    tls: tuple[str, ...] = ()
    timeout: float | None = None


def run(task: Task, chunks: Iterator[Chunk], outputs: Outputs, many: Many, watcher: Watcher) -> Total:
    """Answer all chunks, in their order, and write the answers in the layouts of `outputs`; what all of it came to.

    An error that ends the run is said, and is in the status. Raises BrokenPipeError if nobody reads the output,
    KeyboardInterrupt; `outputs.total` has the figures so far.
    """
    total, task = outputs.total, replace(task, layouts=outputs.layouts)
    errors: Counter[str] = Counter()
    try:
        answered = _answered(task, outputs.left(chunks), outputs.put, many, watcher)
        with closing(answered):
            for chunk, result in answered:
                outputs.write(result)
                for message in result.messages:
                    _say(message, errors, watcher)
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


def _say(message: Message, errors: Counter[str], watcher: Watcher) -> None:
    if message.file is not None:
        errors[message.file] += 1
    if message.file is None or errors[message.file] <= MAX_ERRORS:
        watcher.say(message.text, message.excerpt)


Answered = Generator[tuple[Chunk, Result], None, None]


def _answered(task: Task, chunks: Iterator[Chunk], put: Put, many: Many, watcher: Watcher) -> Answered:
    """The answers in order, by this process alone or by workers."""
    cut = Chunks(chunks)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if many.cluster is not None:
        from satdoku.batch.cluster import Cluster

        Worker(task).close()  # what no worker could open is an error here, once
        yield from _by(Cluster(task, many.cluster, many.tls), task, cut, many.timeout, put, watcher)
        return
    jobs = 1 if task.alone else many.jobs
    if jobs is None or jobs == 1:
        limit = WARM_UP if jobs is None and cores > 1 else None
        yield from _here(task, cut, put, limit)
        jobs = cores
    else:
        Worker(task).close()
    if cut.more():
        from satdoku.batch.workers import Pool

        yield from _by(Pool(task, jobs, many.timeout is not None), task, cut, many.timeout, put, watcher)


def _here(task: Task, chunks: Chunks, put: Put, limit: float | None) -> Answered:
    """Answer chunks in this process; rows are written as they come. It ends after `limit` seconds."""
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

    def submit(self, chunk: Chunk) -> Pending:
        # Of many lines few should need their whole time.
        timeout = self._timeout
        seconds = None if timeout is None else GRACE + (timeout if len(chunk) == 1 else 3 * timeout + 4 * SECONDS)
        return self._workers.submit(chunk, seconds)

    def result(self, chunk: Chunk, waiting: Pending) -> Result:
        """The answer to a chunk. Raises BackendError if workers are lost faster than they can be replaced."""
        moves = tries = 0
        while True:
            try:
                return waiting.result()
            except CancelledError as error:  # another chunk took the worker with it
                moves += 1
                if moves > MAX_MOVES:
                    raise BackendError(f"workers are lost faster than they are replaced: {error}") from None
            except PoolTimeout:
                return self._cut(chunk) if len(chunk) == 1 else self._one_by_one(chunk)
            except Exception as error:
                reason = self._workers.lost(error)
                if reason is None:
                    raise
                tries += 1
                if tries == TRIES:
                    return self._given_up(chunk, reason) if len(chunk) == 1 else self._one_by_one(chunk)
            waiting = self.submit(chunk)

    def _one_by_one(self, chunk: Chunk) -> Result:
        parts = [chunk.part(index, index + 1) for index in range(len(chunk))]
        waiting = [self.submit(part) for part in parts]
        found = Result(outputs=[[] for _ in self._task.layouts])
        for part, pending in zip(parts, waiting, strict=True):
            found.join(self.result(part, pending))
            if found.fatal is not None:
                break
        return found

    def _cut(self, chunk: Chunk) -> Result:
        """The answer to a puzzle whose worker was killed at the timeout."""
        item = _item(chunk, self._task)
        if item is None or isinstance(item.puzzle, InputError):
            return Result(outputs=[[] for _ in self._task.layouts], lines=1)
        answer = self._task.question.cut(item, f"the worker was stopped after {self._timeout:g} s")
        return self._alone(item, answer)

    def _given_up(self, chunk: Chunk, reason: str) -> Result:
        item = _item(chunk, self._task)
        if item is None:
            return Result(outputs=[[] for _ in self._task.layouts], lines=1)
        error = BackendError(f"{item.name}: given up, {reason} on it, {TRIES} times")
        found = self._alone(item, self._task.question.invalid(item, error))
        found.messages.append(Message(str(error)))
        return found

    def _alone(self, item: Item, answer: Answer) -> Result:
        """An answer that no worker gave, as a result."""
        result = Result(lines=1, seconds=self._timeout or 0.0, status=answer.status)
        result.count(OUTCOME, answer.outcome)
        result.messages += [Message(f"{item.name}: {note}") for note in answer.notes]
        kept = not self._task.only or answer.outcome in self._task.only
        for layout in self._task.layouts:
            row = layout.one(item, answer) if kept else None
            result.outputs.append([] if row is None else [layout.pack([row])])
        return result


def _item(chunk: Chunk, task: Task) -> Item | None:
    return chunk.item(0, task.options) if isinstance(chunk, Block) else chunk.items[0]
