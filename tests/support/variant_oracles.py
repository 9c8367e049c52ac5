"""What each kind of mark says, in its own words, over the values of a grid; and random marks of each kind.

The oracles of groups, neighbours and lines are here, all others in `variant_sum_oracles`; importing this enters both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support import variant_sum_oracles as variant_sum_oracles
from support.variant_drawing import MAKERS as MAKERS
from support.variant_drawing import ORACLES as ORACLES
from support.variant_drawing import Drawing as Drawing
from support.variant_drawing import Maker as Maker
from support.variant_drawing import Oracle as Oracle
from support.variant_drawing import Values as Values
from support.variant_drawing import along as along
from support.variant_drawing import distinct as distinct
from support.variant_drawing import draw as draw
from support.variant_drawing import grids as grids
from support.variant_drawing import line_mark as line_mark
from support.variant_drawing import maker as maker
from support.variant_drawing import obeys as obeys
from support.variant_drawing import one_of as one_of
from support.variant_drawing import oracle as oracle
from support.variant_drawing import outside as outside
from support.variant_drawing import patch as patch
from support.variant_drawing import walk as walk
from support.variant_drawing import within as within

# Boxes, regions, and further groups of cells


@oracle("boxes")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    height, width = map(int, str(mark.value).split("x"))
    boxes: dict[Position, set[int]] = {}
    for (row, column), value in at.items():
        boxes.setdefault(((row - 1) // height, (column - 1) // width), set()).add(value)
    return len(boxes) == drawing.size and all(len(values) == drawing.size for values in boxes.values())


@maker("boxes")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    shapes = [(height, drawing.size // height) for height in range(2, drawing.size) if drawing.size % height == 0]
    height, width = rng.choice([shape for shape in shapes if shape[1] > 1])
    return Mark(kind, value=f"{height}x{width}")


@oracle("region", "extra-region")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at))


@maker("region")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, patch(rng, drawing, drawing.size, drawing.size))


@maker("extra-region")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, patch(rng, drawing, 2, drawing.size))


@oracle("diagonal+")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct([value for (row, column), value in at.items() if row + column == drawing.size + 1])


@oracle("diagonal-")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct([value for (row, column), value in at.items() if row == column])


@oracle("windoku")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
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
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    (boxes,) = drawing.marks_of("boxes")
    height, width = map(int, str(boxes.value).split("x"))
    places: dict[Position, list[int]] = {}
    for (row, column), value in at.items():
        places.setdefault(((row - 1) % height, (column - 1) % width), []).append(value)
    return all(map(distinct, places.values()))


def _alike(drawing: Drawing, at: Values, moves: set[Position]) -> bool:
    """Whether two cells that are one of these (sorted) distances apart hold the same value."""
    return any(
        at[here] == at[there] and tuple(sorted((abs(here[0] - there[0]), abs(here[1] - there[1])))) in moves
        for here in drawing.positions
        for there in drawing.positions
    )


@oracle("anti-knight")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not _alike(drawing, at, {(1, 2)})


@oracle("anti-king")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not _alike(drawing, at, {(0, 1), (1, 1)})


@maker(
    "diagonal+",
    "diagonal-",
    "windoku",
    "disjoint-groups",
    "anti-knight",
    "anti-king",
    "nonconsecutive",
    "negative-ratio",
    "negative-xv",
)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind)


# Neighbours


@oracle("difference")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    low, high = sorted(within(mark, at))
    return high - low == (1 if mark.value is None else mark.value)


@oracle("ratio")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    low, high = sorted(within(mark, at))
    return high == low * (2 if mark.value is None else int(mark.value))


@oracle("xv")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(within(mark, at)) == {"X": 10, "V": 5}[str(mark.value)]


@maker("difference", "ratio", "xv")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    values = {"difference": (None, None, 1, 2, 3, 0), "ratio": (None, None, 2, 3, 4, 1), "xv": ("V", "V", "X")}
    edge = list(rng.choice(list(drawing.edges())))
    rng.shuffle(edge)
    return Mark(kind, tuple(edge), value=rng.choice(values[kind]))


def _undrawn(drawing: Drawing, at: Values, *kinds: str) -> Iterator[tuple[int, int]]:
    """The values of neighbours that no mark of these kinds joins, the smaller first."""
    joined = [set(mark.cells) for mark in drawing.marks_of(*kinds)]
    for here, there in drawing.edges():
        if {here, there} not in joined:
            yield min(at[here], at[there]), max(at[here], at[there])


@oracle("nonconsecutive")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(high != low + 1 for low, high in _undrawn(drawing, at, "difference", "ratio"))


@oracle("negative-ratio")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    drawn = [2 if dot.value is None else int(dot.value) for dot in drawing.marks_of("ratio")] or [2]
    return all(high != low * ratio for low, high in _undrawn(drawing, at, "difference", "ratio") for ratio in drawn)


@oracle("negative-xv")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(low + high not in (5, 10) for low, high in _undrawn(drawing, at, "xv"))


# Lines


@oracle("thermometer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return values == sorted(set(values))


@oracle("slow-thermometer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return along(mark, at) == sorted(along(mark, at))


@oracle("whispers")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    apart = 5 if mark.value is None else int(mark.value)
    return all(max(two) >= min(two) + apart for two in pairwise(along(mark, at)))


@oracle("renban")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = sorted(at[position] for position in set(mark.lines[0]))
    return values == list(range(values[0], values[0] + len(values)))


@oracle("nabner")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = sorted(at[position] for position in set(mark.lines[0]))
    return all(high > low + 1 for low, high in pairwise(values))


@oracle("palindrome")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return along(mark, at) == along(mark, at)[::-1]


@cache
def third(digits: range, digit: int) -> str:
    """Thirds as equal as they can be, the low as large as the high: 1|23|4, 12|3|45, 12|34|56."""
    size, value = len(digits), digits.index(digit) + 1
    low = next(low for low in range(size) if 2 * low <= size and abs((size - 2 * low) - low) <= 1)
    return "low" if value <= low else "high" if value > size - low else "middle"


@oracle("entropic")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    thirds = [third(drawing.digits, value) for value in along(mark, at)]
    windows = [thirds[index : index + 3] for index in range(len(thirds))]
    return all(len(set(window)) == len(window) for window in windows)


@oracle("modular")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    rests = [value % 3 for value in along(mark, at)]
    return all(distinct(rests[index : index + 3]) for index in range(len(rests)))


@oracle("between")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at)
    return all(min(first, last) < value < max(first, last) for value in between)


@oracle("zipper")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    sums = {values[index] + values[-1 - index] for index in range(len(values) // 2)}
    if len(values) % 2:
        sums.add(values[len(values) // 2])
    return len(sums) <= 1


@oracle("double-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at)
    return first + last == sum(between)


@oracle("region-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    sums: list[int] = []
    before: list[Position] = []
    for position in mark.lines[0]:
        if position in before:
            sums[-1] += at[position]
        else:
            sums.append(at[position])
            before = drawing.region(position)
    return len(set(sums)) == 1


@maker("thermometer", "nabner", "renban")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return line_mark(kind, walk(rng, drawing, 2, min(5, drawing.size)))


@maker("slow-thermometer", "palindrome", "modular", "entropic", "between")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return line_mark(kind, walk(rng, drawing, 2, 5))


@maker("zipper", "double-arrow", "region-sum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return line_mark(kind, walk(rng, drawing, 3, 7))


@maker("whispers")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    usual = (None,) if drawing.size > 5 else (1, 2, 2, 2, 3, None)
    return line_mark(kind, walk(rng, drawing, 2, 5), rng.choice(usual))
