"""A board as clauses in which each named constraint can be switched on by itself, for reasons that name constraints.

That a cell has exactly one value always holds; everything a constraint says hangs on its selector.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.encoders import automaton, cage, table
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.clauses import Clauses, Literals
from satdoku.encoders.encodings.direct import Direct
from satdoku.puzzle import Board


@dataclass(frozen=True, slots=True)
class Selected:
    """A board's clauses; `selectors` has a literal for each name, `rules` the constraints of that name."""

    board: Board
    clauses: Clauses
    variables: Direct
    selectors: dict[str, int]
    rules: dict[str, tuple[Constraint, ...]]


def select(board: Board) -> Selected:
    """Write all constraints of `board`, those of one name under one selector."""
    clauses = Clauses()
    is_value = clauses.new_array(board.cells, board.values)
    clauses.extend(is_value)
    pairwise(clauses, is_value)
    variables = Direct(board)
    rules = _by_name(board)
    selectors = {name: clauses.new() for name in rules}
    for name, group in rules.items():
        part = Clauses()
        part.variables = clauses.variables
        for rule in group:
            _write(part, rule, group, is_value)
        clauses.variables = part.variables
        for run in part.parts():
            if isinstance(run, list):
                for clause in run:
                    clauses.add(-selectors[name], *clause)
            else:
                clauses.extend(np.insert(run, 0, -selectors[name], axis=1))
    return Selected(board, clauses, variables, selectors, rules)


def _by_name(board: Board) -> dict[str, tuple[Constraint, ...]]:
    """Constraints by name; the AllDifferent of a cage goes with its sum."""
    sums = {frozenset(rule.cells): rule.name for rule in board.constraints if isinstance(rule, Linear)}
    groups: dict[str, list[Constraint]] = {}
    for rule in board.constraints:
        name = rule.name
        if isinstance(rule, AllDifferent) and len(rule.cells) < board.values:
            name = sums.get(frozenset(rule.cells), name)
        groups.setdefault(name, []).append(rule)
    return {name: tuple(group) for name, group in groups.items()}


def _write(clauses: Clauses, rule: Constraint, group: tuple[Constraint, ...], is_value: Literals) -> None:
    """The clauses of one rule, which may rely on those of its group and no other."""
    values = range(1, is_value.shape[1] + 1)

    def equals(cell: int, value: int) -> int:
        return int(is_value[cell, value - 1])

    match rule:
        case AllDifferent():
            places = is_value[list(rule.cells)].T
            if len(rule.cells) == len(values):
                clauses.extend(places)
            pairwise(clauses, places)
        case Table() if len(rule.cells) <= 2:
            table.support(clauses, rule, values, equals)
        case Linear() if (sets := cage.combinations(rule, _distinct(group), values)) is not None:
            cage.write(clauses, rule, sets, values, equals)
        case Table() | Linear() | Automaton():
            automaton.write(clauses, rule, values, equals)


def _distinct(group: tuple[Constraint, ...]) -> list[AllDifferent]:
    return [rule for rule in group if isinstance(rule, AllDifferent)]
