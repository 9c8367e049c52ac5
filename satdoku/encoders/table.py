"""A Table over one or two cells by its support clauses (Gent 2002): unit propagation finds every
value that no tuple supports."""

from collections.abc import Callable

from satdoku.constraints import Table
from satdoku.encoders.automaton import ValuesOf
from satdoku.encoders.clauses import Clauses, at_least_one


def support(clauses: Clauses, constraint: Table, values_of: ValuesOf, equals: Callable[[int, int], int]) -> None:
    """For each value of a cell: it is taken only with a value of the other cell that goes with it."""
    domains = [values_of(cell) for cell in constraint.cells]
    within = [
        row for row in constraint.tuples if all(value in values for value, values in zip(row, domains, strict=True))
    ]
    if len(constraint.cells) <= 1:
        # No cell: satisfied by the empty tuple alone.
        if not within:
            at_least_one(clauses, ())
        elif constraint.cells:
            at_least_one(clauses, (equals(constraint.cells[0], value) for (value,) in sorted(within)))
        return
    for here, there in ((0, 1), (1, 0)):
        partners: dict[int, list[int]] = {value: [] for value in domains[here]}
        for row in sorted(within):
            partners[row[here]].append(row[there])
        for value, others in partners.items():
            if len(others) < len(domains[there]):
                clauses.add(
                    -equals(constraint.cells[here], value),
                    *(equals(constraint.cells[there], other) for other in others),
                )
