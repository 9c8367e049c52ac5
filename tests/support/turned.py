"""A puzzle in another position on its board."""

from dataclasses import replace

import satdoku


def turned(puzzle: satdoku.Puzzle) -> satdoku.Puzzle:
    """By two right angles, with its marks and givens."""
    side = puzzle.board.columns

    def at(cells: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        return tuple((side + 1 - row, side + 1 - column) for row, column in cells)

    marks = [mark for mark in puzzle.board.marks if mark.kind != "boxes"]
    moved = [replace(mark, cells=at(mark.cells), lines=tuple(map(at, mark.lines))) for mark in marks]
    givens = {at((puzzle.board.size.position(cell),))[0]: value for cell, value in enumerate(puzzle.givens) if value}
    return satdoku.build(
        size=side, marks=[*(m for m in puzzle.board.marks if m.kind == "boxes"), *moved], givens=givens
    )
