"""Cells, candidates and conclusions in words."""

from collections.abc import Iterable

from satdoku.puzzle import Board, members
from satdoku.techniques.grid import Placement, Strike
from satdoku.words import joined

MAX_COMPRESSED = 9  # rows and columns up to which cells of a line are named together, as in r1c23


def cell_names(board: Board, cells: int) -> list[str]:
    """`r1c23`, `r45c7`: cells of a row or a column together."""
    if board.layers or max(board.size.rows, board.columns) > MAX_COMPRESSED:
        return [board.label(cell) for cell in members(cells)]
    rows: dict[int, list[int]] = {}
    for cell in members(cells):
        row, column = board.size.position(cell)
        rows.setdefault(row, []).append(column)
    alike: dict[tuple[int, ...], list[int]] = {}
    for row, columns in rows.items():
        alike.setdefault(tuple(columns), []).append(row)
    return [f"r{_numbers(rows)}c{_numbers(columns)}" for columns, rows in alike.items()]


def _numbers(indexes: Iterable[int]) -> str:
    return "".join(str(index) for index in indexes)


def cells_text(board: Board, cells: int) -> str:
    """`r1c23 and r4c5`."""
    return joined(cell_names(board, cells))


def values_text(board: Board, values: int, last: str = "and") -> str:
    """`3, 4 and 7`."""
    return joined([str(board.shown(value)) for value in members(values)], last)


def conclusion(board: Board, placements: Iterable[Placement], eliminations: Iterable[Strike]) -> str:
    """`r1c2=5, r3c45<>7`."""
    parts = [f"{board.label(cell)}={board.shown(value)}" for cell, value in placements]
    parts += [f"{name}<>{board.shown(value)}" for value, cells in eliminations for name in cell_names(board, cells)]
    return ", ".join(parts)
