"""Sums and products: cages, arrows, little killers, zippers, comparisons, digital roots."""

import re
from itertools import groupby, pairwise
from math import inf

from satdoku.constraints import AllDifferent, Automaton, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Constraints, Draw, Frame, Kinds, Shape, Strokes, Value, label, needs
from satdoku.variants.drawing import clue, corner, line, place, ringed
from satdoku.variants.relations import Cells, cells_of, diagonal_of, equal_sums, line_of, number, numbers
from satdoku.variants.strokes import DARK, PAPER, Area, Disc, Layer, Line, head, middle, outlines, pill, toward

ARROW = "#9a9a9a"
Ranges = tuple[tuple[float, float], ...]  # first and last of each run of sums that are allowed
SUM = re.compile(r"(?:(-?\d+(?: -?\d+)*) ?: ?)?(=|!=|<=|>=|<|>)? ?(-?\d+(?: -?\d+)*)")

KINDS = Kinds()


def _draw_cage(frame: Frame, mark: Mark) -> Strokes:
    for points in outlines(mark.cells, 0.08):
        yield Line(points, DARK, 0.03, closed=True, dashed=True, layer=Layer.OVER)
    yield from corner(mark.cells, mark.value)


def draw_arrow(tint: str) -> Draw:
    def draw(frame: Frame, mark: Mark) -> Strokes:
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


def draw_little_killer(frame: Frame, mark: Mark) -> Strokes:
    yield from clue(frame, mark)
    start, end = place(frame, mark), mark.lines[0][0]
    tip = toward(start, end, 0.62)
    yield Line((toward(start, end, 0.36), tip), DARK, 0.03)
    yield head(start, tip, DARK, 0.03, 0.12)


def _draw_zipper(frame: Frame, mark: Mark) -> Strokes:
    yield from line("#b9b4ee")(frame, mark)
    (points,) = mark.lines
    half, odd = divmod(len(points), 2)
    yield Disc(points[half] if odd else middle(points[half - 1 : half + 1]), 0.2, "#7d74d6")


@KINDS.add("cage", Shape.CELLS, Value(meaning="the total"), fpuzzles="killercage", aliases=("killer-cage",))
@KINDS.also(draw=_draw_cage)
def _cage(frame: Frame, mark: Mark) -> Constraints:
    """Dashed cage: its digits differ, and add up to the number if it has one."""
    cells = cells_of(frame, mark, "cage")
    yield AllDifferent(cells.cells, f"cage at {label(mark.cells[0])}")
    if mark.value is not None:
        yield cells.sum(number(mark))


@KINDS.add("arrow", Shape.ARROW, fpuzzles="arrow", draw=draw_arrow(ARROW))
def _arrow(frame: Frame, mark: Mark) -> Constraints:
    """Arrow: each shaft adds up to the number in the circle or pill."""
    # A bulb of several cells is a number in base 10, read left to right or top to bottom.
    bulb = frame.cells(tuple(sorted(mark.cells)))
    weights = tuple(10**power for power in reversed(range(len(bulb))))
    for points in mark.lines:
        shaft = frame.cells(points)
        name = f"arrow {label(mark.cells[0])}-{label(points[-1])}"
        yield Linear(bulb + shaft, weights + (-1,) * len(shaft), 0, name)


@KINDS.add("little-killer", Shape.DIAGONAL, needs("the total"), fpuzzles="littlekillersum", draw=draw_little_killer)
def _little_killer(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid with an arrow: the diagonal adds up to it."""
    yield diagonal_of(frame, mark, "little killer").sum(number(mark))


@KINDS.add("zipper", Shape.LINE, fpuzzles="zipperline", draw=_draw_zipper, aliases=("equal-sum-zipper",))
def _zipper(frame: Frame, mark: Mark) -> Constraints:
    """Lavender line: cells as far from either end add up to the same, which is the middle cell if there is one."""
    on = line_of(frame, mark, "zipper")
    middle, odd = divmod(len(on.cells), 2)
    teeth = [(on.cells[index], on.cells[-1 - index]) for index in range(middle)]
    sums: list[tuple[int, ...]] = [*teeth, *[(on.cells[middle],)] * odd]
    return (equal_sums(left, sums[-1], on.name) for left in sums[:-1])


@KINDS.add("double-arrow", Shape.LINE, fpuzzles="doublearrow", draw=line(ARROW, 0.06, Disc((0, 0), 0.4, PAPER, ARROW)))
def _double_arrow(frame: Frame, mark: Mark) -> Constraints:
    """Line between circles: the digits between the ends add up to the sum of the ends."""
    on = line_of(frame, mark, "double arrow")
    if len(on.cells) < 2:
        raise PuzzleError(f"the line at {label(mark.lines[0][0])} has one cell: expected two or more")
    first, *between, last = on.cells
    yield equal_sums((first, last), tuple(between), on.name)


@KINDS.add("region-sum", Shape.LINE, noun="line", fpuzzles="regionsumline", draw=line("#8fbcec"))
def _region_sum(frame: Frame, mark: Mark) -> Constraints:
    """Blue line: it adds up to the same in each box or region that it passes."""
    # The line is cut each time it enters a region, so it may pass one twice.
    regions = dict(zip(frame.cells(mark.lines[0]), map(frame.region_at, mark.lines[0]), strict=True))
    on = line_of(frame, mark, "region sum line")
    segments = [tuple(run) for _, run in groupby(on.cells, key=regions.__getitem__)]
    return (equal_sums(left, right, on.name) for left, right in pairwise(segments))


@KINDS.add("sum", Shape.CELLS, needs("the total, several, or a comparison such as >= 6", text=True))
@KINDS.also(aliases=("cage-with-repeats", "weighted-sum"))
def _sum(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells, which may repeat digits: they add up to the number, to one of several, or to less or more
    than it (>= 6); weights before a colon multiply the cells (2 -1: = 0)."""
    cells = cells_of(frame, mark, "sum")
    listed, ranges = compared(mark)
    weights = listed or (1,) * len(cells.cells)
    if len(weights) != len(cells.cells):
        raise PuzzleError(f"{len(weights)} weights for {len(cells.cells)} cells at {label(mark.cells[0])}")
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        yield Linear(cells.cells, weights, int(ranges[0][0]), cells.name)
    else:
        yield _weighted(cells, weights, ranges)


def compared(mark: Mark) -> tuple[tuple[int, ...], Ranges]:
    """The numbers before the colon of `2 -1: >= 6`, if any, and the sums that are allowed."""
    found = SUM.fullmatch(str(mark.value))
    totals = tuple(map(int, found[3].split())) if found else ()
    if not found or (len(totals) > 1 and found[2] not in (None, "=", "!=")):
        raise PuzzleError(f"value {mark.value!r}: expected a total, several, or one after < <= > >= or !=")
    return tuple(map(int, (found[1] or "").split())), _allowed(found[2] or "=", totals)


def _allowed(sign: str, totals: tuple[int, ...]) -> Ranges:
    match sign:
        case "=":
            return tuple((total, total) for total in sorted(totals))
        case "<" | "<=":
            return ((-inf, totals[0] - (sign == "<")),)
        case ">" | ">=":
            return ((totals[0] + (sign == ">"), inf),)
    return tuple((low + 1, high - 1) for low, high in pairwise((-inf, *sorted(totals), inf)))


def _weighted(cells: Cells, weights: tuple[int, ...], ranges: Ranges) -> Automaton:
    """The weighted sum lies in one of `ranges`. State: cells read, and the sum, 0 once any end of it is allowed."""
    ends = [sorted((weight * cells.values[0], weight * cells.values[-1])) for weight in weights]
    ahead = [(sum(low for low, _ in ends[i:]), sum(high for _, high in ends[i:])) for i in range(len(ends) + 1)]

    def step(state: tuple[int, int, bool], value: int) -> tuple[int, int, bool] | None:
        index, added, decided = state
        if decided:
            return state
        added += weights[index] * value
        least, most = added + ahead[index + 1][0], added + ahead[index + 1][1]
        if any(low <= least and most <= high for low, high in ranges):
            return 0, 0, True
        reachable = any(low <= most and least <= high for low, high in ranges)
        return (index + 1, added, False) if reachable else None

    return cells.automaton((0, 0, False), step, lambda state: state[2])


@KINDS.add("multisum-cage", Shape.CELLS, needs("the totals", several=True), aliases=("multi-sum-killer",))
def _multisum(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells with several numbers: they differ and add up to one of them."""
    cells = cells_of(frame, mark, "multisum cage")
    totals = numbers(mark, "totals, with blanks between")
    yield cells.different()
    yield _weighted(cells, (1,) * len(cells.cells), tuple((total, total) for total in totals))


@KINDS.add("digital-root", Shape.CELLS, needs("the digital root"), noun="cage")
def _digital_root(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells: they differ, and the digital root of their sum is the number."""
    cells, root = cells_of(frame, mark, "digital root cage"), number(mark)
    if not 1 <= root <= 9:
        raise PuzzleError(f"value {root}: expected a digital root from 1 to 9")
    yield cells.different()

    def step(state: int, value: int) -> int:
        return (state + value - 1) % 9 + 1 if state + value else 0

    yield cells.automaton(0, step, lambda state: state == root)


@KINDS.add("product", Shape.CELLS, needs("the product"), aliases=("product-cage",))
def _product(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells, which may repeat digits: they multiply to the number."""
    yield cells_of(frame, mark, "product").product(number(mark))


@KINDS.add("little-killer-product", Shape.DIAGONAL, needs("the product"), draw=draw_little_killer)
def _killer_product(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid with an arrow: the diagonal multiplies to it."""
    yield diagonal_of(frame, mark, "little killer product").product(number(mark))


@KINDS.add("quad-sum", Shape.CELLS, draw=ringed(), aliases=("ambiguous-arrow", "headless-arrow"))
def _quad_sum(frame: Frame, mark: Mark) -> Constraints:
    """Ringed cells: the greatest digit is the sum of the others."""
    # The state is the greatest value and the sum: in the end the sum is twice the greatest.
    cells = cells_of(frame, mark, "quad sum")

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        greatest, added = max(state[0], value), state[1] + value
        return (greatest, added) if added <= 2 * frame.values[-1] else None

    yield cells.automaton((0, 0), step, lambda state: state[1] == 2 * state[0] or len(cells.cells) == 1)


@KINDS.add("equal-sum", Shape.GROUPS, aliases=("equal-totals",))
def _equal_sum(frame: Frame, mark: Mark) -> Constraints:
    """Groups under one letter: each adds up to the same."""
    name = f"equal sums at {label(mark.lines[0][0])}"
    return (equal_sums(first, second, name) for first, second in pairwise(map(frame.cells, mark.lines)))


@KINDS.add("different-sum", Shape.GROUPS, aliases=("different-totals",))
def _different_sum(frame: Frame, mark: Mark) -> Constraints:
    """Groups under one letter: no two of them add up to the same."""
    name, first = f"different sums at {label(mark.lines[0][0])}", frame.values[0]
    totals: list[int] = []
    low, high = (
        choose(len(line) * end for line in mark.lines) for choose, end in ((min, first), (max, frame.values[-1]))
    )
    for cells in map(frame.cells, mark.lines):
        totals.append(frame.auxiliary(high - low + 1))
        yield Linear((*cells, totals[-1]), (*(1,) * len(cells), -1), low - first, name)
    yield AllDifferent(tuple(totals), name)
