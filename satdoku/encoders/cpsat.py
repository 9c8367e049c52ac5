"""Boards as CP-SAT models: all four constraints are native there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.encoders.automaton import unroll
from satdoku.puzzle import Board, Puzzle, members

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar


@dataclass(frozen=True, slots=True)
class Model:
    """A CP-SAT model of a board; `cells[i]` is the variable of cell i, and `allowed[i]` its domain as a set."""

    board: Board
    model: CpModel
    cells: list[IntVar]
    allowed: list[int]

    def restrict(self, puzzle: Puzzle) -> None:
        """Set the domains to the candidates of `puzzle`, in place, which beats cloning the model.

        Raises ValueError for a cell without candidates: the caller has looked for those.
        """
        variables = self.model.proto.variables
        for cell, allowed in enumerate(puzzle.candidates):
            if allowed != self.allowed[cell]:
                domain = variables[self.cells[cell].index].domain
                domain.clear()
                domain.extend(intervals(allowed))
                self.allowed[cell] = allowed


def encode(board: Board) -> Model:
    """Write every constraint of `board` natively."""
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    cells = [model.new_int_var(1, board.values, board.label(cell)) for cell in range(board.cells)]
    for rule in board.constraints:
        _add(model, rule, [cells[cell] for cell in rule.cells], board.values)
    return Model(board, model, cells, [board.every_value] * board.cells)


def _add(model: CpModel, rule: Constraint, cells: list[IntVar], values: int) -> None:
    added: Any
    match rule:
        case AllDifferent():
            added = model.add_all_different(cells)
        case Linear():
            # A sum of no terms is a Python number, and its comparison no constraint.
            terms = sum((c * x for c, x in zip(rule.coefficients, cells, strict=True)), model.new_constant(0))
            added = model.add(terms == rule.total)
        case Table() if rule.cells and rule.tuples:
            added = model.add_allowed_assignments(cells, sorted(rule.tuples))
        case Automaton() if rule.cells and unroll(rule, range(1, values + 1)) is not None:
            # CP-SAT raises on a language that is empty; unroll has found a word.
            added = model.add_automaton(cells, rule.start, sorted(rule.accepting), sorted(rule.transitions))
        case _:
            added = model.add_bool_or([] if not _holds_empty(rule) else [True])
    added.with_name(rule.name)


def _holds_empty(rule: Constraint) -> bool:
    """Whether a rule that is left without cells or without words holds."""
    return not rule.cells and rule.holds(())


@lru_cache(maxsize=4096)
def intervals(allowed: int) -> tuple[int, ...]:
    """The candidates as CP-SAT writes a domain: first and last value of each run, flat."""
    ends: list[int] = []
    for value in members(allowed):
        if ends and ends[-1] == value - 1:
            ends[-1] = value
        else:
            ends += [value, value]
    return tuple(ends)
