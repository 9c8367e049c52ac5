"""The outcomes of many puzzles, on one open session or on several in worker processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import isqrt, prod
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from satdoku import backends
from satdoku.api.sessions import asked
from satdoku.backends import Backend, Budget, Ending, Engine
from satdoku.batch.chunks import Chunks
from satdoku.batch.totals import Result
from satdoku.constraints import Grid
from satdoku.errors import BackendError, FormatError, InputError, Refused, SatdokuError, at_row
from satdoku.formats import Options
from satdoku.formats.cells import boxed_board
from satdoku.inputs.programs import Source
from satdoku.outcome import Outcome
from satdoku.puzzle import Board, Puzzle, Size, only
from satdoku.verdict import Session, at_least, validate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satdoku.batch.rows import Rows
    from satdoku.encoders.cnf import Encoding

FIRST_TAKEN = 16  # puzzles that are taken from the iterator at first, so that an outcome comes soon
MAX_TAKEN, MAX_SENT = 4_096, 256  # those that are taken at once later, in this process and for workers
CANNOT_START = "a script must do its work below `if __name__ == '__main__':`; or leave out jobs"
MAX_ARRAY = 25  # N up to which arrays of NxN values are searched together


def outcomes_of(
    puzzles: Iterable[Source],
    budget: Budget,
    jobs: int,
    backend: str | Engine | Backend | None,
    encoding: str | Encoding | None,
) -> Iterator[Outcome]:
    """The outcome of a search of each puzzle, in their order; errors as `check_many`."""
    at_least(jobs, 1, "jobs")
    validate(budget)
    task = _Task(backend, encoding, budget)
    worker = task.open()
    if jobs == 1:
        return _in_this_process(worker, iter(puzzles))
    worker.close()
    for what, given in (("backend", backend), ("encoding", encoding)):
        _refuse_unsent(what, given)
    return _in_workers(task, iter(puzzles), jobs)


@dataclass(frozen=True, slots=True)
class _Sources:
    """Puzzles that are answered together, and the number of the first."""

    first: int
    sources: Sequence[Source]

    def __len__(self) -> int:
        return len(self.sources)

    def part(self, start: int, end: int) -> _Sources:
        return _Sources(self.first + start, self.sources[start:end])


def _taken(puzzles: Iterator[Source], most: int) -> Iterator[_Sources]:
    first, size = 1, FIRST_TAKEN
    while sources := list(islice(puzzles, size)):
        yield _Sources(first, sources)
        first, size = first + len(sources), min(2 * size, most)


@dataclass(frozen=True, slots=True)
class _Task:
    backend: str | Engine | Backend | None
    encoding: str | Encoding | None
    budget: Budget

    def open(self, folder: Path | None = None) -> _Worker:
        return _Worker(Session(self.backend, self.encoding), self.budget)

    def result(self) -> Result:
        return Result(outputs=[[]])

    def stopped(self, chunk: _Sources, seconds: float) -> Result:
        with Session(self.backend, self.encoding) as session:
            engine = session.engine
        cut = Outcome(count=0, grids=(), ending=Ending.TIMEOUT, backend=engine, seconds=seconds)
        return Result(outputs=[[cut]], lines=1, seconds=seconds)

    def given_up(self, chunk: _Sources, reason: str) -> Result:
        return Result(outputs=[[]], lines=1, fatal=BackendError(f"puzzle {chunk.first}: {reason}"))


class _Worker:
    def __init__(self, session: Session, budget: Budget) -> None:
        self._session, self._budget = session, budget
        self.close = session.close

    def collect(self, chunk: _Sources) -> Result:
        outcomes: list[Outcome] = []
        result = Result(outputs=[outcomes], lines=len(chunk))
        started = perf_counter()
        try:
            in_bulk = _in_bulk(self._session, chunk.sources, self._budget)
            for number, source in enumerate(chunk.sources):
                outcomes.append(in_bulk.get(number) or self._check(source))
        except (InputError, TypeError) as error:
            result.fatal = at_row(chunk.first - 1 + len(outcomes), error)
        except SatdokuError as error:
            result.fatal = error
        result.seconds = perf_counter() - started
        return result

    def _check(self, source: Source) -> Outcome:
        ask = partial(Session.solve, limit=self._budget.limit)
        return asked(source, self._budget.timeout, nullcontext(self._session), ask)


def _in_this_process(worker: _Worker, puzzles: Iterator[Source]) -> Iterator[Outcome]:
    chunks = Chunks(_taken(puzzles, MAX_TAKEN))
    with closing(worker):
        for chunk in chunks:
            result = worker.collect(chunk)
            chunks.resize(result)
            yield from _outcomes(result)


def _in_workers(task: _Task, puzzles: Iterator[Source], jobs: int) -> Iterator[Outcome]:
    from satdoku.batch.dispatch import by_workers
    from satdoku.batch.workers import Pool

    def none_start(error: Exception) -> None:
        raise BackendError(f"no worker processes can be started ({error}): {CANNOT_START}") from None

    answered = by_workers(Pool(task, jobs), task, Chunks(_taken(puzzles, MAX_SENT)), task.budget.timeout, none_start)
    with closing(answered):
        for _, result in answered:
            yield from _outcomes(result)


def _outcomes(result: Result) -> Iterator[Outcome]:
    yield from result.outputs[0]
    if result.fatal is not None:
        raise result.fatal


def _refuse_unsent(what: str, given: object) -> None:
    """Raise Refused for an object that worker processes cannot have."""
    import pickle

    try:
        pickle.dumps(given)
    except Exception as error:  # whatever its own methods raise
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        hint = "define it in a module, and its functions too, or leave out jobs"
        raise Refused(f"the {what} cannot go to worker processes, it cannot be pickled ({reason}): {hint}") from None


def _in_bulk(session: Session, chunk: Sequence[Source], budget: Budget) -> dict[int, Outcome]:
    """The outcomes of the puzzles that the backend takes as arrays, by their place in the chunk."""
    if not isinstance(session.backend, backends.Bulk):
        return {}
    from satdoku.batch.rows import plain, searched
    from satdoku.inputs.items import Block, encoded

    lines = [source if isinstance(source, str) and "\n" not in source else "" for source in chunk]
    block = Block(name="puzzle", numbers=range(1, len(chunk) + 1), lines=encoded(lines))
    outcomes: dict[int, Outcome] = {}
    for rows in (*plain(block, Options()), *_rows(chunk)):
        every = searched(session, rows, budget, block)
        if every is not None:
            known = every[every.answered]
            outcomes.update(zip(known.rows.index.tolist(), known.outcomes(), strict=True))
    return outcomes


def _rows(chunk: Sequence[Source]) -> Iterator[Rows]:
    """Puzzles whose cells are given or open, and arrays of whole numbers: together for each board and shape."""
    import numpy as np

    from satdoku.batch.rows import Rows

    puzzles: dict[Board, dict[int, Grid]] = {}
    arrays: dict[tuple[int, ...], dict[int, NDArray[Any]]] = {}
    for number, source in enumerate(chunk):
        if isinstance(source, Puzzle):
            every = source.board.every_value
            if all(allowed == every or only(allowed) for allowed in source.candidates):
                puzzles.setdefault(source.board, {})[number] = source.givens
        elif isinstance(source, np.ndarray) and source.dtype.kind in "iu":
            arrays.setdefault(source.shape, {})[number] = source
    for board, givens in puzzles.items():
        yield Rows(board, np.array([*givens], np.intp), np.array([*givens.values()], np.uint16))
    for shape, some in arrays.items():
        square = _plain_board(shape)
        if square is not None:  # what is not a board, and values that are none, are left to the reader, which says so
            cells = np.stack([*some.values()]).reshape(len(some), square.cells)
            valid = ((cells >= 0) & (cells <= square.values)).all(axis=1)
            yield Rows(square, np.array([*some], np.intp)[valid], cells[valid].astype(np.uint16))


def _plain_board(shape: tuple[int, ...]) -> Board | None:
    """The board of an array of this shape: N rows of N values, or N*N values in one row; None if it is neither."""
    side = isqrt(prod(shape))
    if shape not in ((side, side), (side * side,)) or not 4 <= side <= MAX_ARRAY:
        return None
    try:
        return boxed_board(Size.of(side, side), Options())
    except FormatError:
        return None
