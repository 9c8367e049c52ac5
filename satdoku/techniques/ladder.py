"""Solving by the simplest technique that finds something, again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from satdoku.implied import strengthened
from satdoku.limits import check_time
from satdoku.puzzle import Board, Puzzle
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.orders import ORDERS
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step, Technique


def grid_of(puzzle: Puzzle, *, unique: bool) -> CandidateGrid:
    """The candidates of a puzzle, on a board with the sums that follow from its cages and regions.

    unique: whether the puzzle is known to have one solution
    """
    board = _strengthened(puzzle.board)
    return CandidateGrid(puzzle if board is puzzle.board else Puzzle(board, puzzle.candidates), unique=unique)


@lru_cache(maxsize=16)
def _strengthened(board: Board) -> Board:
    return strengthened(board)


@lru_cache(maxsize=16)
def ordered(order: str = "satdoku", hardest: Level = Level.FORCING) -> tuple[Technique, ...]:
    """The techniques of an order, up to a level."""
    return tuple(each for each in map(techniques().find, ORDERS[order]) if each.level <= hardest)


def next_step(grid: CandidateGrid, order: Sequence[Technique]) -> Step | None:
    """What the first technique that finds something finds first; None if none does. Raises TimeIsUp."""
    for technique in order:
        check_time()
        step = next(technique.steps(grid), None)
        if step is not None:
            return step
    return None


def steps(grid: CandidateGrid, order: Sequence[Technique]) -> Iterator[Step]:
    """Steps until the grid is solved or no technique finds anything; each is in the grid when the next is sought."""
    while grid.open:
        step = next_step(grid, order)
        if step is None:
            return
        yield step
        step.apply(grid)
