"""Puzzles as models of SAT solvers and of CP-SAT, and answers back as grids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

from satdoku.constraints import Grid
from satdoku.errors import InputError, WrongAnswer, excerpt
from satdoku.inputs.programs import Source, as_puzzle
from satdoku.puzzle import Puzzle
from satdoku.referee import violations

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar
    from pysat.formula import CNF

    from satdoku.encoders.cnf import Encoding


@dataclass(frozen=True, slots=True)
class CnfModel:
    """A puzzle as clauses: the models of `formula`, a `pysat.formula.CNF`, are its solutions.

    literals: for each cell (from 0) and value the literals that together say that the cell has it; none where it is
        decided, and values that the cell cannot have may be left out
    """

    puzzle: Puzzle
    formula: CNF
    literals: Mapping[int, Mapping[int, tuple[int, ...]]]

    def blocking(self, grid: Grid) -> list[int]:
        """The clause that excludes one grid, for a search of further ones."""
        return [-literal for cell, value in enumerate(grid) for literal in self.literals[cell][value]]


@dataclass(frozen=True, slots=True)
class CpsatModel:
    """A puzzle as an `ortools.sat.python.cp_model.CpModel`, with the variable of each cell, row by row."""

    puzzle: Puzzle
    model: CpModel
    cells: tuple[IntVar, ...]


def cnf(puzzle: Source, *, encoding: str | Encoding | None = None) -> CnfModel:
    """A puzzle as clauses, with the meaning of the variables.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        encoding: a name from `satdoku encodings`, or a `satdoku.encoders.cnf.Encoding` of your own; None for the
            usual one.

    Returns:
        The formula and its literals; `decode` turns a model of it back into a grid.

    Raises:
        InputError: the encoding is unknown, or the puzzle cannot be read.
        Refused: the encoding cannot take the board, or would take more than 50 million clauses.

    Example:
        >>> from pysat.solvers import Cadical153
        >>> problem = satdoku.cnf("13....3131...213", encoding="minimal")
        >>> with Cadical153(bootstrap_with=problem.formula) as solver:
        ...     while solver.solve():
        ...         grid = satdoku.decode(problem, solver.get_model())
        ...         print(grid[:4])
        ...         solver.add_clause(problem.blocking(grid))
        (1, 3, 2, 4)
        (1, 3, 4, 2)
    """
    from pysat.formula import CNF

    from satdoku.exports.names import encoded, map_of

    puzzle = as_puzzle(puzzle)
    written = encoded(puzzle, encoding)
    literals = map_of(written, puzzle).literals
    must, clauses = written.restrict(puzzle)
    formula = CNF(from_clauses=[*written.clauses, *([literal] for literal in must), *clauses])
    formula.nv = max(formula.nv, written.clauses.variables)
    return CnfModel(puzzle, formula, literals)


def cpsat_model(puzzle: Source) -> CpsatModel:
    """A puzzle as a CP-SAT model, with the variables of its cells.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.

    Returns:
        The model; `decode` reads the grid from a solver that has solved it.

    Raises:
        InputError: the puzzle cannot be read.

    Example:
        >>> from ortools.sat.python.cp_model import CpSolver
        >>> problem = satdoku.cpsat_model("1...............")
        >>> problem.model.maximize(sum(problem.cells[:2]))
        >>> solver = CpSolver()
        >>> _ = solver.solve(problem.model)
        >>> satdoku.decode(problem, solver)[:2]
        (1, 4)
    """
    from satdoku.encoders.cpsat import encode

    puzzle = as_puzzle(puzzle)
    every = puzzle.board.every_value
    encoded = encode(puzzle.board)
    encoded.restrict(Puzzle(puzzle.board, tuple(allowed or every for allowed in puzzle.candidates)))
    if not all(puzzle.candidates):
        encoded.model.add_bool_or([]).with_name("a cell without candidates")
    return CpsatModel(puzzle, encoded.model, tuple(encoded.cells))


def decode(problem: CnfModel | CpsatModel, answer: Iterable[int] | str | CpSolver | None) -> Grid | None:
    """The grid that a solver's answer gives, checked against the puzzle.

    Parameters:
        problem: what `cnf` or `cpsat_model` gave.
        answer: of a `cnf`, what python-sat's `get_model` gives, or the text that a SAT solver printed; of a
            `cpsat_model`, the `CpSolver` that has solved it.

    Returns:
        The grid; None if the answer is that there is none, or the solver stopped without one.

    Raises:
        WrongAnswer: the grid is not a solution, or a cell does not have exactly one value.
        InputError: a text that is not a solver's answer, or a solver that has solved nothing.
        TypeError: the wrong type of answer.

    Example:
        >>> problem = satdoku.cnf(".1.4....1....43.")
        >>> solution = satdoku.solve(problem.puzzle).grid
        >>> model = [problem.literals[cell][value][0] for cell, value in enumerate(solution)]
        >>> satdoku.decode(problem, model)[:4]
        (3, 1, 2, 4)
    """
    if isinstance(problem, CnfModel):
        grid = _of_literals(problem, answer)
    elif isinstance(problem, CpsatModel):
        grid = _of_cpsat(problem, answer)
    else:
        raise TypeError(f"problem is of type {type(problem).__name__}: expected what cnf or cpsat_model gives")
    fault = None if grid is None else next(violations(problem.puzzle, grid), None)
    if fault:
        raise WrongAnswer(f"{problem.puzzle.name}: the answer is not a solution: {fault}")
    return grid


def _of_literals(problem: CnfModel, answer: Any) -> Grid | None:
    if isinstance(answer, str):
        from satdoku.exports import answers

        read = answers.read(answer, lambda literal: f"literal {literal}")
        answer = read.literals if read.status is answers.Status.SATISFIABLE else None
    if answer is None:
        return None
    if not isinstance(answer, Iterable):
        raise TypeError(f"answer is {answer!r}: expected a model as a list of literals, or the text of a solver")
    try:
        true = set(map(index, answer))
    except TypeError:
        raise TypeError(f"answer is {excerpt(answer)}: expected literals, which are whole numbers") from None
    grid: list[int] = []
    for cell, values in problem.literals.items():
        held = [value for value, literals in values.items() if true.issuperset(literals)]
        if len(held) != 1:
            place, values_held = problem.puzzle.board.label(cell), " and ".join(map(str, held)) or "no value"
            raise WrongAnswer(f"{problem.puzzle.name}: the answer gives {place} {values_held}")
        grid += held
    return tuple(grid)


def _of_cpsat(problem: CpsatModel, answer: Any) -> Grid | None:
    from ortools.sat.python.cp_model import FEASIBLE, OPTIMAL, CpSolver

    if not isinstance(answer, CpSolver):
        raise TypeError(f"answer is of type {type(answer).__name__}: expected the CpSolver that has solved the model")
    try:
        status = answer.response_proto.status
    except RuntimeError:
        raise InputError("the solver has solved nothing yet: call its solve first") from None
    if status not in (OPTIMAL, FEASIBLE):
        return None
    inner = 1 - problem.puzzle.board.first_value
    return tuple(answer.value(cell) + inner for cell in problem.cells)
