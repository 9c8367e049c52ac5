"""Many puzzles, one after the other: each gives an answer or an error, and errors cost only themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from satdoku import backends
from satdoku.backends import Budget
from satdoku.constraints import Grid
from satdoku.errors import Disagreement, InputError, Refused, SatdokuError
from satdoku.puzzle import Puzzle
from satdoku.sources import Entry
from satdoku.verdict import Judge, Outcome, Verdict, agree, counted, sound

Ask = Callable[[Puzzle], Outcome]
Found = Callable[[Puzzle, Grid], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one entry: an outcome, or the error in its place."""

    entry: Entry
    found: Outcome | SatdokuError


def answers(entries: Iterable[Entry], ask: Ask) -> Iterator[Answer]:
    """Ask about each puzzle in order. A wrong answer or a broken engine ends the run by its error."""
    for entry in entries:
        if isinstance(entry.found, InputError):
            yield Answer(entry, entry.found)
            continue
        try:
            yield Answer(entry, ask(entry.found))
        except (InputError, Disagreement) as error:
            yield Answer(entry, error)


def checker(judges: Sequence[Judge], timeout: float | None) -> Ask:
    """Ask every judge whether the puzzle is unique; raises Disagreement where they differ.

    Of several, the answer is the first that is decided.
    """

    sound(Budget(2, timeout))

    def ask(puzzle: Puzzle) -> Outcome:
        outcomes = [judge.run(puzzle, Budget(2, timeout)) for judge in judges]
        decided = next((outcome for outcome in outcomes if outcome.verdict is not Verdict.UNDECIDED), outcomes[0])
        for outcome in outcomes:
            agree(decided, outcome, puzzle.name)
        return decided

    return ask


def solver(judge: Judge, limit: int | None, timeout: float | None, found: Found | None) -> Ask:
    """Ask for solutions; they go to `found` one by one, or where it is None stay in the outcome."""

    sound(Budget(limit, timeout))

    def ask(puzzle: Puzzle) -> Outcome:
        search = judge.search(puzzle, Budget(limit, timeout), keep=0 if found else None)
        while True:
            try:
                grid = next(search)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            if found:
                found(puzzle, grid)

    return ask


def counter(judge: Judge, limit: int | None, timeout: float | None) -> Ask:
    """Ask how many solutions the puzzle has, up to `limit`."""
    sound(Budget(limit, timeout))
    return lambda puzzle: counted(judge, puzzle, limit, timeout)


def contenders(names: str) -> list[str | None]:
    """The backends of `NAME,NAME...`; raises InputError unless there are two that differ."""
    chosen: list[str | None] = [*dict.fromkeys(names.split(","))]
    if len(chosen) < 2:
        raise InputError(f"--compare {names}: expected two or more backends that differ, such as cpsat,backtrack")
    return chosen


def judges(names: Sequence[str | None], encoding: str | None) -> list[Judge]:
    """A judge for each name. The encoding goes to those that take one; Refused if none does."""
    rows = [backends.engine(backends.DEFAULT if name is None else name) for name in names]
    if encoding is not None and not any(row.encodes for row in rows):
        raise Refused(f"no encoding is taken by {', '.join(row.name for row in rows)}; leave out --encoding {encoding}")
    return [Judge(name, encoding if row.encodes else None) for name, row in zip(names, rows, strict=True)]
