"""A backend that carries out a policy: it hands its searches to other engines, in turns or at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from satdoku import backends
from satdoku.backends import Backend, BaseBackend, Budget, Drain, Ending, Search, Statistics
from satdoku.backends.schedule import MAX_SOLUTIONS, NATIVE, Policy, Purpose, Stage, carry_out, entrants, first_of
from satdoku.backends.stepping import SteppedRun, Stepper, advance
from satdoku.backends.swaps import exchanged, swappable
from satdoku.constraints import Grid
from satdoku.errors import Refused
from satdoku.implied import strengthened
from satdoku.limits import bounded_time
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import Deadline, TimeIsUp

if TYPE_CHECKING:
    from satdoku.backends.entrants import Race

RACE = "race"
STEP_NODES = 5_000  # of a search in a race, between two looks at the others: some 50 ms


class Scheduled(BaseBackend):
    """`chosen` depends on what the machine does in one case, a race, and is then `race:NAME`."""

    def __init__(self, policy: Policy, encoding: str | None, chosen: str) -> None:
        """chosen: the engine that is named before the first search"""
        super().__init__()
        self._policy, self._encoding, self.chosen = policy, encoding, chosen
        self._opened: dict[str, Backend] = {}
        self._races: dict[tuple[str, ...], Race] = {}
        self._board: Board | None = None
        self._taken: dict[str, bool] = {}
        self._stages: dict[Purpose, Sequence[Stage]] = {}
        self._last: Backend | None = None
        self.tried: tuple[str, ...] = ()

    def refuses(self, board: Board) -> str | None:
        if self._begin(board, Purpose.FEW):
            return None
        stage = self._policy(Purpose.FEW, board)[0]
        if stage.at_once:
            return self.race(entrants(stage)).refuses(board)
        return self.engine(stage.turns[-1].engines[0]).refuses(board)

    def load(self, board: Board) -> None:
        """Load it into the engine that begins; the others take it where their turn comes."""
        stage = self._begin(board, Purpose.FEW)[0]
        if not stage.at_once:
            name = self._first(board, stage)
            self.engine(name).load(self._given(name, board))

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        few = budget.limit is not None and budget.limit <= MAX_SOLUTIONS
        stages = self._begin(puzzle.board, Purpose.FEW if few else Purpose.ALL)
        self.tried, self._last = (), None
        if stages[0].at_once:
            race = self.race(entrants(stages[0]))
            ending = yield from race.search(self.given(RACE, puzzle), budget)
            self.chosen, self._last = f"{RACE}:{race.chosen}", race
            return ending
        if few and budget.limit and (len(stages) > 1 or len(stages[0].turns) > 1):
            return (yield from self._by_turns(puzzle, budget, budget.limit, stages))
        if not few and len(stages[0].turns) > 1:
            return (yield from self._few_first(puzzle, budget, stages))
        return (yield from self._alone(puzzle, budget, stages[0]))

    def _alone(self, puzzle: Puzzle, budget: Budget, stage: Stage) -> Search:
        """By the first engine that takes the board and does not refuse the puzzle."""
        deadline, refusal = Deadline(budget.timeout), None
        for name in filter(
            partial(self.takes, puzzle.board), chain.from_iterable(turn.engines for turn in stage.turns)
        ):
            self.chosen, self._last = name, self.engine(name)
            search = self._last.search(self.given(name, puzzle), replace(budget, timeout=deadline.left()))
            try:
                return (yield from search)
            except Refused as error:
                self.tried, refusal = (*self.tried, name), refusal or error
        assert refusal is not None, "the stage begins with an engine that takes the board"
        raise refusal

    def _few_first(self, puzzle: Puzzle, budget: Budget, stages: Sequence[Stage]) -> Search:
        """Up to MAX_SOLUTIONS by the first stage; if there are more, all of them by the last one."""
        deadline, known = Deadline(budget.timeout), set[Grid]()
        few = Drain(self._by_turns(puzzle, budget, MAX_SOLUTIONS, stages[:1]))
        for grid in few:
            known.add(grid)
            yield grid
        if few.result is not Ending.LIMIT:
            return few.result
        left = None if budget.limit is None else budget.limit - len(known)
        search = self._alone(puzzle, replace(budget, timeout=deadline.left()), stages[-1])
        more = Drain(search)
        with closing(search):
            for grid in more:
                if grid in known:
                    continue
                if left == 0:
                    return Ending.LIMIT
                left = None if left is None else left - 1
                yield grid
        return more.result

    def _by_turns(self, puzzle: Puzzle, budget: Budget, solutions: int, stages: Sequence[Stage]) -> Search:
        deadline = Deadline(budget.timeout)
        turns = _TurnTaking(self, puzzle, solutions, deadline)
        with closing(turns):
            ending = carry_out(stages, turns.takes, turns.alone, deadline, turns.at_once) or turns.undecided()
        self.chosen, self._last = turns.asked[-1], turns.last
        self.tried = tuple(dict.fromkeys(name for name in turns.asked if name != self.chosen))
        yield from list(turns.known)[:solutions]
        return Ending.LIMIT if len(turns.known) >= solutions else ending

    def statistics(self) -> dict[str, int]:
        return self._last.statistics() if isinstance(self._last, Statistics) else {}

    def close(self) -> None:
        super().close()
        for engine in (*self._opened.values(), *self._races.values()):
            engine.close()

    def _begin(self, board: Board, question: Purpose) -> Sequence[Stage]:
        """The policy from the first stage on that has an engine for the board; empty if none has."""
        self._turn_to(board)
        if question not in self._stages:
            stages = self._policy(question, board)
            begins = (number for number, stage in enumerate(stages) if self._first(board, stage))
            self._stages[question] = stages[next(begins, len(stages)) :]
        return self._stages[question]

    def _turn_to(self, board: Board) -> None:
        """Forget what is known of another board."""
        if board is not self._board:
            self._board, self._taken, self._stages = board, {}, {}

    def _first(self, board: Board, stage: Stage) -> str:
        """The engine that begins a stage, RACE if several do; empty if it has none for the board."""
        if stage.at_once:
            names = entrants(stage)
            return RACE if names and self.race(names).refuses(board) is None else ""
        return next(filter(None, (first_of(turn, partial(self.takes, board)) for turn in stage.turns)), "")

    def takes(self, board: Board, name: str) -> bool:
        self._turn_to(board)
        if name not in self._taken:
            here = name in self._opened or self._here(name)
            self._taken[name] = here and self.engine(name).refuses(board) is None
        return self._taken[name]

    def _here(self, name: str) -> bool:
        """Whether an engine runs here, and takes the encoding that is asked for, if any."""
        row = backends.engine(name)
        return (row.encodes or not self._encoding) and row.absent() is None

    def engine(self, name: str) -> Backend:
        if name not in self._opened:
            self._opened[name] = backends.find(name, self._encoding)
        return self._opened[name]

    def race(self, names: Sequence[str]) -> Race:
        from satdoku.backends.entrants import Race

        key = tuple(names)
        if key not in self._races:
            self._races[key] = Race(names, self._encoding)
        return self._races[key]

    def given(self, name: str, puzzle: Puzzle) -> Puzzle:
        """The puzzle as an engine is given it: with implied sums, which the compiled search finds itself."""
        return puzzle if name == NATIVE else replace(puzzle, board=self._given(name, puzzle.board))

    def _given(self, name: str, board: Board) -> Board:
        return board if name == NATIVE or self._encoding is not None else strengthened(board)


class _TurnTaking:
    """One puzzle, whose engines take turns.

    known:   the grids that they have found, in that order
    asked:   the names of the engines that were asked, in order
    last:    the last of them
    refused: why those that refused the puzzle did, which are not asked again
    """

    def __init__(self, owner: Scheduled, puzzle: Puzzle, solutions: int, deadline: Deadline) -> None:
        self._owner, self._puzzle, self._solutions, self._deadline = owner, puzzle, solutions, deadline
        self._runs: dict[str, SteppedRun] = {}
        self._swaps = swappable(puzzle.board)  # whether they are still to be looked for
        self.known: dict[Grid, None] = {}
        self.asked: list[str] = []
        self.last: Backend | None = None
        self.refused: dict[str, Refused] = {}

    def takes(self, name: str) -> bool:
        return name not in self.refused and self._owner.takes(self._puzzle.board, name)

    def alone(self, name: str, work: int | None, until: Deadline) -> Ending | None:
        self.asked.append(name)
        self.last = self._owner.engine(name)
        try:
            ending = self._search(name, self.last, work, until)
        except Refused as error:
            self.refused[name] = error
            return None
        return ending or self._by_swaps()

    def undecided(self) -> Ending:
        """How a search that decides nothing ends; raises Refused where all that were asked have refused the puzzle."""
        if self.refused and self.refused.keys() >= set(self.asked):
            searching = [error for name, error in self.refused.items() if backends.engine(name).searches]
            raise (searching or list(self.refused.values()))[0]
        return Ending.TIMEOUT

    def _search(self, name: str, engine: Backend, work: int | None, until: Deadline) -> Ending | None:
        if isinstance(engine, Stepper):
            run = self._runs.get(name)
            if run is None:
                try:
                    # Not by the end of the stage: what is made for a search serves it in the next stage, too.
                    with bounded_time(self._deadline.left()):
                        run = self._runs[name] = engine.begin(self._owner.given(name, self._puzzle), until)
                except TimeIsUp:
                    return None
            run.deadline = until
            return _decided(advance(run, work, self._solutions, self.known))
        drain = Drain(engine.search(self._owner.given(name, self._puzzle), Budget(self._solutions, until.left())))
        self.known.update(dict.fromkeys(drain))
        return _decided(drain.result)

    def _by_swaps(self) -> Ending | None:
        """Solutions like the first one that was found, where they are looked for and are enough."""
        if self._swaps and self.known:
            self._swaps = False
            for grid in exchanged(self._puzzle, next(iter(self.known))):
                self.known[grid] = None
                if len(self.known) >= self._solutions:
                    return Ending.LIMIT
        return None

    def at_once(self, names: list[str], until: Deadline) -> Ending | None:
        """The compiled search goes on here, if it has begun and is named; others begin in processes of their own."""
        run = self._runs.get(NATIVE) if NATIVE in names else None
        away = {*self.refused, *self._runs.keys() & {NATIVE}}
        names = [name for name in names if name not in away]
        if not names:
            return None
        race, step = self._owner.race(names), None
        if run is not None:
            run.deadline = until
            step = partial(advance, run, STEP_NODES, self._solutions, self.known)
        puzzle, budget = self._owner.given(RACE, self._puzzle), Budget(self._solutions, until.left())
        drain = Drain(race.beside(step, puzzle, budget))
        try:
            self.known.update(dict.fromkeys(drain))
        except Refused as error:
            self.asked += names
            self.refused |= dict.fromkeys(names, error)
            return None
        self.last = race
        self.asked.append(f"{RACE}:{race.chosen}")
        return drain.result  # decided, or the deadline has come

    def close(self) -> None:
        for run in self._runs.values():
            run.close()


def _decided(ending: Ending | None) -> Ending | None:
    return None if ending is Ending.TIMEOUT else ending
