"""Boards to clauses. An encoding says how `cell = value` is written; the rest is common to all.

`encode` writes a board once. A puzzle adds only its givens, as literals that a warm solver takes
as assumptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Protocol

from satdoku.constraints import AllDifferent, Automaton, Grid, Linear, Table
from satdoku.discovery import offered
from satdoku.encoders import automaton, table
from satdoku.encoders.clauses import Clauses
from satdoku.errors import unknown
from satdoku.puzzle import Board, Puzzle, members, only

DEFAULT = "extended"


class Variables(Protocol):
    """How one board's cells and values are written as literals."""

    def literals(self, cell: int, value: int) -> tuple[int, ...]:
        """The conjunction over cell variables that says cell = value."""

    def equals(self, cell: int, value: int) -> int:
        """One literal that says cell = value, defined on demand where the encoding has none."""

    def decode(self, true: set[int]) -> Grid:
        """The grid of a model, given its true literals; raises BackendError if a cell has not one value."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A named way to write a board as clauses.

    write: adds to the clauses everything that cells and AllDifferents say
    paper: where the encoding comes from
    """

    name: str
    summary: str
    paper: str
    write: Callable[[Board, Clauses], Variables]


@dataclass(frozen=True, slots=True)
class Cnf:
    """A board as clauses: satisfied exactly by its grids."""

    board: Board
    encoding: str
    clauses: Clauses
    variables: Variables

    def restrict(self, puzzle: Puzzle) -> tuple[list[int], list[list[int]]]:
        """What the candidates of `puzzle` add: literals that must hold, and clauses."""
        must: list[int] = []
        clauses: list[list[int]] = []
        every = self.board.every_value
        literals = self.variables.literals
        for cell, allowed in enumerate(puzzle.candidates):
            if allowed == every:
                continue
            given = only(allowed)
            if given:
                must += literals(cell, given)
                continue
            for removed in members(every & ~allowed):
                clause = [-literal for literal in literals(cell, removed)]
                if len(clause) == 1:
                    must += clause
                else:
                    clauses.append(clause)
        return must, clauses

    def block(self, grid: Grid) -> list[int]:
        """The clause that excludes `grid` and nothing else, over cell variables alone."""
        return [-literal for cell, value in enumerate(grid) for literal in self.variables.literals(cell, value)]

    def decode(self, model: Iterable[int]) -> Grid:
        """The grid of a model (signed literals); raises BackendError unless each cell has one value."""
        return self.variables.decode({literal for literal in model if literal > 0})


@cache
def encodings() -> dict[str, Encoding]:
    """Every encoding by its name."""
    return {known.name: known for known in offered("satdoku.encoders.encodings", "ENCODINGS", Encoding)}


def find(name: str) -> Encoding:
    """The encoding of that name; raises InputError with the near names."""
    if name not in encodings():
        raise unknown("encoding", name, encodings(), "satdoku encodings")
    return encodings()[name]


def pairwise_size(board: Board) -> int:
    """Clauses that at-most-one takes, pair by pair, over cells and AllDifferents: nearly all of a board's."""
    pairs = sum(comb(len(rule.cells), 2) for rule in board.all_different)
    return board.values * pairs + board.cells * comb(board.values, 2)


def encode(board: Board, encoding: str = DEFAULT) -> Cnf:
    """Write all constraints of `board` as clauses; raises InputError for an unknown encoding."""
    chosen = find(encoding)
    clauses = Clauses()
    variables = chosen.write(board, clauses)
    values = range(1, board.values + 1)
    for rule in board.constraints:
        match rule:
            case AllDifferent():
                pass  # written by the encoding
            case Table() if len(rule.cells) <= 2:
                table.support(clauses, rule, values, variables.equals)
            case Table() | Linear() | Automaton():
                automaton.write(clauses, rule, values, variables.equals)
    return Cnf(board, chosen.name, clauses, variables)
