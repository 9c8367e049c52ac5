"""Groups of cells without repeats: boxes and regions, and besides them diagonals, windows, extra regions, disjoint
groups."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import isqrt

from satdoku.constraints import AllDifferent
from satdoku.errors import InputError, PuzzleError
from satdoku.puzzle import MAX_VALUES, Board, Mark, Size
from satdoku.variants import Constraints, Frame, Kinds, Shape, Strokes, build, kinds, label, needs
from satdoku.variants.drawing import fill
from satdoku.variants.relations import number
from satdoku.variants.strokes import INK, Layer, Line, outlines

KINDS = Kinds()
DIAGONAL = "#9ec5e8"
WINDOW = "#dfeaf2"


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
        """`2x3` is 2 rows x 3 columns; raises InputError for another text, TypeError for what is not a text."""
        if not isinstance(text, str):
            raise TypeError(f'box is {text!r}: expected a text such as "2x3"')
        rows, cross, columns = text.lower().partition("x")
        if not (cross and rows.isascii() and rows.isdigit() and columns.isascii() and columns.isdigit()):
            raise InputError(f"box {text!r}: expected RxC, rows x columns, such as 3x3 or 2x3")
        return cls(int(rows[:9]), int(columns[:9]))

    @classmethod
    def of_size(cls, size: int | Size, cells: int | None = None) -> Box | None:
        """The usual box: of so many cells, by default as many as the longer side of the board has, square or else the
        squarest that tiles it, R < C if it may; None if there is none, as where that number is prime."""
        size = Size.of(size) if isinstance(size, int) else size
        cells = max(size.rows, size.columns) if cells is None else cells
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
    for name, side in (("rows", rows), ("columns", columns)):
        if isinstance(side, bool) or not isinstance(side, int):
            raise TypeError(f"{name} is {side!r}: expected a whole number, the {name} of a box")
    return build(rows * columns, (Mark("boxes", value=str(Box(rows, columns))),))


def box_of(board: Board) -> Box | None:
    return next((Box.parse(str(mark.value)) for mark in board.marks if mark.kind == "boxes"), None)


def plain(board: Board) -> bool:
    """Whether it is N x N, and rows, columns and boxes are its only rules, and all of them are drawn."""
    whole = board.size.square and len(board.constraints) == 3 * board.values
    return whole and [mark.kind for mark in board.marks] == ["boxes"]


def _borders(frame: Frame, mark: Mark) -> Strokes:
    for rule in kinds()[mark.kind].lower(frame, mark):
        lines = outlines(frame.positions(rule.cells), 0)
        yield from (Line(points, INK, 0.06, closed=True, layer=Layer.GRID) for points in lines)


@KINDS.add("boxes", Shape.RULE, needs("R rows x C columns, such as 3x3", text=True), draw=_borders)
def _lower(frame: Frame, mark: Mark) -> Constraints:
    """Each box, within bold lines, holds no digit twice."""
    box = Box.parse(str(mark.value))
    size = frame.size
    if (size.square and box.size != size.rows) or size.rows % box.rows or size.columns % box.columns:
        raise PuzzleError(f"boxes of {box} do not tile a {size.shape} grid")
    corners = product(frame.rows[:: box.rows], frame.columns[:: box.columns])
    for place, (top, left) in enumerate(corners, 1):
        cells = product(range(top, top + box.rows), range(left, left + box.columns))
        yield AllDifferent(frame.cells(tuple(cells)), f"box {place}")


@KINDS.add("region", Shape.CELLS, draw=_borders)
def _region(frame: Frame, mark: Mark) -> Constraints:
    """Each region, within bold lines, holds no digit twice."""
    if frame.size.square and len(mark.cells) != frame.size.rows:
        raise PuzzleError(f"{len(mark.cells)} cells at {label(mark.cells[0])}: expected {frame.size.rows}")
    order = [other for other in frame.marks if other.kind == "region"].index(mark) + 1
    yield AllDifferent(frame.cells(mark.cells), f"region {order}")


def _draw_diagonal(frame: Frame, mark: Mark) -> Strokes:
    end = _square(frame) + 0.5
    left, right = (end, 0.5) if mark.kind == "diagonal+" else (0.5, end)
    yield Line(((left, 0.5), (right, end)), DIAGONAL, 0.08)


def _draw_windows(frame: Frame, mark: Mark) -> Strokes:
    for window in _windoku(frame, mark):
        yield from fill(frame.positions(window.cells), WINDOW)


def _draw_extra(frame: Frame, mark: Mark) -> Strokes:
    yield from fill(mark.cells, WINDOW)
    yield from (Line(points, DIAGONAL, 0.06, closed=True) for points in outlines(mark.cells, 0.06))


@KINDS.add("diagonal+", Shape.RULE, fpuzzles="diagonal+", draw=_draw_diagonal)
def _rising(frame: Frame, mark: Mark) -> Constraints:
    """The diagonal from bottom left to top right holds every digit once."""
    last = _square(frame)
    positions = tuple((last + 1 - column, column) for column in frame.columns)
    yield AllDifferent(frame.cells(positions), "rising diagonal")


@KINDS.add("diagonal-", Shape.RULE, fpuzzles="diagonal-", draw=_draw_diagonal)
def _falling(frame: Frame, mark: Mark) -> Constraints:
    """The diagonal from top left to bottom right holds every digit once."""
    yield AllDifferent(frame.cells(tuple((index, index) for index in range(1, _square(frame) + 1))), "falling diagonal")


def _square(frame: Frame) -> int:
    if frame.size.rows != frame.size.columns:
        raise PuzzleError(f"a diagonal needs as many rows as columns, and this board is {frame.size.shape}")
    return frame.size.rows


@KINDS.add("windoku", Shape.RULE, aliases=("hyper-sudoku",), draw=_draw_windows)
def _windoku(frame: Frame, mark: Mark) -> Constraints:
    """The shaded windows between the boxes hold every digit once."""
    box = boxes_of(frame)
    tops = range(2, frame.size.rows - box.rows + 1, box.rows + 1)
    lefts = range(2, frame.size.columns - box.columns + 1, box.columns + 1)
    for top, left in product(tops, lefts):
        cells = tuple(product(range(top, top + box.rows), range(left, left + box.columns)))
        yield AllDifferent(frame.cells(cells), f"window at {label((top, left))}")


@KINDS.add("disjoint-groups", Shape.RULE, fpuzzles="disjointgroups")
def _disjoint(frame: Frame, mark: Mark) -> Constraints:
    """Cells at the same place of their boxes differ."""
    boxes_of(frame)
    for place, cells in enumerate(zip(*frame.regions, strict=True), 1):
        yield AllDifferent(cells, f"disjoint group {place}")


@KINDS.add("disjoint-group", Shape.RULE, needs("the place in the box"))
def _one_place(frame: Frame, mark: Mark) -> Constraints:
    """The cells at that one place of their boxes, counted by rows, differ."""
    place, places = number(mark), boxes_of(frame).size
    if not 1 <= place <= places:
        raise PuzzleError(f"value {place}: expected a place from 1 to {places}")
    yield AllDifferent(tuple(region[place - 1] for region in frame.regions), f"disjoint group {place}")


@KINDS.add("extra-region", Shape.CELLS, fpuzzles="extraregion", draw=_draw_extra)
def _extra(frame: Frame, mark: Mark) -> Constraints:
    """Shaded cells differ."""
    yield AllDifferent(frame.cells(mark.cells), f"extra region at {label(mark.cells[0])}")


def boxes_of(frame: Frame) -> Box:
    box = next((Box.parse(str(mark.value)) for mark in frame.marks if mark.kind == "boxes"), None)
    if box is None:
        raise PuzzleError("this rule needs boxes of one shape, and the board has none")
    return box
