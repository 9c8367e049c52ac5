"""Several engines on one puzzle, each in a process of its own: the first that decides wins, the others are killed."""

import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait

from satdoku.backends import BaseBackend, Budget, Drain, Ending, Engine, Search, Statistics, engine, find
from satdoku.backends.clock import Deadline
from satdoku.backends.process import kill_tree, python
from satdoku.constraints import Grid
from satdoku.errors import BackendError, InputError, Refused
from satdoku.puzzle import Board, Puzzle

NATIVE = "native"

COMMAND = "from satdoku.backends.race import serve; serve({})"

MAX_HELD = 1_000  # grids of one engine that are held back; the first to find so many wins too, and goes on by itself


@dataclass(slots=True)
class Entrant:
    """An engine in its process, and what it has sent: grids, then its ending and figures, or an error in a sentence."""

    name: str
    process: subprocess.Popen[bytes]
    pipe: Connection
    grids: list[Grid] = field(default_factory=list)
    ending: Ending | None = None
    statistics: dict[str, int] = field(default_factory=dict)
    error: str | None = None

    def read(self) -> None:
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            message = f"{self.name} died while it was solving"
        if isinstance(message, str):
            self.error = message
        elif isinstance(message[0], Ending):
            self.ending, self.statistics = message
        else:
            self.grids.append(message)

    def kill(self) -> None:
        kill_tree(self.process.pid)
        self.process.wait()
        self.pipe.close()


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
        self.tried: tuple[str, ...] = ()  # all that race are asked at once

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

    def _keep(self, winner: Entrant | None) -> None:
        for name, entrant in list(self._entrants.items()):
            if entrant is not winner:
                del self._entrants[name]
                entrant.kill()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.seconds)
        winner: Entrant | None = None
        try:
            self._take_places(puzzle, budget)
            entrant = self._first(deadline)
            if entrant is None:
                return Ending.TIMEOUT
            self._keep(entrant)
            self.chosen = entrant.name
            while True:
                yield from entrant.grids
                entrant.grids.clear()
                if entrant.ending is not None:
                    self._statistics, winner = entrant.statistics, entrant
                    return entrant.ending
                if self._first(deadline) is None:
                    return Ending.TIMEOUT
        finally:
            self._keep(winner)

    def beside(self, puzzle: Puzzle, budget: Budget, step: Callable[[], Ending | None]) -> tuple[Ending, list[Grid]]:
        """A race with a search of this process: the first ending, and the grids of an engine that came to it.

        budget: of fewer solutions than MAX_HELD
        step:   searches on for a few hundredths of a second; its ending, None until there is one
        """
        deadline, self.chosen, entrant = Deadline(budget.seconds), NATIVE, None
        self._take_places(puzzle, budget)
        try:
            while not deadline.passed():
                ending = step()
                if ending is not None:
                    return ending, []
                entrant = self._first(Deadline(0))
                if entrant is not None and entrant.ending is not None:
                    self.chosen, self._statistics = entrant.name, entrant.statistics
                    return entrant.ending, entrant.grids
            return Ending.TIMEOUT, []
        finally:
            self._keep(None)

    def _take_places(self, puzzle: Puzzle, budget: Budget) -> None:
        for name, backend in self._backends.items():
            if backend.refuses(puzzle.board) is None:
                self._start(name, puzzle, budget)

    def _start(self, name: str, puzzle: Puzzle, budget: Budget) -> None:
        entrant = self._entrants.get(name)
        if entrant is None or entrant.process.poll() is not None:
            pipe, other = Pipe()
            nowhere, number = subprocess.DEVNULL, other.fileno()
            process = python(COMMAND.format(number), stdin=nowhere, stdout=nowhere, pass_fds=(number,))
            other.close()
            entrant = self._entrants[name] = Entrant(name, process, pipe)
        entrant.ending, entrant.statistics = None, {}
        with suppress(OSError):  # one that has died shows when it is read from
            entrant.pipe.send((name, self._encodings[name], puzzle, budget))

    def _first(self, deadline: Deadline) -> Entrant | None:
        """The first with an ending or many grids; None if the deadline is before. BackendError where all failed."""
        running = {entrant.pipe: entrant for entrant in self._entrants.values()}
        while running:
            ready = wait(list(running), deadline.left())
            if not ready:
                return None
            for pipe, entrant in [item for item in running.items() if item[0] in ready]:
                entrant.read()
                if entrant.ending in (Ending.EXHAUSTED, Ending.LIMIT) or len(entrant.grids) > MAX_HELD:
                    return entrant
                if entrant.error is not None or entrant.ending is not None:
                    del running[pipe]
        errors = [entrant.error for entrant in self._entrants.values() if entrant.error is not None]
        if errors and len(errors) == len(self._entrants):
            raise BackendError(errors[0])
        return None


def serve(number: int) -> None:
    pipe, backend = Connection(number), None
    while True:
        try:
            name, encoding, puzzle, budget = pipe.recv()
        except EOFError:
            return
        try:
            backend = backend or find(name, encoding)
            drain = Drain(backend.search(puzzle, budget))
            for grid in drain:
                pipe.send(grid)
            pipe.send((drain.result, backend.statistics() if isinstance(backend, Statistics) else {}))
        except (BackendError, MemoryError) as error:
            pipe.send(f"{name}: {error or 'out of memory'}")


def _open(argument: str | None, encoding: str | None) -> Race:
    names = [name.strip() for name in (argument or "").split(",") if name.strip()]
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise InputError("backend race: expected two backends or more, such as race:native,glucose4,cpsat")
    if any(name.partition(":")[0] == "race" for name in names):
        raise InputError("backend race: a race has no race in it")
    return Race(names, encoding)


ENGINES = (
    Engine(
        name="race",
        summary="several engines at once, each in a process of its own; the first to decide wins",
        open=_open,
        encodes=True,
        argument="the backends, with commas between",
        forms=lambda: (),
        abilities=("several engines at once, each in a process of its own, until one decides", "killed at the timeout"),
    ),
)
