"""Aligned exclusion: values of two or three cells of which each way for the others is excluded.

Two cells that see each other are not equal, and the values of the cells leave each cell that sees all of them one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, product

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text


def _search(size: int, name: str, grid: CandidateGrid) -> Iterator[Step]:
    return grid.where_changed(name, partial(_search_in, size, name, grid))


def _search_in(size: int, name: str, grid: CandidateGrid, changed: int) -> Iterator[Step]:
    left, peers = grid.left, grid.layout.peers
    few = sum(1 << cell for cell in members(grid.open) if left[cell].bit_count() <= size)
    for chosen in combinations(members(grid.open), size):
        near = few
        for cell in chosen:
            near &= peers[cell]
        if near.bit_count() < size - 1 or not changed & (near | sum([1 << cell for cell in chosen])):
            continue
        check_time()
        needs = {left[cell] for cell in members(near)}
        alike = [(i, k) for i, k in combinations(range(size), 2) if peers[chosen[i]] >> chosen[k] & 1]
        kept = [0] * size
        for values in product(*(tuple(members(left[cell])) for cell in chosen)):
            if any(values[i] == values[k] for i, k in alike):
                continue
            taken = sum({1 << value for value in values})
            if all(need & ~taken for need in needs):
                kept = [own | 1 << value for own, value in zip(kept, values, strict=True)]
        lost = [(value, 1 << c) for c, own in zip(chosen, kept, strict=True) for value in members(left[c] & ~own)]
        effect = grid.present(lost)
        if effect:
            yield _step(name, grid, sum(1 << cell for cell in chosen), near, effect, size)


def _step(name: str, grid: CandidateGrid, cells: int, near: int, effect: tuple[Strike, ...], size: int) -> Step:
    board = grid.layout.board
    texts = [f"{values_text(board, 1 << value)} in {cells_text(board, where)}" for value, where in effect]
    why = (
        f"each way to fill the others of {cells_text(board, cells)} beside {' or '.join(texts)} has equal values in"
        f" cells that see each other, or leaves one of {cells_text(board, near)} none"
    )
    every = cells | near
    pattern = tuple((value, grid.places[value] & every) for value in members(grid.candidates(every)))
    return Step(technique=name, because=why, eliminations=effect, pattern=pattern, size=size)


ALIGNED = (
    "Of {} cells a value does not hold for which each way to fill the others is excluded: it has equal values in cells"
    " that see each other, or leaves a cell that sees all of them no value."
)

TECHNIQUES = (
    Technique("aligned pair exclusion", Level.WINGS, partial(_search, 2), ALIGNED.format("two"), se=6.2),
    Technique("aligned triplet exclusion", Level.CHAINS, partial(_search, 3), ALIGNED.format("three"), se=7.5),
)
