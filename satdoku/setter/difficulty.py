"""How difficult a unique puzzle is for people: the techniques that a solver needs who always takes the simplest one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from satdoku.backends import Ending
from satdoku.errors import InputError, unknown
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.puzzle import Puzzle
from satdoku.setter.cores import CoreStep
from satdoku.setter.explainer import ExplainerRating, explainer_rating
from satdoku.system.clock import Deadline
from satdoku.techniques.hodoku import OldestSingles, hodoku_order
from satdoku.techniques.ladder import grid_of, ordered, steps
from satdoku.techniques.orders import ORDERS
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step, Technique

SAME = ("s", "fish", "+1", "Coq")  # how techniques end whose names are the same in the plural


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What solving a puzzle takes.

    level:  of the hardest technique; where the timeout came first, the hardest that was needed by then
    steps:  how often each technique was used, simple ones first; singles give a value each, others take candidates away
    open:   the cells that were not reached
    score:  the sum of HoDoKu's scores of the steps in HoDoKu's order; None if not asked for, or a step has none
    explainer: Sudoku Explainer's ratings; None if not asked for, or on a board other than plain 9x9
    ending: EXHAUSTED, or TIMEOUT
    """

    level: Level
    steps: Mapping[str, int]
    open: int
    ending: Ending = Ending.EXHAUSTED
    score: int | None = None
    explainer: ExplainerRating | None = None

    @property
    def hardest(self) -> str | None:
        """The last technique of the highest level that was needed, None if there was no step."""
        table = techniques()
        return max(self.steps, key=lambda name: (table[name].level, ORDERS["satdoku"].index(name)), default=None)

    def __str__(self) -> str:
        """`difficulty 3 (subsets): 20 naked singles, 31 hidden singles, 1 naked pair`."""
        least = "at least " if self.ending is Ending.TIMEOUT else ""
        used = [counted(many, name) for name, many in self.steps.items()]
        used += [f"{self.open} cells left"] if self.open else []
        return f"difficulty {least}{self.level.value} ({self.level.name.lower()}): {', '.join(used) or 'no step'}"

    @property
    def ratings_text(self) -> str:
        """`; score 640; ER 2.6, EP 1.2, ED 1.2`, without what there is not."""
        score = "" if self.score is None else f"; score {self.score}"
        return score if self.explainer is None else f"{score}; {self.explainer}"

    def record(self) -> dict[str, object]:
        """The same as JSON's types."""
        return {
            "level": self.level.value,
            "name": self.level.name.lower(),
            "hardest": self.hardest,
            "count": sum(self.steps.values()),
            "score": self.score,
            **(ExplainerRating() if self.explainer is None else self.explainer).record(),
            "steps": self.steps,
            "open": self.open,
            "ending": self.ending.value,
        }


def counted(many: int, technique: str) -> str:
    """`3 naked singles`, `2 swordfish`, `4 relations of neighbours`, `5 shaded cells`."""
    head, *rest = re.split(r"(?= of | along | from | \()", technique, maxsplit=1)
    same = many == 1 or head.endswith(SAME) or " and " in head
    return f"{many} {head}{'' if same else 's'}{''.join(rest)}"


def parse_levels(levels: int | str | tuple[int, int]) -> tuple[int, int]:
    """`subsets` or 3 is that level alone, `locked:fish` or (2, 4) these and what is between.

    Raises InputError for anything else.
    """
    text = ":".join(map(str, levels)) if isinstance(levels, tuple) else str(levels)
    low, colon, high = text.partition(":")
    ends = tuple(_level(word) for word in ((low, high) if colon else (low, low)))
    if ends[0] > ends[1]:
        raise InputError(f"difficulty {text}: expected the lower level first")
    return ends[0], ends[1]


def _level(word: str) -> int:
    names = {level.name.lower(): level.value for level in Level}
    if word in map(str, names.values()):
        return int(word)
    if word not in names:
        raise unknown("difficulty", word, [*names, f"or 1 to {max(Level)}"])
    return names[word]


def rate(puzzle: Puzzle, timeout: float | None = None, hardest: Level = Level.FORCING) -> Difficulty:
    """The difficulty of a puzzle with one solution; the level is BEYOND where no technique leads to the end.

    timeout: seconds after which the level is that of what was needed by then
    hardest: the level of the hardest techniques that are tried
    """
    taken: list[Step] = []
    ending = Ending.EXHAUSTED
    try:
        with bounded_time(timeout):
            for step in steps(grid_of(puzzle, unique=True), ordered(hardest=hardest)):
                taken.append(step)
    except TimeIsUp:
        ending = Ending.TIMEOUT
    return rated_by(puzzle, taken, ending)


def scored(puzzle: Puzzle, timeout: float | None = None, explained: bool = True) -> Difficulty:
    """The difficulty with its ratings, which take steps in other orders; without one that the timeout leaves open.

    explained: whether with Sudoku Explainer's, which takes longest
    """
    deadline = Deadline(timeout)
    difficulty = rate(puzzle, deadline.left())
    if difficulty.ending is Ending.EXHAUSTED:
        with suppress(TimeIsUp), bounded_time(deadline.left()):
            difficulty = replace(difficulty, score=score_of(puzzle))
            return replace(difficulty, explainer=explainer_rating(puzzle)) if explained else difficulty
    return difficulty


def bottlenecks(puzzle: Puzzle, timeout: float | None = None) -> int | None:
    """In how many positions the simplest technique that applies has one effect only; None after the timeout.

    Naked and hidden singles are taken together there.
    """
    order, count = ordered(), 0
    grid = grid_of(puzzle, unique=True)
    alike: dict[str, tuple[Technique, ...]] = {technique.name: (technique,) for technique in order}
    singles = tuple(technique for technique in order if technique.level is Level.SINGLES)
    alike |= {technique.name: singles for technique in singles}
    with suppress(TimeIsUp), bounded_time(timeout):
        for step in steps(grid, order):
            others = (other for technique in alike[step.technique] for other in technique.steps(grid))
            count += all(_effect(other) == _effect(step) for other in others)
        return count
    return None


def _effect(step: Step) -> tuple[object, ...]:
    return step.placements, sorted(step.eliminations)


def score_of(puzzle: Puzzle, most: int | None = None) -> int | None:
    """The sum of HoDoKu's scores; None where a step has none, no step is found, or it is more than `most`."""
    table, score = techniques(), 0
    grid = grid_of(puzzle, unique=True)
    singles = OldestSingles(puzzle, grid.layout)
    for step in steps(grid, hodoku_order(singles)):
        singles.follow(step)
        points = table[step.technique].hodoku
        if points is None:
            return None
        score += points
        if most is not None and score > most:
            return None
    return None if grid.open else score


def rated_by(puzzle: Puzzle, steps: Iterable[Step | CoreStep], ending: Ending = Ending.EXHAUSTED) -> Difficulty:
    """The difficulty that steps show: BEYOND if one is by no technique, or if they end before all cells have values."""
    table, counts, placed = techniques(), Counter[str](), puzzle.given_count
    level, beyond = Level.SINGLES, False
    for step in steps:
        if isinstance(step, Step):
            counts[step.technique] += 1
            level = max(level, table[step.technique].level)
            placed += len(step.placements)
        else:
            beyond, placed = True, placed + 1
    left = puzzle.board.cells - placed
    if beyond or (left and ending is Ending.EXHAUSTED):
        level = Level.BEYOND
    used = {name: counts[name] for name in ORDERS["satdoku"] if counts[name]}
    return Difficulty(level, used, left, ending)
