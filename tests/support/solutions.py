"""Solutions of puzzles, read as values and layers and judged by the oracles; puzzles without the marks of a kind."""

from __future__ import annotations

from dataclasses import replace

from satdoku import Grid, Puzzle
from satdoku.variants import build, kinds
from satdoku.variants.places import every_place, label, name_of, named
from support.drawing import MarkedSquare
from support.oracles import BEYOND_THE_GRID, LAYERS, ORACLES, Layered
from support.oracles.variables import assignments


def without(puzzle: Puzzle, kind: str) -> Puzzle:
    """The same puzzle without marks of a kind, and without those that read its layer."""
    gone = {kind, *(reader for reader, layer in LAYERS.items() if layer == kinds()[kind].layer)}
    marks = (mark for mark in puzzle.board.marks if mark.kind not in gone)
    if kind == "board":
        marks = (replace(mark, marks=()) for mark in puzzle.board.marks)  # rows and columns alone
    if kinds()[kind].names:
        marks = (mark for mark in marks if not any(map(name_of, every_place(mark))))
    board = build(puzzle.board.size, tuple(marks))
    return Puzzle.from_givens(board, puzzle.givens[: puzzle.board.grid_cells])


def drawing_of(puzzle: Puzzle) -> MarkedSquare:
    return MarkedSquare(puzzle.board.columns, puzzle.board.marks, puzzle.board.size.digits)


def values_of(puzzle: Puzzle, grid: Grid) -> Layered:
    """The shown values of a solution, and those of its layers."""
    positions = tuple(puzzle.board.size.positions)
    parts = [(name, [puzzle.board.shown(value) for value in part]) for name, part in puzzle.board.parts(grid)]
    shown = {name: dict(zip(positions, values, strict=True)) for name, values in parts}
    return Layered(shown.pop(""), shown)


def broken(puzzle: Puzzle, grid: Grid) -> list[str]:
    """The kinds of the marks that a solution breaks; marks over cells that count more than their digit are left out."""
    drawing, at = drawing_of(puzzle), values_of(puzzle, grid)
    counted = {"modifiers", "second"} & at.layers.keys()
    marks = [mark for mark in drawing.marks if not counted or mark.kind in BEYOND_THE_GRID]
    found: list[str] = []
    inside = {named(f"{name}_{label(cell)}"): v for name, layer in at.layers.items() for cell, v in layer.items()}
    for variables in assignments(drawing):
        known = Layered({**at, **variables, **inside}, at.layers)
        placed = ((mark, any(map(name_of, every_place(mark)))) for mark in marks)
        found = [mark.kind for mark, beside in placed if not ORACLES[mark.kind](drawing, mark, known if beside else at)]
        if not found:
            break
    return found
