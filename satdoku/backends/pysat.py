"""Every SAT solver of python-sat, each with its row of abilities."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from satdoku.backends import Ending, Engine
from satdoku.backends.clock import Deadline
from satdoku.backends.sat import Sat
from satdoku.constraints import Grid
from satdoku.encoders.cnf import Cnf
from satdoku.errors import BackendError, Refused

if TYPE_CHECKING:
    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula
    from satdoku.proofs.loaded import Loaded

MANY_CLAUSES = 1_000_000
FINE_SLICE = 100


@dataclass(frozen=True, slots=True)
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

    def words(self) -> tuple[str, ...]:
        """The abilities as `satdoku backends` prints them."""
        told = {
            "assumptions": self.incremental,
            "incremental": self.incremental,
            "propagate": self.propagate,
            "conflict budget": self.slice is not None,
            "interrupt": self.interrupt,
            "proof": self.proof,
        }
        return tuple(word for word, able in told.items() if able)


SOLVERS = (
    Abilities("cadical103", propagate=False, interrupt=False, proof=True),
    Abilities("cadical153", interrupt=False, proof=True),
    Abilities("cadical195", interrupt=False, proof=True),
    Abilities("cadical300", interrupt=False, proof=True),
    Abilities("cryptosat", propagate=False, interrupt=False, slice=None),
    Abilities("ergo"),
    Abilities("glucose3"),
    Abilities("glucose4", proof=True),
    Abilities("glucose42"),
    Abilities("gluecard3"),
    Abilities("gluecard4"),
    Abilities("kissat404", incremental=False, propagate=False, slice=None, interrupt=False),
    Abilities("lingeling", propagate=False, slice=None, interrupt=False, proof=True),
    Abilities("maplechrono"),
    Abilities("maplecm"),
    Abilities("maplesat"),
    Abilities("mergesat3"),
    Abilities("minicard", slice=10_000, doubling=True),
    Abilities("minisat22", slice=10_000, doubling=True),
    Abilities("minisatep", slice=10_000, doubling=True),
    Abilities("minisatgh", slice=10_000, doubling=True),
)


class Solver:
    """An oracle in this process, kept incremental where the solver allows it."""

    def __init__(self, abilities: Abilities, rules: Iterable[list[int]], proof: bool = False) -> None:
        self._abilities = abilities
        self._proof = proof
        self._rules = rules
        self._added: list[list[int]] = []
        self._solver: Any = None
        if abilities.incremental:
            self._solver = self._make(rules)

    def add(self, clause: list[int]) -> None:
        if self._abilities.incremental:
            self._solver.add_clause(clause)
        else:
            self._added.append(clause)

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        if not self._abilities.incremental:
            self.close()
            self._solver = self._make([*self._rules, *self._added, *([literal] for literal in assumptions)])
            assumptions = []
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

    def statistics(self) -> dict[str, int]:
        if self._solver is None or not self._abilities.incremental:
            return {}
        counted: dict[str, int] = self._solver.accum_stats()
        return counted

    def implied(self, assumptions: list[int]) -> list[int] | Ending | None:
        if not (self._abilities.incremental and self._abilities.propagates_first):
            return None
        consistent, literals = self._solver.propagate(assumptions)
        return literals if consistent else Ending.EXHAUSTED

    def proof(self) -> list[str]:
        """The lines of the proof, once a solver that was made for it has found no model."""
        lines: list[str] = self._solver.get_proof()
        return lines

    def core(self) -> list[int]:
        """The assumptions of the last solve that cannot all hold; only after EXHAUSTED, of an incremental solver."""
        core: list[int] = self._solver.get_core() or []
        return core

    def refuted(self, assumptions: list[int]) -> bool:
        """Whether unit propagation alone shows that they cannot all hold; of a solver that can propagate."""
        consistent, _ = self._solver.propagate(assumptions=assumptions)
        return not consistent

    def prefer(self, literals: list[int]) -> None:
        """Where a search has a choice, these literals hold."""
        self._solver.set_phases(literals)

    def close(self) -> None:
        if self._solver is not None:
            self._solver.delete()
            self._solver = None

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

    def _make(self, clauses: Iterable[list[int]]) -> Any:
        from pysat.solvers import Solver as PySat

        solver = PySat(name=self._abilities.name, **({"with_proof": True} if self._proof else {}))
        solver.append_formula(clauses)
        return solver


class SolverProver:
    """Proofs of a solver, which is given what unit propagation leaves of a formula."""

    def __init__(self, abilities: Abilities) -> None:
        self.name = abilities.name
        self._abilities = abilities
        self._loaded: Loaded | None = None
        if find_spec("numba") is not None:  # without it, nothing is left out of the formula
            from satdoku.proofs.loaded import Loaded

            self._loaded = Loaded()

    def refute(self, formula: Formula, grid: Grid | None, deadline: Deadline) -> Numbers | None:
        from satdoku.proofs import drup

        if self._abilities.slice is None and deadline.left() is not None:
            raise Refused(f"backend {self.name} cannot be stopped while it writes a proof; leave out the timeout")
        clauses = list(formula) if self._loaded is None else self._loaded.left(formula)
        if clauses is None:
            return drup.EMPTY
        solver = Solver(self._abilities, clauses, proof=True)
        try:
            answer = solver.solve([], deadline)
            if isinstance(answer, list):
                raise BackendError(f"backend {self.name}: nothing to prove, there is another grid")
            return None if answer is Ending.TIMEOUT else drup.read("\n".join(solver.proof()), f"proof of {self.name}")
        finally:
            solver.close()


def _open(abilities: Abilities, argument: str | None, encoding: str | None) -> Sat:
    def oracle(cnf: Cnf) -> Any:
        if abilities.slice is None:
            from satdoku.backends.child import Child

            return Child(abilities.name, cnf.clauses)
        return Solver(abilities, cnf.clauses)

    return Sat(oracle, encoding)


def _prover(abilities: Abilities, argument: str | None) -> SolverProver:
    return SolverProver(abilities)


@cache
def _missing(name: str) -> str | None:
    """Some builds of python-sat leave solvers out: only making one tells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from pysat.solvers import Solver as PySat

            PySat(name=name).delete()
        except Exception as error:
            return f"python-sat cannot make it here ({type(error).__name__})"
    return None


ENGINES = tuple(
    Engine(
        abilities.name,
        "SAT solver of python-sat",
        partial(_open, abilities),
        requires=("pysat",),
        encodes=True,
        abilities=abilities.words(),
        prover=partial(_prover, abilities) if abilities.proof else None,
        missing=partial(_missing, abilities.name),
    )
    for abilities in SOLVERS
)
