"""Puzzles that a symmetry of their board makes equal."""

from satdoku import symmetries
from satdoku.inputs.programs import Source, as_puzzle
from satdoku.puzzle import Puzzle


def canonical(puzzle: Source) -> Puzzle:
    """The canonical form of a puzzle: equal for two puzzles of one board if a symmetry makes one the other.

    It is the smallest line that a symmetry of the board gives, read as a number, empty cells as 0 (min-lex form).
    A plain board has all symmetries: values renamed, rows, columns, bands and stacks moved, and transposed where
    boxes are square. Another board has the turns and reflections that keep its constraints; values are renamed if
    all of these are AllDifferents.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.

    Returns:
        The puzzle of that line, on the same board.

    Raises:
        Refused: cells that are not givens are restricted; or the board is plain and the givens clash or it is
            larger than 64x64.
        InputError, TypeError: the puzzle cannot be read.

    Example:
        >>> satdoku.write(satdoku.canonical("4.2..1....4..3.."))
        '.....1.2...13.4.'
    """
    puzzle = as_puzzle(puzzle)
    return Puzzle.from_givens(puzzle.board, symmetries.canonical(puzzle), puzzle.name)
