"""A puzzle in another position on its board."""

from collections.abc import Callable
from dataclasses import replace

import satdoku
from satdoku.puzzle import Mark, Position

Move = Callable[[int, int, int], Position]  # (row, column, first and last row in sum) -> where a cell goes
HALF_TURN, REFLECTION, TRANSPOSITION = "half a turn", "a reflection", "a transposition"
MOVES: dict[str, Move] = {
    HALF_TURN: lambda row, column, ends: (ends - row, ends - column),
    REFLECTION: lambda row, column, ends: (row, ends - column),
    TRANSPOSITION: lambda row, column, ends: (column, row),
}
DIRECTIONS = {HALF_TURN: "RLDU", REFLECTION: "RLUD", TRANSPOSITION: "UDLR"}
"""What becomes of an arrow that points left, right, up and down."""
EXCHANGED = {REFLECTION: ("diagonal+", "diagonal-"), TRANSPOSITION: ("row-indexer", "column-indexer")}
"""Two kinds, each of which becomes the other."""


def turned(puzzle: satdoku.Puzzle, move: str = HALF_TURN) -> satdoku.Puzzle:
    """Its givens and all of its marks moved, boxes among them."""
    board = puzzle.board
    givens = {
        place(board.size.position(cell), board.columns, move): value
        for cell, value in enumerate(puzzle.givens)
        if value
    }
    return satdoku.build(
        size=board.columns, marks=[moved(mark, board.columns, move) for mark in board.marks], givens=givens
    )


def place(cell: Position, side: int, move: str) -> Position:
    return MOVES[move](*cell, side + 1)


def moved(mark: Mark, side: int, move: str) -> Mark:
    def at(cells: tuple[Position, ...]) -> tuple[Position, ...]:
        return tuple(place(cell, side, move) for cell in cells)

    kind, value = mark.kind, mark.value
    for one, other in (EXCHANGED.get(move, ("", "")), EXCHANGED.get(move, ("", ""))[::-1]):
        if mark.kind.removeprefix("negative-") == one:
            kind = mark.kind.replace(one, other)
    if kind == "boxes" and move == TRANSPOSITION:
        value = "x".join(str(value).split("x")[::-1])
    if kind == "rossini":
        value = DIRECTIONS[move]["LRUD".index(str(value))]
    parts = tuple(moved(part, side, move) for part in mark.marks)
    return replace(mark, kind=kind, value=value, cells=at(mark.cells), lines=tuple(map(at, mark.lines)), marks=parts)
