"""The grid of candidates that techniques search, and what a board's constraints say of it.

A set of cells is an integer with bit c set for cell c, a set of values one with bit v set for value v, as in
`Puzzle.candidates`. A strike is a value and a set of cells: the candidates that a step excludes, or rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar, cast

from satdoku.puzzle import Board, Puzzle, members

Strike = tuple[int, int]  # a value, and cells
Placement = tuple[int, int]  # a cell, and its value

ROW, COLUMN, BOX = "row", "column", "box"  # the kinds of houses; a box is any that is not a line
Result = TypeVar("Result")
MAX_REMEMBERED = 1 << 16  # sets of cells whose common peers are kept for a board


class House(NamedTuple):
    """Cells that differ.

    kind: ROW or COLUMN of the whole grid, or BOX
    full: whether it has as many cells as there are values, so that it holds each of them
    """

    name: str
    cells: int
    kind: str
    full: bool


class BoardLayout:
    """What techniques need to know of a board; one for each board, whatever the puzzle.

    groups: the AllDifferents of grid cells
    houses: those that hold every value; house_numbers: their numbers among the groups; house_cells: their cells
    peers:  for each cell those that differ from it
    of:     for each cell the groups that it is in; numbers_of: the same as their numbers
    """

    def __init__(self, board: Board) -> None:
        self.board, self.cells, self.values = board, board.cells, board.values
        self.groups = tuple(
            House(rule.name, cell_set(rule.cells), _kind(board, rule.cells), len(rule.cells) == board.values)
            for rule in board.all_different
        )
        self.houses = tuple(house for house in self.groups if house.full)
        self.house_numbers = [number for number, group in enumerate(self.groups) if group.full]
        self.house_cells = tuple(house.cells for house in self.houses)
        self.peers = [cell_set(peers) for peers in board.peers]
        self.numbers_of = [
            [number for number, group in enumerate(self.groups) if group.cells >> cell & 1]
            for cell in range(board.cells)
        ]
        self.of = [tuple(self.groups[number] for number in numbers) for numbers in self.numbers_of]
        self._common: dict[int, int] = {}
        self._differ: dict[int, bool] = {}
        self._known: dict[object, object] = {}

    def common(self, cells: int) -> int:
        """The cells that differ from each of these; every cell if there are none of these."""
        known = self._common.get(cells)
        if known is None:
            known = (1 << self.cells) - 1
            for cell in members(cells):
                known &= self.peers[cell]
            if len(self._common) > MAX_REMEMBERED:
                self._common.clear()
            self._common[cells] = known
        return known

    def differ(self, cells: int) -> bool:
        """Whether each of these cells differs from each other."""
        known = self._differ.get(cells)
        if known is None:
            known = all(not cells & ~self.peers[cell] & ~(1 << cell) for cell in members(cells))
            if len(self._differ) > MAX_REMEMBERED:
                self._differ.clear()
            self._differ[cells] = known
        return known

    def known(self, key: object, make: Callable[[], Result]) -> Result:
        """What a technique needs of the board, made when it is asked for the first time."""
        if key not in self._known:
            self._known[key] = make()
        return cast(Result, self._known[key])

    def lines(self, kind: str) -> tuple[House, ...]:
        """The groups that are whole rows, or whole columns."""
        return self.known(kind, lambda: tuple(group for group in self.groups if group.kind == kind))

    def full_lines(self, kind: str) -> tuple[House, ...]:
        """Those of them that hold every value."""
        return self.known((kind, "full"), lambda: tuple(line for line in self.lines(kind) if line.full))

    @cached_property
    def exchangeable(self) -> int:
        """The cells that no constraint looks at but AllDifferents: their values can be exchanged within groups."""
        free = (1 << self.cells) - 1
        for rule in self.board.others:
            free &= ~cell_set(cell for cell in rule.cells if cell < self.cells)
        return free

    @cached_property
    def regular(self) -> bool:
        """Whether nothing constrains the board but houses."""
        return not self.board.others and len(self.houses) == len(self.groups) and not self.board.layers

    @cached_property
    def plain(self) -> bool:
        """Whether it is regular, and each cell is in a row, a column and a region, or in fewer houses."""
        return self.regular and all(len(groups) <= 3 for groups in self.of)


def cell_set(cells: Iterable[int]) -> int:
    bits = 0
    for cell in cells:
        bits |= 1 << cell
    return bits


def merged(strikes: Iterable[Strike]) -> tuple[Strike, ...]:
    """Candidates, each value once."""
    cells_of: dict[int, int] = {}
    for value, cells in strikes:
        cells_of[value] = cells_of.get(value, 0) | cells
    return tuple(cells_of.items())


def _kind(board: Board, cells: Sequence[int]) -> str:
    size = board.size
    if max(cells) < board.grid_cells:
        rows, columns = (set(line) for line in zip(*map(size.position, cells), strict=True))
        if len(rows) == 1 and len(cells) in (size.columns, board.values):
            return ROW
        if len(columns) == 1 and len(cells) in (board.grid_cells // size.columns, board.values):
            return COLUMN
    return BOX


@lru_cache(maxsize=16)
def layout_of(board: Board) -> BoardLayout:
    return BoardLayout(board)


def _at_least(grid: CandidateGrid) -> tuple[int, ...]:
    """The open cells with so many candidates or more, by the number."""
    one = two = three = four = five = 0
    for places in grid.places:
        five |= four & places
        four |= three & places
        three |= two & places
        two |= one & places
        one |= places
    return grid.open, one, two, three, four, five


class CandidateGrid:
    """The candidates of every cell, as they are after some steps.

    layout:  the board, with its constraints and marks
    left:    the candidates of each cell, auxiliary cells included; of a solved one its value
    places:  for each value the open cells that may hold it
    open:    the cells without a value
    values:  the value of each cell, 0 where it is open
    solved:  for each value the cells that have it
    initial: the candidates that the puzzle itself leaves to each cell
    initial_places: for each value the cells that it lets have it
    unique:  whether the puzzle is known to have one solution, which some techniques rest on
    seen:    what a technique has looked at before, so that it looks only at what has changed
    changes: the cells that each change was about
    """

    __slots__ = (
        "changes",
        "initial",
        "initial_places",
        "layout",
        "left",
        "open",
        "places",
        "seen",
        "solved",
        "unique",
        "values",
        "worked_out",
    )

    def __init__(self, puzzle: Puzzle, *, unique: bool = False) -> None:
        board = puzzle.board
        self.layout, self.initial, self.unique = layout_of(board), puzzle.candidates, unique
        self.left = [*puzzle.candidates, *board.auxiliary]
        self.values = [0] * board.cells
        self.open = (1 << board.cells) - 1
        self.places, self.solved = [0] * (board.values + 1), [0] * (board.values + 1)
        self.seen: dict[object, object] = {}
        self.changes, self.worked_out = list[int](), dict[object, tuple[int, object]]()
        for cell, allowed in enumerate(puzzle.candidates):
            for value in members(allowed):
                self.places[value] |= 1 << cell
        self.initial_places = self.places[:]
        for cell, value in enumerate(puzzle.givens):
            if value:
                self.place(cell, value)

    def copy(self) -> CandidateGrid:
        """A grid of its own that is the same."""
        new = object.__new__(CandidateGrid)
        new.layout, new.unique = self.layout, self.unique
        new.initial, new.initial_places = self.initial, self.initial_places
        new.left, new.values, new.open = self.left[:], self.values[:], self.open
        new.places, new.solved, new.seen = self.places[:], self.solved[:], dict(self.seen)
        new.changes, new.worked_out = self.changes[:], {}
        return new

    def place(self, cell: int, value: int) -> None:
        """Give a cell its value, and take it from those that differ from it."""
        bit, left, places = 1 << cell, self.left, self.places
        for other in members(left[cell]):
            places[other] &= ~bit
        lose = places[value] & self.layout.peers[cell]
        self.changes.append(lose | bit)
        places[value] &= ~lose
        left[cell] = 1 << value
        self.values[cell] = value
        self.solved[value] |= bit
        self.open &= ~bit
        keep = ~(1 << value)
        while lose:
            low = lose & -lose
            left[low.bit_length() - 1] &= keep
            lose ^= low

    def strike(self, strikes: Iterable[Strike]) -> None:
        """Take candidates from cells."""
        left, places, changed = self.left, self.places, 0
        every = (1 << self.layout.cells) - 1
        for value, cells in strikes:
            keep, lose = ~(1 << value), cells & ~every if cells > every else 0
            if value < len(places):
                lose |= places[value] & cells
                places[value] &= ~cells
            for cell in members(lose):  # auxiliary cells too, which are in no house and may have other values
                left[cell] &= keep
            changed |= lose
        self.changes.append(changed)

    def once(self, key: object, work_out: Callable[[CandidateGrid], Result]) -> Result:
        """What is worked out of this grid, which several techniques need; again only after a change."""
        known, now = self.worked_out.get(key), len(self.changes)
        if known is None or known[0] != now:
            known = self.worked_out[key] = now, work_out(self)
        return cast(Result, known[1])

    def few(self, least: int, most: int) -> int:
        """The open cells with so many candidates, four at the most."""
        at_least = self.once(_at_least, _at_least)
        return at_least[least] & ~at_least[most + 1]

    def of_places(self, key: object, value: int, work_out: Callable[[], Result]) -> Result:
        """What is worked out of the places of a value; again only when they change."""
        known = cast("tuple[int, Result] | None", self.seen.get((key, value)))
        if known is None or known[0] != self.places[value]:
            known = self.seen[key, value] = self.places[value], work_out()
        return known[1]

    def where_changed(self, name: str, search: Callable[[int], Iterator[Result]]) -> Iterator[Result]:
        """What a search finds that rests on the candidates of cells of which some have changed since it found nothing.

        search: from the cells that have changed; what it finds must lose effect only when other cells change
        """
        before, now, found = cast("int | None", self.seen.get(name)), len(self.changes), False
        changed = -1 if before is None else 0
        for cells in self.changes[before:] if before is not None else ():
            changed |= cells
        if changed:
            for each in search(changed):
                found = True
                yield each
        if not found:
            self.seen[name] = now

    def present(self, strikes: Iterable[Strike]) -> tuple[Strike, ...]:
        """Those of some candidates that are still there, each value once."""
        merged: dict[int, int] = {}
        for value, cells in strikes:
            places = self.places[value] & cells
            if places:
                merged[value] = merged.get(value, 0) | places
        return tuple(merged.items())

    def candidates(self, cells: int) -> int:
        """The values that some of these cells may have."""
        union = 0
        while cells:
            low = cells & -cells
            union |= self.left[low.bit_length() - 1]
            cells ^= low
        return union

    def broken(self) -> str | None:
        """Why the candidates leave no solution, as far as one cell or one house shows it; None if they do not."""
        board = self.layout.board
        for cell in members(self.open):
            if not self.left[cell]:
                return f"{board.label(cell)} has no candidate left"
        for house in self.layout.houses:
            for value in range(1, board.values + 1):
                if not (self.places[value] | self.solved[value]) & house.cells:
                    return f"{house.name} has no place left for {board.shown(value)}"
        return None
