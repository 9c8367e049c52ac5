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
    value = grid[start[0]][start[1]]
    cells = [(row, line.index(held)) for row, line in enumerate(grid) for held in (value, other)]
    in_house: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for row, column in cells:
        for house in _houses(box, row, column):
            in_house.setdefault(house, []).append((row, column))
    found, open = {start}, [start]
    while open:
        for house in _houses(box, *open.pop()):
            fresh = [cell for cell in in_house[house] if cell not in found]
            found.update(fresh)
            open += fresh
    return [cell for cell in cells if cell in found]


def exchange(grid: Rows, cells: list[tuple[int, int]]) -> None:
    """Exchange the two values that these cells hold."""
    values = {grid[row][column] for row, column in cells}
    for row, column in cells:
        (grid[row][column],) = values - {grid[row][column]}


def _houses(box: Box, row: int, column: int) -> tuple[tuple[str, int], ...]:
    return ("row", row), ("column", column), ("box", row // box.rows * box.rows + column // box.columns)


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
