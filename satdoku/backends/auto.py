"""The default: picks the engine by the board, and by whether many puzzles come.

Of many puzzles the compiled search takes those that it decides within some nodes, and always those that state
candidates: hard ones of 729 take it a tenth of a SAT solver's time or less. All others, and a puzzle that comes alone,
go to a SAT solver that keeps the board loaded; boards too large for clauses go to CP-SAT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from satdoku import backends
from satdoku.backends import Backend, Budget, Bulk, Ending, Engine, Preparing, Search, Statistics, Tallies
from satdoku.constraints import Grid
from satdoku.errors import InputError
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.backends.clock import Deadline
    from satdoku.backends.native import Native
    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula

SAT = "glucose4"
LARGE = "cpsat"
NATIVE = "native"
MANY = "many"

NODES = 2_000
"""Nodes that the compiled search may spend on one puzzle of many: some milliseconds, in which a SAT
solver decides most puzzles that branch so often."""


PROOF_NODES = 200
"""The same for a proof, where each node costs more."""


class Auto:
    """`chosen` names the engine that took the last search."""

    def __init__(self, many: bool, encoding: str | None) -> None:
        self._many = many and encoding is None
        self._encoding = encoding
        self._opened: dict[str, Backend] = {}
        self._board: Board | None = None
        self._searcher = SAT
        self.chosen = SAT

    def refuses(self, board: Board) -> str | None:
        if board is self._board:
            return None
        reason = self._engine(SAT).refuses(board)
        return reason if reason is None or self._encoding is not None else self._engine(LARGE).refuses(board)

    def load(self, board: Board) -> None:
        if board is not self._board:
            self._searcher = LARGE if self._engine(SAT).refuses(board) else SAT
            self._board = board
        self._engine(self._searcher).load(board)

    def prepare(self) -> None:
        native = None if not self._many or backends.engine(NATIVE).absent() else backends.find(NATIVE)
        if isinstance(native, Preparing):
            native.prepare()

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        native = self._native(puzzle.board) if self._encoding is None and _states_candidates(puzzle) else None
        if native is not None:
            native.load(puzzle.board)
            self.chosen = NATIVE
            return native.search(puzzle, budget)
        self.load(puzzle.board)
        self.chosen = self._searcher
        return self._engine(self._searcher).search(puzzle, budget)

    def statistics(self) -> dict[str, int]:
        engine = self._opened.get(self.chosen)
        return engine.statistics() if isinstance(engine, Statistics) else {}

    def close(self) -> None:
        for engine in self._opened.values():
            engine.close()

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> Tallies:
        """Rows that nothing here takes in bulk, or that pass the bound on nodes, are passed on."""
        native = self._native(board) if self._many else None
        if native is not None:
            native.load(board)
            self.chosen = NATIVE
            return native.check_many(board, givens, budget, NODES)
        engine = self._engine(self._searcher)
        self.chosen = self._searcher
        return engine.check_many(board, givens, budget) if isinstance(engine, Bulk) else Tallies.of(len(givens), board)

    def tallies(self, board: Board) -> bool:
        native = None if self._encoding is not None else self._native(board)
        return native is not None and native.tallies(board)

    def tally(self, puzzle: Puzzle, budget: Budget) -> tuple[int, Ending, tuple[Grid, ...]]:
        native = self._native(puzzle.board)
        assert native is not None
        native.load(puzzle.board)
        self.chosen = NATIVE
        return native.tally(puzzle, budget)

    def _native(self, board: Board) -> Native | None:
        """The compiled search, where it is installed and takes the board."""
        if backends.engine(NATIVE).absent():
            return None
        if NATIVE not in self._opened:
            self._opened[NATIVE] = backends.find(NATIVE)
        native: Any = self._opened[NATIVE]
        return None if native.refuses(board) else native

    def _engine(self, name: str) -> Backend:
        if name not in self._opened:
            self._opened[name] = backends.find(name, self._encoding if name == SAT else None)
        return self._opened[name]


def _states_candidates(puzzle: Puzzle) -> bool:
    """Whether some cell is neither open nor given."""
    return any(allowed & (allowed - 1) and allowed != puzzle.board.every_value for allowed in puzzle.candidates)


class AutoProver:
    """The search where it is installed and comes to an end within some nodes, else a SAT solver."""

    def __init__(self) -> None:
        from satdoku.backends.native import Refuter

        self.name = SAT
        self._first = None if backends.engine(NATIVE).absent() else Refuter(PROOF_NODES)
        self._then = backends.prover(SAT)

    def refute(self, formula: Formula, grid: Grid | None, deadline: Deadline) -> Numbers | None:
        proof = None if self._first is None else self._first.refute(formula, grid, deadline)
        self.name = SAT if proof is None else NATIVE
        return self._then.refute(formula, grid, deadline) if proof is None else proof


def _open(argument: str | None, encoding: str | None) -> Auto:
    if argument not in (None, MANY):
        raise InputError(f"backend auto:{argument}: expected auto, or auto:{MANY} where many puzzles come")
    return Auto(argument == MANY, encoding)


ENGINES = (
    Engine(
        name="auto",
        summary="picks among native, glucose4 and cpsat by board and number of puzzles",
        open=_open,
        requires=("pysat",),
        encodes=True,
        argument=f"{MANY}, where many puzzles come",
        prover=lambda argument: AutoProver(),
    ),
)
