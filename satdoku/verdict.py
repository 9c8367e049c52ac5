"""Refereed search, and the three questions asked of it: check, solve, count."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite
from time import monotonic

from satdoku import backends
from satdoku.backends import Backend, Budget, Choosing, Counting, Ending
from satdoku.constraints import Grid
from satdoku.errors import BackendError, Disagreement, InputError, Refused
from satdoku.puzzle import Puzzle
from satdoku.referee import accept

REMEMBERED = 100_000
"""Grids of one search kept to catch a backend that repeats itself."""

DEFAULT_COUNT = 10_000
"""Solutions counted unless a limit is named."""

REFEREED = 1_000
"""Grids refereed one by one before the rest are counted by a backend that cannot repeat itself."""


class Verdict(Enum):
    """What a search showed about the number of solutions; undecided if it did not finish."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNSOLVABLE = "unsolvable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search of one puzzle showed.

    count:   grids found, each accepted by the referee and different from the others
    grids:   the first of them, as many as were asked to be kept
    ending:  why the search stopped
    backend: its name, as given; of `auto`, the one that it chose
    seconds: wall time of the search, loading the board's rules left out
    reason:  the givens that clash, where that decided it without a search
    tallied: whether grids were counted without being handed over; only those in `grids` are refereed
    certified: whether a certificate of the verdict was made, and accepted by a checker
    """

    count: int
    grids: tuple[Grid, ...]
    ending: Ending
    backend: str
    seconds: float
    reason: str | None = None
    tallied: bool = False
    certified: bool = False

    @property
    def exact(self) -> bool:
        """Whether `count` is the number of all solutions."""
        return self.ending is Ending.EXHAUSTED

    @property
    def verdict(self) -> Verdict:
        """Said only as far as the search went: one grid and a timeout are undecided."""
        if self.count > 1:
            return Verdict.MULTIPLE
        if not self.exact:
            return Verdict.UNDECIDED
        return Verdict.UNIQUE if self.count else Verdict.UNSOLVABLE


class Judge:
    """A backend and the referee behind it; one judge can take many puzzles in turn.

    backend:  the engine itself
    name:     `NAME[:ARGUMENT]` from `satdoku backends`, None for the default
    encoding: a name from `satdoku encodings`, None for the backend's default

    Raises InputError for unknown names, Refused for an encoding that the backend does not take.
    """

    def __init__(self, name: str | None = None, encoding: str | None = None) -> None:
        self.name = backends.DEFAULT if name is None else name
        self.backend: Backend = backends.find(self.name, encoding)
        self._seeded = backends.engine(self.name).seeded

    @property
    def engine(self) -> str:
        """The backend that took the last search: its name, or what it chose."""
        return self.backend.chosen if isinstance(self.backend, Choosing) else self.name

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self.backend.close()

    def load(self, puzzle: Puzzle) -> None:
        """Ready the rules of the puzzle's board, which no budget counts.

        Raises Refused, with the reason, if the backend cannot take the board.
        """
        reason = self.backend.refuses(puzzle.board)
        if reason:
            raise Refused(f"{puzzle.name}: backend {self.name} cannot take it: {reason}")
        self.backend.load(puzzle.board)

    def search(self, puzzle: Puzzle, budget: Budget, keep: int | None = 2) -> Generator[Grid, None, Outcome]:
        """Yield each grid once the referee has accepted it; return the outcome, with `keep` grids.

        Givens that clash end it before any solver runs. Raises WrongAnswer for a grid that breaks
        the puzzle or comes twice, Refused for a board or a seed that the backend cannot take.
        """
        sound(budget)
        if budget.seed is not None and not self._seeded:
            raise Refused(f"backend {self.name} takes no seed")
        clash = next(puzzle.clashes(), None)
        if clash is not None:
            return Outcome(0, (), Ending.EXHAUSTED, self.engine, 0.0, clash)
        self.load(puzzle)
        kept: list[Grid] = []
        seen: set[Grid] = set()
        count = 0
        started = monotonic()
        search = self.backend.search(puzzle, budget)
        try:
            while True:
                try:
                    grid = next(search)
                except StopIteration as stop:
                    if stop.value is None:
                        raise BackendError(
                            f"{puzzle.name}: another search on the same judge has closed this one"
                        ) from None
                    return Outcome(count, tuple(kept), stop.value, self.engine, monotonic() - started)
                accept(puzzle, grid, self.engine, repeated=grid in seen)
                count += 1
                if len(seen) < REMEMBERED:
                    seen.add(grid)
                if keep is None or len(kept) < keep:
                    kept.append(grid)
                yield grid
        finally:
            search.close()

    def tally(self, puzzle: Puzzle, budget: Budget) -> Outcome | None:
        """The number of grids, of which two are refereed; None if the backend does not count so."""
        if not isinstance(self.backend, Counting) or not self.backend.tallies(puzzle.board):
            return None
        started = monotonic()
        count, ending, grids = self.backend.tally(puzzle, budget)
        for number, grid in enumerate(grids):
            accept(puzzle, grid, self.engine, repeated=grid in grids[:number])
        return Outcome(count, grids, ending, self.engine, monotonic() - started, tallied=True)

    def run(self, puzzle: Puzzle, budget: Budget, keep: int | None = 2) -> Outcome:
        """The outcome of the whole search."""
        search = self.search(puzzle, budget, keep)
        while True:
            try:
                next(search)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome


def check(
    puzzle: Puzzle, *, backend: str | None = None, encoding: str | None = None, timeout: float | None = None
) -> Outcome:
    """Whether `puzzle` has exactly one solution: see `verdict` and `grids` of the outcome.

    timeout: seconds of wall time; a search that it cuts is undecided, or multiple if two grids came.
    Raises InputError for names that do not exist, Refused for what the backend cannot take,
    WrongAnswer if the backend errs.
    """
    with Judge(backend, encoding) as judge:
        return judge.run(puzzle, Budget(2, timeout))


def solve(
    puzzle: Puzzle,
    *,
    limit: int | None = 1,
    backend: str | None = None,
    encoding: str | None = None,
    timeout: float | None = None,
) -> Outcome:
    """Up to `limit` solutions (None: all of them), in `grids` of the outcome. Raises as `check`."""
    with Judge(backend, encoding) as judge:
        return judge.run(puzzle, Budget(limit, timeout), keep=None)


def count(
    puzzle: Puzzle,
    *,
    limit: int | None = DEFAULT_COUNT,
    backend: str | None = None,
    encoding: str | None = None,
    timeout: float | None = None,
) -> Outcome:
    """How many solutions: `count` of the outcome, `exact` if these are all.

    A count that is not exact and not cut by `timeout` is `limit`, and at least one more came.
    Raises as `check`.
    """
    with Judge(backend, encoding) as judge:
        return counted(judge, puzzle, limit, timeout)


def counted(judge: Judge, puzzle: Puzzle, limit: int | None, timeout: float | None) -> Outcome:
    """Count by asking for one more grid than the limit, so that "at least" is said only if it came.

    Beyond the first thousand grids a backend that cannot repeat itself counts without showing them.
    """
    sound(Budget(limit, timeout))
    asked = None if limit is None else limit + 1
    few = REFEREED if asked is None else min(REFEREED, asked)
    outcome = judge.run(puzzle, Budget(few, timeout))
    if outcome.ending is Ending.LIMIT and few != asked:
        outcome = _more(judge, puzzle, asked, timeout, outcome)
    if limit is None or outcome.count <= limit:
        return outcome
    return replace(outcome, count=limit, grids=outcome.grids[:limit])


def _more(judge: Judge, puzzle: Puzzle, asked: int | None, timeout: float | None, few: Outcome) -> Outcome:
    """Count anew, in the time that is left, by a tally or else by another search."""
    left = None if timeout is None else timeout - few.seconds
    if left is not None and left <= 0:
        return replace(few, ending=Ending.TIMEOUT)
    outcome = judge.tally(puzzle, Budget(asked, left)) or judge.run(puzzle, Budget(asked, left))
    return replace(outcome, count=max(outcome.count, few.count), seconds=outcome.seconds + few.seconds)


def agree(first: Outcome, second: Outcome, puzzle: str) -> None:
    """Raise Disagreement if two outcomes of one puzzle cannot both be true; undecided fits any."""
    if Verdict.UNDECIDED in (first.verdict, second.verdict):
        return
    if first.verdict is not second.verdict:
        raise Disagreement(
            f"{puzzle}: {first.backend} says {first.verdict.value}, {second.backend} says {second.verdict.value}"
        )
    if first.verdict is Verdict.UNIQUE and first.grids != second.grids:
        raise Disagreement(f"{puzzle}: {first.backend} and {second.backend} give different unique solutions")


def sound(budget: Budget) -> None:
    """Raise InputError for a limit or a timeout that cannot be."""
    if budget.solutions is not None and budget.solutions < 0:
        raise InputError(f"a limit of {budget.solutions} solutions: expected 0 or more")
    if budget.seconds is not None and not (budget.seconds > 0 and isfinite(budget.seconds)):
        raise InputError(f"a timeout of {budget.seconds} seconds: expected a number above 0")
