"""A cache that is bounded by what it holds, not by the number of its entries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class SizedCache(Generic[Value]):
    """Keeps the values that were used last, as long as their sizes add up to `most` at the most.

    Example:
        >>> cache = SizedCache[str](10)
        >>> cache.put("a", "kept", 4)
        >>> cache.get("a"), cache.get("b")
        ('kept', None)
    """

    def __init__(self, most: int) -> None:
        self._most, self.total = most, 0
        self._known: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()  # those used last at the end
        self._lock = Lock()

    def get(self, key: Hashable) -> Value | None:
        """Raises TypeError for a key that cannot be hashed."""
        with self._lock:
            known = self._known.get(key)
            if known is None:
                return None
            self._known.move_to_end(key)
        return known[0]

    def put(self, key: Hashable, value: Value, size: int) -> None:
        with self._lock:
            if key not in self._known:
                self._known[key] = value, size
                self.total += size
            while self.total > self._most:
                self.total -= self._known.popitem(last=False)[1][1]
