"""Boards as CP-SAT models: all four constraints are native there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear, Table, shift_values
from satdoku.encoders.automaton import unroll
from satdoku.limits import MAX_CANDIDATES, check_time
from satdoku.puzzle import Board, Puzzle, members

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar


@dataclass(frozen=True, slots=True)
class Model:
    """A CP-SAT model of a board, over shown values."""

    board: Board
    model: CpModel
    cells: list[IntVar]
    allowed: list[int]

    def restrict(self, puzzle: Puzzle) -> None:
        """Set the domains to the candidates of `puzzle`, each of some; faster in place than cloning the model."""
        variables = self.model.proto.variables
        for cell, allowed in enumerate(puzzle.candidates):
            if allowed != self.allowed[cell]:
                domain = variables[self.cells[cell].index].domain
                domain.clear()
                domain.extend(map(self.board.shown, intervals(allowed)))
                self.allowed[cell] = allowed

    def grid(self, values: Iterable[int]) -> Grid:
        first = self.board.first_value
        return tuple(values) if first == 1 else tuple(value + 1 - first for value in values)


def refusal(puzzle: Puzzle) -> str | None:
    """Why CP-SAT is not given a puzzle; None if it is."""
    if puzzle.board.cells * puzzle.board.values <= MAX_CANDIDATES:
        return None
    from satdoku.encoders.houses import known

    number = known(puzzle).open.sum()
    if number <= MAX_CANDIDATES:
        return None
    return f"{number / 1e6:.0f} million candidates, and cpsat takes at most {MAX_CANDIDATES / 1e6:.0f} million"


def encode(board: Board) -> Model:
    from ortools.sat.python.cp_model import CpModel, Domain

    model = CpModel()
    cells = []
    for cell in range(board.cells + len(board.auxiliary)):
        ends = [*map(board.shown, intervals(board.domain(cell)))]
        cells.append(model.new_int_var_from_domain(Domain.from_flat_intervals(ends), board.label(cell)))
    for constraint in board.constraints:
        check_time()
        _add(model, constraint, [cells[cell] for cell in constraint.cells], board)
    return Model(board, model, cells[: board.cells], [board.every_value] * board.cells)


def _add(model: CpModel, constraint: Constraint, cells: list[IntVar], board: Board) -> None:
    added: Any
    original = constraint
    if board.first_value != 1:
        constraint = shift_values(constraint, board.first_value - 1)
    match constraint:
        case AllDifferent():
            added = model.add_all_different(cells)
        case Linear():
            # A sum of no terms is a Python number, and its comparison not a constraint.
            terms = sum((c * x for c, x in zip(constraint.coefficients, cells, strict=True)), model.new_constant(0))
            added = model.add(terms == constraint.total)
        case Table() if constraint.cells and constraint.tuples:
            added = model.add_allowed_assignments(cells, sorted(constraint.tuples))
        case Automaton() if constraint.cells and _has_word(original, board):
            # CP-SAT raises on a language that is empty; unroll has found that it is not.
            added = model.add_automaton(
                cells, constraint.start, sorted(constraint.accepting), sorted(constraint.transitions)
            )
        case Table() | Automaton():
            # Without cells, or where nothing satisfies it, it holds always or never.
            always = not constraint.cells and _has_word(original, board)
            added = model.add_bool_or([True] if always else [])
    added.with_name(constraint.name)


def _has_word(constraint: Constraint, board: Board) -> bool:
    return not isinstance(constraint, AllDifferent) and unroll(constraint, board.values_of) is not None


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
