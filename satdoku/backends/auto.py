"""The default: picks the engines by the puzzle and by what is asked of it.

The compiled search takes turns with a SAT solver, counted in nodes and conflicts, so that which of them answers does
not depend on the machine. Of many puzzles in one call the compiled search takes those that it decides within some
nodes; where more than a few solutions are asked for, all. Boards too large for clauses go to CP-SAT. What is not
decided after ten seconds, or is above 25x25, several engines race for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from satdoku import backends
from satdoku.backends import Backend, Budget, Bulk, Drain, Ending, Engine, Search, Statistics, Tallies
from satdoku.backends.alternate import MAX_SOLUTIONS, NATIVE, SAT, Turns, advance
from satdoku.backends.clock import Deadline
from satdoku.constraints import Grid
from satdoku.implied import strengthened
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.backends.native import Native
    from satdoku.backends.race import Race
    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula

LARGE = "cpsat"
RACE = "race"
PERSISTENT = "cadical153"  # some of the longest proofs take it half as long, with checking; most others longer

# What races, on variants with `native`: Kissat is the one for 64x64, CP-SAT for large sums and automata.
ENTRANTS = ("kissat404", "cpsat", "glucose4")
MAX_VALUES_ALONE = 25  # values of a board that one engine is given; on larger ones several race from the start
OWN_SECONDS = 10.0  # what a puzzle is given before several engines race
STEP_NODES = 5_000  # of the compiled search in a race, between two looks at the others: some 50 ms
NODES = 2_000  # nodes for one puzzle of many: some ms, in which a SAT solver decides most that branch so often
PROOF_WORK = 1 << 29  # steps of a proof times integers of the formula: 10,000 steps, 5,000 conflicts, of a 9x9 killer
PROOF_CONFLICTS = 200_000  # of the first solver before the second one is asked: some ten seconds on 9x9


class Auto:
    def __init__(self, encoding: str | None) -> None:
        self._encoding = encoding
        self._opened: dict[str, Backend] = {}
        self._board: Board | None = None
        self._searcher = SAT
        self._figures: dict[str, int] | None = None
        self._compiled = encoding is None and backends.engine(NATIVE).absent() is None
        self.chosen = NATIVE if self._compiled else SAT

    def refuses(self, board: Board) -> str | None:
        if board is self._board or (board.values <= MAX_VALUES_ALONE and self._native(board) is not None):
            return None
        reason = self._engine(SAT).refuses(board)
        return reason if reason is None or self._encoding is not None else self._engine(LARGE).refuses(board)

    def load(self, board: Board) -> None:
        native = self._native(board) if board.values <= MAX_VALUES_ALONE else None
        if board is not self._board:
            self._searcher = self._by_clauses(board) if native is None else SAT
            if self._searcher == SAT and board.values > MAX_VALUES_ALONE and self._entrants():
                self._searcher = RACE
            self._board = board
        if native is not None:
            native.load(board)  # the solvers take the board where their turn comes
        else:
            self._engine(self._searcher).load(self._strengthened(board))

    def _by_clauses(self, board: Board) -> str:
        """The SAT solver, or what takes boards that are too large for clauses."""
        return LARGE if self._engine(SAT).refuses(board) else SAT

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        board = puzzle.board
        self.load(board)
        self.chosen, self._figures = self._searcher, None
        few = budget.solutions is not None and budget.solutions <= MAX_SOLUTIONS
        alone = board.values > MAX_VALUES_ALONE or budget.solutions == 0
        native = None if alone else self._native(board)
        if native is not None and few:
            return self._told(self._in_turns(puzzle, native, budget))
        if native is not None:
            self.chosen = NATIVE
            return native.search(puzzle, budget)
        search = partial(self._engine(self._searcher).search, self._strong(puzzle))
        if not few or budget.solutions == 0 or self._searcher == RACE or not self._entrants():
            return self._told(search(budget=budget))
        return self._told(self._then_race(search, puzzle, budget))

    def _told(self, search: Search) -> Search:
        ending = yield from search
        if self.chosen == RACE:
            race = cast("Race", self._engine(RACE))
            self.chosen = f"{RACE}:{race.chosen}"  # the one case in which the machine decides who answers
            self._figures = race.statistics()
        return ending

    def _then_race(self, alone: Callable[..., Search], puzzle: Puzzle, budget: Budget) -> Search:
        """The search of one engine for some seconds; what it does not decide then, several do at once."""
        deadline = Deadline(budget.seconds)
        drain = Drain(alone(budget=replace(budget, seconds=_own(budget))))
        known = list(drain)
        if drain.result is Ending.TIMEOUT and not deadline.passed():
            self.chosen = RACE
            race = self._engine(RACE)
            drain = Drain(race.search(self._strong(puzzle), replace(budget, seconds=deadline.left())))
            raced = list(drain)
            known = raced if drain.result is Ending.EXHAUSTED else list(dict.fromkeys([*known, *raced]))
        yield from known[: budget.solutions]
        return Ending.LIMIT if len(known) >= (budget.solutions or 0) else drain.result

    def _in_turns(self, puzzle: Puzzle, native: Native, budget: Budget) -> Search:
        """Compiled search and SAT in turns for some seconds; then the compiled search goes on beside several others."""
        assert budget.solutions is not None
        deadline, most, strong = Deadline(budget.seconds), budget.solutions, self._strong

        def by_sat(until: Deadline) -> Ending:
            self.chosen = self._by_clauses(puzzle.board)
            turn = Budget(most, until.left(), conflicts=until.conflicts if self.chosen == SAT else None)
            drain = Drain(self._engine(self.chosen).search(strong(puzzle), turn))
            turns.known.update(dict.fromkeys(drain))
            return drain.result

        with closing(native.begin(puzzle)) as run:
            turns = Turns(puzzle=puzzle, run=run, by_sat=by_sat, chosen=self._choose)
            ending = turns.search(most, Deadline(_own(budget)))
            self._figures = {"nodes": run.nodes() or 0} if self.chosen == NATIVE else None
            if ending is Ending.TIMEOUT and not deadline.passed() and self._entrants():
                self.chosen, race = RACE, cast("Race", self._engine(RACE))
                step = partial(advance, run, STEP_NODES, most, turns.known, deadline)
                ending, raced = race.beside(strong(puzzle), replace(budget, seconds=deadline.left()), step)
                turns.known.update(dict.fromkeys(raced))
        yield from list(turns.known)[:most]
        return Ending.LIMIT if len(turns.known) >= most else ending

    def _entrants(self) -> tuple[str, ...]:
        variant = self._searcher == RACE and self._board is not None and self._board.others
        names = (NATIVE, *ENTRANTS) if variant else ENTRANTS
        here = tuple(name for name in names if backends.engine(name).absent() is None)
        return here if len(here) > 1 and self._encoding is None else ()

    def _strengthened(self, board: Board) -> Board:
        return board if self._encoding is not None else strengthened(board)

    def _strong(self, puzzle: Puzzle) -> Puzzle:
        return Puzzle(self._strengthened(puzzle.board), puzzle.candidates, puzzle.name)

    def _choose(self, name: str) -> None:
        self.chosen = name

    def statistics(self) -> dict[str, int]:
        if self._figures is not None:
            return self._figures
        engine = self._opened.get(self.chosen)
        return engine.statistics() if isinstance(engine, Statistics) else {}

    def close(self) -> None:
        for engine in self._opened.values():
            engine.close()

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> Tallies:
        """Rows that nothing here takes in bulk, or that pass the bound on nodes, are passed on."""
        native = self._native(board)
        if native is not None:
            native.load(board)
            self.chosen = NATIVE
            return native.check_many(board, givens, budget, NODES)
        engine, board = self._engine(self._searcher), self._strengthened(board)
        self.chosen = self._searcher
        return engine.check_many(board, givens, budget) if isinstance(engine, Bulk) else Tallies.of(len(givens), board)

    def tallies(self, board: Board) -> bool:
        native = self._native(board)
        return native is not None and native.tallies(board)

    def tally(
        self, puzzle: Puzzle, budget: Budget, seen: Callable[[int], None] | None = None
    ) -> tuple[int, Ending, tuple[Grid, ...]]:
        native = self._native(puzzle.board)
        assert native is not None
        native.load(puzzle.board)
        self.chosen = NATIVE
        return native.tally(puzzle, budget, seen)

    def _native(self, board: Board) -> Native | None:
        """The compiled search, where it is here and takes the board, and no encoding asks for a SAT solver."""
        if not self._compiled:
            return None
        if NATIVE not in self._opened:
            self._opened[NATIVE] = backends.find(NATIVE)
        native = cast("Native", self._opened[NATIVE])
        return None if native.refuses(board) else native

    def _engine(self, name: str) -> Backend:
        full = f"{RACE}:{','.join(self._entrants())}" if name == RACE else name
        if full not in self._opened:
            self._opened[full] = backends.find(full, self._encoding if name == SAT else None)
        return self._opened[full]


def _own(budget: Budget) -> float:
    return OWN_SECONDS if budget.seconds is None else min(OWN_SECONDS, budget.seconds)


class AutoProver:
    """The compiled search where it ends within some steps, else a SAT solver for PROOF_CONFLICTS, then another."""

    def __init__(self) -> None:
        from satdoku.backends.refuter import Refuter

        self.name = SAT
        self._first = Refuter(PROOF_WORK)
        self._solvers = backends.prover(SAT), backends.prover(PERSISTENT)

    def refute(self, formula: Formula, grid: Grid | None, deadline: Deadline) -> Numbers | None:
        proof = self._first.refute(formula, grid, deadline)
        self.name = self._first.name
        limits = Deadline(deadline.left(), conflicts=PROOF_CONFLICTS), deadline
        for solver, limit in zip(self._solvers, limits, strict=True):
            if proof is None and not deadline.passed():
                proof = solver.refute(formula, grid, limit)
                self.name = solver.name
        return proof


ENGINES = (
    Engine(
        name="auto",
        summary="picks among native, glucose4 and cpsat by the puzzle and what is asked of it",
        open=lambda argument, encoding: Auto(encoding),
        requires=("pysat",),
        encodes=True,
        prover=lambda argument: AutoProver(),
    ),
)
