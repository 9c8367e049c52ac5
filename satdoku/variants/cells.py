"""Marks in or around single cells: parity, extremes, indexers, clones, quadruples."""

from collections.abc import Iterator
from itertools import product

from satdoku.constraints import Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Alias, Constraints, Draw, Frame, Kinds, Shape, Strokes, Value, label, needs
from satdoku.variants.drawing import fill, lettered, tinted
from satdoku.variants.relations import (
    CellList,
    are,
    cells_of,
    equal,
    falls,
    indexed,
    none_of,
    numbers,
    only,
    other_remainder,
    pairs,
    rises,
    values_listed,
)
from satdoku.variants.strokes import DARK, GREY, INK, PALE, PAPER, Area, Disc, Layer, Line, Text, middle, square

KINDS = Kinds()
NOTHING = -1


def _chevrons(outward: int) -> Draw:
    def draw(frame: Frame, mark: Mark) -> Strokes:
        yield from fill(mark.cells, PALE)
        row, column = mark.cells[0]
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            tip, ends = 0.42 + 0.05 * outward, 0.42 - 0.05 * outward
            points = [
                (along * down + across * right, along * right + across * down)
                for along, across in ((ends, -0.09), (tip, 0.0), (ends, 0.09))
            ]
            yield Line(tuple((row + r, column + c) for r, c in points), DARK, 0.03, layer=Layer.OVER)

    return draw


def _draw_without(frame: Frame, mark: Mark) -> Strokes:
    yield from _draw_quadruple(frame, mark)
    row, column = middle(mark.cells)
    yield Line(((row - 0.2, column - 0.2), (row + 0.2, column + 0.2)), DARK, 0.03, layer=Layer.OVER)


def _draw_quadruple(frame: Frame, mark: Mark) -> Strokes:
    values = str(mark.value).split()
    row, column = middle(mark.cells)
    half = (len(values) + 1) // 2
    lines = [values] if len(values) < 3 else [values[:half], values[half:]]
    yield Disc((row, column), 0.28, PAPER, INK, Layer.OVER)
    for index, words in enumerate(lines):
        yield Text((row + 0.2 * (index - (len(lines) - 1) / 2), column), " ".join(words), 0.14)


@KINDS.add("odd", Shape.CELL, plural="odd cells", fpuzzles="odd")
@KINDS.also(draw=lambda frame, mark: [Disc(mark.cells[0], 0.4, GREY)])
def _odd(frame: Frame, mark: Mark) -> Constraints:
    """Grey circle: the digit is odd."""
    yield only(frame.cell(mark.cells[0]), (v for v in frame.values if v % 2), f"odd {label(mark.cells[0])}")


@KINDS.add("even", Shape.CELL, plural="even cells", fpuzzles="even")
@KINDS.also(draw=lambda frame, mark: [Area(square(mark.cells[0], 0.38), GREY)])
def _even(frame: Frame, mark: Mark) -> Constraints:
    """Grey square: the digit is even."""
    yield only(frame.cell(mark.cells[0]), (v for v in frame.values if not v % 2), f"even {label(mark.cells[0])}")


@KINDS.add("minimum", Shape.CELL, fpuzzles="minimum", draw=_chevrons(-1))
def _minimum(frame: Frame, mark: Mark) -> Constraints:
    """Shaded cell with signs around it: it is less than its neighbours, those shaded alike left out."""
    return _extreme(frame, mark)


@KINDS.add("maximum", Shape.CELL, fpuzzles="maximum", draw=_chevrons(1))
def _maximum(frame: Frame, mark: Mark) -> Constraints:
    """Shaded cell with signs around it: it is more than its neighbours, those shaded alike left out."""
    return _extreme(frame, mark)


def _extreme(frame: Frame, mark: Mark) -> Constraints:
    """Beyond each neighbour; two marked alike beside each other do not bind one another."""
    frame.cell(mark.cells[0])  # raises PuzzleError outside the grid, where it has no neighbours that would
    alike = {cell for other in frame.marks if other.kind == mark.kind for cell in other.cells}
    for neighbour in frame.around(mark.cells[0]):
        if neighbour not in alike:
            cells = frame.cells((mark.cells[0], neighbour))
            relation = rises if mark.kind == "minimum" else falls
            yield CellList(frame.values, cells, f"{mark.kind} {label(mark.cells[0])}").pair(relation)


@KINDS.add("row-indexer", Shape.CELLS, fpuzzles="rowindexer", draw=tinted("#f4d0d0"))
def _row_indexer(frame: Frame, mark: Mark) -> Constraints:
    """Red cell: its digit says in which row of its column the number of its own row stands."""
    for row, column in mark.cells:
        targets = tuple((value, column) for value in frame.rows)
        yield from _indexer(frame, (row, column), targets, row, "row indexer")


@KINDS.add("column-indexer", Shape.CELLS, fpuzzles="columnindexer", draw=tinted("#cfdcf4"))
def _column_indexer(frame: Frame, mark: Mark) -> Constraints:
    """Blue cell: its digit says in which column of its row the number of its own column stands."""
    for row, column in mark.cells:
        targets = tuple((row, value) for value in frame.columns)
        yield from _indexer(frame, (row, column), targets, column, "column indexer")


@KINDS.add("box-indexer", Shape.CELLS, fpuzzles="boxindexer", draw=tinted("#d0ecd0"))
def _box_indexer(frame: Frame, mark: Mark) -> Constraints:
    """Green cell: its digit says at which place of its box the number of its own place stands."""
    for position in mark.cells:
        cell, region = frame.cell(position), frame.region_at(position)
        yield from _indexer(frame, position, frame.positions(region), region.index(cell) + 1, "box indexer")


def _indexer(frame: Frame, position: Position, targets: tuple[Position, ...], index: int, name: str) -> Constraints:
    """If the cell holds v, the v-th of `targets` holds `index`; there is one."""
    name = f"{name} {label(position)}"
    if not set(frame.values).issubset(range(1, len(targets) + 1)):
        yield only(frame.cell(position), range(1, len(targets) + 1), name)
    for value, target in enumerate(targets, 1):
        if target != position:
            yield Table(frame.cells((position, target)), indexed(frame.values, value, index, frame.lined), name)


@KINDS.add("159", Shape.RULE, Value(several=True, meaning="the columns, the first, the middle and the last"))
@KINDS.also(aliases=(Alias("258", "2 5 8"), "index-columns"))
def _whole_columns(frame: Frame, mark: Mark) -> Constraints:
    """In columns 1, 5 and 9 (the first, the middle, the last) the digit of a cell says in which column of its row
    the number of its own column stands."""
    last = frame.columns[-1]
    columns = numbers(mark, "columns, with blanks between", (1, (last + 1) // 2, last))
    for column in dict.fromkeys(columns):
        yield from _column_indexer(frame, Mark("column-indexer", tuple((row, column) for row in frame.rows)))


@KINDS.add("negative-row-indexer", Shape.RULE, Value(several=True, meaning="the rows, all of them"))
def _no_row_indexer(frame: Frame, mark: Mark) -> Constraints:
    """Where a cell is not red, its digit does not say in which row of its column the number of its own row stands (1 5:
    in rows 1 and 5 alone)."""
    drawn = {cell for other in frame.marks if other.kind == "row-indexer" for cell in other.cells}
    for row, column in _others(frame, drawn, mark, "rows", tuple(frame.rows), 0):
        targets = tuple((value, column) for value in frame.rows)
        yield from _no_indexer(frame, (row, column), targets, row, "no row indexer")


@KINDS.add("negative-column-indexer", Shape.RULE, Value(several=True, meaning="the columns, all of them"))
@KINDS.also(aliases=(Alias("broken-159", "1 5 9"),))
def _no_column_indexer(frame: Frame, mark: Mark) -> Constraints:
    """Where a cell is not blue, its digit does not say in which column of its row the number of its own column stands
    (1 5: in columns 1 and 5 alone)."""
    drawn = {cell for other in frame.marks if other.kind == "column-indexer" for cell in other.cells}
    for row, column in _others(frame, drawn, mark, "columns", tuple(frame.columns), 1):
        targets = tuple((row, value) for value in frame.columns)
        yield from _no_indexer(frame, (row, column), targets, column, "no column indexer")


@KINDS.add("negative-box-indexer", Shape.RULE)
def _no_box_indexer(frame: Frame, mark: Mark) -> Constraints:
    """Where a cell is not green, its digit does not say at which place of its box the number of its own place
    stands."""
    drawn = {cell for other in frame.marks if other.kind == "box-indexer" for cell in other.cells}
    for region in frame.regions:
        targets = frame.positions(region)
        for index, position in enumerate(targets, 1):
            if position not in drawn:
                yield from _no_indexer(frame, position, targets, index, "no box indexer")


def _others(
    frame: Frame, drawn: set[Position], mark: Mark, lines: str, every: tuple[int, ...], axis: int
) -> Iterator[Position]:
    """The cells that are not drawn, of the rows or columns that the mark lists."""
    listed = numbers(mark, f"{lines}, with blanks between", every)
    if not set(listed) <= set(every):
        raise PuzzleError(f"value {mark.value!r}: expected {lines} of 1 to {every[-1]}")
    cells = product(frame.rows, frame.columns)
    return (cell for cell in cells if cell[axis] in listed and cell not in drawn)


def _no_indexer(frame: Frame, position: Position, targets: tuple[Position, ...], index: int, name: str) -> Constraints:
    """If the cell holds v, the v-th of `targets` does not hold `index`."""
    for value, target in enumerate(targets, 1):
        if value in frame.values:
            on = CellList(frame.values, frame.cells((position, target)), f"{name} {label(position)}")
            yield on.pair(none_of(are(value, index)))


def _window(cells: tuple[Position, ...]) -> tuple[Position, ...]:
    """The cells of a 2x2 window in a circle; raises PuzzleError for others."""
    row, column = min(cells)
    around = ((row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column))
    if sorted(around) != sorted(cells):
        raise PuzzleError(f"cells at {label(min(cells))}: expected the four around a corner")
    return around


def _draw_battenberg(frame: Frame, mark: Mark) -> Strokes:
    row, column = middle(mark.cells)
    for down, right, tint in ((-1, -1, "#f2a7bb"), (-1, 1, "#f7e08a"), (1, 1, "#f2a7bb"), (1, -1, "#f7e08a")):
        yield Area(square((row + down * 0.09, column + right * 0.09), 0.09), tint, Layer.OVER)


@KINDS.add("battenberg", Shape.CELLS, draw=_draw_battenberg, aliases=("battenburg",))
def _battenberg(frame: Frame, mark: Mark) -> Constraints:
    """Pink and yellow squares on a corner: odd and even digits alternate in the four cells around it."""
    around = _window(mark.cells)
    name = f"battenberg at {label(around[0])}"
    return CellList(frame.values, frame.cells((*around, around[0])), name).chain(other_remainder(2))


@KINDS.add("negative-battenberg", Shape.RULE, aliases=("negative-battenburg",))
def _no_battenberg(frame: Frame, mark: Mark) -> Constraints:
    """Around a corner without pink and yellow squares odd and even digits do not alternate."""
    # The state is the parity that was read last, none before the first, and whether two that follow were alike.
    drawn = {frozenset(other.cells) for other in frame.marks if other.kind == "battenberg"}

    def step(state: tuple[int, bool], value: int) -> tuple[int, bool]:
        before, alike = state
        return value % 2, alike or value % 2 == before

    for row, column in product(frame.rows[:-1], frame.columns[:-1]):
        around = _window(tuple(product((row, row + 1), (column, column + 1))))
        if frozenset(around) not in drawn:
            window = CellList(frame.values, frame.cells(around), f"no battenberg at {label(around[0])}")
            yield window.automaton((NOTHING, False), step, lambda state: state[1])


@KINDS.add("clone", Shape.CLONE, fpuzzles="clone")
@KINDS.also(draw=lambda frame, mark: lettered(frame, mark, (mark.cells, mark.lines[0]), GREY))
def _clone(frame: Frame, mark: Mark) -> Constraints:
    """Two groups under one letter: each cell holds the same digit as its copy."""
    (copy,) = mark.lines
    if len(copy) != len(mark.cells):
        raise PuzzleError(f"{len(mark.cells)} cells at {label(mark.cells[0])}, but {len(copy)} in their copy")
    return pairs(frame, (two for two in zip(mark.cells, copy, strict=True) if two[0] != two[1]), equal, "clone")


@KINDS.add("quadruple", Shape.CELLS, needs("the digits", several=True), aliases=("contain-at-least", "quad"))
@KINDS.also(fpuzzles="quadruple", draw=_draw_quadruple)
def _quadruple(frame: Frame, mark: Mark) -> Constraints:
    """Digits in a circle on a corner: each occurs in the cells at least as often as it is listed."""
    yield cells_of(frame, mark, "quadruple").containing(values_listed(frame, mark))


@KINDS.add("negative-quadruple", Shape.CELLS, needs("the digits", several=True), aliases=("anti-quadruple",))
@KINDS.also(draw=_draw_without)
def _not_quadruple(frame: Frame, mark: Mark) -> Constraints:
    """Crossed circle on a corner: none of the digits in it occurs in the cells."""
    cells = cells_of(frame, mark, "negative quadruple").once()
    values = set(frame.values) - set(values_listed(frame, mark))
    return (only(cell, values, cells.name) for cell in cells.cells)
