"""Sets of values by their number and sum: what cages and groups of a Linear choose from. Values count from 0."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

MAX_LISTED_VALUES = 9  # values of a board whose sets are all listed: 2^N words a number of cells
MAX_SETS = 300  # sets of one family; where there are more, bounds are propagated


@lru_cache(maxsize=16)
def tables(values: int) -> tuple[NDArray[np.int64], tuple[tuple[int, int], ...]]:
    """For each number of cells, sums of unions of candidates and sets by sum, as one array; and where they stand."""
    if values > MAX_LISTED_VALUES:
        return np.zeros(0, np.int64), ()
    words = 1 << values
    sums = np.zeros((values + 1, words), np.int64)
    sums[0] = 1
    for value in range(values):
        half = 1 << value
        sums[1:, half : 2 * half] = sums[1:, :half] | sums[:-1, :half] << value
    parts, places, at = [sums.reshape(-1)], [], sums.size
    for size in range(values + 1):
        by_sum: dict[int, list[int]] = {}
        for chosen in combinations(range(values), size):
            by_sum.setdefault(sum(chosen), []).append(sum(1 << value for value in chosen))
        most = max(by_sum)
        index = np.cumsum([at + most + 3, *(len(by_sum.get(total, ())) for total in range(most + 1))])
        listed = [each for total in sorted(by_sum) for each in by_sum[total]]
        parts += [np.array([most]), index, np.array(listed, np.int64)]
        places.append((size * words, at + 1))
        at += most + 3 + len(listed)
    return np.concatenate(parts), tuple(places)


@lru_cache(maxsize=1024)
def sets_with_sum(values: int, size: int, total: int) -> tuple[int, ...] | None:
    """All sets of `size` of the values with a sum, as words; None if there are more than MAX_SETS."""
    if values <= MAX_LISTED_VALUES:
        table, places = tables(values)
        least = size * (size - 1) // 2
        if size > values or not least <= total <= size * (values - 1) - least:
            return ()
        first, last = table[places[size][1] + total : places[size][1] + total + 2]
        return tuple(table[first:last].tolist())
    found: list[int] = []
    for each in _sets(values, size, total):
        found.append(each)
        if len(found) > MAX_SETS:
            return None
    return tuple(found)


def _sets(values: int, size: int, total: int) -> Iterator[int]:
    """The greatest value first; sums out of reach are left at once."""
    if size == 0:
        if total == 0:
            yield 0
        return
    for value in range(min(values - 1, total), size - 2, -1):
        rest = total - value
        if rest > sum(range(value - size + 1, value)):
            return
        if rest >= (size - 1) * (size - 2) // 2:
            for others in _sets(value, size - 1, rest):
                yield 1 << value | others
