"""What it is to take to solve a new puzzle, and whether it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from satdoku.errors import Refused, unknown
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle
from satdoku.setter.difficulty import Difficulty, rated_by, score_of
from satdoku.setter.explainer import HARDEST, ExplainerRating, explainer_rating
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import grid_of, next_step, ordered, steps
from satdoku.techniques.orders import ORDERS
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step, Technique
from satdoku.words import joined

GIVENS_MATTER = "avoidable"  # how techniques begin that look at which cells were given


class TrainingPosition(NamedTuple):
    """A puzzle on the way to its solution: the values known so far are givens, and the candidates those left by then.

    step: the one that follows, the first that the techniques find there
    """

    puzzle: Puzzle
    step: Step


class Fit(NamedTuple):
    """What is known of a puzzle that is as required.

    difficulty: with the score if one was required; None where nothing was required of the whole way
    position:   None where none was required
    """

    difficulty: Difficulty | None = None
    position: TrainingPosition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What the techniques of a puzzle are to be, in satdoku's order; None where that does not matter.

    levels:    the least and the highest level of the hardest
    technique: this one is needed, and none behind it in the order
    until:     those before this one in the order lead to a step by it, which gives a position
    score:     the least and the highest of HoDoKu's scores
    rating:    the least and the highest of Sudoku Explainer's ratings, ER, on a plain 9x9

    Raises Refused where these contradict each other, InputError for a technique that is not in the order.
    """

    levels: tuple[int, int] | None = None
    technique: str | None = None
    until: str | None = None
    score: tuple[int, int] | None = None
    rating: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name in filter(None, (self.technique, self.until)):
            if name not in ORDERS["satdoku"]:
                raise unknown("technique", name, ORDERS["satdoku"])
        reason = next(self._reasons(), None)
        if reason:
            raise Refused(reason)

    def _reasons(self) -> Iterator[str]:
        if self.technique is not None and self.levels is not None:
            level = techniques()[self.technique].level
            if not self.levels[0] <= level <= self.levels[1]:
                yield f"{self.technique} is of the level {level.name.lower()}, which is not among those required"
        if self.technique is not None and self.until is not None and _place(self.until) > _place(self.technique):
            yield f"{self.until} is harder than {self.technique}, and no technique is to be harder than that"
        if self.until is not None and self.until.startswith(GIVENS_MATTER):
            yield f"{self.until} depends on which cells were given, and a position does not tell these from others"
        if self.score is not None and self.score[0] > self.score[1]:
            yield f"score {self.score[0]}:{self.score[1]}: expected the lower number first"
        if self.rating is not None and self.rating[0] > self.rating[1]:
            yield f"rating {self.rating[0]}:{self.rating[1]}: expected the lower number first"
        if self.rating is not None and self.rating[1] > HARDEST:
            yield f"rating {self.rating[0]}:{self.rating[1]}: ratings are known up to {HARDEST}"

    def __bool__(self) -> bool:
        """Whether anything is required."""
        return self != Requirement()

    @property
    def rates(self) -> bool:
        """Whether anything is required of the whole way to the solution."""
        return not (self.levels is None and self.technique is None and self.score is None and self.rating is None)

    def __str__(self) -> str:
        """`difficulty and score`."""
        names: dict[str, object] = {"difficulty": self.levels, "technique": self.technique, "step": self.until}
        names |= {"score": self.score, "rating": self.rating}
        return joined([name for name, value in names.items() if value is not None])

    @property
    def _order(self) -> tuple[Technique, ...]:
        """The techniques that are tried: what needs more is not as required."""
        order = ordered(hardest=Level(min(self.levels[1] if self.levels else Level.FORCING, Level.FORCING)))
        last = self.technique or (None if self.rates else self.until)
        return order if last is None else order[: _place(last) + 1]

    def fit(self, puzzle: Puzzle, timeout: float | None) -> Fit | None:
        """What was found of a puzzle with one solution; None if it is not as required. Raises TimeIsUp."""
        with bounded_time(timeout):
            score = None if self.score is None else score_of(puzzle, self.score[1])
            if self.score is not None and (score is None or score < self.score[0]):
                return None
            explainer = None if self.rating is None else explainer_rating(puzzle, most=self.rating[1])
            if self.rating is not None and not self._rated(explainer):
                return None
            grid, order, taken, position = grid_of(puzzle, unique=True), self._order, list[Step](), None
            for step in steps(grid, order):
                if self.until is not None and position is None and _place(step.technique) >= _place(self.until):
                    position = self._position(puzzle, grid, order) if step.technique == self.until else None
                    if position is None or not self.rates:
                        break
                taken.append(step)
        if self.until is not None and position is None:
            return None
        if not self.rates:
            return Fit(position=position)
        difficulty = replace(rated_by(puzzle, taken), score=score, explainer=explainer)
        if self.technique is not None and (grid.open or self.technique not in difficulty.steps):
            return None
        if self.levels is not None and not self.levels[0] <= difficulty.level <= self.levels[1]:
            return None
        return Fit(difficulty, position)

    def _rated(self, explainer: ExplainerRating | None) -> bool:
        """Whether the rating is known to be as required."""
        if self.rating is None or explainer is None or explainer.er is None:
            return False
        return self.rating[0] <= explainer.er <= self.rating[1]

    def _position(self, puzzle: Puzzle, grid: CandidateGrid, order: tuple[Technique, ...]) -> TrainingPosition | None:
        """The position of a grid; None if it does not show what comes next."""
        board, left = puzzle.board, list(grid.left[: puzzle.board.cells])
        for cell in range(board.cells):
            if grid.open >> cell & 1 and not left[cell] & (left[cell] - 1):
                left[cell] = board.every_value  # alone it would be read as a value that is known
        position = Puzzle(board, tuple(left), puzzle.name)
        step = next_step(grid_of(position, unique=True), order)
        return None if step is None or step.technique != self.until else TrainingPosition(position, step)


ANY = Requirement()


def _place(name: str) -> int:
    return ORDERS["satdoku"].index(name)
