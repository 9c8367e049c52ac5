"""A run of many puzzles, by this process or by several. Each puzzle is the same whoever makes it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Generator
from typing import Any

from satdoku.errors import BackendError
from satdoku.generator.recipe import Recipe
from satdoku.generator.work import Failure, Made, Workshop, batches, made
from satdoku.verdict import Session

AHEAD = 4
"""Batches for each worker that are handed out before the first of them is needed."""


def run(recipe: Recipe, count: int, jobs: int = 1, first: int = 0) -> Generator[Made | Failure, None, None]:
    """`count` puzzles from number `first` on, in their order, by so many processes. Raises as `made`."""
    numbers = range(first, first + count)
    if jobs == 1 or count == 1:
        return made(recipe, numbers)
    return _shared(recipe, numbers, min(jobs, count))


def _shared(recipe: Recipe, numbers: range, jobs: int) -> Generator[Made | Failure, None, None]:
    from pebble import ProcessExpired, ProcessPool

    # Not forked from this process: solvers have threads, and their locks would be copied locked.
    context: Any = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
    pool: Any = ProcessPool(jobs, initializer=_begin, initargs=(recipe,), context=context)
    waiting: deque[Any] = deque()
    try:
        for batch in batches(recipe, numbers):
            waiting.append(pool.schedule(_work, args=(batch,)))
            if len(waiting) >= jobs * AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except ProcessExpired as error:
        raise BackendError(f"a worker was lost: {error}") from None
    finally:
        pool.stop()
        pool.join()


_workshop: Workshop | None = None


def _begin(recipe: Recipe) -> None:
    global _workshop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that hands out
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _workshop = Workshop(recipe, Session())


def _work(batch: list[int]) -> list[Made | Failure]:
    assert _workshop is not None
    return _workshop.work(batch)
