"""Several engines on one puzzle, each in a process of its own: the first that decides wins, the others are killed."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection

from satdoku.backends import BaseBackend, Budget, Drain, Ending, Search, Statistics, engine, find
from satdoku.backends.child import Child, Lost, first_ready, messages
from satdoku.backends.schedule import NATIVE
from satdoku.backends.swaps import with_swaps
from satdoku.constraints import Grid
from satdoku.errors import BackendError, Refused, SatdokuError
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import Deadline

MAX_HELD = 1_000  # grids of one engine that are held back; the first to find so many wins too, and goes on by itself


@dataclass(slots=True)
class Entrant:
    """An engine in its process, and what it has sent: grids, then its ending and figures, or an error."""

    name: str
    child: Child
    grids: list[Grid] = field(default_factory=list)
    ending: Ending | None = None
    statistics: dict[str, int] = field(default_factory=dict)
    error: SatdokuError | None = None

    def ask(self, encoding: str | None, puzzle: bytes, budget: Budget) -> None:
        """puzzle: pickled, as each process is sent the same"""
        self.ending, self.error, self.statistics = None, None, {}
        try:
            self.child.send((self.name, encoding, puzzle, budget))
        except Lost as lost:
            self.error = self._died(lost)

    def read(self) -> None:
        try:
            message = self.child.receive()
        except Lost as lost:
            message = self._died(lost)
        if isinstance(message, SatdokuError):
            self.error = message
        elif isinstance(message[0], Ending):
            self.ending, self.statistics = message
        else:
            self.grids.append(message)

    def _died(self, lost: Lost) -> BackendError:
        return BackendError(f"{self.name} died while it was solving: {lost}")

    @property
    def searches(self) -> bool:
        return self.ending is None and self.error is None

    @property
    def wins(self) -> bool:
        return self.ending in (Ending.EXHAUSTED, Ending.LIMIT) or len(self.grids) > MAX_HELD


class Race(BaseBackend):
    """`chosen` names the engine that won the last search. The winner's process is kept for the next one."""

    def __init__(self, names: Sequence[str], encoding: str | None = None) -> None:
        super().__init__()
        self._encodings = {name: encoding if engine(name).encodes else None for name in names}
        if encoding is not None and not any(self._encodings.values()):
            raise Refused(f"none of {', '.join(names)} takes an encoding; leave out the encoding {encoding}")
        self._backends = {name: find(name, own) for name, own in self._encodings.items()}
        self._entrants: dict[str, Entrant] = {}
        self.chosen = names[0]

    def refuses(self, board: Board) -> str | None:
        reasons = [backend.refuses(board) for backend in self._backends.values()]
        return None if None in reasons else reasons[0]

    def load(self, board: Board) -> None:
        """Nothing: each process loads the board of its puzzle."""

    def close(self) -> None:
        super().close()
        self._keep(None)
        for backend in self._backends.values():
            backend.close()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        return self.beside(None, puzzle, budget)

    def beside(self, step: Callable[[], Ending | None] | None, puzzle: Puzzle, budget: Budget) -> Search:
        """A race in which a search of this process may take part; it keeps the grids that it finds to itself.

        step: searches on for a few hundredths of a second; its ending, None until there is one
        """
        deadline = Deadline(budget.timeout)
        winner: Entrant | None = None
        self._statistics = {}
        try:
            self._start(puzzle, budget, deadline)
            while True:
                ending = step() if step else None
                if ending is not None:
                    self.chosen = NATIVE
                    return ending
                entrant = self._first(Deadline(0) if step else deadline)
                if entrant is not None:
                    break
                if deadline.passed() or not (step or self._searching()):
                    return self._undecided(step is not None)
            self._keep(entrant)
            self.chosen = entrant.name
            while True:
                yield from entrant.grids
                entrant.grids.clear()
                if entrant.ending is not None:
                    self._statistics, winner = entrant.statistics, entrant
                    return entrant.ending
                if self._first(deadline) is None:
                    return self._undecided(False)
        finally:
            self._keep(winner)

    def _start(self, puzzle: Puzzle, budget: Budget, deadline: Deadline) -> None:
        pickled = pickle.dumps(puzzle)
        for name, backend in self._backends.items():
            if not deadline.passed() and backend.refuses(puzzle.board) is None:
                entrant = self._entrants.get(name)
                if entrant is None or not entrant.child.alive():
                    entrant = self._entrants[name] = Entrant(name, Child(serve))
                entrant.ask(self._encodings[name], pickled, replace(budget, timeout=deadline.left()))

    def _keep(self, winner: Entrant | None) -> None:
        for name, entrant in list(self._entrants.items()):
            if entrant is not winner:
                del self._entrants[name]
                entrant.child.close()

    def _searching(self) -> dict[Connection, Entrant]:
        return {each.child.connection: each for each in self._entrants.values() if each.searches}

    def _first(self, deadline: Deadline) -> Entrant | None:
        """The first that wins; None if the deadline comes before, or none searches any more."""
        while running := self._searching():
            ready = first_ready(running, deadline)
            if not ready:
                return None
            for connection in ready:
                running[connection].read()
                if running[connection].wins:
                    return running[connection]
        return None

    def _undecided(self, beside: bool) -> Ending:
        """Raises BackendError where all that raced have failed, Refused where all have refused the puzzle."""
        errors = [entrant.error for entrant in self._entrants.values() if entrant.error]
        if errors and len(errors) == len(self._entrants) and not beside:
            raise min(errors, key=lambda error: isinstance(error, Refused))
        self.chosen = next((each.name for each in self._entrants.values() if each.error is None), self.chosen)
        return Ending.TIMEOUT


def serve(connection: Connection) -> None:
    backend = None
    for name, encoding, pickled, budget in messages(connection):
        try:
            backend = backend or find(name, encoding)
            puzzle = pickle.loads(pickled)
            drain = Drain(with_swaps(backend.search(puzzle, budget), puzzle, budget.limit))
            for grid in drain:
                connection.send(grid)
            connection.send((drain.result, backend.statistics() if isinstance(backend, Statistics) else {}))
        except Refused as error:
            connection.send(error)
        except (BackendError, MemoryError) as error:
            connection.send(BackendError(f"{name}: {error or 'out of memory'}"))
