"""What commands print: grids, sentences and lists in lines that a terminal holds, tables by rich."""

import os
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from textwrap import wrap
from typing import TYPE_CHECKING

from satdoku.api.views import boxed_grid
from satdoku.constraints import Grid
from satdoku.formats.grid import draw
from satdoku.formats.regions import JUNCTIONS, WIDTH
from satdoku.puzzle import Board, members
from satdoku.terminal.messages import shows

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

MAX_COLUMNS = 10_000
"""Of a table in a file or a pipe."""

SENTENCES = {
    "unique": "unique: the puzzle has exactly one solution",
    "multiple": "multiple: the puzzle has more than one solution, here are two",
    "unsolvable": "unsolvable: the puzzle has no solution",
    "undecided": "undecided: the search was stopped by its timeout",
    "minimal": "minimal: the puzzle has exactly one solution, and more without any one given",
    "minimal-marks": "minimal-marks: the puzzle has exactly one solution, and more without any one given or mark",
    "candidates": "candidates: of each cell, these values occur in some solution, and no others",
    "count": "count: the number of solutions is exactly ",
}
"""What verdicts and the claims of certificates say."""


def grid_drawing(board: Board, grid: Grid, boxed: bool = False) -> str:
    """The grid as a picture that `check` reads back; `boxed` with box-drawing lines, else in ASCII."""
    return boxed_grid(board, grid) if boxed else draw(board, grid)


def marked(drawing: str, cells: Collection[int]) -> str:
    """A drawn grid with some of its cells in color."""
    from rich.style import Style

    bold, numbers = Style.parse("bold red"), count()
    return re.sub(r"[\d.]+", lambda cell: bold.render(cell[0]) if next(numbers) in cells else cell[0], drawing)


def can_color() -> bool:
    """Whether standard output is a terminal with colors, and NO_COLOR is not set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "unknown")


def can_box(only_ascii: bool) -> bool:
    """Whether grids are drawn with box-drawing lines: on a terminal that can show them, unless `only_ascii`."""
    if only_ascii or not sys.stdout.isatty():
        return False
    try:
        JUNCTIONS.encode(shows())
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def sentence_lines(text: str, indent: int = 0) -> list[str]:
    """A sentence in lines; those after the first are indented."""
    return wrap(text, WIDTH - 1, subsequent_indent=" " * indent, break_on_hyphens=False)


def list_lines(label: str, items: Iterable[str]) -> list[str]:
    """The items, with commas between them, none broken, in lines; nothing if there are none."""
    glued = [item.replace(" ", "\0") for item in items]
    if not glued:
        return []
    return [text.replace("\0", " ") for text in sentence_lines(label + ", ".join(glued), 2)]


def cell_lines(label: str, board: Board, cells: Collection[int]) -> list[str]:
    """The cells by name, in lines: if more than half of the board's, the others; if all of them, only that."""
    if 2 * len(cells) <= board.cells:
        return list_lines(label, map(board.label, cells))
    others = [board.label(cell) for cell in range(board.cells) if cell not in cells]
    return list_lines(f"{label}all cells but ", others) or [f"{label}all cells"]


def by_cell(board: Board, sets: Sequence[int]) -> list[str]:
    """`r1c2 3 5` for each cell whose set of values is not empty."""
    cells = ((board.label(cell), board.texts(members(allowed))) for cell, allowed in enumerate(sets) if allowed)
    return [f"{label} {' '.join(values)}" for label, values in cells]


def show(*parts: "RenderableType") -> None:
    """Print tables and texts: on a terminal as wide as that is, elsewhere nothing is cut, wrapped or padded."""
    from rich.console import Console

    console = Console(highlight=False, width=None if sys.stdout.isatty() else MAX_COLUMNS)
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def plain_table(columns: Sequence[str], rows: Iterable[Iterable[str]], numeric: Collection[str] = ()) -> "Table":
    """A table without lines; numeric columns are flush right and never wrapped."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left", caption_justify="left")
    for column in columns:
        number = column in numeric
        table.add_column(column, justify="right" if number else "left", no_wrap=number)
    for row in rows:
        table.add_row(*map(escape, row))
    return table
