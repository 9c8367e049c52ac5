"""Engines that err in one way each, for tests of the benchmark: `planted:HOW` is right on puzzles of known answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from satdoku import backends
from satdoku.backends import Budget, Ending, Engine, Search
from satdoku.puzzle import Board, Puzzle


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
        if puzzle.name.startswith("a "):
            if self._how == "unready":
                return Ending.EXHAUSTED
            return (yield from self._right.search(puzzle, budget))
        match self._how:
            case "lie":
                return Ending.EXHAUSTED
            case "wrong":
                yield (1,) * puzzle.board.cells
            case "twice":
                grid = next(self._right.search(puzzle, budget))
                yield grid
                yield grid
            case "quit":
                return Ending.LIMIT
            case "cut":
                return Ending.TIMEOUT
            case "hang":
                time.sleep(600)
            case "child":
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
                print(child.pid, file=sys.stderr, flush=True)
                child.wait()
            case "late":
                time.sleep(0.8)
            case "die":
                print("out of luck", file=sys.stderr, flush=True)
                os.kill(os.getpid(), signal.SIGKILL)
            case "raise":
                raise ValueError("a mistake of its own")
            case "print":
                print("chatter")
        return (yield from self._right.search(puzzle, budget))

    def close(self) -> None:
        self._right.close()


ENGINES = (Engine("planted", "errs", lambda argument, encoding: Planted(argument or ""), argument="how it errs"),)
