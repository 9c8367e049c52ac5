"""Sums of the cells that little killers and other sums across a house leave outside it, unknown to the referee.

The sums across a house that do not overlap, and houses that fill what these leave of it, are added up. The house
itself, and houses and cages that lie in what is left, are taken away. The Interactive Sudoku Solver finds such sums,
and keeps those whose total is near its least or its greatest; here it is the same measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from satdoku.implied import ImpliedSum, plain_sums
from satdoku.puzzle import Board, members

TIGHT = (
    4  # a sum is kept if that many times its distance from the least or greatest total is less than their difference
)

Part = tuple[int, int]
"""Cells as bits, and their sum."""


def sums_across(board: Board) -> list[ImpliedSum]:
    """The sums across each house, for boards with sums over cells that are not all different.

    >>> from satdoku import AllDifferent, Linear
    >>> rows = AllDifferent((0, 1, 2, 3), "row 1"), AllDifferent((4, 5, 6, 7), "row 2")
    >>> lines = Linear((0, 1, 4), (1, 1, 1), 9, "line 9"), Linear((2, 3, 5), (1, 1, 1), 9, "line 9")
    >>> sums_across(Board(8, 4, 4, (*rows, *lines)))[0].linear().name
    'the 2 cells that the sums across row 1 leave outside it sum to 8'
    """
    lines = plain_sums(board)
    if all(other in board.peers[cell] for rule in lines for cell, other in combinations(rule.cells, 2)):
        return []
    whole = board.values * (board.values + 1) // 2
    houses = [(_bits(house.cells), whole) for house in board.houses]
    summed = [(_bits(rule.cells), rule.total) for rule in lines]
    parts = sorted(summed + houses, key=lambda part: part[0].bit_count())
    sums: dict[int, ImpliedSum] = {}
    for place, (base, _) in enumerate(houses):
        cells, total = _across(base, summed, houses)
        if cells & base == base:
            left, rest = _without(parts, cells & ~base, total - whole)
            if left and left not in sums and _is_tight(board, left, rest):
                sums[left] = ImpliedSum(tuple(members(left)), (), rest, board.houses[place].name, across=True)
    return list(sums.values())


def _across(base: int, summed: Sequence[Part], houses: Sequence[Part]) -> Part:
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


def _without(parts: Iterable[Part], cells: int, total: int) -> Part:
    """Less what lies in the cells, the smallest first."""
    for part, amount in parts:
        if part & cells == part:
            cells &= ~part
            total -= amount
    return cells, total


def _is_tight(board: Board, cells: int, total: int) -> bool:
    least = greatest = 0
    while cells:
        clique, fits = 0, cells
        while fits:
            cell = fits & -fits
            clique |= cell
            fits &= _bits(board.peers[cell.bit_length() - 1])
        count, cells = clique.bit_count(), cells & ~clique
        least += count * (count + 1) // 2
        greatest += count * (2 * board.values + 1 - count) // 2
    return greatest - least > TIGHT * min(total - least, greatest - total)


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)
