"""Puzzles whose answers are known without a solver: every contender is tried on them before it is timed."""

from dataclasses import dataclass

from satdoku.bench.plan import Plan
from satdoku.bench.raw import Work
from satdoku.bench.shuffle import Shuffle
from satdoku.generator.grids import shifted_rows
from satdoku.puzzle import Board, Puzzle
from satdoku.variants.boxes import Box, box_of

FEW = 3  # solutions that are counted to warm up: more than the two that a backend may show without counting


@dataclass(frozen=True, slots=True)
class Known:
    """A puzzle with exactly `solutions`; None where it serves to warm up alone. It is asked for up to `most`."""

    puzzle: Puzzle
    solutions: int | None
    most: int | None


def known(plan: Plan) -> list[Known]:
    """Three puzzles for each plain board, and for each other kind of board its first puzzle, of unknown answer.

    A puzzle with one solution may leave code that counts cold, so a board without givens goes with it.
    """
    found: list[Known] = []
    most = plan.solutions
    first = {_kind(puzzle.board): puzzle for puzzle in reversed(plan.puzzles)}
    for board, freedom in plan.freedoms.items():
        box = box_of(board)
        if freedom is Shuffle.ALL and box is not None:
            for solutions, givens in ((1, _diagonal(box)), (2, _chain(board, box)), (0, _blocked(box))):
                name = f"a {box.size}x{box.size} with {solutions} solutions"
                found.append(Known(Puzzle.from_givens(board, givens, name), solutions, most))
        elif first[_kind(board)].board is board:
            found.append(Known(first[_kind(board)], None, most))
            if plan.work is Work.COUNT:
                found.append(Known(Puzzle.from_givens(board, {}, "a board without givens"), None, FEW))
    return found


def _diagonal(box: Box) -> list[int]:
    """A grid without its diagonal: each row lacks one value."""
    grid = shifted_rows(box)
    grid[:: box.size + 1] = [0] * box.size
    return grid


def _chain(board: Board, box: Box) -> list[int]:
    """A grid without one chain of two values, which can be exchanged along it and not otherwise."""
    grid = shifted_rows(box)
    either = {cell for cell, value in enumerate(grid) if value in grid[:2]}
    chain: set[int] = set()
    new = {0}
    while new:
        chain |= new
        beside = {cell for house in board.houses if not new.isdisjoint(house.cells) for cell in house.cells}
        new = beside & either - chain
    return [0 if cell in chain else value for cell, value in enumerate(grid)]


def _blocked(box: Box) -> list[int]:
    """A grid whose first row lacks one value and has one open cell, the value standing elsewhere in its column."""
    grid, size = shifted_rows(box), box.size
    value = grid[size - 1]
    for cell, held in enumerate(grid):
        row, column = divmod(cell, size)
        last_box = row // box.rows == box.columns - 1 and column // box.columns == box.rows - 1
        if held == value and (row in (0, size - 1) or last_box):
            grid[cell] = 0
    grid[-1] = value
    return grid


def _kind(board: Board) -> tuple[object, ...]:
    return board.cells, board.values, frozenset(type(rule) for rule in board.constraints)
