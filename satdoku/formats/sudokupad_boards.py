"""Several boards in a puzzle of SudokuPad: a grid whose rows and columns may repeat digits, with cages that are the
rows and columns of each board, and regions."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from satdoku.errors import FormatError, Refused
from satdoku.formats.marks import Cells
from satdoku.formats.regions import divided, labels_of
from satdoku.puzzle import Mark, Position, Puzzle, Size
from satdoku.variants import REGIONS, build
from satdoku.variants.placed import BOARDS, PlacedBoard, placed

LEAST = 2  # cells of a row
FORMAT = "sudokupad"


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


def house_cells(boards: Sequence[PlacedBoard]) -> set[Cells]:
    """The rows and columns of boards, which cages say again."""
    return {house for board in boards for house in _houses(board.corner, board.size.rows)}


def _houses(corner: Position, side: int) -> Iterator[Cells]:
    top, left = corner
    rows, columns = range(top, top + side), range(left, left + side)
    yield from (tuple((row, column) for column in columns) for row in rows)
    yield from (tuple((row, column) for row in rows) for column in columns)


def boards_data(puzzle: Puzzle) -> dict[str, Any]:
    """What `boards_of` reads as the boards of a puzzle; raises Refused for a mark that has no place there."""
    board, boards = puzzle.board, placed(puzzle.board.marks)
    cells: list[list[dict[str, Any]]] = [[{} for _ in range(board.columns)] for _ in range(board.size.rows)]
    for (row, column), value in zip(board.size.positions, puzzle.givens, strict=True):
        if value:
            cells[row - 1][column - 1] = {"value": board.shown(value)}
    lines = dict.fromkeys(house for each in boards for house in _houses(each.corner, each.size.rows))
    regions = dict.fromkeys(region for each in boards for region in _regions(each))
    cages: list[dict[str, Any]] = [{"cells": _raw(line), "type": "rowcol", "hidden": True} for line in lines]
    cages += (_cage(mark) for mark in board.marks if mark.kind != BOARDS)
    metadata: dict[str, Any] = {"norowcol": True}
    metadata |= {name: text for name in ("title", "author", "rules") if (text := getattr(puzzle, name))}
    if puzzle.solution is not None:
        shown = dict(zip(board.size.positions, map(str, map(board.shown, puzzle.solution)), strict=True))
        rows, columns = range(1, board.size.rows + 1), range(1, board.columns + 1)
        metadata["solution"] = "".join(shown.get((row, column), ".") for row in rows for column in columns)
    return {"cells": cells, "regions": [*map(_raw, regions)], "cages": cages, "metadata": metadata}


def _regions(each: PlacedBoard) -> Iterator[Cells]:
    other = next((mark.kind for mark in each.marks if mark.kind not in REGIONS), None)
    if other is not None:
        raise Refused(f"the {FORMAT} format cannot hold the rule {other!r} of one of several boards")
    labels = labels_of(build(each.size, each.marks), FORMAT)
    for name in sorted({label for label in labels if label is not None}):
        yield tuple(place for place, label in zip(each.places, labels, strict=True) if label == name)


def _cage(mark: Mark) -> dict[str, Any]:
    """A cage over cells of any boards, as the reader takes its keys."""
    total = {} if mark.value is None else {"sum": mark.value}
    kinds: dict[str, dict[str, Any]] = {"cage": {"unique": True}, "extra-region": {"type": "extraregion"}, "sum": {}}
    if mark.kind not in kinds:
        raise Refused(f"the {FORMAT} format cannot hold the rule {mark.kind!r} over several boards")
    return {"cells": _raw(mark.cells), **kinds[mark.kind], **total}


def _raw(cells: Iterable[Position]) -> list[list[int]]:
    """Cells as the site numbers them, from 0."""
    return [[row - 1, column - 1] for row, column in cells]
