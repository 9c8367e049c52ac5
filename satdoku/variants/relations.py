"""What the families share: relations of two values, cells in an order, values of marks as numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, TypeVar

from satdoku.constraints import AllDifferent, Automaton, Linear, Table
from satdoku.errors import PuzzleError
from satdoku.limits import MAX_STATES, check_time
from satdoku.puzzle import Mark, Position
from satdoku.variants import Frame, label
from satdoku.variants.making import automaton, collected, kept, recipe, refuse_many

MAX_TEXT = 2_000  # characters of a value that is a list of numbers: one of 256 values has half as many
MAX_DIGITS = 18  # of a number among them
MET = -1
State = TypeVar("State", bound=Hashable)
# Of two values. Tables are cached by their relation, so each is made once: at import, or by a cached function.
Relation = Callable[[int, int], bool]
rises: Relation = operator.lt
falls: Relation = operator.gt
equal: Relation = operator.eq
never_falls: Relation = operator.le
at_least: Callable[[int], Relation] = cache(lambda distance: lambda a, b: abs(a - b) >= distance)
within: Callable[[int], Relation] = cache(lambda distance: lambda a, b: abs(a - b) <= distance)
differs_by: Callable[[int], Relation] = cache(lambda distance: lambda a, b: abs(a - b) == distance)
in_ratio: Callable[[int], Relation] = cache(lambda factor: lambda a, b: a == factor * b or b == factor * a)
adds_up: Callable[[int], Relation] = cache(lambda total: lambda a, b: a + b == total)
multiplies: Callable[[int], Relation] = cache(lambda total: lambda a, b: a * b == total)
same_remainder: Callable[[int], Relation] = cache(lambda modulus: lambda a, b: a % modulus == b % modulus)
other_remainder: Callable[[int], Relation] = cache(lambda modulus: lambda a, b: a % modulus != b % modulus)
rises_in_parity: Relation = cache(lambda a, b: a < b and (b - a) % 2 == 0)
each_other: Callable[[int, int], Relation] = cache(lambda i, j: lambda a, b: (a == j) == (b == i))
are: Callable[[int, int], Relation] = cache(lambda first, second: lambda a, b: (a, b) == (first, second))
either: Callable[[int], Relation] = cache(lambda value: lambda a, b: value in (a, b))
same_unless: Callable[[int], Relation] = cache(lambda value: lambda a, b: a == b or value in (a, b))
followed: Callable[[int], Relation] = cache(lambda index: lambda a, b: a != index or b == index + 1)


@cache
def none_of(*relations: Relation) -> Relation:
    return lambda a, b: not any(relation(a, b) for relation in relations)


@cache
def not_both(*values: int) -> Relation:
    """Two cells do not hold the same one of `values`."""
    return lambda a, b: a != b or a not in values


@kept
def related(values: range, relation: Relation) -> frozenset[tuple[int, int]]:
    return collected(((a, b) for a in values for b in values if relation(a, b)), "a relation")


@kept
def indexed(values: range, value: int, index: int, alone: bool) -> frozenset[tuple[int, int]]:
    """What two cells may hold if `value` in the first asks for `index` in the second. alone: no other value goes with
    `index`, as where the cells that may be asked all differ; that follows, but propagation would not see it."""
    taken = ((a, b) for a in values for b in values if (b == index if a == value else not alone or b != index))
    return collected(taken, "an indexer")


@cache
def raising(values: range, value: int) -> frozenset[tuple[int, int]]:
    """What a cell and a flag may hold, an auxiliary cell of two values, if `value` in the cell asks for the second."""
    low, raised = values[0], values[0] + 1
    return frozenset({(held, raised) for held in values} | {(held, low) for held in values if held != value})


def thirds(values: range) -> dict[int, int]:
    """0, 1 or 2 for low, middle and high values; an odd one out widens the middle, two the ends."""
    size = len(values)
    low = size // 3 + (size % 3 == 2)
    return {value: (place >= low) + (place >= size - low) for place, value in enumerate(values)}


@cache
def other_third(values: range) -> Relation:
    third = thirds(values)
    return lambda a, b: third[a] != third[b]


@cache
def high_and_low(values: range) -> Relation:
    """One is among the low half of the values, one among the high; the middle one of an odd number is neither."""
    half = len(values) // 2
    low, high = values[:half], values[len(values) - half :]
    return lambda a, b: min(a, b) in low and max(a, b) in high


def only(cell: int, values: Iterable[int], name: str) -> Table:
    return Table((cell,), frozenset((value,) for value in values), name)


def equal_sums(left: tuple[int, ...], right: tuple[int, ...], name: str) -> Linear:
    return Linear(left + right, (1,) * len(left) + (-1,) * len(right), 0, name)


@dataclass(frozen=True, slots=True)
class CellList:
    """Cells in an order, the values of their board, and the name of the constraints that are made of them."""

    values: range
    cells: tuple[int, ...]
    name: str

    def over(self, *cells: int) -> CellList:
        return CellList(self.values, cells, self.name)

    def once(self) -> CellList:
        """Each cell once: a closed loop names its first cell again."""
        return self.over(*dict.fromkeys(self.cells))

    def ends_first(self) -> CellList:
        """In an order in which an automaton knows both ends of a line when it reads the rest."""
        return self.over(self.cells[0], self.cells[-1], *self.cells[1:-1]) if len(self.cells) > 1 else self

    def different(self) -> AllDifferent:
        return AllDifferent(self.cells, self.name)

    def sum(self, total: int) -> Linear:
        return Linear(self.cells, (1,) * len(self.cells), total, self.name)

    def pair(self, relation: Relation) -> Table:
        """The values of two cells are in `relation`; a cell that is named twice is in relation to itself."""
        first, second = self.cells
        if first == second:
            return only(first, {value for value in self.values if relation(value, value)}, self.name)
        return Table(self.cells, related(self.values, relation), self.name)

    def chain(self, relation: Relation) -> Iterator[Table]:
        return self.near(2, relation)

    def near(self, many: int, relation: Relation) -> Iterator[Table]:
        for apart in range(1, min(many, len(self.cells))):
            yield from (self.over(*two).pair(relation) for two in zip(self.cells, self.cells[apart:], strict=False))

    def every_pair(self, relation: Relation) -> Iterator[Table]:
        return (self.over(*two).pair(relation) for two in combinations(self.cells, 2))

    def automaton(
        self,
        start: Any,
        step: Callable[[State, int], State | None],
        accepts: Callable[[State], bool] = lambda state: True,
        most: int = MAX_STATES,
    ) -> Automaton:
        """The automaton of the states that `step` reaches, equal ones of a board sharing their transitions; raises
        PuzzleError for more than `most`, or more than MAX_ROWS transitions."""
        key = (len(self.cells), start, recipe(step), recipe(accepts))
        transitions, accepting = automaton(self.values, key, lambda: self._reached(start, step, accepts, most))
        return Automaton(self.cells, transitions, 0, accepting, self.name)

    def _reached(
        self, start: Any, step: Callable[[State, int], State | None], accepts: Callable[[State], bool], most: int
    ) -> tuple[frozenset[tuple[int, int, int]], frozenset[int]]:
        number_of: dict[State, int] = {start: 0}
        transitions: list[tuple[int, int, int]] = []
        layer, values = [(start, 0)], tuple(self.values)
        for _ in self.cells:
            following: list[tuple[State, int]] = []
            for state, source in layer:  # each comes once, so that no transition comes twice
                check_time()
                for value in values:
                    target = step(state, value)
                    if target is None:
                        continue
                    number = number_of.get(target)
                    if number is None:
                        number = number_of[target] = len(number_of)
                        following.append((target, number))
                    transitions.append((source, value, number))
                refuse_many(len(transitions), self.name, "transitions")
                if len(number_of) > most:
                    what = f"more than {most:,} states: expected fewer cells or a smaller value"
                    raise PuzzleError(f"{self.name}: {what}")
            layer = following
        return frozenset(transitions), frozenset(number for state, number in number_of.items() if accepts(state))

    def count(self, counted: Callable[[int], bool], totals: Container[int]) -> Automaton:
        return self.automaton(0, lambda count, value: count + counted(value), totals.__contains__)

    def exactly(self, value: int, *totals: int) -> Automaton:
        return self.count(lambda held: held == value, totals)

    def pairs_counted(self, counted: Relation, least: int) -> Automaton:
        """Of the first two cells, the next two and so on, at least so many pairs are `counted`, and at most one."""

        def step(state: tuple[int, int | None], value: int) -> tuple[int, int | None] | None:
            count, first = state
            if first is None:
                return count, value
            count += counted(first, value)
            return (count, None) if count <= 1 else None

        return self.automaton((0, None), step, lambda state: state[0] >= least)

    def clause(self, wanted: tuple[tuple[int, ...], ...]) -> Automaton:
        """Some cell holds one of the values wanted of it; the state is how many do not, or that one does."""

        def step(read: int, value: int) -> int:
            return read if read == MET else MET if value in wanted[read] else read + 1

        return self.automaton(0, step, lambda state: state == MET)

    def containing(self, wanted: tuple[int, ...]) -> Automaton:
        """Each of `wanted` occurs at least as often as it is listed; the state is what is still to come."""

        def step(left: tuple[int, ...], value: int) -> tuple[int, ...]:
            if value not in left:
                return left
            index = left.index(value)
            return left[:index] + left[index + 1 :]

        return self.automaton(tuple(sorted(wanted)), step, lambda left: not left)

    def seen(self, total: int, weight: Callable[[int], int] = lambda value: 1) -> Automaton:
        """The cells greater than all before them weigh `total`; state: the greatest so far, what is left of `total`."""

        def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
            greatest, left = state
            if value <= greatest:
                return state
            left -= weight(value)
            return (value, left) if left >= 0 else None

        return self.automaton((0, total), step, lambda state: state[1] == 0)

    def product(self, total: int) -> Automaton:
        """The cells multiply to `total`; the state is what is left of it to divide."""
        if total == 0:
            return self.count(lambda value: value == 0, range(1, len(self.cells) + 1))

        def step(left: int, value: int) -> int | None:
            return left // value if value and left > 0 and left % value == 0 else None

        return self.automaton(total, step, lambda left: left == 1)


def cells_of(frame: Frame, mark: Mark, kind: str) -> CellList:
    """The cells of a mark; they are named after its kind, value and place."""
    return CellList(frame.values, frame.cells(mark.cells), _name(mark, kind))


def diagonal_of(frame: Frame, mark: Mark, kind: str) -> CellList:
    return CellList(frame.values, frame.cells(mark.lines[0]), _name(mark, kind))


def seen_by(frame: Frame, mark: Mark, kind: str) -> CellList:
    return CellList(frame.values, frame.seen_from(mark.cells[0]), _name(mark, kind))


def line_of(frame: Frame, mark: Mark, kind: str) -> CellList:
    """The cells of a mark's line; they are named after its kind and ends."""
    (points,) = mark.lines
    return CellList(frame.values, frame.cells(points), f"{kind} {label(points[0])}-{label(points[-1])}")


def pairs(frame: Frame, joined: Iterable[tuple[Position, ...]], relation: Relation, name: str) -> Iterator[Table]:
    for two in joined:
        yield CellList(frame.values, frame.cells(two), f"{name} {label(two[0])}-{label(two[1])}").pair(relation)


def _name(mark: Mark, kind: str) -> str:
    return f"{mark.name or kind}{'' if mark.value is None else f' {mark.value}'} at {label(mark.cells[0])}"


def number(mark: Mark, default: int | None = None, positive: str = "") -> int:
    """The value of a mark; raises PuzzleError unless it is a whole number, or what `positive` expects, 1 or more."""
    if mark.value is None and default is not None:
        return default
    try:
        value = int(text_of(mark))
    except ValueError:
        given = "no value" if mark.value is None else f"value {mark.value!r}"
        raise PuzzleError(f"{given}: expected a whole number") from None
    if positive and value < 1:
        raise PuzzleError(f"value {value}: expected {positive}")
    return value


def text_of(mark: Mark) -> str:
    """The value of a mark that is one number or a few."""
    text = str(mark.value)
    if len(text) > MAX_TEXT:
        raise PuzzleError(f"value {text[:20]!r}... of {len(text):,} characters: expected at most {MAX_TEXT:,}")
    return text


def numbers(mark: Mark, expected: str, default: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The value of a mark that is a list; raises PuzzleError, which says what was `expected`, for anything else."""
    if mark.value is None and default:
        return default
    words = [] if mark.value is None else text_of(mark).split()
    if not words or not all(word.isdecimal() and len(word) <= MAX_DIGITS for word in words):
        raise PuzzleError(f"value {mark.value!r}: expected {expected}")
    return tuple(map(int, words))


def values_listed(frame: Frame, mark: Mark) -> tuple[int, ...]:
    expected = f"one or more of {frame.size.span}, with blanks between"
    values = numbers(mark, expected)
    if not all(value in frame.values for value in values):
        raise PuzzleError(f"value {mark.value!r}: expected {expected}")
    return tuple(sorted(values))
