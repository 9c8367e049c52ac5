"""A collector of clauses: single ones from Python, many at once as rows or as arrays of numpy, kept in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from satdoku.deferred import Deferred, installed
from satdoku.limits import check_time

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = Deferred("numpy")

Literals: TypeAlias = "NDArray[np.int32]"
LiteralRows = list[list[int]]  # literals, without numpy

CHECKED = 4096  # clauses between two looks at the clock
MANY = 50_000  # clauses up to which rows are faster than numpy is imported: 9x9 has 12,000, 16x16 123,000


class Clauses:
    """Clauses over variables 1..`variables`, as in DIMACS: literal v says that variable v is true, -v that it is false.

    An encoding adds to them; equally long clauses may be added at once, as an array. `len` is their number, and to
    iterate over them gives each as a list, in the order in which they were added.

    Parameters:
        variables: how many variables there are already.

    Example:
        >>> from satdoku.encoders.clauses import Clauses
        >>> clauses = Clauses()
        >>> first, second = clauses.new(), clauses.new()
        >>> clauses.add(first, -second)
        >>> clauses.extend(clauses.new_array(2, 3))
        >>> clauses.variables, list(clauses)
        (8, [[1, -2], [3, 4, 5], [6, 7, 8]])
    """

    def __init__(self, variables: int = 0) -> None:
        self.variables = variables
        self._count = 0
        self._parts: list[Literals | LiteralRows] = []

    def __len__(self) -> int:
        return self._count

    def new(self) -> int:
        """A new variable; returns its number, which is also the literal that says it is true."""
        self.variables += 1
        return self.variables

    def new_array(self, *shape: int) -> Literals:
        """New variables, one for each place of an array.

        Parameters:
            shape: the lengths of the array, such as (cells, values).

        Returns:
            Their numbers, rising row by row, as an array of int32 of that shape.
        """
        count = int(np.prod(shape))
        first = self.variables + 1
        self.variables += count
        return np.arange(first, first + count, dtype=np.int32).reshape(shape)

    def new_rows(self, rows: int, width: int) -> LiteralRows:
        """New variables, one for each place of so many rows of this width: their numbers, rising row by row."""
        first = self.variables + 1
        self.variables += rows * width
        return [list(range(begin, begin + width)) for begin in range(first, first + rows * width, width or 1)]

    def add(self, *literals: int) -> None:
        """Add one clause: at least one of the literals is true. Give at least one; `contradiction` says that none is.

        Parameters:
            literals: numbers of variables that there are, negative where the variable is to be false.
        """
        self._single().append(list(literals))
        self._count += 1
        if not self._count % CHECKED:
            check_time()

    def _single(self) -> LiteralRows:
        """The list that the next single clauses go into."""
        if not self._parts or not isinstance(self._parts[-1], list):
            self._parts.append([])
        part = self._parts[-1]
        assert isinstance(part, list)
        return part

    def extend(self, clauses: Literals | LiteralRows) -> None:
        """Add many clauses at once.

        Parameters:
            clauses: equally long ones as an array of whole numbers of shape (clauses, literals), or a list with a list
                for each clause, which may differ in length; none is added of an empty one.
        """
        if isinstance(clauses, list):
            if clauses and clauses[0]:
                check_time()
                self._single().extend(clauses)
                self._count += len(clauses)
        elif clauses.size:
            check_time()
            self._parts.append(np.ascontiguousarray(clauses, dtype=np.int32))
            self._count += len(clauses)

    def parts(self) -> Iterator[Literals | LiteralRows]:
        """The clauses as they were added: arrays of (clauses, literals), and lists of clauses between them."""
        yield from self._parts

    def arrays(self) -> Iterator[Literals]:
        """All clauses as arrays of (clauses, literals); single ones are put together by their length."""
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
            for first in range(0, len(part), CHECKED):
                check_time()
                some = part[first : first + CHECKED]
                yield from some if isinstance(some, list) else some.tolist()


def contradiction(clauses: Clauses) -> None:
    """Make the clauses unsatisfiable without the empty clause, which some solvers mishandle."""
    literal = clauses.new()
    clauses.add(literal)
    clauses.add(-literal)


def at_least_one(clauses: Clauses, literals: Iterable[int]) -> None:
    """Add the clause that one of the literals is true; a contradiction if there are none."""
    chosen = list(literals)
    if chosen:
        clauses.add(*chosen)
    else:
        contradiction(clauses)


def packed(groups: LiteralRows, clauses: int) -> Literals | LiteralRows:
    """Equally long groups as an array where so many clauses are made of them and of others that it pays."""
    return np.array(groups, dtype=np.int32) if clauses > MANY and installed("numpy") else groups
