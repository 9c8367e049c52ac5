"""What all SAT engines share: ask for a model, decode it, block it, ask again, on clauses that stay loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from satdoku.backends import Budget, Ending, Live, Search, Tallies
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.oracle import OpenOracle
from satdoku.encoders.cnf import DEFAULT, Cnf
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Sat(Live):
    """A backend from any oracle; `propagate_first` if that one propagates, and it pays to before a search."""

    def __init__(self, open_oracle: OpenOracle, encoding: str | None = None, propagate_first: bool = False) -> None:
        super().__init__()
        self._new_solver = partial(IncrementalSolver, open_oracle, DEFAULT if encoding is None else encoding)
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

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.seconds, conflicts=budget.conflicts)
        self._loaded = puzzle.board
        with self._lend() as solver:
            cnf = solver.load_puzzle(puzzle)
            units, clauses = cnf.restrict(puzzle)
            before = solver.statistics()
            try:
                return (yield from self._grids(solver, cnf, units, clauses, budget, deadline))
            finally:
                now = solver.statistics()
                self._statistics = {figure: count - before.get(figure, 0) for figure, count in now.items()}

    def _grids(
        self,
        solver: IncrementalSolver,
        cnf: Cnf,
        units: list[int],
        clauses: list[list[int]],
        budget: Budget,
        deadline: Deadline,
    ) -> Search:
        if self._propagate_first and budget.solutions != 0 and not clauses:
            consistent, literals = solver.propagate(units)
            if not consistent:
                return Ending.EXHAUSTED
            if len(literals) >= cnf.clauses.variables:
                yield cnf.read(literals)[0]
                return Ending.LIMIT if budget.solutions == 1 else Ending.EXHAUSTED
        given = set(units)
        selector = 0
        found = 0
        try:
            while budget.solutions is None or found < budget.solutions:
                for clause in clauses:
                    selector = selector or solver.new_selector()
                    solver.add_clause(-selector, *clause)
                model = solver.solve([*units, selector] if selector else units, deadline)
                if model is None:
                    return Ending.EXHAUSTED
                grid, true = cnf.read(model)
                found += 1
                yield grid
                # The givens are assumed throughout, so the clause need not repeat them.
                clauses = [[-literal for literal in true if literal not in given]]
            return Ending.LIMIT
        except TimeIsUp:
            return Ending.TIMEOUT
        finally:
            if selector:
                solver.release(selector)

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> Tallies:
        """Row by row on the loaded clauses; on a board that is reduced by each puzzle's givens all are passed on."""
        tallies = Tallies.of(len(givens), board)
        with self._lend() as solver:
            cnf = solver.load_board(board)
            if cnf is None:
                return tallies
            values = range(1, board.values + 1)
            literals = [[(), *(cnf.variables.literals(cell, v) for v in values)] for cell in range(board.cells)]
            for row, given in enumerate(givens.tolist()):
                units = [literal for cell, value in enumerate(given) if value for literal in literals[cell][value]]
                solver.load(cnf.clauses)
                search = self._grids(solver, cnf, units, [], budget, Deadline(budget.seconds))
                tallies.record(row, search)
        return tallies
