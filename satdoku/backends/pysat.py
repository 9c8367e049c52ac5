"""Every SAT solver of python-sat as a backend, and as a prover where its proofs are complete."""

from __future__ import annotations

import warnings
from contextlib import closing
from functools import cache, partial
from typing import TYPE_CHECKING

from satdoku.backends import Ending, Engine
from satdoku.backends.child_oracle import ChildOracle
from satdoku.backends.oracle import Oracle, bounded
from satdoku.backends.sat import Sat
from satdoku.backends.solvers import SOLVERS, Abilities, PySatSolver
from satdoku.constraints import Grid
from satdoku.encoders.clauses import Clauses
from satdoku.errors import BackendError, Refused
from satdoku.system.clock import Deadline

if TYPE_CHECKING:
    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula


class SolverProver:
    def __init__(self, abilities: Abilities, argument: str | None) -> None:
        self.name = abilities.name
        self._abilities = abilities
        from satdoku.proofs.loaded import LoadedFormulas

        self._loaded = LoadedFormulas()

    def refute(
        self, formula: Formula, grid: Grid | None, deadline: Deadline, work: int | None = None
    ) -> Numbers | None:
        from satdoku.proofs import drup

        if not self._abilities.limit and deadline.left() is not None:
            raise Refused(f"backend {self.name} cannot be stopped while it writes a proof; leave out the timeout")
        clauses = self._loaded.simplified(formula)
        if clauses is None:
            return drup.EMPTY_CLAUSE
        with closing(PySatSolver(self._abilities, clauses, proof=True)) as solver:
            answer = solver.solve([], bounded(deadline, work))
            if isinstance(answer, list):
                raise BackendError(f"backend {self.name}: nothing to prove, there is another grid")
            return None if answer is Ending.TIMEOUT else drup.read("\n".join(solver.proof()), f"proof of {self.name}")


def _open(abilities: Abilities, argument: str | None, encoding: str | None) -> Sat:
    def child(clauses: Clauses) -> Oracle:
        return ChildOracle(abilities.name, partial(abilities.open, clauses))

    return Sat(abilities.open if abilities.limit else child, encoding, abilities.propagates_first)


@cache
def _missing(name: str) -> str | None:
    """Some builds of python-sat leave solvers out; to make one is the only way to know."""
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
        name=name,
        summary="SAT solver of python-sat",
        open=partial(_open, abilities),
        requires=("pysat",),
        encodes=True,
        abilities=abilities.labels(),
        prover=partial(SolverProver, abilities) if abilities.proof else None,
        missing=partial(_missing, name),
    )
    for name, abilities in SOLVERS.items()
)
