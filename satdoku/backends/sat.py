"""What all SAT engines share: ask for a model, decode it, block it, ask again, on clauses that stay loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from satdoku.backends import Budget, BulkResults, Ending
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.oracle import OpenOracle, bounded
from satdoku.backends.stepping import Stepper, searched
from satdoku.constraints import Grid
from satdoku.encoders.cnf import Cnf, Encoding
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import Deadline, TimeIsUp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Sat(Stepper):
    """A backend from any oracle; `propagate_first` if that one propagates, and it pays to before a search."""

    def __init__(
        self,
        open_oracle: OpenOracle,
        encoding: str | Encoding | None = None,
        propagate_first: bool = False,
        solver: type[IncrementalSolver] = IncrementalSolver,
    ) -> None:
        super().__init__()
        self._new_solver = partial(solver, open_oracle, encoding)
        self._solver: IncrementalSolver | None = self._new_solver()
        self._loaded: Board | None = None
        self._propagate_first = propagate_first

    def refuses(self, board: Board) -> str | None:
        if board is self._loaded:
            return None
        with self._lend() as solver:
            return solver.refuses(board)

    def load(self, board: Board) -> None:
        if board is not self._loaded:
            with self._lend() as solver:
                solver.load_board(board)
            self._loaded = board

    def close(self) -> None:
        super().close()
        with self._lend() as solver:
            solver.close()

    @contextmanager
    def _lend(self) -> Iterator[IncrementalSolver]:
        """The solver that was kept; each search has one to itself, and the last one that is put back is kept."""
        solver, self._solver = self._solver or self._new_solver(), None
        try:
            yield solver
        finally:
            if self._solver is not None:
                self._solver.close()
            self._solver = solver

    def begin(self, puzzle: Puzzle, deadline: Deadline) -> SatRun:
        self._loaded = puzzle.board
        with ExitStack() as stack:
            solver = stack.enter_context(self._lend())
            cnf = solver.load_puzzle(puzzle)
            units, clauses = cnf.restrict(puzzle)
            before = solver.statistics()
            stack.callback(self._count, solver, before)
            run = SatRun(solver, cnf, units, clauses, deadline, self._propagate_first)
            run.begin(before.get("conflicts", 0), stack.pop_all())
        return run

    def _count(self, solver: IncrementalSolver, before: dict[str, int]) -> None:
        now = solver.statistics()
        self._statistics = {figure: count - before.get(figure, 0) for figure, count in now.items()}

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> BulkResults:
        """Row by row on the loaded clauses; on a board that is reduced by each puzzle's givens all are passed on."""
        results = BulkResults.of(len(givens), board)
        with self._lend() as solver:
            cnf = solver.load_board(board, many=True)
            if cnf is None:
                return results
            values = range(1, board.values + 1)
            literals = [[(), *(cnf.variables.literals(cell, v) for v in values)] for cell in range(board.cells)]
            for row, given in enumerate(givens.tolist()):
                units = [literal for cell, value in enumerate(given) if value for literal in literals[cell][value]]
                solver.load(cnf.clauses)
                run = SatRun(solver, cnf, units, [], Deadline(budget.timeout), self._propagate_first)
                with closing(run):
                    results.record(row, searched(run, budget))
        return results


class SatRun:
    """One puzzle on clauses that stay loaded: what is of it alone hangs on a selector. Its work is conflicts."""

    def __init__(
        self,
        solver: IncrementalSolver,
        cnf: Cnf,
        units: list[int],
        clauses: list[list[int]],
        deadline: Deadline,
        propagate_first: bool,
    ) -> None:
        self._solver, self._cnf, self._units, self.deadline = solver, cnf, units, deadline
        self._clauses = clauses  # to be added before the next solve
        self._given = set(units)
        self._selector = 0
        self._propagate = propagate_first and not clauses
        self._exhausted = False
        self._before, self._stack = 0, ExitStack()
        self.grids: list[Grid] = []

    def begin(self, conflicts: int, stack: ExitStack) -> None:
        """conflicts: of the solver before this run; stack: is closed with it"""
        self._before, self._stack = conflicts, stack

    @property
    def work(self) -> int:
        return self._solver.conflicts - self._before

    def advance(self, work: int | None = None) -> Ending | None:
        if self._exhausted:
            return Ending.EXHAUSTED
        if self._decided():
            return None if self.grids else Ending.EXHAUSTED
        for clause in self._clauses:
            self._selector = self._selector or self._solver.new_selector()
            self._solver.add_clause(-self._selector, *clause)
        self._clauses = []
        assumed = [*self._units, self._selector] if self._selector else self._units
        try:
            model = self._solver.solve(assumed, bounded(self.deadline, work))
        except TimeIsUp:
            return Ending.TIMEOUT if work is None or self.deadline.passed() else None
        if model is None:
            return Ending.EXHAUSTED
        grid, true = self._cnf.read(model)
        self.grids.append(grid)
        # The givens are assumed throughout, so the clause need not repeat them.
        self._clauses = [[-literal for literal in true if literal not in self._given]]
        return None

    def _decided(self) -> bool:
        """Whether propagation alone shows that there is no grid, or one, which is then found."""
        if not self._propagate:
            return False
        self._propagate = False
        consistent, literals = self._solver.propagate(self._units)
        if consistent and len(literals) < self._cnf.clauses.variables:
            return False
        if consistent:
            self.grids.append(self._cnf.read(literals)[0])
        self._exhausted = True
        return True

    def close(self) -> None:
        if self._selector:
            self._solver.release(self._selector)
            self._selector = 0
        self._stack.close()
