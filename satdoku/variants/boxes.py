"""Boxes of R rows x C columns, and the irregular regions that stand in their place."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import isqrt

from satdoku.constraints import AllDifferent
from satdoku.errors import InputError, PuzzleError
from satdoku.puzzle import MAX_VALUES, Board, Mark, Size
from satdoku.variants import Constraints, Frame, Kinds, Shape, Strokes, build, kinds, label, needs
from satdoku.variants.strokes import INK, Layer, Line, outlines


@dataclass(frozen=True, slots=True)
class Box:
    """The shape of a box. Raises PuzzleError unless both sides are at least 2 and N at most 256."""

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 2 or self.size > MAX_VALUES:
            raise PuzzleError(f"a box of {self} cannot be: both sides are at least 2, and their product at most 256")

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @classmethod
    def parse(cls, text: str) -> Box:
        """`2x3` is 2 rows x 3 columns; raises InputError for anything else."""
        rows, cross, columns = text.lower().partition("x")
        if not (cross and rows.isascii() and rows.isdigit() and columns.isascii() and columns.isdigit()):
            raise InputError(f"box {text!r}: expected RxC, rows x columns, such as 3x3 or 2x3")
        return cls(int(rows[:9]), int(columns[:9]))

    @classmethod
    def of_size(cls, size: int | Size) -> Box | None:
        """The usual box: of as many cells as the longer side of the board has, square or else the squarest that tiles
        it, R < C if it may; None if there is none, as where that number is prime."""
        size = Size.of(size) if isinstance(size, int) else size
        cells = max(size.rows, size.columns)
        for short in range(isqrt(cells), 1, -1):
            for rows, columns in ((short, cells // short), (cells // short, short)):
                if rows * columns == cells and size.rows % rows == size.columns % columns == 0:
                    return cls(rows, columns)
        return None


def classic(rows: int, columns: int) -> Board:
    """The plain board with boxes of a shape; `build` keeps boards, so that puzzles share it.

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
    return next((Box.parse(str(mark.value)) for mark in board.marks if mark.kind == "boxes"), None)


def plain(board: Board) -> bool:
    """Whether it is N x N, and rows, columns and boxes are its only rules, and all of them are drawn."""
    whole = board.size.square and len(board.constraints) == 3 * board.values
    return whole and [mark.kind for mark in board.marks] == ["boxes"]


KINDS = Kinds()


def _borders(frame: Frame, mark: Mark) -> Strokes:
    for rule in kinds()[mark.kind].lower(frame, mark):
        lines = outlines(frame.positions(rule.cells), 0)
        yield from (Line(points, INK, 0.06, closed=True, layer=Layer.GRID) for points in lines)


@KINDS.add("boxes", Shape.RULE, needs("R rows x C columns, such as 3x3"), draw=_borders)
def _lower(frame: Frame, mark: Mark) -> Constraints:
    """Boxes of R x C cells within bold lines hold no digit twice."""
    box = Box.parse(str(mark.value))
    size = frame.size
    if (size.square and box.size != size.rows) or size.rows % box.rows or size.columns % box.columns:
        raise PuzzleError(f"boxes of {box} do not tile a {size.shape} grid")
    corners = product(frame.rows[:: box.rows], frame.columns[:: box.columns])
    for number, (top, left) in enumerate(corners, 1):
        cells = product(range(top, top + box.rows), range(left, left + box.columns))
        yield AllDifferent(frame.cells(tuple(cells)), f"box {number}")


@KINDS.add("region", Shape.CELLS, draw=_borders)
def _region(frame: Frame, mark: Mark) -> Constraints:
    """A region of N cells within bold lines holds no digit twice."""
    if frame.size.square and len(mark.cells) != frame.size.rows:
        raise PuzzleError(f"{len(mark.cells)} cells at {label(mark.cells[0])}: expected {frame.size.rows}")
    number = [other for other in frame.marks if other.kind == "region"].index(mark) + 1
    yield AllDifferent(frame.cells(mark.cells), f"region {number}")
