"""True candidates: the values that occur in at least one solution, and in how many."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass, replace

from satdoku.backends import Budget, Ending
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.native_first import NativeFirst
from satdoku.counting.clues import clues_of, summable
from satdoku.errors import InputError
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle, only
from satdoku.setter.candidate_count import CandidateCount
from satdoku.setter.partner import Partner
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.techniques.support import support
from satdoku.verdict import Verdict, validate

FEW = 25  # solutions with each value that are found one by one before sums count all


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What a puzzle's solutions leave to each cell. Sets of values have bit v set for value v.

    counts:    for each cell, the solutions found with 1..N in it, at most `limit`
    limit:     how many were counted of each at most; None is all
    undecided: for each cell, the values that a timeout left open
    basic:     for each cell, the values that the givens leave to it by one constraint at a time
    equal:     undecided cells that hold the same value as each other in every solution, in groups;
               None if a timeout came first
    solutions: how many solutions were found, each accepted by the referee
    ending:    EXHAUSTED if these are all, LIMIT if the limit sufficed, TIMEOUT
    reason:    the givens that clash, where they decided it without a search
    counted_by: the method of a sum that counted all solutions; None if they were found one by one
    engines:   the backends whose searches decided it, in order; none where values that change places, or givens that
               clash, did
    tried:     the backends that were asked without an answer
    """

    puzzle: Puzzle
    counts: tuple[tuple[int, ...], ...]
    limit: int | None
    undecided: tuple[int, ...]
    basic: tuple[int, ...]
    equal: tuple[tuple[int, ...], ...] | None
    solutions: int
    ending: Ending
    reason: str | None = None
    counted_by: str | None = None
    engines: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()

    @property
    def possible(self) -> tuple[int, ...]:
        """For each cell, the values that occur in some solution that was found."""
        return tuple(sum(2 << index for index, count in enumerate(row) if count) for row in self.counts)

    @property
    def decided(self) -> tuple[int, ...]:
        """The value that each cell has in every solution, 0 where it varies or may vary."""
        return tuple(0 if unknown else only(seen) for seen, unknown in zip(self.possible, self.undecided, strict=True))

    @property
    def hidden(self) -> tuple[int, ...]:
        """For each cell, the values that occur in no solution although no single constraint excludes them."""
        rows = zip(self.basic, self.possible, self.undecided, strict=True)
        return tuple(basic & ~seen & ~unknown for basic, seen, unknown in rows)

    @property
    def shares(self) -> tuple[tuple[float, ...], ...]:
        """For each cell, the part of the solutions that were counted with 1..N in it."""
        totals = (sum(row) or 1 for row in self.counts)
        return tuple(tuple(count / total for count in row) for row, total in zip(self.counts, totals, strict=True))

    @property
    def verdict(self) -> Verdict:
        """What this says of the number of solutions."""
        return Verdict.of(self.solutions, not any(self.undecided))


def survey(
    solver: IncrementalSolver, puzzle: Puzzle, limit: int | None, timeout: float | None, partner: Partner | None = None
) -> Candidates:
    """The values of each cell that occur in a solution, each with its solutions counted up to `limit` (None: all).

    solver:  may have the board loaded, and keeps it
    partner: shares what it finds with this survey

    Raises InputError for a limit below 1.
    """
    validate(Budget(None, timeout))
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} solutions: expected 1 or more")
    deadline = Deadline(timeout)
    clash = next(puzzle.clashes(), None)
    if clash is None and limit is None and summable(puzzle):
        return _summed(_searched(solver, puzzle, FEW, clash, deadline, partner), deadline)
    return _searched(solver, puzzle, limit, clash, deadline, partner)


def _summed(few: Candidates, deadline: Deadline) -> Candidates:
    """All solutions, by sums if there are more than a few."""
    from satdoku.counting.values import per_value

    known, many = replace(few, limit=None), few.ending is Ending.LIMIT
    counts = per_value(known.puzzle, deadline) if many else None
    if counts is None:
        return replace(known, ending=Ending.TIMEOUT) if many else known
    clues = clues_of(known.puzzle)
    assert clues is not None
    rows, by = tuple(map(tuple, counts)), clues.counted_by
    return replace(known, counts=rows, solutions=sum(rows[0]), ending=Ending.EXHAUSTED, counted_by=by)


def _searched(
    solver: IncrementalSolver,
    puzzle: Puzzle,
    limit: int | None,
    clash: str | None,
    deadline: Deadline,
    partner: Partner | None,
) -> Candidates:
    basic = basic_candidates(puzzle)
    native = NativeFirst()
    count = CandidateCount(solver, puzzle, limit, basic, native, deadline, partner)
    equal: tuple[tuple[int, ...], ...] | None = None
    few = native.first(puzzle, 2, deadline) if clash is None else []
    if few is not None and len(few) < 2:
        equal = count.finish(few)
    else:
        with suppress(TimeIsUp), bounded_time(deadline.left()), closing(count):
            equal = count.run(few or ())
    return Candidates(
        puzzle=puzzle,
        counts=tuple(map(tuple, count.counts)),
        limit=limit,
        undecided=tuple(count.undecided),
        basic=basic,
        equal=equal,
        solutions=count.solutions,
        ending=count.ending,
        reason=clash,
        engines=native.engines,
        tried=native.tried,
    )


def basic_candidates(puzzle: Puzzle) -> tuple[int, ...]:
    """For each cell the values that the givens leave to it, each constraint looked at by itself.

    A given takes its value from the cells that differ from it; any other constraint is looked at once, by what
    `support` says that it leaves.
    """
    board = puzzle.board
    left = list(puzzle.domains)
    grid = puzzle.givens
    for group in board.all_different:
        taken = {grid[cell] for cell in group.cells}
        struck = sum(1 << value for value in taken)
        for cell in group.cells:
            if not grid[cell]:
                left[cell] &= ~struck
    basic = left[: board.cells]
    for constraint in board.others:
        for cell, supported in zip(dict.fromkeys(constraint.cells), support(constraint)(left), strict=True):
            if cell < board.cells and not grid[cell]:
                basic[cell] &= supported
    return tuple(basic)
