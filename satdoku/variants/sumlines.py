"""Lines and arrows on which digits add up or multiply."""

from satdoku.constraints import Automaton, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Constraints, Frame, Kinds, Shape, Value, label
from satdoku.variants.drawing import line
from satdoku.variants.relations import Cells, line_of, number
from satdoku.variants.strokes import GREY, PAPER, Disc
from satdoku.variants.sums import draw_arrow

DONE, NONE = -1, -2

KINDS = Kinds()


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


def _sum_loop(loop: Cells, total: int) -> Automaton:
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


def _shafts(frame: Frame, mark: Mark, kind: str) -> list[Cells]:
    if len(mark.cells) != 1:
        raise PuzzleError(f"a bulb of {len(mark.cells)} cells at {label(mark.cells[0])}: expected one cell")
    bulb = label(mark.cells[0])
    return [
        Cells(frame.values, frame.cells(mark.cells + points), f"{kind} {bulb}-{label(points[-1])}")
        for points in mark.lines
    ]
