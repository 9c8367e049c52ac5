"""Unbiased estimates of how many grids a puzzle has, where no count would end.

A probe is a random way down the tree of a search: singles are propagated, then a cell with the fewest candidates gets
one of them, until the grid is full or a cell has none left. The product of the numbers of candidates on the way, 0 for
a way that fails, has the number of grids as its mean (Knuth, Estimating the efficiency of backtrack programs,
Mathematics of Computation 29, 1975). For the interval of these skewed products Student's statistic is transformed by
Hall's monotone cubic (Hall, On the removal of skewness by transformation, J. of the Royal Statistical Society B, 1992).
A few large products decide the mean, so that Student's distribution has the degrees of freedom of Kish's effective
sample size (Kish, Survey Sampling, 1965). What is rare enough to be missing from the probes no interval knows: on
193 boards whose count is known intervals of nominally 97.5% hold it in 95 to 97 of 100, with 100, 300 or 1,000 probes.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, sqrt
from statistics import NormalDist
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from satdoku.errors import Refused
from satdoku.puzzle import Puzzle, other_constraint

MAX_VALUES = 64

MIN_PROBES = 100  # an interval from fewer would mean nothing. As many are thrown away first, to see how long one takes
TAIL = 0.0125  # beyond each end of an interval, by its formula
CHUNK = 500  # probes between two looks at Ctrl-C

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated number of solutions.

    value:     unbiased: its mean over all seeds is the number of solutions
    low, high: in about 95 of 100 estimates the number of solutions is between them; None if no probe found a grid,
               which says nothing about how many there may be
    probes:    how many ways down the tree were tried
    """

    value: int
    low: int
    high: int | None
    probes: int

    @classmethod
    def of(cls, logarithms: Floats) -> Estimate:
        number, scale = len(logarithms), float(logarithms.max())
        if scale == -inf:
            return cls(0, 0, None, number)
        products = np.exp(logarithms - scale)  # scaled so that floats hold them
        mean, variance = float(products.mean()), float(products.var(ddof=1))
        error = sqrt(variance / number)
        skewness = float(((products - mean) ** 3).mean()) / variance**1.5 / sqrt(number) if variance else 0.0
        quantile = _student(TAIL, max(1.0, float(products.sum() ** 2 / (products**2).sum()) - 1))
        low, high = (mean - error * _untransformed(each, skewness) for each in (quantile, -quantile))
        value, low_end, high_end = (_scaled(one, scale) for one in (mean, max(0.0, low), high))
        return cls(value, low_end, high_end, number)


def estimate(puzzle: Puzzle, seconds: float = 10.0, seed: int = 0, probes: int | None = None) -> Estimate:
    """Estimate how many solutions a puzzle of AllDifferents has; `probes` instead of seconds is their number.

    How many probes the seconds allow is measured beforehand, which is part of the seconds, so that what they find has
    no influence on when they end. Raises Refused for a board with other constraints or more than 64 values.
    """
    end = monotonic() + seconds
    prober = Prober(puzzle, seed)
    if probes is None:
        prober.probe(1)  # compiles
        started = monotonic()
        prober.probe(MIN_PROBES)
        ended = monotonic()
        probes = max(MIN_PROBES, int(MIN_PROBES * (end - ended) / max(ended - started, 1e-9)))
    parts = [prober.probe(min(CHUNK, probes - start)) for start in range(0, probes, CHUNK)]
    return Estimate.of(np.concatenate(parts))


class Prober:
    """Probes of one puzzle, with the random numbers of one seed. Raises Refused as `estimate` says."""

    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        odd = other_constraint(puzzle.board)
        if odd is not None:
            raise Refused(f"{puzzle.name}: estimates need a board of AllDifferents alone, and {odd}")
        if puzzle.board.values > MAX_VALUES:
            raise Refused(f"{puzzle.name}: {puzzle.board.values} values, and estimates take up to {MAX_VALUES}")
        from satdoku.kernels import general, probes

        self._kernel = probes
        self._words = general.words_of(puzzle.candidates)
        self._search = general.search(puzzle.board)
        self._random = np.array([seed % 2**64], np.uint64)
        # Not by the C library, so that they are the same everywhere.
        self._logarithm = np.array([0.0, *(float(Decimal(number).ln()) for number in range(1, MAX_VALUES + 1))])

    def probe(self, number: int) -> Floats:
        """The natural logarithm of the product of each probe, -inf for one that fails."""
        logarithms = np.empty(number, np.float64)
        self._kernel.probe(self._words, self._search, self._random, self._logarithm, logarithms)
        logarithms[logarithms == self._kernel.FAILED] = -np.inf
        return logarithms


def _student(tail: float, freedom: float) -> float:
    """What Student's statistic exceeds with a probability; Abramowitz and Stegun, 1964, 26.7.5."""
    z = NormalDist().inv_cdf(1 - tail)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _untransformed(normal: float, skewness: float) -> float:
    """Student's statistic for a normal one; `skewness` is that of the mean."""
    if abs(skewness) < 1e-6:
        return normal
    return 3 / skewness * (float(np.cbrt(1 + skewness * (normal - skewness / 6))) - 1)


def _scaled(number: float, scale: float) -> int:
    """number times e to the `scale`, which may be more than floats hold."""
    power = int(scale / np.log(2))
    return int(Fraction(number * float(np.exp(scale - power * np.log(2)))) * 2**power + Fraction(1, 2))
