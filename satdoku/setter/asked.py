"""What a command asks of one puzzle, and what it gives: a text and pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from satdoku.backends.incremental import IncrementalSolver
from satdoku.errors import InputError
from satdoku.generator.recipe import Symmetry
from satdoku.inputs.sources import Entry
from satdoku.pictures import Picture
from satdoku.printing import Shown, Style
from satdoku.puzzle import Board, Puzzle
from satdoku.setter import shown
from satdoku.setter.candidates import survey
from satdoku.setter.explain import explained
from satdoku.setter.minimize import Wish, minimized

Answer = tuple[Shown, Sequence[Picture]]


class Question(Protocol):
    """What is asked, with its options."""

    def answer(self, solver: IncrementalSolver, entry: Entry, puzzle: Puzzle, style: Style) -> Answer:
        """The answer for one puzzle; raises InputError for what it cannot take."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """limit: how many solutions of each value are counted, None is all; timeout: seconds for each puzzle."""

    limit: int | None
    timeout: float | None

    def answer(self, solver: IncrementalSolver, entry: Entry, puzzle: Puzzle, style: Style) -> Answer:
        found = survey(solver, puzzle, self.limit, self.timeout)
        return shown.candidates(entry, found, style), [shown.candidate_picture(found)]


@dataclass(frozen=True, slots=True)
class Explain:
    """smallest: whether to prove that no reason is smaller; timeout: seconds for each puzzle."""

    smallest: bool
    timeout: float

    def answer(self, solver: IncrementalSolver, entry: Entry, puzzle: Puzzle, style: Style) -> Answer:
        found = explained(solver, puzzle, self.smallest, self.timeout)
        return shown.explanation(entry, found, style), shown.explanation_pictures(found)


@dataclass(frozen=True, slots=True)
class Minimize:
    """keep: cells in words; to: the format of what is left; witness: whether second solutions are shown."""

    seed: int
    keep: str | None
    symmetry: Symmetry
    timeout: float | None
    to: str | None
    witness: bool

    def answer(self, solver: IncrementalSolver, entry: Entry, puzzle: Puzzle, style: Style) -> Answer:
        keep = frozenset() if self.keep is None else cells(self.keep, puzzle.board)
        found = minimized(solver, puzzle, Wish(self.seed, keep, self.symmetry, self.timeout))
        return shown.minimal(entry, found, self.to, self.witness, style), []


def cells(text: str, board: Board) -> frozenset[int]:
    """The cells of `r1c1,r5c5`, numbered from 0; raises InputError for what is none of the board."""
    found = set()
    for word in re.split(r"[\s,]+", text.strip()):
        place = re.fullmatch(r"[rR](\d{1,4})[cC](\d{1,4})", word)
        row, column = (int(place[1]), int(place[2])) if place else (0, 0)
        cell = (row - 1) * board.columns + column - 1
        if row < 1 or not 1 <= column <= board.columns or cell >= board.cells:
            raise InputError(f"{word!r} is no cell of the board: expected cells such as r1c1,r5c5")
        found.add(cell)
    return frozenset(found)
