"""Boxes of R rows x C columns, and the irregular regions that stand in their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from satdoku.constraints import AllDifferent
from satdoku.errors import InputError, PuzzleError
from satdoku.puzzle import Board, Mark
from satdoku.variants import Frame, Kind, Shape, Value, build, kinds, label
from satdoku.variants.strokes import INK, Layer, Line, Stroke, outlines

MOST_VALUES = 256
"""The largest N that readers accept, so that a mistaken option cannot ask for a board of gigabytes."""


@dataclass(frozen=True, slots=True)
class Box:
    """The shape of a box. Raises PuzzleError unless both sides are at least 2 and N at most 256."""

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 2 or self.size > MOST_VALUES:
            raise PuzzleError(f"a box of {self} cannot be: both sides are at least 2, and their product at most 256")

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def size(self) -> int:
        """N, the number of values and of cells in a box."""
        return self.rows * self.columns

    @classmethod
    def parse(cls, text: str) -> Box:
        """`2x3` is 2 rows x 3 columns; raises InputError for anything else."""
        rows, cross, columns = text.lower().partition("x")
        if not (cross and rows.isascii() and rows.isdigit() and columns.isascii() and columns.isdigit()):
            raise InputError(f"box {text!r}: expected RxC, rows x columns, such as 3x3 or 2x3")
        return cls(int(rows[:9]), int(columns[:9]))

    @classmethod
    def of_size(cls, size: int) -> Box | None:
        """The usual box of an N x N board: square, else the squarest with R < C; None if N is prime."""
        for rows in range(isqrt(size), 1, -1):
            if size % rows == 0:
                return cls(rows, size // rows)
        return None


@lru_cache(maxsize=64)
def classic(rows: int, columns: int) -> Board:
    """The plain board with boxes of a shape; cached, so that puzzles share it.

    Parameters:
        rows, columns: of a box; both at least 2, and their product at most 256.

    Returns:
        The board.

    Raises:
        PuzzleError: there are no such boxes.

    Example:
        >>> import satdoku
        >>> board = satdoku.classic(2, 3)
        >>> board.cells, board.values, len(board.constraints)
        (36, 6, 18)
    """
    return build(rows * columns, (Mark("boxes", value=str(Box(rows, columns))),))


def box_of(board: Board) -> Box | None:
    """The shape of the board's boxes, None where it has none of one shape."""
    return next((Box.parse(str(mark.value)) for mark in board.marks if mark.kind == "boxes"), None)


def plain(board: Board) -> bool:
    """Whether rows, columns and boxes are its only rules, and all of them are drawn."""
    return [mark.kind for mark in board.marks] == ["boxes"] and len(board.constraints) == 3 * board.values


def _lower(frame: Frame, mark: Mark) -> Iterator[AllDifferent]:
    box = Box.parse(str(mark.value))
    if box.size != frame.size:
        raise PuzzleError(f"boxes of {box} do not tile a {frame.size}x{frame.size} grid")
    for number in range(frame.size):
        band, stack = divmod(number, box.rows)
        first = band * box.rows * frame.size + stack * box.columns
        cells = (first + row * frame.size + column for row in range(box.rows) for column in range(box.columns))
        yield AllDifferent(tuple(cells), f"box {number + 1}")


def _region(frame: Frame, mark: Mark) -> Iterator[AllDifferent]:
    if len(mark.cells) != frame.size:
        raise PuzzleError(f"{len(mark.cells)} cells at {label(mark.cells[0])}: expected {frame.size}")
    number = [other for other in frame.marks if other.kind == "region"].index(mark) + 1
    yield AllDifferent(frame.cells(mark.cells), f"region {number}")


def _borders(frame: Frame, mark: Mark) -> Iterator[Stroke]:
    """A bold line around each box or region."""
    for rule in kinds()[mark.kind].lower(frame, mark):
        cells = ((cell // frame.size + 1, cell % frame.size + 1) for cell in rule.cells)
        yield from (Line(points, INK, 0.06, closed=True, layer=Layer.GRID) for points in outlines(cells, 0))


KINDS = (
    Kind(
        "boxes",
        "boxes",
        Shape.RULE,
        "Boxes of R x C cells within bold lines hold every digit once.",
        _lower,
        value=Value(required=True, meaning="R rows x C columns, such as 3x3"),
        draw=_borders,
    ),
    Kind(
        "region",
        "regions",
        Shape.CELLS,
        "A region of N cells within bold lines holds every digit once.",
        _region,
        draw=_borders,
    ),
)
