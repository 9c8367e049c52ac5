"""What most backends share: the searches that have not ended, and the figures of the last one."""

from weakref import WeakSet

from satdoku.backends import Budget, Search
from satdoku.puzzle import Puzzle


class Live:
    """A backend that keeps account of its searches as long as somebody holds them, so that all end with it."""

    def __init__(self) -> None:
        self._searches: WeakSet[Search] = WeakSet()
        self._statistics: dict[str, int] = {}

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        search = self._run(puzzle, budget)
        self._searches.add(search)
        return search

    def statistics(self) -> dict[str, int]:
        return self._statistics

    def close(self) -> None:
        for search in list(self._searches):
            search.close()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        raise NotImplementedError
