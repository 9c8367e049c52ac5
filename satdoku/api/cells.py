"""Cells as programs name them: "r3c7", (3, 7), "r1c1 r1c2", "r1c1-r1c5", or a list of these."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from satdoku.errors import PuzzleError
from satdoku.formats.marks import position
from satdoku.puzzle import Position

RUN = re.compile(r"\s*-\s*")


def positions(cells: Any, where: str) -> tuple[Position, ...]:
    """The (row, column) of each cell that a program names.

    Raises TypeError for what cannot name cells, PuzzleError for a text that does not; `where` begins the message.
    """
    if isinstance(cells, str):
        return tuple(cell for word in RUN.sub("-", cells).replace(",", " ").split() for cell in _run(word, where))
    if isinstance(cells, tuple) and len(cells) == 2 and all(type(number) is int for number in cells):
        return (cells,)
    if not isinstance(cells, Iterable) or isinstance(cells, bytes | dict):
        raise TypeError(f'{where}: {cells!r} is not a cell: expected "r3c7" or (3, 7), or several of them')
    found = list(cells)
    if any(isinstance(cell, int) for cell in found):
        raise TypeError(f'{where}: {cells!r} is not a list of cells: expected "r3c7" or (3, 7)')
    return tuple(position for cell in found for position in positions(cell, where))


def _run(word: str, where: str) -> Iterator[Position]:
    """The cells of `r1c1`, or of `r1c1-r1c5`."""
    ends = [position(end) for end in word.split("-")]
    first, last = ends[0], ends[-1]
    if len(ends) > 2 or first is None or last is None:
        raise PuzzleError(f"{where}: {word[:20]!r} is not a cell: expected such as r3c7, or a run r1c1-r1c5")
    down, right = last[0] - first[0], last[1] - first[1]
    steps = max(abs(down), abs(right))
    if abs(down) not in (0, steps) or abs(right) not in (0, steps):
        raise PuzzleError(f"{where}: {word} is not a straight run")
    unit = max(steps, 1)
    return ((first[0] + down // unit * step, first[1] + right // unit * step) for step in range(steps + 1))
