"""Exact cover by Algorithm X with dancing links (Knuth, Dancing Links, 2000): `exact_cover` says what it covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from sys import maxsize

from satdoku.backends import Engine, not_all_different
from satdoku.backends.depth_first import Assumptions, depth_first
from satdoku.backends.plain import Nodes, PythonBackend
from satdoku.encoders import exact_cover
from satdoku.limits import check_time
from satdoku.puzzle import Board, Puzzle, members

ROOT = 0  # the node that heads the list of items still to be covered; item i has node i + 1
CHECKED = 1024  # options between two looks at the clock, where the lists are made
MAX_OPTIONS = 300_000  # values times cells of the largest board, one of 64x64 and more; its links take some 300 MB


class Links:
    """Items, the `primary` ones first, and options as circular lists: a node knows the others of its option."""

    def __init__(self, primary: int, items: int, options: Iterable[Sequence[int]]) -> None:
        heads = range(items + 1)
        self._left, self._right = list(heads), list(heads)
        for item in range(1, primary + 1):
            self._link(item, ROOT, self._left, self._right)
        self._up, self._down = list(heads), list(heads)
        self._size = [maxsize, *[0] * items]  # the root is never chosen as long as there is an item
        self._item = list(heads)
        self._option = [-1] * len(heads)
        self._others: list[tuple[int, ...]] = [()] * len(heads)
        self._nodes: list[range] = []
        for option in options:
            self._append(option)

    def _append(self, option: Sequence[int]) -> None:
        if not len(self._nodes) % CHECKED:
            check_time()
        nodes = range(len(self._option), len(self._option) + len(option))
        self._up += nodes
        self._down += nodes
        self._option += [len(self._nodes)] * len(option)
        self._nodes.append(nodes)
        ring = (*nodes, *nodes)
        for place, item in enumerate(option):
            self._item.append(item + 1)
            self._size[item + 1] += 1
            self._others.append(ring[place + 1 : place + len(option)])
            self._link(nodes[place], item + 1, self._up, self._down)

    def without(self, options: Iterable[int]) -> Links:
        """The lists less some of the options, in copies of the lists that a search changes."""
        rest = copy(self)
        rest._left, rest._right = self._left.copy(), self._right.copy()
        rest._up, rest._down, rest._size = self._up.copy(), self._down.copy(), self._size.copy()
        for option in options:
            for node in self._nodes[option]:
                rest._unlink(node)
        return rest

    @staticmethod
    def _link(node: int, head: int, before: list[int], after: list[int]) -> None:
        last = before[head]
        before[node], after[node] = last, head
        after[last] = before[head] = node

    def _unlink(self, node: int) -> None:
        above, below = self._up[node], self._down[node]
        self._down[above], self._up[below] = below, above
        self._size[self._item[node]] -= 1

    def covers(self) -> Iterator[tuple[int, ...] | None]:
        """Each exact cover, by the numbers of its options; None after each option that is tried."""
        chosen: list[int] = []
        for covered in depth_first(lambda: self._deepen(chosen)):
            yield tuple(chosen) if covered else None

    def _deepen(self, chosen: list[int]) -> Assumptions | None:
        """The options of the item with the fewest, as Knuth's heuristic has it; None if all are covered."""
        size, right = self._size, self._right
        best, fewest = ROOT, size[ROOT]
        item = right[ROOT]
        while item != ROOT and fewest > 1:
            if size[item] < fewest:
                best, fewest = item, size[item]
            item = right[item]
        return None if best == ROOT else self._options(best, chosen)

    def _options(self, item: int, chosen: list[int]) -> Assumptions:
        self._cover(item)
        node = self._down[item]
        while node != item:
            for other in self._others[node]:
                self._cover(self._item[other])
            chosen.append(self._option[node])
            yield True
            chosen.pop()
            for other in reversed(self._others[node]):
                self._uncover(self._item[other])
            node = self._down[node]
        self._uncover(item)

    def _cover(self, item: int) -> None:
        left, right = self._left[item], self._right[item]
        self._right[left], self._left[right] = right, left
        up, down, size, item_of, others = self._up, self._down, self._size, self._item, self._others
        option = down[item]
        while option != item:
            for node in others[option]:
                above, below = up[node], down[node]
                down[above], up[below] = below, above
                size[item_of[node]] -= 1
            option = down[option]

    def _uncover(self, item: int) -> None:
        """Undo `_cover` in the opposite order: the nodes still know where they belong."""
        up, down, size, item_of, others = self._up, self._down, self._size, self._item, self._others
        option = up[item]
        while option != item:
            for node in others[option]:
                down[up[node]] = up[down[node]] = node
                size[item_of[node]] += 1
            option = up[option]
        self._right[self._left[item]] = self._left[self._right[item]] = item


def links(board: Board) -> Links:
    """The exact cover of a board: a value in a cell is option cell * values + value - 1."""
    items = exact_cover.items(board)
    options = exact_cover.options(items, Puzzle.from_givens(board, {}))
    return Links(items.primary, items.total, (covered for _, _, covered in options))


def nodes(whole: Links, puzzle: Puzzle) -> Nodes:
    """The search: the exact covers by the options that the candidates of a puzzle leave."""
    every, values = puzzle.board.every_value, puzzle.board.values
    struck = (
        cell * values + value - 1
        for cell, allowed in enumerate(puzzle.candidates)
        for value in members(every & ~allowed)
    )
    for options in whole.without(struck).covers():
        yield None if options is None else tuple(option % values + 1 for option in sorted(options))


def refuses(board: Board) -> str | None:
    options = board.cells * board.values
    if options > MAX_OPTIONS:
        return f"{options} placements, and it takes up to {MAX_OPTIONS}"
    return not_all_different(board)


ENGINES = (
    Engine(
        name="dlx",
        summary="exact cover by dancing links, in plain Python",
        open=lambda argument, encoding: PythonBackend(links, nodes, refuses),
        all_different_only=True,
    ),
)
