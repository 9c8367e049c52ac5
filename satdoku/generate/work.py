"""Many puzzles at a time: each asks its own questions, and one engine answers those of all together."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from satdoku import backends
from satdoku.backends import ENDINGS, PASSED, Backend, Budget, Bulk, Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.constraints import Grid
from satdoku.errors import WrongAnswer
from satdoku.generate.clues import Asking, Clues, Question, fitted, thinned
from satdoku.generate.grids import Grids, grids
from satdoku.generate.recipe import Recipe
from satdoku.puzzle import Puzzle
from satdoku.verdict import Judge, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CELLS_AT_ONCE = 8_192
"""Cells of the puzzles that are made at a time: each question to the engine costs some time of its own."""

SHARE = 8
"""One question may take this part of what is left of a puzzle's time, so that one hard cell does not take it all."""

MANY, NATIVE = "auto:many", "native"


@dataclass(frozen=True, slots=True)
class Made:
    """A puzzle with one solution, which a judge has confirmed.

    number:  which puzzle of the run it is, from 0
    tries:   grids that were begun with
    tried, cut, minimal: as in `Clues`
    """

    number: int
    puzzle: Puzzle
    solution: Grid
    tries: int
    tried: int
    cut: bool
    minimal: bool | None


@dataclass(frozen=True, slots=True)
class Failure:
    """No puzzle was found in the time."""

    number: int
    tries: int
    reason: str


Wanted = Generator[Question, "NDArray[np.int64]", "Clues | str"]


def made(recipe: Recipe, numbers: Iterable[int]) -> Iterator[Made | Failure]:
    """The puzzles of these numbers, in their order.

    Each follows from the recipe and its number alone, unless a timeout strikes. Raises Refused if
    no grid satisfies the board's rules.
    """
    with Judge() as judge:
        workshop = Workshop(recipe, judge)
        width = max(1, CELLS_AT_ONCE // recipe.board.cells**2 * 81) if recipe.board.cells > 81 else 128
        pending = iter(numbers)
        while batch := list(islice(pending, width)):
            yield from workshop.work(batch)


class Workshop:
    """One process's engines and its source of grids."""

    def __init__(self, recipe: Recipe, judge: Judge) -> None:
        self._recipe = recipe
        self._judge = judge
        self._source: Grids = grids(recipe.board, judge)
        self._bulk: Backend = backends.find(MANY)
        self._bulk.load(recipe.board)
        native = backends.engine(NATIVE)
        self._counting: Backend | None = None if native.absent() else native.open(None, None)
        if self._counting is not None and self._counting.refuses(recipe.board):
            self._counting = None
        if self._counting is not None:
            self._counting.load(recipe.board)

    def work(self, numbers: list[int]) -> list[Made | Failure]:
        """The puzzles of these numbers, worked on together."""
        tries: dict[int, int] = {}
        # The puzzles take turns, so that their times run together.
        deadline = Deadline(self._recipe.timeout * len(numbers))
        asking = {number: self._wanted(number, tries, deadline) for number in numbers}
        done: dict[int, Clues | str] = {}
        open: dict[int, Question] = {}

        def advance(number: int, counts: NDArray[np.int64] | None) -> None:
            try:
                open[number] = next(asking[number]) if counts is None else asking[number].send(counts)
            except StopIteration as stop:
                open.pop(number, None)
                done[number] = stop.value

        for number in numbers:
            advance(number, None)
        while open:
            for number, counts in self._answers(open):
                advance(number, counts)
        return [self._finished(number, done[number], tries.get(number, 0)) for number in numbers]

    def _wanted(self, number: int, tries: dict[int, int], deadline: Deadline) -> Wanted:
        """Begin with one grid after another until the clues are as asked for."""
        recipe = self._recipe
        random = Random(f"{recipe.seed}/{number}")
        way = thinned if recipe.pattern is None else fitted
        reason = "no grid was found"
        while not deadline.passed():
            tries[number] = tries.get(number, 0) + 1
            try:
                asking: Asking = way(recipe, self._source, random, deadline)
                clues = yield from asking
            except TimeIsUp:
                break
            reason = self._lacking(clues)
            if clues is not None and not reason:
                return clues
        return reason

    def _lacking(self, clues: Clues | None) -> str:
        """What keeps these clues from being what was asked for, in words; nothing if they are."""
        if clues is None:
            return "no clues at these places had one solution"
        given = sum(map(bool, clues.givens))
        if self._recipe.givens is not None and given > self._recipe.givens[1]:
            return f"the last try came to {given} givens"
        if self._recipe.minimal and clues.minimal is False:
            return "no try was minimal"
        return ""

    def _answers(self, open: dict[int, Question]) -> list[tuple[int, NDArray[np.int64]]]:
        """The counts that answer open questions, those of one limit in one call."""
        import numpy as np

        found: list[tuple[int, NDArray[np.int64]]] = []
        for limit in {question.limit for question in open.values()}:
            numbers = [number for number, question in open.items() if question.limit == limit]
            rows = np.concatenate([open[number].givens for number in numbers])
            counts = self._counts(rows, limit, max(open[number].deadline.left() or 0.0 for number in numbers))
            owners = [(number, row) for number in numbers for row in range(len(open[number].givens))]
            for place in np.flatnonzero(counts < 0).tolist():
                number, row = owners[place]
                counts[place] = self._asked(open[number], open[number].givens[row].tolist())
            start = 0
            for number in numbers:
                end = start + len(open[number].givens)
                found.append((number, counts[start:end]))
                start = end
        return found

    def _counts(self, rows: NDArray[np.uint16], limit: int, seconds: float) -> NDArray[np.int64]:
        """Solutions of each row up to the limit, by the engine for many; -1 where it passes."""
        import numpy as np

        engine = self._bulk if limit <= 2 else self._counting
        if not isinstance(engine, Bulk):
            return np.full(len(rows), -1, np.int64)
        tallies = engine.check_many(self._recipe.board, rows, Budget(limit, max(seconds / SHARE, 0.01)))
        unknown = (tallies.endings == PASSED) | (tallies.endings == ENDINGS.index(Ending.TIMEOUT))
        return np.where(unknown, -1, tallies.counts)

    def _asked(self, question: Question, givens: list[int]) -> int:
        """The same for one row, by the judge."""
        board, left = self._recipe.board, question.deadline.left()
        seconds = None if left is None else max(left / SHARE, 0.01)
        puzzle = Puzzle.from_givens(board, givens)
        if question.grid is None or question.since is None:
            outcome = self._judge.run(puzzle, Budget(question.limit, seconds))
            return outcome.count if outcome.ending is not Ending.TIMEOUT else -1
        candidates = list(puzzle.candidates)
        # Another solution differs in one of the cells that lost their clue: the first such is each in turn.
        for cell in question.since:
            value = 1 << question.grid[cell]
            outcome = self._judge.run(
                Puzzle(board, (*candidates[:cell], candidates[cell] & ~value, *candidates[cell + 1 :])),
                Budget(1, seconds),
            )
            if outcome.count:
                return 2
            if not outcome.exact:
                return -1
            candidates[cell] = value
        return 1

    def _finished(self, number: int, clues: Clues | str, tries: int) -> Made | Failure:
        """What was made, confirmed by a judge that knows nothing of how it was found. Raises WrongAnswer if it errs."""
        if isinstance(clues, str):
            return Failure(number, tries, clues)
        puzzle = Puzzle.from_givens(self._recipe.board, clues.givens, f"puzzle {number + 1}")
        outcome = self._judge.run(puzzle, Budget(2, self._recipe.timeout))
        if outcome.verdict is Verdict.UNDECIDED:
            return Failure(number, tries, "the puzzle that was made could not be confirmed in the time")
        if outcome.grids != (clues.solution,):
            raise WrongAnswer(f"{puzzle.name}: made as unique, but {self._judge.engine} says {outcome.verdict.value}")
        return Made(number, puzzle, clues.solution, tries, clues.tried, clues.cut, clues.minimal)
