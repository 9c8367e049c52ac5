"""The one live search of a backend."""

from __future__ import annotations

from satdoku.backends import Search


class Live:
    """Holds the search that runs; starting another closes it."""

    def __init__(self) -> None:
        self._search: Search | None = None

    def start(self, search: Search) -> Search:
        self.close()
        self._search = search
        return search

    def close(self) -> None:
        if self._search is not None:
            self._search.close()
            self._search = None
