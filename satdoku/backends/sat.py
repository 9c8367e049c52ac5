"""What all SAT engines share: the loop that asks for a model, decodes it, blocks it and asks again.

The clauses of a board stay loaded. Givens are assumptions; everything else that belongs to one search
(removed candidates of several literals, blocking clauses) hangs on a selector, released when it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satdoku.backends import Budget, Ending, Search, Tallies
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.live import Live
from satdoku.backends.oracle import OpenOracle
from satdoku.encoders.cnf import DEFAULT, Cnf
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Sat:
    """A backend from any oracle; `propagate_first` if that one propagates, and it pays to before a search."""

    def __init__(self, open_oracle: OpenOracle, encoding: str | None = None, propagate_first: bool = False) -> None:
        self._solver = IncrementalSolver(open_oracle, DEFAULT if encoding is None else encoding)
        self._propagate_first = propagate_first
        self._before: dict[str, int] = {}
        self._board: Board | None = None
        self._live = Live()

    def refuses(self, board: Board) -> str | None:
        return self._solver.refuses(board)

    def load(self, board: Board) -> None:
        if board is not self._board:
            self._live.close()  # its clauses are about to go
            self._board = board
        self._solver.load_board(board)

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        return self._live.start(self._run(puzzle, budget))

    def statistics(self) -> dict[str, int]:
        now = self._solver.statistics()
        return {figure: count - self._before.get(figure, 0) for figure, count in now.items()}

    def close(self) -> None:
        self._live.close()
        self._solver.close()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.seconds)
        self._board = puzzle.board
        cnf = self._solver.load_puzzle(puzzle)
        units, clauses = cnf.restrict(puzzle)
        self._before = self._solver.statistics()
        return (yield from self._grids(cnf, units, clauses, budget, deadline))

    def _grids(
        self, cnf: Cnf, units: list[int], clauses: list[list[int]], budget: Budget, deadline: Deadline
    ) -> Search:
        """The grids under assumed units and further clauses, which are taken back at the end."""
        solver = self._solver
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
        self._live.close()
        self._board = board
        tallies = Tallies.of(len(givens), board)
        cnf = self._solver.load_board(board)
        if cnf is None:
            return tallies
        values = range(board.values + 1)
        meaning = [
            [cnf.variables.literals(cell, value) if value else () for value in values] for cell in range(board.cells)
        ]
        for row, given in enumerate(givens.tolist()):
            units = [literal for cell, value in enumerate(given) if value for literal in meaning[cell][value]]
            self._solver.load(cnf.clauses)
            tallies.record(row, self._grids(cnf, units, [], budget, Deadline(budget.seconds)))
        return tallies
