"""Chunks of the size that answers show to be right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, Protocol, Self, TypeVar

from satdoku.batch.totals import Result

SECONDS = 0.25  # what a chunk should take: long against the cost of handing it over, short against a Ctrl-C
MAX_LINES = 8_192  # lines of a chunk


class Divisible(Protocol):
    """Things that go to a worker together, and can be divided."""

    def __len__(self) -> int: ...

    def part(self, start: int, end: int) -> Self:
        """Those from a number up to another."""


C = TypeVar("C", bound=Divisible)


class Chunks(Generic[C]):
    def __init__(self, chunks: Iterator[C]) -> None:
        self._chunks = chunks
        self._rest: C | None = None
        self._lines = 1

    def __iter__(self) -> Iterator[C]:
        return self

    def __next__(self) -> C:
        chunk = self._rest or next(self._chunks)
        self._rest = None
        if len(chunk) > self._lines:
            self._rest = chunk.part(self._lines, len(chunk))
            chunk = chunk.part(0, self._lines)
        return chunk

    def more(self) -> bool:
        self._rest = self._rest or next(self._chunks, None)
        return self._rest is not None

    def resize(self, result: Result) -> None:
        """Choose the size of the next chunks by how long this one took."""
        if result.lines:
            fitting = int(result.lines * SECONDS / max(result.seconds, 1e-6))
            self._lines = max(1, min(fitting, 4 * self._lines, MAX_LINES))
