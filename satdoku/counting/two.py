"""The sum for boards with boxes of two rows: 2x2, 2x3 and 2x4, and by transposition 3x2 and 4x2.

A band's rows are a split of the digits into two halves, and the columns of a box pairs with a digit of each half, so

    solutions = sum over S_1, ..., S_C of v1(S_1) ... vC(S_C) G1(S_1, ..., S_C) G2(S_1, ..., S_C)

over splits S_b of the bands; v counts the orders of the two rows that the givens allow, and Gk the arrangements of
columns of stack k. After half the bands each column of a stack has a set of digits, its state: G = F H^T, where F
counts the ways of the upper bands to a state, H those of the lower bands to what it leaves. Where the upper or the
lower boxes of a stack have no givens, states that differ in the order of columns are one: of 44,730 some 2,000 remain.

Integers hold all: a band of a stack has 4! x 4! = 576 fillings, and the last follows from the others, so that an entry
of F or H is at most 576, times 4! orders of columns, and one of G, with all its partial sums, at most 576^3 < 2^31.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from satdoku.counting.clues import Clues
from satdoku.counting.partitions import Ints
from satdoku.kernels import sums as kernel
from satdoku.kernels.simd import WIDTH

MAX_COLUMNS = 4

TERMS_A_SECOND = 1e10  # terms of the matrix products in a second of CPU time of one core
SETUP_SECONDS = 0.5

Matrix = NDArray[np.int16]


class TwoRowSum:
    def __init__(self, clues: Clues) -> None:
        self.clues = clues
        self.upper = clues.columns // 2
        self.width = len(splits(clues.columns))

    @property
    def parts(self) -> int:
        """How many parts the sum has; one is a split of the first band."""
        return self.width

    @cached_property
    def terms(self) -> int:
        return sum(self._terms if weight else 0 for weight in self.weights[0].tolist())

    @property
    def seconds(self) -> float:
        """The CPU time that the sum will take, estimated."""
        return SETUP_SECONDS + self.terms / TERMS_A_SECOND

    def prepare(self) -> None:
        _ = self.stacks, self.weights

    def add(self, part: int) -> Iterator[tuple[int, int]]:
        weight, rows = int(self.weights[0][part]), self.width ** (self.upper - 1)
        if not weight:
            return
        one, two = (_product(upper[part * rows : (part + 1) * rows], lower) for upper, lower in self.stacks)
        above, below = _products(self.weights[1 : self.upper]), _products(self.weights[self.upper :])
        # The sum is at most the number of 8x8 grids, 2.9e16, so int64 holds all of it.
        solutions: Ints = above @ (one * two) @ below
        yield self._terms, weight * int(solutions)

    @property
    def _terms(self) -> int:
        states = sum(int(upper.shape[1]) for upper, _ in self.stacks)
        others: int = self.width ** (self.clues.columns - 1)
        return others * states

    @cached_property
    def weights(self) -> list[Ints]:
        """For each band, how many of the two orders of rows of each split the givens allow."""
        sets, every = splits(self.clues.columns), (1 << self.clues.size) - 1
        weights = []
        for band in range(self.clues.columns):
            fits = np.ones((2, len(sets)), np.bool_)
            for box, row, digit in self.clues.in_band(band):
                halves = np.stack([sets, every ^ sets])[[box ^ row, 1 ^ box ^ row]]
                fits &= (halves >> digit & 1).astype(np.bool_)
            weights.append(fits.sum(axis=0))
        return weights

    @cached_property
    def stacks(self) -> list[tuple[Matrix, Matrix]]:
        """F and H of each stack: (splits of the upper bands, states) and (splits of the lower bands, states)."""
        return [self._stack(stack) for stack in range(2)] if self.clues.givens else [self._stack(0)] * 2

    def _stack(self, stack: int) -> tuple[Matrix, Matrix]:
        columns = self.clues.columns
        given = self.clues.transposed().in_band(stack)
        lists = [
            pairings(columns, tuple((column, digit) for box, column, digit in given if box == band))
            for band in range(columns)
        ]
        every = sum(((1 << 2 * columns) - 1) << 8 * column for column in range(columns))
        upper, lower = _ways(lists[: self.upper]), _ways(lists[self.upper :])
        lower = replace(lower, states=every ^ lower.states)
        free_above = all(box >= self.upper for box, _, _ in given)
        free_below = all(box < self.upper for box, _, _ in given)
        if free_above or free_below:
            upper, lower = _in_order(upper, columns, free_above), _in_order(lower, columns, free_below)
        states = np.intersect1d(upper.states, lower.states)
        above, below = upper.matrix(states, columns), lower.matrix(states, columns)
        if free_above and free_below:
            above[:, : len(states)] *= _orders(states, columns)
        return above, below


@cache
def splits(columns: int) -> Ints:
    """The splits of 2C digits into two halves: the masks of the halves that have digit 0."""
    digits = combinations(range(1, 2 * columns), columns - 1)
    return np.array([1 | sum(1 << digit for digit in half) for half in digits], np.int64)


def pairings(columns: int, given: Sequence[tuple[int, int]]) -> Ints:
    """The columns that a box with some givens (column, digit) can have: a byte a column, the mask of its two digits."""
    pairs = [1 << one | 1 << other for one, other in combinations(range(2 * columns), 2)]
    partial: list[tuple[int, int]] = [(0, 0)]  # (digits so far, columns so far)
    for column in range(columns):
        wanted = sum({1 << digit for place, digit in given if place == column})
        fitting = [pair for pair in pairs if not wanted & ~pair]
        partial = [
            (used | pair, code | pair << 8 * column) for used, code in partial for pair in fitting if not used & pair
        ]
    return np.array([code for _, code in partial], np.int64)


@dataclass(frozen=True, slots=True)
class Ways:
    """How one or two bands of a stack can be filled by columns."""

    states: Ints  # (n,) the digits of each column, a byte a column
    lists: tuple[Ints, ...]  # for each band the pairings that its box can have
    places: tuple[NDArray[np.int16], ...]  # for each band (n,) which of them it has

    def chosen(self, keep: NDArray[np.bool_]) -> Ways:
        return Ways(self.states[keep], self.lists, tuple(places[keep] for places in self.places))

    def matrix(self, states: Ints, columns: int) -> Matrix:
        """(splits of the bands, states) how many ways lead to each state; zeros fill up a multiple of `WIDTH`."""
        known = self.chosen(np.isin(self.states, states, kind="sort"))
        crossed = [_crossed(pairings, columns) for pairings in known.lists]
        width, places = len(splits(columns)), known.places
        if len(crossed) == 1:
            crossed.append(np.zeros((1, 1), np.int64))
            places, width = (places[0], np.zeros_like(places[0])), 1
        matrix = np.zeros((-(-len(states) // WIDTH) * WIDTH, len(splits(columns)) * width), np.int16)
        rows = np.searchsorted(states, known.states)
        kernel.scatter(rows, places[0], places[1], crossed[0] * width, crossed[1], matrix)
        return matrix.T.copy()


def _ways(lists: Sequence[Ints]) -> Ways:
    if len(lists) == 1:
        return Ways(lists[0], tuple(lists), (np.arange(len(lists[0]), dtype=np.int16),))
    first, second = lists
    disjoint = [np.nonzero((code & second) == 0)[0].astype(np.int16) for code in first]
    one = np.repeat(np.arange(len(first), dtype=np.int16), list(map(len, disjoint)))
    two = np.concatenate([*disjoint, np.zeros(0, np.int16)])
    return Ways(first[one] | second[two], (first, second), (one, two))


def _in_order(ways: Ways, columns: int, one: bool) -> Ways:
    """The columns of each state in order; or, of states that differ in that alone, the `one` that is in order."""
    digits = np.sort(np.stack([ways.states >> 8 * column & 255 for column in range(columns)]), axis=0)
    states = (digits << 8 * np.arange(columns)[:, None]).sum(axis=0)
    return ways.chosen(ways.states == states) if one else replace(ways, states=states)


def _orders(states: Ints, columns: int) -> Matrix:
    """How many states differ from each in the order of columns alone."""
    digits = [[int(state) >> 8 * column & 255 for column in range(columns)] for state in states]
    return np.array([len(set(permutations(row))) for row in digits], np.int16)


def _crossed(codes: Ints, columns: int) -> Ints:
    """(n, 2^(C-1)) the splits with a digit of each pair on either side."""
    place_of = np.zeros(1 << 2 * columns, np.int64)
    place_of[splits(columns)] = np.arange(len(splits(columns)))
    place_of[((1 << 2 * columns) - 1) ^ splits(columns)] = np.arange(len(splits(columns)))
    pairs = [codes >> 8 * column & 255 for column in range(columns)]
    low = [pair & -pair for pair in pairs]
    halves = [
        low[0] + sum((pairs[column] ^ low[column] if high else low[column]) for column, high in enumerate(choice, 1))
        for choice in product((False, True), repeat=columns - 1)
    ]
    return np.stack([place_of[half] for half in halves], axis=1)


def _product(upper: Matrix, lower: Matrix) -> Ints:
    """F H^T: (rows of F, rows of H)."""
    product = np.zeros((len(upper), len(lower)), np.int64)
    kernel.product(upper, lower, np.empty(WIDTH // 2, np.int32), product)
    return product


def _products(weights: Sequence[Ints]) -> Ints:
    """The products of one weight of each band, in the order of the matrices' columns."""
    products = np.ones(1, np.int64)
    for band in weights:
        products = (products[:, None] * band[None]).ravel()
    return products
