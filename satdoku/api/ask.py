"""The questions asked of a puzzle, and of many: on one open session, or on several in worker processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import islice
from math import isqrt, prod
from time import monotonic
from typing import TYPE_CHECKING, Any

from satdoku import backends
from satdoku.api.sessions import asked, opened
from satdoku.backends import Backend, Budget, Ending, Engine
from satdoku.constraints import Grid
from satdoku.errors import BackendError, FormatError, Refused, SatdokuError
from satdoku.formats import Options
from satdoku.formats.cells import boxed_board
from satdoku.inputs.programs import Source, as_puzzle, read_within
from satdoku.puzzle import Board, Puzzle, Size, only
from satdoku.verdict import DEFAULT_COUNT, Outcome, Session, at_least, validate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satdoku.batch.rows import Rows
    from satdoku.counting.estimates import Estimate
    from satdoku.encoders.cnf import Encoding

FIRST_CHUNK, MAX_CHUNK = 16, 4_096  # few puzzles are asked about together at first, so that an outcome comes soon
CHUNK_SECONDS = 0.25  # chunks grow as long as one takes less time
MAX_ARRAY = 25  # N up to which arrays of NxN values are searched together
WORKER_CHUNK = 256  # puzzles that a worker is sent at once
MAX_AHEAD = 4  # chunks for each worker that are sent before the outcomes of the first are needed
Chunk = tuple[list[Outcome], Exception | None]  # the outcomes of a chunk in order, and the error that ended it, if any
_opened: list[tuple[Session, Budget]] = []  # the session of a worker process


def check(
    puzzle: Source,
    *,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Outcome:
    """Whether a puzzle has exactly one solution.

    Parameters:
        puzzle: a Puzzle, or what `read` takes: a text, rows of values, an array.
        backend: `NAME[:ARGUMENT]` from `satdoku backends`; None picks one by the board; or a
            `satdoku.backends.Engine` or `Backend` of your own. A Backend is open already, and is not closed.
        encoding: a name from `satdoku encodings`, or a `satdoku.encoders.cnf.Encoding` of your own, for SAT solvers;
            None for the usual one.
        timeout: seconds, in which a text is also read; a search that it stops is undecided, or multiple if two grids
            were found.

    Returns:
        The outcome: its `verdict`, and in `grids` the solution or the first two.

    Raises:
        InputError: the backend or encoding is unknown, or the puzzle cannot be read.
        Refused: the backend cannot take the board or the encoding.
        WrongAnswer: the backend gave a grid that is not a solution.
        TypeError: an argument has the wrong type.

    Example:
        >>> satdoku.check("13....3131...213").verdict
        <Verdict.MULTIPLE: 'multiple'>
        >>> satdoku.check(".1.4....1....43.").grid[:4]
        (3, 1, 2, 4)
    """
    return asked(puzzle, timeout, opened(backend, encoding), Session.check)


def solve(
    puzzle: Source,
    *,
    limit: int | None = 1,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Outcome:
    """Solutions of a puzzle, up to a limit. The search does not look for more, so ask `check` about uniqueness.

    Parameters:
        puzzle, backend, encoding, timeout: as for `check`.
        limit: how many solutions at most; None for all.

    Returns:
        The outcome: the solutions in `grids`; `exact` if there are no others.

    Raises:
        ValueError: the limit is below 1.
        InputError, Refused, WrongAnswer, TypeError: as `check`.

    Example:
        >>> len(satdoku.solve("13....3131...213", limit=None).grids)
        2
    """
    return asked(puzzle, timeout, opened(backend, encoding), partial(Session.solve, limit=limit))


def draw(
    puzzle: Source,
    *,
    count: int = 1,
    seed: int = 0,
    backend: str | Engine | Backend | None = None,
    timeout: float | None = None,
) -> Outcome:
    """Solutions of a puzzle at random, each as likely, and none dependent on those before.

    Parameters:
        puzzle, backend, timeout: as for `check`; a plain 9x9 board, or any with less than 1,000 solutions.
        count: how many; one may come several times.
        seed: decides which.

    Returns:
        The outcome: the solutions in `grids`, none if the puzzle has none or the timeout came first.

    Raises:
        ValueError: the count is below 1, or the seed below 0.
        Refused: the puzzle has too many solutions.
        InputError, WrongAnswer, TypeError: as `check`.

    Example:
        >>> [grid[:4] for grid in satdoku.draw("13....3131...213", count=3, seed=1).grids]
        [(1, 3, 2, 4), (1, 3, 2, 4), (1, 3, 4, 2)]
    """
    return asked(puzzle, timeout, opened(backend), partial(Session.draw, count=count, seed=seed))


def count(
    puzzle: Source,
    *,
    limit: int | None = DEFAULT_COUNT,
    check: bool = False,
    jobs: int = 1,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Outcome:
    """How many solutions a puzzle has. Beyond a million, classic boards up to 9x9 are counted by sums, however many.

    Parameters:
        puzzle, encoding, timeout: as for `check`.
        backend: as for `check`; a backend that is named counts by itself.
        limit: where to stop; None counts all.
        check: whether a second method counts too, in as many seconds again: `checked_by` names it if it finished.
        jobs: threads that share a sum out.

    Returns:
        The outcome: `count`, `exact` if these are all; else there is at least one more, unless a timeout stopped it.

    Raises:
        ValueError: the limit or `jobs` is below 1.
        Disagreement: the two methods differ.
        InputError, Refused, WrongAnswer, TypeError: as `check`.

    Example:
        >>> satdoku.count("." * 16).count
        288
    """
    return asked(puzzle, timeout, opened(backend, encoding), partial(_counted, limit=limit, jobs=jobs, check=check))


def _counted(
    session: Session, puzzle: Puzzle, *, timeout: float | None, limit: int | None, jobs: int, check: bool
) -> Outcome:
    """The count of a session, and a second one in as many seconds if it is to be checked."""
    outcome = session.count(puzzle, limit=limit, jobs=jobs, timeout=timeout)
    if not check or outcome.ending is Ending.TIMEOUT:
        return outcome
    from satdoku.counting.second import checked

    return checked(puzzle, outcome, timeout)


def estimate(puzzle: Source, *, seconds: float = 10.0, seed: int = 0, probes: int | None = None) -> Estimate:
    """About how many solutions a puzzle has, where no count would end.

    Parameters:
        puzzle: a Puzzle, or what `read` takes, on a board of AllDifferents over at most 64 values.
        seconds: the time to spend, in which a text is also read.
        seed: decides the random numbers.
        probes: how many random ways to try, instead of seconds; then a seed gives the same estimate everywhere.

    Returns:
        The `Estimate`: `value`, and `low` and `high`, which hold in about 95 of 100 estimates.

    Raises:
        ValueError: the seed is below 0, or there are fewer than 2 probes.
        Refused: the board has other constraints or more values.
        TooSlow: the seconds were over while a text was read.
        InputError, TypeError: an argument cannot be read, the seconds are not above 0.

    Example:
        >>> estimate = satdoku.estimate("." * 16, probes=1000, seed=1)
        >>> estimate.low <= 288 <= estimate.high
        True
    """
    from satdoku.counting import estimates

    at_least(seed, 0, "seed")
    validate(Budget(1, seconds))
    if probes is not None:
        at_least(probes, 2, "probes")
        return estimates.estimate(as_puzzle(puzzle), probes=probes, seed=seed)
    asked, left = read_within(puzzle, seconds)
    assert left is not None, "seconds are a number"
    return estimates.estimate(asked, left, seed)


def check_many(
    puzzles: Iterable[Source],
    *,
    jobs: int = 1,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Iterator[Outcome]:
    """Whether each of many puzzles has exactly one solution: much faster than `check` in a loop.

    Parameters:
        puzzles: Puzzles, or what `read` takes: usually lines of text. They are taken some thousands ahead at most.
        jobs: worker processes; 1 searches in this process. A script that asks for more does its own work below
            `if __name__ == "__main__":`.
        backend, encoding: as for `check`; what is no name goes to worker processes by pickle.
        timeout: seconds for each puzzle.

    Returns:
        An iterator of outcomes, in the order of the puzzles.

    Raises:
        InputError, Refused, WrongAnswer, TypeError: as `check`, when the iterator comes to that puzzle.
        Refused: `jobs` is above 1, and the backend or the encoding cannot be pickled.
        ValueError: `jobs` is below 1.
        BackendError: a worker process was lost.

    Example:
        >>> lines = ["3...1...4...2...", ".1.4....1....43.", "33.............."]
        >>> [outcome.verdict.value for outcome in satdoku.check_many(lines)]
        ['multiple', 'unique', 'unsolvable']
    """
    if isinstance(puzzles, str | bytes) or not isinstance(puzzles, Iterable):
        kind = type(puzzles).__name__
        raise TypeError(f"puzzles is of type {kind}: expected several puzzles, such as a list of lines")
    at_least(jobs, 1, "jobs")
    budget = Budget(2, timeout)
    validate(budget)
    session = Session(backend, encoding)
    if jobs == 1:
        return _in_this_process(session, iter(puzzles), budget)
    session.close()
    for what, given in (("backend", backend), ("encoding", encoding)):
        _refuse_unsent(what, given)
    return _in_workers(backend, encoding, iter(puzzles), budget, jobs)


def _in_this_process(session: Session, puzzles: Iterator[Source], budget: Budget) -> Iterator[Outcome]:
    size = FIRST_CHUNK
    with session:
        while chunk := list(islice(puzzles, size)):
            started = monotonic()
            outcomes, error = _answered(session, chunk, budget)
            if monotonic() - started < CHUNK_SECONDS:
                size = min(2 * size, MAX_CHUNK)
            yield from outcomes
            if error is not None:
                raise error


def _in_workers(
    backend: str | Engine | Backend | None,
    encoding: str | Encoding | None,
    puzzles: Iterator[Source],
    budget: Budget,
    jobs: int,
) -> Iterator[Outcome]:
    from pebble import ProcessExpired

    from satdoku.backends import process

    pool = process.pool(jobs, _open, backend, encoding, budget, context=process.context())
    waiting: deque[Any] = deque()
    try:
        process.start(pool)
        while True:
            chunk = list(islice(puzzles, WORKER_CHUNK))
            if chunk:
                waiting.append(pool.schedule(_work, args=(chunk,)))
            elif not waiting:
                return
            if not chunk or len(waiting) >= jobs * MAX_AHEAD:
                outcomes, error = waiting.popleft().result()
                yield from outcomes
                if error is not None:
                    raise error
    except ProcessExpired as error:
        raise BackendError(f"a worker process was lost: {error}") from None
    finally:
        pool.stop()
        pool.join()


def _refuse_unsent(what: str, given: object) -> None:
    """Raise Refused for an object that worker processes cannot have."""
    import pickle

    try:
        pickle.dumps(given)
    except Exception as error:  # whatever its own methods raise
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        help = "define it in a module, and its functions too, or leave out jobs"
        raise Refused(f"the {what} cannot go to worker processes, it cannot be pickled ({reason}): {help}") from None


def _open(backend: str | Engine | Backend | None, encoding: str | Encoding | None, budget: Budget) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the process that sends the chunks
    _opened.append((Session(backend, encoding), budget))


def _work(chunk: list[Source]) -> Chunk:
    session, budget = _opened[0]
    return _answered(session, chunk, budget)


def _answered(session: Session, chunk: Sequence[Source], budget: Budget) -> Chunk:
    outcomes: list[Outcome] = []
    try:
        in_bulk = _in_bulk(session, chunk, budget)
        for number, source in enumerate(chunk):
            outcome = in_bulk.get(number)
            outcomes.append(_run(session, source, budget) if outcome is None else outcome)
    except (SatdokuError, TypeError) as error:
        return outcomes, error
    return outcomes, None


def _run(session: Session, source: Source, budget: Budget) -> Outcome:
    return asked(source, budget.seconds, nullcontext(session), Session.check)


def _in_bulk(session: Session, chunk: Sequence[Source], budget: Budget) -> dict[int, Outcome]:
    """The outcomes of the puzzles that the backend takes as arrays, by their place in the chunk."""
    if not isinstance(session.backend, backends.Bulk):
        return {}
    from satdoku.batch.rows import plain, searched
    from satdoku.inputs.items import Block

    lines = [source.encode() if isinstance(source, str) and "\n" not in source else b"" for source in chunk]
    block = Block(name="puzzle", numbers=range(1, len(chunk) + 1), lines=lines)
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
        if square is not None:  # what is no board, and values that are none, are left to the reader, which says so
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
