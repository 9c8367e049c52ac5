"""An oracle in a process of its own, which is killed when time is up: for a solver that cannot be limited."""

from collections.abc import Callable
from multiprocessing.connection import Connection

from satdoku.backends import Ending, Statistics
from satdoku.backends.child import Cause, Child, Lost, messages
from satdoku.backends.oracle import Oracle
from satdoku.errors import BackendError
from satdoku.system.clock import NEVER, Deadline


class ChildOracle:
    """The oracle that `make`, which pickles, makes in the child process; `name` is for messages."""

    def __init__(self, name: str, make: Callable[[], Oracle]) -> None:
        self._name, self._make = name, make
        self._child: Child | None = None
        self._added: list[list[int]] = []  # clauses, all of which are for a child that takes the place of another
        self._sent = 0  # how many of them the child has
        self._statistics: dict[str, int] = {}
        self._start()

    def add_clause(self, clause: list[int]) -> None:
        self._added.append(clause)

    def solve(self, assumptions: list[int], deadline: Deadline) -> list[int] | Ending:
        if deadline.left() == 0:
            return Ending.TIMEOUT
        if self._child is None or not self._child.alive():
            self.close()
            self._start()
        assert self._child is not None
        answer: list[int] | Ending
        try:
            self._child.send((self._added[self._sent :], assumptions))
            self._sent = len(self._added)
            answer, self._statistics = self._child.receive(deadline)
        except Lost as lost:
            self.close()
            if lost.cause is Cause.TIME:
                return Ending.TIMEOUT
            raise BackendError(f"{self._name} died while it was solving: {lost}") from None
        except BaseException:
            self.close()
            raise
        return answer

    def statistics(self) -> dict[str, int]:
        return self._statistics

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            self._sent, self._statistics = 0, {}
            child.close()

    def _start(self) -> None:
        self._child = Child(serve)
        try:
            self._child.send(self._make)
        except Lost as lost:
            self.close()
            raise BackendError(f"{self._name} died while it took the clauses: {lost}") from None


def serve(connection: Connection) -> None:
    """The child's side: how an oracle is made comes once, then clauses and assumptions; answers and statistics go."""
    oracle: Oracle = connection.recv()()
    for clauses, assumptions in messages(connection):
        for clause in clauses:
            oracle.add_clause(clause)
        answer = oracle.solve(assumptions, NEVER)
        connection.send((answer, oracle.statistics() if isinstance(oracle, Statistics) else {}))
