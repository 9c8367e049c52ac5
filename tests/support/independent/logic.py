"""Conditions on the values of cells as clauses.

Each cell and value has a variable, numbered cell x values + value. A condition is a literal: what is composed of others
has a variable of its own, with clauses that say both ways what it stands for. So the values of the cells determine all
variables, a condition can be asserted as well as denied, and a model is a grid. Equal conditions are one literal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, combinations, pairwise

State = Hashable


class Logic:
    """Clauses over the variables of `cells` cells, each of which has one of `values` values."""

    def __init__(self, cells: int, values: int) -> None:
        self.cells, self.values = cells, range(1, values + 1)
        self.true = self.count = cells * values + 1
        self.clauses: list[list[int]] = [[self.true]]
        self._gates: dict[frozenset[int], int] = {}
        self._together: dict[int, frozenset[int]] = {}
        for cell in range(cells):
            literals = [self.equals(cell, value) for value in self.values]
            self.clauses += [literals, *([-one, -other] for one, other in combinations(literals, 2))]

    @property
    def false(self) -> int:
        return -self.true

    def grid(self, model: Sequence[int]) -> tuple[int, ...]:
        """The values of the cells in a model."""
        size = len(self.values)
        chosen = [variable for variable in model[: self.cells * size] if variable > 0]
        return tuple((variable - 1) % size + 1 for variable in chosen)

    def equals(self, cell: int, value: int) -> int:
        return cell * len(self.values) + value if value in self.values else self.false

    def all(self, conditions: Iterable[int]) -> int:
        parts = frozenset(conditions) - {self.true}
        if self.false in parts or any(-part in parts for part in parts):
            return self.false
        if len(parts) < 2:
            return next(iter(parts), self.true)
        if parts not in self._gates:
            self.count += 1
            self._gates[parts], self._together[self.count] = self.count, parts
            self.clauses += [*([-self.count, part] for part in parts), [self.count, *(-part for part in parts)]]
        return self._gates[parts]

    def parts(self, condition: int) -> Iterator[int]:
        """The conditions that hold together where this one holds, each as small as can be."""
        together = self._together.get(condition)
        if together is None:
            yield condition
        else:
            for part in together:
                yield from self.parts(part)

    def any(self, conditions: Iterable[int]) -> int:
        return -self.all(-condition for condition in conditions)

    def among(self, cell: int, values: Iterable[int]) -> int:
        """The cell has one of the values."""
        some = set(values).intersection(self.values)
        others = set(self.values) - some
        if len(some) <= len(others):
            return self.any(self.equals(cell, value) for value in some)
        return -self.any(self.equals(cell, value) for value in others)

    def pair(self, one: int, other: int, fits: Callable[[int, int], bool]) -> int:
        """The values of two cells fit each other."""
        if one == other:
            return self.among(one, (value for value in self.values if fits(value, value)))
        return self.all(
            self.any(
                (-self.equals(one, value), self.among(other, (second for second in self.values if fits(value, second))))
            )
            for value in self.values
        )

    def chain(self, cells: Sequence[int], fits: Callable[[int, int], bool]) -> int:
        """Each cell and the next fit each other."""
        return self.all(self.pair(one, other, fits) for one, other in pairwise(cells))

    def differ(self, cells: Iterable[int]) -> int:
        """No two of the cells have the same value."""
        ordered = sorted(cells)
        return self.all(
            -self.all((self.equals(one, value), self.equals(other, value)))
            for one, other in combinations(ordered, 2)
            for value in self.values
        )

    def read(
        self,
        cells: Iterable[int],
        start: State,
        step: Callable[[State, int], State | None],
        ends: Callable[[State], bool] = lambda state: True,
    ) -> int:
        """Reading the cells one by one leads from `start` to a state that `ends` accepts; None is no state."""
        states = {start: self.true}
        for cell in cells:
            leads: defaultdict[State, defaultdict[State, list[int]]] = defaultdict(lambda: defaultdict(list))
            for state in states:
                for value in self.values:
                    after = step(state, value)
                    if after is not None:
                        leads[after][state].append(value)
            states = {
                after: self.any(self.all((states[state], self.among(cell, some))) for state, some in into.items())
                for after, into in leads.items()
            }
        return self.any(literal for state, literal in states.items() if ends(state))

    def total(self, terms: Sequence[tuple[int, int]], total: int) -> int:
        """The sum of weight x value, over (cell, weight), is the total."""
        ends = [sorted((weight * self.values[0], weight * self.values[-1])) for _, weight in reversed(terms)]
        least = [*accumulate((low for low, _ in ends), initial=0)][::-1]
        most = [*accumulate((high for _, high in ends), initial=0)][::-1]

        def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
            place, added = state[0] + 1, state[1] + terms[state[0]][1] * value
            return (place, added) if added + least[place] <= total <= added + most[place] else None

        return self.read((cell for cell, _ in terms), (0, 0), step, lambda state: state[1] == total)  # type: ignore

    def sums_to(self, cells: Iterable[int], total: int) -> int:
        return self.total([(cell, 1) for cell in cells], total)

    def as_much(self, cells: Iterable[int], others: Iterable[int]) -> int:
        """Two groups of cells have the same sum."""
        return self.total([*((cell, 1) for cell in cells), *((cell, -1) for cell in others)], 0)

    def counts(self, conditions: Sequence[int]) -> dict[int, int]:
        """For each number, that so many of the conditions hold."""
        found = {0: self.true}
        for condition in conditions:
            found = {
                number: self.any(
                    (
                        self.all((condition, found.get(number - 1, self.false))),
                        self.all((-condition, found.get(number, self.false))),
                    )
                )
                for number in range(len(found) + 1)
            }
        return found
