"""A contender in a process of its own: both sides of it.

After an `Opening` each `SearchTask` is answered in three parts, so that the asking side can put a limit on each:
what loading the rules cost, what the search cost, and what it showed once the referee had looked at it.
"""

import gc
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Self

from satdoku import backends
from satdoku.backends import Backend, Budget, Counting, Drain, Ending, Statistics
from satdoku.backends.child import Child, Lost, messages
from satdoku.constraints import Grid
from satdoku.errors import BackendError, Refused, SatdokuError
from satdoku.puzzle import Board, Puzzle
from satdoku.referee import violations
from satdoku.system.clock import Deadline
from satdoku.system.process import TMPDIR, unwaited_seconds
from satdoku.system.scratch import Scratch

try:
    import resource
except ImportError:  # not a POSIX system: what children use is not seen there
    resource = None  # type: ignore[assignment]  # it is asked about before use

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the clock and of processor time, children and threads included; None if unknown or not done."""

    wall: float | None = None
    cpu: float | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """The contender, the files that offer further engines, and the boards that tasks name by number."""

    backend: str
    encoding: str | None
    engines: tuple[str, ...]
    boards: tuple[Board, ...]


@dataclass(frozen=True, slots=True)
class SearchTask:
    """One search. `fresh` asks for a new backend; `charged` takes the time of loading off the budget."""

    board: int
    candidates: tuple[int, ...]
    name: str
    budget: Budget
    fresh: bool
    charged: bool
    counts: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResult:
    """What a search showed: at least `count` solutions, exactly so many if `exact`; and what is wrong with that."""

    count: int = 0
    exact: bool = False
    timed_out: bool = False
    too_large: bool = False
    solution_digest: str | None = None
    peak_bytes: int = 0
    statistics: dict[str, int] = field(default_factory=dict)
    killed: bool = False
    fault: str | None = None
    refused: bool = False  # whether the fault is that the backend refuses the puzzle


class ContenderProcess:
    """The asking side: a process that has the contender's backend. Raises BackendError if it does not start."""

    def __init__(self, opening: Opening, timeout: float, memory: int | None = None) -> None:
        """timeout: seconds to start in; memory: megabytes that it and its children may have resident."""
        # A folder of its own, since a process that is killed leaves its temporary files behind.
        self._folder = Scratch()
        # Sets of text come in the same order in every run, so that one run is like the next.
        variables = {"PYTHONHASHSEED": "0", TMPDIR: str(self._folder.path)}
        started = perf_counter()
        self._memory = None if memory is None else memory * 1_000_000
        self._child = Child(serve, variables)
        try:
            self.send(opening)
            cpu = self.receive(timeout)
            if isinstance(cpu, SatdokuError):
                raise cpu
        except Lost as lost:
            self.close()
            name = " ".join(filter(None, (opening.backend, opening.encoding)))
            raise BackendError(f"{name}: its process did not start: {lost}") from None
        except BaseException:
            self.close()
            raise
        self.started = Cost(perf_counter() - started, cpu)

    def send(self, message: object) -> None:
        """Raises Lost."""
        self._child.send(message)

    def receive(self, timeout: float) -> Any:
        """The next answer. Raises Lost, having killed the process, if it takes more than `timeout`, or memory."""
        return self._child.receive(Deadline(timeout), self._memory)

    def close(self) -> None:
        self._child.close()
        self._folder.close()


def serve(connection: Connection) -> None:
    """Answer until the connection is closed. The first answer is the processor time until the backend was there."""
    try:
        session = LoadedContender(connection.recv())
    except SatdokuError as error:
        connection.send(error)
        return
    connection.send(process_time())
    for asked in messages(connection):
        for part in session.answer(asked):
            connection.send(part)
    session.close()


class LoadedContender:
    """The contender's backend, and the board whose rules it holds."""

    def __init__(self, opening: Opening) -> None:
        for file in opening.engines:
            backends.join(file)
        self._opening = opening
        self._backend: Backend | None = self._new()
        self._board: Board | None = None

    def answer(self, task: SearchTask) -> Iterator[Cost | SearchResult]:
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
            left = (task.budget.timeout or 0) - (encode.wall or 0) * task.charged
            (count, ending, grids), search = _search(backend, puzzle, replace(task.budget, timeout=left), task.counts)
            yield search
            sent += 1
            yield _judged(backend, puzzle, count, ending, grids)
        except Exception as error:
            self.close()
            yield from [Cost()] * (2 - sent)
            reason = str(error) if isinstance(error, SatdokuError) else f"{type(error).__name__}: {error}"
            yield SearchResult(peak_bytes=peak_bytes(), fault=reason, refused=isinstance(error, Refused))

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
        with Stopwatch() as watch:
            backend = self._backend or self._new()
            backend.load(board)
        self._backend, self._board = backend, board
        return backend, watch.cost


def _search(
    backend: Backend, puzzle: Puzzle, budget: Budget, counts: bool
) -> tuple[tuple[int, Ending, tuple[Grid, ...]], Cost]:
    """How many grids a search found, how it ended, all grids or the first of them; and what it cost."""
    if budget.timeout is not None and budget.timeout <= 0:
        return (0, Ending.TIMEOUT, ()), Cost(0.0, 0.0)
    with Stopwatch() as watch:
        if counts and isinstance(backend, Counting) and backend.can_count(puzzle.board):
            seen = backend.count_solutions(puzzle, budget)
        else:
            search = Drain(backend.search(puzzle, budget))
            grids = tuple(search)
            seen = len(grids), search.result, grids
    return seen, watch.cost


def _judged(backend: Backend, puzzle: Puzzle, count: int, ending: Ending, grids: tuple[Grid, ...]) -> SearchResult:
    """What a search showed, once the referee has accepted its grids."""
    wrong = next((fault for grid in grids for fault in violations(puzzle, grid)), None)
    twice = "duplicate solution" if len(set(grids)) < len(grids) else None
    exact = ending is Ending.EXHAUSTED
    text = ",".join(map(str, grids[0])) if exact and count == 1 and grids else None
    return SearchResult(
        count=count,
        exact=exact,
        timed_out=ending is Ending.TIMEOUT,
        solution_digest=None if text is None else sha256(text.encode()).hexdigest()[:16],
        peak_bytes=peak_bytes(),
        statistics=backend.statistics() if isinstance(backend, Statistics) else {},
        fault=f"a wrong grid: {wrong}" if wrong else twice,
    )


class Stopwatch:
    """Times a block: its `cost`, once that has ended."""

    cost: Cost

    def __enter__(self) -> Self:
        self._children = _children_seconds()  # outside the clock: reading /proc takes tens of microseconds
        self._cpu, self._wall = process_time(), perf_counter()
        return self

    def __exit__(self, *exception: object) -> None:
        wall, cpu = perf_counter() - self._wall, process_time() - self._cpu
        self.cost = Cost(wall, cpu + _children_seconds() - self._children)


def peak_bytes() -> int:
    """The most memory that this process had resident, plus the most that any one of its children had.

    The kernel's `ru_maxrss` of a process starts at what its parent held when it was made, so where there
    is /proc the figure of the present program is read instead.
    """
    own, *children = map(_high_water, (os.getpid(), *_descendants(os.getpid())))
    if resource is not None:
        own = own or _maxrss(resource.RUSAGE_SELF)
        if children or resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:
            children.append(_maxrss(resource.RUSAGE_CHILDREN))
    return own + max(children, default=0)


def _descendants(process: int) -> list[int]:
    """The living children of a process, and theirs. psutil looks at all processes, which takes longer than a search."""
    processes: list[int] = []
    try:
        for thread in (PROC / str(process) / "task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                processes += [child, *_descendants(child)]
    except OSError:
        pass  # no /proc, or the process has ended meanwhile
    return processes


def _children_seconds() -> float:
    """Processor time of children: of those that have ended, were killed here with their parent, or live."""
    seconds = unwaited_seconds()
    if resource is not None:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds += ended.ru_utime + ended.ru_stime
    for child in _descendants(os.getpid()):
        try:
            seconds += _seconds_of(child)
        except OSError:
            pass  # it has ended meanwhile
    return seconds


def _seconds_of(process: int) -> float:
    """Processor time of a living process, its ended threads and its ended children included."""
    children = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()[13:15]
    clock = ~process << 3 | 2  # the clock that clock_getcpuclockid(3) of Linux names
    return time.clock_gettime(clock) + sum(map(int, children)) / os.sysconf("SC_CLK_TCK")


def _high_water(process: int) -> int:
    try:
        match = re.search(r"^VmHWM:\s+(\d+) kB$", (PROC / str(process) / "status").read_text(), re.M)
    except OSError:
        return 0
    return int(match[1]) * 1024 if match else 0


def _maxrss(who: int) -> int:
    """macOS counts bytes, the others kilobytes."""
    maxrss = resource.getrusage(who).ru_maxrss
    return maxrss if os.uname().sysname == "Darwin" else maxrss * 1024
