"""Puzzles as SudokuPad's own data, which has a place for every drawing, for cages, and for rules of the whole board."""

from collections.abc import Iterable, Iterator
from typing import Any

from satdoku.errors import FormatError, PuzzleError, Refused
from satdoku.formats import METADATA, Options
from satdoku.formats.capabilities import refuse_change
from satdoku.formats.drawn import sudokupad_tables
from satdoku.formats.fpuzzles_writer import NEGATIVE
from satdoku.formats.marks import IGNORE, Cells
from satdoku.formats.regions import labels_of
from satdoku.formats.sudokupad_boards import house_cells
from satdoku.formats.sudokupad_reader import FLAGS, RULES, read_data
from satdoku.puzzle import Mark, Position, Puzzle
from satdoku.variants import REGIONS, Shape, build, kinds
from satdoku.variants.placed import BOARDS, PlacedBoard, placed

FORMAT = "sudokupad"
CAGES: dict[str, dict[str, Any]] = {
    "cage": {"unique": True},
    "extra-region": {"style": "extraregion", "unique": True},
    "sum": {"unique": False},
}
"""The kinds that the site draws as cages, and what it says of each."""


def data_of(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle of one board or of several as the data of the site, if that is what is read again, but for drawings;
    else Refused is raised."""
    data = _data(puzzle)
    try:
        again = read_data(data, Options(drawn=IGNORE)).puzzle
    except (FormatError, PuzzleError) as error:
        raise Refused(f"the {FORMAT} format cannot hold these boards: {error}") from None
    if again.board.size != puzzle.board.size:
        raise Refused(f"the {FORMAT} format holds several boards that are square, have the values 1..N and reach r1c1")
    refuse_change(puzzle.board, again.board, FORMAT)
    lost = next((name for name in ("candidates", *METADATA) if getattr(again, name) != getattr(puzzle, name)), None)
    if lost is not None:
        raise Refused(f"the {FORMAT} format cannot hold the {lost} of this puzzle of several boards")
    return data


def _data(puzzle: Puzzle) -> dict[str, Any]:
    board, several = puzzle.board, placed(puzzle.board.marks)
    division = tuple(mark for mark in board.marks if mark.kind in REGIONS)
    cells: list[list[dict[str, Any]]] = [[{} for _ in range(board.columns)] for _ in range(board.size.rows)]
    for (row, column), value in zip(board.size.positions, puzzle.givens, strict=False):
        if value:
            cells[row - 1][column - 1] = {"value": board.shown(value)}
    boards = several or [PlacedBoard(1, (1, 1), board.size, division)]
    regions = dict.fromkeys(region for each in boards for region in _regions(each))
    data: dict[str, Any] = {"cells": cells, "regions": [*map(_raw, regions)], "cages": [], "metadata": _texts(puzzle)}
    if several:
        data["metadata"] |= {"norowcol": True}
        data["cages"] = [{"cells": _raw(line), "type": "rowcol", "hidden": True} for line in house_cells(several)]
    for mark in board.marks:
        if mark.kind not in (BOARDS, *REGIONS):
            _add(data, mark, bool(several))
    for key, entries in sudokupad_tables(puzzle.drawings).items():
        data[key] = [*data.get(key, ()), *entries]
    return data


def _texts(puzzle: Puzzle) -> dict[str, Any]:
    board = puzzle.board
    texts: dict[str, Any] = {name: text for name in ("title", "author", "rules") if (text := getattr(puzzle, name))}
    if puzzle.solution is not None:
        shown = dict(zip(board.size.positions, map(str, map(board.shown, puzzle.solution)), strict=False))
        rows, columns = range(1, board.size.rows + 1), range(1, board.columns + 1)
        texts["solution"] = "".join(shown.get((row, column), ".") for row in rows for column in columns)
    return texts


def _regions(each: PlacedBoard) -> Iterator[Cells]:
    other = next((mark.kind for mark in each.marks if mark.kind not in REGIONS), None)
    if other is not None:
        raise Refused(f"the {FORMAT} format cannot hold the rule {other!r} of one of several boards")
    labels = labels_of(build(each.size, each.marks), FORMAT)
    for name in sorted({label for label in labels if label is not None}):
        yield tuple(place for place, label in zip(each.places, labels, strict=True) if label == name)


def _add(data: dict[str, Any], mark: Mark, several: bool) -> None:
    """A cage over cells of any boards, or a rule of the one board, as the reader takes them."""
    if mark.kind in CAGES:
        total = {} if mark.value is None else {"sum": mark.value, "value": str(mark.value)}
        data["cages"].append({"cells": _raw(mark.cells), **CAGES[mark.kind], **total})
        return
    kind = kinds()[mark.kind]
    if several or kind.shape is not Shape.RULE or kind.fpuzzles is None or mark.kind in RULES:
        raise Refused(f"the {FORMAT} format cannot hold the rule {mark.kind!r}" + " over several boards" * several)
    name = kind.fpuzzles.replace(NEGATIVE, "anti")
    data.setdefault("global", []).append(name)
    data["metadata"] |= {name: True} if name in FLAGS else {}


def _raw(cells: Iterable[Position]) -> list[list[int]]:
    """Cells as the site numbers them, from 0."""
    return [[row - 1, column - 1] for row, column in cells]
