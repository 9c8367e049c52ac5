"""Grids to exclude: what `satdoku solve` and `satdoku decode` print, one after the other."""

import re

from satdoku.constraints import Grid
from satdoku.errors import FormatError
from satdoku.formats.grid import PLAIN
from satdoku.puzzle import Puzzle
from satdoku.referee import violations

DRAWN = re.compile(r"[\s|+=-]*")
NUMBER = re.compile(r"\d{1,6}")


def read(text: str, puzzle: Puzzle) -> list[Grid]:
    """The complete grids in `text`, drawn or one a line; raises FormatError for anything else, or a wrong solution."""
    board, values = puzzle.board, puzzle.board.size.digits
    grids: list[Grid] = []
    grid: list[int] = []
    number = 0
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.rpartition("\t")[2].translate(PLAIN)  # solve may write FILE:LINE and a word before the grid
        if DRAWN.fullmatch(line) or line.lstrip().startswith("#"):
            continue
        cells = re.split(r"[\s|,]+", line.strip(" |\r"))
        if values[-1] <= 9:
            cells = list("".join(cells))
        for cell in cells:
            if not NUMBER.fullmatch(cell) or int(cell) not in values:
                raise FormatError(f"{cell[:20]!r}: expected complete grids, with values of {board.size.span}", number)
            grid.append(int(cell) - values[0] + 1)
        if len(grid) > board.cells:
            raise FormatError(f"{len(grid)} cells, expected a grid of {board.cells}", number)
        if len(grid) == board.cells:
            fault = next(violations(puzzle, tuple(grid)), None)
            if fault:
                raise FormatError(f"the grid that ends here is not a solution: {fault}", number)
            grids.append(tuple(grid))
            grid = []
    if grid:
        raise FormatError(f"the last grid has {len(grid)} of {board.cells} cells", number)
    return grids
