"""The same puzzle in another layout, so that no backend profits from a lucky one.

Only what keeps the verdict is done: the plain board has all its symmetries; a board of nothing but
AllDifferents may have its values renamed; where rules speak of sums or order, a puzzle stays as it is. A data set may
have puzzles of other boards, too: `isomorphs` turns and reflects the marks of one.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

from satdoku.puzzle import Board, Puzzle, members
from satdoku.symmetries import Shuffle, freedom, moved_boards
from satdoku.variants.boxes import Box, box_of

T = TypeVar("T")
MISSES = 50  # images in a row that are there already, after which there are taken to be no more


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
        order, uniform = list(items), self._uniform
        for last in range(len(order) - 1, 0, -1):
            chosen = int(uniform() * (last + 1))  # `below`, without a call
            order[last], order[chosen] = order[chosen], order[last]
        return order


def shuffled(puzzle: Puzzle, shuffle: Shuffle, draws: Draws) -> Puzzle:
    """The puzzle with its values renamed and its cells moved, as far as `shuffle` says."""
    if shuffle is Shuffle.NONE:
        return puzzle
    kept = ((puzzle.board, range(puzzle.board.cells)),)
    return _image(puzzle, *_drawn(puzzle, shuffle, kept, draws))


def isomorphs(puzzle: Puzzle, draws: Draws, number: int) -> list[Puzzle]:
    """Different puzzles that symmetries make of one, with its solution if it has one; fewer if there are not so many.

    A board that is not plain is turned and reflected with its marks, as far as they say the same there.
    """
    movable, boards = freedom(puzzle.board), moved_boards(puzzle.board)
    images, missed = dict[object, Puzzle](), 0
    while len(images) < number and missed < MISSES:
        one = _image(puzzle, *_drawn(puzzle, movable, boards, draws))
        key = one.board, one.candidates
        missed = missed + 1 if key in images else 0
        images.setdefault(key, one)
    return list(images.values())


def _drawn(
    puzzle: Puzzle, movable: Shuffle, boards: Sequence[tuple[Board, Sequence[int]]], draws: Draws
) -> tuple[Board, Sequence[int], list[int]]:
    """A symmetry: the board that it leads to, for each of its cells the one that moves there, names of values."""
    board, box = puzzle.board, box_of(puzzle.board)
    values = range(1, board.values + 1)
    names = [0, *(draws.shuffled(values) if movable is not Shuffle.NONE else values)]
    if movable is Shuffle.ALL and box is not None:
        return board, _places(box, draws), names
    return *boards[draws.below(len(boards))], names


def _image(puzzle: Puzzle, board: Board, places: Sequence[int], names: Sequence[int]) -> Puzzle:
    solution = puzzle.solution
    renamed = {1 << value: 1 << name for value, name in enumerate(names)}
    renamed |= {board.every_value: board.every_value}
    for allowed in {*puzzle.candidates} - renamed.keys():
        renamed[allowed] = sum(1 << names[value] for value in members(allowed))
    # A puzzle has no candidates of auxiliary cells, and a solution has none of layers; places of these stay.
    moved = tuple(renamed[puzzle.candidates[cell]] for cell in places[: board.cells])
    solved = None if solution is None else tuple(names[solution[cell]] for cell in places[: len(solution)])
    return Puzzle(
        board,
        moved,
        puzzle.name,
        title=puzzle.title,
        author=puzzle.author,
        rules=puzzle.rules,
        solution=solved,
        not_enforced=puzzle.not_enforced,
    )


def _places(box: Box, draws: Draws) -> Sequence[int]:
    """For each cell of the new layout, the cell that moves there."""

    def lines(groups: int, width: int) -> list[int]:
        """Rows in new order: whole bands change places, and rows within a band; or the like of columns."""
        order = draws.shuffled(range(groups))
        return [group * width + line for group in order for line in draws.shuffled(range(width))]

    rows, columns = lines(box.columns, box.rows), lines(box.rows, box.columns)
    side = box.size
    if box.rows == box.columns and draws.below(2):
        return [column * side + row for row in rows for column in columns]
    return [row * side + column for row in rows for column in columns]
