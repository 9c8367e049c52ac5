"""A backend of one's own, in a module that worker processes can import."""

from __future__ import annotations

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


def open_own(argument: str | None, encoding: object) -> Own:
    return Own()


ENGINE = Engine("own", "for tests", open_own)
