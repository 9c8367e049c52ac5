"""Random choices that a seed makes alike on every platform, in every process and release of Python."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """Choices that follow from `seed`: anything whose text is the same everywhere.

    Of Python's generator only `random` is promised to keep its sequence, so all choices come from it.
    """

    def __init__(self, *seed: object) -> None:
        self._uniform = Random(":".join(map(str, seed))).random

    def below(self, bound: int) -> int:
        """One of 0 .. bound - 1."""
        return int(self._uniform() * bound)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order, by Fisher and Yates."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
