"""Several engines on one puzzle, each in a process of its own: the first that decides wins, the others are killed."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import Any

from satdoku import backends
from satdoku.backends import Budget, Ending, Engine, Search, Statistics
from satdoku.backends.clock import Deadline
from satdoku.backends.live import Live
from satdoku.backends.process import kill_tree
from satdoku.constraints import Grid
from satdoku.errors import BackendError, InputError, Refused
from satdoku.puzzle import Board, Puzzle

COMMAND = "from satdoku.backends.race import serve; serve()"

MAX_HELD = 1_000
"""Grids of one engine that are held back; the first to find so many wins too, and goes on by itself."""

CHUNK = 1 << 16
"""Bytes that are read at once."""


@dataclass(slots=True)
class Entrant:
    """An engine in its process, and what it has sent: grids, then its ending and figures, or an error in a sentence."""

    name: str
    process: subprocess.Popen[bytes]
    received: bytearray = field(default_factory=bytearray)
    grids: list[Grid] = field(default_factory=list)
    ending: Ending | None = None
    statistics: dict[str, int] = field(default_factory=dict)
    error: str | None = None

    def read(self) -> None:
        """Take what has come; an error if the process has died."""
        assert self.process.stdout is not None
        content = os.read(self.process.stdout.fileno(), CHUNK)
        if not content:
            self.error = f"{self.name} died while it was solving"
        self.received += content
        while len(self.received) >= 4:
            length = int.from_bytes(self.received[:4], "little")
            if len(self.received) < 4 + length:
                return
            message = pickle.loads(self.received[4 : 4 + length])
            del self.received[: 4 + length]
            if isinstance(message, str):
                self.error = message
            elif isinstance(message[0], Ending):
                self.ending, self.statistics = message
            else:
                self.grids.append(message)

    def kill(self) -> None:
        """End the process and all that it has started."""
        kill_tree(self.process.pid)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass  # unsent bytes to a process that is gone


class Race:
    """`chosen` names the engine that won the last search. The winner's process is kept for the next one."""

    def __init__(self, names: Sequence[str], encoding: str | None = None) -> None:
        self._encodings = {name: encoding if backends.engine(name).encodes else None for name in names}
        if encoding is not None and not any(self._encodings.values()):
            raise Refused(f"none of {', '.join(names)} takes an encoding; leave out the encoding {encoding}")
        self._backends = {name: backends.find(name, own) for name, own in self._encodings.items()}
        self._entrants: dict[str, Entrant] = {}
        self._live = Live()
        self._statistics: dict[str, int] = {}
        self.chosen = names[0]

    def refuses(self, board: Board) -> str | None:
        reasons = [backend.refuses(board) for backend in self._backends.values()]
        return None if None in reasons else reasons[0]

    def load(self, board: Board) -> None:
        """Nothing: each process loads the board of its puzzle."""

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        return self._live.start(self._run(puzzle, budget))

    def statistics(self) -> dict[str, int]:
        return self._statistics

    def close(self) -> None:
        self._live.close()
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
            for name, backend in self._backends.items():
                if backend.refuses(puzzle.board) is None:
                    self._start(name, puzzle, budget)
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

    def _start(self, name: str, puzzle: Puzzle, budget: Budget) -> None:
        entrant = self._entrants.get(name)
        if entrant is None or entrant.process.poll() is not None:
            process = subprocess.Popen(
                [sys.executable, "-c", COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)},
                start_new_session=True,  # Ctrl-C is for the parent, which then kills it
            )
            entrant = self._entrants[name] = Entrant(name, process)
            _send(process, (name, self._encodings[name]))
        entrant.ending, entrant.statistics = None, {}
        _send(entrant.process, (puzzle, budget))

    def _first(self, deadline: Deadline) -> Entrant | None:
        """The first with an ending or many grids; None if the deadline comes before. A timeout is not an ending.

        Raises BackendError where each one has failed.
        """
        with DefaultSelector() as selector:
            for entrant in self._entrants.values():
                assert entrant.process.stdout is not None
                selector.register(entrant.process.stdout, EVENT_READ, entrant.name)
            while selector.get_map():
                ready = selector.select(deadline.left())
                if not ready:
                    return None
                for key, _ in ready:
                    entrant = self._entrants[key.data]
                    entrant.read()
                    if entrant.ending in (Ending.EXHAUSTED, Ending.LIMIT) or len(entrant.grids) > MAX_HELD:
                        return entrant
                    if entrant.error is not None or entrant.ending is not None:
                        selector.unregister(key.fileobj)
        errors = [entrant.error for entrant in self._entrants.values() if entrant.error is not None]
        if len(errors) == len(self._entrants):
            raise BackendError(errors[0])
        return None


def _send(process: subprocess.Popen[bytes], message: Any) -> None:
    """Send to a child. Whether one that has died cannot take it shows when it is read from."""
    assert process.stdin is not None
    try:
        pickle.dump(message, process.stdin, pickle.HIGHEST_PROTOCOL)
        process.stdin.flush()
    except OSError:
        pass


def serve() -> None:
    """The child's side: the engine once, then puzzles in; grids, the ending and figures out."""
    # Whatever a solver prints must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer

    def answer(message: object) -> None:
        content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        answers.write(len(content).to_bytes(4, "little") + content)
        answers.flush()

    name, encoding = pickle.load(requests)
    backend = backends.find(name, encoding)
    while True:
        try:
            puzzle, budget = pickle.load(requests)
        except EOFError:
            return
        try:
            drain = backends.Drain(backend.search(puzzle, budget))
            for grid in drain:
                answer(grid)
            answer((drain.result, backend.statistics() if isinstance(backend, Statistics) else {}))
        except (BackendError, MemoryError) as error:
            answer(f"{name}: {error or 'out of memory'}")


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
