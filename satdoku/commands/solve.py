"""`satdoku solve`: a solution of each puzzle, or more."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from satdoku.backends import Budget, Drain, Ending
from satdoku.batch.questions import UNDECIDED, Answer, Answers, Emit, Style
from satdoku.commands.asking import SearchRun, answer
from satdoku.commands.options import OUTPUT, All, Limit, Timeout, Timing, composed, option
from satdoku.commands.searches import (
    SearchQuestion,
    item_puzzle,
    limit_of,
    sentence,
    solution_pictures,
    solved_lines,
    table,
)
from satdoku.constraints import Grid
from satdoku.errors import InputError
from satdoku.formats.line import flat as line
from satdoku.generator.recipe import seed as random_seed
from satdoku.inputs.items import Block, Item
from satdoku.puzzle import Puzzle
from satdoku.terminal.texts import grid_drawing
from satdoku.verdict import Outcome, Session, Verdict, chosen

SOLVED, UNSOLVABLE = "solved", Verdict.UNSOLVABLE.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Solve(SearchQuestion):
    """Solutions of each puzzle, up to `limit`; None is all. With a seed, so many at random."""

    limit: Limit = 1
    every: All = False
    at_random: bool = option(
        OUTPUT, "Solutions at random, all equally likely: as many as --limit.", "--random", default=False
    )
    seed: int | None = option(OUTPUT, "Random seed of --random (random if omitted).")
    timeout: Timeout = None
    timing: Timing = False
    outcomes, pictures = (SOLVED, UNSOLVABLE, UNDECIDED), True
    words, statuses = (SOLVED, UNSOLVABLE), (0, 1)
    by_count = (1, 0, 0)

    @property
    def columns(self) -> Mapping[str, type]:
        return table(f"verdict {self._solution} ending backend seed:int seconds:float error")

    @property
    def _solution(self) -> str:
        """The field of the solutions: a text where there is one at most, else a list."""
        return "solution" if self.limit == 1 else "solutions"

    @property
    def one_by_one(self) -> bool:
        return self.timing or self.seed is not None

    def ask(self, session: Session, puzzle: Puzzle, emit: Emit | None) -> Outcome:
        if self.seed is not None:
            assert self.limit is not None
            return chosen(session, puzzle, self.limit, self.seed, self.timeout)
        search = Drain(session.search(puzzle, Budget(self.limit, self.timeout), keep=0 if emit else None))
        for grid in search:
            if emit:
                emit(grid)
        return search.result

    def view_text(self, item: Item, outcome: Outcome, style: Style) -> str | None:
        """What is left to say once the solutions were printed as they came, or all of it where they were not."""
        if outcome.grids:
            return "\n".join(self.grid_text(item, grid, style) for grid in outcome.grids)
        if outcome.count or style.alone:
            return None
        return f"{item.name}\t{_verdict(outcome).value}{self.timing_text(outcome, False)}"

    def grid_text(self, item: Item, grid: Grid, style: Style) -> str:
        board = item_puzzle(item).board
        if not style.alone:
            return f"{item.name}\t{SOLVED}\t{line(board, grid)}"
        return line(board, grid) if self.limit != 1 else grid_drawing(board, grid, style.boxed)

    def answered(self, item: Item, outcome: Outcome) -> Answer:
        verdict, puzzle = _verdict(outcome), item_puzzle(item)
        status = 3 if outcome.ending is Ending.TIMEOUT else int(not outcome.count)
        solutions = [line(puzzle.board, grid) for grid in outcome.grids]
        more = {} if self.seed is None else {"seed": self.seed}
        return Answer(
            status=status,
            outcome=SOLVED if outcome.count else verdict.value,
            record=self.record(self.about(item), outcome, solutions, more, puzzle.not_enforced),
            engine=outcome.answered_by,
            view=outcome,
            notes=(sentence(verdict, outcome, puzzle),) if self.alone and status else (),
            pictures=lambda: solution_pictures(puzzle, outcome.grids),
        )

    def fields(self, outcome: Outcome) -> Iterator[str]:
        yield from (self._solution, "ending", "backend")

    def texts(self, block: Block, answers: Answers) -> Sequence[str]:
        return [
            "\n".join(f"{name}\t{word}\t{grid}" for grid in grids) if grids else f"{name}\t{word}"
            for name, word, grids in solved_lines(block, answers)
        ]


def _verdict(outcome: Outcome) -> Verdict:
    return Verdict.UNDECIDED if outcome.ending is Ending.TIMEOUT else Verdict.UNSOLVABLE


@composed
def solve(run: SearchRun, own: Solve) -> None:
    """A solution of each puzzle, or more.

    Exit status: 0 all solved, 1 some have no solution, 2 invalid input, 3 some undecided.
    """
    limit = limit_of(own.limit, own.every, 1)
    if own.at_random and limit is None:
        raise InputError("--random draws as many solutions as --limit says: leave out --all, and --limit 0")
    if own.seed is not None and not own.at_random:
        raise InputError("--seed is for the random numbers of --random: add that, or leave out --seed")
    seed = random_seed(own.seed) if own.at_random else None
    answer(own.by(run.engine, limit=limit, seed=seed), run)
