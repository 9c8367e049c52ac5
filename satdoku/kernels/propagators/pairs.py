"""Relations between two cells, merged for each pair, and their lookups."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Relation = tuple[int, ...]
"""For each value of the first cell, the values of the second that go with it, as bits. Values count from 0."""

MAX_CHUNK = 9
"""Bits of a set that one look covers: 512 words."""


@lru_cache(maxsize=512)
def of_tuples(tuples: frozenset[tuple[int, ...]], values: int) -> Relation:
    """The relation of a Table over two cells."""
    rows = [0] * values
    for first, second in tuples:
        if 1 <= first <= values and 1 <= second <= values:
            rows[first - 1] |= 1 << second - 1
    return tuple(rows)


@lru_cache(maxsize=512)
def of_sum(first: int, second: int, total: int, values: int) -> Relation:
    """The relation first * a + second * b = total."""
    rows = []
    for value in range(values):
        other, rest = divmod(total - first * value, second)
        rows.append(1 << other if rest == 0 and 0 <= other < values else 0)
    return tuple(rows)


@lru_cache(maxsize=512)
def different(relation: Relation) -> Relation:
    """The same between peers."""
    return tuple(row & ~(1 << value) for value, row in enumerate(relation))


@lru_cache(maxsize=512)
def transposed(relation: Relation) -> Relation:
    """The same, seen from the second cell."""
    return tuple(
        sum(1 << value for value, row in enumerate(relation) if row >> other & 1) for other in range(len(relation))
    )


def chunks(values: int) -> tuple[int, int]:
    """In how many parts a set is looked up, and the bits of each."""
    number = -(-values // MAX_CHUNK)
    return number, -(-values // number)


@lru_cache(maxsize=512)
def lookup(relation: Relation) -> NDArray[np.int64]:
    """For each part of the values of the first cell and each set of these, what the second may hold."""
    number, width = chunks(len(relation))
    table = np.zeros((number, 1 << width), np.int64)
    for value, row in enumerate(relation):
        part, bit = divmod(value, width)
        table[part, 1 << bit : 2 << bit] = table[part, : 1 << bit] | row
    return table.reshape(-1)
