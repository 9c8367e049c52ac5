"""Solving by the simplest technique that finds something, again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import inf
from operator import itemgetter

from satdoku.implied import strengthened
from satdoku.limits import check_time
from satdoku.puzzle import Board, Puzzle
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.orders import ORDERS, SE_GROUPS
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


@lru_cache(maxsize=1)
def explainer_groups() -> tuple[tuple[Technique, ...], ...]:
    """The techniques in Sudoku Explainer's order, those together whose ratings are compared."""
    table = techniques()
    return tuple(tuple(map(table.find, [group] if isinstance(group, str) else group)) for group in SE_GROUPS)


def next_step(grid: CandidateGrid, order: Sequence[Technique]) -> Step | None:
    """What the first technique that finds something finds first; None if none does. Raises TimeIsUp."""
    for technique in order:
        check_time()
        step = next(technique.steps(grid), None)
        if step is not None:
            return step
    return None


def lowest_rated(grid: CandidateGrid, group: Sequence[Technique]) -> Step | None:
    """The step of the lowest of Sudoku Explainer's ratings, then the smallest; None if no technique finds one."""
    best, step = (inf, 0), None
    for technique in group:
        if technique.se is not None and technique.se <= best[0]:
            check_time()
            first = next(technique.steps(grid), None)
            if first is not None:
                rank = technique.explainer_rating(first), first.size
                best, step = min((best, step), (rank, first), key=itemgetter(0))
    return step


def steps(grid: CandidateGrid, order: Sequence[Technique]) -> Iterator[Step]:
    """Steps until the grid is solved or no technique finds anything; each is in the grid when the next is sought."""
    if not grid.layout.board.others:
        order = [technique for technique in order if not technique.of_marks]
    while grid.open:
        step = next_step(grid, order)
        if step is None:
            return
        yield step
        step.apply(grid)
