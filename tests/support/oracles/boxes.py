"""Oracles of boxes, regions and further groups of cells."""

from __future__ import annotations

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import MarkedSquare, Values, distinct, within
from support.oracles.registry import oracle


@oracle("boxes")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    height, width = map(int, str(mark.value).split("x"))
    boxes: dict[Position, set[int]] = {}
    for (row, column), value in at.items():
        boxes.setdefault(((row - 1) // height, (column - 1) // width), set()).add(value)
    return len(boxes) == drawing.size and all(len(values) == drawing.size for values in boxes.values())


@oracle("region", "extra-region")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at))


@oracle("diagonal+")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return distinct([value for (row, column), value in at.items() if row + column == drawing.size + 1])


@oracle("diagonal-")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return distinct([value for (row, column), value in at.items() if row == column])


@oracle("windoku")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    """Windows are as large as boxes; they stand one cell apart from each other and from the edge."""
    (boxes,) = drawing.marks_of("boxes")
    height, width = map(int, str(boxes.value).split("x"))
    windows: dict[Position, list[int]] = {}
    for (row, column), value in at.items():
        down, inside_down = divmod(row - 2, height + 1)
        right, inside_right = divmod(column - 2, width + 1)
        if min(down, right) >= 0 and inside_down < height and inside_right < width:
            windows.setdefault((down, right), []).append(value)
    touches_edge = {
        (down, right)
        for down, right in windows
        if 2 + down * (height + 1) + height > drawing.size or 2 + right * (width + 1) + width > drawing.size
    }
    return all(distinct(values) for window, values in windows.items() if window not in touches_edge)


@oracle("disjoint-groups")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    (boxes,) = drawing.marks_of("boxes")
    height, width = map(int, str(boxes.value).split("x"))
    places: dict[Position, list[int]] = {}
    for (row, column), value in at.items():
        places.setdefault(((row - 1) % height, (column - 1) % width), []).append(value)
    return all(map(distinct, places.values()))


@oracle("disjoint-group")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return distinct([at[region[int(str(mark.value)) - 1]] for region in drawing.regions])
