"""Grids of a puzzle of the second reading, found by a SAT solver."""

from __future__ import annotations

from random import Random

from pysat.solvers import Solver

from support.independent.board import Puzzle
from support.independent.clauses import conditions
from support.independent.logic import Logic

Grid = tuple[int, ...]


def stated(puzzle: Puzzle) -> Logic:
    """The clauses of a puzzle, whose models are its solutions."""
    logic = Logic(puzzle.size, puzzle.values)
    logic.clauses += [[condition] for condition in conditions(logic, puzzle)]
    # What follows, so that the solver sees it sooner: a house as large as the number of values has each of them.
    full = (house for house in puzzle.houses if len(house) == puzzle.values)
    logic.clauses += [[logic.equals(cell, value) for cell in house] for house in full for value in logic.values]
    return logic


def solutions(puzzle: Puzzle, limit: int) -> list[Grid]:
    """So many different solutions, or all where there are not so many."""
    found: list[Grid] = []
    logic = stated(puzzle)
    with Solver("glucose4", bootstrap_with=logic.clauses) as solver:
        while len(found) < limit and solver.solve():
            found.append(logic.grid(solver.get_model()))
            solver.add_clause([-logic.equals(cell, value) for cell, value in enumerate(found[-1])])
    return found


def random_solution(puzzle: Puzzle, rng: Random) -> Grid | None:
    """Some solution, which depends on `rng`."""
    logic = stated(puzzle)
    wanted = [logic.equals(cell, rng.choice(puzzle.digits)) for cell in range(puzzle.size)]
    with Solver("minisat22", bootstrap_with=logic.clauses) as solver:
        solver.set_phases(wanted)
        return logic.grid(solver.get_model()) if solver.solve() else None
