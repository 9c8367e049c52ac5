"""Generators that are gone through for what they return."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Drain(Generic[Item, Result]):
    """Iterates over a generator, such as a search, and keeps what it returns, which a loop would drop.

    result: what the generator returned; there is none before the iteration is over

    >>> from satdoku import read
    >>> from satdoku.backends import Budget, find
    >>> puzzle = read("13....3131...213")
    >>> drain = Drain(find("backtrack").search(puzzle, Budget(None)))
    >>> grids = list(drain)
    >>> drain.result
    <Ending.EXHAUSTED: 'exhausted'>
    """

    result: Result

    def __init__(self, generator: Generator[Item, None, Result]) -> None:
        self._generator = generator

    def __iter__(self) -> Iterator[Item]:
        self.result = yield from self._generator

    def finish(self) -> Result:
        """Go on to the end, without what is yielded; the result."""
        for _ in self:
            pass
        return self.result
