"""The encoders as a library: models of other solvers come back as grids, and wrong ones are refused."""

from __future__ import annotations

import pytest
from ortools.sat.python.cp_model import CpSolver
from pysat.solvers import Solver

import satdoku
from satdoku import CnfModel, InputError, Puzzle, Refused, WrongAnswer
from satdoku.encoders.cnf import encodings

EMPTY = satdoku.read("." * 16)
CAGED = satdoku.build(size=4, marks=[satdoku.marks.killer_cage(["r1c1", "r1c2"], total=3)], givens={"r4c4": 1})
FORMS = [*encodings(), "extended+product", "minimal+reduced"]


def grids(problem: CnfModel) -> set[tuple[int, ...]]:
    """All models of the formula, as grids."""
    found = set()
    with Solver("glucose4", bootstrap_with=problem.formula) as solver:
        while solver.solve():
            grid = satdoku.decode(problem, solver.get_model())
            assert grid is not None
            found.add(grid)
            solver.add_clause(problem.blocking(grid))
        assert satdoku.decode(problem, solver.get_model()) is None
    return found


@pytest.mark.parametrize("encoding", FORMS)
def test_the_models_of_a_formula_are_the_solutions(encoding: str) -> None:
    expected = set(satdoku.solve(CAGED, limit=None, backend="backtrack").grids)
    assert grids(satdoku.cnf(CAGED, encoding=encoding)) == expected


def test_candidates_that_are_not_givens_are_in_the_formula() -> None:
    every = EMPTY.board.every_value
    puzzle = Puzzle(EMPTY.board, (0b1100,) * 2 + (every,) * 14)
    found = grids(satdoku.cnf(puzzle))
    assert found == set(satdoku.solve(puzzle, limit=None, backend="backtrack").grids)


def test_a_printed_answer_is_decoded() -> None:
    problem = satdoku.cnf(".1.4....1....43.")
    with Solver("minisat22", bootstrap_with=problem.formula) as solver:
        assert solver.solve()
        text = f"c by hand\ns SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"
    assert satdoku.decode(problem, text) == satdoku.solve(problem.puzzle).grid
    assert satdoku.decode(problem, "s UNSATISFIABLE\n") is None
    with pytest.raises(InputError, match="expected a solver's answer"):
        satdoku.decode(problem, "hello")


def test_an_answer_that_is_not_a_solution_is_refused() -> None:
    problem = satdoku.cnf("1...............")
    ones = [problem.literals[cell][1][0] for cell in range(16)]
    with pytest.raises(WrongAnswer, match="the answer is not a solution: row 1 has 1 twice"):
        satdoku.decode(problem, ones)
    with pytest.raises(WrongAnswer, match="the answer gives r1c2 no value"):
        satdoku.decode(problem, ones[:1])
    with pytest.raises(WrongAnswer, match="the answer gives r1c1 1 and 2"):
        satdoku.decode(problem, [*ones, problem.literals[0][2][0]])


def test_a_board_beyond_the_bound_is_refused() -> None:
    with pytest.raises(Refused, match=r"million clauses under extended; the encoding extended\+reduced leaves out"):
        satdoku.cnf("\n".join([" ".join(["."] * 100)] * 100))


class TestCpsat:
    def test_a_model_takes_more_and_comes_back(self) -> None:
        problem = satdoku.cpsat_model(CAGED)
        problem.model.add(problem.cells[0] == 2)
        solver = CpSolver()
        solver.solve(problem.model)
        grid = satdoku.decode(problem, solver)
        assert grid is not None
        assert grid[:2] == (2, 1)

    def test_no_solution_is_none(self) -> None:
        for puzzle in (satdoku.read("11.............."), Puzzle(EMPTY.board, (0, *EMPTY.candidates[1:]))):
            problem = satdoku.cpsat_model(puzzle)
            solver = CpSolver()
            solver.solve(problem.model)
            assert satdoku.decode(problem, solver) is None

    def test_a_solver_that_has_solved_nothing(self) -> None:
        with pytest.raises(InputError, match="the solver has solved nothing yet"):
            satdoku.decode(satdoku.cpsat_model(EMPTY), CpSolver())
        with pytest.raises(TypeError, match="expected the CpSolver that has solved the model"):
            satdoku.decode(satdoku.cpsat_model(EMPTY), [1])
