"""Grids as text: drawn for people, or as one line."""

import sys

from satdoku.constraints import Grid
from satdoku.formats import walls
from satdoku.formats.grid import draw
from satdoku.formats.line import flat
from satdoku.formats.walls import JUNCTIONS
from satdoku.puzzle import Board
from satdoku.variants import Frame


def drawn(board: Board, grid: Grid, boxed: bool = False) -> str:
    """The grid as a picture that `check` reads back; `boxed` with box-drawing lines, else in ASCII."""
    if boxed:
        region_of = Frame(board.size, board.marks).region_of
        return walls.boxed(board.texts(grid), board.columns, [region_of.get(cell) for cell in range(board.cells)])
    return draw(board, grid)


def line(board: Board, grid: Grid) -> str:
    """The grid as one line that `check` reads back."""
    return flat(board, grid)


def can_box(ascii: bool) -> bool:
    """Whether grids are drawn with box-drawing lines: on a terminal that can show them, unless `ascii` is asked for."""
    out = sys.stdout
    if ascii or not out.isatty():
        return False
    try:
        JUNCTIONS.encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
