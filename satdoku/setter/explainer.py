"""What Sudoku Explainer 1.2.1 (Juillerat, 2007) rates a puzzle, as far as its techniques are here.

It takes the technique of the lowest rating that applies, again and again, and rates the puzzle by the highest of these.
"""

from __future__ import annotations

from dataclasses import dataclass

from satdoku.limits import bounded_time, check_time
from satdoku.puzzle import Puzzle
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import explainer_groups, grid_of, lowest_rated
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Step
from satdoku.variants.boxes import classic

HARDEST, NEXT = 8.4, 8.5  # below the lowest rating of the techniques that are not here, and that one


@dataclass(frozen=True, slots=True)
class ExplainerRating:
    """Ratings from 1.0 for full houses.

    er:    the highest of all steps; None if it is above HARDEST
    ep:    the highest of the steps up to the first value; None if it is above HARDEST
    ed:    that of the first step; None if it is above HARDEST
    least: the rating of all steps is not below this; None where nothing is known
    """

    er: float | None = None
    ep: float | None = None
    ed: float | None = None
    least: float | None = None

    def __str__(self) -> str:
        """`ER 2.6, EP 1.2, ED 1.2`, or `ER at least 8.5, EP 1.2, ED 1.2`."""
        ratings = {"ER": self.er, "EP": self.ep, "ED": self.ed}
        return ", ".join(f"{name} {f'at least {NEXT}' if one is None else one}" for name, one in ratings.items())

    def record(self) -> dict[str, object]:
        """The same as JSON's types."""
        return {"er": self.er, "ep": self.ep, "ed": self.ed, "er_least": self.least}


def explainer_rating(puzzle: Puzzle, timeout: float | None = None) -> ExplainerRating | None:
    """The rating of a puzzle with one solution; None for a board other than plain 9x9. Raises TimeIsUp."""
    if puzzle.board != classic(3, 3):
        return None
    table, er = techniques(), 0.0
    ep: float | None = None
    ed: float | None = None
    with bounded_time(timeout):
        grid = grid_of(puzzle, unique=True)
        while grid.open and (step := _next_step(grid)):
            rating = table[step.technique].explainer_rating(step)
            er, ed = max(er, rating), rating if ed is None else ed
            if step.placements and ep is None:
                ep = er
            step.apply(grid)
    return ExplainerRating(None, ep, ed, max(er, NEXT)) if grid.open else ExplainerRating(er, ep, ed, er)


def _next_step(grid: CandidateGrid) -> Step | None:
    for group in explainer_groups():
        check_time()
        step = lowest_rated(grid, group) if len(group) > 1 else next(group[0].steps(grid), None)
        if step is not None:
            return step
    return None
