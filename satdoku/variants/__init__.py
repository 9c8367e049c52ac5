"""The rules that people set: each file a family, each kind of mark lowered to the four constraints.

A file in this folder offers `KINDS`, a tuple of `Kind`; it is found by being there. A kind says
what its marks are made of and what they are called in files, so that readers, writers and
summaries know marks and no rule. Nothing here knows a solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property, lru_cache

from satdoku.constraints import AllDifferent, Constraint
from satdoku.discovery import offered
from satdoku.errors import InputError, PuzzleError
from satdoku.puzzle import Board, Mark, Position, Puzzle
from satdoku.variants.strokes import Stroke


class Shape(Enum):
    """What a mark is made of: the cells and lines that `Mark` holds."""

    RULE = "rule"
    """Nothing: it rules the whole board."""
    CELL = "cell"
    """One cell in `cells`."""
    CELLS = "cells"
    """`cells`, in order."""
    LINE = "line"
    """One line in `lines`."""
    ARROW = "arrow"
    """A bulb in `cells`, and `lines` that leave it; the bulb is not repeated in them."""
    CLONE = "clone"
    """`cells`, and their copy as the one line, in the same order."""
    CLUE = "clue"
    """One cell outside the grid in `cells`."""
    DIAGONAL = "diagonal"
    """One cell outside the grid in `cells`, and the diagonal that it sees as the one line."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a mark's value may be.

    required: whether a mark without one is an error; else `default` stands for it
    default:  None means that the rule holds without a value
    words:    the texts allowed; empty for whole numbers
    several:  whether it is a list of numbers, kept as text with blanks between
    """

    required: bool = False
    default: int | None = None
    words: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of mark.

    name:     what files of our own and summaries call it; `plural` for several
    shape:    what its marks are made of
    lower:    the constraints of one mark
    value:    what its value may be; None if it takes none
    fpuzzles: its key in f-puzzles JSON; `negative NAME` is NAME in its list of negative rules;
              None if f-puzzles has no such rule
    summary:  the rule in one sentence
    draw:     what one mark looks like; None for what its shape says
    """

    name: str
    plural: str
    shape: Shape
    summary: str
    lower: Callable[[Frame, Mark], Iterator[Constraint]]
    value: Value | None = None
    fpuzzles: str | None = None
    draw: Draw | None = None


@dataclass(frozen=True)
class Frame:
    """The N x N square that marks are drawn on, and all the marks on it."""

    size: int
    marks: tuple[Mark, ...]

    @property
    def values(self) -> range:
        return range(1, self.size + 1)

    def inside(self, position: Position) -> bool:
        """Whether (row, column), from 1, is a cell of the square."""
        return all(1 <= coordinate <= self.size for coordinate in position)

    def cell(self, position: Position) -> int:
        """The cell at (row, column) from 1; raises PuzzleError outside the square."""
        if not self.inside(position):
            raise PuzzleError(f"{label(position)} is outside the {self.size}x{self.size} grid")
        row, column = position
        return (row - 1) * self.size + column - 1

    def cells(self, positions: tuple[Position, ...]) -> tuple[int, ...]:
        return tuple(self.cell(position) for position in positions)

    def every(self) -> Iterator[Position]:
        """Every position, row by row."""
        return ((row, column) for row in self.values for column in self.values)

    def pairs(self, steps: tuple[Position, ...]) -> Iterator[tuple[Position, Position]]:
        """Every two cells that one of `steps` (rows, columns) leads between."""
        for row, column in self.every():
            for down, right in steps:
                other = (row + down, column + right)
                if self.inside(other):
                    yield (row, column), other

    def seen_from(self, clue: Position) -> tuple[int, ...]:
        """The row or column that a clue outside the grid looks along, nearest cell first."""
        row, column = clue
        outside = (0, self.size + 1)
        if row in outside and 1 <= column <= self.size:
            line = tuple((other, column) for other in self.values)
            nearest_last = row != 0
        elif column in outside and 1 <= row <= self.size:
            line = tuple((row, other) for other in self.values)
            nearest_last = column != 0
        else:
            raise PuzzleError(f"a clue at {label(clue)} is not beside a row or column of the grid")
        return self.cells(line[::-1] if nearest_last else line)

    @cached_property
    def regions(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each box or jigsaw region, in the order they were drawn, cells by row."""
        return tuple(
            tuple(sorted(rule.cells))
            for mark in self.marks
            if mark.kind in REGIONS
            for rule in kinds()[mark.kind].lower(self, mark)
        )

    @cached_property
    def region_of(self) -> dict[int, int]:
        """The number of each cell's region; cells in no region are left out."""
        return {cell: number for number, region in enumerate(self.regions) for cell in region}


Draw = Callable[[Frame, Mark], Iterator[Stroke]]
"""What a mark looks like, in strokes."""

REGIONS = frozenset({"boxes", "region"})
"""The kinds that divide the grid, as every plain Sudoku does."""


@cache
def kinds() -> dict[str, Kind]:
    """Every kind of mark by its name."""
    return {kind.name: kind for kind in offered("satdoku.variants", "KINDS", Kind)}


@lru_cache(maxsize=64)
def build(size: int, marks: tuple[Mark, ...]) -> Board:
    """The N x N board whose rows and columns are houses, with the rules that `marks` draw.

    Raises PuzzleError for a mark of an unknown kind or one that does not fit the board.
    """
    frame = Frame(size, marks)
    constraints: list[Constraint] = list(_lines(size))
    for mark in marks:
        kind = kinds().get(mark.kind)
        if kind is None:
            raise PuzzleError(f"no rule is known under the name {mark.kind!r}")
        try:
            _fit(kind, mark)
            constraints += kind.lower(frame, mark)
        except InputError as error:
            raise PuzzleError(f"{kind.name}: {error}") from None
    return Board(size * size, size, size, tuple(constraints), marks)


def label(position: Position) -> str:
    """`r3c7`, also outside the grid."""
    return f"r{position[0]}c{position[1]}"


def shape(board: Board) -> str:
    """The board in words, without its marks: `9x9 with 3x3 boxes`."""
    size = f"{-(-board.cells // board.columns)}x{board.columns}"
    if any(mark.kind == "region" for mark in board.marks):
        return size + " with irregular regions"
    return size + "".join(f" with {mark.value} boxes" for mark in board.marks if mark.kind == "boxes")


def describe(puzzle: Puzzle) -> str:
    """What a puzzle states, in one line: `9x9 with 3x3 boxes, 30 givens, 2 cages, anti-knight`."""
    given = sum(map(bool, puzzle.givens))
    words = [shape(puzzle.board), f"{given} given{'' if given == 1 else 's'}"]
    counts = Counter(mark.kind for mark in puzzle.board.marks if mark.kind not in REGIONS)
    for name, count in counts.items():
        kind = kinds()[name]
        words.append(name if kind.shape is Shape.RULE else f"{count} {name if count == 1 else kind.plural}")
    return ", ".join(words)


def _fit(kind: Kind, mark: Mark) -> None:
    """Raise PuzzleError unless the mark is made of what its kind is made of."""
    cells, lines = len(mark.cells), len(mark.lines)
    match kind.shape:
        case Shape.RULE:
            expected, fits = "neither cells nor lines", not cells and not lines
        case Shape.CELL | Shape.CLUE:
            expected, fits = "one cell and no line", cells == 1 and not lines
        case Shape.CELLS:
            expected, fits = "cells and no line", cells > 0 and not lines
        case Shape.LINE:
            expected, fits = "one line and no cells", not cells and lines == 1
        case Shape.ARROW:
            expected, fits = "a bulb and lines", cells > 0
        case Shape.CLONE:
            expected, fits = "cells and one line, their copy", cells > 0 and lines == 1
        case Shape.DIAGONAL:
            expected, fits = "one cell and one line", cells == 1 and lines == 1
    if not fits or not all(mark.lines):
        raise PuzzleError(
            f"{cells} cells and {lines} lines{', some empty' * (not all(mark.lines))}: expected {expected}"
        )
    if kind.value is None and mark.value is not None:
        raise PuzzleError(f"value {mark.value!r}: this rule takes none")


def _lines(size: int) -> Iterator[AllDifferent]:
    for row in range(size):
        yield AllDifferent(tuple(range(row * size, (row + 1) * size)), f"row {row + 1}")
    for column in range(size):
        yield AllDifferent(tuple(range(column, size * size, size)), f"column {column + 1}")
