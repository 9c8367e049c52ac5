"""Refereed search, and the three questions asked of it: check, solve, count."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from math import isfinite
from numbers import Integral
from time import monotonic
from typing import TYPE_CHECKING, Any

from satdoku import backends
from satdoku.backends import Backend, Budget, Choosing, Counting, Drain, Ending, Engine
from satdoku.backends.schedule import NATIVE
from satdoku.constraints import Grid
from satdoku.counting.clues import drawable, summable
from satdoku.counting.fillable import fillable
from satdoku.deferred import installed
from satdoku.errors import BackendError, Disagreement, InputError, Refused
from satdoku.limits import bounded_time
from satdoku.outcome import COUNTING_SEARCH
from satdoku.outcome import Outcome as Outcome
from satdoku.outcome import Verdict as Verdict
from satdoku.puzzle import Puzzle, only_puzzle
from satdoku.referee import accept, violations
from satdoku.system.clock import Deadline, TimeIsUp

if TYPE_CHECKING:
    from satdoku.counting.exact import SolutionTotal, Watch
    from satdoku.encoders.cnf import Encoding

MAX_REMEMBERED = 100_000  # grids of one search kept to catch a backend that repeats itself
DEFAULT_COUNT = 10_000  # solutions counted unless a limit is named
MAX_ENUMERATED = 1_000_000  # solutions found one by one before a sum counts all, where there is one
MAX_REFEREED = 1_000  # grids refereed one by one before the rest are counted by a backend that cannot repeat itself


def stated_solution_fault(puzzle: Puzzle, outcome: Outcome | None = None) -> str | None:
    """What is wrong with the solution that the source of a puzzle states.

    Parameters:
        puzzle: the puzzle, with the stated solution in `puzzle.solution`.
        outcome: what a search of it showed, if there was one.

    Returns:
        One sentence; None if no solution is stated or nothing is wrong with it.

    Example:
        >>> import satdoku
        >>> from dataclasses import replace
        >>> puzzle = satdoku.read("1234341221434321")
        >>> wrong = replace(puzzle, solution=(2,) + puzzle.givens[1:])
        >>> satdoku.stated_solution_fault(wrong, satdoku.check(wrong))
        'the stated solution has 2 at r1c1, and the only solution has 1'
    """
    stated = only_puzzle(puzzle).solution
    if stated is None:
        return None
    if outcome is not None and outcome.verdict is Verdict.UNIQUE and len(stated) == puzzle.board.cells:
        pairs = zip(stated, outcome.grids[0], strict=True)
        wrong = next(((cell, one, other) for cell, (one, other) in enumerate(pairs) if one != other), None)
        if wrong is None:
            return None
        place = puzzle.board.label(wrong[0])
        values = [puzzle.board.shown(value) for value in wrong[1:]]
        return f"the stated solution has {values[0]} at {place}, and the only solution has {values[1]}"
    fault = next(violations(puzzle, stated), None)
    return None if fault is None else f"the stated solution is wrong: {fault}"


class Session:
    """A backend that stays open, with the referee behind it: the fast way to ask about puzzles in a loop.

    The constraints of the last board stay loaded, so that a further puzzle of the same board costs its givens
    alone; the functions `check`, `solve` and `count` open and close a session for each puzzle.

    Parameters:
        backend: `NAME[:ARGUMENT]` from `satdoku backends`; None for the default; or a `satdoku.backends.Engine` or
            `Backend` of your own. A Backend is already open: it stays so when the session is closed.
        encoding: a name from `satdoku encodings`, or a `satdoku.encoders.cnf.Encoding` of your own; None for the
            backend's default.

    Raises:
        InputError: there is no such backend or encoding, or a package that it needs is missing.
        Refused: the backend does not take the encoding.
        TypeError: the backend or the encoding is none of these.

    Example:
        >>> import satdoku
        >>> with satdoku.Session("glucose4") as session:
        ...     for line in ("3...1...4...2...", "3...1...4...2..4", "33.............."):
        ...         print(session.check(satdoku.read(line)).verdict.value)
        multiple
        multiple
        unsolvable
    """

    def __init__(self, backend: str | Engine | Backend | None = None, encoding: str | Encoding | None = None) -> None:
        row = backends.engine(backend)
        self.name = backend if isinstance(backend, str) else row.name
        self.backend: Backend = backends.find(backend, encoding)
        self._opened = self.backend is not backend
        if not isinstance(encoding, str | None):
            from satdoku.encoders import cnf

            cnf.find(encoding)  # which refuses what is none; a name is looked up when clauses are needed
        self._choosing = self.backend if isinstance(self.backend, Choosing) else None
        self._seeded = row.seeded
        self._usual = self.engine  # what most puzzles go to, whatever came before
        self._chooses = row is backends.engine(backends.DEFAULT) and encoding is None

    @property
    def engine(self) -> str:
        """The backend that took the last search: its name, or what it chose."""
        return self.name if self._choosing is None else self._choosing.chosen

    @property
    def tried(self) -> tuple[str, ...]:
        """The backends that were asked before the one that took the last search, without an answer."""
        return () if self._choosing is None else self._choosing.tried

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back what the session has opened; a closed session is not used again."""
        if self._opened:
            self.backend.close()

    def check(self, puzzle: Puzzle, *, timeout: float | None = None) -> Outcome:
        """As the function `check`, of a Puzzle."""
        return self.run(puzzle, Budget(2, timeout))

    def solve(self, puzzle: Puzzle, *, limit: int | None = 1, timeout: float | None = None) -> Outcome:
        """As the function `solve`, of a Puzzle."""
        return self.run(puzzle, Budget(checked_limit(limit), timeout), keep=None)

    def draw(self, puzzle: Puzzle, *, count: int = 1, seed: int = 0, timeout: float | None = None) -> Outcome:
        """As the function `draw`, of a Puzzle."""
        return chosen(self, puzzle, at_least(count, 1, "count"), at_least(seed, 0, "seed"), timeout)

    def count(
        self, puzzle: Puzzle, *, limit: int | None = DEFAULT_COUNT, timeout: float | None = None, jobs: int = 1
    ) -> Outcome:
        """As the function `count`, of a Puzzle."""
        return counted(self, puzzle, checked_limit(limit), timeout, at_least(jobs, 1, "jobs"))

    def load(self, puzzle: Puzzle) -> None:
        """Ready the rules of the puzzle's board; a search does so by itself, and its timeout counts that.

        Raises Refused, with the reason, if the backend cannot take the board.
        """
        reason = self.backend.refuses(puzzle.board)
        if reason:
            raise Refused(f"{puzzle.name}: backend {self.name} cannot take it: {reason}")
        self.backend.load(puzzle.board)

    def search(self, puzzle: Puzzle, budget: Budget, keep: int | None = 2) -> Generator[Grid, None, Outcome]:
        """Yield each grid once the referee has accepted it; return the outcome, with `keep` grids.

        Givens that clash end it before any solver runs. Raises WrongAnswer for a grid that breaks
        the puzzle or comes twice, Refused for a board or a seed that the backend cannot take, TypeError
        for what is not a Puzzle.
        """
        only_puzzle(puzzle)
        validate(budget)
        if budget.seed is not None and not self._seeded:
            raise Refused(f"backend {self.name} takes no seed")
        clash = next(puzzle.clashes(), None)
        if clash is not None:
            return Outcome(count=0, grids=(), ending=Ending.EXHAUSTED, backend=self._usual, seconds=0.0, reason=clash)
        started, deadline = monotonic(), Deadline(budget.timeout)
        try:
            with bounded_time(budget.timeout):
                self.load(puzzle)
        except TimeIsUp:
            return self._outcome(puzzle, 0, (), Ending.TIMEOUT, monotonic() - started)
        if budget.timeout is not None:
            budget = replace(budget, timeout=deadline.left())
        kept: list[Grid] = []
        seen: set[Grid] = set()
        count = 0
        started = monotonic()
        search = self.backend.search(puzzle, budget)
        drain = Drain(search)
        try:
            for grid in drain:
                accept(puzzle, grid, self.engine, repeated=grid in seen)
                count += 1
                if len(seen) < MAX_REMEMBERED:
                    seen.add(grid)
                if keep is None or len(kept) < keep:
                    kept.append(grid)
                yield grid
        finally:
            search.close()
        if drain.result is None:  # as a generator that was closed ends
            raise BackendError(f"{puzzle.name}: another search of the same session has closed this one")
        seconds = monotonic() - started
        return self._outcome(puzzle, count, tuple(kept), drain.result, seconds)

    def _outcome(
        self, puzzle: Puzzle, count: int, grids: tuple[Grid, ...], ending: Ending, seconds: float, **more: Any
    ) -> Outcome:
        more |= {"board": puzzle.board, "tried": self.tried}
        return Outcome(count=count, grids=grids, ending=ending, backend=self.engine, seconds=seconds, **more)

    def count_solutions(
        self, puzzle: Puzzle, budget: Budget, seen: Callable[[int], None] | None = None
    ) -> Outcome | None:
        """The number of grids, of which two are refereed; None if the backend does not count so."""
        if not isinstance(self.backend, Counting) or not self.backend.can_count(puzzle.board):
            return None
        started = monotonic()
        count, ending, grids = self.backend.count_solutions(puzzle, budget, seen)
        for number, grid in enumerate(grids):
            accept(puzzle, grid, self.engine, repeated=grid in grids[:number])
        return self._outcome(puzzle, count, grids, ending, monotonic() - started, counted_by=COUNTING_SEARCH)

    def can_sum(self, puzzle: Puzzle, fits: Callable[[Puzzle], bool] = summable) -> bool:
        """Whether the choice is left to this session, and the puzzle is of those whose solutions sums count."""
        here = installed("numpy") and backends.engine(NATIVE).absent() is None
        return self._chooses and here and fits(puzzle)

    def count_by_sum(self, puzzle: Puzzle, budget: Budget, jobs: int, watch: Watch | None) -> Outcome:
        """The number of all solutions by a sum, or how many it has shown when the budget is spent; no grids."""
        from satdoku.counting.exact import count, plan

        started, deadline, planned = monotonic(), Deadline(budget.timeout), plan(puzzle)
        assert planned is not None
        total = count(planned, deadline, budget.limit, jobs=jobs, watch=watch)
        return self._summed(puzzle, total, planned.counted_by, started, deadline)

    def count_by_filling(self, puzzle: Puzzle, budget: Budget, jobs: int, watch: Watch | None) -> Outcome | None:
        """The number by a plain count for each filling of the marks; None where other ways are likely to be faster."""
        from satdoku.counting import filled

        started, deadline = monotonic(), Deadline(budget.timeout)
        try:
            with bounded_time(budget.timeout):
                planned = filled.plan(puzzle)
                if planned is None or not filled.pays(planned, puzzle):
                    return None
        except TimeIsUp:
            return self._outcome(puzzle, 0, (), Ending.TIMEOUT, monotonic() - started)
        total = filled.count(planned, deadline, budget.limit, jobs=jobs, watch=watch)
        return self._summed(puzzle, total, planned.counted_by, started, deadline)

    def _summed(self, puzzle: Puzzle, total: SolutionTotal, by: str, started: float, deadline: Deadline) -> Outcome:
        ending = Ending.EXHAUSTED if total.exact else Ending.TIMEOUT if deadline.passed() else Ending.LIMIT
        return self._outcome(puzzle, total.count, (), ending, monotonic() - started, counted_by=by)

    def run(self, puzzle: Puzzle, budget: Budget, keep: int | None = 2) -> Outcome:
        """The outcome of the whole search."""
        return Drain(self.search(puzzle, budget, keep)).finish()


Way = Callable[[Puzzle, Budget], Outcome]
"""One of the ways to count."""


def counted(
    session: Session,
    puzzle: Puzzle,
    limit: int | None,
    timeout: float | None,
    jobs: int = 1,
    watch: Watch | None = None,
) -> Outcome:
    """Count by one way after another, each of which goes further; a sum in so many threads.

    One more grid than the limit is asked for, so that "at least" is true.
    """
    validate(Budget(limit, timeout))
    asked, deadline = None if limit is None else limit + 1, Deadline(timeout)
    outcome: Outcome | None = None
    for most, way in _ways(session, puzzle, jobs, watch):
        enough = asked if most is None or (asked is not None and asked < most) else most
        left = deadline.left() if outcome is not None else timeout
        if outcome is not None and left == 0:
            return replace(outcome, ending=Ending.TIMEOUT)
        further = way(puzzle, Budget(enough, left))
        outcome = further if outcome is None else _joined(outcome, further)
        if outcome.ending is not Ending.LIMIT or enough == asked:
            break
    assert outcome is not None
    if limit is None or outcome.count <= limit:
        return outcome
    return replace(outcome, count=limit, grids=outcome.grids[:limit], ending=Ending.LIMIT)


def _ways(session: Session, puzzle: Puzzle, jobs: int, watch: Watch | None) -> Iterator[tuple[int | None, Way]]:
    """Each way to count, and how far it goes."""

    seen = None if watch is None else watch.enumerated

    def one_by_one(puzzle: Puzzle, budget: Budget) -> Outcome:
        drain = Drain(session.search(puzzle, budget))
        for number, _ in enumerate(drain, start=1):
            if seen is not None:
                seen(number)
        assert drain.result is not None
        return drain.result

    def by_backend(puzzle: Puzzle, budget: Budget) -> Outcome:
        return session.count_solutions(puzzle, budget, seen) or one_by_one(puzzle, budget)

    def by_filling(puzzle: Puzzle, budget: Budget) -> Outcome:
        deadline = Deadline(budget.timeout)
        outcome = session.count_by_filling(puzzle, budget, jobs, watch)
        return outcome or by_backend(puzzle, replace(budget, timeout=deadline.left()))

    yield MAX_REFEREED, one_by_one
    if session.can_sum(puzzle):
        yield MAX_ENUMERATED, by_backend
        yield None, partial(session.count_by_sum, jobs=jobs, watch=watch)
    elif session.can_sum(puzzle, fillable):
        yield MAX_ENUMERATED, by_backend
        yield None, by_filling
    else:
        yield None, by_backend


def _joined(first: Outcome, further: Outcome) -> Outcome:
    """What two counts of one puzzle have shown."""
    grids = further.grids or first.grids
    seconds = first.seconds + further.seconds
    return replace(further, count=max(first.count, further.count), grids=grids, seconds=seconds)


def chosen(session: Session, puzzle: Puzzle, count: int, seed: int, timeout: float | None) -> Outcome:
    """So many solutions at random, each as likely and none dependent on the others; the same for the same seed.

    They are listed first, if there are few; more are drawn on plain 9x9 boards. Raises Refused for more on others.
    """
    from random import Random

    validate(Budget(count, timeout))
    started, deadline, random = monotonic(), Deadline(timeout), Random(seed)
    listed = session.run(puzzle, Budget(MAX_REFEREED, timeout), keep=None)
    if listed.ending is Ending.TIMEOUT or not listed.grids:
        return replace(listed, count=0, grids=())
    draw = partial(random.choice, sorted(listed.grids))
    if listed.ending is Ending.LIMIT:
        if backends.engine(NATIVE).absent() is not None or not drawable(puzzle):
            raise Refused(f"{puzzle.name}: {MAX_REFEREED} solutions or more are drawn on plain 9x9 boards alone")
        from satdoku.counting.draws import Drawer

        try:
            draw = partial(Drawer(puzzle, deadline).draw, random)
        except TimeIsUp:
            return replace(listed, count=0, grids=(), ending=Ending.TIMEOUT)
    grids = tuple(accept(puzzle, draw(), session.engine) for _ in range(count))
    return replace(listed, count=count, grids=grids, ending=Ending.LIMIT, seconds=monotonic() - started)


def agree(first: Outcome, second: Outcome, puzzle: str) -> None:
    """Raise Disagreement if two outcomes of one puzzle cannot both be true; undecided fits any."""
    if Verdict.UNDECIDED in (first.verdict, second.verdict):
        return
    if first.verdict is not second.verdict:
        verdicts = (f"{each.backend} says {each.verdict.value}" for each in (first, second))
        raise Disagreement(f"{puzzle}: {', '.join(verdicts)}")
    if first.verdict is Verdict.UNIQUE and first.grids != second.grids:
        raise Disagreement(f"{puzzle}: {first.backend} and {second.backend} give different unique solutions")


def validate(budget: Budget) -> None:
    """Raise InputError for a limit or a timeout that cannot be, TypeError for one that is not a number."""
    limit, timeout = budget.limit, budget.timeout
    if isinstance(timeout, bool) or not isinstance(timeout, int | float | None):
        raise TypeError(f"timeout is {timeout!r}: expected a number of seconds, or None for no timeout")
    if limit is not None and limit < 0:
        raise InputError(f"a limit of {limit} solutions: expected 0 or more")
    if timeout is not None and not (timeout > 0 and isfinite(timeout)):
        raise InputError(f"a timeout of {timeout} seconds: expected a number above 0")


def checked_limit(limit: int | None) -> int | None:
    """The limit; raises TypeError if it is not a whole number or None, ValueError if it is below 1."""
    return None if limit is None else at_least(limit, 1, "limit", ", or None for all")


def at_least(number: int, least: int, what: str, otherwise: str = "") -> int:
    """The number; raises TypeError if it is not a whole number, ValueError if it is below `least`."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise TypeError(f"{what} is {number!r}: expected a whole number{otherwise}")
    if number < least:
        raise ValueError(f"{what} is {number}: expected {least} or more{otherwise}")
    return int(number)
