"""Unbiased estimates of how many grids a puzzle has, where no count would end.

A probe is a random way down the tree of a search: singles are propagated, then the first cell with the fewest
candidates gets one of them, each as likely, until the grid is full or a cell has no candidate left. The
product of the numbers of candidates on the way, 0 for a way that fails, has the number of grids as its mean
(Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29, 1975). The standard
deviation is 1.6 times the mean on the empty 9x9 board, 5 times on 12x12, 10 times on 16x16.

Products are skewed to the right, so the interval is not symmetrical: Student's statistic is transformed by Hall's
monotone cubic, which takes the skewness away (Hall, On the removal of skewness by transformation, Journal of
the Royal Statistical Society B 54, 1992).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from statistics import NormalDist
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku.counting import probes as kernel
from satdoku.errors import Refused
from satdoku.kernels import general
from satdoku.puzzle import Puzzle, other_constraint

MAX_VALUES = 64

MIN_PROBES = 100
"""An interval from fewer would mean nothing. As many are thrown away first, to see how long one takes."""

CHUNK = 500
"""Probes between two calls of `progress`."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """Power sums of the products of some probes, each divided by e to the `scale`, so that floats hold them.

    Moments of other probes of the same puzzle can be added, such as those of other workers.
    """

    probes: int
    scale: float
    sums: tuple[float, float, float]

    @classmethod
    def of(cls, logarithms: Floats) -> Moments:
        """From the natural logarithms of the products, -inf for 0."""
        scale = float(logarithms.max(initial=-inf))
        if scale == -inf:
            return cls(len(logarithms), -inf, (0.0, 0.0, 0.0))
        products = np.exp(logarithms - scale)
        sums = (float(products.sum()), float((products**2).sum()), float((products**3).sum()))
        return cls(len(logarithms), scale, sums)

    def __add__(self, other: Moments) -> Moments:
        scale = max(self.scale, other.scale)
        if scale == -inf:
            return Moments(self.probes + other.probes, -inf, self.sums)
        factors = [float(np.exp(one.scale - scale)) for one in (self, other)]
        first, second, third = (
            sum(one.sums[power] * factor ** (power + 1) for one, factor in zip((self, other), factors, strict=True))
            for power in range(3)
        )
        return Moments(self.probes + other.probes, scale, (first, second, third))


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
    def of(cls, moments: Moments) -> Estimate:
        """From the probes' power sums. Raises ValueError for fewer than two probes."""
        if moments.probes < 2:
            raise ValueError(f"{moments.probes} probes: an interval needs at least 2")
        if moments.scale == -inf:
            return cls(0, 0, None, moments.probes)
        first, second, third = (total / moments.probes for total in moments.sums)
        variance = max(0.0, second - first**2) * moments.probes / (moments.probes - 1)
        third_moment = third - 3 * first * second + 2 * first**3
        error = sqrt(variance / moments.probes)
        skewness = third_moment / variance**1.5 / sqrt(moments.probes) if variance else 0.0
        low, high = (first - error * _untransformed(NormalDist().inv_cdf(part), skewness) for part in (0.975, 0.025))
        value, low_end, high_end = (_scaled(number, moments.scale) for number in (first, max(0.0, low), high))
        return cls(value, low_end, high_end, moments.probes)


def estimate(
    puzzle: Puzzle,
    seconds: float = 10.0,
    seed: int = 0,
    probes: int | None = None,
    progress: Callable[[Moments], None] | None = None,
) -> Estimate:
    """Estimate how many solutions a puzzle of AllDifferents has.

    puzzle:   any board of AllDifferents over at most 64 values, with any givens and pencil marks
    seconds:  wall time to spend; how many probes it allows is measured beforehand, so that what they find has
              no influence on when they end
    seed:     of the random numbers
    probes:   their number, instead of seconds; then a seed gives the same estimate on every machine
    progress: called every 500 probes with what they have found so far

    Raises Refused for a board with other constraints or more values.

    Example:
        >>> from satdoku import Puzzle, classic
        >>> found = estimate(Puzzle.from_givens(classic(2, 2), {}), probes=1000, seed=1)
        >>> found.low <= 288 <= found.high
        True
    """
    prober = Prober(puzzle, seed)
    if probes is None:
        prober.probe(1)  # compiles
        started = monotonic()
        prober.probe(MIN_PROBES)
        spent = monotonic() - started
        probes = max(MIN_PROBES, int(MIN_PROBES * (seconds / max(spent, 1e-9) - 1)))
    moments = Moments(0, -inf, (0.0, 0.0, 0.0))
    while moments.probes < probes:
        moments += prober.probe(min(CHUNK, probes - moments.probes))
        if progress is not None:
            progress(moments)
    return Estimate.of(moments)


class Prober:
    """Probes of one puzzle, with the random numbers of one seed. Raises Refused as `estimate` says."""

    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        odd = other_constraint(puzzle.board)
        if odd is not None:
            raise Refused(f"{puzzle.name}: estimates need a board of AllDifferents alone, and {odd}")
        if puzzle.board.values > MAX_VALUES:
            raise Refused(f"{puzzle.name}: {puzzle.board.values} values, and estimates take up to {MAX_VALUES}")
        self._kernel: Any = kernel
        self._words = general.words_of(puzzle.candidates)
        self._search = general.search(puzzle.board)
        self._random = np.array([seed % 2**64], np.uint64)

    def probe(self, number: int) -> Moments:
        """The moments of so many new probes."""
        logarithms = np.empty(number, np.float64)
        self._kernel.probe(self._words, self._search, self._random, logarithms)
        return Moments.of(logarithms)


def _untransformed(normal: float, skewness: float) -> float:
    """Student's statistic for a normal one; `skewness` is that of the mean."""
    if abs(skewness) < 1e-6:
        return normal
    return 3 / skewness * (float(np.cbrt(1 + skewness * (normal - skewness / 6))) - 1)


def _scaled(number: float, scale: float) -> int:
    """number times e to the `scale`, which may be more than floats hold."""
    power = int(scale / np.log(2))
    return int(Fraction(number * float(np.exp(scale - power * np.log(2)))) * 2**power + Fraction(1, 2))
