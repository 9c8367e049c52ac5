"""What a SAT solver does to be a backend, and a protocol for each thing that some of them do besides."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from satdoku.backends import Ending
from satdoku.encoders.clauses import Clauses
from satdoku.system.clock import Deadline


class ConflictBound(Deadline):
    """A deadline of questions that may take so many conflicts together.

    conflicts: those that are left, as far as the solver counts them
    """

    def __init__(self, seconds: float | None, conflicts: int) -> None:
        super().__init__(seconds)
        self.conflicts = conflicts


def bounded(deadline: Deadline, conflicts: int | None) -> Deadline:
    """The same for questions that may take so many conflicts together; None is without a bound."""
    return deadline if conflicts is None else ConflictBound(deadline.left(), conflicts)


class Oracle(Protocol):
    """A SAT solver with clauses in it; literals are signed as in DIMACS."""

    def add_clause(self, clause: list[int]) -> None:
        """Add a clause for good."""

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        """A model as signed literals; EXHAUSTED if there is none; TIMEOUT, also where no conflicts are left."""

    def close(self) -> None:
        """Give back what the solver holds; may be repeated."""


@runtime_checkable
class Cores(Protocol):
    """An oracle that finds out which assumptions cannot all hold."""

    def core(self) -> list[int]:
        """The assumptions of the last solve that its refutation used; only after EXHAUSTED."""


@runtime_checkable
class UnitPropagation(Protocol):
    """An oracle that does unit propagation without search."""

    def propagate(self, assumptions: list[int]) -> tuple[bool, list[int]]:
        """Whether it comes upon no contradiction, and the literals that it derives, assumptions included."""


@runtime_checkable
class Phases(Protocol):
    """An oracle whose search can be led towards some literals."""

    def set_phases(self, literals: list[int]) -> None:
        """Where a search has a choice, try these literals first."""


OpenOracle = Callable[[Clauses], Oracle]  # makes an oracle that has loaded the clauses
