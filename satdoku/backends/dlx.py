"""Exact cover by Algorithm X with dancing links (Knuth, Dancing Links, 2000).

A Sudoku is an exact cover problem: choose placements so that every requirement (a cell is filled, a
house has a value) is met exactly once. Houses of fewer cells than values have each value at most
once, which are Knuth's secondary columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satdoku.backends import Budget, Ending, Engine, Search, not_all_different
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.depth_first import Assumptions, depth_first
from satdoku.backends.live import Live
from satdoku.encoders.exact_cover import actions, requirements
from satdoku.puzzle import Board, Puzzle

ROOT = 0
"""The node that heads the list of columns still to be covered; column c has node c + 1."""


class Matrix:
    """A 0-1 matrix as circular lists: each 1 is a node that knows its neighbours in its row and column.

    primary: columns 0 to primary-1 are to be covered exactly once, those that follow at most once
    columns: how many there are of both
    rows:    the columns of each row's ones

    `nodes` counts the rows that searches have chosen.
    """

    def __init__(self, primary: int, columns: int, rows: Iterable[Sequence[int]]) -> None:
        self.nodes = 0
        nodes = range(columns + 1)
        self._left, self._right = list(nodes), list(nodes)
        self._up, self._down = list(nodes), list(nodes)
        self._column = list(nodes)
        self._row = [-1] * (columns + 1)
        self._size = [0] * (columns + 1)
        for column in range(1, primary + 1):
            self._link(column, ROOT, self._left, self._right)
        for number, row in enumerate(rows):
            first = len(self._row)
            for place, column in enumerate(row):
                node = first + place
                for links in (self._left, self._right, self._up, self._down):
                    links.append(node)
                self._column.append(column + 1)
                self._row.append(number)
                self._size[column + 1] += 1
                self._link(node, column + 1, self._up, self._down)
                if place:
                    self._link(node, first, self._left, self._right)

    @staticmethod
    def _link(node: int, head: int, before: list[int], after: list[int]) -> None:
        """Put a node at the end of the list that `head` begins."""
        last = before[head]
        before[node], after[node] = last, head
        after[last] = before[head] = node

    def covers(self, deadline: Deadline) -> Iterator[tuple[int, ...]]:
        """The rows of each exact cover, in the order of their choice. Raises TimeIsUp at the deadline."""
        chosen: list[int] = []
        for _ in depth_first(lambda: self._deepen(chosen, deadline)):
            yield tuple(self._row[node] for node in chosen)

    def _deepen(self, chosen: list[int], deadline: Deadline) -> Assumptions | None:
        """The rows of the column with the fewest, as Knuth's heuristic has it; None if all are covered."""
        size, right = self._size, self._right
        best = column = right[ROOT]
        while column != ROOT:
            if size[column] < size[best]:
                best = column
                if size[best] == 0:
                    break
            column = right[column]
        return None if best == ROOT else self._rows(best, chosen, deadline)

    def _rows(self, column: int, chosen: list[int], deadline: Deadline) -> Assumptions:
        left, right, down = self._left, self._right, self._down
        self._cover(column)
        node = down[column]
        while node != column:
            deadline.check()
            self.nodes += 1
            chosen.append(node)
            other = right[node]
            while other != node:
                self._cover(self._column[other])
                other = right[other]
            yield None
            other = left[node]
            while other != node:
                self._uncover(self._column[other])
                other = left[other]
            chosen.pop()
            node = down[node]
        self._uncover(column)

    def _cover(self, column: int) -> None:
        """Take a column out, and the rows that meet it out of all other columns."""
        left, right, up, down, size = self._left, self._right, self._up, self._down, self._size
        before, after = left[column], right[column]
        right[before], left[after] = after, before
        row = down[column]
        while row != column:
            node = right[row]
            while node != row:
                above, below = up[node], down[node]
                down[above], up[below] = below, above
                size[self._column[node]] -= 1
                node = right[node]
            row = down[row]

    def _uncover(self, column: int) -> None:
        """Undo `_cover` in the opposite order: the nodes still know where they belong."""
        left, right, up, down, size = self._left, self._right, self._up, self._down, self._size
        row = up[column]
        while row != column:
            node = left[row]
            while node != row:
                size[self._column[node]] += 1
                down[up[node]] = up[down[node]] = node
                node = left[node]
            row = up[row]
        right[left[column]] = left[right[column]] = column


class Dlx:
    """The matrix is of one puzzle: only the placements that its candidates leave are rows."""

    def __init__(self) -> None:
        self._live = Live()
        self._nodes = 0

    def refuses(self, board: Board) -> str | None:
        return not_all_different(board)

    def load(self, board: Board) -> None:
        """Nothing is kept: the links are spoilt by the givens."""

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        return self._live.start(self._run(puzzle, budget))

    def statistics(self) -> dict[str, int]:
        return {"nodes": self._nodes}

    def close(self) -> None:
        self._live.close()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.seconds)
        self._nodes = 0
        if budget.solutions == 0:
            return Ending.LIMIT
        needed = requirements(puzzle.board)
        placements = list(actions(needed, puzzle))
        matrix = Matrix(needed.primary, needed.total, (meets for _, _, meets in placements))
        found = 0
        try:
            for rows in matrix.covers(deadline):
                grid = [0] * puzzle.board.cells
                for row in rows:
                    cell, value, _ = placements[row]
                    grid[cell] = value
                found += 1
                yield tuple(grid)
                if found == budget.solutions:
                    return Ending.LIMIT
        except TimeIsUp:
            return Ending.TIMEOUT
        finally:
            self._nodes = matrix.nodes
        return Ending.EXHAUSTED


ENGINES = (
    Engine(
        "dlx",
        "exact cover by dancing links, in plain Python",
        lambda argument, encoding: Dlx(),
        all_different_only=True,
    ),
)
