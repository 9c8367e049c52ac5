"""A second count of the same puzzle by a method that has nothing in common with the first."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from satdoku import backends
from satdoku.backends import Budget
from satdoku.backends.schedule import SAT
from satdoku.counting import templates
from satdoku.counting.exact import SolutionTotal, count, count_by_cell, plan
from satdoku.errors import Disagreement
from satdoku.outcome import Outcome
from satdoku.puzzle import Puzzle
from satdoku.system.clock import Deadline

MAX_BY_CLAUSES = 10_000  # solutions that a SAT solver lists


def checked(puzzle: Puzzle, outcome: Outcome, timeout: float | None) -> Outcome:
    """The outcome of an exact count, and by which second method it was checked, if one finished in the time."""
    if not outcome.exact:
        return outcome
    total, method = _second(puzzle, outcome, Deadline(timeout))
    if not total.exact:
        return outcome
    if total.count != outcome.count:
        by = outcome.counted_by or outcome.backend
        raise Disagreement(f"{puzzle.name}: {outcome.count} solutions by {by}, {total.count} by {method}")
    return replace(outcome, checked_by=method)


def _second(puzzle: Puzzle, outcome: Outcome, deadline: Deadline) -> tuple[SolutionTotal, str]:
    planned = plan(puzzle)
    if planned is None:
        return _by_clauses(puzzle, outcome.count, deadline), f"clauses by {SAT}"
    if outcome.counted_by != planned.counted_by:
        return count(planned, deadline), planned.counted_by
    if planned.clues.size == 9:
        total = templates.count(puzzle, deadline)
        if total.exact:
            return total, "digit templates"
    cell = puzzle.givens.index(0)
    by_cell = count_by_cell(puzzle, cell, deadline)
    assert by_cell is not None
    return by_cell, f"{planned.counted_by}, over the values of {puzzle.board.label(cell)}"


def _by_clauses(puzzle: Puzzle, number: int, deadline: Deadline) -> SolutionTotal:
    """One more than the known number would show that it is wrong."""
    solver = backends.find(SAT)
    left = deadline.left()
    if number > MAX_BY_CLAUSES or left == 0 or solver.refuses(puzzle.board):
        return SolutionTotal(0, False)
    solver.load(puzzle.board)
    search = solver.search(puzzle, Budget(number + 1, left))
    try:
        grids = sum(1 for _ in islice(search, number + 1))
    finally:
        search.close()
        solver.close()
    return SolutionTotal(grids, grids > number or not deadline.passed())
