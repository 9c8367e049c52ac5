"""Several boards in a puzzle of SudokuPad: a grid whose rows and columns may repeat digits, with cages that are the
rows and columns of each board, and regions."""

from collections.abc import Iterable, Iterator, Sequence

from satdoku.errors import FormatError
from satdoku.formats.marks import Cells
from satdoku.formats.regions import divided
from satdoku.puzzle import Position, Size
from satdoku.variants.placed import PlacedBoard

LEAST = 2  # cells of a row


def boards_of(groups: Sequence[Cells], regions: Sequence[Cells]) -> list[PlacedBoard]:
    """The boards whose rows and columns are all among groups of cells that differ, with the regions inside each; raises
    FormatError where there is none, or where a region lies in no board."""
    lines = {tuple(sorted(group)) for group in groups}
    boards: list[PlacedBoard] = []
    for first in sorted(lines):
        (row, column), length = first[0], len(first)
        across = tuple((row, column + right) for right in range(length))
        if length >= LEAST and first == across and all(house in lines for house in _houses((row, column), length)):
            size = Size.of(length)
            labels = _labels(regions, (row, column), size)
            boards.append(PlacedBoard(len(boards) + 1, (row, column), size, divided(size, labels)))
    covered = [set(board.places) for board in boards]
    if not boards or any(not any(places.issuperset(region) for places in covered) for region in regions):
        raise FormatError(
            "norowcol says that rows and columns may repeat digits, which is read where cages are the rows and columns"
            " of boards and regions lie in these"
        )
    return boards


def _labels(regions: Sequence[Cells], corner: Position, size: Size) -> list[int | None]:
    """The number of the region of each cell of a board, of those that lie in it."""
    board = PlacedBoard(1, corner, size)
    numbers = {place: cell for cell, place in enumerate(board.places)}
    labels: list[int | None] = [None] * size.cells
    for number, region in enumerate(regions):
        if numbers.keys() >= set(region):
            for place in region:
                labels[numbers[place]] = number
    return labels


def house_cells(boards: Iterable[PlacedBoard]) -> tuple[Cells, ...]:
    """The rows and columns of boards, which cages say again; each once."""
    return tuple(dict.fromkeys(house for board in boards for house in _houses(board.corner, board.size.rows)))


def _houses(corner: Position, side: int) -> Iterator[Cells]:
    top, left = corner
    rows, columns = range(top, top + side), range(left, left + side)
    yield from (tuple((row, column) for column in columns) for row in rows)
    yield from (tuple((row, column) for row in rows) for column in columns)
