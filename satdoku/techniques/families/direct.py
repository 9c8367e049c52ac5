"""Locked candidates and hidden subsets that leave a hidden single, taken as one step, as Sudoku Explainer does."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from satdoku.techniques.grid import BOX, CandidateGrid
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text


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
    for house in grid.layout.houses:
        places = {value: grid.places[value] & house.cells for value in range(1, board.values + 1)}
        few = [value for value, cells in places.items() if 2 <= cells.bit_count() <= size]
        for chosen in combinations(few, size):
            cells = 0
            for value in chosen:
                cells |= places[value]
            if cells.bit_count() != size:
                continue
            for value, where in places.items():
                left = where & ~cells
                if value in chosen or not where & cells or not left or left & (left - 1):
                    continue
                digits = values_text(board, sum(1 << one for one in chosen))
                why = (
                    f"{house.name} has {digits} only in {cells_text(board, cells)}, which have no other value, so that"
                    f" one place is left there for {board.shown(value)}"
                )
                yield Step(
                    technique=name,
                    because=why,
                    placements=((left.bit_length() - 1, value),),
                    pattern=tuple((one, places[one]) for one in chosen),
                    houses=(house.name,),
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
