"""Sums: cages, arrows, little killers, zippers, double arrows, region sums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from satdoku.constraints import AllDifferent, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Frame, Kind, Shape, Value, label
from satdoku.variants.relations import number


def _equal(left: tuple[int, ...], right: tuple[int, ...], name: str) -> Linear:
    """The cells of `left` add up to as much as those of `right`."""
    return Linear(left + right, (1,) * len(left) + (-1,) * len(right), 0, name)


def _cage(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Linear]:
    cells = frame.cells(mark.cells)
    place = label(mark.cells[0])
    yield AllDifferent(cells, f"cage at {place}")
    if mark.value is not None:
        yield Linear(cells, (1,) * len(cells), number(mark), f"cage {mark.value} at {place}")


def _arrow(frame: Frame, mark: Mark) -> Iterator[Linear]:
    # A bulb of several cells is a number in base 10, read left to right or top to bottom.
    bulb = frame.cells(tuple(sorted(mark.cells)))
    weights = tuple(10**power for power in reversed(range(len(bulb))))
    for line in mark.lines:
        shaft = frame.cells(line)
        name = f"arrow {label(mark.cells[0])}-{label(line[-1])}"
        yield Linear(bulb + shaft, weights + (-1,) * len(shaft), 0, name)


def _little_killer(frame: Frame, mark: Mark) -> Iterator[Linear]:
    cells = frame.cells(mark.lines[0])
    yield Linear(cells, (1,) * len(cells), number(mark), f"little killer {mark.value} at {label(mark.cells[0])}")


def _zipper(frame: Frame, mark: Mark) -> Iterator[Linear]:
    line = mark.lines[0]
    cells = frame.cells(line)
    middle = len(cells) // 2
    teeth = [(cells[index], cells[-1 - index]) for index in range(middle)]
    sums: list[tuple[int, ...]] = [*teeth, (cells[middle],)] if len(cells) % 2 else [*teeth]
    for left, right in pairwise(sums):
        yield _equal(left, right, f"zipper {_ends(mark)}")


def _double_arrow(frame: Frame, mark: Mark) -> Iterator[Linear]:
    name = f"double arrow {_ends(mark)}"
    first, *between, last = frame.cells(mark.lines[0])
    yield _equal((first, last), tuple(between), name)


def _region_sum(frame: Frame, mark: Mark) -> Iterator[Linear]:
    # The line is cut each time it enters a region, so it may pass one twice.
    cells = frame.cells(mark.lines[0])
    for position, cell in zip(mark.lines[0], cells, strict=True):
        if cell not in frame.region_of:
            raise PuzzleError(f"{label(position)} is in no box or region")
    segments = [tuple(run) for _, run in groupby(cells, key=frame.region_of.get)]
    for left, right in pairwise(segments):
        yield _equal(left, right, f"region sum line {_ends(mark)}")


def _ends(mark: Mark) -> str:
    line = mark.lines[0]
    if len(line) < 2:
        raise PuzzleError(f"the line at {label(line[0])} has one cell: expected two or more")
    return f"{label(line[0])}-{label(line[-1])}"


KINDS = (
    Kind(
        "cage",
        "cages",
        Shape.CELLS,
        "The cells of a cage differ, and add up to the value if it has one.",
        _cage,
        Value(),
        "killercage",
    ),
    Kind(
        "arrow",
        "arrows",
        Shape.ARROW,
        "Each line adds up to the bulb; a bulb of several cells reads as a number.",
        _arrow,
        None,
        "arrow",
    ),
    Kind(
        "little-killer",
        "little killers",
        Shape.DIAGONAL,
        "The diagonal adds up to the value.",
        _little_killer,
        Value(required=True),
        "littlekillersum",
    ),
    Kind(
        "zipper",
        "zippers",
        Shape.LINE,
        "Cells as far from either end add up to the same, which is the middle cell if there is one.",
        _zipper,
        None,
        "zipperline",
    ),
    Kind(
        "double-arrow",
        "double arrows",
        Shape.LINE,
        "The cells between the ends add up to the two ends.",
        _double_arrow,
        None,
        "doublearrow",
    ),
    Kind(
        "region-sum",
        "region sum lines",
        Shape.LINE,
        "The line adds up to the same in each region that it passes.",
        _region_sum,
        None,
        "regionsumline",
    ),
)
