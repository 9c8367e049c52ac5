"""Lines and arrows on which digits add up or multiply."""

from __future__ import annotations

from collections.abc import Iterator

from satdoku.constraints import Automaton, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Frame, Kinds, Shape, Value, label
from satdoku.variants.drawing import line
from satdoku.variants.relations import automaton, count_among, ends_first, line_of, number
from satdoku.variants.strokes import GREY, PAPER, Disc
from satdoku.variants.sums import draw_arrow

KINDS = Kinds()


@KINDS.add(
    "sum-line",
    Shape.LINE,
    Value(default=10, meaning="the total of each part"),
    draw=line("#b9c2b0"),
    aliases=("ten-line",),
)
def _sum_line(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Grey line: it splits into parts that each add up to the number, 10 if it has none; on a loop, which names its
    first cell again at its end, a part may go on past it."""
    # The state is the sum of the part that is being read.
    cells, name = line_of(frame, mark, "sum line")
    total = number(mark, 10)
    if total < 1:
        raise PuzzleError(f"value {total}: expected a total of 1 or more")
    if len(cells) > 2 and cells[0] == cells[-1]:
        yield from _some(frame, cells, name)
        yield _sum_loop(frame.values, cells[:-1], total, name)
        return

    def step(added: int, value: int) -> int | None:
        return (added + value) % total if added + value <= total else None

    yield from _some(frame, cells, name)
    # A line of one cell holds.
    yield automaton(frame.values, cells, 0, step, lambda added: not added or len(cells) == 1, name)


def _some(frame: Frame, cells: tuple[int, ...], name: str) -> Iterator[Automaton]:
    """On a board with the value 0: not all cells hold it, which would make no part at all."""
    if 0 in frame.values and len(cells) > 1:
        yield count_among(frame.values, cells, bool, range(1, len(cells) + 1), name)


def _sum_loop(values: range, cells: tuple[int, ...], total: int, name: str) -> Automaton:
    """Some rotation of the loop splits into parts: the loop is read once for each sum that the part in which it
    begins may have had before. State: (that sum, cells read since, sum of the part), or (DONE, 0, 0).
    """

    def step(state: tuple[int, int, int], value: int) -> tuple[int, int, int] | None:
        before, index, added = state
        if before == DONE:
            return state
        # A sum that is out of reach waits for the end of the round.
        if added <= total:
            added = added + value if added + value != total else 0
        if index + 1 < len(cells):
            return before, index + 1, min(added, total + 1)
        return (DONE, 0, 0) if added == before else (before - 1, 0, before - 1) if before else None

    start = (total - 1, 0, total - 1)
    return automaton(values, cells * total, start, step, lambda state: state[0] == DONE, name)


DONE, NONE = -1, -2


@KINDS.add(
    "product-sum",
    Shape.LINE,
    plural="product-sum lines",
    draw=line("#cfae8a", 0.12, Disc((0, 0), 0.36, PAPER, "#a8763e")),
    aliases=("product-sum-line",),
)
def _product_sum(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Brown line: the digits between the ends add up to the product of the ends."""
    # State: how many ends were read, and the first of them, then what is left of their product.
    cells, name = line_of(frame, mark, "product-sum line")

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        ends, left = state
        if ends < 2:
            return ends + 1, left * value if ends else value
        return (2, left - value) if left >= value else None

    yield automaton(
        frame.values, ends_first(cells), (0, 0), step, lambda state: state == (2, 0) or len(cells) == 1, name
    )


@KINDS.add(
    "split-pea",
    Shape.LINE,
    plural="split pea lines",
    draw=line("#a4cf7a", 0.12, Disc((0, 0), 0.36, PAPER, "#6a9c3b")),
    aliases=("split-pea-line",),
)
def _split_pea(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Green line between circles: the digits between them add up to the two-digit number that the digits in the
    circles make, in either order."""
    # State: DONE before all, the first end, then what is left of both two-digit numbers.
    cells, name = line_of(frame, mark, "split pea line")

    def step(state: int | frozenset[int], value: int) -> int | frozenset[int] | None:
        if isinstance(state, frozenset):
            return frozenset(left - value for left in state if left >= value) or None
        return value if state == DONE else frozenset({10 * state + value, 10 * value + state})

    def accepts(state: int | frozenset[int]) -> bool:
        return len(cells) == 1 or (isinstance(state, frozenset) and 0 in state)

    start: int | frozenset[int] = DONE
    yield automaton(frame.values, ends_first(cells), start, step, accepts, name)


@KINDS.add("magnet-sum", Shape.LINE, draw=line(GREY, 0.08, Disc((0, 0), 0.2, PAPER, "#c03b3b")))
def _magnet(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Line from a circle: the digits before the first one above the digit in the circle add up to that digit."""
    # State: the value of the first cell, NONE before it, and what is left of it; DONE after the first value above.
    cells, name = line_of(frame, mark, "magnet sum")

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        magnet, left = state
        if magnet == DONE:
            return state
        if magnet == NONE:
            return value, value
        if value > magnet:
            return (DONE, 0) if not left else None
        return (magnet, left - value) if left >= value else None

    yield automaton(frame.values, cells, (NONE, 0), step, lambda state: not state[1] or len(cells) == 1, name)


@KINDS.add("average-arrow", Shape.ARROW, draw=draw_arrow("#7fa0c8"), aliases=("average",))
def _average(frame: Frame, mark: Mark) -> Iterator[Linear]:
    """Arrow: the digit in the circle is the average of each shaft."""
    (bulb,) = _bulb(frame, mark)
    for points in mark.lines:
        shaft = frame.cells(points)
        name = f"average arrow {label(mark.cells[0])}-{label(points[-1])}"
        yield Linear((bulb, *shaft), (len(shaft), *(-1 for _ in shaft)), 0, name)


@KINDS.add("product-arrow", Shape.ARROW, draw=draw_arrow("#c89a7f"), aliases=("multiplication-arrow",))
def _product_arrow(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Arrow: the digit in the circle is the product of each shaft."""

    # The bulb first; the state is what is left of it to divide, and for a bulb of 0, 1 once a 0 was read.
    def step(state: tuple[bool, int], value: int) -> tuple[bool, int] | None:
        zero, left = state
        if left == NONE:
            return value == 0, value
        if zero or not value:
            return (True, left or value == 0) if zero else None
        return (False, left // value) if left % value == 0 else None

    for points in mark.lines:
        cells = (*_bulb(frame, mark), *frame.cells(points))
        name = f"product arrow {label(mark.cells[0])}-{label(points[-1])}"
        yield automaton(frame.values, cells, (False, NONE), step, lambda state: state[1] == 1, name)


def _bulb(frame: Frame, mark: Mark) -> tuple[int, ...]:
    if len(mark.cells) != 1:
        raise PuzzleError(f"a bulb of {len(mark.cells)} cells at {label(mark.cells[0])}: expected one cell")
    return frame.cells(mark.cells)
