"""Locked candidates and hidden subsets that leave a hidden single, taken as one step, as Sudoku Explainer does."""

from collections.abc import Iterator
from functools import partial

from satdoku.techniques.families.subsets import hidden_subsets
from satdoku.techniques.grid import BOX, CandidateGrid
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text


def _locked(box: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """The places of a value in a house lie in another, and leave one place in a third that is as the first."""
    board, houses = grid.layout.board, grid.layout.houses
    for value in range(1, board.values + 1):
        places = grid.places[value]
        for house in houses:
            inside = places & house.cells
            if (house.kind == BOX) is not box or not inside & (inside - 1):
                continue
            for crossing in houses:
                lose = places & crossing.cells & ~house.cells
                if (crossing.kind == BOX) is box or inside & ~crossing.cells or not lose:
                    continue
                for third in houses:
                    left = places & third.cells & ~lose
                    if third.kind == house.kind and third.cells & lose and left and not left & (left - 1):
                        digit = board.shown(value)
                        why = (
                            f"{house.name} has {digit} only in {cells_text(board, inside)}, so that the rest of"
                            f" {crossing.name} does not have it, and {third.name} has one place left for it"
                        )
                        yield Step(
                            technique=name,
                            because=why,
                            placements=((left.bit_length() - 1, value),),
                            pattern=((value, inside),),
                            houses=(house.name, crossing.name, third.name),
                        )


def _hidden(size: int, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Values have as many places in a house as they are, and leave another value one place in it."""
    board = grid.layout.board
    for subset in hidden_subsets(grid, size):
        for value, where in subset.others:
            left = where & ~subset.cells
            if where & subset.cells and left and not left & (left - 1):
                yield Step(
                    technique=name,
                    because=f"{subset.text(board)}, so that one place is left there for {board.shown(value)}",
                    placements=((left.bit_length() - 1, value),),
                    pattern=subset.pattern,
                    houses=(subset.house.name,),
                    size=size,
                )


LOCKED = "The places of a value in {} lie in {}, whose other cells lose it: another {} has one place left for it."
SUBSET = "As many values of a house as they have places together, which leave one place for another value there."

TECHNIQUES = (
    Technique(
        "direct pointing", Level.LOCKED, partial(_locked, True), LOCKED.format("a region", "a line", "region"), se=1.7
    ),
    Technique(
        "direct claiming", Level.LOCKED, partial(_locked, False), LOCKED.format("a line", "a region", "line"), se=1.9
    ),
    Technique("direct hidden pair", Level.SUBSETS, partial(_hidden, 2), SUBSET, se=2.0),
    Technique("direct hidden triple", Level.SUBSETS, partial(_hidden, 3), SUBSET, se=2.5),
)
