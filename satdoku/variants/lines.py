"""Lines that order, separate or repeat values."""

from satdoku.puzzle import Mark
from satdoku.variants import Alias, Constraints, Frame, Kinds, Shape, Strokes, Value, relations
from satdoku.variants.drawing import line
from satdoku.variants.relations import line_of, number
from satdoku.variants.strokes import DARK, GREY, PAPER, Disc, Line

KINDS = Kinds()


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
    yield cells.different()
    yield from cells.every_pair(relations.within(len(cells.cells) - 1))


@KINDS.add("nabner", Shape.LINE, fpuzzles="nabner", draw=line("#e3cd6e"))
def _nabner(frame: Frame, mark: Mark) -> Constraints:
    """Yellow line: no two digits on it are equal or consecutive."""
    return line_of(frame, mark, "nabner").once().every_pair(relations.at_least(2))


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
