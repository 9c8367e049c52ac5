"""The questions of the page, what a worker keeps for them, and how parts of answers name what is on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from satdoku.backends.incremental import IncrementalSolver
from satdoku.pictures import Picture
from satdoku.pictures.picture import cited, stressed_marks
from satdoku.puzzle import Board, Puzzle
from satdoku.setter.candidates import Candidates, survey
from satdoku.setter.conflicts import rule_name
from satdoku.setter.partner import Partner
from satdoku.setter.reasons import Reason
from satdoku.verdict import Outcome, Session
from satdoku.web.forms import Form

MAX_HOUSES = 6  # that the board shows of a reason: more would tint all of it, and are in the text
Part = dict[str, Any]
Emit = Callable[[Part], None]


class PageQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question. `limit` is of solutions counted, or of steps, or says which step a hint is about; `cell` and `value`
    are what `why` is about, `entered` and `noted` what a player has put in."""

    ask: Literal["live", "strokes", "count", "step", "why", "spare", "unique", "check", "hint", "rate"]
    puzzle: Form
    entered: dict[str, int] = {}
    noted: dict[str, list[int]] = {}
    limit: int | None = None
    cell: str | None = None
    value: int | None = None


@dataclass(slots=True)
class Tools:
    """What a worker keeps loaded from question to question; so many seconds are for each search, except counts.

    partner: another worker that looks for the candidates that the question is about
    """

    seconds: float
    session: Session = field(default_factory=Session)
    solver: IncrementalSolver = field(default_factory=IncrementalSolver)
    partner: Partner | None = None

    def check(self, puzzle: Puzzle) -> Outcome:
        return self.session.check(puzzle, timeout=self.seconds)

    def survey(self, puzzle: Puzzle, limit: int, seconds: float | None = None) -> Candidates:
        most = min(self.seconds, self.seconds if seconds is None else seconds)
        return survey(self.solver, puzzle, limit, most, self.partner)


def labels(board: Board, cells: Iterable[int]) -> list[str]:
    return list(map(board.label, cells))


def named(puzzle: Puzzle, reason: Reason | None) -> Part:
    """What a reason names: cells of the board, and places of marks in their list."""
    board, names = puzzle.board, () if reason is None else reason.constraints
    houses, others = cited(Picture(puzzle, cited=names))
    cells = dict.fromkeys(cell for rule in others for cell in rule.cells if cell < board.cells)
    whole = [index for index, mark in enumerate(board.marks) if rule_name(mark) in names]  # rules of the board
    return {
        "givens": labels(board, (fact.cell for fact in (reason.facts if reason else ()))),
        "marks": sorted({*stressed_marks(board, others), *whole}),
        "houses": [labels(board, house.cells) for house in houses] if len(houses) <= MAX_HOUSES else [],
        "cells": labels(board, cells),
        "constraints": list(names),
    }
