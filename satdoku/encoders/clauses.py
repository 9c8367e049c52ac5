"""A collector of clauses: single ones from Python, whole arrays from numpy, kept in order."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

Literals = NDArray[np.int32]


class Clauses:
    """Clauses over variables 1..`variables`, as in DIMACS; equally long ones come as arrays (clauses, literals)."""

    def __init__(self, variables: int = 0) -> None:
        self.variables = variables
        self._count = 0
        self._parts: list[Literals | list[list[int]]] = []

    def __len__(self) -> int:
        return self._count

    def new(self) -> int:
        self.variables += 1
        return self.variables

    def new_array(self, *shape: int) -> Literals:
        count = int(np.prod(shape))
        first = self.variables + 1
        self.variables += count
        return np.arange(first, first + count, dtype=np.int32).reshape(shape)

    def add(self, *literals: int) -> None:
        if not self._parts or not isinstance(self._parts[-1], list):
            self._parts.append([])
        part = self._parts[-1]
        assert isinstance(part, list)
        part.append(list(literals))
        self._count += 1

    def extend(self, clauses: Literals) -> None:
        if clauses.size:
            self._parts.append(np.ascontiguousarray(clauses, dtype=np.int32))
            self._count += len(clauses)

    def parts(self) -> Iterator[Literals | list[list[int]]]:
        yield from self._parts

    def arrays(self) -> Iterator[Literals]:
        for part in self._parts:
            if isinstance(part, list):
                by_length: dict[int, list[list[int]]] = {}
                for clause in part:
                    by_length.setdefault(len(clause), []).append(clause)
                yield from (np.array(rows, dtype=np.int32) for rows in by_length.values())
            else:
                yield part

    def __iter__(self) -> Iterator[list[int]]:
        for part in self._parts:
            yield from part if isinstance(part, list) else part.tolist()


def contradiction(clauses: Clauses) -> None:
    """Make the clauses unsatisfiable without the empty clause, which some solvers mishandle."""
    literal = clauses.new()
    clauses.add(literal)
    clauses.add(-literal)


def at_least_one(clauses: Clauses, literals: Iterable[int]) -> None:
    chosen = list(literals)
    if chosen:
        clauses.add(*chosen)
    else:
        contradiction(clauses)
