"""Boards, puzzles and the marks on them. Nothing here imports a solver.

A board is its constraints; a puzzle is a board and the candidates of its cells. Many puzzles share one board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property, lru_cache, reduce
from itertools import product
from operator import or_
from typing import TypeVar

from satdoku.constraints import AllDifferent, Constraint, Grid, repeats
from satdoku.drawings import Drawing
from satdoku.errors import PuzzleError, excerpt
from satdoku.limits import check_time
from satdoku.registry import VIEWS
from satdoku.size import MAX_VALUES as MAX_VALUES
from satdoku.size import Position as Position
from satdoku.size import Size as Size
from satdoku.size import SparseSize

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Mark:
    """A rule as its setter drew it, for readers, writers and pictures.

    marks: those inside it, of which so many hold as its kind says
    name:  what its setter calls it, for messages
    """

    kind: str
    cells: tuple[Position, ...] = ()
    lines: tuple[tuple[Position, ...], ...] = ()
    value: int | str | None = None
    marks: tuple[Mark, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Board:
    """Cells, the values they take, and the constraints between them; no givens.

    cells:       number of cells that a solution fills, numbered row-major from 0: those of the grid, then as many again
                 for each layer
    values:      N; every grid cell holds one of 1..N
    columns:     cells in a row, which only names cells (`r3c7`) and shapes pictures
    constraints: what a grid must satisfy
    marks:       the same, as drawn
    first_value: how the value 1 is shown
    auxiliary:   the values of each auxiliary cell, as a set like those of `Puzzle.candidates`. These cells
                 are numbered after all others; constraints name them, and nothing shows them
    layers:      what a solution says of each cell of the grid besides its value, such as "regions"
    places:      the positions of the cells of the grid, row by row, where some of its rectangle are none; else empty

    Grids, candidates and constraints hold the values 1..N, whatever `first_value` is. What people read and write
    has shown values, which are `first_value - 1` more: texts, pictures, JSON, messages, exports, and marks, whose
    constraints `satdoku.variants.build` moves to 1..N.

    A grid has the values of the grid cells and their layers alone. It is a solution if some values of the auxiliary
    cells satisfy all constraints with it, and it is one solution, however many such values there are.

    Raises PuzzleError if a constraint names a cell that the board has not, or if an AllDifferent
    has more cells than there are values.
    """

    cells: int
    values: int
    columns: int
    constraints: tuple[Constraint, ...]
    marks: tuple[Mark, ...] = ()
    _: KW_ONLY
    first_value: int = 1
    auxiliary: tuple[int, ...] = ()
    layers: tuple[str, ...] = ()
    places: tuple[Position, ...] = ()

    def __post_init__(self) -> None:
        if min(self.cells, self.values, self.columns) < 1:
            raise PuzzleError("a board needs at least one cell, one value and one column")
        if self.cells % (1 + len(self.layers)):
            raise PuzzleError(
                f"{self.cells} cells: expected as many in each of {len(self.layers)} layers as in the grid"
            )
        if self.places and len(self.places) != self.grid_cells:
            raise PuzzleError(f"{len(self.places)} places for {self.grid_cells} cells")
        if any(allowed < 2 or allowed & 1 for allowed in self.auxiliary):
            raise PuzzleError("an auxiliary cell needs a set of values from 1")
        most, named = self.cells + len(self.auxiliary), [constraint.cells for constraint in self.constraints]
        every = set().union(*named)  # all of them at once, in a third of the time
        if every and not 0 <= min(every) <= max(every) < most:
            pairs = ((rule, cell) for rule in self.constraints for cell in rule.cells)
            rule, outside = next((rule, cell) for rule, cell in pairs if not 0 <= cell < most)
            raise PuzzleError(f"{rule.name}: cell {outside} is not on the board of {self.cells} cells")
        if max(map(len, named), default=0) > self.values:
            for rule in self.constraints:
                if isinstance(rule, AllDifferent) and len(rule.cells) > self.values:
                    self._refuse_crowd(rule)

    def _refuse_crowd(self, constraint: AllDifferent) -> None:
        many, every = len(constraint.cells), reduce(or_, map(self.domain, constraint.cells))
        if many > every.bit_count():
            raise PuzzleError(f"{constraint.name}: {many} cells cannot all differ with {every.bit_count()} values")

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        # What was worked out stays behind: hashes of text differ between processes.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _hash(self) -> int:
        # Marks say what constraints are, of which there are many more.
        drawn = self.marks or self.constraints
        return hash((self.cells, self.values, self.columns, self.first_value, self.auxiliary, self.layers, drawn))

    @cached_property
    def houses(self) -> tuple[AllDifferent, ...]:
        """The AllDifferents of exactly N cells: each holds every value once."""
        return tuple(rule for rule in self.all_different if len(rule.cells) == self.values)

    @cached_property
    def all_different(self) -> tuple[AllDifferent, ...]:
        """The AllDifferents over grid cells alone."""
        return tuple(rule for rule in self.constraints if isinstance(rule, AllDifferent) and self.shows(rule))

    @cached_property
    def others(self) -> tuple[Constraint, ...]:
        """The other constraints: those that are not AllDifferents, or name an auxiliary cell."""
        return tuple(rule for rule in self.constraints if not (isinstance(rule, AllDifferent) and self.shows(rule)))

    def shows(self, constraint: Constraint) -> bool:
        """Whether a constraint names grid cells alone."""
        return not self.auxiliary or all(cell < self.cells for cell in constraint.cells)

    @property
    def grid_cells(self) -> int:
        """The cells of the grid alone, without its layers."""
        return self.cells // (1 + len(self.layers))

    @property
    def largest_value(self) -> int:
        """That of any cell, auxiliary ones too."""
        return max(self.every_value, *self.auxiliary, 0).bit_length() - 1

    def parts(self, grid: Sequence[int]) -> Iterator[tuple[str, Sequence[int]]]:
        """The values of the grid under an empty name, then those of each layer that has any under its name."""
        size = self.grid_cells
        for number, name in enumerate(("", *self.layers)):
            values = grid[number * size : (number + 1) * size]
            if not name or any(values):
                yield name, values

    @cached_property
    def size(self) -> Size:
        """Rows, columns and shown values; a last row that is short counts as one."""
        digits = range(self.first_value, self.first_value + self.values)
        if self.places:
            return SparseSize(self.places[-1][0], self.columns, digits, self.places)
        return Size(-(-self.grid_cells // self.columns), self.columns, digits)

    def spread(self, items: Sequence[Item], blank: Item) -> list[Item]:
        """Items of the cells of the grid, one each, and `blank` in each place of its rectangle that is not a cell."""
        if not self.places:
            return list(items)
        at = dict(zip(self.places, items, strict=True))
        return [at.get(place, blank) for place in product(range(1, self.size.rows + 1), range(1, self.columns + 1))]

    def shown(self, value: int) -> int:
        """How a value of 1..N is shown."""
        return value + self.first_value - 1

    def texts(self, grid: Iterable[int]) -> list[str]:
        """How the values of cells are shown, 0 as a dot."""
        return [str(value + self.first_value - 1) if value else "." for value in grid]

    @cached_property
    def domains(self) -> tuple[int, ...]:
        """The values of each cell that nothing restricts, as sets; auxiliary cells last."""
        return (self.every_value,) * self.cells + self.auxiliary

    def domain(self, cell: int) -> int:
        """The values of a cell that nothing restricts, as a set."""
        return self.domains[cell]

    @cached_property
    def peers(self) -> tuple[frozenset[int], ...]:
        """For each cell the others that some AllDifferent holds apart from it."""
        apart: list[list[tuple[int, ...]]] = [[] for _ in range(self.cells)]
        for rule in self.all_different:
            for cell in rule.cells:
                apart[cell].append(rule.cells)
        peers: list[frozenset[int]] = []
        for cell, groups in enumerate(apart):
            check_time()
            peers.append(frozenset().union(*groups) - {cell})
        return tuple(peers)

    @property
    def every_value(self) -> int:
        """The candidates of a cell that nothing restricts: bits 1..N."""
        return (2 << self.values) - 2

    def values_of(self, cell: int) -> Sequence[int]:
        """The values of a cell that nothing restricts, ascending."""
        return range(1, self.values + 1) if cell < self.cells else tuple(members(self.domain(cell)))

    def label(self, cell: int) -> str:
        """The name people use: cell 0 is r1c1, in a layer regions_r1c1; auxiliary cells are x1, x2."""
        if cell >= self.cells:
            return f"x{cell - self.cells + 1}"
        layer, cell = divmod(cell, self.grid_cells)
        row, column = self.size.position(cell)
        return f"{self.layers[layer - 1] + '_' if layer else ''}r{row}c{column}"


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A board and the values still allowed in each cell.

    candidates: one integer a cell, bit v set if value v is allowed; a given is a cell with one
    name:       what to call it in messages, such as FILE:LINE
    title, author, rules, solution: what its source states, or empty; puzzles that differ in nothing else are equal
    not_enforced: what its source shows that no constraint stands for, such as "2 lines"; drawings: how those look

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
    drawings: tuple[Drawing, ...] = field(default=(), kw_only=True, compare=False)

    def __post_init__(self) -> None:
        board = self.board
        if len(self.candidates) != board.cells:
            raise PuzzleError(f"{len(self.candidates)} sets of candidates for a board of {board.cells} cells")
        other = ~board.every_value
        if any(map(other.__and__, self.candidates)):
            cell = next(cell for cell, allowed in enumerate(self.candidates) if allowed & other)
            raise PuzzleError(f"{board.label(cell)}: a candidate is not one of 1..{board.values}")

    @classmethod
    def from_givens(cls, board: Board, givens: Sequence[int] | Mapping[int, int], name: str = "puzzle") -> Puzzle:
        """A puzzle from values, 0 or absent where empty; those of layers may be left out. Raises PuzzleError for
        a value that is not one of 1..N or another length than the board's, TypeError for what is not whole numbers."""
        if isinstance(givens, Mapping):
            strange = next((cell for cell in givens if not 0 <= cell < board.cells), None)
            if strange is not None:
                raise PuzzleError(f"cell {strange} is not on the board of {board.cells} cells")
            givens = [givens.get(cell, 0) for cell in range(board.cells)]
        elif len(givens) == board.grid_cells:
            givens = [*givens, *[0] * (board.cells - board.grid_cells)]
        most, every = board.values, board.every_value
        try:
            for cell, value in enumerate(givens):
                if not 0 <= value <= most:
                    raise PuzzleError(f"{board.label(cell)}: {board.shown(value)} is not one of {board.size.span}")
            return cls(board, tuple(1 << value if value else every for value in givens), name)
        except TypeError:
            raise TypeError(f"givens are {excerpt(givens)}: expected whole numbers, 0 where empty") from None

    @property
    def givens(self) -> Grid:
        """One value a cell; 0 where the cell is not a given."""
        return tuple(map(only, self.candidates))

    @property
    def given_count(self) -> int:
        """How many cells are given."""
        return sum(map(bool, self.givens))

    @property
    def domains(self) -> tuple[int, ...]:
        """The values still allowed in each cell, auxiliary cells included: what engines search."""
        return self.candidates + self.board.auxiliary

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
        board = self.board
        yield from broken(board, self.givens, None if not board.auxiliary else filter(board.shows, board.constraints))


def only_puzzle(thing: object) -> Puzzle:
    """The thing itself; raises TypeError unless it is a Puzzle."""
    if isinstance(thing, Puzzle):
        return thing
    raise TypeError(f"puzzle is of type {type(thing).__name__}: expected a Puzzle, as satdoku.read gives it")


def broken(board: Board, grid: Sequence[int], constraints: Iterable[Constraint] | None = None) -> Iterator[str]:
    """The constraints, of those named or all, that the filled cells of `grid` break (0 = empty), for people."""
    for constraint in board.constraints if constraints is None else constraints:
        cells = constraint.cells
        if isinstance(constraint, AllDifferent):
            for value, first, second in repeats(cells, grid):
                places = f"{board.label(first)} and {board.label(second)}"
                yield f"{constraint.name} has {board.shown(value)} twice: {places}"
        elif all(map(grid.__getitem__, cells)) and not constraint.holds(grid):
            placed = ", ".join(f"{board.label(cell)}={board.shown(grid[cell])}" for cell in dict.fromkeys(cells))
            yield f"{constraint.name} is broken by {placed or 'nothing: no grid fits it'}"


def other_constraint(board: Board) -> str | None:
    """`cage 15 at r1c1 is a Linear`: the first constraint that is not an AllDifferent of grid cells, if any."""
    if not board.others:
        return None
    if isinstance(board.others[0], AllDifferent):
        return f"{board.others[0].name} names an auxiliary cell"
    kind = type(board.others[0]).__name__
    return f"{board.others[0].name} is {'an' if kind[0] in 'AEIOU' else 'a'} {kind}"


@lru_cache(maxsize=4096)
def only(allowed: int) -> int:
    """The single value of a set of candidates, else 0."""
    return allowed.bit_length() - 1 if allowed and not allowed & (allowed - 1) else 0


def members(allowed: int) -> Iterator[int]:
    """The values of a set of candidates, ascending."""
    return iter(_SMALL[allowed]) if 0 <= allowed < len(_SMALL) else _each(allowed)


_SMALL: list[tuple[int, ...]] = [()]  # the members of the sets of values up to 9
for _value in range(10):
    _SMALL += [(*some, _value) for some in _SMALL]


def _each(allowed: int) -> Iterator[int]:
    while allowed:
        low = allowed & -allowed
        yield low.bit_length() - 1
        allowed ^= low
