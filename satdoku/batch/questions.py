"""What is asked of each puzzle: functions of judges and a puzzle, which pickle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from satdoku import backends
from satdoku.backends import Budget
from satdoku.constraints import Grid
from satdoku.errors import InputError, Refused
from satdoku.puzzle import Puzzle
from satdoku.verdict import Outcome, Session, Verdict, agree, counted

Found = Callable[[Grid], None]
"""Takes each solution as it comes."""

Ask = Callable[[Sequence[Session], Puzzle, Found | None], Outcome]


def check(judges: Sequence[Session], puzzle: Puzzle, found: Found | None = None, *, timeout: float | None) -> Outcome:
    """Whether the puzzle is unique; raises Disagreement where judges differ. The first decided answer stands."""
    outcomes = [judge.run(puzzle, Budget(2, timeout)) for judge in judges]
    decided = next((outcome for outcome in outcomes if outcome.verdict is not Verdict.UNDECIDED), outcomes[0])
    for outcome in outcomes:
        agree(decided, outcome, puzzle.name)
    return decided


def solve(
    judges: Sequence[Session], puzzle: Puzzle, found: Found | None = None, *, limit: int | None, timeout: float | None
) -> Outcome:
    """Solutions; they go to `found` one by one, or where it is None stay in the outcome."""
    search = judges[0].search(puzzle, Budget(limit, timeout), keep=0 if found else None)
    while True:
        try:
            grid = next(search)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        if found:
            found(grid)


def count(
    judges: Sequence[Session], puzzle: Puzzle, found: Found | None = None, *, limit: int | None, timeout: float | None
) -> Outcome:
    """How many solutions the puzzle has, up to `limit`."""
    return counted(judges[0], puzzle, limit, timeout)


def at_most(outcome: Outcome, limit: int | None) -> Outcome:
    """The outcome of a count that was asked for one more than the limit."""
    if limit is None or outcome.count <= limit:
        return outcome
    return replace(outcome, count=limit, grids=outcome.grids[:limit])


def contenders(names: str) -> list[str | None]:
    """The backends of `NAME,NAME...`; raises InputError unless there are two that differ."""
    chosen: list[str | None] = [*dict.fromkeys(names.split(","))]
    if len(chosen) < 2:
        raise InputError(f"--compare {names}: expected two or more backends that differ, such as cpsat,backtrack")
    return chosen


def judges(names: Sequence[str | None], encoding: str | None) -> list[Session]:
    """A judge for each name. The encoding goes to those that take one; Refused if none does."""
    rows = [backends.engine(backends.DEFAULT if name is None else name) for name in names]
    if encoding is not None and not any(row.encodes for row in rows):
        raise Refused(f"no encoding is taken by {', '.join(row.name for row in rows)}; leave out --encoding {encoding}")
    return [Session(name, encoding if row.encodes else None) for name, row in zip(names, rows, strict=True)]
