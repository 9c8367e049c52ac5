"""A puzzle as exact cover (Knuth's terms): an option places a value in a cell; items from 0, the primary ones first."""

from collections.abc import Iterator
from dataclasses import dataclass

from satdoku.constraints import AllDifferent
from satdoku.puzzle import Board, Puzzle, members

Option = tuple[int, int, tuple[int, ...]]  # (cell, value, the items that placing it covers)


@dataclass(frozen=True, slots=True)
class Items:
    """What a board's AllDifferents ask for: first houses, then smaller ones, as `groups`; others are not looked at."""

    primary: int  # items 0 to primary-1 are covered exactly once, those that follow at most once
    total: int  # how many there are of both
    groups: tuple[AllDifferent, ...]
    by_cell: tuple[tuple[int, ...], ...]  # the item of value 0, if there were one, for each group of a cell


def items(board: Board) -> Items:
    smaller = tuple(group for group in board.all_different if 1 < len(group.cells) < board.values)
    groups = (*board.houses, *smaller)
    by_cell: list[list[int]] = [[] for _ in range(board.cells)]
    for number, group in enumerate(groups):
        for cell in group.cells:
            by_cell[cell].append(board.cells + number * board.values - 1)
    primary = board.cells + len(board.houses) * board.values
    return Items(primary, primary + len(smaller) * board.values, groups, tuple(map(tuple, by_cell)))


def options(items: Items, puzzle: Puzzle) -> Iterator[Option]:
    """The options that the candidates leave, by cell and value. A given leaves one, a clash none that fit."""
    for cell, (allowed, bases) in enumerate(zip(puzzle.candidates, items.by_cell, strict=True)):
        for value in members(allowed):
            yield cell, value, (cell, *[base + value for base in bases])
