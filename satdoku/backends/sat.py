"""What all SAT engines share: the loop that asks for a model, decodes it, blocks it and asks again.

The rules stay loaded. Givens are assumptions; everything else that belongs to one search (removed
candidates of several literals, blocking clauses) hangs on an activation literal that is retired
when the search ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from satdoku.backends import ENDINGS, PASSED, Budget, Ending, Search, Tallies
from satdoku.backends.clock import Deadline
from satdoku.backends.live import Live
from satdoku.encoders.cnf import DEFAULT, PAIRWISE, Cnf, at_most_one_size, automaton_size, encode, find, reduced_size
from satdoku.errors import Refused
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REBUILD_AFTER = 300
"""Searches with an activation literal before the solver is made anew: each leaves a variable that
every later model carries, and the rate over a long file falls to a quarter without this."""


WHOLE = 5_000_000
"""Clauses beyond which rules are not loaded whole but reduced by each puzzle's givens."""

MOST_CLAUSES = 50_000_000
"""Clauses beyond which a puzzle is refused: 33 million take python-sat a minute and 4 GB."""

MOST_STEPS = 10_000_000
"""Steps of automata (transitions times cells) beyond which a board is refused; a third become clauses."""


class Oracle(Protocol):
    """A SAT solver with the rules of one board in it."""

    def add(self, clause: list[int]) -> None:
        """Add a clause for good."""

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        """A model as signed literals; EXHAUSTED if there is none; TIMEOUT."""

    def statistics(self) -> dict[str, int]:
        """What the solver has counted since it was made; empty if it tells nothing."""

    def implied(self, assumptions: list[int]) -> list[int] | Ending | None:
        """What unit propagation alone gives; EXHAUSTED if that is a contradiction; None where it does not pay."""

    def close(self) -> None: ...


class Sat:
    """A backend from any oracle; `open_oracle` makes one that has loaded a board's clauses.

    A board too large to load whole is reduced by each puzzle's givens, where the encoding allows.
    """

    def __init__(self, open_oracle: Callable[[Cnf], Oracle], encoding: str | None = None) -> None:
        self._open_oracle = open_oracle
        self._spec = find(DEFAULT if encoding is None else encoding)
        self._board: Board | None = None
        self._reduces = self._spec.reduced
        self._cnf: Cnf | None = None
        self._oracle: Oracle | None = None
        self._guards = 0
        self._before: dict[str, int] = {}
        self._live = Live()

    def refuses(self, board: Board) -> str | None:
        if board is self._board:
            return None
        steps = automaton_size(board)
        if sum(steps.values()) > MOST_STEPS:
            largest = max(steps, key=steps.__getitem__)
            return f"{largest} and rules like it are too large as clauses; cpsat takes them as they are"
        clauses = at_most_one_size(board, self._spec)
        if clauses > MOST_CLAUSES and not self._spec.encoding.reducible:
            return f"{clauses / 1e6:.0f} million clauses under {self._spec.name}; {DEFAULT}, which is reduced, may do"
        return None

    def load(self, board: Board) -> None:
        if board is not self._board:
            self._live.close()  # its rules are about to go
        self._ready(board)

    def _ready(self, board: Board) -> None:
        if board is not self._board:
            self._drop()
            self._board = board
            self._reduces = self._spec.reduced or (
                self._spec.encoding.reducible and at_most_one_size(board, self._spec) > WHOLE
            )
        if self._reduces:
            return  # nothing of it is shared between puzzles
        if self._cnf is None:
            self._cnf = encode(board, self._spec)
        self._loaded(self._cnf)

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        return self._live.start(self._run(puzzle, budget))

    def statistics(self) -> dict[str, int]:
        now = self._oracle.statistics() if self._oracle is not None else {}
        return {figure: count - self._before.get(figure, 0) for figure, count in now.items()}

    def close(self) -> None:
        self._live.close()
        self._drop()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.seconds)
        self._ready(puzzle.board)
        if self._reduces:
            self._drop()
            size = reduced_size(puzzle) if self._spec.method.name == PAIRWISE else 0
            if size > MOST_CLAUSES:
                raise Refused(f"{puzzle.name}: over {size / 1e6:.0f} million clauses; cpsat may take it")
            self._cnf = encode(puzzle.board, replace(self._spec, reduced=True), puzzle)
            if len(self._cnf.clauses) > MOST_CLAUSES:
                raise Refused(f"{puzzle.name}: {len(self._cnf.clauses) / 1e6:.0f} million clauses; cpsat may take it")
        assert self._cnf is not None
        must, clauses = self._cnf.restrict(puzzle)
        self._before = self._loaded(self._cnf).statistics()
        return (yield from self._grids(self._cnf, must, clauses, budget, deadline))

    def _grids(self, cnf: Cnf, must: list[int], clauses: list[list[int]], budget: Budget, deadline: Deadline) -> Search:
        """The grids under assumptions `must` and further clauses, which are taken back at the end."""
        oracle = self._loaded(cnf)
        if budget.solutions != 0 and not clauses:
            implied = oracle.implied(must)
            if isinstance(implied, Ending):
                return implied
            if implied is not None and len(implied) >= cnf.clauses.variables:
                yield cnf.read(implied)[0]
                return Ending.LIMIT if budget.solutions == 1 else Ending.EXHAUSTED
        given = set(must)
        guard = cnf.clauses.variables + self._guards + 1
        guarded = False
        try:
            found = 0
            while budget.solutions is None or found < budget.solutions:
                for clause in clauses:
                    oracle.add([-guard, *clause])
                    guarded = True
                answer = oracle.solve([*must, guard] if guarded else must, deadline)
                if isinstance(answer, Ending):
                    return answer
                grid, said = cnf.read(answer)
                found += 1
                yield grid
                # The givens are assumed throughout, so the clause need not repeat them.
                clauses = [[-literal for literal in said if literal not in given]]
            return Ending.LIMIT
        finally:
            if guarded:
                self._guards += 1
                oracle.add([-guard])

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> Tallies:
        """Row by row on the loaded rules; on a board that is reduced by each puzzle's givens all are passed on."""
        import numpy as np

        self._live.close()
        self._ready(board)
        counts = np.zeros(len(givens), np.int64)
        endings = np.full(len(givens), PASSED, np.uint8)
        tallies = Tallies(counts, endings, np.zeros((len(givens), 2, board.cells), np.uint16))
        if self._reduces or self._cnf is None:
            return tallies
        cnf = self._cnf
        values = range(board.values + 1)
        meaning = [
            [cnf.variables.literals(cell, value) if value else () for value in values] for cell in range(board.cells)
        ]
        for row, given in enumerate(givens.tolist()):
            must = [literal for cell, value in enumerate(given) if value for literal in meaning[cell][value]]
            search = self._grids(cnf, must, [], budget, Deadline(budget.seconds))
            count = 0
            while True:
                try:
                    grid = next(search)
                except StopIteration as stop:
                    endings[row] = ENDINGS.index(stop.value)
                    break
                if count < 2:
                    tallies.grids[row, count] = grid
                count += 1
            counts[row] = count
        return tallies

    def _loaded(self, cnf: Cnf) -> Oracle:
        if self._oracle is not None and self._guards >= REBUILD_AFTER:
            self._drop_oracle()
        if self._oracle is None:
            self._oracle = self._open_oracle(cnf)
            self._guards = 0
        return self._oracle

    def _drop_oracle(self) -> None:
        if self._oracle is not None:
            self._oracle.close()
            self._oracle = None

    def _drop(self) -> None:
        self._drop_oracle()
        self._cnf = None
