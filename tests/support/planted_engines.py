"""Engines that err in one way each, for tests of the benchmark: `planted:HOW` is right on puzzles of known answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from satdoku import backends
from satdoku.backends import Backend, Budget, Ending, Engine, Search
from satdoku.puzzle import Board, Puzzle


def right(engine: Backend, puzzle: Puzzle, budget: Budget) -> Search:
    return (yield from engine.search(puzzle, budget))


def ends(ending: Ending) -> Way:
    """Ends at once, without a grid."""

    def search(engine: Backend, puzzle: Puzzle, budget: Budget) -> Search:
        return ending
        yield

    return search


def wrong(engine: Backend, puzzle: Puzzle, budget: Budget) -> Search:
    yield (1,) * puzzle.board.cells
    return (yield from engine.search(puzzle, budget))


def twice(engine: Backend, puzzle: Puzzle, budget: Budget) -> Search:
    grid = next(engine.search(puzzle, budget))
    yield grid
    yield grid
    return (yield from engine.search(puzzle, budget))


def after(act: Callable[[], object]) -> Way:
    """Does something first, and is right after it."""

    def search(engine: Backend, puzzle: Puzzle, budget: Budget) -> Search:
        act()
        return (yield from engine.search(puzzle, budget))

    return search


def child() -> None:
    """Waits for a child in a session of its own."""
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    print(sleeper.pid, file=sys.stderr, flush=True)
    sleeper.wait()


def grow() -> None:
    """Holds 400 MB for as long as it is let."""
    held = b"x" * 400_000_000
    time.sleep(60 * len(held[:1]))


def die() -> None:
    print("out of luck", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise ValueError("a mistake of its own")


Way = Callable[[Backend, Puzzle, Budget], Search]

WAYS: dict[str, Way] = {
    "lie": ends(Ending.EXHAUSTED),
    "quit": ends(Ending.LIMIT),
    "cut": ends(Ending.TIMEOUT),
    "wrong": wrong,
    "twice": twice,
    "hang": after(lambda: time.sleep(600)),
    "late": after(lambda: time.sleep(0.8)),
    "print": after(lambda: print("chatter")),
    "child": after(child),
    "grow": after(grow),
    "die": after(die),
    "raise": after(fail),
}


class Planted:
    """Backtrack, until it is asked about a puzzle of the user's."""

    def __init__(self, how: str) -> None:
        self._how = how
        self._right = backends.find("backtrack")

    def refuses(self, board: Board) -> str | None:
        return "it is too square" if self._how == "refuse" and board.values == 4 else None

    def load(self, board: Board) -> None:
        if self._how == "load":
            raise MemoryError("no room for rules")
        self._right.load(board)

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        if not puzzle.name.startswith("a "):
            return (yield from WAYS.get(self._how, right)(self._right, puzzle, budget))
        if self._how == "unready":
            return Ending.EXHAUSTED
        return (yield from self._right.search(puzzle, budget))

    def close(self) -> None:
        self._right.close()


ENGINES = (Engine("planted", "errs", lambda argument, encoding: Planted(argument or ""), argument="how it errs"),)
