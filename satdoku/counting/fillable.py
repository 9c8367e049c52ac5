"""Boards that are plain but for constraints over a few cells."""

from __future__ import annotations

from dataclasses import dataclass

from satdoku.constraints import AllDifferent, Constraint
from satdoku.counting.clues import MAX_SIZE
from satdoku.puzzle import Board, Puzzle, only
from satdoku.variants.boxes import box_of, classic

MAX_CELLS = 16  # of the constraints


@dataclass(frozen=True, slots=True)
class Marked:
    """The plain board below, the cells to fill, and the constraints of each that are whole once it is filled."""

    board: Board
    cells: tuple[int, ...]
    constraints: tuple[tuple[Constraint, ...], ...]


def fillable(puzzle: Puzzle) -> bool:
    """Whether the board is plain, up to 9x9, but for constraints over at most MAX_CELLS cells, one or more."""
    return marked(puzzle) is not None


def marked(puzzle: Puzzle) -> Marked | None:
    """The plain board and the cells to fill; None if the puzzle is not `fillable`."""
    board = puzzle.board
    box = box_of(board)
    if box is None or box.size > MAX_SIZE or board.auxiliary or board.layers or board.places:
        return None
    below = classic(box.rows, box.columns)
    houses = {frozenset(rule.cells) for rule in below.constraints}
    if (board.cells, board.values) != (below.cells, below.values) or not houses <= {
        frozenset(rule.cells) for rule in board.all_different
    }:
        return None
    rules = [
        rule
        for rule in board.constraints
        if not (isinstance(rule, AllDifferent) and any(house.issuperset(rule.cells) for house in houses))
    ]
    every = board.every_value
    pencilled = (cell for cell, allowed in enumerate(puzzle.candidates) if not only(allowed) and allowed != every)
    cells = tuple(dict.fromkeys([*(cell for rule in rules for cell in rule.cells), *pencilled]))
    if not 0 < len(cells) <= MAX_CELLS:
        return None
    last: list[list[Constraint]] = [[] for _ in cells]
    for rule in rules:
        last[max(map(cells.index, rule.cells), default=0)].append(rule)
    return Marked(below, cells, tuple(map(tuple, last)))
