"""The four constraints that every rule of every variant lowers to.

Cells are numbered row-major from 0, auxiliary cells after those of the grid; a grid is a tuple of
values, one a cell. Each constraint has a `name` for people, the `cells` it looks at, and
`holds(grid)`, the definition that every encoder and backend is tested against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar
from weakref import ref

from satdoku.errors import PuzzleError

FEW_STEPS = 5_000  # transitions up to which the steps of an automaton are known once it is there: half a megabyte
MANY = 10  # tuples or transitions from which on it is worth remembering what is found of them
Result = TypeVar("Result")
Grid = tuple[int, ...]  # row-major values, one for each cell of the board


def _known(find: Callable[[frozenset[Any]], Result]) -> Callable[[frozenset[Any]], Result]:
    """Remember what is found of large sets as long as these are there: thousands of constraints share one. By identity,
    as a set takes as long to be compared with itself as with another."""
    known: dict[int, tuple[ref[frozenset[Any]], Result]] = {}

    def remembered(rows: frozenset[Any]) -> Result:
        if len(rows) < MANY:
            return find(rows)
        key = id(rows)
        seen = known.get(key)
        if seen is None or seen[0]() is not rows:
            seen = known[key] = ref(rows, lambda _: known.pop(key, None)), find(rows)
        return seen[1]

    return remembered


@_known
def _widths(tuples: frozenset[tuple[int, ...]]) -> frozenset[int]:
    return frozenset(map(len, tuples))


@_known
def _steps(transitions: frozenset[tuple[int, int, int]]) -> Mapping[tuple[int, int], int]:
    return dict(zip(map(itemgetter(0, 1), transitions), map(itemgetter(2), transitions), strict=True))


@_known
def _deterministic(transitions: frozenset[tuple[int, int, int]]) -> bool:
    leaving = _steps(transitions) if len(transitions) <= FEW_STEPS else set(map(itemgetter(0, 1), transitions))
    return len(leaving) == len(transitions)


@_known
def _prefixes(tuples: frozenset[tuple[int, ...]]) -> frozenset[tuple[int, ...]]:
    return frozenset(row[:end] for row in tuples for end in range(len(row) + 1))


@dataclass(frozen=True, slots=True)
class AllDifferent:
    """No two of `cells` hold the same value. N cells of a board with N values make a house."""

    cells: tuple[int, ...]
    name: str

    def __post_init__(self) -> None:
        if len(set(self.cells)) != len(self.cells):
            raise PuzzleError(f"{self.name}: a cell occurs twice")

    def __reduce__(self) -> tuple[type[AllDifferent], tuple[Any, ...]]:  # in a tenth of the time that a dataclass takes
        return AllDifferent, (self.cells, self.name)

    def holds(self, grid: Sequence[int]) -> bool:
        return len({grid[cell] for cell in self.cells}) == len(self.cells)


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of coefficient times value is `total`. Repeated cells are merged."""

    cells: tuple[int, ...]
    coefficients: tuple[int, ...]
    total: int
    name: str

    def __post_init__(self) -> None:
        if len(self.cells) != len(self.coefficients):
            raise PuzzleError(f"{self.name}: {len(self.cells)} cells, {len(self.coefficients)} coefficients")
        merged: defaultdict[int, int] = defaultdict(int)
        for cell, coefficient in zip(self.cells, self.coefficients, strict=True):
            merged[cell] += coefficient
        kept = {cell: coefficient for cell, coefficient in merged.items() if coefficient}
        object.__setattr__(self, "cells", tuple(kept))
        object.__setattr__(self, "coefficients", tuple(kept.values()))

    def __reduce__(self) -> tuple[type[Linear], tuple[Any, ...]]:
        return Linear, (self.cells, self.coefficients, self.total, self.name)

    def holds(self, grid: Sequence[int]) -> bool:
        terms = zip(self.cells, self.coefficients, strict=True)
        return sum(coefficient * grid[cell] for cell, coefficient in terms) == self.total


@dataclass(frozen=True, slots=True)
class Table:
    """The values of `cells`, in order, are one of `tuples`. No tuple: unsolvable."""

    cells: tuple[int, ...]
    tuples: frozenset[tuple[int, ...]]
    name: str

    def __post_init__(self) -> None:
        if len(set(self.cells)) != len(self.cells):
            raise PuzzleError(f"{self.name}: a cell occurs twice")
        if _widths(self.tuples) - {len(self.cells)}:
            raise PuzzleError(f"{self.name}: every tuple needs {len(self.cells)} values")

    def __reduce__(self) -> tuple[type[Table], tuple[Any, ...]]:
        return Table, (self.cells, self.tuples, self.name)

    def holds(self, grid: Sequence[int]) -> bool:
        return tuple(grid[cell] for cell in self.cells) in self.tuples


@dataclass(frozen=True, slots=True)
class Automaton:
    """The values of `cells`, read in order, lead from `start` to an accepting state.

    `transitions` are (state, value, next state) with integer states; a step that is absent
    rejects. A cell may be read more than once. An empty language is unsolvable.
    """

    cells: tuple[int, ...]
    transitions: frozenset[tuple[int, int, int]]
    start: int
    accepting: frozenset[int]
    name: str

    def __post_init__(self) -> None:
        if not _deterministic(self.transitions):
            raise PuzzleError(f"{self.name}: two transitions leave one state by one value")

    def __reduce__(self) -> tuple[type[Automaton], tuple[Any, ...]]:
        return Automaton, (self.cells, self.transitions, self.start, self.accepting, self.name)

    def step(self) -> Mapping[tuple[int, int], int]:
        """The transition function: (state, value) -> next state."""
        return _steps(self.transitions)

    def holds(self, grid: Sequence[int]) -> bool:
        step, state = self.step(), self.start
        for cell in self.cells:
            following = step.get((state, grid[cell]))
            if following is None:
                return False
            state = following
        return state in self.accepting


Constraint = AllDifferent | Linear | Table | Automaton


class StateMachine(NamedTuple):
    """A constraint as what reads its cells one after the other.

    step:    (state, value) -> next state, None where the constraint cannot hold any more
    accepts: whether it holds in the state after the last cell
    """

    cells: tuple[int, ...]
    start: Any
    step: Callable[[Any, int], Any]
    accepts: Callable[[Any], bool]


def machine_of(constraint: Constraint) -> StateMachine:
    """What reads a constraint. Its states are the values so far of an AllDifferent, cells read and sum of a Linear, the
    tuple so far of a Table, those of an Automaton."""
    match constraint:
        case AllDifferent(cells):
            return StateMachine(
                cells, frozenset(), lambda seen, v: None if v in seen else seen | {v}, lambda seen: True
            )
        case Linear(cells, weights, total):
            return StateMachine(
                cells, (0, 0), lambda s, v: (s[0] + 1, s[1] + weights[s[0]] * v), lambda s: s[1] == total
            )
        case Table(cells, tuples):
            begun = _prefixes(tuples)
            return StateMachine(
                cells, (), lambda row, v: (*row, v) if (*row, v) in begun else None, tuples.__contains__
            )
    step = constraint.step()
    accepts = constraint.accepting.__contains__
    return StateMachine(constraint.cells, constraint.start, lambda state, v: step.get((state, v)), accepts)


def shift_values(constraint: Constraint, by: int) -> Constraint:
    """What holds of values exactly if the constraint holds of them before they all became `by` more."""
    match constraint:
        case Linear():
            return replace(constraint, total=constraint.total + by * sum(constraint.coefficients))
        case Table():
            return replace(constraint, tuples=frozenset(tuple(v + by for v in row) for row in constraint.tuples))
        case Automaton():
            steps = frozenset((state, value + by, target) for state, value, target in constraint.transitions)
            return replace(constraint, transitions=steps)
    return constraint


def repeats(cells: Sequence[int], grid: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(value, first cell, later cell) for every value that occurs again among `cells`."""
    values = list(map(grid.__getitem__, cells))
    distinct = set(values)
    if len(distinct) == len(values):  # nearly always in full grids, and seen in a fifth of the time
        return
    if 0 in distinct and len(distinct) + values.count(0) == len(values) + 1:
        return
    seen: dict[int, int] = {}
    for cell in cells:
        value = grid[cell]
        if value and value in seen:
            yield value, seen[value], cell
        seen.setdefault(value, cell)
