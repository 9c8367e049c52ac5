"""A board as clauses; what each named constraint says hangs on a selector literal, for reasons that name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from satdoku.constraints import AllDifferent, Constraint, Linear
from satdoku.deferred import Deferred
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.constraints import CellLiterals, cells_of, write
from satdoku.encoders.encodings.direct import Direct
from satdoku.puzzle import Board

if TYPE_CHECKING:
    import numpy as np
else:
    np = Deferred("numpy")


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorCnf:
    """A board's clauses; `selectors` has a literal for each name, `constraints` what has that name."""

    clauses: Clauses
    variables: Direct
    cells: CellLiterals
    selectors: dict[str, int]
    constraints: Mapping[str, tuple[Constraint, ...]]


def encode(board: Board, groups: Mapping[str, tuple[Constraint, ...]] | None = None) -> SelectorCnf:
    """Write all constraints of `board`, those of a group under one selector; of one name if no groups are given."""
    clauses = Clauses()
    is_value = clauses.new_rows(board.cells, board.values)
    clauses.extend(is_value)
    pairwise(clauses, is_value)
    variables = Direct(board)
    cells = cells_of(board, clauses, variables.equals)
    groups = by_name(board) if groups is None else groups
    selectors = {name: clauses.new() for name in groups}
    for name, group in groups.items():
        # They may rely on each other, but on nothing that hangs on another selector.
        distinct = [constraint for constraint in group if isinstance(constraint, AllDifferent)]
        part = Clauses(clauses.variables)
        for constraint in group:
            write(part, constraint, replace(cells, distinct=distinct))
        clauses.variables = part.variables
        for run in part.parts():
            if isinstance(run, list):
                for clause in run:
                    clauses.add(-selectors[name], *clause)
            else:
                clauses.extend(np.insert(run, 0, -selectors[name], axis=1))
    return SelectorCnf(clauses=clauses, variables=variables, cells=cells, selectors=selectors, constraints=groups)


def by_name(board: Board) -> dict[str, tuple[Constraint, ...]]:
    """Constraints by name; the AllDifferent of a cage goes with its sum."""
    sums = {frozenset(constraint.cells): constraint.name for constraint in board.others if type(constraint) is Linear}
    groups: dict[str, list[Constraint]] = {}
    for constraint in board.constraints:
        name = constraint.name
        if isinstance(constraint, AllDifferent) and len(constraint.cells) < board.values:
            name = sums.get(frozenset(constraint.cells), name)
        groups.setdefault(name, []).append(constraint)
    return {name: tuple(group) for name, group in groups.items()}
