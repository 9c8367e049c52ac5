"""One SAT solver that keeps its clauses; what is of one question alone hangs on a selector, which is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from satdoku.backends import Ending, Statistics
from satdoku.backends.oracle import Cores, OpenOracle, Oracle, Phases, UnitPropagation
from satdoku.backends.solvers import SOLVER, SOLVERS
from satdoku.deferred import installed
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.cnf import (
    DEFAULT,
    PAIRWISE,
    Cnf,
    Encoding,
    Spec,
    at_most_one_size,
    automaton_size,
    encode,
    reduced_size,
)
from satdoku.encoders.cnf import find as find_encoding
from satdoku.errors import Refused
from satdoku.limits import MAX_CLAUSES
from satdoku.puzzle import Board, Puzzle, only
from satdoku.system.clock import Deadline, TimeIsUp

MAX_RELEASED = 300  # selectors released before the solver is made anew: each leaves a variable in every model
MAX_WHOLE_CLAUSES = 5_000_000  # clauses up to which a board is loaded whole; beyond, each puzzle is reduced
LARGE = 100_000  # clauses of a board beyond which its first puzzles are reduced, unless an encoding was asked for
MAX_STEPS = 10_000_000  # transitions times cells beyond which a board is refused; a third become clauses


class IncrementalSolver:
    """A SAT solver, SOLVER unless `open_oracle` makes another, with the clauses of the last board, or with others."""

    def __init__(self, open_oracle: OpenOracle | None = None, encoding: str | Encoding | None = None) -> None:
        self._open = SOLVERS[SOLVER].open if open_oracle is None else open_oracle
        self._spec = find_encoding(DEFAULT if encoding is None else encoding)
        self._as_asked = encoding is not None
        self._before_whole = 0  # clauses of reduced puzzles that are still to be loaded before the whole board is
        self._accepted: Board | None = None
        self._reduces = False
        self._cnf: Cnf | None = None
        self._clauses: Clauses | None = None
        self._oracle: Oracle | None = None
        self._cores: Cores | None = None
        self._propagation: UnitPropagation | None = None
        self._phases: Phases | None = None
        self._statistics: Statistics | None = None
        self._variables = 0
        self._released = 0

    def __enter__(self) -> IncrementalSolver:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # What is loaded

    def refuses(self, board: Board) -> str | None:
        if board is self._accepted:
            return None
        reason = refusal(board, self._spec)
        if reason is None:
            size, reducible = at_most_one_size(board, self._spec), self._spec.encoding.reducible
            self._reduces = self._spec.reduced or (size > MAX_WHOLE_CLAUSES and reducible)
            # The whole serves all puzzles, and one that is reduced itself alone: at most twice as many clauses are
            # loaded as by the better of the two.
            at_first = size > LARGE and reducible and not self._as_asked and installed("numpy")
            if not at_first or board != self._accepted:  # an equal one may be made for each puzzle
                self._before_whole = size if at_first else 0
            if self._reduces and not installed("numpy"):
                return "it is so large that its clauses need the package numpy, which is not installed"
            self._accepted = board
        return reason

    def load_board(self, board: Board, many: bool = False) -> Cnf | None:
        """Load the clauses of a board, of which there are `many` puzzles; None if each is reduced by its givens.

        Raises Refused if it is too large.
        """
        reason = self.refuses(board)
        if reason:
            raise Refused(reason)
        return None if self._reduces or (self._before_whole > 0 and not many) else self._load_whole(board)

    def load_puzzle(self, puzzle: Puzzle, whole: bool = False) -> Cnf:
        """Load the clauses of a puzzle's board, a large one reduced by givens unless `whole`. Raises Refused."""
        reason = self.refuses(puzzle.board)
        if reason:
            raise Refused(f"{puzzle.name}: {reason}")
        if whole:
            refuse_clauses(puzzle, at_most_one_size(puzzle.board, self._spec), MAX_CLAUSES)
        if whole or not (self._reduces or self._before_whole > 0):
            return self._load_whole(puzzle.board)
        self.close()
        self._cnf = reduced(puzzle, self._spec)
        self._before_whole -= len(self._cnf.clauses)
        self.load(self._cnf.clauses)
        return self._cnf

    def _load_whole(self, board: Board) -> Cnf:
        self._before_whole = 0
        if self._cnf is None or self._cnf.reduced or self._cnf.board != board:
            self.close()
            self._cnf = self._encode(board)
        self.load(self._cnf.clauses)
        return self._cnf

    def _encode(self, board: Board) -> Cnf:
        return encode(board, self._spec)

    def load(self, clauses: Clauses) -> None:
        """Load these clauses in place of others, or anew if too many selectors have been released."""
        if clauses is self._clauses and self._released < MAX_RELEASED:
            return
        self._close_oracle()
        self._oracle = self._open(clauses)
        self._look_at(self._oracle)
        self._clauses, self._variables, self._released = clauses, clauses.variables, 0

    def close(self) -> None:
        """Give back the solver and the clauses; what is loaded next makes it usable again."""
        self._close_oracle()
        self._cnf = None

    def _close_oracle(self) -> None:
        oracle, self._oracle, self._clauses = self._oracle, None, None
        self._look_at(None)
        if oracle is not None:
            oracle.close()

    def _look_at(self, oracle: Oracle | None) -> None:
        """What the oracle can do: looked up once, since isinstance of a protocol takes 20 microseconds."""
        self._cores = oracle if isinstance(oracle, Cores) else None
        self._propagation = oracle if isinstance(oracle, UnitPropagation) else None
        self._phases = oracle if isinstance(oracle, Phases) else None
        self._statistics = oracle if isinstance(oracle, Statistics) else None

    # Clauses of one question

    def new_selector(self) -> int:
        self._variables += 1
        return self._variables

    def add_clause(self, *literals: int) -> None:
        """Add a clause; one that is to go later begins with the negation of a selector."""
        self.oracle.add_clause(list(literals))

    def release(self, selector: int) -> None:
        self.oracle.add_clause([-selector])
        self._released += 1

    @contextmanager
    def temporary(self, clauses: Iterable[Iterable[int]] = ()) -> Iterator[int]:
        """A selector with these clauses hanging on it, and others if they are added; released at the end."""
        selector = self.new_selector()
        for clause in clauses:
            self.add_clause(-selector, *clause)
        try:
            yield selector
        finally:
            self.release(selector)

    # Questions; beyond `solve`, those that the oracle can answer

    @property
    def oracle(self) -> Oracle:
        assert self._oracle is not None, "nothing is loaded"
        return self._oracle

    def solve(self, assumptions: Iterable[int], deadline: Deadline) -> list[int] | None:
        """A model as signed literals, None if there is none; raises TimeIsUp."""
        answer = self.oracle.solve(list(assumptions), deadline)
        if answer is Ending.TIMEOUT:
            raise TimeIsUp
        return None if isinstance(answer, Ending) else answer

    def core(self) -> list[int]:
        """The assumptions of the last solve, which had no model, that cannot all hold."""
        assert self._cores is not None, "this solver finds no cores"
        return self._cores.core()

    def propagate(self, assumptions: Iterable[int]) -> tuple[bool, list[int]]:
        """Whether unit propagation comes upon no contradiction, and the literals that it derives."""
        assert self._propagation is not None, "this solver does not propagate by itself"
        return self._propagation.propagate(list(assumptions))

    def set_phases(self, literals: Iterable[int]) -> None:
        assert self._phases is not None, "this solver takes no phases"
        self._phases.set_phases(list(literals))

    @property
    def conflicts(self) -> int:
        """Those so far, which are its work; 0 if it does not count them."""
        return self.statistics().get("conflicts", 0)

    def statistics(self) -> dict[str, int]:
        return {} if self._statistics is None else self._statistics.statistics()


def refusal(board: Board, spec: Spec) -> str | None:
    steps = automaton_size(board)
    if sum(steps.values()) > MAX_STEPS:
        largest = max(steps, key=steps.__getitem__)
        return f"{largest} and constraints like it are too large as clauses; cpsat takes them as they are"
    clauses = at_most_one_size(board, spec)
    if clauses > MAX_CLAUSES and not spec.encoding.reducible:
        return f"{clauses / 1e6:.0f} million clauses under {spec.name}; {DEFAULT}, which is reduced, may do"
    return None


def refuse_clauses(puzzle: Puzzle, clauses: int, most: int) -> None:
    if clauses > most:
        millions = f"{clauses / 1e6:.0f} million clauses, at most {most / 1e6:.0f} million are taken"
        raise Refused(f"{puzzle.name}: {millions}")


def reduced(puzzle: Puzzle, spec: Spec) -> Cnf:
    if spec.method.name == PAIRWISE and spec.encoding.reducible:
        refuse_clauses(puzzle, reduced_size(puzzle), MAX_CLAUSES)
    cnf = encode(puzzle.board, replace(spec, reduced=True), puzzle)
    refuse_clauses(puzzle, len(cnf.clauses), MAX_CLAUSES)
    given = next((cell for cell, allowed in enumerate(puzzle.candidates) if only(allowed)), None)
    if given is not None:
        # A value that is decided has a literal, too, which has to be there before the clauses are loaded.
        cnf.variables.equals(given, only(puzzle.candidates[given]))
    return cnf
