"""One way to ask a question of any input: in this process, in workers, on a cluster, with resuming and timeouts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from satdoku.batch.chunks import Chunks
from satdoku.batch.outputs import Outputs
from satdoku.batch.totals import Result, RunTotal
from satdoku.batch.worker import BatchTask, Put
from satdoku.errors import Excerpt, SatdokuError, worst_status
from satdoku.inputs.items import Chunk
from satdoku.words import plural

if TYPE_CHECKING:
    from satdoku.batch.dispatch import ChunkWorkers

WARM_UP = 1.0  # seconds of work before worker processes are started without being asked for
MAX_ERRORS = 20  # errors of one file that are reported one by one


class Watcher(Protocol):
    """Who is informed how far a run is."""

    def update(self, total: RunTotal, chunk: Chunk) -> None:
        """Show the figures so far, once a chunk is answered."""

    def say(self, text: str, excerpt: Excerpt | None = None) -> None:
        """A line on standard error, and the line that it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    jobs: int | None = None  # worker processes; None is all cores, once the run has shown that they are worth it
    cluster: str | None = None  # the address of a dask scheduler instead
    tls: tuple[str, ...] = ()  # files of the authority, the certificate and its key, for a scheduler that wants them
    timeout: float | None = None  # seconds for each puzzle, which a worker is held to
    quiet: bool = False  # whether notes are left out, so that only errors are reported


def run(task: BatchTask, chunks: Iterator[Chunk], outputs: Outputs, work: WorkerOptions, watcher: Watcher) -> RunTotal:
    """Answer all chunks in order into `outputs`; says an error that ends the run. BrokenPipeError, Ctrl-C pass."""
    total, task = outputs.total, replace(task, layouts=outputs.layouts)
    errors: Counter[str] = Counter()
    try:
        answered = _answered(task, outputs.unsettled(chunks), outputs.put, work, watcher)
        with closing(answered):
            for chunk, result in answered:
                outputs.write(result)
                _say(result, errors, outputs.keeps_errors, work.quiet, watcher)
                total.add(result)
                if result.fatal is not None:
                    raise result.fatal
                outputs.commit(chunk)
                watcher.update(total, chunk)
        for path in outputs.finish():
            watcher.say(f"{path} written")
    except SatdokuError as error:
        watcher.say(str(error), error.excerpt)
        if outputs.resumable:
            watcher.say(f"{outputs.resumable} is unfinished: the same command with --resume goes on with it")
        total.status = worst_status(total.status, error.status)
    finally:
        for file, number in errors.items():
            if number > MAX_ERRORS:
                watcher.say(f"{file}: and {plural(number - MAX_ERRORS, 'more error')}")
    return total


def _say(result: Result, errors: Counter[str], kept: bool, quiet: bool, watcher: Watcher) -> None:
    """Say the messages of a result, of each file the first errors alone; kept: whether a file keeps these."""
    for message in result.messages:
        if message.file is not None and kept:
            continue
        errors[message.file or ""] += message.file is not None
        if errors[message.file or ""] <= MAX_ERRORS and not (message.note and quiet):
            watcher.say(message.text, message.excerpt)


Answered = Generator[tuple[Chunk, Result], None, None]


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _answered(task: BatchTask, chunks: Iterator[Chunk], put: Put, work: WorkerOptions, watcher: Watcher) -> Answered:
    cut = Chunks(chunks)
    jobs = 1 if task.alone and work.cluster is None else work.jobs
    if work.cluster is None and jobs in (None, 1):
        yield from _here(task, cut, put, WARM_UP if jobs is None and cores() > 1 else None)
    else:
        task.open().close()  # what no worker could open is an error here, once
    if work.cluster is not None:
        from satdoku.batch.cluster import Cluster

        workers: ChunkWorkers = Cluster(task, work.cluster, work.tls)
    elif not cut.more():
        return
    else:
        from satdoku.batch.workers import Pool

        workers = Pool(task, jobs or cores())
    from satdoku.batch.dispatch import by_workers

    def none_start(error: Exception) -> None:
        watcher.say(f"no workers can be started ({error}): this process does all")

    left = yield from by_workers(workers, task, cut, work.timeout, none_start)
    yield from _here(task, Chunks(left), put, None)


def _here(task: BatchTask, chunks: Chunks[Chunk], put: Put, seconds: float | None) -> Answered:
    started = monotonic()
    with closing(task.open()) as worker:
        for chunk in chunks:
            result = worker.work(chunk, put)
            chunks.resize(result)
            yield chunk, result
            if seconds is not None and monotonic() - started > seconds:
                return
