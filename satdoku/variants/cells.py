"""Marks in or around single cells: parity, extremes, indexers, clones, quadruples."""

from __future__ import annotations

from collections.abc import Iterator

from satdoku.constraints import Automaton, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Frame, Kind, Shape, Value, label
from satdoku.variants.relations import automaton, pair


def _odd(frame: Frame, mark: Mark) -> Iterator[Table]:
    yield _parity(frame, mark, 1, "odd")


def _even(frame: Frame, mark: Mark) -> Iterator[Table]:
    yield _parity(frame, mark, 0, "even")


def _parity(frame: Frame, mark: Mark, remainder: int, name: str) -> Table:
    allowed = frozenset((value,) for value in frame.values if value % 2 == remainder)
    return Table(frame.cells(mark.cells), allowed, f"{name} {label(mark.cells[0])}")


def _minimum(frame: Frame, mark: Mark) -> Iterator[Table]:
    return _extreme(frame, mark, "minimum")


def _maximum(frame: Frame, mark: Mark) -> Iterator[Table]:
    return _extreme(frame, mark, "maximum")


def _less(a: int, b: int) -> bool:
    return a < b


def _more(a: int, b: int) -> bool:
    return a > b


def _extreme(frame: Frame, mark: Mark, name: str) -> Iterator[Table]:
    """Beyond each neighbour; two marked alike beside each other do not bind one another."""
    alike = {cell for other in frame.marks if other.kind == name for cell in other.cells}
    (row, column) = mark.cells[0]
    for neighbour in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if frame.inside(neighbour) and neighbour not in alike:
            cells = frame.cells((mark.cells[0], neighbour))
            yield pair(frame.size, cells, _less if name == "minimum" else _more, f"{name} {label(mark.cells[0])}")


def _row_indexer(frame: Frame, mark: Mark) -> Iterator[Table]:
    for row, column in mark.cells:
        targets = tuple((value, column) for value in frame.values)
        yield from _indexer(frame, (row, column), targets, row, "row indexer")


def _column_indexer(frame: Frame, mark: Mark) -> Iterator[Table]:
    for row, column in mark.cells:
        targets = tuple((row, value) for value in frame.values)
        yield from _indexer(frame, (row, column), targets, column, "column indexer")


def _box_indexer(frame: Frame, mark: Mark) -> Iterator[Table]:
    for position in mark.cells:
        cell = frame.cell(position)
        if cell not in frame.region_of:
            raise PuzzleError(f"{label(position)} is in no box or region")
        region = frame.regions[frame.region_of[cell]]
        targets = tuple((target // frame.size + 1, target % frame.size + 1) for target in region)
        yield from _indexer(frame, position, targets, region.index(cell) + 1, "box indexer")


def _indexer(frame: Frame, position: Position, targets: tuple[Position, ...], index: int, name: str) -> Iterator[Table]:
    """If the cell holds v, the v-th of `targets` holds `index`."""
    for value, target in enumerate(targets, 1):
        if target != position:
            allowed = frozenset((a, b) for a in frame.values for b in frame.values if a != value or b == index)
            yield Table(frame.cells((position, target)), allowed, f"{name} {label(position)}")


def _same(a: int, b: int) -> bool:
    return a == b


def _clone(frame: Frame, mark: Mark) -> Iterator[Table]:
    (copy,) = mark.lines
    if len(copy) != len(mark.cells):
        raise PuzzleError(f"{len(mark.cells)} cells at {label(mark.cells[0])}, but {len(copy)} in their copy")
    for first, second in zip(mark.cells, copy, strict=True):
        if first != second:
            name = f"clone {label(first)}-{label(second)}"
            yield pair(frame.size, frame.cells((first, second)), _same, name)


def _quadruple(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """The state is what is still to come of the values, repeats included."""
    words = [] if mark.value is None else str(mark.value).split()
    if not words or not all(word.isdecimal() and int(word) in frame.values for word in words):
        raise PuzzleError(f"value {mark.value!r}: expected one or more of 1..{frame.size}, with blanks between")
    wanted = tuple(sorted(map(int, words)))

    def step(left: tuple[int, ...], value: int) -> tuple[int, ...]:
        if value not in left:
            return left
        index = left.index(value)
        return left[:index] + left[index + 1 :]

    name = f"quadruple {mark.value} at {label(mark.cells[0])}"
    yield automaton(frame.size, frame.cells(mark.cells), wanted, step, lambda left: not left, name)


KINDS = (
    Kind("odd", "odd cells", Shape.CELL, "The cell is odd.", _odd, None, "odd"),
    Kind("even", "even cells", Shape.CELL, "The cell is even.", _even, None, "even"),
    Kind(
        "minimum",
        "minimums",
        Shape.CELL,
        "The cell is less than its neighbours, those marked alike left out.",
        _minimum,
        None,
        "minimum",
    ),
    Kind(
        "maximum",
        "maximums",
        Shape.CELL,
        "The cell is more than its neighbours, those marked alike left out.",
        _maximum,
        None,
        "maximum",
    ),
    Kind(
        "row-indexer",
        "row indexers",
        Shape.CELLS,
        "If r_i c_j is v, then r_v c_j is i.",
        _row_indexer,
        None,
        "rowindexer",
    ),
    Kind(
        "column-indexer",
        "column indexers",
        Shape.CELLS,
        "If r_i c_j is v, then r_i c_v is j.",
        _column_indexer,
        None,
        "columnindexer",
    ),
    Kind(
        "box-indexer",
        "box indexers",
        Shape.CELLS,
        "If the i-th cell of a box is v, then its v-th cell is i.",
        _box_indexer,
        None,
        "boxindexer",
    ),
    Kind(
        "clone",
        "clones",
        Shape.CLONE,
        "Each cell holds the same value as its copy.",
        _clone,
        None,
        "clone",
    ),
    Kind(
        "quadruple",
        "quadruples",
        Shape.CELLS,
        "Each value listed occurs in the cells, as often as it is listed.",
        _quadruple,
        Value(required=True, several=True),
        "quadruple",
    ),
)
