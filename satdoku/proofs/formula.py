"""The formula that a certificate is about, written as plainly as can be, by nothing that writes clauses elsewhere."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import comb

import numpy as np

from satdoku.constraints import Grid
from satdoku.proofs.drup import Numbers, lines
from satdoku.puzzle import Board, Puzzle, members, only, other_constraint

ENCODING = "exactly one, direct, pairwise"  # what `rules` write, in the words of a manifest
MAX_CLAUSES = 5_000_000


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses that some grids satisfy, as integers with 0 behind each clause."""

    variables: int
    values: int  # N, the number of variables that each cell has
    rules: Numbers  # the clauses of the board, one array for all of its puzzles;  own: the others
    own: Numbers

    def __len__(self) -> int:
        return int((self.rules == 0).sum() + (self.own == 0).sum())

    def __iter__(self) -> Iterator[list[int]]:
        for part in (self.rules, self.own):
            begin = 0
            for end in np.flatnonzero(part == 0).tolist():
                yield part[begin:end].tolist()
                begin = end + 1

    def text(self) -> str:
        return f"p cnf {self.variables} {len(self)}\n{lines(self.rules)}{lines(self.own)}"


@lru_cache(maxsize=4)
def formula(puzzle: Puzzle, grid: Grid | None = None) -> Formula:
    """What the grids of `puzzle` satisfy, `grid` left out: no other grid satisfies it, and no assignment besides."""
    board = puzzle.board
    differs = [[-(cell * board.values + value) for cell, value in enumerate(grid or ())]]  # some cell has another value
    own = _flat(chain(givens(puzzle), [] if grid is None else differs))
    return Formula(board.cells * board.values, board.values, _rules(board), own)


def rules(board: Board) -> Iterator[list[int]]:
    """Each cell has one value; an AllDifferent has no value twice and, if it is of N cells, every value.

    Variable cell * N + value says that the cell has the value; cells count from 0, values from 1.
    """
    size = board.values
    for cell in range(board.cells):
        yield from _one_of([cell * size + value for value in range(1, size + 1)])
    for rule in board.all_different:
        for value in range(1, size + 1):
            variables = [cell * size + value for cell in rule.cells]
            yield from _one_of(variables) if len(variables) == size else _no_two_of(variables)


def givens(puzzle: Puzzle) -> Iterator[list[int]]:
    """The value of each cell that has one; of each other cell, the values that it has not."""
    size, every = puzzle.board.values, puzzle.board.every_value
    for cell, allowed in enumerate(puzzle.candidates):
        if only(allowed):
            yield [cell * size + only(allowed)]
        elif allowed != every:
            yield from ([-(cell * size + value)] for value in members(every & ~allowed))


def _one_of(variables: list[int]) -> Iterator[list[int]]:
    yield variables
    yield from _no_two_of(variables)


def _no_two_of(variables: list[int]) -> Iterator[list[int]]:
    return ([-one, -other] for one, other in combinations(variables, 2))


def refusal(board: Board) -> str | None:
    """Why there is no certificate for puzzles of this board, for people; None if there is."""
    if board.others:
        return f"{other_constraint(board)}, and certificates are for AllDifferent alone"
    pairs = board.cells * comb(board.values, 2)
    clauses = pairs + sum(board.values * comb(len(rule.cells), 2) for rule in board.all_different)
    if clauses > MAX_CLAUSES:
        return f"{clauses / 1e6:.0f} million clauses, and certificates have up to {MAX_CLAUSES / 1e6:.0f} million"
    return None


@lru_cache(maxsize=4)
def _rules(board: Board) -> Numbers:
    return _flat(rules(board))


def _flat(clauses: Iterable[list[int]]) -> Numbers:
    return np.fromiter((literal for clause in clauses for literal in (*clause, 0)), np.int32)
