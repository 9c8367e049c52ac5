"""The comparison of a backend with brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from satdoku.backends import Backend, Budget, Ending, Search
from satdoku.constraints import Grid
from satdoku.errors import SatdokuError
from satdoku.puzzle import Puzzle, members
from satdoku.testing.boards import Case


class Fault(AssertionError):
    """What a check found, in one line with the board and the candidates that show it."""


def collect(search: Search, most: int = 1_000_000) -> tuple[list[Grid], Ending | None]:
    """The grids of a search, in order, and its ending; None if it was cut because more than `most` came."""
    grids: list[Grid] = []
    while len(grids) <= most:
        try:
            grids.append(next(search))
        except StopIteration as stop:
            return grids, stop.value
    search.close()
    return grids, None


def fault(backend: Backend, puzzle: Puzzle, truth: frozenset[Grid], rng: Random) -> str | None:
    """The first way in which `backend` is wrong about `puzzle`, whose grids are `truth`; None if right.

    The backend stays warm throughout: a search is abandoned at its first grid or its second, all
    grids are asked for, then fewer, then exactly as many, then one more.
    """
    try:
        abandoned = backend.search(puzzle, Budget(None))
        for _ in range(rng.randint(0, 2)):
            next(abandoned, None)
        if rng.random() < 0.5:
            abandoned.close()
        limits = {None, 0, 1, len(truth), len(truth) + 1, rng.randint(0, len(truth))}
        for limit in sorted(limits, key=lambda limit: -1 if limit is None else limit):
            wrong = _wrong(*collect(backend.search(puzzle, Budget(limit)), most=len(truth)), truth, limit)
            if wrong:
                return f"limit {limit}: {wrong}"
    except SatdokuError as error:
        return f"{type(error).__name__}: {error}"
    return None


def first_fault(factory: Callable[[], Backend], among: Iterable[Case]) -> str | None:
    """The first fault that a warm backend shows on these cases, with all it takes to repeat it; else None.

    Raises Fault if the backend refused nearly all of them, so that nothing was compared.
    """
    backend = factory()
    taken = given = 0
    try:
        for each in among:
            given += 1
            if backend.refuses(each.puzzles[0].board):
                continue
            taken += 1
            rng = Random(each.seed)
            for puzzle, truth in zip(each.puzzles, each.truths, strict=True):
                wrong = fault(backend, puzzle, truth, rng)
                if wrong:
                    return f"case {each.seed}: {wrong}; {described(puzzle)}"
    finally:
        backend.close()
    if taken * 10 < given:
        raise Fault(f"only {taken} of {given} boards were taken")
    return None


def _wrong(grids: list[Grid], ending: Ending | None, truth: frozenset[Grid], limit: int | None) -> str | None:
    distinct = set(grids)
    if len(distinct) != len(grids):
        return "duplicate solution"
    if distinct - truth:
        return f"{min(distinct - truth)} is not a solution"
    expected = len(truth) if limit is None else min(limit, len(truth))
    if len(grids) != expected:
        return f"{len(grids)} grids, expected {expected}"
    # Asked for 0, a backend may have seen that there are none.
    cut = limit is not None and limit <= len(truth)
    if limit == 0 and not truth:
        return None if ending in (Ending.LIMIT, Ending.EXHAUSTED) else f"ended {ending}"
    if ending is not (Ending.LIMIT if cut else Ending.EXHAUSTED):
        return f"ended {ending} after {len(grids)} of {len(truth)} grids"
    return None


def described(puzzle: Puzzle) -> str:
    """A puzzle with its board, so that both can be written down again; `.` is a cell that may have any value."""
    board = puzzle.board
    values = (tuple(members(allowed)) for allowed in puzzle.candidates)
    cells = (
        "." if len(some) == board.values else str(some[0]) if len(some) == 1 else str(set(some)) for some in values
    )
    drawn = f"{board.size} with the marks {board.marks}" if board.marks else repr(board)
    return f"candidates {' '.join(cells).replace('set()', '{}')} on {drawn}"
