"""The grade of one answer, with what has to be searched for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from satdoku import referee
from satdoku.api.sessions import opened
from satdoku.constraints import Grid
from satdoku.errors import InputError
from satdoku.grading.answers import Taken
from satdoku.grading.grades import KNOWN, Grade, graded
from satdoku.puzzle import Puzzle
from satdoku.verdict import Verdict

Compare = Literal["unique", "all"]
Allowed = tuple[Sequence[int] | None, str]


def grade_one(
    puzzle: Puzzle, given: Taken, stated: Grid | None, compare: Compare | None, completable: bool, timeout: float | None
) -> Grade:
    return graded(
        puzzle,
        given,
        lambda: _right(puzzle, stated, compare, timeout),
        (lambda grid: _completable(puzzle, grid, timeout)) if completable else None,
    )


def _right(puzzle: Puzzle, stated: Grid | None, compare: Compare | None, timeout: float | None) -> Allowed:
    """The values of each cell that are right, and what these are."""
    solution = stated or puzzle.solution
    if solution is not None:
        fault = next(referee.violations(puzzle, solution), None)
        if fault is None:
            return [1 << value for value in solution], "stated"
        if stated is not None:
            raise InputError(f"{puzzle.name}: the solution to compare with is not one: {fault}")
    if compare == "all":
        return _every(puzzle, timeout)
    return (None, "") if compare is None else _unique(puzzle, timeout)


@lru_cache(maxsize=KNOWN)
def _unique(puzzle: Puzzle, timeout: float | None) -> Allowed:
    with opened() as session:
        outcome = session.check(puzzle, timeout=timeout)
    if outcome.verdict is not Verdict.UNIQUE:
        return None, ""
    return tuple(1 << value for value in outcome.grids[0]), "unique"


@lru_cache(maxsize=KNOWN)
def _every(puzzle: Puzzle, timeout: float | None) -> Allowed:
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.candidates import survey

    with IncrementalSolver() as solver:
        candidates = survey(solver, puzzle, 1, timeout)
    if any(candidates.undecided):
        return None, ""
    return candidates.possible, "all"


def _completable(puzzle: Puzzle, grid: Grid, timeout: float | None) -> bool | None:
    """Whether some solution has the filled cells of a grid that keeps all givens."""
    candidates = tuple(
        allowed & 1 << value if value else allowed for value, allowed in zip(grid, puzzle.candidates, strict=True)
    )
    with opened() as session:
        outcome = session.solve(Puzzle(puzzle.board, candidates, puzzle.name), limit=1, timeout=timeout)
    return True if outcome.count else False if outcome.exact else None
