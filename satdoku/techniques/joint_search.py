"""Constraints looked at together by the compiled search over propagators: their cells are a board of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING

from satdoku.constraints import AllDifferent, Constraint
from satdoku.limits import check_time
from satdoku.puzzle import Board, members
from satdoku.techniques.grid import BoardLayout

if TYPE_CHECKING:  # and where they are used: a start without marks is shorter without them
    from satdoku.backends.propagation import Arrays
    from satdoku.kernels.propagators.program import Program

MAX_NODES = 3_000  # of all searches for one set of constraints: some milliseconds
MAX_LOADED = 1_000  # sets of constraints whose arrays are kept, of some 60 kB each


class SearchedJoint:
    """A `satdoku.techniques.joint.Joint`."""

    def __init__(self, layout: BoardLayout, rules: Iterable[Constraint], houses: Iterable[int] = ()) -> None:
        self.rules, self.houses = tuple(rules), tuple(houses)
        own = {cell for rule in self.rules for cell in rule.cells}
        own.update(cell for house in self.houses for cell in members(house))
        self.cells, self._layout = tuple(sorted(own)), layout

    @property
    def possible(self) -> bool:
        """Whether the compiled search is here, and takes these cells and values."""
        from satdoku.backends.propagation import MAX_VALUES
        from satdoku.kernels import library

        board = self._layout.board
        widest = max(map(int.bit_length, map(board.domain, self.cells)), default=0) - 1
        return bool(self.cells) and self.cells[0] < board.cells and widest <= MAX_VALUES and library.absent() is None

    def _program(self) -> Program:
        from satdoku.kernels.propagators.lower import program

        layout, place = self._layout, {cell: number for number, cell in enumerate(self.cells)}
        board, inside = layout.board, [cell for cell in self.cells if cell < layout.cells]
        bits = sum(1 << cell for cell in inside)
        shared = {group.cells & bits for group in layout.groups}
        apart = [
            AllDifferent(tuple(place[cell] for cell in members(cells)), "cells that differ")
            for cells in sorted(shared)
            if cells & (cells - 1) and not any(cells != more and not cells & ~more for more in shared)
        ]
        rules = [replace(rule, cells=tuple(place[cell] for cell in rule.cells)) for rule in self.rules]
        hidden = tuple(map(board.domain, self.cells[len(inside) :]))
        own = Board(len(inside), layout.values, len(inside), (*apart, *rules), auxiliary=hidden)
        # Each search begins with the candidates of all cells, of hidden ones too.
        return program(own, exclusions=True)._replace(grid_cells=len(self.cells))

    @contextmanager
    def _arrays(self) -> Iterator[Arrays]:
        from satdoku.backends.propagation import Arrays

        spare = _spare(self)
        try:
            arrays = spare.pop()
        except IndexError:
            arrays = Arrays(self._program())
        yield arrays
        spare[:] = [arrays]

    def supported(self, left: Sequence[int], known: list[tuple[int, ...]] | None = None) -> dict[int, int]:
        check_time()
        ways = [] if known is None else known
        with self._arrays() as arrays:
            return dict(zip(self.cells, _supported(arrays, [left[cell] for cell in self.cells], ways), strict=True))

    def ways(self, left: Sequence[int], most: int) -> list[tuple[int, ...]] | None:
        from satdoku.kernels.compiled import EXHAUSTED, FOUND
        from satdoku.kernels.propagators.search import NODES

        ways, nodes = list[tuple[int, ...]](), 0
        with self._arrays() as arrays:
            arrays.begin([left[cell] for cell in self.cells])
            while nodes < MAX_NODES and len(ways) <= most:
                arrays.advance(limit=len(ways) + 1, nodes=MAX_NODES - nodes)
                nodes = arrays.state.numbers[NODES]
                if arrays.codes[0] == FOUND:
                    ways.append(tuple(map(int.bit_length, arrays.state.candidates.tolist())))
                elif arrays.codes[0] == EXHAUSTED:
                    return ways
        return None


@lru_cache(maxsize=MAX_LOADED)
def _spare(joint: SearchedJoint) -> list[Arrays]:
    """The arrays of one that no thread works with; made anew, in a millisecond, if so many others came since."""
    return []


def _supported(arrays: Arrays, domains: list[int], ways: list[tuple[int, ...]]) -> list[int]:
    """Of the candidates of each cell those on some way: of a cell all that no way was found for are tried at once."""
    from satdoku.kernels.compiled import EXHAUSTED, FOUND
    from satdoku.kernels.propagators.search import NODES

    seen = [reduce(or_, values) for values in zip(*ways, strict=True)] if ways else [0] * len(domains)
    nodes = MAX_NODES
    for number in sorted(range(len(domains)), key=lambda number: domains[number].bit_count()):
        while nodes > 0 and (rest := domains[number] & ~seen[number]):
            arrays.begin([*domains[:number], rest, *domains[number + 1 :]])
            arrays.advance(limit=1, nodes=nodes)
            nodes -= arrays.state.numbers[NODES]
            if arrays.codes[0] == FOUND:
                ways.append(tuple(word << 1 for word in arrays.state.candidates.tolist()))
                seen = [*map(or_, seen, ways[-1])]
            elif arrays.codes[0] == EXHAUSTED:
                domains[number] &= ~rest
                if not domains[number]:
                    return [0] * len(domains)
    return domains
