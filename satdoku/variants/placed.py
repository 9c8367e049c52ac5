"""Several boards in one picture: where the marks of `boards.py` put them, and which cells they leave out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from satdoku.errors import PuzzleError
from satdoku.puzzle import MAX_VALUES, Mark, Position, Size
from satdoku.size import SparseSize
from satdoku.variants.places import label, name_of

BOARDS = "board"  # the kind of mark that puts a board into the picture
FORM = re.compile(r"(\S+?)(?: values (\S+))?")
MEANING = "its rows x columns, and its values where they are not 1 to the longer side, such as 9x9 or 6x6 values 0-5"


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """One of several boards: its size, the marks on it in its own coordinates, and where it begins.

    number: from 1, in the order of the marks
    corner: the position of its upper left cell in the picture
    """

    number: int
    corner: Position
    size: Size
    marks: tuple[Mark, ...] = ()
    name: str = ""

    @property
    def title(self) -> str:
        """`board 2`, or what its setter calls it."""
        return self.name or f"board {self.number}"

    @property
    def mark(self) -> Mark:
        """The mark that puts it there."""
        usual = self.size.digits == Size.of(self.size.rows, self.size.columns).digits
        value = self.size.shape if usual else f"{self.size.shape} values {self.size.range_text}"
        return Mark(BOARDS, (self.corner,), value=value, marks=self.marks, name=self.name)

    def place(self, position: Position) -> Position:
        """Where a position of the board, or one beside it, is in the picture; that of a variable is its own."""
        if name_of(position):
            return position
        return position[0] + self.corner[0] - 1, position[1] + self.corner[1] - 1

    def moved(self, positions: Iterable[Position]) -> tuple[Position, ...]:
        return tuple(map(self.place, positions))

    @property
    def places(self) -> tuple[Position, ...]:
        return self.moved(self.size.positions)


def placed(marks: Iterable[Mark]) -> list[PlacedBoard]:
    """The boards that marks put into the picture; raises PuzzleError."""
    every = (mark for mark in marks if mark.kind == BOARDS)
    return [_placed(number, mark) for number, mark in enumerate(every, 1)]


def placed_by(marks: Sequence[Mark], mark: Mark) -> PlacedBoard:
    """The board that one of the marks puts there."""
    return placed(marks)[[other for other in marks if other.kind == BOARDS].index(mark)]


def _placed(number: int, mark: Mark) -> PlacedBoard:
    try:
        form = FORM.fullmatch(str(mark.value))
        if form is None or len(mark.cells) != 1:
            raise PuzzleError(f"value {str(mark.value)[:40]!r}, {len(mark.cells)} cells: expected one, and {MEANING}")
        sides, values = Size.parse(form[1], form[2])
        assert sides is not None
        if name_of(mark.cells[0]) or min(mark.cells[0]) < 1:
            raise PuzzleError(f"at {label(mark.cells[0])}: expected a row and a column from 1, such as r1c7")
        return PlacedBoard(number, mark.cells[0], Size.of(*sides, values), mark.marks, mark.name)
    except PuzzleError as error:
        raise PuzzleError(f"{BOARDS}: {error}") from None


def laid_out(size: Size, marks: Iterable[Mark]) -> Size:
    """The size with the cells of the boards among the marks alone; itself where there is none. Raises PuzzleError for
    boards that do not fit, or have no value in common where they overlap."""
    boards = placed(marks)
    if not boards:
        return size
    values: dict[Position, range] = {}
    corners: dict[tuple[Position, str], PlacedBoard] = {}
    for board in boards:
        first = corners.setdefault((board.corner, board.size.shape), board)
        if first is not board:
            raise PuzzleError(f"{board.title} lies on {first.title}, at {label(board.corner)}: expected another place")
        digits, last = board.size.digits, board.places[-1]
        if last[0] > size.rows or last[1] > size.columns:
            raise PuzzleError(f"{board.title} ends at {label(last)}, outside the picture of {size.shape} cells")
        if digits[0] < size.digits[0] or digits[-1] > size.digits[-1]:
            raise PuzzleError(f"{board.title} has the values {board.size.span}: expected some of {size.span}")
        for place in board.places:
            other = values.get(place, digits)
            both = range(max(digits[0], other[0]), min(digits[-1], other[-1]) + 1)
            if not both:
                raise PuzzleError(f"{board.title} has the values {board.size.span}, and {label(place)} none of them")
            values[place] = both
    return SparseSize(size.rows, size.columns, size.digits, tuple(sorted(values)))


def around(boards: Iterable[PlacedBoard]) -> Size:
    """The smallest picture that holds boards, with all their values; raises PuzzleError for one that is too large."""
    every = list(boards)
    rows, columns = (max(sides) for sides in zip(*(board.places[-1] for board in every), strict=True))
    if max(rows, columns) > MAX_VALUES:
        raise PuzzleError(f"a picture of {rows}x{columns} cells: expected at most {MAX_VALUES} rows and columns")
    ends = list(chain.from_iterable((board.size.digits[0], board.size.digits[-1]) for board in every))
    return Size(rows, columns, range(min(ends), max(ends) + 1))
