"""Many puzzles at a time: each asks its own questions, and one engine answers those of all together."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku import backends
from satdoku.backends import PASSED, Budget, Drain, Ending
from satdoku.backends.schedule import NATIVE, Purpose, carry_out, policy
from satdoku.constraints import Grid
from satdoku.errors import NotMade, WrongAnswer
from satdoku.generator.clues import ClueSet, Trials, fitted, thinned
from satdoku.generator.grids import GridSource, source
from satdoku.generator.recipe import Recipe
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.setter.difficulty import Difficulty, rate
from satdoku.setter.requirement import Fit, TrainingPosition
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.variants import REGIONS
from satdoku.verdict import Session, Verdict

AT_ONCE = 128  # puzzles of up to MAX_SMALL cells made at a time: each question to the engine costs time of its own
MAX_SMALL = 81
MAX_BY_SAT = 256  # cells of a board that a SAT solver is asked about: on larger ones loading it takes seconds
THINNING = 0.85  # the part of a puzzle's time for making it; what is left confirms it
UNFINISHED = "no try was finished"


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A puzzle with one solution, which a second search has confirmed.

    number:  which puzzle of the run it is, from 0
    tries:   grids that were begun with
    tried, cut, minimal: as in `ClueSet`
    difficulty: what it takes by techniques of people, where the recipe asks for that
    position:   on the way to the solution, where the recipe asks for one
    necessary:  where marks are drawn at random, one of them without which there are several solutions
    """

    number: int
    puzzle: Puzzle
    solution: Grid
    tries: int
    tried: int
    cut: bool
    minimal: bool | None
    difficulty: Difficulty | None = None
    position: TrainingPosition | None = None
    necessary: Mark | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the puzzle, without boxes and regions."""
        return tuple(mark for mark in self.puzzle.board.marks if mark.kind not in REGIONS)


def made(recipe: Recipe, numbers: Iterable[int]) -> Generator[Made | NotMade, None, None]:
    """The puzzles of these numbers, in order; each follows from its number alone, unless a timeout strikes."""
    with closing(Workshop(recipe)) as workshop:
        pending, width = iter(numbers), 1  # one at first, so that hard ones do not hold up others
        while batch := list(islice(pending, width)):
            yield from workshop.work(batch)
            if recipe.board.cells <= MAX_SMALL:
                width = min(2 * width, AT_ONCE)


Tries = Generator[Trials, NDArray[np.int64], "tuple[ClueSet, Fit] | str"]


class Attempt:
    """A puzzle that is being made: what it asks now, None at the end, and then its clues, or why there are none."""

    def __init__(self, number: int, begin: Callable[[Attempt], Tries]) -> None:
        self.number, self.tries = number, 0
        self.question: Trials | None = None
        self.result: tuple[ClueSet, Fit] | str = UNFINISHED
        self._steps = begin(self)
        self.go_on(None)

    def go_on(self, counts: NDArray[np.int64] | None) -> None:
        """With the answer to its question; None at the beginning."""
        try:
            self.question = next(self._steps) if counts is None else self._steps.send(counts)
        except StopIteration as stop:
            self.question, self.result = None, stop.value


class Workshop:
    """One process's engines and source of grids; raises Refused if the board has no grid."""

    def __init__(self, recipe: Recipe, grids: GridSource | None = None) -> None:
        """grids: where grids come from; None for any of the board."""
        self._recipe = recipe
        self._session = Session()
        self._source: GridSource = source(recipe.board, self._session) if grids is None else grids
        native = backends.engine(NATIVE)
        opened: Any = None if native.absent() else native.open(None, None)
        self._native = None if opened is None or opened.refuses(recipe.board) else opened

    def close(self) -> None:
        self._session.close()

    def work(self, numbers: list[int]) -> list[Made | NotMade]:
        # The puzzles take turns, so that their times run together.
        deadline = Deadline(THINNING * self._recipe.timeout * len(numbers))
        attempts = [Attempt(number, partial(self._tries, deadline=deadline)) for number in numbers]
        with suppress(TimeIsUp):
            while asking := [attempt for attempt in attempts if attempt.question is not None]:
                answers = self._answers([attempt.question for attempt in asking if attempt.question])
                for attempt, counts in zip(asking, answers, strict=True):
                    attempt.go_on(counts)
        return list(map(self._finished, attempts))

    def count(self, question: Trials) -> int:
        """How many solutions the one row of a question has, up to its limit; -1 where that would take too long."""
        return int(self._answers([question])[0][0])

    def _tries(self, attempt: Attempt, deadline: Deadline) -> Tries:
        """Try grids, one after the other, until there are clues as the recipe asks for; else why there are none."""
        recipe, fewest, reason = self._recipe, self._recipe.board.cells, UNFINISHED
        random, way = Random(f"{recipe.seed}/{attempt.number}"), thinned if recipe.pattern is None else fitted
        with suppress(TimeIsUp):
            while True:
                deadline.check()
                attempt.tries += 1
                clues = yield from way(recipe, self._source, random, deadline)
                if clues is None:
                    reason = "no clues at these places had one solution"
                elif recipe.minimal and clues.minimal is not True:
                    reason = "no puzzle was minimal, as far as could be shown"
                elif recipe.givens is not None and clues.number > recipe.givens[1]:
                    fewest = min(fewest, clues.number)
                    reason = f"the fewest givens reached were {fewest}"
                else:
                    fit = self._fit(clues, deadline)
                    if fit is not None:
                        return clues, fit
                    reason = f"no puzzle had the {recipe.requirement}"
        return reason

    def _fit(self, clues: ClueSet, deadline: Deadline) -> Fit | None:
        """What is known of a puzzle by techniques; None if it is not what the recipe asks for."""
        requirement = self._recipe.requirement
        if not requirement:
            return Fit()
        return requirement.fit(Puzzle.from_givens(self._recipe.board, clues.givens), deadline.left())

    def _answers(self, questions: list[Trials]) -> list[NDArray[np.int64]]:
        """For each question, the solutions of each of its rows; -1 where that would take too long."""
        answers: dict[int, NDArray[np.int64]] = {}
        for limit in {question.limit for question in questions}:
            places = [place for place, question in enumerate(questions) if question.limit == limit]
            rows = [questions[place].givens for place in places]
            counts = np.split(self._counts(np.concatenate(rows), limit), np.cumsum(list(map(len, rows)))[:-1])
            answers.update(zip(places, counts, strict=True))
        for place, question in enumerate(questions):
            for row in np.flatnonzero(answers[place] < 0).tolist():
                answers[place][row] = self._answer(question, question.givens[row].tolist())
        return [answers[place] for place in range(len(questions))]

    def _counts(self, rows: NDArray[np.uint16], limit: int) -> NDArray[np.int64]:
        """Solutions of each row up to the limit by the compiled search; -1 where that would take too long."""
        if self._native is None:
            return np.full(len(rows), -1, np.int64)
        # Bounded by nodes and not by time, so that the answer is the same on every machine.
        (turn, *_) = policy(Purpose.MANY, self._recipe.board)[0].turns
        budget = Budget(limit, work=None if turn.work is None else turn.work * limit)
        results = self._native.check_many(self._recipe.board, rows, budget)
        return np.where(results.endings == PASSED, -1, results.counts)

    def _answer(self, question: Trials, givens: list[int]) -> int:
        board = self._recipe.board
        puzzle = Puzzle.from_givens(board, givens)
        if question.grid is None or question.since is None:
            grids = self._grids(puzzle, question.limit, question.deadline)
            return -1 if grids is None else len(grids)
        candidates = list(puzzle.candidates)
        # Another solution differs in one of the cells that lost their clue: the first such is each in turn.
        for cell in question.since:
            value = 1 << question.grid[cell]
            others = (*candidates[:cell], candidates[cell] & ~value, *candidates[cell + 1 :])
            grids = self._grids(Puzzle(board, others), 1, question.deadline)
            if grids is None:
                return -1
            if grids:
                return 2
            candidates[cell] = value
        return 1

    def _grids(self, puzzle: Puzzle, most: int, deadline: Deadline) -> list[Grid] | None:
        """Up to `most` grids; None if that takes more work than one question is worth. Raises TimeIsUp.

        The work is counted in nodes and conflicts, and the SAT solver has no past: so a seed gives the same puzzles on
        every machine, however the puzzles are divided among processes.
        """

        def attempt(name: str, work: int | None, until: Deadline) -> list[Grid] | None:
            return self._all_grids(name, puzzle, Budget(most, until.left(), work=work))

        takes = partial(self._takes, puzzle.board)
        grids = carry_out(policy(Purpose.GENERATE, puzzle.board), takes, attempt, deadline)
        if grids is None:
            deadline.check()
        return grids

    def _takes(self, board: Board, name: str) -> bool:
        if name == NATIVE:
            return self._native is not None
        if self._native is not None and board.cells > MAX_BY_SAT:
            return False
        with closing(backends.find(name)) as engine:
            return engine.refuses(board) is None

    def _all_grids(self, name: str, puzzle: Puzzle, budget: Budget) -> list[Grid] | None:
        """The grids that a search comes to; None if it does not end."""
        opened: Any = nullcontext(self._native) if name == NATIVE else closing(backends.find(name))
        with opened as engine:
            drain = Drain(engine.search(puzzle, budget))
            grids = list(drain)
        return None if drain.result is Ending.TIMEOUT else grids

    def _finished(self, attempt: Attempt) -> Made | NotMade:
        """What was made, confirmed by a session that does not know how it was found; raises WrongAnswer."""
        number, tries = attempt.number, attempt.tries
        if isinstance(attempt.result, str):
            return NotMade(number, tries, attempt.result)
        clues, fit = attempt.result
        puzzle = Puzzle.from_givens(self._recipe.board, clues.givens, f"puzzle {number + 1}")
        outcome = self._session.run(puzzle, Budget(2, self._recipe.timeout))
        if outcome.verdict is Verdict.UNDECIDED:
            return NotMade(number, tries, "the puzzle that was made could not be confirmed in the time")
        if outcome.grids != (clues.solution,):
            raise WrongAnswer(f"{puzzle.name}: made as unique, but {self._session.engine} says {outcome.verdict.value}")
        return Made(
            number=number,
            puzzle=puzzle,
            solution=clues.solution,
            tries=tries,
            tried=clues.tried,
            cut=clues.cut,
            minimal=clues.minimal,
            difficulty=fit.difficulty or (rate(puzzle, self._recipe.timeout) if self._recipe.rate else None),
            position=fit.position,
        )
