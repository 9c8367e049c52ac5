"""The rules that people set: each file a family, each kind lowered to the four constraints.

A file in this folder offers `KINDS`, a tuple of `Kind`; it is found by being there. Nothing here
knows a solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from satdoku.constraints import AllDifferent, Constraint
from satdoku.discovery import offered
from satdoku.errors import PuzzleError
from satdoku.puzzle import Board, Mark, Puzzle


@dataclass(frozen=True, slots=True)
class Frame:
    """The N x N square that marks are drawn on."""

    size: int

    def cell(self, position: tuple[int, int]) -> int:
        """The cell at (row, column) from 1; raises PuzzleError outside the square."""
        row, column = position
        if not (1 <= row <= self.size and 1 <= column <= self.size):
            raise PuzzleError(f"r{row}c{column} is outside the {self.size}x{self.size} grid")
        return (row - 1) * self.size + column - 1


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of mark. `lower` gives its constraints, seeing all marks of the board beside it."""

    name: str
    lower: Callable[[Frame, Mark, tuple[Mark, ...]], Iterator[Constraint]]


@cache
def kinds() -> dict[str, Kind]:
    """Every kind of mark by its name."""
    return {kind.name: kind for kind in offered("satdoku.variants", "KINDS", Kind)}


@lru_cache(maxsize=64)
def build(size: int, marks: tuple[Mark, ...]) -> Board:
    """The N x N board whose rows and columns are houses, with the rules that `marks` draw.

    Raises PuzzleError for a mark of an unknown kind or one that does not fit the board.
    """
    frame = Frame(size)
    constraints: list[Constraint] = list(_lines(size))
    for mark in marks:
        kind = kinds().get(mark.kind)
        if kind is None:
            raise PuzzleError(f"no rule is known under the name {mark.kind!r}")
        constraints += kind.lower(frame, mark, marks)
    return Board(size * size, size, size, tuple(constraints), marks)


def shape(board: Board) -> str:
    """The board in words, without its marks: `9x9 with 3x3 boxes`."""
    size = f"{-(-board.cells // board.columns)}x{board.columns}"
    return size + "".join(f" with {mark.value} boxes" for mark in board.marks if mark.kind == "boxes")


def describe(puzzle: Puzzle) -> str:
    """What a puzzle states, in one line: `9x9 with 3x3 boxes, 30 givens`."""
    given = sum(map(bool, puzzle.givens))
    words = [shape(puzzle.board), f"{given} given{'' if given == 1 else 's'}"]
    marks = Counter(mark.kind for mark in puzzle.board.marks if mark.kind != "boxes")
    return ", ".join(words + [f"{count} {kind}" for kind, count in marks.items()])


def _lines(size: int) -> Iterator[AllDifferent]:
    for row in range(size):
        yield AllDifferent(tuple(range(row * size, (row + 1) * size)), f"row {row + 1}")
    for column in range(size):
        yield AllDifferent(tuple(range(column, size * size, size)), f"column {column + 1}")
