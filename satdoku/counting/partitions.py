"""Boxes of 3x3 as pairs of partitions, and bands and stacks: the tables that every sum over 9x9 boards reads.

A partition here is an unordered split of the nine digits (0..8) into three sets of three; there are 280. The rows of a
filled box are one, its columns another, and the two are orthogonal: a row and a column have one digit in common. A line
is three boxes side by side, a band or, turned, a stack: its rows are 9!/(3!)^3 x 56 = 94,080 triples of ordered
partitions. Tables are built by the first call and shared; callers do not write to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from satdoku.counting.clues import Clues
from satdoku.kernels.sums import CROSSING, IDS

Ints = NDArray[np.int64]


@cache
def blocks() -> Ints:
    """(280, 3) the sets of each partition as 9-bit masks, ordered by their smallest digits."""
    partitions = []
    for second, third in combinations(range(1, 9), 2):
        first = 1 | 1 << second | 1 << third
        rest = [digit for digit in range(9) if not first >> digit & 1]
        for pair in combinations(rest[1:], 2):
            middle = sum(1 << digit for digit in (rest[0], *pair))
            partitions.append((first, middle, 511 ^ first ^ middle))
    return np.array(partitions, np.int64)


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
    crossing = np.nonzero((common == 1).all(axis=(2, 3)))[1]
    return np.ascontiguousarray(crossing).reshape(IDS, CROSSING)


@cache
def orders() -> Ints:
    """(1680, 3) the ordered partitions: the six orders of each partition's sets, one partition after the other."""
    return blocks()[:, list(permutations(range(3)))].reshape(-1, 3)


@cache
def lines() -> NDArray[np.uint16]:
    """(94080, 3, 3) the fillings of a line of boxes by rows: [filling, box, row] is a mask of digits."""
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


Generator = tuple[tuple[int, ...], tuple[int, int, int]]  # a symmetry: where each digit goes, which box stands where


@dataclass(frozen=True, slots=True)
class BandTriples:
    """The triples of partitions that the boxes of a band can have, ascending, and how many fillings have each."""

    ids: Ints  # (n, 3)   weights: (n,)
    weights: Ints

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def codes(self) -> Ints:
        return code(self.ids)


def code(ids: Ints) -> Ints:
    """(n,) from (n, 3): a number for each triple, in lexicographic order."""
    numbers: Ints = (ids[:, 0] * IDS + ids[:, 1]) * IDS + ids[:, 2]
    return numbers


def band_of(clues: Clues, band: int) -> BandTriples:
    codes, weights = np.unique(code(line_ids()[fits(clues, band)]), return_counts=True)
    ids = np.stack([codes // IDS**2, codes // IDS % IDS, codes % IDS], axis=1)
    return BandTriples(ids.astype(np.int64), weights.astype(np.int64))


def fits(clues: Clues, band: int) -> NDArray[np.bool_]:
    """(94080,) the fillings of a band that its givens allow: one d in row i of a box asks for d in the i-th set."""
    allowed = np.ones(len(lines()), np.bool_)
    for box, row, digit in clues.in_band(band):
        allowed &= (lines()[:, box, row] >> digit & 1).astype(np.bool_)
    return allowed


def generators(clues: Clues) -> Iterator[Generator]:
    """Exchanges of two digits that no given has, and of two stacks without givens; they generate the symmetries."""
    for one, other in pairwise(clues.unused):
        yield exchange(one, other), (0, 1, 2)
    for first, second in pairwise(clues.empty_stacks):
        boxes = [0, 1, 2]
        boxes[first], boxes[second] = second, first
        yield tuple(range(9)), (boxes[0], boxes[1], boxes[2])


def exchange(one: int, other: int) -> tuple[int, ...]:
    digits = list(range(9))
    digits[one], digits[other] = other, one
    return tuple(digits)


def image(line: BandTriples, generator: Generator) -> Ints:
    """(n,) the place in the line where each of its triples goes. Asserts that the line is symmetrical."""
    digits, boxes = generator
    codes, moved = line.codes, code(relabelled(digits)[line.ids[:, list(boxes)]])
    places = np.searchsorted(codes, moved)
    assert (codes[np.minimum(places, len(codes) - 1)] == moved).all(), "a symmetry leads out of the band"
    assert (line.weights[places] == line.weights).all(), "a symmetry changes a weight"
    return places


def orbits(line: BandTriples, symmetries: list[Generator]) -> Ints:
    """(n,) for each triple the first one that the symmetries lead to."""
    first: Ints = np.arange(len(line), dtype=np.int64)
    before = first[:0]
    images = [image(line, symmetry) for symmetry in symmetries]
    while not np.array_equal(first, before):
        before = first
        for places in images:  # exchanges, each of which leads back as well
            first = np.minimum(first, first[places])
        first = first[first]
    return first
