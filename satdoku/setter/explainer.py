"""What Sudoku Explainer 1.2.1 (Juillerat, 2007) rates a puzzle, as far as its techniques are here.

It takes the technique of the lowest rating that applies, again and again, and rates the puzzle by the highest of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from satdoku.errors import Refused
from satdoku.limits import TimeIsUp, bounded_time, check_time
from satdoku.puzzle import Puzzle
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import explainer_groups, grid_of, lowest_rated
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Step
from satdoku.variants.boxes import classic

HARDEST = 11.9  # of any puzzle that is known
NEXT = 11.0  # the lowest of the techniques that are not here: dynamic chains inside chains with chains inside


@dataclass(frozen=True, slots=True)
class ExplainerRating:
    """Ratings from 1.0 for full houses; each is None where the time, or the techniques that are here, do not suffice.

    er:    the highest of all steps
    ep:    the highest of the steps up to the first value
    ed:    that of the first step
    least: the rating of all steps is not below this; None where nothing is known
    """

    er: float | None = None
    ep: float | None = None
    ed: float | None = None
    least: float | None = None

    def __str__(self) -> str:
        """`ER 2.6, EP 1.2, ED 1.2`, or `ER at least 9.0, EP 1.2, ED 1.2`."""
        ratings = {"ER": self.er, "EP": self.ep, "ED": self.ed}
        return ", ".join(f"{name} {f'at least {self.least}' if one is None else one}" for name, one in ratings.items())

    def record(self) -> dict[str, object]:
        """The same as JSON's types."""
        return {"er": self.er, "ep": self.ep, "ed": self.ed, "er_least": self.least}


def explainer_rating(puzzle: Puzzle, timeout: float | None = None, most: float | None = None) -> ExplainerRating | None:
    """The rating of a puzzle with one solution; None for a board other than plain 9x9.

    Without compiled code it is at least that of dynamic chains, where a puzzle needs these.

    timeout: seconds after which the rating is at least what was needed by then
    most: the same when it is above this
    """
    if puzzle.board != classic(3, 3):
        return None
    er = least = 0.0
    ep: float | None = None
    ed: float | None = None
    grid = grid_of(puzzle, unique=True)
    with suppress(TimeIsUp, Refused), bounded_time(timeout):  # refused: without compiled code no dynamic chains
        while grid.open:
            step = None
            for least, step in _search(grid):  # noqa: B007 - the last is used
                if most is not None and least > most:
                    return ExplainerRating(None, ep, ed, max(er, least))
            if step is None:
                break
            er, ed = max(er, least), least if ed is None else ed
            if step.placements and ep is None:
                ep = er
            step.apply(grid)
    return ExplainerRating(None if grid.open else er, ep, ed, max(er, least))


def _search(grid: CandidateGrid) -> Iterator[tuple[float, Step | None]]:
    """The lowest rating of each group that is looked at, at last that of the step that is found."""
    for group in explainer_groups():
        yield min(technique.se or NEXT for technique in group), None
        check_time()
        step = lowest_rated(grid, group) if len(group) > 1 else next(group[0].steps(grid), None)
        if step is not None:
            yield techniques()[step.technique].explainer_rating(step), step
            return
    yield NEXT, None
