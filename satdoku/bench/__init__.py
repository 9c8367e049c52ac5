"""Backends side by side: each on each puzzle, encoding and search timed apart, every answer refereed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from satdoku import backends
from satdoku.backends import Budget
from satdoku.encoders import cnf
from satdoku.errors import InputError, Refused
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import classic
from satdoku.verdict import Judge, Outcome


@dataclass(frozen=True, slots=True)
class Contender:
    """A backend and, where it takes one, an encoding."""

    backend: str
    encoding: str | None

    def __str__(self) -> str:
        return self.backend if self.encoding is None else f"{self.backend} {self.encoding}"


@dataclass(frozen=True, slots=True)
class Run:
    """One contender on one puzzle: seconds to load the board's rules from nothing, and the outcome."""

    contender: Contender
    puzzle: str
    encode_seconds: float
    outcome: Outcome


def contenders(names: Sequence[str] | None, encodings: Sequence[str] | None) -> list[Contender]:
    """Every backend with every encoding; None is all that are installed, and the default encoding.

    Raises InputError for unknown or missing names, Refused if no backend takes an encoding.
    """
    if names is None:
        names = backends.installed()
    rows = [(name, backends.engine(name)) for name in names]
    for name, row in rows:
        reason = row.absent()
        if reason:
            raise InputError(f"backend {name}: {reason}")
    if encodings is not None and not any(row.encodes for _, row in rows):
        raise Refused(f"none of {', '.join(names)} takes an encoding; leave out --encoding {','.join(encodings)}")
    chosen = [cnf.find(encoding).name for encoding in encodings or [cnf.DEFAULT]]
    return [Contender(name, encoding) for name, row in rows for encoding in (chosen if row.encodes else [None])]


def run(chosen: Sequence[Contender], puzzles: Sequence[Puzzle], timeout: float) -> Iterator[Run]:
    """Decide each puzzle by each contender, a fresh backend each time; boards that one refuses are left out.

    A first puzzle that is not measured pays for imports. Raises as `Judge.search` does.
    """
    warm_up = Puzzle.from_givens(classic(2, 2), {0: 1, 5: 2})
    for contender in chosen:
        with Judge(contender.backend, contender.encoding) as judge:
            judge.run(warm_up, Budget(2, timeout))
    for puzzle in puzzles:
        for contender in chosen:
            with Judge(contender.backend, contender.encoding) as judge:
                started = perf_counter()
                try:
                    judge.load(puzzle)
                except Refused:
                    continue
                encoded = perf_counter()
                outcome = judge.run(puzzle, Budget(2, timeout))
                yield Run(contender, puzzle.name, encoded - started, outcome)
