"""Exact counts of classic boards up to 9x9 by sums, shared out among threads."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from queue import SimpleQueue
from threading import Event, Thread
from typing import Protocol

from satdoku.counting.clues import Clues, clues_of, summable
from satdoku.puzzle import Puzzle
from satdoku.system.clock import NEVER, Deadline, interruptible


class Watch(Protocol):
    """Who is informed how far a count is."""

    def enumerated(self, solutions: int) -> None:
        """Now and then: how many solutions have been found one by one."""

    def begin(self, plan: AnyPlan) -> None:
        """Before a sum begins."""

    def update(self, terms: int, solutions: int) -> None:
        """Every 30 ms or so: the terms that are added up, and the solutions that they count, a lower bound."""


class AnyPlan(Protocol):
    """What a plan says of itself.

    terms:   what is to be added up
    seconds: the CPU time that this will take on one core, estimated
    """

    @property
    def terms(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def counted_by(self) -> str: ...


class Sum(Protocol):
    """What `NineSum` and `TwoRowSum` have in common."""

    @property
    def parts(self) -> int: ...

    @property
    def terms(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    def prepare(self) -> None:
        """Fill in the tables, which copies share."""

    def add(self, part: int) -> Iterator[tuple[int, int]]:
        """(terms, solutions) of one part, piece by piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingPlan:
    """How the solutions of a puzzle will be counted."""

    clues: Clues
    terms: int  # products to be added up
    seconds: float  # the CPU time that this will take on one core, estimated

    @property
    def counted_by(self) -> str:
        return self.clues.counted_by


@dataclass(frozen=True, slots=True)
class SolutionTotal:
    count: int
    exact: bool


def plan(puzzle: Puzzle) -> CountingPlan | None:
    """How to count a puzzle's solutions; None unless it is a classic board of at most 9x9 with givens alone.

    The board is plain (rows, columns and boxes), its boxes are 2x2, 2x3, 3x2, 2x4, 4x2 or 3x3, and each cell
    is a given or open to every value.

    >>> from satdoku import Puzzle, classic
    >>> count(plan(Puzzle.from_givens(classic(2, 2), {}))).count
    288
    """
    clues = clues_of(puzzle) if summable(puzzle) else None
    if clues is None:
        return None
    clues = clues if clues.rows <= clues.columns else clues.transposed()
    added = sum_of(clues)
    return CountingPlan(clues=clues, terms=added.terms, seconds=added.seconds)


def count(
    plan: CountingPlan,
    deadline: Deadline = NEVER,
    enough: int | None = None,
    *,
    jobs: int = 1,
    watch: Watch | None = None,
) -> SolutionTotal:
    """Count the solutions of a plan in so many threads; what `watch` raises, or Ctrl-C, ends them too."""
    if watch is not None:
        watch.begin(plan)
    added, total, terms = sum_of(plan.clues), 0, 0
    # In another thread, since what loads compiled code makes another exception of Ctrl-C.
    interruptible(added.prepare, lambda: None, NEVER)
    done: SimpleQueue[tuple[int, int] | BaseException | None] = SimpleQueue()
    stop, parts = Event(), iter(range(added.parts))
    threads = [Thread(target=_add, args=(copy(added), parts, done, stop)) for _ in range(min(jobs, added.parts))]
    working = len(threads)
    try:
        for thread in threads:
            thread.start()
        while working:
            piece = done.get()
            if isinstance(piece, BaseException):
                raise piece
            if piece is None:
                working -= 1
                continue
            terms, total = terms + piece[0], total + piece[1]
            if watch is not None:
                watch.update(terms, total)
            if deadline.passed() or (enough is not None and total >= enough):
                break
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    return SolutionTotal(total, terms == plan.terms)


def _add(
    added: Sum, parts: Iterator[int], done: SimpleQueue[tuple[int, int] | BaseException | None], stop: Event
) -> None:
    try:
        for part in parts:
            for piece in added.add(part):
                if stop.is_set():
                    return
                done.put(piece)
    except BaseException as error:
        done.put(error)
    finally:
        done.put(None)


def count_by_cell(puzzle: Puzzle, cell: int, deadline: Deadline = NEVER) -> SolutionTotal | None:
    """Count anew, as the sum over the values of an open cell: other sums, other roles; None as `plan` says."""
    total = 0
    for value in range(1, puzzle.board.values + 1):
        way = plan(with_value(puzzle, cell, value))
        if way is None:
            return None
        one = count(way, deadline)
        total += one.count
        if not one.exact:
            return SolutionTotal(total, False)
    return SolutionTotal(total, True)


def with_value(puzzle: Puzzle, cell: int, value: int) -> Puzzle:
    return replace(puzzle, candidates=(*puzzle.candidates[:cell], 1 << value, *puzzle.candidates[cell + 1 :]))


@lru_cache(maxsize=1)
def sum_of(clues: Clues) -> Sum:
    """The sum for a board, kept until another is asked for: its tables have up to 160 MB."""
    from satdoku.counting.nine import NineSum
    from satdoku.counting.two import TwoRowSum

    return NineSum(clues) if clues.rows == 3 else TwoRowSum(clues)
