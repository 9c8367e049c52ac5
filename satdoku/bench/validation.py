"""Puzzles whose answers are known without a solver: every contender is tried on them before it is timed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from satdoku.bench.grids import Rows, chain, pattern
from satdoku.bench.plan import Plan
from satdoku.bench.raw import Work
from satdoku.bench.shuffle import Shuffle
from satdoku.puzzle import Board, Puzzle
from satdoku.variants.boxes import Box, box_of

FEW = 3
"""Solutions that are counted to warm up: more than the two that a backend may show without counting."""


@dataclass(frozen=True, slots=True)
class Known:
    """A puzzle with exactly `solutions`; None where it serves to warm up alone. It is asked for up to `most`."""

    puzzle: Puzzle
    solutions: int | None
    most: int | None

    def fault(self, count: int, exact: bool) -> str | None:
        """What is wrong with an engine that found so many solutions, and says these are all if `exact`."""
        if self.solutions is None or count == self.solutions or (count < self.solutions and not exact):
            return None
        return f"{'' if exact else 'at least '}{count} solutions, expected {self.solutions}"


def known(plan: Plan) -> list[Known]:
    """Three puzzles for each plain board, and for each other kind of board its first puzzle, of unknown answer.

    So all that is imported or compiled at first use has been when the clock starts. What counts is made to: a
    puzzle with one solution may leave that cold, so a board without givens goes with it.
    """
    found: list[Known] = []
    most = plan.solutions
    first = {_kind(puzzle.board): puzzle for puzzle in reversed(plan.puzzles)}
    for board, freedom in plan.freedoms.items():
        box = box_of(board)
        if freedom is Shuffle.ALL and box is not None:
            found += _plain(board, box, most)
        elif first[_kind(board)].board is board:
            found.append(Known(first[_kind(board)], None, most))
            if plan.work is Work.COUNT:
                found.append(Known(Puzzle.from_givens(board, {}, "a board without givens"), None, FEW))
    return found


def _plain(board: Board, box: Box, most: int | None) -> Iterator[Known]:
    for solutions, holed in ((1, _diagonal(box)), (2, _chain(box)), (0, _blocked(box))):
        givens = [value for row in holed for value in row]
        name = f"a {box.size}x{box.size} with {solutions} solutions"
        yield Known(Puzzle.from_givens(board, givens, name), solutions, most)


def _diagonal(box: Box) -> Rows:
    """A grid without its diagonal: each row lacks one value."""
    grid = pattern(box)
    for place in range(box.size):
        grid[place][place] = 0
    return grid


def _chain(box: Box) -> Rows:
    """A grid without one chain of two values, which can be exchanged along it and not otherwise."""
    grid = pattern(box)
    for row, column in chain(grid, box, (0, 0), grid[0][1]):
        grid[row][column] = 0
    return grid


def _blocked(box: Box) -> Rows:
    """A grid whose first row lacks one value and has one open cell, the value standing elsewhere in its column."""
    grid = pattern(box)
    last = box.size - 1
    value = grid[0][last]
    for row in range(box.size):
        for column in range(box.size):
            in_last_box = row // box.rows == last // box.rows and column // box.columns == last // box.columns
            if grid[row][column] == value and (row in (0, last) or in_last_box):
                grid[row][column] = 0
    grid[last][last] = value
    return grid


def _kind(board: Board) -> tuple[object, ...]:
    return board.cells, board.values, frozenset(type(rule) for rule in board.constraints)
