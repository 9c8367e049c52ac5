"""The SAT solvers of python-sat as oracles, each with its row of abilities."""

import signal
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from satdoku.backends import Ending
from satdoku.backends.oracle import ConflictBound, Oracle
from satdoku.system.clock import THREADS, Deadline, TimeIsUp, interruptible

Result = TypeVar("Result")

SOLVER = "glucose4" if THREADS else "cadical153"
"""The solver unless another is named: it has cores, propagates without search and can be stopped. In a browser no
thread can stop a search, and Glucose may go on there for thousands of conflicts more than it is given; CaDiCaL ends."""
FIRST_SLICE = 100  # conflicts in which most puzzles are decided, before anything is done for the clock and for Ctrl-C
SLICE_SECONDS = 0.1  # what later slices of a solver that cannot be interrupted are to take
LATER_SLICE = 1_000  # conflicts of these where conflicts are bounded: then no slice depends on the clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a solver does right, as a test probes it in a child process."""

    name: str
    incremental: bool = True  # takes assumptions, and clauses after a solve; else it is made anew for each solve
    propagate: bool = True  # unit propagation without search
    limit: bool = True  # it stops after a number of conflicts; else it runs in a process which is killed
    interrupt: bool = True  # another thread can stop it
    proof: bool = False  # its DRUP proofs are complete

    @property
    def propagates_first(self) -> bool:
        """Whether propagating first pays: half of easy puzzles need no solve then; to CaDiCaL both are alike."""
        return self.propagate and not self.name.startswith("cadical")

    def labels(self) -> tuple[str, ...]:
        able = {
            "assumptions": self.incremental,
            "incremental": self.incremental,
            "propagate": self.propagate,
            "conflict budget": self.limit,
            "interrupt": self.interrupt,
            "proof": self.proof,
        }
        return tuple(label for label in able if able[label])

    def open(self, clauses: Iterable[list[int]]) -> Oracle:
        if not self.incremental:
            return OneShotSolver(self, clauses)
        return PropagatingSolver(self, clauses) if self.propagate else PySatSolver(self, clauses)


ROWS = [
    *(Abilities(name=name) for name in ("ergo", "glucose3", "glucose42", "gluecard3", "gluecard4", "maplechrono")),
    *(Abilities(name=name) for name in ("maplecm", "maplesat", "mergesat3", "minicard")),
    *(Abilities(name=name) for name in ("minisat22", "minisatep", "minisatgh")),
    *(Abilities(name=f"cadical{release}", interrupt=False, proof=True) for release in (153, 195, 300)),
    Abilities(name="cadical103", propagate=False, interrupt=False, proof=True),
    Abilities(name="cryptosat", propagate=False, limit=False, interrupt=False),
    Abilities(name="glucose4", proof=True),
    Abilities(name="kissat404", incremental=False, propagate=False, limit=False, interrupt=False),
    Abilities(name="lingeling", propagate=False, limit=False, interrupt=False, proof=True),
]
SOLVERS = {row.name: row for row in sorted(ROWS, key=lambda row: row.name)}  # the rows by name


class PySatSolver:
    def __init__(self, abilities: Abilities, clauses: Iterable[list[int]], proof: bool = False) -> None:
        from pysat import _utils, solvers

        self._abilities = abilities
        self._python_sat: Any = solvers
        self._main_thread = _utils.MainThread
        self._solver: Any = solvers.Solver(name=abilities.name, **({"with_proof": True} if proof else {}))
        try:
            self._solver.append_formula(clauses)
            if self._solver.nof_vars() < 1:  # without one MapleSAT crashes, and CaDiCaL's propagation is inconsistent
                self._solver.add_clause([1, -1])
        except BaseException:
            self._solver.delete()
            raise

    def add_clause(self, clause: list[int]) -> None:
        self._solver.add_clause(clause)

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        """Ctrl-C ends it within a slice, or at once if the solver can be interrupted."""
        if deadline.passed():
            return Ending.TIMEOUT
        try:
            satisfiable = self._satisfiable(assumptions, deadline)
        except TimeIsUp:
            return Ending.TIMEOUT
        model: list[int] = self._solver.get_model() if satisfiable else []
        return model if satisfiable else Ending.EXHAUSTED

    def core(self) -> list[int]:
        core: list[int] = self._solver.get_core() or []
        return core

    def statistics(self) -> dict[str, int]:
        counted: dict[str, int] = self._solver.accum_stats()
        return counted

    def proof(self) -> list[str]:
        lines: list[str] = self._solver.get_proof()
        return lines

    def close(self) -> None:
        """Ctrl-C waits for it: python-sat would free a solver again of which it could not note that it is gone."""
        if not hasattr(signal, "pthread_sigmask"):
            self._solver.delete()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._solver.delete()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _satisfiable(self, assumptions: list[int], deadline: Deadline) -> bool:
        if not self._abilities.limit:  # it has a process of its own, which is killed
            return bool(self._solver.solve(assumptions=assumptions))
        conflicts = FIRST_SLICE
        while True:
            started = monotonic()
            call = partial(self._without_handler, self._solver.solve_limited, assumptions)
            answer = self._bounded(conflicts, call, deadline)
            if answer is not None:
                return answer
            if self._abilities.interrupt and THREADS:
                return self._to_the_end(assumptions, deadline)
            deadline.check()
            if isinstance(deadline, ConflictBound):
                conflicts = LATER_SLICE
                continue
            share = SLICE_SECONDS / max(monotonic() - started, 1e-6)
            conflicts = max(1, round(conflicts * min(share, 10)))

    def _bounded(self, conflicts: int | None, call: Callable[[], bool | None], deadline: Deadline) -> bool | None:
        """What a call finds in so many conflicts, None is without a bound; None if that takes more.

        Raises TimeIsUp where the deadline leaves no more.
        """
        if not isinstance(deadline, ConflictBound):
            self._solver.conf_budget(-1 if conflicts is None else conflicts)
            return call()
        left = deadline.conflicts
        if left <= 0:
            raise TimeIsUp
        before = self.statistics()["conflicts"]
        self._solver.conf_budget(left if conflicts is None else min(conflicts, left))
        answer = call()
        deadline.conflicts = left = left - (self.statistics()["conflicts"] - before)
        if answer is None and (left <= 0 or conflicts is None):
            raise TimeIsUp
        return answer

    def _to_the_end(self, assumptions: list[int], deadline: Deadline) -> bool:
        call = partial(self._solver.solve_limited, assumptions, expect_interrupt=True)
        try:
            answer = self._bounded(None, partial(interruptible, call, self._solver.interrupt, deadline), deadline)
        finally:
            self._solver.clear_interrupt()
        assert answer is not None, "nobody has interrupted it"
        return answer

    def _without_handler(self, call: Callable[[list[int]], Result], assumptions: list[int]) -> Result:
        """Call python-sat, made to believe that it is in another thread: its handler of Ctrl-C may abort."""
        self._python_sat.MainThread = _OtherThread
        try:
            return call(assumptions)
        finally:
            self._python_sat.MainThread = self._main_thread


class _OtherThread:
    @staticmethod
    def check() -> bool:
        return False


class PropagatingSolver(PySatSolver):
    def propagate(self, assumptions: list[int]) -> tuple[bool, list[int]]:
        consistent: bool
        literals: list[int]
        consistent, literals = self._without_handler(self._solver.propagate, assumptions)
        return consistent, literals

    def set_phases(self, literals: list[int]) -> None:
        self._solver.set_phases(literals)


class OneShotSolver:
    """An oracle of a solver that takes no clauses after a solve: it is made anew for each."""

    def __init__(self, abilities: Abilities, clauses: Iterable[list[int]]) -> None:
        self._abilities = abilities
        self._clauses = list(clauses)

    def add_clause(self, clause: list[int]) -> None:
        self._clauses.append(clause)

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        clauses = [*self._clauses, *([literal] for literal in assumptions)]
        with closing(PySatSolver(self._abilities, clauses)) as solver:
            return solver.solve([], deadline)

    def close(self) -> None:
        pass
