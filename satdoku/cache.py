"""A cache that is bounded by what it holds, not by the number of its entries; and caches that are emptied together."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import _lru_cache_wrapper, lru_cache
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")
_of_texts: list[_lru_cache_wrapper[object]] = []


def cached_texts(most: int) -> Callable[[Callable[..., Value]], _lru_cache_wrapper[Value]]:
    """A cache of what is made of the last texts, until `forget_texts` empties it."""

    def cached(function: Callable[..., Value]) -> _lru_cache_wrapper[Value]:
        wrapper = lru_cache(maxsize=most)(function)
        _of_texts.append(wrapper)
        return wrapper

    return cached


def forget_texts() -> None:
    for each in _of_texts:
        each.cache_clear()


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
