"""The SAT solvers of python-sat as oracles, each with its row of abilities."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from satdoku.backends import Ending
from satdoku.backends.clock import Deadline
from satdoku.backends.oracle import Oracle

MANY_CLAUSES = 1_000_000
FINE_SLICE = 100
"""The slice of a solver that has more than MANY_CLAUSES."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a solver does right, as a test probes it in a child process.

    incremental: takes assumptions, and clauses after a solve; else it is made anew for each solve
    propagate:   unit propagation without search
    slice:       conflicts between two looks at the clock; None if it cannot be limited, so that it
                 runs in a process which is killed
    doubling:    the slice doubles each time: fine slices cost MiniSat 30 times the conflicts
    interrupt:   another thread can stop it
    proof:       its DRUP proofs are complete
    """

    name: str
    incremental: bool = True
    propagate: bool = True
    slice: int | None = 1_000
    doubling: bool = False
    interrupt: bool = True
    proof: bool = False

    @property
    def propagates_first(self) -> bool:
        """Whether it pays to propagate before solving: half of all easy puzzles then need no solve.

        CaDiCaL takes as long for the one as for the other.
        """
        return self.propagate and not self.name.startswith("cadical")

    def labels(self) -> tuple[str, ...]:
        """The abilities as `satdoku backends` prints them."""
        able = {
            "assumptions": self.incremental,
            "incremental": self.incremental,
            "propagate": self.propagate,
            "conflict budget": self.slice is not None,
            "interrupt": self.interrupt,
            "proof": self.proof,
        }
        return tuple(label for label in able if able[label])

    def open(self, clauses: Iterable[list[int]]) -> Oracle:
        """The solver with these clauses in it, in this process."""
        if not self.incremental:
            return OneShotSolver(self, clauses)
        return PropagatingSolver(self, clauses) if self.propagate else Solver(self, clauses)


SOLVERS = {
    row.name: row
    for row in (
        Abilities(name="cadical103", propagate=False, interrupt=False, proof=True),
        Abilities(name="cadical153", interrupt=False, proof=True),
        Abilities(name="cadical195", interrupt=False, proof=True),
        Abilities(name="cadical300", interrupt=False, proof=True),
        Abilities(name="cryptosat", propagate=False, interrupt=False, slice=None),
        Abilities(name="ergo"),
        Abilities(name="glucose3"),
        Abilities(name="glucose4", proof=True),
        Abilities(name="glucose42"),
        Abilities(name="gluecard3"),
        Abilities(name="gluecard4"),
        Abilities(name="kissat404", incremental=False, propagate=False, slice=None, interrupt=False),
        Abilities(name="lingeling", propagate=False, slice=None, interrupt=False, proof=True),
        Abilities(name="maplechrono"),
        Abilities(name="maplecm"),
        Abilities(name="maplesat"),
        Abilities(name="mergesat3"),
        Abilities(name="minicard", slice=10_000, doubling=True),
        Abilities(name="minisat22", slice=10_000, doubling=True),
        Abilities(name="minisatep", slice=10_000, doubling=True),
        Abilities(name="minisatgh", slice=10_000, doubling=True),
    )
}
"""The rows by name."""


class Solver:
    """An oracle that stays loaded from solve to solve; it has cores and counts its work."""

    def __init__(self, abilities: Abilities, clauses: Iterable[list[int]], proof: bool = False) -> None:
        from pysat.solvers import Solver as PySat

        self._abilities = abilities
        self._solver: Any = PySat(name=abilities.name, **({"with_proof": True} if proof else {}))
        self._solver.append_formula(clauses)

    def add_clause(self, clause: list[int]) -> None:
        self._solver.add_clause(clause)

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        try:
            satisfiable = self._limited(assumptions, deadline)
        except Exception as error:
            # python-sat turns Ctrl-C inside a solver into an error of its own.
            if "interrupt" in str(error).lower():
                raise KeyboardInterrupt from error
            raise
        if satisfiable is None:
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
        """The lines of the proof, once a solver that was opened for one has found no model."""
        lines: list[str] = self._solver.get_proof()
        return lines

    def close(self) -> None:
        self._solver.delete()

    def _limited(self, assumptions: list[int], deadline: Deadline) -> bool | None:
        conflicts = self._abilities.slice
        if conflicts is None or deadline.left() is None:
            answer: bool | None = self._solver.solve(assumptions=assumptions)
            return answer
        if self._solver.nof_clauses() > MANY_CLAUSES:
            conflicts = FINE_SLICE
        while not deadline.passed():
            self._solver.conf_budget(conflicts)
            answer = self._solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return answer
            if self._abilities.doubling:
                conflicts *= 2
        return None


class PropagatingSolver(Solver):
    """One that propagates without search, too, and lets its search be led."""

    def propagate(self, assumptions: list[int]) -> tuple[bool, list[int]]:
        consistent: bool
        literals: list[int]
        consistent, literals = self._solver.propagate(assumptions)
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
        with closing(Solver(self._abilities, clauses)) as solver:
            return solver.solve([], deadline)

    def close(self) -> None:
        pass
