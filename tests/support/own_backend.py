"""A backend of one's own, in a module that worker processes can import."""

from __future__ import annotations

import os
import signal
from time import sleep

from satdoku import Puzzle, backends
from satdoku.backends import Budget, Drain, Engine, Search
from satdoku.puzzle import Board


class Own:
    """A backend that counts how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def refuses(self, board: Board) -> str | None:
        return "more than 16 cells" if board.cells > 16 else None

    def load(self, board: Board) -> None:
        pass

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        drain = Drain(backends.find("backtrack").search(puzzle, budget))
        yield from drain
        return drain.result

    def close(self) -> None:
        self.closed += 1


class Fatal(Own):
    """A backend that kills its process, or hangs, at a puzzle whose first cell is 2, or as it comes to a worker."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        if puzzle.givens[0] == 2:
            os.kill(os.getpid(), signal.SIGKILL) if self.how == "kill" else sleep(600)
        return (yield from super().search(puzzle, budget))

    def __setstate__(self, state: dict[str, str]) -> None:
        if state["how"] == "start":
            os._exit(7)
        vars(self).update(state)


def open_own(argument: str | None, encoding: object) -> Own:
    return Own()


ENGINE = Engine("own", "for tests", open_own)
