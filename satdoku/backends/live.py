"""The searches of a backend that have not ended."""

from weakref import WeakSet

from satdoku.backends import Search


class Live:
    """Keeps account of searches as long as somebody holds them, so that all end with their backend."""

    def __init__(self) -> None:
        self._searches: WeakSet[Search] = WeakSet()

    def start(self, search: Search) -> Search:
        """Keep account of a search, and return it."""
        self._searches.add(search)
        return search

    def close(self) -> None:
        """Close all of them."""
        for search in list(self._searches):
            search.close()
