"""Aligned pair exclusion: of two cells, a value that leaves the other none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text


def _search(name: str, grid: CandidateGrid) -> Iterator[Step]:
    board, left, peers = grid.layout.board, grid.left, grid.layout.peers
    two = sum(1 << cell for cell in members(grid.open) if left[cell].bit_count() == 2)
    for one, other in combinations(members(grid.open), 2):
        near = two & peers[one] & peers[other]
        if not near:
            continue
        pairs = {left[cell] for cell in members(near)}
        alone = {
            cell: sum(1 << value for value in members(left[cell]) if _excludes(value, left[partner], pairs, seen))
            for cell, partner in ((one, other), (other, one))
            for seen in (peers[one] >> other & 1,)
        }
        strikes = [(value, 1 << cell) for cell, values in alone.items() for value in members(values)]
        if strikes:
            both, which = cells_text(board, 1 << one | 1 << other), values_text(board, alone[one] | alone[other], "or")
            why = (
                f"with {which} in one of {both} the other has no value left: it would be equal in cells that see each"
                f" other, or leave one of {cells_text(board, near)} no value"
            )
            cells = near | 1 << one | 1 << other
            pattern = tuple((value, grid.places[value] & cells) for value in members(grid.candidates(cells)))
            yield Step(technique=name, because=why, eliminations=grid.present(strikes), pattern=pattern, size=2)


def _excludes(value: int, others: int, pairs: set[int], seen: int) -> bool:
    """Whether a value leaves another cell none of its values, as each is equal or makes one of the pairs with it."""
    for pair in pairs:
        if pair >> value & 1:
            others &= ~pair | 1 << value
    return not others & ~(seen << value)


TECHNIQUES = (
    Technique(
        "aligned pair exclusion",
        Level.WINGS,
        _search,
        "Of two cells a value that each value of the other excludes: as equal, where they see each other, or as both "
        "values of a cell that sees them.",
        se=6.2,
    ),
)
