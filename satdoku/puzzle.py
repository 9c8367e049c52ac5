"""Boards, puzzles and the referee. Nothing here imports a solver.

A board is its constraints; a puzzle is a board and the candidates of its cells. Both are frozen,
and many puzzles share one board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

from satdoku.constraints import AllDifferent, Constraint, Grid
from satdoku.errors import PuzzleError

Position = tuple[int, int]
"""(row, column), both from 1; clues outside the grid sit at 0 or N+1."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A rule as its setter drew it, for readers, writers and pictures."""

    kind: str
    cells: tuple[Position, ...] = ()
    lines: tuple[tuple[Position, ...], ...] = ()
    value: int | str | None = None


@dataclass(frozen=True, eq=False)
class Board:
    """Cells, the values they take, and the constraints between them; no givens.

    cells:       number of cells, numbered row-major from 0
    values:      N; every cell holds one of 1..N
    columns:     cells in a row, which only names cells (`r3c7`) and shapes pictures
    constraints: what a grid must satisfy
    marks:       the same, as drawn

    Raises PuzzleError if a constraint names a cell that the board has not, or if an AllDifferent
    has more cells than there are values.
    """

    cells: int
    values: int
    columns: int
    constraints: tuple[Constraint, ...]
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        if min(self.cells, self.values, self.columns) < 1:
            raise PuzzleError("a board needs at least one cell, one value and one column")
        for constraint in self.constraints:
            outside = [cell for cell in constraint.cells if not 0 <= cell < self.cells]
            if outside:
                raise PuzzleError(f"{constraint.name}: cell {outside[0]} is not on the board of {self.cells} cells")
            if isinstance(constraint, AllDifferent) and len(constraint.cells) > self.values:
                raise PuzzleError(
                    f"{constraint.name}: {len(constraint.cells)} cells cannot all differ with {self.values} values"
                )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Board) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        # What was worked out stays behind: hashes of text differ between processes.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self.cells, self.values, self.columns, self.constraints, self.marks

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    @cached_property
    def houses(self) -> tuple[AllDifferent, ...]:
        """The AllDifferents of exactly N cells: each holds every value once."""
        return tuple(rule for rule in self.all_different if len(rule.cells) == self.values)

    @cached_property
    def all_different(self) -> tuple[AllDifferent, ...]:
        return tuple(rule for rule in self.constraints if isinstance(rule, AllDifferent))

    @cached_property
    def others(self) -> tuple[Constraint, ...]:
        """The constraints that are not AllDifferents."""
        return tuple(rule for rule in self.constraints if not isinstance(rule, AllDifferent))

    @cached_property
    def peers(self) -> tuple[frozenset[int], ...]:
        """For each cell the others that some AllDifferent holds apart from it."""
        together: list[set[int]] = [set() for _ in range(self.cells)]
        for rule in self.all_different:
            for cell in rule.cells:
                together[cell].update(rule.cells)
        return tuple(frozenset(group - {cell}) for cell, group in enumerate(together))

    @property
    def every_value(self) -> int:
        """The candidates of a cell that nothing restricts: bits 1..N."""
        return (2 << self.values) - 2

    def label(self, cell: int) -> str:
        """The name people use: cell 0 is r1c1."""
        row, column = divmod(cell, self.columns)
        return f"r{row + 1}c{column + 1}"


VIEWS: dict[str, Callable[[Puzzle], str | None]] = {}
"""How puzzles are shown, as "summary", "grid" and "svg". The package enters the functions here when it is imported:
drawing needs formats and pictures, which import this module."""


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A board and the values still allowed in each cell.

    candidates: one integer a cell, bit v set if value v is allowed; a given is a cell with one
    name:       what to call it in messages, such as FILE:LINE
    title, author, rules, solution: what its source states of it, empty where it states nothing; two puzzles
                that differ in nothing else are equal
    not_enforced: what its source shows that no constraint stands for, such as "2 lines"

    `repr` is a summary in one line, `str` the grid, and a notebook shows the picture.

    Raises PuzzleError if there is not one set of candidates a cell, or a bit outside 1..N.
    """

    board: Board
    candidates: tuple[int, ...]
    name: str = "puzzle"
    title: str = field(default="", kw_only=True, compare=False)
    author: str = field(default="", kw_only=True, compare=False)
    rules: str = field(default="", kw_only=True, compare=False)
    solution: Grid | None = field(default=None, kw_only=True, compare=False)
    not_enforced: tuple[str, ...] = field(default=(), kw_only=True, compare=False)

    def __post_init__(self) -> None:
        board = self.board
        if len(self.candidates) != board.cells:
            raise PuzzleError(f"{len(self.candidates)} sets of candidates for a board of {board.cells} cells")
        for cell, allowed in enumerate(self.candidates):
            if allowed & ~board.every_value:
                raise PuzzleError(f"{board.label(cell)}: a candidate is not one of 1..{board.values}")

    @classmethod
    def from_givens(cls, board: Board, givens: Sequence[int] | Mapping[int, int], name: str = "puzzle") -> Puzzle:
        """A puzzle from values, 0 or absent where the cell is empty.

        Raises PuzzleError if a value is not one of 1..N or the length is not the board's.
        """
        if isinstance(givens, Mapping):
            strange = next((cell for cell in givens if not 0 <= cell < board.cells), None)
            if strange is not None:
                raise PuzzleError(f"cell {strange} is not on the board of {board.cells} cells")
            givens = [givens.get(cell, 0) for cell in range(board.cells)]
        for cell, value in enumerate(givens):
            if not 0 <= value <= board.values:
                raise PuzzleError(f"{board.label(cell)}: {value} is not one of 1..{board.values}")
        every = board.every_value
        return cls(board, tuple(1 << value if value else every for value in givens), name)

    @property
    def givens(self) -> Grid:
        """One value a cell; 0 where the cell is not a given."""
        return tuple(only(allowed) for allowed in self.candidates)

    @property
    def given_count(self) -> int:
        """How many cells are given."""
        return sum(map(bool, self.givens))

    def __repr__(self) -> str:
        return f"<Puzzle {VIEWS['summary'](self)}>"

    def __str__(self) -> str:
        return VIEWS["grid"](self) or ""

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows; None where matplotlib is not installed."""
        return VIEWS["svg"](self)

    def clashes(self) -> Iterator[str]:
        """Why this puzzle has no solution, as far as givens alone show it."""
        for cell, allowed in enumerate(self.candidates):
            if not allowed:
                yield f"{self.board.label(cell)} has no candidate"
        yield from broken(self.board, self.givens)


def broken(board: Board, grid: Sequence[int], constraints: Iterable[Constraint] | None = None) -> Iterator[str]:
    """The constraints that the filled cells of `grid` break (0 = empty), described for people.

    constraints: those of the board to look at; None is all of them
    """
    for constraint in board.constraints if constraints is None else constraints:
        cells = constraint.cells
        if isinstance(constraint, AllDifferent):
            for value, first, second in repeats(cells, grid):
                yield f"{constraint.name} has {value} twice: {board.label(first)} and {board.label(second)}"
        elif all(grid[cell] for cell in cells) and not constraint.holds(grid):
            placed = ", ".join(f"{board.label(cell)}={grid[cell]}" for cell in dict.fromkeys(cells))
            yield f"{constraint.name} is broken by {placed or 'nothing: no grid fits it'}"


def repeats(cells: Iterable[int], grid: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(value, first cell, later cell) for every value that occurs again among `cells`."""
    seen: dict[int, int] = {}
    for cell in cells:
        value = grid[cell]
        if value and value in seen:
            yield value, seen[value], cell
        seen.setdefault(value, cell)


def other_constraint(board: Board) -> str | None:
    """`cage 15 at r1c1 is a Linear`: the first constraint that is not an AllDifferent; None if all are."""
    if not board.others:
        return None
    kind = type(board.others[0]).__name__
    return f"{board.others[0].name} is {'an' if kind[0] in 'AEIOU' else 'a'} {kind}"


def only(allowed: int) -> int:
    """The single value of a set of candidates, else 0."""
    return allowed.bit_length() - 1 if allowed and not allowed & (allowed - 1) else 0


def members(allowed: int) -> Iterator[int]:
    """The values of a set of candidates, ascending."""
    while allowed:
        low = allowed & -allowed
        yield low.bit_length() - 1
        allowed ^= low
