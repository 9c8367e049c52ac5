"""A solver's answer back into a grid, refereed: it must satisfy the puzzle and every clause."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from satdoku.constraints import Constraint, Grid
from satdoku.errors import InputError
from satdoku.exports import answers, cnf_file
from satdoku.exports.answers import Status
from satdoku.exports.cnf_file import CnfFile
from satdoku.exports.names import VariableMap, from_comments
from satdoku.puzzle import Puzzle, broken
from satdoku.referee import violations

Placement = tuple[int, int, int | None]  # cell, value, the literal that completed it; None if the CNF decides it


@dataclass(frozen=True, slots=True)
class Decoded:
    """What an answer says: its status, the grid if satisfiable, and the puzzle it is of."""

    status: Status
    grid: Grid | None
    puzzle: Puzzle
    refereed: bool  # whether the rules of the puzzle were known; else the clauses alone have been checked


def decode(
    cnf: bytes, answer: str, names: VariableMap | None = None, origins: tuple[str, str] = ("CNF", "answer")
) -> Decoded:
    """The grid that `answer`, a SAT solver's output, gives for the text of a CNF.

    names:   what the variables mean; None takes it from the comments that `export` wrote
    origins: what to call the two texts in messages
    Raises InputError for texts that cannot be read, a CNF that satdoku did not write and no names, and
    an answer that is cut off, contradicts itself, leaves a cell open or breaks the puzzle or a clause;
    it names the first wrong literal.
    """
    with _about(origins[0]):
        file = cnf_file.read(cnf)
        names = names or from_comments(file.comments, file.variables)
        if names is None:
            raise InputError("satdoku did not write this CNF: give a map of what its variables mean")
    with _about(origins[1]):
        solver_answer = answers.read(answer, names.name, file.variables)
        grid = _grid(file, solver_answer.literals, names) if solver_answer.status is Status.SATISFIABLE else None
    return Decoded(solver_answer.status, grid, names.puzzle, names.noted is not None)


@contextmanager
def _about(origin: str) -> Iterator[None]:
    """Errors begin with the text that they are about."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{origin}: {error}") from None


def _grid(file: CnfFile, model: tuple[int, ...], names: VariableMap) -> Grid:
    given = set(map(abs, model))
    model += tuple(-variable for variable in file.free() if variable not in given)
    puzzle, board = names.puzzle, names.puzzle.board
    grid = [0] * board.cells
    of_cell: list[list[Constraint]] = [[] for _ in grid]
    for constraint in filter(board.shows, board.constraints):
        for cell in dict.fromkeys(constraint.cells):
            of_cell[cell].append(constraint)
    for cell, value, literal in _placements(model, names):
        fault = f"{board.label(cell)} is {board.shown(grid[cell])} already" if grid[cell] else None
        grid[cell] = value
        if not puzzle.candidates[cell] >> value & 1:
            fault = fault or "the puzzle does not allow it there"
        fault = fault or next(broken(board, grid, of_cell[cell]), None)
        if fault:
            decided = f"{board.label(cell)}={board.shown(value)}, which the CNF decides"
            raise InputError(f"it breaks the puzzle at {names.name(literal) if literal else decided}: {fault}")
    if 0 in grid:
        cell = grid.index(0)
        parts = (literal for row in names.literals.get(cell, {}).values() for literal in row)
        absent = next((literal for literal in parts if abs(literal) not in given), None)
        why = f", {names.name(absent)} is missing" if absent is not None else ""
        raise InputError(f"it gives {board.label(cell)} no value{why}")
    fault = next(violations(puzzle, tuple(grid)), None)  # rules over no cell at all
    if fault:
        raise InputError(f"it breaks the puzzle: {fault}")
    if (false_clause := file.broken(model, strict=names.noted is None)) is not None:
        (clause, number), true = false_clause, set(model)
        last = max((-literal for literal in clause if -literal in true), key=model.index, default=None)
        at = f" at {names.name(last)}" if last is not None else ""
        raise InputError(f"it breaks clause {number} of the CNF{at}: {' '.join(map(str, clause))} 0")
    return tuple(grid)


def _placements(model: tuple[int, ...], names: VariableMap) -> Iterator[Placement]:
    wanting: dict[int, list[tuple[int, int]]] = {}
    missing: dict[tuple[int, int], int] = {}
    for cell, values in names.literals.items():
        for value, conjunction in values.items():
            if not conjunction:
                yield cell, value, None
            missing[cell, value] = len(conjunction)
            for literal in conjunction:
                wanting.setdefault(literal, []).append((cell, value))
    for literal in model:
        for place in wanting.get(literal, ()):
            missing[place] -= 1
            if not missing[place]:
                yield *place, literal
