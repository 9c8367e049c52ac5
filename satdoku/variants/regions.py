"""Further groups of cells without repeats: diagonals, windows, extra regions, disjoint groups."""

from itertools import product

from satdoku.constraints import AllDifferent
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Constraints, Frame, Kinds, Shape, Strokes, label, needs
from satdoku.variants.boxes import Box
from satdoku.variants.drawing import fill
from satdoku.variants.relations import number
from satdoku.variants.strokes import Line, outlines

DIAGONAL = "#9ec5e8"
WINDOW = "#dfeaf2"

KINDS = Kinds()


def _draw_rising(frame: Frame, mark: Mark) -> Strokes:
    end = _square(frame) + 0.5
    yield Line(((end, 0.5), (0.5, end)), DIAGONAL, 0.08)


def _draw_falling(frame: Frame, mark: Mark) -> Strokes:
    end = _square(frame) + 0.5
    yield Line(((0.5, 0.5), (end, end)), DIAGONAL, 0.08)


def _draw_windows(frame: Frame, mark: Mark) -> Strokes:
    for window in _windoku(frame, mark):
        yield from fill(frame.positions(window.cells), WINDOW)


def _draw_extra(frame: Frame, mark: Mark) -> Strokes:
    yield from fill(mark.cells, WINDOW)
    yield from (Line(points, DIAGONAL, 0.06, closed=True) for points in outlines(mark.cells, 0.06))


@KINDS.add("diagonal+", Shape.RULE, fpuzzles="diagonal+", draw=_draw_rising)
def _rising(frame: Frame, mark: Mark) -> Constraints:
    """The diagonal from bottom left to top right holds every digit once."""
    last = _square(frame)
    positions = tuple((last + 1 - column, column) for column in frame.columns)
    yield AllDifferent(frame.cells(positions), "rising diagonal")


@KINDS.add("diagonal-", Shape.RULE, fpuzzles="diagonal-", draw=_draw_falling)
def _falling(frame: Frame, mark: Mark) -> Constraints:
    """The diagonal from top left to bottom right holds every digit once."""
    yield AllDifferent(frame.cells(tuple((index, index) for index in range(1, _square(frame) + 1))), "falling diagonal")


def _square(frame: Frame) -> int:
    """The rows of a board that has as many columns; raises PuzzleError for another."""
    if frame.size.rows != frame.size.columns:
        raise PuzzleError(f"a diagonal needs as many rows as columns, and this board is {frame.size.shape}")
    return frame.size.rows


@KINDS.add("windoku", Shape.RULE, draw=_draw_windows)
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
