"""Full grids of the plain board, and trades: exchanges of values that leave a grid a grid.

A trade is its own inverse and as likely as its inverse, so a long walk of random trades tends to the
uniform distribution over the grids that it can reach. Three kinds are needed, and each keeps something
that the others change: two rows of a band exchange values along a cycle of columns, two columns of a
stack along a cycle of rows, two values along a chain of cells that share a house (Kempe chain).
"""

from __future__ import annotations

from satdoku.bench.draws import Draws
from satdoku.variants.boxes import Box

Rows = list[list[int]]
"""A grid by rows; values from 1."""

SWEEPS = 10
"""Trades for each cell in `mixed`; from 2 on, statistics of the grids no longer tell where the walk began."""


def pattern(box: Box) -> Rows:
    """The grid whose rows are shifts of the first."""
    return [
        [(row % box.rows * box.columns + row // box.rows + column) % box.size + 1 for column in range(box.size)]
        for row in range(box.size)
    ]


def mixed(box: Box, draws: Draws) -> Rows:
    """A grid far from any pattern: SWEEPS random trades for each cell of the pattern grid."""
    grid = pattern(box)
    for _ in range(SWEEPS * box.size**2):
        trade(grid, box, draws)
    return grid


def trade(grid: Rows, box: Box, draws: Draws) -> None:
    """Change the grid by one random trade."""
    size = box.size
    kind = draws.below(3)
    if kind == 0:
        band = draws.below(box.columns) * box.rows
        first, second = draws.pair(box.rows)
        _trade_rows(grid[band + first], grid[band + second], draws.below(size))
    elif kind == 1:
        stack = draws.below(box.rows) * box.columns
        first, second = draws.pair(box.columns)
        _trade_columns(grid, stack + first, stack + second, draws.below(size))
    else:
        row, column = draws.below(size), draws.below(size)
        other = draws.below(size - 1) + 1
        value = grid[row][column]
        exchange(grid, chain(grid, box, (row, column), other + (other >= value)))


def chain(grid: Rows, box: Box, start: tuple[int, int], other: int) -> list[tuple[int, int]]:
    """The cells that hold the value at `start` or `other` and hang together with it by rows, columns and boxes."""
    # A value stands once in each row, so that its cell in a row is known by the row.
    columns = [[line.index(held) for line in grid] for held in (grid[start[0]][start[1]], other)]
    by_house = [_rows_by_house(box, each) for each in columns]
    found, open = [{start[0]}, set()], [(0, start[0])]
    while open:
        held, row = open.pop()
        beside, column = 1 - held, columns[held][row]
        by_column, by_box = by_house[beside]
        for near in (row, by_column[column], by_box[_box(box, row, column)]):
            if near not in found[beside]:
                found[beside].add(near)
                open.append((beside, near))
    return [(row, columns[held][row]) for held in (0, 1) for row in found[held]]


def exchange(grid: Rows, cells: list[tuple[int, int]]) -> None:
    """Exchange the two values that these cells hold."""
    values = {grid[row][column] for row, column in cells}
    for row, column in cells:
        (grid[row][column],) = values - {grid[row][column]}


def _rows_by_house(box: Box, columns: list[int]) -> tuple[list[int], list[int]]:
    """The row of a value in each column and in each box, from its column in each row."""
    by_column, by_box = [0] * len(columns), [0] * len(columns)
    for row, column in enumerate(columns):
        by_column[column] = by_box[_box(box, row, column)] = row
    return by_column, by_box


def _box(box: Box, row: int, column: int) -> int:
    return row // box.rows * box.rows + column // box.columns


def _trade_rows(first: list[int], second: list[int], column: int) -> None:
    """Exchange what two lines hold, from `column` on until each has every value again."""
    at = {value: place for place, value in enumerate(first)}
    start = first[column]
    while True:
        first[column], second[column] = second[column], first[column]
        if first[column] == start:
            return
        column = at[first[column]]


def _trade_columns(grid: Rows, first: int, second: int, row: int) -> None:
    one, two = [line[first] for line in grid], [line[second] for line in grid]
    _trade_rows(one, two, row)
    for line, left, right in zip(grid, one, two, strict=True):
        line[first], line[second] = left, right
