"""The one table of how each kind of constraint is written as clauses, over whatever literals say `cell = value`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.encoders import automaton, cage, table
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.clauses import Clauses


@dataclass(frozen=True, slots=True)
class Cells:
    """What constraints speak of.

    values:   1..N
    equals:   (cell, value) -> the literal that says cell = value
    distinct: AllDifferents that hold besides, which the clauses of others may rely on
    """

    values: Sequence[int]
    equals: Callable[[int, int], int]
    distinct: Sequence[AllDifferent] = ()


def write(clauses: Clauses, constraint: Constraint, cells: Cells) -> None:
    """Add clauses that hold exactly if the constraint holds."""
    WRITERS[type(constraint)](clauses, constraint, cells)


def _all_different(clauses: Clauses, constraint: AllDifferent, cells: Cells) -> None:
    places = np.array(
        [[cells.equals(cell, value) for cell in constraint.cells] for value in cells.values], dtype=np.int32
    )
    if len(constraint.cells) == len(cells.values):
        clauses.extend(places)
    pairwise(clauses, places)


def _linear(clauses: Clauses, constraint: Linear, cells: Cells) -> None:
    sets = cage.combinations(constraint, cells.distinct, cells.values)
    if sets is None:
        _layered(clauses, constraint, cells)
    else:
        cage.write(clauses, constraint, sets, cells.values, cells.equals)


def _table(clauses: Clauses, constraint: Table, cells: Cells) -> None:
    if len(constraint.cells) <= 2:
        table.support(clauses, constraint, cells.values, cells.equals)
    else:
        _layered(clauses, constraint, cells)


def _layered(clauses: Clauses, constraint: Linear | Table | Automaton, cells: Cells) -> None:
    automaton.write(clauses, constraint, cells.values, cells.equals)


WRITERS: dict[type[Constraint], Callable[[Clauses, Any, Cells], None]] = {
    AllDifferent: _all_different,
    Linear: _linear,
    Table: _table,
    Automaton: _layered,
}
