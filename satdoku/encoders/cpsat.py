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
        """Set the domains to the candidates of `puzzle` in place, which is faster than cloning the model.

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
    for constraint in board.constraints:
        _add(model, constraint, [cells[cell] for cell in constraint.cells], board.values)
    return Model(board, model, cells, [board.every_value] * board.cells)


def _add(model: CpModel, constraint: Constraint, cells: list[IntVar], values: int) -> None:
    added: Any
    match constraint:
        case AllDifferent():
            added = model.add_all_different(cells)
        case Linear():
            # A sum of no terms is a Python number, and its comparison not a constraint.
            terms = sum((c * x for c, x in zip(constraint.coefficients, cells, strict=True)), model.new_constant(0))
            added = model.add(terms == constraint.total)
        case Table() if constraint.cells and constraint.tuples:
            added = model.add_allowed_assignments(cells, sorted(constraint.tuples))
        case Automaton() if constraint.cells and unroll(constraint, range(1, values + 1)) is not None:
            # CP-SAT raises on a language that is empty; unroll has found that it is not.
            added = model.add_automaton(
                cells, constraint.start, sorted(constraint.accepting), sorted(constraint.transitions)
            )
        case Table() | Automaton():
            # Without cells, or where nothing satisfies it, it holds always or never.
            always = not constraint.cells and unroll(constraint, ()) is not None
            added = model.add_bool_or([True] if always else [])
    added.with_name(constraint.name)


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
