"""The default: the policy of `satdoku.backends.schedule`, which depends on the board and the question alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from satdoku import backends
from satdoku.backends import Budget, Bulk, BulkResults, Counting, Ending, Engine, Prover
from satdoku.backends.schedule import ENCODED, NATIVE, POLICY, SAT, Purpose, Stage, carry_out, first_of, policy
from satdoku.backends.scheduled import Scheduled
from satdoku.constraints import Grid
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import Deadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula


class Auto(Scheduled):
    """The policy of the table, or the one for an encoding."""

    def __init__(self, encoding: str | None) -> None:
        super().__init__(_encoded if encoding else policy, encoding, NATIVE)
        if not self._here(NATIVE):
            self.chosen = SAT

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> BulkResults:
        """Rows that nothing here takes in bulk, or that pass the bound on nodes, are passed on."""
        (stage,) = self._policy(Purpose.MANY, board)
        for turn in stage.turns:
            name = first_of(turn, partial(self.takes, board))
            if name is not None:
                engine, self.chosen = self.engine(name), name
                if isinstance(engine, Bulk):
                    given = self._given(name, board)
                    engine.load(given)
                    return engine.check_many(given, givens, replace(budget, work=turn.work))
        return BulkResults.of(len(givens), board)

    def can_count(self, board: Board) -> bool:
        return self.takes(board, NATIVE)

    def count_solutions(
        self, puzzle: Puzzle, budget: Budget, seen: Callable[[int], None] | None = None
    ) -> tuple[int, Ending, tuple[Grid, ...]]:
        engine, self.chosen, self.tried = self.engine(NATIVE), NATIVE, ()
        assert isinstance(engine, Counting)
        engine.load(puzzle.board)
        return engine.count_solutions(puzzle, budget, seen)


def _encoded(question: Purpose, board: Board) -> Sequence[Stage]:
    return ENCODED


class AutoProver:
    """The provers of the policy, one after the other."""

    def __init__(self) -> None:
        self.name = NATIVE
        self._provers: dict[str, Prover] = {}

    def refute(
        self, formula: Formula, grid: Grid | None, deadline: Deadline, work: int | None = None
    ) -> Numbers | None:
        def attempt(name: str, work: int | None, until: Deadline) -> Numbers | None:
            if name not in self._provers:
                self._provers[name] = backends.prover(name)
            prover = self._provers[name]
            self.name = prover.name
            return prover.refute(formula, grid, until, work)

        stages = next(iter(POLICY[Purpose.PROOF].values()))
        return carry_out(stages, lambda name: backends.engine(name).absent() is None, attempt, deadline)


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
