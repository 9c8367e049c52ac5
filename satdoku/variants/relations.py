"""What the families share: pairs of values as Tables, and automata from a step function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import TypeVar

from satdoku.constraints import Automaton, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark

State = TypeVar("State", bound=Hashable)

Relation = Callable[[int, int], bool]


@cache
def related(size: int, relation: Relation) -> frozenset[tuple[int, int]]:
    """The pairs of values 1..`size` in `relation`; cached, so pass the same function again."""
    values = range(1, size + 1)
    return frozenset((a, b) for a in values for b in values if relation(a, b))


def pair(size: int, cells: tuple[int, ...], relation: Relation, name: str) -> Table:
    """The values of two cells are in `relation`."""
    return Table(cells, related(size, relation), name)


def chain(size: int, cells: tuple[int, ...], relation: Relation, name: str) -> Iterator[Table]:
    """Each cell and the next are in `relation`."""
    for two in pairwise(cells):
        yield pair(size, two, relation, name)


def every_pair(size: int, cells: tuple[int, ...], relation: Relation, name: str) -> Iterator[Table]:
    """Any two of the cells are in `relation`, which is symmetric."""
    for two in combinations(cells, 2):
        yield pair(size, two, relation, name)


def number(mark: Mark, default: int | None = None) -> int:
    """The value of a mark; raises PuzzleError if it is no whole number, or missing without a default."""
    if mark.value is None and default is not None:
        return default
    try:
        return int(str(mark.value))
    except ValueError:
        found = "no value" if mark.value is None else f"value {mark.value!r}"
        raise PuzzleError(f"{found}: expected a whole number") from None


def automaton(
    size: int,
    cells: tuple[int, ...],
    start: State,
    step: Callable[[State, int], State | None],
    accepts: Callable[[State], bool],
    name: str,
) -> Automaton:
    """The automaton whose states are whatever `step` reaches from `start`, numbered as they are found."""
    numbers: dict[State, int] = {start: 0}
    transitions: set[tuple[int, int, int]] = set()
    todo = [start]
    while todo:
        state = todo.pop()
        for value in range(1, size + 1):
            target = step(state, value)
            if target is None:
                continue
            if target not in numbers:
                numbers[target] = len(numbers)
                todo.append(target)
            transitions.add((numbers[state], value, numbers[target]))
    accepting = frozenset(number for state, number in numbers.items() if accepts(state))
    return Automaton(cells, frozenset(transitions), 0, accepting, name)
