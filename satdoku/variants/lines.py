"""Lines that order, separate or repeat values; on some the step from cell to cell, or the place in the line,
decides."""

from collections.abc import Callable
from itertools import combinations

from satdoku.constraints import Automaton
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Alias, Constraints, Draw, Frame, Kinds, Shape, Strokes, Value, label, needs, relations
from satdoku.variants.drawing import line
from satdoku.variants.relations import line_of, number, only
from satdoku.variants.strokes import DARK, GREY, PAPER, Disc, Line

KINDS = Kinds()
ZERO = "ZERO"  # the value of a same difference line on which all digits may be equal
DIVISOR = "a number of 1 or more to divide by"
NOTHING = -1
START, OPEN, DONE = -1, -2, -3


def _dashed(tint: str) -> Draw:
    return lambda frame, mark: (Line(points, tint, 0.1, dashed=True) for points in mark.lines)


def _draw_thermometer(frame: Frame, mark: Mark) -> Strokes:
    (points,) = mark.lines
    yield Disc(points[0], 0.4, GREY)
    yield Line(points, GREY, 0.3)


def _draw_slow(frame: Frame, mark: Mark) -> Strokes:
    yield from _draw_thermometer(frame, mark)
    (points,) = mark.lines
    yield Disc(points[0], 0.3, PAPER)
    yield Line(points, PAPER, 0.14)


@KINDS.add("thermometer", Shape.LINE, fpuzzles="thermometer", draw=_draw_thermometer)
def _thermometer(frame: Frame, mark: Mark) -> Constraints:
    """Thermometer: digits rise from the bulb, the first cell."""
    return line_of(frame, mark, "thermometer").chain(relations.rises)


@KINDS.add("slow-thermometer", Shape.LINE, fpuzzles="slowthermometer", draw=_draw_slow)
def _slow(frame: Frame, mark: Mark) -> Constraints:
    """Hollow thermometer: digits never fall from the bulb, the first cell."""
    return line_of(frame, mark, "slow thermometer").chain(relations.never_falls)


@KINDS.add("whispers", Shape.LINE, Value(default=5, meaning="the least difference"), plural="whispers")
@KINDS.also(fpuzzles="whispers", draw=line("#7fd67f"), aliases=("german-whispers", Alias("dutch-whispers", 4)))
def _whispers(frame: Frame, mark: Mark) -> Constraints:
    """Green line: neighbours on it differ by at least the number, 5 if it has none."""
    return line_of(frame, mark, "whispers").chain(relations.at_least(number(mark, 5)))


@KINDS.add("renban", Shape.LINE, fpuzzles="renban", draw=line("#e7a1e7"), aliases=("renban-line",))
def _renban(frame: Frame, mark: Mark) -> Constraints:
    """Purple line: its digits are consecutive, in any order."""
    cells = line_of(frame, mark, "renban").once()
    if len(cells.cells) > len(frame.values):
        yield only(cells.cells[0], (), cells.name)  # there are not so many digits
        return
    yield cells.different()
    yield from cells.every_pair(relations.within(len(cells.cells) - 1))


@KINDS.add("not-renban", Shape.LINE, noun="line", draw=_dashed("#c07fd0"))
def _not_renban(frame: Frame, mark: Mark) -> Constraints:
    """Dashed purple line of two or more cells: its digits are not consecutive, in whichever order; they may repeat."""
    # The state is the values so far; none, and True, once they are not those of a renban.
    on = line_of(frame, mark, "not-renban line").once()
    many = len(on.cells)
    if many < 2:
        raise PuzzleError(f"the line at {label(mark.lines[0][0])} has one cell: expected two or more")

    def step(state: tuple[frozenset[int], bool], value: int) -> tuple[frozenset[int], bool]:
        held, apart = state
        both = held | {value}
        apart = apart or value in held or max(both) - min(both) >= many
        return (frozenset(), True) if apart else (both, False)

    yield on.automaton((frozenset(), False), step, lambda state: state[1])


@KINDS.add("nabner", Shape.LINE, fpuzzles="nabner", draw=line("#e3cd6e"))
def _nabner(frame: Frame, mark: Mark) -> Constraints:
    """Yellow line: no two digits on it are equal or consecutive."""
    return line_of(frame, mark, "nabner").once().every_pair(relations.at_least(2))


@KINDS.add("max-difference", Shape.LINE, needs("the greatest difference"), noun="line", draw=line("#a9c4e0"))
def _max_difference(frame: Frame, mark: Mark) -> Constraints:
    """Pale blue line with a number: neighbours on it differ by at most the number."""
    return line_of(frame, mark, "max-difference line").chain(relations.within(number(mark)))


@KINDS.add("skyscraper-line", Shape.LINE, needs("how many digits are seen"), draw=line("#c9b79c", 0.26))
def _skyscraper_line(frame: Frame, mark: Mark) -> Constraints:
    """Sandy line with a number: so many of its digits, seen from its first cell, are greater than all before them."""
    yield line_of(frame, mark, "skyscraper line").seen(number(mark))


@KINDS.add("palindrome", Shape.LINE, fpuzzles="palindrome", draw=line("#b5b5b5"))
def _palindrome(frame: Frame, mark: Mark) -> Constraints:
    """Grey line: it reads the same from both ends."""
    on = line_of(frame, mark, "palindrome")
    half = len(on.cells) // 2
    pairs = zip(on.cells[:half], reversed(on.cells), strict=False)
    return (on.over(*two).pair(relations.equal) for two in pairs if two[0] != two[1])


@KINDS.add("entropic", Shape.LINE, noun="line", fpuzzles="entropicline", draw=line("#f5b98a"))
def _entropic(frame: Frame, mark: Mark) -> Constraints:
    """Peach line: any three cells in a row on it are one low, one middle and one high."""
    return line_of(frame, mark, "entropic line").near(3, relations.other_third(frame.values))


@KINDS.add("modular", Shape.LINE, noun="line", fpuzzles="modularline", draw=line("#7fcfcf"))
def _modular(frame: Frame, mark: Mark) -> Constraints:
    """Turquoise line: any three cells in a row on it leave three different remainders by 3."""
    return line_of(frame, mark, "modular line").near(3, relations.other_remainder(3))


@KINDS.add("between", Shape.LINE, noun="line", fpuzzles="betweenline")
@KINDS.also(draw=line(GREY, 0.12, Disc((0, 0), 0.42, PAPER, DARK)))
def _between(frame: Frame, mark: Mark) -> Constraints:
    """Line between circles: the digits on it lie strictly between those in the circles."""

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(state) < 2:
            return tuple(sorted((*state, value)))
        return state if state[0] < value < state[1] else None

    yield line_of(frame, mark, "between line").ends_first().automaton((), step)


@KINDS.add("lockout", Shape.LINE, Value(default=4, meaning="the least difference of the ends"), noun="line")
@KINDS.also(draw=line("#9db8e8", 0.12, Disc((0, 0), 0.42, PAPER, "#4f7ed0")))
def _lockout(frame: Frame, mark: Mark) -> Constraints:
    """Line between diamonds: the digits in them differ by at least the number, 4 if it has none, and those between
    lie outside their range."""
    cells, apart = line_of(frame, mark, "lockout line").ends_first(), number(mark, 4)

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if len(state) == 2:
            return None if state[0] <= value <= state[1] else state
        both = tuple(sorted((*state, value)))
        return both if len(both) < 2 or both[1] - both[0] >= apart else None

    yield cells.automaton((), step)


@KINDS.add("same-difference", Shape.LINE, Value(words=(ZERO,), meaning="ZERO if all digits may be equal"), noun="line")
@KINDS.also(draw=line("#6fd3c8"))
def _same_difference(frame: Frame, mark: Mark) -> Constraints:
    """Turquoise line: all neighbours on it differ by the same number, which is not 0 unless the line says ZERO."""
    if mark.value not in (None, ZERO):
        raise PuzzleError(f"value {mark.value!r}: expected {ZERO} or none")
    return _steps(frame, mark, "same difference line", lambda before, value: abs(value - before), mark.value == ZERO)


@KINDS.add("arithmetic", Shape.LINE, noun="line", draw=line("#c3c06a"))
def _arithmetic(frame: Frame, mark: Mark) -> Constraints:
    """Olive line: each digit is as much more, or less, than the one before it as that is than the one before."""
    return _steps(frame, mark, "arithmetic line", lambda before, value: value - before, True)


def _steps(frame: Frame, mark: Mark, kind: str, between: Callable[[int, int], int], zero: bool) -> Constraints:
    """All steps along the line are alike; the state is the last value and the step, once there was one."""

    def step(state: tuple[int, int | None], value: int) -> tuple[int, int | None] | None:
        before, known = state
        if before == NOTHING:
            return value, None
        difference = between(before, value)
        return (value, difference) if (known is None or difference == known) and (difference or zero) else None

    yield line_of(frame, mark, kind).automaton((NOTHING, None), step)


@KINDS.add("parity-line", Shape.LINE, draw=line("#ec9a9a"), aliases=("odd-even-line", "alternating-parity"))
def _parity(frame: Frame, mark: Mark) -> Constraints:
    """Red line: odd and even digits alternate."""
    return line_of(frame, mark, "parity line").chain(relations.other_remainder(2))


@KINDS.add("odd-even-thermometer", Shape.LINE, plural="odd-even thermometers")
@KINDS.also(draw=line("#a8a8d8", 0.3), aliases=("odd-thermometer", "even-thermometer", "parity-thermometer"))
def _parity_thermometer(frame: Frame, mark: Mark) -> Constraints:
    """Thermometer in outline: digits rise from the first cell, and all are odd or all are even."""
    return line_of(frame, mark, "odd-even thermometer").chain(relations.rises_in_parity)


@KINDS.add("high-low-line", Shape.LINE, plural="high-low lines", draw=line("#f2b36b"))
def _halves(frame: Frame, mark: Mark) -> Constraints:
    """Orange line: low and high digits alternate; the middle digit of an odd number of digits is neither."""
    return line_of(frame, mark, "high-low line").chain(relations.high_and_low(frame.values))


@KINDS.add("modular-by", Shape.LINE, needs("the number m that is divided by"), plural="modular lines by m")
@KINDS.also(draw=line("#59b5b5"))
def _modular_by(frame: Frame, mark: Mark) -> Constraints:
    """Teal line with a number m: any m cells in a row on it leave m different remainders by m."""
    modulus = number(mark, positive=DIVISOR)
    return line_of(frame, mark, f"modular line by {modulus}").near(modulus, relations.other_remainder(modulus))


@KINDS.add(
    "unimodular", Shape.LINE, Value(default=3, meaning="the number that is divided by"), plural="unimodular lines"
)
@KINDS.also(draw=line("#b2e0dc"), aliases=(Alias("same-parity-line", 2),))
def _unimodular(frame: Frame, mark: Mark) -> Constraints:
    """Light teal line: all digits leave the same remainder by the number, 3 if it has none."""
    modulus = number(mark, 3, DIVISOR)
    return line_of(frame, mark, f"unimodular line by {modulus}").chain(relations.same_remainder(modulus))


@KINDS.add("index-line", Shape.LINE, draw=line("#f0b8cf", 0.2, Disc((0, 0), 0.12, "#d77fa5")))
def _index(frame: Frame, mark: Mark) -> Constraints:
    """Pink line: if its cell k holds v, its cell v holds k."""
    # For each two cells: one names the other exactly if the other names it.
    on = line_of(frame, mark, "index line")
    for cell in on.cells:
        yield only(cell, range(1, len(on.cells) + 1), on.name)
    for (i, first), (j, second) in combinations(enumerate(on.cells, 1), 2):
        yield on.over(first, second).pair(relations.each_other(i, j))


@KINDS.add("value-index", Shape.LINE, plural="value index lines", aliases=("value-indexing", "nine-and-up"))
@KINDS.also(draw=line("#c9a8e8", 0.12, Disc((0, 0), 0.14, "#8c5fc0")))
def _value_index(frame: Frame, mark: Mark) -> Constraints:
    """Line of three or more cells: the second digit, v, says that the digit of the first stands v cells after
    it."""
    # For each value of the second cell an automaton over it, the first cell, and the cell that it names.
    on = line_of(frame, mark, "value index line")
    if len(on.cells) < 3:
        raise PuzzleError(f"a line of {len(on.cells)} cells: expected three or more")

    def names(index: int) -> Automaton:
        def step(state: int, value: int) -> int | None:
            if state == START:
                return OPEN if value == index else DONE
            if state in (OPEN, DONE):
                return value if state == OPEN else DONE
            return DONE if value == state else None

        return on.over(on.cells[1], on.cells[0], on.cells[1 + index]).automaton(START, step, lambda s: s == DONE)

    yield from (names(index) for index in range(1, len(on.cells) - 1))
    yield only(on.cells[1], range(1, len(on.cells) - 1), on.name)


@KINDS.add("successor-arrow", Shape.LINE, draw=line(GREY, 0.08, Disc((0, 0), 0.3, PAPER, DARK)))
def _successor(frame: Frame, mark: Mark) -> Constraints:
    """Line from a circle: if the circle holds n, the cell n steps on holds n + 1."""
    # If the first cell holds n, the cell n steps on holds n + 1; the line has such a cell.
    on = line_of(frame, mark, "successor arrow")
    steps = range(1, min(len(on.cells), frame.values[-1]))
    if len(on.cells) > 1:
        yield only(on.cells[0], steps, on.name)
    for index in steps:
        yield on.over(on.cells[0], on.cells[index]).pair(relations.followed(index))
