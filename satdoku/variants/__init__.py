"""The rules that people set: each file a family, each kind of mark lowered to the four constraints.

A file in this folder offers `KINDS`, a tuple of `Kind`; it is found by being there. A kind says
what its marks are made of and what they are called in files, so that readers, writers and
summaries know marks and no rule. Nothing here knows a solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
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
    """Nothing but perhaps a value: it holds for the whole board."""
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
    GROUPS = "groups"
    """Groups of cells, each of them one of `lines`."""
    CLUE = "clue"
    """One cell outside the grid in `cells`."""
    DIAGONAL = "diagonal"
    """One cell outside the grid in `cells`, and the diagonal that it sees as the one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a mark's value may be: a whole number, unless it says otherwise.

    required: whether a mark without one is an error; else `default` stands for it
    default:  None means that the mark holds without a value
    words:    the texts allowed
    several:  whether it is a list of numbers, kept as text with blanks between
    text:     whether it is any text, which the kind itself reads
    preset:   what an alias of the kind stands for, where it stands for one value
    meaning:  what it says, for people: `the total`
    """

    required: bool = False
    default: int | None = None
    words: tuple[str, ...] = ()
    several: bool = False
    text: bool = False
    preset: int | str | None = None
    meaning: str = ""

    @property
    def described(self) -> str:
        """`the total`, and what holds where it is left out."""
        usual = f", {self.default} by default" if self.default is not None else ", may be left out"
        return self.meaning if self.required else self.meaning + usual


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a kind; with a `value`, of the kind with that value."""

    name: str
    value: int | str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of mark.

    name:     what files of our own and summaries call it; `plural` for several
    shape:    what its marks are made of
    summary:  what it looks like and what it says, in one sentence for people
    lower:    the constraints of one mark
    value:    what its value may be; None if it takes none
    fpuzzles: its key in f-puzzles JSON; `negative NAME` is NAME in its list of negative constraints;
              None if f-puzzles has no such constraint
    draw:     what one mark looks like; None for what its shape says
    aliases:  other names, which our own format reads as well
    """

    name: str
    plural: str
    shape: Shape
    summary: str
    lower: Callable[[Frame, Mark], Iterator[Constraint]]
    _: KW_ONLY
    value: Value | None = None
    fpuzzles: str | None = None
    draw: Draw | None = None
    aliases: tuple[Alias, ...] = ()


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


@cache
def named() -> dict[str, Kind]:
    """Every kind by its name and by each alias; the kind of an alias presets the value that the alias stands for."""
    found = dict(kinds())
    for kind in kinds().values():
        for alias in kind.aliases:
            value = kind.value
            if alias.value is not None:
                value = replace(value or Value(), required=False, preset=alias.value)
            found[alias.name] = replace(kind, value=value)
    return found


def records() -> Iterator[dict[str, object]]:
    """One record a kind, of JSON types: what `satdoku variants --json` writes.

    `presets` maps those aliases that stand for one value to that value.

    >>> next(record for record in records() if record["name"] == "sum-line")["argument"]
    'the total of each part, 10 by default'
    """
    for kind in kinds().values():
        yield {
            "name": kind.name,
            "aliases": [alias.name for alias in kind.aliases],
            "presets": {alias.name: alias.value for alias in kind.aliases if alias.value is not None},
            "shape": kind.shape.value,
            "argument": kind.value.described if kind.value else None,
            "sentence": kind.summary,
        }


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
    marks = [mark for mark in puzzle.board.marks if mark.kind not in REGIONS]
    for name, count in Counter(mark.kind for mark in marks).items():
        kind = kinds()[name]
        if kind.shape is Shape.RULE:
            words += [rule_text(mark) for mark in marks if mark.kind == name]
        else:
            words.append(f"{count} {name if count == 1 else kind.plural}")
    return ", ".join(words)


def rule_text(mark: Mark) -> str:
    """A mark that holds for the whole board, in our own format: its name, and its value after a blank."""
    return mark.kind if mark.value is None else f"{mark.kind} {mark.value}"


_PARTS: dict[Shape, tuple[str, Callable[[int, int], bool]]] = {
    Shape.RULE: ("neither cells nor lines", lambda cells, lines: not cells and not lines),
    Shape.CELL: ("one cell and no line", lambda cells, lines: cells == 1 and not lines),
    Shape.CLUE: ("one cell and no line", lambda cells, lines: cells == 1 and not lines),
    Shape.CELLS: ("cells and no line", lambda cells, lines: cells > 0 and not lines),
    Shape.LINE: ("one line and no cells", lambda cells, lines: not cells and lines == 1),
    Shape.ARROW: ("a bulb and lines", lambda cells, lines: cells > 0),
    Shape.CLONE: ("cells and one line, their copy", lambda cells, lines: cells > 0 and lines == 1),
    Shape.GROUPS: ("groups of cells, each one of the lines", lambda cells, lines: not cells and lines > 0),
    Shape.DIAGONAL: ("one cell and one line", lambda cells, lines: cells == 1 and lines == 1),
}
"""For each shape what its marks are made of: in words, and whether so many cells and lines are that."""


def _fit(kind: Kind, mark: Mark) -> None:
    """Raise PuzzleError unless the mark is made of what its kind is made of."""
    cells, lines = len(mark.cells), len(mark.lines)
    expected, fits = _PARTS[kind.shape]
    if not fits(cells, lines) or not all(mark.lines):
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
