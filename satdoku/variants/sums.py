"""Sums: cages, arrows, little killers, zippers, double arrows, region sums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from satdoku.constraints import AllDifferent, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Draw, Frame, Kinds, Shape, Value, label, needs
from satdoku.variants.drawing import clue, corner, line, place
from satdoku.variants.relations import number
from satdoku.variants.strokes import DARK, PAPER, Area, Disc, Layer, Line, Stroke, head, middle, outlines, pill, toward


def _equal(left: tuple[int, ...], right: tuple[int, ...], name: str) -> Linear:
    """The cells of `left` add up to as much as those of `right`."""
    return Linear(left + right, (1,) * len(left) + (-1,) * len(right), 0, name)


KINDS = Kinds()

ARROW = "#9a9a9a"


def _draw_cage(frame: Frame, mark: Mark) -> Iterator[Stroke]:
    for points in outlines(mark.cells, 0.08):
        yield Line(points, DARK, 0.03, closed=True, dashed=True, layer=Layer.OVER)
    yield from corner(mark.cells, mark.value)


def draw_arrow(tint: str) -> Draw:
    """A bulb, and an arrow along each line."""

    def draw(frame: Frame, mark: Mark) -> Iterator[Stroke]:
        bulb = sorted(mark.cells)
        for points in mark.lines:
            nearest = min(bulb, key=lambda cell: abs(cell[0] - points[0][0]) + abs(cell[1] - points[0][1]))
            way = (nearest, *points)
            yield Line((toward(nearest, points[0], 0.4), *points), tint, 0.06)
            yield head(way[-2], way[-1], tint, 0.06)
        outline = pill(bulb[0], bulb[-1], 0.4)
        yield Area(outline, PAPER)
        yield Line(outline, tint, 0.06, closed=True)

    return draw


def draw_little_killer(frame: Frame, mark: Mark) -> Iterator[Stroke]:
    yield from clue(frame, mark)
    start, end = place(frame, mark), mark.lines[0][0]
    tip = toward(start, end, 0.62)
    yield Line((toward(start, end, 0.36), tip), DARK, 0.03)
    yield head(start, tip, DARK, 0.03, 0.12)


def _draw_zipper(frame: Frame, mark: Mark) -> Iterator[Stroke]:
    """A line with a tooth across the middle, where the two halves meet."""
    yield from line("#b9b4ee")(frame, mark)
    (points,) = mark.lines
    half, odd = divmod(len(points), 2)
    yield Disc(points[half] if odd else middle(points[half - 1 : half + 1]), 0.2, "#7d74d6")


@KINDS.add(
    "cage", Shape.CELLS, Value(meaning="the total"), fpuzzles="killercage", draw=_draw_cage, aliases=("killer-cage",)
)
def _cage(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Linear]:
    """Dashed cage: its digits differ, and add up to the number if it has one."""
    cells = frame.cells(mark.cells)
    place = label(mark.cells[0])
    yield AllDifferent(cells, f"cage at {place}")
    if mark.value is not None:
        yield Linear(cells, (1,) * len(cells), number(mark), f"cage {mark.value} at {place}")


@KINDS.add("arrow", Shape.ARROW, fpuzzles="arrow", draw=draw_arrow(ARROW))
def _arrow(frame: Frame, mark: Mark) -> Iterator[Linear]:
    """Arrow: each shaft adds up to the number in the circle or pill."""
    # A bulb of several cells is a number in base 10, read left to right or top to bottom.
    bulb = frame.cells(tuple(sorted(mark.cells)))
    weights = tuple(10**power for power in reversed(range(len(bulb))))
    for points in mark.lines:
        shaft = frame.cells(points)
        name = f"arrow {label(mark.cells[0])}-{label(points[-1])}"
        yield Linear(bulb + shaft, weights + (-1,) * len(shaft), 0, name)


@KINDS.add("little-killer", Shape.DIAGONAL, needs("the total"), fpuzzles="littlekillersum", draw=draw_little_killer)
def _little_killer(frame: Frame, mark: Mark) -> Iterator[Linear]:
    """Number outside the grid with an arrow: the diagonal adds up to it."""
    cells = frame.cells(mark.lines[0])
    yield Linear(cells, (1,) * len(cells), number(mark), f"little killer {mark.value} at {label(mark.cells[0])}")


@KINDS.add("zipper", Shape.LINE, fpuzzles="zipperline", draw=_draw_zipper, aliases=("equal-sum-zipper",))
def _zipper(frame: Frame, mark: Mark) -> Iterator[Linear]:
    """Lavender line: cells as far from either end add up to the same, which is the middle cell if there is one."""
    cells = frame.cells(mark.lines[0])
    middle = len(cells) // 2
    teeth = [(cells[index], cells[-1 - index]) for index in range(middle)]
    sums: list[tuple[int, ...]] = [*teeth, (cells[middle],)] if len(cells) % 2 else [*teeth]
    for left in sums[:-1]:
        yield _equal(left, sums[-1], f"zipper {_ends(mark)}")


@KINDS.add("double-arrow", Shape.LINE, fpuzzles="doublearrow", draw=line(ARROW, 0.06, Disc((0, 0), 0.4, PAPER, ARROW)))
def _double_arrow(frame: Frame, mark: Mark) -> Iterator[Linear]:
    """Line between circles: the digits between the ends add up to the sum of the ends."""
    name = f"double arrow {_ends(mark)}"
    first, *between, last = frame.cells(mark.lines[0])
    yield _equal((first, last), tuple(between), name)


@KINDS.add(
    "region-sum",
    Shape.LINE,
    plural="region sum lines",
    fpuzzles="regionsumline",
    draw=line("#8fbcec"),
    aliases=("region-sum-line",),
)
def _region_sum(frame: Frame, mark: Mark) -> Iterator[Linear]:
    """Blue line: it adds up to the same in each box or region that it passes."""
    # The line is cut each time it enters a region, so it may pass one twice.
    cells = frame.cells(mark.lines[0])
    for position, cell in zip(mark.lines[0], cells, strict=True):
        if cell not in frame.region_of:
            raise PuzzleError(f"{label(position)} is in no box or region")
    segments = [tuple(run) for _, run in groupby(cells, key=frame.region_of.get)]
    for left, right in pairwise(segments):
        yield _equal(left, right, f"region sum line {_ends(mark)}")


def _ends(mark: Mark) -> str:
    (points,) = mark.lines
    if len(points) < 2:
        raise PuzzleError(f"the line at {label(points[0])} has one cell: expected two or more")
    return f"{label(points[0])}-{label(points[-1])}"
