"""Sums and products: cages, arrows, little killers, zippers, comparisons, digital roots; lines on which a state along
the line decides."""

import re
from itertools import groupby, pairwise
from math import inf

from satdoku.constraints import AllDifferent, Automaton, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Constraints, Draw, Frame, Kinds, Shape, Strokes, Value, label, needs
from satdoku.variants.drawing import clue, corner, line, place, ringed
from satdoku.variants.relations import CellList, cells_of, diagonal_of, equal_sums, line_of, number, numbers, text_of
from satdoku.variants.strokes import DARK, GREY, PAPER, Area, Disc, Layer, Line, head, middle, outlines, pill, toward

ARROW = "#9a9a9a"
Ranges = tuple[tuple[float, float], ...]  # first and last of each run of sums that are allowed
SUM = re.compile(r"(?:(-?\d+(?: -?\d+)*) ?: ?)?(=|!=|<=|>=|<|>)? ?(-?\d+(?: -?\d+)*)")
KINDS = Kinds()
DONE, NONE = -1, -2


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
    parts = SUM.fullmatch(text_of(mark))
    totals = tuple(map(int, parts[3].split())) if parts else ()
    if not parts or (len(totals) > 1 and parts[2] not in (None, "=", "!=")):
        raise PuzzleError(f"value {mark.value!r}: expected a total, several, or one after < <= > >= or !=")
    return tuple(map(int, (parts[1] or "").split())), _allowed(parts[2] or "=", totals)


def _allowed(sign: str, totals: tuple[int, ...]) -> Ranges:
    match sign:
        case "=":
            return tuple((total, total) for total in sorted(totals))
        case "<" | "<=":
            return ((-inf, totals[0] - (sign == "<")),)
        case ">" | ">=":
            return ((totals[0] + (sign == ">"), inf),)
    return tuple((low + 1, high - 1) for low, high in pairwise((-inf, *sorted(totals), inf)))


def _weighted(cells: CellList, weights: tuple[int, ...], ranges: Ranges) -> Automaton:
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
    low = min(len(line) * first for line in mark.lines)
    high = max(len(line) * frame.values[-1] for line in mark.lines)
    for cells in map(frame.cells, mark.lines):
        totals.append(frame.auxiliary(high - low + 1))
        yield Linear((*cells, totals[-1]), (*(1,) * len(cells), -1), low - first, name)
    yield AllDifferent(tuple(totals), name)


@KINDS.add("sum-line", Shape.LINE, Value(default=10, meaning="the total of each part"), aliases=("ten-line",))
@KINDS.also(draw=line("#b9c2b0"))
def _sum_line(frame: Frame, mark: Mark) -> Constraints:
    """Grey line: it splits into parts that each add up to the number, 10 if it has none; on a loop, which names its
    first cell again at its end, a part may go on past it."""
    # The state is the sum of the part that is being read.
    on, total = line_of(frame, mark, "sum line"), number(mark, 10, "a total of 1 or more")
    many = len(on.cells)
    if 0 in frame.values and many > 1:  # all cells of 0 would make no part at all
        yield on.count(bool, range(1, many + 1))
    if many > 2 and on.cells[0] == on.cells[-1]:
        yield _sum_loop(on.over(*on.cells[:-1]), total)
        return

    def step(added: int, value: int) -> int | None:
        return (added + value) % total if added + value <= total else None

    yield on.automaton(0, step, lambda added: not added or many == 1)  # a line of one cell holds


def _sum_loop(loop: CellList, total: int) -> Automaton:
    """Some rotation of the loop splits into parts: the loop is read once for each sum that the part in which it begins
    may have had before. State: (that sum, cells read since, sum of the part), or (DONE, 0, 0)."""

    def step(state: tuple[int, int, int], value: int) -> tuple[int, int, int] | None:
        before, index, added = state
        if before == DONE:
            return state
        # A sum that is out of reach waits for the end of the round.
        if added <= total:
            added = added + value if added + value != total else 0
        if index + 1 < len(loop.cells):
            return before, index + 1, min(added, total + 1)
        return (DONE, 0, 0) if added == before else (before - 1, 0, before - 1) if before else None

    rounds = loop.over(*loop.cells * total)
    return rounds.automaton((total - 1, 0, total - 1), step, lambda state: state[0] == DONE)


@KINDS.add("product-sum", Shape.LINE, plural="product-sum lines", aliases=("product-sum-line",))
@KINDS.also(draw=line("#cfae8a", 0.12, Disc((0, 0), 0.36, PAPER, "#a8763e")))
def _product_sum(frame: Frame, mark: Mark) -> Constraints:
    """Brown line: the digits between the ends add up to the product of the ends."""
    # State: how many ends were read, and the first of them, then what is left of their product.
    on = line_of(frame, mark, "product-sum line").ends_first()

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        ends, left = state
        if ends < 2:
            return ends + 1, left * value if ends else value
        return (2, left - value) if left >= value else None

    yield on.automaton((0, 0), step, lambda state: state == (2, 0) or len(on.cells) == 1)


@KINDS.add("split-pea", Shape.LINE, noun="line", draw=line("#a4cf7a", 0.12, Disc((0, 0), 0.36, PAPER, "#6a9c3b")))
def _split_pea(frame: Frame, mark: Mark) -> Constraints:
    """Green line between circles: the digits between them add up to the two-digit number that the digits in the
    circles make, in either order."""
    # State: how many ends were read, and the first of them, then what is left of both two-digit numbers.
    on = line_of(frame, mark, "split pea line").ends_first()

    def step(state: tuple[int, frozenset[int]], value: int) -> tuple[int, frozenset[int]] | None:
        ends, left = state
        if ends < 2:
            both = {number for one in left for number in (10 * one + value, 10 * value + one)}
            return ends + 1, frozenset(both if ends else {value})
        after = frozenset(one - value for one in left if one >= value)
        return (2, after) if after else None

    yield on.automaton((0, frozenset()), step, lambda s: len(on.cells) == 1 or (s[0] == 2 and 0 in s[1]))


@KINDS.add("magnet-sum", Shape.LINE, draw=line(GREY, 0.08, Disc((0, 0), 0.2, PAPER, "#c03b3b")))
def _magnet(frame: Frame, mark: Mark) -> Constraints:
    """Line from a circle: the digits before the first one above the digit in the circle add up to that digit."""
    # State: the value of the first cell, NONE before it, and what is left of it; DONE after the first value above.
    on = line_of(frame, mark, "magnet sum")

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        magnet, left = state
        if magnet == DONE:
            return state
        if magnet == NONE:
            return value, value
        if value > magnet:
            return (DONE, 0) if not left else None
        return (magnet, left - value) if left >= value else None

    yield on.automaton((NONE, 0), step, lambda state: not state[1] or len(on.cells) == 1)


@KINDS.add("average-arrow", Shape.ARROW, draw=draw_arrow("#7fa0c8"), aliases=("average",))
def _average(frame: Frame, mark: Mark) -> Constraints:
    """Arrow: the digit in the circle is the average of each shaft."""
    for on in _shafts(frame, mark, "average arrow"):
        many = len(on.cells) - 1
        yield Linear(on.cells, (many, *(-1,) * many), 0, on.name)


@KINDS.add("product-arrow", Shape.ARROW, draw=draw_arrow("#c89a7f"), aliases=("multiplication-arrow",))
def _product_arrow(frame: Frame, mark: Mark) -> Constraints:
    """Arrow: the digit in the circle is the product of each shaft."""

    # The bulb first; the state is what is left of it to divide, and for a bulb of 0, 1 once a 0 was read.
    def step(state: tuple[bool, int], value: int) -> tuple[bool, int] | None:
        zero, left = state
        if left == NONE:
            return value == 0, value
        if zero or not value:
            return (True, left or value == 0) if zero else None
        return (False, left // value) if left % value == 0 else None

    for on in _shafts(frame, mark, "product arrow"):
        yield on.automaton((False, NONE), step, lambda state: state[1] == 1)


@KINDS.add("x-sum-arrow", Shape.ARROW, plural="X-sum arrows", draw=draw_arrow("#9fb87f"))
def _x_sum_arrow(frame: Frame, mark: Mark) -> Constraints:
    """Green arrow: the first X digits of each shaft, where X is the first of them, add up to the digit in the
    circle."""

    # The bulb first. State: what is left of it, and how many cells of the shaft add to it; NONE where it is not known.
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        left, adding = state
        if left == NONE:
            return value, NONE
        if not adding:
            return state
        # A first cell of 0 adds up none, which is its own value.
        adding, left = max(1, value if adding == NONE else adding) - 1, left - value
        return (left, adding) if left >= 0 and (adding or not left) else None

    for on in _shafts(frame, mark, "X-sum arrow"):
        yield on.automaton((NONE, NONE), step, lambda state: state == (0, 0))


def _shafts(frame: Frame, mark: Mark, kind: str) -> list[CellList]:
    if len(mark.cells) != 1:
        raise PuzzleError(f"a bulb of {len(mark.cells)} cells at {label(mark.cells[0])}: expected one cell")
    name = f"{kind} {label(mark.cells[0])}"
    ways = ((frame.cells(mark.cells + points), f"{name}-{label(points[-1])}") for points in mark.lines)
    return [CellList(frame.values, *way) for way in ways]
