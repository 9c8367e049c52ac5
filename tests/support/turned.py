"""A puzzle in another position on its board."""

import satdoku
from satdoku.puzzle import Mark, Position, Size
from satdoku.variants.moving import Move

HALF_TURN, REFLECTION, TRANSPOSITION = "half a turn", "a reflection", "a transposition"
MOVES = {
    HALF_TURN: Move(flipped=True, mirrored=True),
    REFLECTION: Move(mirrored=True),
    TRANSPOSITION: Move(transposed=True),
}


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
    return MOVES[move].position(cell, Size.of(side))


def moved(mark: Mark, side: int, move: str) -> Mark:
    return MOVES[move].mark(mark, Size.of(side))
