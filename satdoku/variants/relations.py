"""What the families share: pairs of values as Tables, automata from a step function, values of marks as numbers."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import TypeVar

from satdoku.constraints import Automaton, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Frame, label

MAX_STATES = 40_000
"""States of one automaton beyond which a mark is refused: its clauses would fill the memory."""

State = TypeVar("State", bound=Hashable)

Relation = Callable[[int, int], bool]


def rises(a: int, b: int) -> bool:
    return a < b


def falls(a: int, b: int) -> bool:
    return a > b


def equal(a: int, b: int) -> bool:
    return a == b


def not_consecutive(a: int, b: int) -> bool:
    return abs(a - b) != 1


@cache
def other_remainder(modulus: int) -> Relation:
    return lambda a, b: a % modulus != b % modulus


@cache
def not_both(values: frozenset[int]) -> Relation:
    """Two cells do not hold the same one of `values`."""
    return lambda a, b: a != b or a not in values


@cache
def related(values: range, relation: Relation) -> frozenset[tuple[int, int]]:
    """The pairs of values in `relation`; cached, so pass the same function again."""
    return frozenset((a, b) for a in values for b in values if relation(a, b))


def pair(values: range, cells: tuple[int, ...], relation: Relation, name: str) -> Table:
    """The values of two cells are in `relation`; a cell that is named twice is in relation to itself."""
    if cells[0] == cells[1]:
        return only(cells[0], {value for value in values if relation(value, value)}, name)
    return Table(cells, related(values, relation), name)


def only(cell: int, values: Iterable[int], name: str) -> Table:
    """The cell holds one of `values`."""
    return Table((cell,), frozenset((value,) for value in values), name)


def chain(values: range, cells: tuple[int, ...], relation: Relation, name: str) -> Iterator[Table]:
    """Each cell and the next are in `relation`."""
    for two in pairwise(cells):
        yield pair(values, two, relation, name)


def every_pair(values: range, cells: tuple[int, ...], relation: Relation, name: str) -> Iterator[Table]:
    """Any two of the cells are in `relation`, which is symmetric."""
    for two in combinations(cells, 2):
        yield pair(values, two, relation, name)


def thirds(values: range) -> dict[int, int]:
    """0, 1 or 2 for low, middle and high values; an odd one out widens the middle, two the ends."""
    size = len(values)
    low = size // 3 + (size % 3 == 2)
    return {value: (place >= low) + (place >= size - low) for place, value in enumerate(values)}


def line_of(frame: Frame, mark: Mark, kind: str) -> tuple[tuple[int, ...], str]:
    """The cells of the mark's line, and its name for people."""
    (points,) = mark.lines
    return frame.cells(points), f"{kind} {label(points[0])}-{label(points[-1])}"


def cells_of(frame: Frame, mark: Mark, kind: str) -> tuple[tuple[int, ...], str]:
    """The cells of the mark, and its name for people."""
    value = "" if mark.value is None else f" {mark.value}"
    return frame.cells(mark.cells), f"{mark.name or kind}{value} at {label(mark.cells[0])}"


def ends_first(cells: tuple[int, ...]) -> tuple[int, ...]:
    """The cells of a line in an order in which an automaton knows both ends when it reads the rest."""
    return (cells[0], cells[-1], *cells[1:-1]) if len(cells) > 1 else cells


def number(mark: Mark, default: int | None = None) -> int:
    """The value of a mark; raises PuzzleError if it is not a whole number, or missing without a default."""
    if mark.value is None and default is not None:
        return default
    try:
        return int(str(mark.value))
    except ValueError:
        found = "no value" if mark.value is None else f"value {mark.value!r}"
        raise PuzzleError(f"{found}: expected a whole number") from None


def numbers(mark: Mark, expected: str, default: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The value of a mark that is a list; raises PuzzleError, which says what was `expected`, for anything else."""
    if mark.value is None and default:
        return default
    words = [] if mark.value is None else str(mark.value).split()
    if not words or not all(word.isdecimal() for word in words):
        raise PuzzleError(f"value {mark.value!r}: expected {expected}")
    return tuple(map(int, words))


def values_listed(frame: Frame, mark: Mark) -> tuple[int, ...]:
    """The value of a mark that lists some of the board's values, ascending; raises PuzzleError for anything else."""
    expected = f"one or more of {frame.size.span}, with blanks between"
    found = numbers(mark, expected)
    if not all(value in frame.values for value in found):
        raise PuzzleError(f"value {mark.value!r}: expected {expected}")
    return tuple(sorted(found))


def automaton(
    values: range,
    cells: tuple[int, ...],
    start: State,
    step: Callable[[State, int], State | None],
    accepts: Callable[[State], bool],
    name: str,
) -> Automaton:
    """The automaton whose states are those that `step` reaches from `start`, numbered as they are found.

    States that need more values than there are cells are left out. Raises PuzzleError for more than MAX_STATES.
    """
    found: dict[State, int] = {start: 0}
    transitions: set[tuple[int, int, int]] = set()
    layer = [start]
    for _ in cells:
        following: list[State] = []
        for state in layer:
            for value in values:
                target = step(state, value)
                if target is None:
                    continue
                if target not in found:
                    found[target] = len(found)
                    following.append(target)
                transitions.add((found[state], value, found[target]))
        if len(found) > MAX_STATES:
            raise PuzzleError(f"{name}: more than {MAX_STATES:,} states: expected fewer cells or a smaller value")
        layer = following
    accepting = frozenset(number for state, number in found.items() if accepts(state))
    return Automaton(cells, frozenset(transitions), 0, accepting, name)


def count_among(
    values: range, cells: tuple[int, ...], counted: Callable[[int], bool], totals: Container[int], name: str
) -> Automaton:
    """As many of the cells hold a `counted` value as one of `totals` says."""

    def step(count: int, value: int) -> int:
        return count + counted(value)

    return automaton(values, cells, 0, step, lambda count: count in totals, name)


def containing(values: range, cells: tuple[int, ...], wanted: tuple[int, ...], name: str) -> Automaton:
    """Each of `wanted` occurs in the cells at least as often as it is listed; the state is what is still to come."""

    def step(left: tuple[int, ...], value: int) -> tuple[int, ...]:
        if value not in left:
            return left
        index = left.index(value)
        return left[:index] + left[index + 1 :]

    return automaton(values, cells, tuple(sorted(wanted)), step, lambda left: not left, name)


def product(values: range, cells: tuple[int, ...], total: int, name: str) -> Automaton:
    """The cells multiply to `total`; the state is what is left of it to divide."""
    if total == 0:
        return count_among(values, cells, lambda value: value == 0, range(1, len(cells) + 1), name)

    def step(left: int, value: int) -> int | None:
        return left // value if value and left > 0 and left % value == 0 else None

    return automaton(values, cells, total, step, lambda left: left == 1, name)
