"""Unique loops: four cells or more whose two values could be exchanged, as each group has one of either kind, or none.

A unique rectangle is a loop of four. A set of cells grows by one cell at a time: a group with one cell of the set needs
a second one, of the other kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques import exchange
from satdoku.techniques.exchange import Exchange, Finding
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text

LONGER = {4: 0.0, 6: 0.1, 8: 0.2}  # what the cells of a loop add to the rating of a rectangle
LONGEST = 0.5
MAX_EXTRA = 2  # cells with other values, unless it is one other value


class Loop(NamedTuple):
    """Cells that all may have a pair of values, one of them nothing else."""

    cells: int
    pair: int
    extra: int


def _loops(grid: CandidateGrid) -> list[Loop]:
    loops = dict[tuple[int, int], Loop]()
    for cell in members(grid.open & grid.layout.exchangeable):
        pair = grid.left[cell]
        if pair.bit_count() == 2:
            check_time()
            low, high = members(pair)
            usable = grid.places[low] & grid.places[high] & grid.layout.exchangeable
            usable = sum(1 << other for other in members(usable) if not pair & ~grid.initial[other])
            if usable >> cell & 1:
                for loop in _grown(grid, Loop(1 << cell, pair, 0), 1 << cell, usable):
                    loops.setdefault((loop.cells, pair), loop)
    return sorted(loops.values(), key=lambda loop: loop.cells.bit_count())


def _grown(grid: CandidateGrid, loop: Loop, kind: int, usable: int) -> Iterator[Loop]:
    """The loops that a set of cells, of which those of `kind` have one of the values, is a part of."""
    layout, cells = grid.layout, loop.cells
    needs = next(
        (
            (group.cells, cell)
            for cell in members(cells)
            for group in layout.of[cell]
            if not group.cells & cells & ~(1 << cell)
        ),
        None,
    )
    if needs is None:
        yield loop
        return
    ahead, cell = needs
    first = bool(kind >> cell & 1)
    for following in members(ahead & usable & ~cells):
        if any(not _fits(other.cells & cells, kind, first) for other in layout.of[following]):
            continue
        extra = loop.extra | bool(grid.left[following] & ~loop.pair) << following
        if extra.bit_count() > MAX_EXTRA and (grid.candidates(extra) & ~loop.pair).bit_count() > 1:
            continue
        bit = 1 << following
        yield from _grown(grid, Loop(cells | bit, loop.pair, extra), kind if first else kind | bit, usable)


def _fits(inside: int, kind: int, first: bool) -> bool:
    """Whether a group with these cells of a set takes another that is not of the `first` kind, or is."""
    return not inside or (not inside & (inside - 1) and bool(inside & kind) is first)


Find = Callable[[CandidateGrid, Exchange], Iterator[Finding]]


def _search(find: Find, name: str, grid: CandidateGrid) -> Iterator[Step]:
    steps = (_step(name, grid, loop, finding) for loop in grid.once(_loops, _loops) for finding in find(grid, loop))
    yield from sorted((step for step in steps if step.eliminations), key=_more)


def _step(name: str, grid: CandidateGrid, loop: Loop, finding: Finding) -> Step:
    board = grid.layout.board
    values, where = values_text(board, loop.pair), cells_text(board, loop.cells)
    return Step(
        technique=name,
        because=f"with only {values} in {where} the solution would not be unique; {finding.why}",
        eliminations=grid.present(finding.strikes),
        pattern=tuple((value, grid.places[value] & loop.cells) for value in members(loop.pair)),
        parts=(("extra", _others(grid, loop)),),
        size=loop.cells.bit_count(),
        subset=finding.size,
    )


def _others(grid: CandidateGrid, loop: Loop) -> tuple[Strike, ...]:
    more = grid.candidates(loop.extra) & ~loop.pair
    return tuple((value, grid.places[value] & loop.extra) for value in members(more))


def _more(step: Step) -> float:
    return LONGER.get(step.size, LONGEST) + 0.1 * max(0, step.subset - 1)


LOOP = (
    "Four cells or more with only two values, in each row, column and region one of either kind or none, would let the "
    "values be exchanged. Where the puzzle is known to be unique: "
)


def _technique(number: int, find: Find, statement: str) -> Technique:
    return Technique(
        f"unique loop (type {number})",
        Level.WINGS,
        partial(_search, find),
        LOOP + statement,
        se=4.5,
        se_more=_more,
        needs_uniqueness=True,
        limits="no constraint but rows, columns and regions may look at the cells",
    )


TECHNIQUES = (
    _technique(1, exchange.one_cell, "the one cell with others has none of the two."),
    _technique(2, exchange.one_value, "those with others have the same other."),
    _technique(3, exchange.subset, "the others of two make a naked subset with more."),
    _technique(4, exchange.locked, "a house has one of the two only where others are."),
)
