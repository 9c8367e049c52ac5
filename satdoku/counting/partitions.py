"""Boxes of 3x3 as pairs of partitions: the tables that every sum over 9x9 boards reads.

A partition here is an unordered split of the nine digits (0..8) into three sets of three; there are 280,
numbered in the order of `BLOCKS`. The rows of a filled box are one, its columns another, and the two are
orthogonal: a row and a column have one digit in common. A line of boxes is three boxes side by side, a band
or, turned, a stack: its rows are 9!/(3!)^3 x 56 = 94,080 triples of ordered partitions.

Tables are built by the first call and shared; callers do not write to them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

IDS = 280  # unordered partitions of nine digits into three sets of three
CROSSING = 36
"""Partitions orthogonal to a given one: 3! x 3! x 3! orders of three digits a row, up to the 3! orders of columns."""

Ints = NDArray[np.int64]


@cache
def blocks() -> Ints:
    """(280, 3) the sets of each partition as 9-bit masks, ordered by their smallest digits."""
    found = []
    for second, third in combinations(range(1, 9), 2):
        first = 1 | 1 << second | 1 << third
        rest = [digit for digit in range(9) if not first >> digit & 1]
        for pair in combinations(rest[1:], 2):
            middle = sum(1 << digit for digit in (rest[0], *pair))
            found.append((first, middle, 511 ^ first ^ middle))
    return np.array(found, np.int64)


@cache
def id_of() -> NDArray[np.int16]:
    """(512, 512) the partition that has two masks among its sets; -1 for masks that none has."""
    table = np.full((512, 512), -1, np.int16)
    for number, sets in enumerate(blocks()):
        for one, other in permutations(sets, 2):
            table[one, other] = number
    return table


@cache
def orthogonal() -> Ints:
    """(280, 36) the partitions orthogonal to each, ascending."""
    sizes = np.array([mask.bit_count() for mask in range(512)])
    sets = blocks()
    common = sizes[sets[:, None, :, None] & sets[None, :, None, :]]
    return np.nonzero((common == 1).all(axis=(2, 3)))[1].reshape(IDS, CROSSING)


@cache
def orders() -> Ints:
    """(1680, 3) the ordered partitions: the six orders of each partition's sets, one partition after the other."""
    return blocks()[:, list(permutations(range(3)))].reshape(-1, 3)


@cache
def lines() -> NDArray[np.uint16]:
    """(94080, 3, 3) the fillings of a line of boxes by rows: [filling, box, row] is a mask of digits.

    Each row of the line has every digit once, so the masks of a row are disjoint.
    """
    rows = orders().T.astype(np.uint16)
    disjoint = np.logical_and.reduce([row[:, None] & row == 0 for row in rows])
    first, second = (rows[:, places].T for places in np.nonzero(disjoint))
    return np.stack([first, second, 511 ^ first ^ second], axis=1)


@cache
def line_ids() -> Ints:
    """(94080, 3) the partitions of the three boxes of each filling of a line."""
    masks = lines()
    return id_of()[masks[:, :, 0], masks[:, :, 1]].astype(np.int64)


def relabelled(digits: tuple[int, ...]) -> Ints:
    """(280,) where each partition goes when digit d becomes digits[d]."""
    image = np.zeros((IDS, 3), np.int64)
    for digit, target in enumerate(digits):
        image |= (blocks() >> digit & 1) << target
    return id_of()[image[:, 0], image[:, 1]].astype(np.int64)
