"""A sum of distinct values by its combinations, a variable each: few for a small cage, and good to branch on."""

from collections.abc import Callable, Iterator, Sequence

from satdoku.constraints import AllDifferent, Linear
from satdoku.encoders.clauses import Clauses, at_least_one

MAX_COMBINATIONS = 500  # combinations of one sum beyond which the layered automaton is smaller


def combinations(
    constraint: Linear, distinct: Sequence[AllDifferent], values: Sequence[int]
) -> list[frozenset[int]] | None:
    """The sets of values of cells that one of `distinct` holds; None if there is none, or the sets are too many."""
    cells = set(constraint.cells)
    if set(constraint.coefficients) != {1} or not any(cells.issubset(other.cells) for other in distinct):
        return None
    found: list[frozenset[int]] = []
    for chosen in _sums(sorted(values), len(cells), constraint.total):
        found.append(frozenset(chosen))
        if len(found) > MAX_COMBINATIONS:
            return None
    return found


def write(
    clauses: Clauses,
    constraint: Linear,
    sets: Sequence[frozenset[int]],
    values: Sequence[int],
    equals: Callable[[int, int], int],
) -> None:
    """Clauses that hold exactly if the cells, which differ, hold one of `sets` between them."""
    is_set = [clauses.new() for _ in sets]
    at_least_one(clauses, is_set)
    for value in values:
        containing = [literal for literal, chosen in zip(is_set, sets, strict=True) if value in chosen]
        in_cells = [equals(cell, value) for cell in constraint.cells]
        if len(containing) < len(is_set):
            for literal in in_cells:
                clauses.add(-literal, *containing)
        for literal in containing:
            clauses.add(-literal, *in_cells)


def _sums(values: list[int], count: int, total: int) -> Iterator[tuple[int, ...]]:
    """`count` different values, ascending, that add up to `total`."""
    if count == 0:
        if total == 0:
            yield ()
        return
    for index, value in enumerate(values):
        later = values[index + 1 :]
        least, most = sum(later[: count - 1]), sum(later[len(later) - count + 1 :]) if count > 1 else 0
        if len(later) < count - 1 or value + least > total:
            return
        if value + most >= total:
            for rest in _sums(later, count - 1, total - value):
                yield (value, *rest)
