"""Constraints looked at together: which candidates of their cells occur in some way to keep all of them.

A candidate that no way has is excluded. The search is bounded, and what it does not reach counts as supported, so that
what is excluded is excluded rightly. It is the compiled one over propagators, on the cells as a board of their own;
where that is missing, or values are too great for it, the search in plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Protocol

from satdoku.constraints import AllDifferent, Constraint
from satdoku.limits import check_time
from satdoku.puzzle import Board, Puzzle, members
from satdoku.techniques.grid import BoardLayout

if TYPE_CHECKING:  # and where they are used: a start without marks is shorter without them
    from satdoku.backends.backtrack import ConstraintsByCell
    from satdoku.backends.propagation import Arrays
    from satdoku.kernels.propagators.program import Program

MAX_NODES = 3_000  # of all searches for one set of constraints: some milliseconds
MAX_LOADED = 1_000  # sets of constraints whose arrays are kept, of some 60 kB each

Way = tuple[int, ...]
"""For each cell of some constraints a value, as the set of it alone."""


class Joint(Protocol):
    """Constraints, and houses that are filled whole, over the candidates of a grid.

    cells:  those that they look at, each once
    houses: the cells of each house
    """

    cells: tuple[int, ...]
    houses: tuple[int, ...]

    def supported(self, left: Sequence[int], known: list[Way] | None = None) -> dict[int, int]:
        """For each cell the candidates that have support; empty sets if there is no way at all.

        known: ways to keep the constraints with these candidates, to which those that are found are added
        """

    def ways(self, left: Sequence[int], most: int) -> list[tuple[int, ...]] | None:
        """Every way to keep the constraints, values in the order of `cells`; None if they are many."""


class SearchedJoint:
    """Some constraints of a board, and the cells of some of its houses."""

    def __init__(self, layout: BoardLayout, rules: Iterable[Constraint], houses: Iterable[int] = ()) -> None:
        self._rules, self.houses = tuple(rules), tuple(houses)
        own = {cell for rule in self._rules for cell in rule.cells}
        own.update(cell for house in self.houses for cell in members(house))
        self.cells, self._layout = tuple(sorted(own)), layout
        self._widest = max(map(int.bit_length, map(layout.board.domain, self.cells)), default=0) - 1

    @cached_property
    def compiled(self) -> bool:
        """Whether the compiled search is here, and takes these cells and values."""
        from satdoku.backends.propagation import MAX_VALUES
        from satdoku.kernels import library

        some = bool(self.cells) and self.cells[0] < self._layout.cells
        return some and self._widest <= MAX_VALUES and library.absent() is None

    def _constraints(self) -> tuple[Constraint, ...]:
        """Those between the cells, by their places among them."""
        layout, place = self._layout, {cell: number for number, cell in enumerate(self.cells)}
        bits = sum(1 << cell for cell in self.cells if cell < layout.cells)
        shared = {group.cells & bits for group in layout.groups}
        apart = [
            AllDifferent(tuple(place[cell] for cell in members(cells)), "cells that differ")
            for cells in sorted(shared)
            if cells & (cells - 1) and not any(cells != more and not cells & ~more for more in shared)
        ]
        return (*apart, *(replace(rule, cells=tuple(place[cell] for cell in rule.cells)) for rule in self._rules))

    def _program(self) -> Program:
        from satdoku.kernels.propagators.lower import program

        layout, inside = self._layout, sum(cell < self._layout.cells for cell in self.cells)
        hidden = tuple(map(layout.board.domain, self.cells[inside:]))
        own = Board(inside, layout.values, inside, self._constraints(), auxiliary=hidden)
        # Each search begins with the candidates of all cells, of hidden ones too.
        return program(own, exclusions=True)._replace(grid_cells=len(self.cells))

    @cached_property
    def _structure(self) -> ConstraintsByCell:
        """For the search in plain Python: hidden cells are cells as others."""
        from satdoku.backends.backtrack import ConstraintsByCell

        return ConstraintsByCell(Board(len(self.cells), self._widest, len(self.cells), self._constraints()))

    def supported(self, left: Sequence[int], known: list[Way] | None = None) -> dict[int, int]:
        """Of a cell all candidates that no way was found for are tried at once."""
        check_time()
        domains, nodes, ways = [left[cell] for cell in self.cells], MAX_NODES, [] if known is None else known
        seen = [reduce(or_, values) for values in zip(*ways, strict=True)] if ways else [0] * len(domains)
        for number in sorted(range(len(domains)), key=lambda number: domains[number].bit_count()):
            while nodes > 0 and (rest := domains[number] & ~seen[number]):
                way, used = next(self._search([*domains[:number], rest, *domains[number + 1 :]], nodes), (None, nodes))
                nodes -= used
                if way:
                    ways.append(way)
                    seen = [*map(or_, seen, way)]
                elif way is not None:
                    domains[number] &= ~rest
                    if not domains[number]:
                        return dict.fromkeys(self.cells, 0)
        return dict(zip(self.cells, domains, strict=True))

    def ways(self, left: Sequence[int], most: int) -> list[tuple[int, ...]] | None:
        ways = list[tuple[int, ...]]()
        for way, _ in self._search([left[cell] for cell in self.cells], MAX_NODES):
            if not way:
                return ways
            ways.append(tuple(value.bit_length() - 1 for value in way))
            if len(ways) > most:
                break
        return None

    def _search(self, domains: list[int], most: int) -> Iterator[tuple[Way, int]]:
        """Ways to fill the cells, () behind the last of all, and the nodes so far; at most so many nodes are gone."""
        return self._compiled(domains, most) if self.compiled else self._plain(domains, most)

    def _compiled(self, domains: list[int], most: int) -> Iterator[tuple[Way, int]]:
        from satdoku.backends.propagation import Arrays
        from satdoku.kernels.compiled import EXHAUSTED, FOUND
        from satdoku.kernels.propagators.search import NODES

        spare, nodes, number = _spare(self), 0, 0
        try:
            arrays = spare.pop()
        except IndexError:
            arrays = Arrays(self._program())
        arrays.begin(domains)
        try:
            while nodes < most:
                arrays.advance(limit=number + 1, nodes=most - nodes)
                nodes = arrays.state.numbers[NODES]
                if arrays.codes[0] == FOUND:
                    number += 1
                    yield tuple(word << 1 for word in arrays.state.candidates.tolist()), nodes
                elif arrays.codes[0] == EXHAUSTED:
                    yield (), nodes
                    return
        finally:
            spare[:] = [arrays]

    def _plain(self, domains: list[int], most: int) -> Iterator[tuple[Way, int]]:
        from satdoku.backends.backtrack import nodes

        number = 0
        for grid in nodes(self._structure, Puzzle(self._structure.board, tuple(domains))):
            number += grid is None
            if number > most:
                return
            if grid is not None:
                yield tuple(1 << value for value in grid), number
        yield (), number


@lru_cache(maxsize=MAX_LOADED)
def _spare(joint: SearchedJoint) -> list[Arrays]:
    """The arrays of one that no thread works with; made anew, in a millisecond, if so many others came since."""
    return []
