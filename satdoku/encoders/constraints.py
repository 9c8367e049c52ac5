"""The one table of how each kind of constraint is written as clauses, over whatever literals say `cell = value`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.encoders import automaton, cage, table
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.automaton import ValuesOf
from satdoku.encoders.clauses import Clauses
from satdoku.puzzle import Board, members


@dataclass(frozen=True, slots=True)
class Cells:
    """What constraints speak of."""

    values_of: ValuesOf  # the values that a cell may hold at all
    equals: Callable[[int, int], int]  # (cell, value) -> the literal that says cell = value
    distinct: Sequence[AllDifferent] = ()  # AllDifferents that hold besides, which the clauses of others may rely on


def cells_of(
    board: Board, clauses: Clauses, equals: Callable[[int, int], int], distinct: Sequence[AllDifferent] = ()
) -> Cells:
    """The cells of a board: `equals` says what grid cells hold, auxiliary cells get variables and clauses here."""
    own: dict[tuple[int, int], int] = {}
    for cell, allowed in enumerate(board.auxiliary, board.cells):
        literals = clauses.new_array(1, allowed.bit_count())
        clauses.extend(literals)
        pairwise(clauses, literals)
        own |= zip(((cell, value) for value in members(allowed)), literals[0].tolist(), strict=True)

    def literal(cell: int, value: int) -> int:
        return equals(cell, value) if cell < board.cells else own[cell, value]

    return Cells(board.values_of, literal if own else equals, distinct)


def write(clauses: Clauses, constraint: Constraint, cells: Cells) -> None:
    """Add clauses that hold exactly if the constraint holds."""
    WRITERS[type(constraint)](clauses, constraint, cells)


def _all_different(clauses: Clauses, constraint: AllDifferent, cells: Cells) -> None:
    domains = {cell: cells.values_of(cell) for cell in constraint.cells}
    every = sorted({value for values in domains.values() for value in values})
    for value in every:
        holding = [cells.equals(cell, value) for cell, values in domains.items() if value in values]
        places = np.array([holding], dtype=np.int32)
        if len(domains) == len(every):
            clauses.extend(places)
        pairwise(clauses, places)


def _linear(clauses: Clauses, constraint: Linear, cells: Cells) -> None:
    domains = [cells.values_of(cell) for cell in constraint.cells]
    alike = bool(domains) and all(values == domains[0] for values in domains)
    sets = cage.combinations(constraint, cells.distinct, domains[0]) if alike else None
    if sets is None:
        _layered(clauses, constraint, cells)
    else:
        cage.write(clauses, constraint, sets, domains[0], cells.equals)


def _layered(clauses: Clauses, constraint: Linear | Table | Automaton, cells: Cells) -> None:
    if isinstance(constraint, Table) and len(constraint.cells) <= 2:
        table.support(clauses, constraint, cells.values_of, cells.equals)
    else:
        automaton.write(clauses, constraint, cells.values_of, cells.equals)


WRITERS: dict[type[Constraint], Callable[[Clauses, Any, Cells], None]] = {
    AllDifferent: _all_different,
    Linear: _linear,
    Table: _layered,
    Automaton: _layered,
}
