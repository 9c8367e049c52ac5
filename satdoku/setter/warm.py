"""One SAT solver that keeps the rules of a board, asked under assumptions: models, cores, retired clauses."""

from __future__ import annotations

from collections.abc import Iterable

from satdoku import backends
from satdoku.backends import Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.pysat import SOLVERS, Solver
from satdoku.backends.sat import MOST_CLAUSES, REBUILD_AFTER, WHOLE
from satdoku.constraints import Grid
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.cnf import DEFAULT, REDUCED, Cnf, Variables, at_most_one_size, encode, find, reduced_size
from satdoku.errors import Refused
from satdoku.puzzle import Board, Puzzle
from satdoku.referee import accept

SOLVER = "glucose4"
"""One that tells cores, propagates without search and can be stopped."""


class Warm:
    """A solver with `clauses` in it; what is added later can hang on a literal that `new` gives."""

    def __init__(self, clauses: Clauses) -> None:
        abilities = next(row for row in SOLVERS if row.name == SOLVER)
        self._solver = Solver(abilities, clauses)
        self._top = clauses.variables
        self.retired = 0

    def new(self) -> int:
        """A literal that nothing mentions yet."""
        self._top += 1
        return self._top

    def add(self, *literals: int) -> None:
        """A clause, for good."""
        self._solver.add(list(literals))

    def retire(self, guard: int) -> None:
        """Drop every clause that hangs on `guard`."""
        self._solver.add([-guard])
        self.retired += 1

    def prefer(self, literals: Iterable[int]) -> None:
        """Where a search has a choice, these literals hold."""
        self._solver.prefer(list(literals))

    def solve(self, assumptions: Iterable[int], deadline: Deadline) -> list[int] | None:
        """A model as signed literals, None if there is none; raises TimeIsUp."""
        answer = self._solver.solve(list(assumptions), deadline)
        if answer is Ending.TIMEOUT:
            raise TimeIsUp
        return None if isinstance(answer, Ending) else answer

    def refuted(self, assumptions: Iterable[int]) -> bool:
        """Whether unit propagation alone shows that they cannot all hold."""
        return self._solver.refuted(list(assumptions))

    def core(self) -> list[int]:
        """The assumptions of the last solve, which had no model, that cannot all hold."""
        return self._solver.core()

    def close(self) -> None:
        self._solver.close()


class Boards:
    """The rules of the last board, kept loaded from puzzle to puzzle by `write`, clauses from a puzzle."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._cnf: Cnf | None = None
        self._warm: Warm | None = None

    def __enter__(self) -> Boards:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def load(self, puzzle: Puzzle, whole: bool = False) -> tuple[Cnf, Warm]:
        """The puzzle's board as clauses and a solver that has them.

        A board too large to load whole is reduced by the puzzle's givens, unless `whole` asks for
        givens that can be dropped. Raises Refused for a board that is too large even so.
        """
        board = puzzle.board
        if self._cnf is None or self._warm is None or self._board != board or self._cnf.reduced:
            self.close()
            self._cnf = _clauses(puzzle, whole)
            self._board = board
        if self._warm is not None and self._warm.retired >= REBUILD_AFTER:
            self._warm.close()
            self._warm = None
        if self._warm is None:
            self._warm = Warm(self._cnf.clauses)
        return self._cnf, self._warm

    def close(self) -> None:
        if self._warm is not None:
            self._warm.close()
        self._cnf = self._warm = self._board = None


def fits(puzzle: Puzzle, most: int = MOST_CLAUSES) -> None:
    """Raise Refused, with the reason, for a board that whole takes more than `most` clauses, or is else too large."""
    reason = backends.find(SOLVER).refuses(puzzle.board)
    if reason:
        raise Refused(f"{puzzle.name}: {reason}")
    _refuse(puzzle, at_most_one_size(puzzle.board, find(DEFAULT)), most)


def _refuse(puzzle: Puzzle, clauses: int, most: int) -> None:
    if clauses > most:
        raise Refused(f"{puzzle.name}: {clauses / 1e6:.0f} million clauses, at most {most / 1e6:.0f} million are taken")


def _clauses(puzzle: Puzzle, whole: bool) -> Cnf:
    if whole or at_most_one_size(puzzle.board, find(DEFAULT)) <= WHOLE:
        fits(puzzle)
        return encode(puzzle.board)
    _refuse(puzzle, reduced_size(puzzle), MOST_CLAUSES)
    return encode(puzzle.board, f"{DEFAULT}+{REDUCED}", puzzle)


def grid_of(variables: Variables, model: Iterable[int]) -> Grid:
    """The grid of a model, given as signed literals."""
    return variables.read(model)[0]


def refereed(puzzle: Puzzle, grid: Grid) -> Grid:
    """The grid, if the referee accepts it; raises WrongAnswer."""
    return accept(puzzle, grid, SOLVER)
