"""BUG+1: all open cells but one have two candidates, and without the third of that one the puzzle had two solutions."""

from collections.abc import Iterator

from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.step import Level, Step, Technique


def _bug(name: str, grid: CandidateGrid) -> Iterator[Step]:
    layout, left = grid.layout, grid.left
    if not layout.regular:
        return
    three = [cell for cell in members(grid.open) if left[cell].bit_count() != 2]
    if len(three) != 1 or left[three[0]].bit_count() != 3:
        return
    cell, board = three[0], layout.board
    if any(grid.initial[other] != board.every_value for other in members(grid.open)):
        return
    value = next((value for value in members(left[cell]) if _even(grid, value, cell)), None)
    if value is None:
        return
    lose = tuple((other, 1 << cell) for other in members(left[cell] & ~(1 << value)))
    why = (
        f"without {board.shown(value)} in {board.label(cell)} every open cell would have two values, every value two "
        "places, and the solution would not be unique"
    )
    yield Step(technique=name, because=why, eliminations=lose, pattern=((value, 1 << cell),), size=1)


def _even(grid: CandidateGrid, value: int, cell: int) -> bool:
    """Whether without one candidate every house would have two places for each value that it lacks."""
    for house in grid.layout.house_cells:
        for other in range(1, grid.layout.values + 1):
            places = grid.places[other] & house
            many = places.bit_count() - (other == value and places >> cell & 1)
            if many != 2 and (many or not grid.solved[other] & house):
                return False
    return True


TECHNIQUES = (
    Technique(
        "BUG+1",
        Level.WINGS,
        _bug,
        "All open cells but one have two candidates, all values two places but for one candidate of that one. Where "
        "the puzzle is known to be unique, that candidate holds.",
        se=5.6,
        hodoku=100,
        needs_uniqueness=True,
        limits="no constraint but rows, columns and regions",
    ),
)
