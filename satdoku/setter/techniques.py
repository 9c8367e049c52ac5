"""Techniques that people solve by: what each takes away from the candidates of cells, and which one a step is.

The names are those of HoDoKu and the Sudopedia. Sets of cells are integers with bit c set for cell c, sets of values
as in `Puzzle.candidates`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial, reduce
from itertools import combinations
from operator import and_, or_

from satdoku.constraints import AllDifferent, Constraint
from satdoku.puzzle import Board, members, only


class Level(IntEnum):
    """How hard a technique is, and a puzzle that needs it."""

    SINGLES = 1
    LOCKED = 2
    SUBSETS = 3
    FISH = 4
    WINGS = 5
    BEYOND = 6  # no technique here leads to the end


@dataclass(frozen=True, slots=True)
class Name:
    """The technique of a step, of `LADDER`; `house` is where the value has its only place, if it is a hidden single."""

    technique: str
    house: str = ""

    def __str__(self) -> str:
        """`hidden single in row 3`."""
        return f"{self.technique} in {self.house}" if self.house else self.technique


Strike = tuple[int, int]  # a value, and the cells that lose it


class Pencil:
    """The candidates of cells, and what some AllDifferents say of them.

    left:   the candidates of each cell, auxiliary cells included
    places: for each value the grid cells that may hold it
    open:   the grid cells without a value
    sees:   for each grid cell those that differ from it
    """

    def __init__(self, board: Board, groups: Sequence[AllDifferent], known: Mapping[int, int]) -> None:
        """known: the candidates of the cells that do not have all values."""
        every = range(board.cells + len(board.auxiliary))
        self.board, self.left = board, [known.get(cell, board.domain(cell)) for cell in every]
        self.groups = [(rule, _set(rule.cells)) for rule in groups]
        self.houses = [pair for pair in self.groups if len(pair[0].cells) == board.values]
        self.sees = [0] * board.cells
        for rule, cells in self.groups:
            for cell in rule.cells:
                self.sees[cell] |= cells & ~(1 << cell)
        self.places = [0] * (board.values + 1)
        for cell, allowed in enumerate(self.left[: board.cells]):
            for value in members(allowed):
                self.places[value] |= 1 << cell
        self.open = (1 << board.cells) - 1
        for cell, allowed in known.items():
            if only(allowed):
                self.place(cell, only(allowed))

    def place(self, cell: int, value: int) -> None:
        """Give a cell its value, and take it from those that differ from it."""
        self.open &= ~(1 << cell)
        self.strike((other, 1 << cell) for other in members(self.left[cell] & ~(1 << value)))
        self.strike([(value, self.sees[cell])])

    def strike(self, strikes: Iterable[Strike]) -> None:
        for value, cells in strikes:
            for cell in members(cells & self.places[value]):
                self.left[cell] &= ~(1 << value)
            self.places[value] &= ~cells

    def singles(self) -> Iterator[tuple[int, int, Name]]:
        """Open cells, the value that each must have, and why."""
        for cell in members(self.open):
            if only(self.left[cell]):
                yield cell, only(self.left[cell]), Name(NAKED)
        for rule, house in self.houses:
            for value, places in enumerate(self.places):
                place = places & house
                if place & self.open and not place & (place - 1):
                    yield place.bit_length() - 1, value, Name(HIDDEN, rule.name)

    def common(self, cells: int) -> int:
        """The cells that differ from each of these."""
        return reduce(and_, map(self.sees.__getitem__, members(cells)))

    def lines(self, upright: bool) -> dict[int, tuple[AllDifferent, int]]:
        """The AllDifferents of whole rows of the grid, by row, or of whole columns."""
        across, size = self.board.columns, self.board.grid_cells
        by_number: dict[int, tuple[AllDifferent, int]] = {}
        for rule, cells in self.groups:
            numbers = {cell % across if upright else cell // across for cell in rule.cells}
            whole = len(rule.cells) == (size // across if upright else across) and max(rule.cells) < size
            if len(numbers) == 1 and whole:
                by_number[numbers.pop()] = rule, cells
        return by_number


def _set(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def _locked(line: bool, pencil: Pencil) -> Iterator[list[Strike]]:
    """A value whose places in a house all differ from some cell outside it."""
    lines = {cells for upright in (False, True) for _, cells in pencil.lines(upright).values()}
    for _, house in pencil.houses:
        if (house in lines) is line:
            for value, places in enumerate(pencil.places):
                if (places & house & pencil.open).bit_count() > 1:
                    yield [(value, pencil.common(places & house))]


def _naked(size: int, pencil: Pencil) -> Iterator[list[Strike]]:
    """Cells that differ, and have together only as many candidates: other cells that see all places of one lose it."""
    for rule, _ in pencil.groups:
        cells = [cell for cell in rule.cells if 2 <= pencil.left[cell].bit_count() <= size]
        for chosen in combinations(cells, size):
            values = reduce(or_, (pencil.left[cell] for cell in chosen))
            if values.bit_count() == size:
                subset = _set(chosen)
                yield [(value, pencil.common(pencil.places[value] & subset)) for value in members(values)]


def _hidden(size: int, pencil: Pencil) -> Iterator[list[Strike]]:
    """Values of a house that have together only as many places: these have no other values."""
    for _, house in pencil.houses:
        places = {value: cells & house for value, cells in enumerate(pencil.places)}
        values = [value for value, cells in places.items() if 2 <= cells.bit_count() <= size]
        for chosen in combinations(values, size):
            cells = reduce(or_, (places[value] for value in chosen))
            if cells.bit_count() == size:
                yield [(value, cells) for value in places if value not in chosen]


def _fish(size: int, pencil: Pencil) -> Iterator[list[Strike]]:
    """Lines in which a value has places only where as many other lines cross them."""
    for upright in (False, True):
        covers = pencil.lines(not upright)
        bases = [pair for pair in pencil.lines(upright).values() if pair in pencil.houses]
        for value, places in enumerate(pencil.places):
            rows = [cells for _, cells in bases if 2 <= (places & cells).bit_count() <= size]
            for chosen in combinations(rows, size):
                base = reduce(or_, chosen)
                crossing = [cells for _, cells in covers.values() if cells & base & places]
                cover = reduce(or_, crossing, 0)
                if len(crossing) == size and not places & base & ~cover:
                    yield [(value, cover & ~base)]


def _wing(pencil: Pencil, three: bool) -> Iterator[list[Strike]]:
    """A pivot of two or three candidates that sees two cells of two: whichever value it has, one value is in a cell."""
    left = pencil.left
    pairs = _set(cell for cell in members(pencil.open) if left[cell].bit_count() == 2)
    for pivot in members(pencil.open):
        if left[pivot].bit_count() == 2 + three:
            for one, two in combinations(members(pencil.sees[pivot] & pairs), 2):
                shared = left[one] & left[two]
                rest = left[one] ^ left[two]
                if shared and rest and left[pivot] == rest | shared * three:
                    cells = _set((one, two, pivot) if three else (one, two))
                    yield [(only(shared), pencil.common(cells))]


def _w_wing(pencil: Pencil) -> Iterator[list[Strike]]:
    """Two cells of the same two candidates, one of which a house has at two places, each seen by one of the cells."""
    left, sees = pencil.left, pencil.sees
    pairs = [cell for cell in members(pencil.open) if left[cell].bit_count() == 2]
    for one, two in combinations(pairs, 2):
        if left[one] != left[two] or sees[one] >> two & 1:
            continue
        for value in members(left[one]):
            ends = (pencil.places[value] & house for _, house in pencil.houses)
            for first, last in (members(cells) for cells in ends if cells.bit_count() == 2):
                straight = sees[one] >> first & sees[two] >> last & 1
                if straight or sees[one] >> last & sees[two] >> first & 1:
                    yield [(only(left[one] & ~(1 << value)), sees[one] & sees[two])]


Search = Callable[[Pencil], Iterator[list[Strike]]]

NAKED, HIDDEN, OTHER = "naked single", "hidden single", "other constraint"
LADDER: dict[str, tuple[Level, Search | None]] = {
    NAKED: (Level.SINGLES, None),
    HIDDEN: (Level.SINGLES, None),
    OTHER: (Level.LOCKED, None),  # one that is not an AllDifferent, looked at by itself
    "locked candidates (pointing)": (Level.LOCKED, partial(_locked, False)),
    "locked candidates (claiming)": (Level.LOCKED, partial(_locked, True)),
    "naked pair": (Level.SUBSETS, partial(_naked, 2)),
    "hidden pair": (Level.SUBSETS, partial(_hidden, 2)),
    "naked triple": (Level.SUBSETS, partial(_naked, 3)),
    "hidden triple": (Level.SUBSETS, partial(_hidden, 3)),
    "naked quadruple": (Level.SUBSETS, partial(_naked, 4)),
    "hidden quadruple": (Level.SUBSETS, partial(_hidden, 4)),
    "X-wing": (Level.FISH, partial(_fish, 2)),
    "swordfish": (Level.FISH, partial(_fish, 3)),
    "jellyfish": (Level.FISH, partial(_fish, 4)),
    "XY-wing": (Level.WINGS, partial(_wing, three=False)),
    "XYZ-wing": (Level.WINGS, partial(_wing, three=True)),
    "W-wing": (Level.WINGS, _w_wing),
}
"""Every technique, the simpler one first: its level, and what takes candidates away by it if it decides no value."""

ELIMINATIONS = {name: search for name, (_, search) in LADDER.items() if search is not None}


def effective(pencil: Pencil, search: Search) -> list[Strike] | None:
    """What a technique finds first that takes some candidate away."""
    return next((strikes for strikes in search(pencil) if any(pencil.places[v] & cells for v, cells in strikes)), None)


def name_of(
    board: Board, constraints: Iterable[Constraint], known: Mapping[int, int], cell: int, value: int
) -> Name | None:
    """The simplest technique that by itself, and a single after it, gives a cell its value.

    known: the candidates of cells. Nothing else is looked at than these and the constraints. None if there is no such
    technique, or one of the constraints is not an AllDifferent of grid cells.
    """
    rules = list(constraints)
    groups = [rule for rule in rules if isinstance(rule, AllDifferent) and board.shows(rule)]
    if len(groups) < len(rules):
        return None
    for search in (None, *ELIMINATIONS):
        pencil = Pencil(board, groups, known)
        while search and (strikes := effective(pencil, ELIMINATIONS[search])):
            pencil.strike(strikes)
        single = next((why for *what, why in pencil.singles() if what == [cell, value]), None)
        if single is not None:
            return single if search is None else Name(search)
    return None


def singles(board: Board, known: Mapping[int, int]) -> Iterator[tuple[int, list[int], list[AllDifferent]]]:
    """The open cells that have a single, and few known cells and AllDifferents that show it."""
    pencil = Pencil(board, board.all_different, known)
    of_cell = [[rule for rule in board.all_different if cell in rule.cells] for cell in range(board.cells)]
    for cell, value, why in pencil.singles():
        cells: dict[int, None] = {}
        rules: dict[AllDifferent, None] = {}
        if why.house:
            # Several may have the name, such as extra regions that begin at the same cell.
            alone = (rule for rule, cells in pencil.houses if pencil.places[value] & cells == 1 << cell)
            house = next(rule for rule in alone if rule.name == why.house)
            rules[house] = None
            wanted = [(other, value) for other in house.cells if other != cell]
        else:
            wanted = [(cell, other) for other in members(board.every_value & ~(1 << value))]
        for place, missing in wanted:
            if not known.get(place, board.every_value) >> missing & 1:
                cells[place] = None
                continue
            pairs = [
                (other, rule) for rule in of_cell[place] for other in rule.cells if known.get(other) == 1 << missing
            ]
            other, rule = min(pairs, key=lambda pair: (pair[1] not in rules) + (pair[0] not in cells))
            cells[other] = rules[rule] = None
        yield cell, list(cells), list(rules)
