"""One contender in a process of its own, which is asked through its standard input, in pickles.

After an `Opening` each `Task` is answered in three parts, so that the other side can put its own limit on each:
what loading the rules cost, what the search cost, and what it showed once the referee had looked at it.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Thread
from time import process_time, sleep

from satdoku import backends
from satdoku.backends import Backend, Budget, Counting, Drain, Ending, Statistics
from satdoku.backends.process import kill_tree
from satdoku.bench.usage import Cost, Stopwatch, peak_bytes, stopwatch
from satdoku.constraints import Grid
from satdoku.errors import SatdokuError
from satdoku.puzzle import Board, Puzzle
from satdoku.referee import violations


@dataclass(frozen=True, slots=True)
class Opening:
    """The contender, the files that offer further engines, and the boards that tasks name by number."""

    backend: str
    encoding: str | None
    engines: tuple[str, ...]
    boards: tuple[Board, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One search. `fresh` asks for a new backend; `charged` takes the time of loading off `seconds`."""

    board: int
    candidates: tuple[int, ...]
    name: str
    solutions: int | None
    seconds: float
    fresh: bool
    charged: bool
    tally: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What a search showed: at least `count` solutions, exactly so many if `exact`; and what is wrong with that."""

    count: int = 0
    exact: bool = False
    timed_out: bool = False
    solution: str | None = None
    peak_bytes: int = 0
    statistics: dict[str, int] = field(default_factory=dict)
    fault: str | None = None


_Seen = tuple[int, Ending, tuple[Grid, ...]]
"""The bare result of a search, before the referee: how many grids, and all that were found or the first of them."""


class Session:
    """The contender's backend, and the board whose rules it holds."""

    def __init__(self, opening: Opening) -> None:
        for file in opening.engines:
            backends.join(file)
        self._opening = opening
        self._backend: Backend | None = self._new()
        self._board: Board | None = None

    def answer(self, task: Task) -> Iterator[Cost | Found]:
        """What loading cost (nothing if the rules were kept), what the search cost, what it showed or what failed."""
        board = self._opening.boards[task.board]
        puzzle = Puzzle(board, task.candidates, task.name)
        if task.fresh:
            self.close()
        gc.collect()  # what one search leaves behind is not to be swept up in the time of the next
        sent = 0
        try:
            backend, encode = self._load(board)
            yield encode
            sent += 1
            left = task.seconds - (encode.wall or 0) * task.charged
            seen, search = _search(backend, puzzle, task, left)
            yield search
            sent += 1
            yield _judged(backend, puzzle, seen)
        except Exception as error:
            self.close()
            yield from [Cost()] * (2 - sent)
            reason = str(error) if isinstance(error, SatdokuError) else f"{type(error).__name__}: {error}"
            yield Found(peak_bytes=peak_bytes(), fault=reason)

    def close(self) -> None:
        """Be ready to make everything anew. The old backend is closed here, outside any clock."""
        if self._backend is not None:
            self._backend.close()
        self._backend = self._board = None

    def _new(self) -> Backend:
        return backends.find(self._opening.backend, self._opening.encoding)

    def _load(self, board: Board) -> tuple[Backend, Cost]:
        """The backend with these rules, and what it cost to load them."""
        if self._backend is not None and board is self._board:
            return self._backend, Cost()
        with stopwatch() as watch:
            backend = self._backend or self._new()
            backend.load(board)
        self._backend, self._board = backend, board
        return backend, watch.cost


def _search(backend: Backend, puzzle: Puzzle, task: Task, seconds: float) -> tuple[_Seen, Cost]:
    if seconds <= 0:
        return (0, Ending.TIMEOUT, ()), Stopwatch.cost
    budget = Budget(task.solutions, seconds)
    with stopwatch() as watch:
        if task.tally and isinstance(backend, Counting) and backend.tallies(puzzle.board):
            seen = backend.tally(puzzle, budget)
        else:
            search = Drain(backend.search(puzzle, budget))
            grids = tuple(search)
            seen = len(grids), search.result, grids
    return seen, watch.cost


def _judged(backend: Backend, puzzle: Puzzle, seen: _Seen) -> Found:
    """What a search showed, once the referee has accepted its grids."""
    count, ending, grids = seen
    wrong = next((fault for grid in grids for fault in violations(puzzle, grid)), None)
    twice = "a grid came twice" if len(set(grids)) < len(grids) else None
    exact = ending is Ending.EXHAUSTED
    text = ",".join(map(str, grids[0])) if exact and count == 1 and grids else None
    return Found(
        count=count,
        exact=exact,
        timed_out=ending is Ending.TIMEOUT,
        solution=None if text is None else sha256(text.encode()).hexdigest()[:16],
        peak_bytes=peak_bytes(),
        statistics=backend.statistics() if isinstance(backend, Statistics) else {},
        fault=f"a wrong grid: {wrong}" if wrong else twice,
    )


def _end_with(parent: int) -> None:
    """End this process and what it has started once the one that asks is gone, which a kill does not tell otherwise."""
    while os.getppid() == parent:
        sleep(1)
    kill_tree(os.getpid())


def serve() -> None:
    """Answer until standard input ends. The first answer is the processor time until the backend was there."""
    # Whatever a solver prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def reply(message: object) -> None:
        pickle.dump(message, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    requests = sys.stdin.buffer
    try:
        session = Session(pickle.load(requests))
    except SatdokuError as error:
        reply(error)
        return
    reply(process_time())
    try:
        while True:
            for part in session.answer(pickle.load(requests)):
                reply(part)
    except EOFError:
        session.close()
