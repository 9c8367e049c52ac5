"""A puzzle as exact cover: choose actions so that every requirement is met exactly once.

An action places a value in a cell. Requirements are numbered from 0: first those that are met
exactly once (a cell is filled; a house has a value), then those that are met at most once (an
AllDifferent of fewer cells than values has a value).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from satdoku.constraints import AllDifferent
from satdoku.puzzle import Board, Puzzle, members

Action = tuple[int, int, tuple[int, ...]]
"""(cell, value, the requirements that placing it meets)"""


@dataclass(frozen=True, slots=True)
class Requirements:
    """What the AllDifferents of a board require; other constraints are not looked at.

    primary: requirements 0 to primary-1 are met exactly once, those that follow at most once
    total:   how many there are of both
    groups:  the houses, then the smaller AllDifferents; group g has value v by requirement
             cells + g * values + v - 1
    by_cell: the requirement of value 0, if there were one, for each group of a cell
    """

    primary: int
    total: int
    groups: tuple[AllDifferent, ...]
    by_cell: tuple[tuple[int, ...], ...]


def requirements(board: Board) -> Requirements:
    """The requirements of a board: its cells come first, by number."""
    smaller = tuple(constraint for constraint in board.all_different if 1 < len(constraint.cells) < board.values)
    groups = (*board.houses, *smaller)
    by_cell: list[list[int]] = [[] for _ in range(board.cells)]
    for number, constraint in enumerate(groups):
        for cell in constraint.cells:
            by_cell[cell].append(board.cells + number * board.values - 1)
    primary = board.cells + len(board.houses) * board.values
    return Requirements(primary, primary + len(smaller) * board.values, groups, tuple(map(tuple, by_cell)))


def actions(needed: Requirements, puzzle: Puzzle) -> Iterator[Action]:
    """The actions that the candidates leave, by cell and value. A given leaves one, a clash none that fit."""
    for cell, (allowed, bases) in enumerate(zip(puzzle.candidates, needed.by_cell, strict=True)):
        for value in members(allowed):
            yield cell, value, (cell, *[base + value for base in bases])
