"""The questions asked of a puzzle, and of many: on one open session, or on several in worker processes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from satdoku.api.sessions import asked, opened
from satdoku.backends import Backend, Budget, Ending, Engine
from satdoku.inputs.programs import Source, as_puzzle, read_within
from satdoku.verdict import DEFAULT_COUNT, Outcome, Session, at_least, validate

if TYPE_CHECKING:
    from satdoku.counting.estimates import Estimate
    from satdoku.encoders.cnf import Encoding
    from satdoku.puzzle import Puzzle


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
        puzzle: a Puzzle, or what `read` takes, on a board of at most 64 values; of 62 if it has other constraints than
            AllDifferents.
        seconds: the time to spend, in which a text is also read.
        seed: decides the random numbers.
        probes: how many random ways to try, instead of seconds; then a seed gives the same estimate everywhere.

    Returns:
        The `Estimate`: `value`, and `low` and `high`, which hold in about 95 of 100 estimates.

    Raises:
        ValueError: the seed is below 0, or there are fewer than 2 probes.
        Refused: the board has more values; or it has auxiliary cells, and a search of a million nodes does not show
            whether a grid is a solution.
        TooSlow: the seconds were over while a text was read or the board was made.
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
