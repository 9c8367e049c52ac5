"""Nishio: a candidate that, looked at with its value alone, leads to a candidate that holds and does not hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.families.cycles import longer
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text


class Contradiction(NamedTuple):
    """cell: that has the value and does not; steps: what leads to either, in order: a cell, and whether it has it"""

    cell: int
    steps: tuple[tuple[int, bool], ...]
    size: int


def _follow(grid: CandidateGrid, value: int, start: int) -> Contradiction | None:
    """What follows from a value in a cell, in the order in which it is found, up to the first contradiction."""
    places, layout = grid.places[value], grid.layout
    reasons: dict[tuple[int, bool], tuple[tuple[int, bool], ...]] = {(start, True): ()}
    lost, true, false = 0, deque([start]), deque[int]()
    while true or false:
        if true:
            cell = true.popleft()
            for other in members(layout.peers[cell] & places):
                if (other, False) in reasons:
                    continue
                reasons[other, False] = ((cell, True),)
                if (other, True) in reasons:
                    return _contradiction(reasons, other)
                false.append(other)
        else:
            cell = false.popleft()
            lost |= 1 << cell
            for house in layout.of[cell]:
                left = places & house.cells & ~lost
                if not house.full or not left or left & (left - 1):
                    continue
                only = left.bit_length() - 1
                if (only, True) in reasons:
                    continue
                reasons[only, True] = tuple((other, False) for other in members(places & house.cells & lost))
                if (only, False) in reasons:
                    return _contradiction(reasons, only)
                true.append(only)
    return None


def _contradiction(reasons: dict[tuple[int, bool], tuple[tuple[int, bool], ...]], cell: int) -> Contradiction:
    used, size = set[tuple[int, bool]](), 0
    for holds in (True, False):
        own, ahead = set[tuple[int, bool]](), [(cell, holds)]
        while ahead:
            one = ahead.pop()
            if one not in own:
                own.add(one)
                ahead += reasons[one]
        size += len(own)
        used |= own
    return Contradiction(cell, tuple(one for one in reasons if one in used), size)


def _search(name: str, grid: CandidateGrid) -> Iterator[Step]:
    contradictions = list[tuple[int, int, int, Contradiction]]()
    for value in range(1, grid.layout.values + 1):
        check_time()
        for cell in members(grid.places[value]):
            wrong = _follow(grid, value, cell)
            if wrong is not None:
                contradictions.append((wrong.size, cell, value, wrong))
    board = grid.layout.board
    for size, cell, value, wrong in sorted(contradictions):
        with_it = cells_text(board, sum(1 << other for other, holds in wrong.steps if holds))
        without = cells_text(board, sum(1 << other for other, holds in wrong.steps if not holds))
        yield Step(
            technique=name,
            because=f"then {with_it} would have it and {without} not: {board.label(wrong.cell)} both",
            eliminations=((value, 1 << cell),),
            pattern=((value, sum(1 << other for other in {other for other, _ in wrong.steps})),),
            size=size,
        )


TECHNIQUES = (
    Technique(
        "Nishio",
        Level.CHAINS,
        _search,
        "A candidate is assumed to hold. Where the places that its value has then are in conflict, it does not.",
        se=7.5,
        se_more=longer,
    ),
)
