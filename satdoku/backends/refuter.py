"""Proofs that a puzzle has no other grid, written by the search in `satdoku.kernels.refuter`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from satdoku.backends.stepping import NO_BOUND
from satdoku.errors import BackendError

if TYPE_CHECKING:
    from satdoku.constraints import Grid
    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula
    from satdoku.system.clock import Deadline

STEPS = 500  # assumptions and conflicts of a proof between two looks at the clock
MIN_STEPS = 500  # the same before it is given up, however large the formula
LEARNED = 1 << 15  # integers of clauses that are learned before the longer half is forgotten
PROOF = 1 << 14  # integers of a proof that are written before it is taken over


class Refuter:
    """Proofs of the search in `satdoku.kernels.refuter`. Its work is steps times integers of the formula."""

    name = "native"

    def __init__(self) -> None:
        from satdoku.kernels import refuter, rup
        from satdoku.proofs.loaded import LoadedFormulas

        self._kernel: Any = refuter
        self._load: Any = rup.load
        self._loaded = LoadedFormulas()

    def refute(
        self, formula: Formula, grid: Grid | None, deadline: Deadline, work: int | None = None
    ) -> Numbers | None:
        import numpy as np

        size, room = formula.values, LEARNED + 2 * formula.variables
        state, search = self._loaded.state(formula, room=room), self._kernel.search(formula.variables)
        search.activity[1 : formula.cells * size + 1] = self._kernel.ACTIVITY
        for cell, value in enumerate(grid or ()):
            search.activity[cell * size + value] = 0  # what is true is not assumed: it is to fail
        written = np.zeros(PROOF + 2 * formula.variables, np.int32)
        steps: list[Numbers] = []
        learned: list[Numbers] = []
        left = max(MIN_STEPS, (NO_BOUND if work is None else work) // (len(formula.rules) + len(formula.own)))
        while left > 0 and not deadline.passed():
            number = min(left, STEPS)
            code, length = self._kernel.refute(formula.cells, size, number, written, search, state)
            steps.append(written[:length].copy())
            learned.append(steps[-1])
            left -= number
            if code == self._kernel.EXHAUSTED:
                return np.concatenate(steps)
            if code == self._kernel.FOUND:
                raise BackendError(f"backend {self.name}: nothing to prove, there is another grid")
            if code == self._kernel.FULL:
                room += room // 4
                kept, forgotten = _halves(np.concatenate(learned))
                steps.append(forgotten)
                learned = [kept]
                state = self._loaded.state(formula, kept, room)
                self._load(kept, state)
                self._kernel.restart(search)
        return None


def _halves(clauses: Numbers) -> tuple[Numbers, Numbers]:
    """The shorter ones of the clauses, and deletions of the others."""
    import numpy as np

    from satdoku.proofs.drup import DELETE

    lengths = np.diff(np.flatnonzero(clauses == 0), prepend=-1)
    long = lengths > np.median(lengths)
    longer = clauses[np.repeat(long, lengths)]
    return clauses[np.repeat(~long, lengths)], np.insert(longer, np.cumsum(lengths[long]) - lengths[long], DELETE)
