"""The questions asked of a puzzle, and of many: check, solve, count, check_many."""

from __future__ import annotations

from satdoku.inputs.programs import Source
from satdoku.verdict import DEFAULT_COUNT, Outcome, Session


def check(
    puzzle: Source, *, backend: str | None = None, encoding: str | None = None, timeout: float | None = None
) -> Outcome:
    """Whether a puzzle has exactly one solution.

    Parameters:
        puzzle: a Puzzle, or what `read` takes: a text, rows of values, an array.
        backend: `NAME[:ARGUMENT]` from `satdoku backends`; None picks one by the board.
        encoding: a name from `satdoku encodings`, for SAT solvers; None for the usual one.
        timeout: seconds of wall time; a search that it stops is undecided, or multiple if two grids were found.

    Returns:
        The outcome: its `verdict`, and in `grids` the solution or the first two.

    Raises:
        InputError: there is no such backend or encoding, or the puzzle cannot be read.
        Refused: the backend cannot take the board or the encoding.
        WrongAnswer: the backend gave a grid that is not a solution.
        TypeError: an argument has the wrong type.

    Example:
        >>> import satdoku
        >>> outcome = satdoku.check("13....3131...213")
        >>> outcome.verdict
        <Verdict.MULTIPLE: 'multiple'>
        >>> satdoku.check(".1.4....1....43.").grid[:4]
        (3, 1, 2, 4)
    """
    with Session(backend, encoding) as session:
        return session.check(puzzle, timeout=timeout)


def solve(
    puzzle: Source,
    *,
    limit: int | None = 1,
    backend: str | None = None,
    encoding: str | None = None,
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
        >>> import satdoku
        >>> len(satdoku.solve("13....3131...213", limit=None).grids)
        2
    """
    with Session(backend, encoding) as session:
        return session.solve(puzzle, limit=limit, timeout=timeout)


def count(
    puzzle: Source,
    *,
    limit: int | None = DEFAULT_COUNT,
    backend: str | None = None,
    encoding: str | None = None,
    timeout: float | None = None,
) -> Outcome:
    """How many solutions a puzzle has.

    Parameters:
        puzzle, backend, encoding, timeout: as for `check`.
        limit: where to stop; None counts all.

    Returns:
        The outcome: `count`, and `exact` if these are all. A count that is not exact and that no timeout
        stopped is the limit, and there is at least one more.

    Raises:
        ValueError: the limit is below 1.
        InputError, Refused, WrongAnswer, TypeError: as `check`.

    Example:
        >>> import satdoku
        >>> outcome = satdoku.count("." * 16, limit=100)
        >>> outcome.count, outcome.exact
        (100, False)
    """
    with Session(backend, encoding) as session:
        return session.count(puzzle, limit=limit, timeout=timeout)
