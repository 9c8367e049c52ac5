"""Sums that follow from little killers and other sums over cells that may be equal, unknown to the referee.

Across a house: the sums that share cells with it and do not overlap, and houses that fill what these leave of it, are
added up. The house itself, and houses and cages that lie in what is left, are taken away. Together: sums that do not
overlap are added up where that brings the total nearer to its least or greatest, as three diagonals through the same
boxes do. The Interactive Sudoku Solver finds sums of both kinds; which of them are kept is measured in another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from satdoku.implied import ImpliedSum, plain_sums
from satdoku.limits import check_time
from satdoku.puzzle import Board, members

TIGHT = 0.25  # a sum is kept if it is nearer than this to its least or greatest total, as a share of their difference
MAX_TOGETHER = 40  # sums that are added up in pairs

CellSum = tuple[int, int]
"""Cells as bits, and their sum."""


class _Sum(NamedTuple):
    """A sum of `parts` sums of the board. slack: see _slack"""

    total: int
    slack: float
    parts: int = 1


def sums_of_lines(board: Board) -> list[ImpliedSum]:
    """What follows from sums over cells that are not all different, where a board has such sums.

    >>> from satdoku import AllDifferent, Linear
    >>> rows = AllDifferent((0, 1, 2, 3), "row 1"), AllDifferent((4, 5, 6, 7), "row 2")
    >>> lines = Linear((0, 1, 4), (1, 1, 1), 9, "line 9"), Linear((2, 3, 5), (1, 1, 1), 9, "line 9")
    >>> sums_of_lines(Board(8, 4, 4, (*rows, *lines)))[0].linear().name
    'the 2 cells that the sums across row 1 leave outside it sum to 8'
    """
    lines = plain_sums(board)
    if all(other in board.peers[cell] for rule in lines for cell, other in combinations(rule.cells, 2)):
        return []
    peers = {cell: _bits(board.peers[cell]) for cell in range(board.cells)}
    summed = [(_bits(rule.cells), rule.total) for rule in lines]
    known = dict(_across_houses(board, summed, peers))
    for cells, implied in _together(board, summed, peers):
        known.setdefault(cells, implied)
    return list(known.values())


def _across_houses(board: Board, summed: list[CellSum], peers: Mapping[int, int]) -> Iterator[tuple[int, ImpliedSum]]:
    whole = board.values * (board.values + 1) // 2
    houses = [(_bits(house.cells), whole) for house in board.houses]
    parts = sorted(summed + houses, key=lambda part: part[0].bit_count())
    for place, (base, _) in enumerate(houses):
        cells, total = _across(base, summed, houses)
        if cells & base == base:
            left, rest = _without(parts, cells & ~base, total - whole)
            if left and _slack(board, peers, left, rest) < TIGHT:
                which = f"that the sums across {board.houses[place].name} leave outside it"
                yield left, ImpliedSum(tuple(members(left)), (), rest, "", which)


def _together(board: Board, summed: list[CellSum], peers: Mapping[int, int]) -> Iterator[tuple[int, ImpliedSum]]:
    """The two sums whose sum has the least slack are added up, again and again, while that is less than one has."""
    sums = {cells: _Sum(total, _slack(board, peers, cells, total)) for cells, total in summed}
    if len(sums) > MAX_TOGETHER:
        return
    beside = {cells: _beside(peers, cells) for cells in sums}
    pairs = {pair: _pair(board, peers, sums, pair) for pair in combinations(sums, 2) if _meet(beside, pair)}
    while True:
        check_time()
        pairs = {
            (one, other): both
            for (one, other), both in pairs.items()
            if one in sums and other in sums and both.slack < max(sums[one].slack, sums[other].slack)
        }
        if not pairs:
            return
        (one, other), both = min(pairs.items(), key=lambda pair: pair[1].slack)
        cells, least = one | other, min(sums.pop(one).slack, sums.pop(other).slack)
        sums[cells], beside[cells] = both, beside[one] | beside[other]
        if both.slack < min(TIGHT, least):
            yield cells, ImpliedSum(tuple(members(cells)), (), both.total, "", f"of {both.parts} sums together")
        for pair in ((cells, third) for third in sums if third != cells):
            if _meet(beside, pair):
                pairs[pair] = _pair(board, peers, sums, pair)


def _meet(beside: Mapping[int, int], pair: tuple[int, int]) -> bool:
    """Whether two sums share no cell, and some cell of one differs from some cell of the other."""
    one, other = pair
    return not one & other and bool(beside[one] & other)


def _pair(board: Board, peers: Mapping[int, int], sums: Mapping[int, _Sum], pair: tuple[int, int]) -> _Sum:
    one, other = (sums[cells] for cells in pair)
    total = one.total + other.total
    return _Sum(total, _slack(board, peers, pair[0] | pair[1], total), one.parts + other.parts)


def _across(base: int, summed: Sequence[CellSum], houses: Sequence[CellSum]) -> CellSum:
    """Sums that share cells with a house, and other houses that share two or more of those that are left of it."""
    cells = total = 0
    for part, amount in summed:
        if part & base and not part & cells:
            cells |= part
            total += amount
    for part, amount in houses if cells else ():
        if not part & cells and (part & base).bit_count() > 1 and part != base:
            cells |= part
            total += amount
    return cells, total


def _without(parts: Iterable[CellSum], cells: int, total: int) -> CellSum:
    """Less what lies in the cells, the smallest first."""
    for part, amount in parts:
        if part & cells == part:
            cells &= ~part
            total -= amount
    return cells, total


def _slack(board: Board, peers: Mapping[int, int], cells: int, total: int) -> float:
    """How far a total is from the least or greatest of the cells, as a share of their difference; below 0 if none."""
    least = greatest = 0
    while cells:
        clique, fits = 0, cells
        while fits:
            cell = fits & -fits
            clique |= cell
            fits &= peers[cell.bit_length() - 1]
        count, cells = clique.bit_count(), cells & ~clique
        least += count * (count + 1) // 2
        greatest += count * (2 * board.values + 1 - count) // 2
    if greatest == least:
        return 1.0 if total == least else -1.0
    return min(total - least, greatest - total) / (greatest - least)


def _beside(peers: Mapping[int, int], cells: int) -> int:
    """The cells that differ from one of these."""
    around = 0
    for cell in members(cells):
        around |= peers[cell]
    return around


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)
