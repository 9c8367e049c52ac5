"""The same puzzle in another layout, so that no backend profits from a lucky one.

Only what keeps the verdict is done: the plain board has all its symmetries; a board of nothing but
AllDifferents may have its values renamed; where rules speak of sums or order, a puzzle stays as it is.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

from satdoku.puzzle import Puzzle, members
from satdoku.symmetries import Shuffle
from satdoku.variants.boxes import Box, box_of

T = TypeVar("T")


class Draws:
    """Choices that `seed`, anything whose text is the same everywhere, makes alike on every platform.

    Of Python's generator only `random` is promised to keep its sequence, so all choices come from it.
    """

    def __init__(self, *seed: object) -> None:
        self._uniform = Random(":".join(map(str, seed))).random

    def below(self, bound: int) -> int:
        """One of 0 .. bound - 1."""
        return int(self._uniform() * bound)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order, by Fisher and Yates."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order


def shuffled(puzzle: Puzzle, shuffle: Shuffle, draws: Draws) -> Puzzle:
    """The puzzle with its values renamed and its cells moved, as far as `shuffle` says."""
    if shuffle is Shuffle.NONE:
        return puzzle
    board = puzzle.board
    names = [0, *draws.shuffled(range(1, board.values + 1))]
    box = box_of(board)
    places = _places(box, draws) if shuffle is Shuffle.ALL and box is not None else range(board.cells)
    renamed = {allowed: sum(1 << names[value] for value in members(allowed)) for allowed in set(puzzle.candidates)}
    return Puzzle(board, tuple(renamed[puzzle.candidates[place]] for place in places), puzzle.name)


def _places(box: Box, draws: Draws) -> Sequence[int]:
    """For each cell of the new layout, the cell that moves there."""

    def lines(groups: int, width: int) -> list[int]:
        """Rows in new order: whole bands change places, and rows within a band; or the like of columns."""
        order = draws.shuffled(range(groups))
        return [group * width + line for group in order for line in draws.shuffled(range(width))]

    rows, columns = lines(box.columns, box.rows), lines(box.rows, box.columns)
    places = [(row, column) for row in rows for column in columns]
    if box.rows == box.columns and draws.below(2):
        places = [(column, row) for row, column in places]
    return [row * box.size + column for row, column in places]
