"""satdoku's side of the comparison: its constraints and its clauses over the variables of `logic.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import satdoku
from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.proofs.formula import formula as proof_formula
from satdoku.variants import Shape, kinds
from support.independent.board import Mark, Puzzle
from support.independent.logic import Logic
from support.independent.reading import ROOT

NAMES = {
    ROOT: "digital-root",
    "numberedroom": "numbered-room",
    "parityline": "parity-line",
    "sumline": "sum-line",
    "greaterthan": "greater-than",
    "countingcircles": "counting-circles",
    "averagearrow": "average-arrow",
}
"""What satdoku calls a kind, where that is neither its key in f-puzzles nor its name here."""


def name_of(kind: str) -> str:
    keys = {known.fpuzzles: name for name, known in kinds().items() if known.fpuzzles}
    return NAMES.get(kind) or keys.get(kind, kind)


def built(puzzle: Puzzle, box: str) -> satdoku.Puzzle:
    """The puzzle made of marks and givens, without a text, its boxes named as in 2x3."""
    size = f"{puzzle.rows}x{puzzle.columns}"
    marks = [_mark(mark, puzzle) for mark in puzzle.marks]
    givens = [min(allowed) if len(allowed) == 1 else 0 for allowed in puzzle.allowed]
    return satdoku.build(size=size, values=f"1-{puzzle.values}", box=box, marks=marks, givens=givens)


def _mark(mark: Mark, puzzle: Puzzle) -> satdoku.Mark:
    def placed(cells: Sequence[int]) -> tuple[tuple[int, int], ...]:
        return tuple((cell // puzzle.columns + 1, cell % puzzle.columns + 1) for cell in cells)

    name = name_of(mark.kind)
    value = " ".join(map(str, mark.value)) if isinstance(mark.value, tuple) else mark.value
    cells, lines = placed(mark.cells), tuple(map(placed, mark.lines))
    if kinds()[name].shape in (Shape.CLUE, Shape.DIAGONAL):
        (row, column), (next_row, next_column) = cells[:2]
        lines = (cells,) if kinds()[name].shape is Shape.DIAGONAL else ()
        cells = ((2 * row - next_row, 2 * column - next_column),)
    return satdoku.Mark(name, cells, lines, value)


def literals(logic: Logic, puzzle: satdoku.Puzzle) -> Iterator[int]:
    """What satdoku's puzzle says, condition by condition: the candidates and the constraints."""
    assert not puzzle.board.auxiliary, "its values need not follow from those of the grid"
    for cell, allowed in enumerate(puzzle.candidates):
        yield logic.among(cell, (value for value in logic.values if allowed >> value & 1))
    yield from (_constraint(logic, constraint) for constraint in puzzle.board.constraints)


def encoded(logic: Logic, puzzle: satdoku.Puzzle, encoding: str | None) -> list[list[int]]:
    """satdoku's clauses, those of an encoding or those that a certificate is about, with the cells' variables of
    `logic`. Their own variables follow those of `logic`, which the caller lets be.
    """
    first = logic.count
    if encoding is None:
        formula = proof_formula(puzzle)
        own = puzzle.board.cells * puzzle.board.values
        assert formula.cells == puzzle.board.cells
        return [[_moved(literal, first) if abs(literal) > own else literal for literal in clause] for clause in formula]
    model = satdoku.cnf(puzzle, encoding=encoding)
    clauses = [[_moved(literal, first) for literal in clause] for clause in model.formula.clauses]
    links = []
    for cell, value in product(range(puzzle.board.cells), logic.values):
        together = model.literals[cell].get(value)
        equals = logic.equals(cell, value)
        if together is None:
            links.append([-equals])
        else:
            parts = [_moved(literal, first) for literal in together]
            links += [[equals, *(-part for part in parts)], *([-equals, part] for part in parts)]
    return [*clauses, *links]


def _moved(literal: int, by: int) -> int:
    return literal + by if literal > 0 else literal - by


def _constraint(logic: Logic, constraint: Constraint) -> int:
    """Each of the four constraints by its definition."""
    match constraint:
        case AllDifferent(cells=cells):
            return logic.differ(cells)
        case Linear(cells=cells, coefficients=weights, total=total):
            return logic.total([*zip(cells, weights, strict=True)], total)
        case Table(cells=cells, tuples=tuples):
            begun = {row[:length] for row in tuples for length in range(len(row) + 1)}
            return logic.read(cells, (), lambda row, value: row if (row := (*row, value)) in begun else None)  # type: ignore
        case Automaton(cells=cells, transitions=transitions, start=start, accepting=accepting):
            steps = {(state, value): after for state, value, after in transitions}
            return logic.read(cells, start, lambda state, value: steps.get((state, value)), lambda s: s in accepting)  # type: ignore
