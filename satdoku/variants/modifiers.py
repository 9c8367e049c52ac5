"""Cells that count for more than their digit: doublers and the like, and Schroedinger cells with two digits. Which
cells they are is part of the answer. Houses, and marks that compare digits, read digits; marks that add up or stand on
lines read what the cells count, which is in an auxiliary cell for each."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, product
from typing import Self

from satdoku.constraints import AllDifferent, Constraint, Linear, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Alias, Constraints, Frame, Kind, Kinds, Shape, Value, label
from satdoku.variants.relations import CellList, are, either, never_falls, only

MODIFIED: dict[str, Callable[[int], int]] = {
    "double": lambda digit: 2 * digit,
    "triple": lambda digit: 3 * digit,
    "negate": lambda digit: -digit,
    "hot": lambda digit: digit + 1,
    "cold": lambda digit: digit - 1,
}
ALIASES = {"doublers": "double", "triplers": "triple", "negators": "negate", "hot-cells": "hot", "cold-cells": "cold"}
CHANGES = "double, triple, negate, hot (1 more) or cold (1 less); double if it is left out"
COUNTING = frozenset({Shape.LINE, Shape.ARROW, Shape.DIAGONAL, Shape.GROUPS})
REFUSED = COUNTING | {Shape.CLUE, Shape.MARKS}
COUNTED = frozenset({"cage", "sum", "multisum-cage", "edge-sum", "edge-product", "difference", "ratio", "xv", "arrow"})
COUNTED |= {"greater-than", "nonconsecutive", "negative-ratio", "negative-xv", "negative-difference", "negative-sum"}
COUNTED |= {"thermometer", "slow-thermometer", "whispers", "renban", "nabner", "palindrome", "between", "lockout"}
COUNTED |= {"max-difference", "not-renban"}
COUNTED |= {"zipper", "double-arrow", "region-sum", "average-arrow", "little-killer", "equal-sum", "different-sum"}
"""Kinds whose constraints are as well defined for any numbers as for digits; other sums and lines are refused."""
SUMS = frozenset({"digital-root", "product", "quad-sum", "rellik", "lunchbox", "pair-all"})
MODIFIERS, SECOND = "modifiers", "second"
KINDS = Kinds()


@dataclass(frozen=True, eq=False, kw_only=True)
class _Counted(Frame):
    """The grid with, for each cell, what it counts in place of its digit."""

    base: Frame
    layer_name: str
    tuples: frozenset[tuple[int, int, int]]  # digit, what the layer says, what the cell counts
    back: dict[int, int] = field(default_factory=dict)  # the cell of each auxiliary one

    @classmethod
    def of(cls, frame: Frame, layer: str, tuples: set[tuple[int, int, int]]) -> Self:
        own = {name: getattr(frame, name) for name in ("size", "marks", "hidden", "extra", "shared", "making")}
        return cls(**own, base=frame, layer_name=layer, tuples=frozenset(tuples))

    @property
    def values(self) -> range:
        counted = {row[2] for row in self.tuples}
        return range(min(counted), max(counted) + 1)

    def cell(self, position: Position) -> int:
        digit = self.base.cell(position)
        counting = self.base.once((self.layer_name, digit), partial(self._new, position))
        self.back[counting] = digit
        return counting

    def cells(self, positions: tuple[Position, ...]) -> tuple[int, ...]:
        return tuple(map(self.cell, positions))

    def _new(self, position: Position) -> int:
        cell = self.base.auxiliary(len(self.values))
        shift = self.base.values[0] - self.values[0]
        digit, name = self.base.cell(position), f"what {label(position)} counts"
        if not self.size.inside(position):  # a variable counts what it is
            self.base.extra.append(Table((digit, cell), frozenset((v, v + shift) for v in self.base.values), name))
            return cell
        rows = frozenset((digit, stated, counted + shift) for digit, stated, counted in self.tuples)
        self.base.extra.append(Table((digit, self.base.layer(self.layer_name, position), cell), rows, name))
        return cell

    def digits(self, constraint: AllDifferent) -> AllDifferent:
        return replace(constraint, cells=tuple(self.back[cell] for cell in constraint.cells))


def _counts(kind: Kind) -> bool:
    """Whether marks of a kind read what cells count; raises PuzzleError where nothing says so."""
    if kind.name in COUNTED:
        return True
    if kind.shape in REFUSED or kind.name in SUMS:
        raise PuzzleError("not defined where cells count for more than their digit")
    return False


def _modified(frame: Frame, kind: Kind, mark: Mark) -> tuple[Constraints, int]:
    rule = next(other for other in frame.marks if other.kind == "modifiers")
    if not _counts(kind):
        return kind.lower(frame, mark), frame.values[0]
    change, first = _change(rule), frame.values[0]
    tuples = {(v, first + flag, change(v) if flag else v) for v in frame.values for flag in (0, 1)}
    counted = _Counted.of(frame, MODIFIERS, tuples)
    lines = kind.shape in COUNTING
    constraints = kind.lower(counted, mark)
    # Cages compare digits, lines what the cells count.
    digits = (counted.digits(each) if isinstance(each, AllDifferent) and not lines else each for each in constraints)
    return digits, counted.values[0]


def _change(mark: Mark) -> Callable[[int], int]:
    word = str(mark.value or "double").lower()
    if word not in MODIFIED:
        raise PuzzleError(f"value {mark.value!r}: expected one of {', '.join(MODIFIED)}")
    return MODIFIED[word]


@KINDS.add("modifiers", Shape.RULE, Value(meaning=CHANGES, text=True), plural="modifiers")
@KINDS.also(layer=MODIFIERS, reads=_modified, aliases=tuple(map(Alias, ALIASES, ALIASES.values())))
def _modifiers(frame: Frame, mark: Mark) -> Constraints:
    """One cell of each row, column and box, to be found, is a doubler (or the like), each with another digit: sums and
    lines count its digit twice."""
    _change(mark)
    first = frame.values[0]
    flag = {place: frame.layer(MODIFIERS, place) for place in product(frame.rows, frame.columns)}
    yield from (only(cell, (first, first + 1), "modifiers") for cell in flag.values())
    for places in chain(*frame.houses):
        cells = tuple(flag[place] for place in places)
        yield Linear(cells, (1,) * len(cells), len(cells) * first + 1, f"a modifier at {label(places[0])}")
    slots = tuple(cell for place in flag for cell in (frame.cell(place), flag[place]))
    values = range(first, max(frame.values[-1], first + 1) + 1)
    least = int(frame.size.rows == len(frame.values))
    for value in frame.values:
        yield CellList(values, slots, f"a modified {value}").pairs_counted(are(value, first + 1), least)


def _schroedinger_reads(frame: Frame, kind: Kind, mark: Mark) -> tuple[Constraints, int]:
    """Digits are of either digit of a cell; what a cell counts is the sum of both."""
    values, first = frame.values, frame.values[0]
    if kind.name in ("schroedinger", "boxes", "region"):
        return kind.lower(frame, mark), first
    if _counts(kind):
        tuples = {(a, b, a if a == b else a + b) for a in values for b in values if a <= b}
        counted = _Counted.of(frame, SECOND, tuples)
        constraints = kind.lower(counted, mark)
        if kind.shape in COUNTING:
            return constraints, counted.values[0]
        digits: list[Constraint] = []
        rest: list[Constraint] = []
        for each in constraints:
            (digits if isinstance(each, AllDifferent) else rest).append(each)
        apart = (_apart(frame, counted.digits(each)) for each in digits if isinstance(each, AllDifferent))
        frame.extra.extend(chain.from_iterable(apart))
        return iter(rest), counted.values[0]
    lowered = list(kind.lower(frame, mark))
    if kind.name in ("odd", "even"):
        second = (replace(each, cells=(frame.layer(SECOND, mark.cells[0]),)) for each in lowered)
        return iter([*lowered, *second]), first
    if all(isinstance(each, AllDifferent) for each in lowered):
        return (part for each in lowered for part in _apart(frame, each)), first
    raise PuzzleError("not defined on a board with schroedinger cells: expected sums, lines, parity or distinct digits")


def _apart(frame: Frame, constraint: AllDifferent) -> Constraints:
    return _digit_slots(frame, frame.positions(constraint.cells), 0, constraint.name)


def _digit_slots(frame: Frame, places: tuple[Position, ...], least: int, name: str) -> Constraints:
    slots = tuple(cell for place in places for cell in (frame.cell(place), frame.layer(SECOND, place)))
    for value in frame.values:
        yield CellList(frame.values, slots, name).pairs_counted(either(value), least)


@KINDS.add("schroedinger", Shape.RULE, plural="Schroedinger cells", aliases=("s-cells", "schroedinger-cells"))
@KINDS.also(layer=SECOND, reads=_schroedinger_reads)
def _schroedinger(frame: Frame, mark: Mark) -> Constraints:
    """One cell of each row, column and box, to be found, holds two digits, so that each holds one digit more than it
    has cells, each digit once: sums and lines count the sum of both."""
    places = tuple(product(frame.rows, frame.columns))
    if any(len(house) != len(frame.values) - 1 for house in chain(*frame.houses)):
        raise PuzzleError(f"the digits {frame.size.span}: expected one more than a row, a column or a box has cells")
    if frame.named:
        raise PuzzleError("not defined on a board with variables")
    # A cell of one digit has it as its second one, too; of two, the lesser comes first.
    for place in places:
        on = CellList(frame.values, (frame.cell(place), frame.layer(SECOND, place)), f"digits of {label(place)}")
        yield on.pair(never_falls)
    for house in chain(*frame.houses):
        yield from _digit_slots(frame, house, 1, f"digits at {label(house[0])}")
