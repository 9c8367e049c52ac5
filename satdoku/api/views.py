"""How a puzzle is shown: a summary in one line, its grid as text, its picture."""

from importlib.util import find_spec

from satdoku.constraints import Grid
from satdoku.formats import regions
from satdoku.formats.grid import draw
from satdoku.puzzle import Board, Puzzle
from satdoku.variants import Frame
from satdoku.variants.summaries import contents, division


def summary(puzzle: Puzzle) -> str:
    """`9x9, 3x3 boxes, 30 givens, 2 cages`; marks of a kind that is not known are named as they are."""
    parts = [str(puzzle.board.size), *division(puzzle.board), *contents(puzzle, lambda mark: mark.kind)]
    return ", ".join(parts)


def grid(puzzle: Puzzle) -> str:
    """The givens in rows, with lines between boxes or regions."""
    irregular = puzzle.board.places or any(mark.kind == "region" for mark in puzzle.board.marks)
    return (boxed_grid if irregular else draw)(puzzle.board, puzzle.givens)


def boxed_grid(board: Board, values: Grid) -> str:
    """Values in rows, with box-drawing lines between boxes or regions."""
    region_of = Frame(board.size, board.marks).region_of
    numbers = board.spread([region_of.get(cell) for cell in range(board.grid_cells)], regions.OUTSIDE)
    parts = ((name, board.spread(board.texts(part), "")) for name, part in board.parts(values))
    texts = ((name, regions.boxed(part, board.columns, numbers)) for name, part in parts)
    return "\n".join(f"{name}:\n" * bool(name) + text for name, text in texts)


def svg(puzzle: Puzzle) -> str | None:
    """The picture as SVG; None where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        return None
    from satdoku.pictures import Picture, alone, image

    return image(alone(Picture(puzzle, title=puzzle.title)), "svg").decode()
