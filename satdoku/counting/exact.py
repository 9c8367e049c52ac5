"""Exact counts of classic boards up to 9x9 by sums, and how they are shared out and stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Protocol

from satdoku.backends.clock import Deadline
from satdoku.counting.clues import Clues, clues_of
from satdoku.puzzle import Puzzle

Progress = Callable[[int, int], None]
"""Called now and then with the terms added so far and the solutions that they count, a lower bound."""


class Sum(Protocol):
    """What `NineSum` and `TwoRowSum` have in common."""

    counted_by: str

    @property
    def parts(self) -> int: ...

    @property
    def terms(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    def add(self, part: int) -> Iterable[tuple[int, int]]:
        """(terms, solutions) of one part, piece by piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How the solutions of a puzzle will be counted. It pickles, and a worker that gets it sets up the sum anew.

    clues:      the board and its givens
    parts:      how many parts the sum has; each can be added up by itself
    terms:      products to be added up
    estimated_seconds: the CPU time that this will take on one core
    counted_by: the method, as users read it
    """

    clues: Clues
    parts: int
    terms: int
    estimated_seconds: float
    counted_by: str

    def shares(self, number: int) -> list[range]:
        """The parts split into at most `number` shares of about the same work."""
        return [range(start, self.parts, number) for start in range(min(number, self.parts))]


@dataclass(frozen=True, slots=True)
class Total:
    """What was counted.

    count: the number of solutions, of the whole puzzle or of a share
    exact: whether that is all of them; if not, it is a lower bound
    counted_by: the method
    """

    count: int
    exact: bool
    counted_by: str = field(compare=False)


def plan(puzzle: Puzzle) -> Plan | None:
    """How to count a puzzle's solutions; None unless it is a classic board of at most 9x9 with givens alone.

    The board is plain (rows, columns and boxes), its boxes are 2x2, 2x3, 3x2, 2x4, 4x2 or 3x3, and each cell
    is a given or open to every value.

    Example:
        >>> from satdoku import Puzzle, classic
        >>> from satdoku.counting.exact import count, plan
        >>> found = plan(Puzzle.from_givens(classic(2, 2), {}))
        >>> count(found).count
        288
    """
    clues = clues_of(puzzle)
    if clues is None or clues.size > 9:
        return None
    clues = clues if clues.rows <= clues.columns else clues.transposed()
    added = sum_of(clues)
    return Plan(
        clues=clues, parts=added.parts, terms=added.terms, estimated_seconds=added.seconds, counted_by=added.counted_by
    )


def count(
    plan: Plan, deadline: Deadline | None = None, progress: Progress | None = None, share: range | None = None
) -> Total:
    """Count the solutions of a plan, or of one of its shares.

    plan:     from `plan`
    deadline: looked at every 30 ms or so on 9x9; None is never
    progress: called as often
    share:    one of `plan.shares`; the counts of all shares add up to the whole. None is the whole

    Returns the total; if the deadline comes first, what was added up until then, a lower bound.
    """
    added, total, terms = sum_of(plan.clues), 0, 0
    parts = range(plan.parts) if share is None else share
    for more, solutions in chain.from_iterable(map(added.add, parts)):
        total, terms = total + solutions, terms + more
        if progress is not None:
            progress(terms, total)
        if deadline is not None and deadline.passed():
            return Total(total, terms == plan.terms, plan.counted_by)
    return Total(total, True, plan.counted_by)


def count_by_cell(puzzle: Puzzle, cell: int, deadline: Deadline | None = None) -> Total | None:
    """Count a puzzle's solutions once more, as the sum over the values of an open cell: other sums, other roles.

    puzzle:   as for `plan`
    cell:     one that is not a given, from 0
    deadline: for all of the sums; None is never

    Returns the total; None for a board that `plan` does not take.
    """
    total, method = 0, ""
    for value in range(1, puzzle.board.values + 1):
        candidates = (*puzzle.candidates[:cell], 1 << value, *puzzle.candidates[cell + 1 :])
        found = plan(replace(puzzle, candidates=candidates))
        if found is None:
            return None
        one = count(found, deadline)
        total, method = total + one.count, f"{found.counted_by}, over the values of {puzzle.board.label(cell)}"
        if not one.exact:
            return Total(total, False, method)
    return Total(total, True, method)


@lru_cache(maxsize=1)
def sum_of(clues: Clues) -> Sum:
    """The sum for a board, kept until another is asked for: its tables have up to 160 MB."""
    from satdoku.counting.nine import NineSum
    from satdoku.counting.two import TwoRowSum

    return NineSum(clues) if clues.rows == 3 else TwoRowSum(clues)
