"""Unique rectangles: four cells whose two values could be exchanged, so that the solution has others there.

The cells are two of one row and two of another in the same columns. Exchanging two values in them must not matter to
any constraint: each group has as many of the one diagonal as of the other, and no other constraint looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, cast

from satdoku.puzzle import members
from satdoku.techniques import exchange
from satdoku.techniques.exchange import Finding
from satdoku.techniques.families.single_digit import pairs
from satdoku.techniques.grid import BoardLayout, CandidateGrid, Strike, cell_set
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text

Corners = tuple[int, int, int, int]  # the first and the last, and the two others, are on a diagonal
_Fitting = dict[tuple[int, int], Sequence[tuple[Corners, int]]]  # by a cell and its two values


class Rectangle(NamedTuple):
    """Four cells that may have a pair of values, none given.

    extra: those of them that may have others too
    """

    corners: Corners
    cells: int
    pair: int
    extra: int

    def beside(self) -> bool:
        """Whether the cells with other values are two, not on a diagonal."""
        first, second, third, last = (1 << cell for cell in self.corners)
        return self.extra.bit_count() == 2 and self.extra not in (first | last, second | third)


@lru_cache(maxsize=16)
def rectangles(layout: BoardLayout) -> tuple[tuple[tuple[Corners, int], ...], ...]:
    """For each cell the rectangles that begin with it, also as sets of cells."""
    board, rectangles = layout.board, list[list[tuple[Corners, int]]]()
    size, across, down = board.size, dict[int, list[int]](), dict[int, list[int]]()
    for cell in range(board.grid_cells):
        row, column = size.position(cell)
        across.setdefault(row, []).append(cell)
        down.setdefault(column, []).append(cell)
    of = [{group.cells for group in layout.of[cell]} for cell in range(layout.cells)]
    for cell in range(layout.cells):
        row, column = size.position(cell) if cell < board.grid_cells else (0, 0)
        own = list[tuple[Corners, int]]()
        for beside in across.get(row, ()):
            for below in down[column]:
                last = size.position(below)[0], size.position(beside)[1]
                if beside == cell or below == cell or not size.inside(last) or size.cell(last) >= board.grid_cells:
                    continue
                corners = cell, beside, below, size.cell(last)
                if _exchangeable(layout, of, corners):
                    own.append((corners, cell_set(corners)))
        rectangles.append(own)
    return tuple(map(tuple, rectangles))


def _exchangeable(layout: BoardLayout, of: list[set[int]], corners: Corners) -> bool:
    first, second, third, last = corners
    if not all(layout.exchangeable >> cell & 1 for cell in corners):
        return False
    return all(
        (group >> first & 1) + (group >> last & 1) == (group >> second & 1) + (group >> third & 1)
        for cell in corners
        for group in of[cell]
    )


def _found(grid: CandidateGrid) -> list[Rectangle]:
    return list(_of_open_cells(grid))


def _with_extra(grid: CandidateGrid, extra: Sequence[int]) -> list[Rectangle]:
    """The rectangles of open cells of which so many may have other values."""
    every = grid.once(_found, _found)
    return grid.once((_found, extra), lambda _: [each for each in every if each.extra.bit_count() in extra])


def _of_open_cells(grid: CandidateGrid) -> Iterator[Rectangle]:
    """Rectangles of open cells, one of which has two candidates: fewer of a cell that had the same two before."""
    left, done, every, others = grid.left, set[tuple[int, int]](), rectangles(grid.layout), dict[int, int]()
    initial = grid.initial_places
    before = cast(_Fitting, grid.seen.get(_of_open_cells, {}))
    grid.seen[_of_open_cells] = after = _Fitting()
    for cell in members(grid.few(2, 2)):
        pair = left[cell]
        one, two = members(pair)
        unfit = ~((grid.places[one] | grid.places[two]) & initial[one] & initial[two])
        some = before.get((cell, pair), every[cell])
        after[cell, pair] = fitting = [each for each in some if not each[1] & unfit] if some else some
        if fitting and pair not in others:
            others[pair] = _having(grid, ~pair)
        for corners, cells in fitting:
            if (cells, pair) not in done:
                done.add((cells, pair))
                yield Rectangle(corners, cells, pair, cells & others[pair])


def _having(grid: CandidateGrid, values: int) -> int:
    """The cells that may have one of these values."""
    cells = 0
    for value, places in enumerate(grid.places):
        if values >> value & 1:
            cells |= places
    return cells


Find = Callable[[CandidateGrid, Rectangle], Iterator[Finding]]


def _unique(find: Find, extra: Sequence[int], name: str, grid: CandidateGrid) -> Iterator[Step]:
    board = grid.layout.board
    for rectangle in _with_extra(grid, extra):
        for strikes, why, _ in find(grid, rectangle):
            effect = grid.present(strikes)
            if effect:
                values = values_text(board, rectangle.pair)
                first = f"with only {values} in {cells_text(board, rectangle.cells)} the solution would not be unique"
                yield _step(name, grid, rectangle, effect, f"{first}; {why}")


def _step(name: str, grid: CandidateGrid, rectangle: Rectangle, effect: tuple[Strike, ...], why: str) -> Step:
    pattern = tuple((value, grid.places[value] & rectangle.cells) for value in members(rectangle.pair))
    more = grid.candidates(rectangle.extra) & ~rectangle.pair if rectangle.extra else 0
    extra = tuple((value, grid.places[value] & rectangle.extra) for value in members(more))
    parts = (("extra", extra),) if extra else ()
    return Step(technique=name, because=why, eliminations=effect, pattern=pattern, parts=parts, size=4)


def _one_value(beside: bool, grid: CandidateGrid, rectangle: Rectangle) -> Iterator[Finding]:
    """Types 2 and 5: all have the same other value."""
    return exchange.one_value(grid, rectangle) if rectangle.beside() is beside else iter(())


class _CellPairs(NamedTuple):
    """The cells of houses that have a value only in two, and the cells that are in several such pairs."""

    cells: set[int]
    crossing: int


def _only_pairs(grid: CandidateGrid) -> list[_CellPairs]:
    """Those of each value; again only when its places change."""
    values = range(grid.layout.values + 1)
    return [grid.of_places(_only_pairs, value, partial(_of_value, grid, value)) for value in values]


def _of_value(grid: CandidateGrid, value: int) -> _CellPairs:
    some = crossing = 0
    cells = {pair.cells for pair in pairs(grid, value)}
    for pair in cells:
        crossing |= some & pair
        some |= pair
    return _CellPairs(cells, crossing)


def _type_6(grid: CandidateGrid, rectangle: Rectangle) -> Iterator[Finding]:
    first, second, third, last = rectangle.corners
    board = grid.layout.board
    if rectangle.extra not in (1 << first | 1 << last, 1 << second | 1 << third):
        return
    only = grid.once(_only_pairs, _only_pairs)
    for value in members(rectangle.pair):
        for sides in (((first, second), (third, last)), ((first, third), (second, last))):
            if all(1 << one | 1 << two in only[value].cells for one, two in sides):
                digit = board.shown(value)
                why = (
                    f"with {digit} in one of {cells_text(board, rectangle.extra)} it would be in both,"
                    " and only these left"
                )
                yield Finding(((value, rectangle.extra),), why)


def _hidden(grid: CandidateGrid, rectangle: Rectangle) -> Iterator[Finding]:
    first, second, third, last = rectangle.corners
    board, only = grid.layout.board, grid.once(_only_pairs, _only_pairs)
    able = [value for value in members(rectangle.pair) if only[value].crossing & rectangle.cells]
    if not able:
        return
    for floor, one, two, roof in (
        (first, second, third, last),
        (last, second, third, first),
        (second, first, last, third),
        (third, first, last, second),
    ):
        for value in able if not rectangle.extra >> floor & 1 else ():
            other = (rectangle.pair & ~(1 << value)).bit_length() - 1
            sides = 1 << roof | 1 << one, 1 << roof | 1 << two
            if grid.places[other] >> roof & 1 and only[value].cells.issuperset(sides):
                where = cells_text(board, 1 << one | 1 << two)
                why = f"with {board.shown(other)} in {board.label(roof)} both {where} would be {board.shown(value)}"
                yield Finding(((other, 1 << roof),), why)


def _avoidable(grid: CandidateGrid) -> list[tuple[Corners, int, int]]:
    """Again only when more cells are solved."""
    known = cast("tuple[int, list[tuple[Corners, int, int]]] | None", grid.seen.get(_avoidable))
    if known is None or known[0] != grid.open:
        known = grid.seen[_avoidable] = grid.open, list(_of_solved_cells(grid))
    return known[1]


def _of_solved_cells(grid: CandidateGrid) -> Iterator[tuple[Corners, int, int]]:
    """Rectangles with two or three cells that were solved, and not given; the pair, and the open cells."""
    every, values, initial = rectangles(grid.layout), grid.values, grid.initial
    free_at_first = cell_set(cell for cell, allowed in enumerate(initial) if allowed & (allowed - 1))
    solved = free_at_first & ~grid.open
    for cell in members(solved):
        for corners, cells in every[cell]:
            if cells & ~free_at_first or (cells & solved).bit_count() < 2:
                continue
            pair = free = 0
            for corner in corners:
                pair |= 1 << values[corner] if values[corner] else 0
                free |= (not values[corner]) << corner
            if pair.bit_count() == 2 and all(not pair & ~initial[corner] for corner in corners):
                yield corners, pair, free


def _avoidable_1(name: str, grid: CandidateGrid) -> Iterator[Step]:
    for corners, pair, free in _avoidable(grid):
        first, second, third, last = corners
        if free == 1 << last and grid.values[second] == grid.values[third] != grid.values[first]:
            value = grid.values[first]
            if grid.places[value] & free:
                rectangle = Rectangle(corners, sum(1 << corner for corner in corners), pair, free)
                yield _step(name, grid, rectangle, ((value, free),), _again(grid, rectangle))


def _avoidable_2(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Two open cells, each with one of the pair and the same other value."""
    for corners, pair, free in _avoidable(grid):
        first, second, third, last = corners
        for one, other, far in ((second, third, last), (third, second, last)):
            # The solved ones are two cells of a line; of the others each could be what completes the rectangle.
            if free != 1 << other | 1 << far or grid.left[other] & pair != 1 << grid.values[one]:
                continue
            if grid.left[far] & pair != 1 << grid.values[first]:
                continue
            more = (grid.left[other] | grid.left[far]) & ~pair
            if more.bit_count() != 1 or not grid.left[other] & grid.left[far] & more:
                continue
            value = more.bit_length() - 1
            lose = grid.layout.common(free) & grid.places[value]
            if lose:
                rectangle = Rectangle(corners, sum(1 << corner for corner in corners), pair, free)
                board = grid.layout.board
                why = f"{_again(grid, rectangle)}, so one of {cells_text(board, free)} is {board.shown(value)}"
                yield _step(name, grid, rectangle, ((value, lose),), why)


def _again(grid: CandidateGrid, rectangle: Rectangle) -> str:
    board = grid.layout.board
    values = values_text(board, rectangle.pair)
    return f"with only {values} in {cells_text(board, rectangle.cells)}, none given, the solution would not be unique"


UNIQUE = "Four cells with only two values would let the values be exchanged. Where the puzzle is known to be unique: "
NEEDS = "no constraint but rows, columns and regions may look at the cells"


def _technique(name: str, find: Find, extra: Sequence[int], statement: str) -> Technique:
    return Technique(
        name,
        Level.WINGS,
        partial(_unique, find, extra),
        UNIQUE + statement,
        hodoku=100,
        needs_uniqueness=True,
        limits=NEEDS,
    )


def _solved(name: str, search: Callable[[str, CandidateGrid], Iterator[Step]], statement: str) -> Technique:
    return Technique(name, Level.WINGS, search, UNIQUE + statement, hodoku=100, needs_uniqueness=True, limits=NEEDS)


TECHNIQUES = (
    _technique("unique rectangle (type 1)", exchange.one_cell, (1,), "the one cell with others has none of the two."),
    _technique("unique rectangle (type 2)", partial(_one_value, True), (2,), "two side by side have the same other."),
    _technique("unique rectangle (type 3)", exchange.subset, (2,), "the others of two make a naked subset with more."),
    _technique("unique rectangle (type 4)", exchange.locked, (2,), "a house has one of the two only where others are."),
    _technique("unique rectangle (type 5)", partial(_one_value, False), (2, 3), "two or three have the same other."),
    _technique("unique rectangle (type 6)", _type_6, (2,), "two lines have one of the two only in these cells."),
    _technique(
        "hidden rectangle", _hidden, (0, 1, 2, 3), "both lines of a cell have one of the two only in these cells."
    ),
    _solved("avoidable rectangle (type 1)", _avoidable_1, "the last of four cells, three of them solved, not given."),
    _solved("avoidable rectangle (type 2)", _avoidable_2, "two of the cells are solved, two have the same other."),
)
