"""Exact cover by Algorithm X with dancing links (Knuth, Dancing Links, 2000).

A Sudoku is an exact cover problem: choose placements so that every requirement (a cell is filled, a
house has a value) is met exactly once. An AllDifferent of fewer cells than values has each value at
most once: Knuth's secondary columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from sys import maxsize

from satdoku.backends import Engine, not_all_different
from satdoku.backends.clock import Deadline
from satdoku.backends.depth_first import Assumptions, depth_first
from satdoku.backends.plain import Plain
from satdoku.constraints import Grid
from satdoku.encoders.exact_cover import actions, requirements
from satdoku.puzzle import Board, Puzzle, members

ROOT = 0
"""The node that heads the list of columns still to be covered; column c has node c + 1."""

MOST_PLACEMENTS = 300_000
"""Values times cells of the largest board, one of 64x64 and more; its links take some 300 MB."""


class Matrix:
    """A 0-1 matrix as circular lists: each 1 is a node that knows its neighbours in its column.

    primary: columns 0 to primary-1 are to be covered exactly once, those that follow at most once
    columns: how many there are of both
    rows:    the columns of each row's ones

    A row never changes, so a node knows the others of its row by a tuple and not by links.
    """

    def __init__(self, primary: int, columns: int, rows: Iterable[Sequence[int]]) -> None:
        heads = range(columns + 1)
        self._left, self._right = list(heads), list(heads)
        for column in range(1, primary + 1):
            self._link(column, ROOT, self._left, self._right)
        self._up, self._down = list(heads), list(heads)
        self._size = [maxsize, *[0] * columns]  # the root is no choice as long as there is a column
        self._column = list(heads)
        self._row = [-1] * len(heads)
        self._others: list[tuple[int, ...]] = [()] * len(heads)
        self._nodes: list[range] = []
        for row in rows:
            self._append(row)

    def _append(self, row: Sequence[int]) -> None:
        nodes = range(len(self._row), len(self._row) + len(row))
        self._up += nodes
        self._down += nodes
        self._row += [len(self._nodes)] * len(row)
        self._nodes.append(nodes)
        ring = (*nodes, *nodes)
        for place, column in enumerate(row):
            self._column.append(column + 1)
            self._size[column + 1] += 1
            self._others.append(ring[place + 1 : place + len(row)])
            self._link(nodes[place], column + 1, self._up, self._down)

    def without(self, rows: Iterable[int]) -> Matrix:
        """The matrix less some of its rows, in copies of the lists that a search changes."""
        rest = copy(self)
        rest._left, rest._right = self._left.copy(), self._right.copy()
        rest._up, rest._down, rest._size = self._up.copy(), self._down.copy(), self._size.copy()
        for row in rows:
            for node in self._nodes[row]:
                rest._unlink(node)
        return rest

    @staticmethod
    def _link(node: int, head: int, before: list[int], after: list[int]) -> None:
        """Put a node at the end of the list that `head` begins."""
        last = before[head]
        before[node], after[node] = last, head
        after[last] = before[head] = node

    def _unlink(self, node: int) -> None:
        """Take a node out of its column."""
        above, below = self._up[node], self._down[node]
        self._down[above], self._up[below] = below, above
        self._size[self._column[node]] -= 1

    def covers(self, deadline: Deadline) -> Iterator[tuple[int, ...]]:
        """The rows of each exact cover, in the order of their choice. Raises TimeIsUp at the deadline."""
        chosen: list[int] = []
        for _ in depth_first(lambda: self._deepen(chosen, deadline)):
            yield tuple(chosen)

    def _deepen(self, chosen: list[int], deadline: Deadline) -> Assumptions | None:
        """The rows of the column with the fewest, as Knuth's heuristic has it; None if all are covered."""
        size, right = self._size, self._right
        best, fewest = ROOT, size[ROOT]
        column = right[ROOT]
        while column != ROOT and fewest > 1:
            if size[column] < fewest:
                best, fewest = column, size[column]
            column = right[column]
        return None if best == ROOT else self._rows(best, chosen, deadline)

    def _rows(self, column: int, chosen: list[int], deadline: Deadline) -> Assumptions:
        self._cover(column)
        node = self._down[column]
        while node != column:
            deadline.check()
            for other in self._others[node]:
                self._cover(self._column[other])
            chosen.append(self._row[node])
            yield None
            chosen.pop()
            for other in reversed(self._others[node]):
                self._uncover(self._column[other])
            node = self._down[node]
        self._uncover(column)

    def _cover(self, column: int) -> None:
        """Take a column out, and the rows that meet it out of all other columns."""
        left, right = self._left[column], self._right[column]
        self._right[left], self._left[right] = right, left
        up, down, size, columns, others = self._up, self._down, self._size, self._column, self._others
        row = down[column]
        while row != column:
            for node in others[row]:
                above, below = up[node], down[node]
                down[above], up[below] = below, above
                size[columns[node]] -= 1
            row = down[row]

    def _uncover(self, column: int) -> None:
        """Undo `_cover` in the opposite order: the nodes still know where they belong."""
        up, down, size, columns, others = self._up, self._down, self._size, self._column, self._others
        row = up[column]
        while row != column:
            for node in others[row]:
                down[up[node]] = up[down[node]] = node
                size[columns[node]] += 1
            row = up[row]
        self._right[self._left[column]] = self._left[self._right[column]] = column


def matrix(board: Board) -> Matrix:
    """The placements of a board as rows: that of a value in a cell is row cell * values + value - 1."""
    needed = requirements(board)
    every = actions(needed, Puzzle.from_givens(board, {}))
    return Matrix(needed.primary, needed.total, (meets for _, _, meets in every))


def grids(whole: Matrix, puzzle: Puzzle, deadline: Deadline) -> Iterator[Grid]:
    """The grids of a puzzle: the exact covers by the placements that its candidates leave."""
    every, values = puzzle.board.every_value, puzzle.board.values
    struck = (
        cell * values + value - 1
        for cell, allowed in enumerate(puzzle.candidates)
        for value in members(every & ~allowed)
    )
    for rows in whole.without(struck).covers(deadline):
        yield tuple(row % values + 1 for row in sorted(rows))


def refuses(board: Board) -> str | None:
    placements = board.cells * board.values
    if placements > MOST_PLACEMENTS:
        return f"{placements} placements, and it takes up to {MOST_PLACEMENTS}"
    return not_all_different(board)


ENGINES = (
    Engine(
        name="dlx",
        summary="exact cover by dancing links, in plain Python",
        open=lambda argument, encoding: Plain(matrix, grids, refuses),
        all_different_only=True,
    ),
)
