"""What follows where two values could be exchanged in some cells, so that the solution has others there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, Protocol

from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.words import cells_text, values_text


class Exchange(Protocol):
    """Cells that may have a pair of values, of which each group has as many in either way.

    extra: those of them that may have others too
    """

    @property
    def cells(self) -> int: ...
    @property
    def pair(self) -> int: ...
    @property
    def extra(self) -> int: ...


class Finding(NamedTuple):
    """size: of the subset that it takes, 0 without one"""

    strikes: tuple[Strike, ...]
    why: str
    size: int = 0


def one_cell(grid: CandidateGrid, exchange: Exchange) -> Iterator[Finding]:
    """Type 1."""
    if exchange.extra.bit_count() == 1:
        why = f"so {cells_text(grid.layout.board, exchange.extra)} has another value"
        yield Finding(tuple((value, exchange.extra) for value in members(exchange.pair)), why)


def one_value(grid: CandidateGrid, exchange: Exchange) -> Iterator[Finding]:
    """Type 2: all have the same other value."""
    other = grid.candidates(exchange.extra) & ~exchange.pair if exchange.extra else 0
    if exchange.extra.bit_count() > 1 and other.bit_count() == 1:
        board, value = grid.layout.board, other.bit_length() - 1
        places = exchange.extra & grid.places[value]
        why = f"so one of {cells_text(board, places)} is {board.shown(value)}"
        yield Finding(((value, grid.layout.common(places)),), why)


def subset(grid: CandidateGrid, exchange: Exchange) -> Iterator[Finding]:
    """Type 3: the other values of two cells make a naked subset with cells of a group that both are in."""
    if exchange.extra.bit_count() != 2:
        return
    board, layout = grid.layout.board, grid.layout
    more = grid.candidates(exchange.extra) & ~exchange.pair
    for group in layout.of[exchange.extra.bit_length() - 1]:
        if exchange.extra & ~group.cells:
            continue
        cells = list(members(group.cells & grid.open & ~exchange.extra))
        for size in range(1, len(cells)):
            near = [cell for cell in cells if (more | grid.left[cell]).bit_count() <= size + 1]
            for chosen in combinations(near, size):
                values, taken = more, 0
                for cell in chosen:
                    values |= grid.left[cell]
                    taken |= 1 << cell
                if values.bit_count() != size + 1:
                    continue
                lose = layout.common(taken | exchange.extra)
                # Seen from the other cells of the group it is a hidden subset, of which one place is theirs.
                strikes = tuple((value, lose) for value in members(values))
                if grid.present(strikes):
                    why = (
                        f"so one of {cells_text(board, exchange.extra)} is of {values_text(board, more)}, and these "
                        f"with {cells_text(board, taken)} take {values_text(board, values)}"
                    )
                    yield Finding(strikes, why, min(size + 1, len(cells) - size))


def locked(grid: CandidateGrid, exchange: Exchange) -> Iterator[Finding]:
    """Type 4: a house has one of the pair only in the two cells with others."""
    if exchange.extra.bit_count() != 2:
        return
    board = grid.layout.board
    for house in grid.layout.houses:
        if exchange.extra & ~house.cells:
            continue
        for value in members(exchange.pair):
            if grid.places[value] & house.cells == exchange.extra:
                other = (exchange.pair & ~(1 << value)).bit_length() - 1
                why = f"{board.shown(value)} in {house.name} is in one of {cells_text(board, exchange.extra)}"
                yield Finding(((other, exchange.extra),), f"{why}, so neither is {board.shown(other)}")
