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
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from satdoku.backends import propagation
from satdoku.backends.propagation import PropagationKernel
from satdoku.errors import Refused, TooSlow
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.puzzle import Puzzle, other_constraint

MAX_VALUES = 64
MAX_PROPAGATED = propagation.MAX_VALUES
MAX_SEARCHED = 1_000_000  # nodes of a search for the values of auxiliary cells
SLICE = 500  # nodes of propagation between two looks at Ctrl-C

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
    """Estimate how many solutions a puzzle has; `probes` instead of seconds is their number.

    How many probes the seconds allow is measured beforehand, which is part of the seconds, so that what they find has
    no influence on when they end. Raises Refused for a board of more than 64 values, 62 with other constraints than
    AllDifferents, and where a search of MAX_SEARCHED nodes does not find values of auxiliary cells; TooSlow where the
    seconds are over before the board is made.
    """
    end = monotonic() + seconds
    try:
        with bounded_time(seconds if probes is None else None):
            probing = prober(puzzle, seed)
    except TimeIsUp:
        raise TooSlow(seconds) from None
    if probes is None:
        probing.probe(1)  # compiles
        started = monotonic()
        probing.probe(MIN_PROBES)
        ended = monotonic()
        probes = max(MIN_PROBES, int(MIN_PROBES * (end - ended) / max(ended - started, 1e-9)))
    parts = [probing.probe(min(CHUNK, probes - start)) for start in range(0, probes, CHUNK)]
    return Estimate.of(np.concatenate(parts))


class Prober(Protocol):
    """Probes of one puzzle, with the random numbers of one seed."""

    def probe(self, number: int) -> Floats:
        """The natural logarithm of the product of each probe, -inf for one that fails."""


def prober(puzzle: Puzzle, seed: int) -> Prober:
    """Probes by singles on a board of AllDifferents alone, by propagators on another; Refused as `estimate` says."""
    odd, values = other_constraint(puzzle.board), puzzle.board.largest_value
    most, beside = (MAX_VALUES, "") if odd is None else (MAX_PROPAGATED, f" and {odd}")
    if values > most:
        also = "" if odd is None else " with that"
        raise Refused(f"{puzzle.name}: {values} values{beside}, and estimates take up to {most}{also}")
    return _Singles(puzzle, seed) if odd is None else _Propagating(puzzle, seed)


class _Probing:
    """What both kinds share: random numbers, and logarithms that are not by the C library, so the same everywhere."""

    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        self._puzzle = puzzle
        self._random = np.array([seed % 2**64], np.uint64)
        self._logarithm = np.array([0.0, *(float(Decimal(number).ln()) for number in range(1, MAX_VALUES + 1))])

    def probe(self, number: int) -> Floats:
        from satdoku.kernels.probes import FAILED

        logarithms = np.full(number, FAILED)
        self._fill(logarithms)
        logarithms[logarithms == FAILED] = -np.inf
        return logarithms

    def _fill(self, logarithms: Floats) -> None:
        raise NotImplementedError


class _Singles(_Probing):
    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        super().__init__(puzzle, seed)
        from satdoku.kernels import general

        self._words, self._search = general.words_of(puzzle.candidates), general.search(puzzle.board)

    def _fill(self, logarithms: Floats) -> None:
        from satdoku.kernels.probes import probe

        probe(self._words, self._search, self._random, self._logarithm, logarithms)


class _Propagating(_Probing):
    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        super().__init__(puzzle, seed)
        from satdoku.kernels.propagators import search

        self._program = PropagationKernel(puzzle.board).whole
        self._state = search.new_state(self._program)
        domains = np.array([[allowed >> 1 for allowed in puzzle.candidates]], np.int64)
        # What a cell without candidates comes to is known before any propagation.
        fits = all(puzzle.candidates) and search.propagate(self._program, self._state, domains) == search.FIXPOINT
        self._root = np.array(self._state.candidates, np.int64) if fits else None
        self._grids = np.zeros((1, 2, puzzle.board.cells), np.uint16)

    def _fill(self, logarithms: Floats) -> None:
        from satdoku.kernels.propagators import probes, search

        if self._root is None:
            return
        arrays = self._program, self._state, self._root, self._random, self._logarithm, self._grids, logarithms
        probe = probes.probe.bind(*arrays, 0, False, SLICE)
        number, searching = 0, False
        while number < len(logarithms):
            number, searching = probe(number=number, searching=searching)
            if searching and self._state.numbers[search.NODES] > MAX_SEARCHED:
                raise Refused(
                    f"{self._puzzle.name}: {MAX_SEARCHED} nodes of a search do not show whether a grid drawn at "
                    f"random is a solution; its count cannot be estimated"
                )


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
