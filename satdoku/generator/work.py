"""Many puzzles at a time: each asks its own questions, and one engine answers those of all together."""

from collections.abc import Generator, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku import backends
from satdoku.backends import PASSED, Budget, Drain, Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.schedule import NATIVE, SAT
from satdoku.backends.stepping import advance
from satdoku.constraints import Grid
from satdoku.errors import WrongAnswer
from satdoku.generator.clues import Asking, Clues, Question, fitted, thinned
from satdoku.generator.grids import Grids, source
from satdoku.generator.recipe import Recipe
from satdoku.puzzle import Puzzle
from satdoku.setter.difficulty import Difficulty, rate
from satdoku.verdict import Session, Verdict

AT_ONCE = 128  # puzzles of up to MAX_SMALL cells made at a time: each question to the engine costs time of its own
MAX_SMALL = 81
MAX_NODES = 2_000  # nodes that the compiled search may spend on a question of many
MAX_BY_SAT = 256  # cells of a board that a SAT solver is asked about: on larger ones loading it takes seconds
MAX_OPEN_NODES, MAX_CONFLICTS = 20_000, 5_000  # the same on one that needs more, and then those of a SAT solver
THINNING = 0.85  # the part of a puzzle's time for making it; what is left confirms it


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A puzzle with one solution, which a second search has confirmed.

    number:  which puzzle of the run it is, from 0
    tries:   grids that were begun with
    tried, cut, minimal: as in `Clues`
    difficulty: what it takes by techniques of people, where the recipe asks for that
    """

    number: int
    puzzle: Puzzle
    solution: Grid
    tries: int
    tried: int
    cut: bool
    minimal: bool | None
    difficulty: Difficulty | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """No puzzle was found in the time, which proves nothing."""

    number: int
    tries: int
    reason: str


Wanted = Generator[Question, NDArray[np.int64], "Clues | str"]


def made(recipe: Recipe, numbers: Iterable[int]) -> Generator[Made | Failure, None, None]:
    """The puzzles of these numbers, in order; each follows from its number alone, unless a timeout strikes."""
    with closing(Workshop(recipe)) as workshop:
        pending, width = iter(numbers), 1  # one at first, so that hard ones do not hold up others
        while batch := list(islice(pending, width)):
            yield from workshop.work(batch)
            if recipe.board.cells <= MAX_SMALL:
                width = min(2 * width, AT_ONCE)


class Workshop:
    """One process's engines and source of grids; raises Refused if the board has no grid."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._session = Session()
        self._source: Grids = source(recipe.board, self._session)
        native = backends.engine(NATIVE)
        opened: Any = None if native.absent() else native.open(None, None)
        self._native = None if opened is None or opened.refuses(recipe.board) else opened

    def close(self) -> None:
        self._session.close()

    def work(self, numbers: list[int]) -> list[Made | Failure]:
        tries: dict[int, int] = {}
        # The puzzles take turns, so that their times run together.
        deadline = Deadline(THINNING * self._recipe.timeout * len(numbers))
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
            try:
                answers = self._answers(open)
            except TimeIsUp:
                done.update(dict.fromkeys(open, "the time was over"))
                break
            for number, counts in answers:
                advance(number, counts)
        return [self._finished(number, done[number], tries.get(number, 0)) for number in numbers]

    def _wanted(self, number: int, tries: dict[int, int], deadline: Deadline) -> Wanted:
        recipe = self._recipe
        random = Random(f"{recipe.seed}/{number}")
        way = thinned if recipe.pattern is None else fitted
        reason = "no grid was found"
        fewest = recipe.board.cells
        with suppress(TimeIsUp):
            while True:
                deadline.check()
                tries[number] = tries.get(number, 0) + 1
                asking: Asking = way(recipe, self._source, random, deadline)
                clues = yield from asking
                if clues is None:
                    reason = "no clues at these places had one solution"
                    continue
                given = sum(map(bool, clues.givens))
                if recipe.minimal and clues.minimal is not True:
                    reason = "no puzzle was minimal, as far as could be shown"
                elif recipe.givens is not None and given > recipe.givens[1]:
                    fewest = min(fewest, given)
                    reason = f"the fewest givens reached were {fewest}"
                elif not self._difficult(clues, deadline):
                    reason = "no puzzle had the difficulty"
                else:
                    return clues
        return reason

    def _difficult(self, clues: Clues, deadline: Deadline) -> bool:
        """Whether the difficulty is known to be what the recipe asks for."""
        levels = self._recipe.difficulty
        if levels is None:
            return True
        found = rate(Puzzle.from_givens(self._recipe.board, clues.givens), deadline.left())
        if found.ending is Ending.TIMEOUT:
            raise TimeIsUp
        return levels[0] <= found.level <= levels[1]

    def _answers(self, open: dict[int, Question]) -> list[tuple[int, NDArray[np.int64]]]:
        found: list[tuple[int, NDArray[np.int64]]] = []
        for limit in {question.limit for question in open.values()}:
            numbers = [number for number, question in open.items() if question.limit == limit]
            rows = np.concatenate([open[number].givens for number in numbers])
            owners = [number for number in numbers for _ in open[number].givens]
            counts = self._counts(rows, limit)
            for place in np.flatnonzero(counts < 0).tolist():
                counts[place] = self._answer(open[owners[place]], rows[place].tolist())
            ends = np.cumsum([len(open[number].givens) for number in numbers])
            found += zip(numbers, np.split(counts, ends[:-1]), strict=True)
        return found

    def _counts(self, rows: NDArray[np.uint16], limit: int) -> NDArray[np.int64]:
        """Solutions of each row up to the limit by the compiled search; -1 where that would take too long."""
        if self._native is None:
            return np.full(len(rows), -1, np.int64)
        # Bounded by nodes and not by time, so that the answer is the same on every machine.
        tallies = self._native.check_many(self._recipe.board, rows, Budget(limit, work=MAX_NODES * limit))
        return np.where(tallies.endings == PASSED, -1, tallies.counts)

    def _answer(self, question: Question, givens: list[int]) -> int:
        board = self._recipe.board
        puzzle = Puzzle.from_givens(board, givens)
        if question.grid is None or question.since is None:
            found = self._grids(puzzle, question.limit, question.deadline)
            return -1 if found is None else len(found)
        candidates = list(puzzle.candidates)
        # Another solution differs in one of the cells that lost their clue: the first such is each in turn.
        for cell in question.since:
            value = 1 << question.grid[cell]
            others = (*candidates[:cell], candidates[cell] & ~value, *candidates[cell + 1 :])
            found = self._grids(Puzzle(board, others), 1, question.deadline)
            if found is None:
                return -1
            if found:
                return 2
            candidates[cell] = value
        return 1

    def _grids(self, puzzle: Puzzle, most: int, deadline: Deadline) -> list[Grid] | None:
        """Up to `most` grids; None if that takes more work than one question is worth. Raises TimeIsUp.

        The work is counted in nodes and conflicts, and the SAT solver has no past: so a seed gives the same puzzles on
        every machine, however the puzzles are divided among processes.
        """
        if self._native is not None:
            known: dict[Grid, None] = {}
            with closing(self._native.begin(puzzle, deadline)) as run:
                ending = advance(run, MAX_OPEN_NODES, most, known)
            if ending is Ending.TIMEOUT:
                raise TimeIsUp
            if ending is not None:
                return list(known)
            if puzzle.board.cells > MAX_BY_SAT:
                return None
        with closing(backends.find(SAT)) as solver:
            if solver.refuses(puzzle.board):
                return None
            drain = Drain(solver.search(puzzle, Budget(most, deadline.left(), work=MAX_CONFLICTS)))
            grids = list(drain)
        if drain.result is Ending.TIMEOUT:
            deadline.check()
            return None
        return grids

    def _finished(self, number: int, clues: Clues | str, tries: int) -> Made | Failure:
        """What was made, confirmed by a session that does not know how it was found; raises WrongAnswer."""
        if isinstance(clues, str):
            return Failure(number, tries, clues)
        puzzle = Puzzle.from_givens(self._recipe.board, clues.givens, f"puzzle {number + 1}")
        outcome = self._session.run(puzzle, Budget(2, self._recipe.timeout))
        if outcome.verdict is Verdict.UNDECIDED:
            return Failure(number, tries, "the puzzle that was made could not be confirmed in the time")
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
            difficulty=rate(puzzle, self._recipe.timeout) if self._recipe.rate or self._recipe.difficulty else None,
        )
