"""What a set of measured searches shows. A search that was cut counts as cut: it has no time to average.

Where a single number is wanted, PAR-2 charges an undecided search twice its timeout, as SAT competitions do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median

import numpy as np
from numpy.typing import NDArray

from satdoku.bench.raw import Outcome, Search, Setup

RESAMPLES = 2_000
"""Of the bootstrap."""

FEWEST = 5
"""Puzzles below which no interval is given: so few say nothing about others."""

LEAST = 1e-9
"""Seconds that a time counts at least, so that it has a logarithm."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Times in seconds over all searches, each undecided one counting as longer than any that was decided.

    median, ninth: the 50th and the 90th percentile; infinite where that search was not decided
    mean:          with undecided searches at their timeout: a lower bound as soon as there is one
    par2:          with undecided searches at twice their timeout
    rate:          puzzles decided a second, the time of undecided ones included
    """

    runs: int
    solved: int
    timeouts: int
    failed: int
    median: float
    mean: float
    ninth: float
    par2: float
    rate: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95% interval; None where there are too few puzzles for one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as long as the baseline, over the `pairs` of searches of one puzzle in one layout.

    typical: the geometric mean of the pairs' ratios; total: the ratio of the sums. Both charge as PAR-2 does.
    """

    typical: Interval
    total: Interval
    pairs: int


@dataclass(frozen=True, slots=True)
class Costs:
    """What stands beside the time of a search: medians in seconds, peak in bytes, the engine's figures."""

    start: float | None
    warm_up: float | None
    encode: float | None
    search_wall: float | None
    search_cpu: float | None
    peak_bytes: int
    statistics: Mapping[str, float]


def penalised(search: Search, clock: str) -> float:
    """The time of a decided search, twice the timeout of another."""
    seconds = search.seconds(clock) if search.outcome is Outcome.SOLVED else None
    return 2 * search.timeout if seconds is None else max(seconds, LEAST)


def summary(searches: Sequence[Search], clock: str = "wall") -> Summary:
    """Raises ValueError if there are no searches."""
    times = sorted(_time(search, clock) for search in searches)
    solved = [time for time in times if time < inf]
    outcomes = [search.outcome for search in searches]
    spent = sum(min(time, search.timeout) for time, search in _timed(searches, clock))
    return Summary(
        runs=len(times),
        solved=len(solved),
        timeouts=outcomes.count(Outcome.TIMEOUT),
        failed=outcomes.count(Outcome.FAILED),
        median=median(times),
        mean=spent / len(times),
        ninth=times[-(-9 * len(times) // 10) - 1],
        par2=sum(penalised(search, clock) for search in searches) / len(times),
        rate=len(solved) / spent if spent else 0.0,
    )


def ratio(searches: Iterable[Search], baseline: Iterable[Search], clock: str = "wall") -> Ratio | None:
    """`searches` against `baseline`, over the puzzles and layouts that both have; None if they share none.

    The interval is a bootstrap over puzzles, not over searches: repeats of one puzzle are alike (Efron, 1979;
    percentiles of 2,000 resamples, from a fixed seed).
    """
    base = {_layout(search): penalised(search, clock) for search in baseline}
    sums: dict[str, list[float]] = {}
    pairs = 0
    for search in searches:
        reference = base.get(_layout(search))
        if reference is None:
            continue
        pairs += 1
        time = penalised(search, clock)
        row = sums.setdefault(search.digest, [0.0, 0.0, 0.0, 0.0])
        for place, part in enumerate((time, reference, float(np.log(time / reference)), 1.0)):
            row[place] += part
    if not sums:
        return None
    table = np.array(list(sums.values()))
    return Ratio(_interval(table, _typical), _interval(table, _total), pairs)


def costs(searches: Sequence[Search], setups: Sequence[Setup]) -> Costs:
    """The median costs of these searches, and of the starts of their contender."""
    told = {figure for search in searches for figure in search.statistics}
    ended = [search for search in searches if not search.killed]  # a killed one took its figures along
    return Costs(
        start=_median(setup.start_wall for setup in setups),
        warm_up=_median(setup.warm_up_wall for setup in setups),
        encode=_median(search.encode_wall for search in searches),
        search_wall=_median(search.search_wall for search in ended),
        search_cpu=_median(search.search_cpu for search in ended),
        peak_bytes=max((search.peak_bytes for search in searches), default=0),
        statistics={
            figure: median(search.statistics[figure] for search in searches if figure in search.statistics)
            for figure in sorted(told)
        },
    )


def _time(search: Search, clock: str) -> float:
    seconds = search.seconds(clock) if search.outcome is Outcome.SOLVED else None
    return inf if seconds is None else seconds


def _timed(searches: Iterable[Search], clock: str) -> Iterable[tuple[float, Search]]:
    return ((_time(search, clock), search) for search in searches)


def _layout(search: Search) -> tuple[str, int, int, int]:
    return search.digest, search.seed, search.repeat, search.index


def _interval(table: NDArray[np.float64], figure: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Interval:
    """`figure` of the sums over puzzles, and its percentiles over puzzles drawn with replacement."""
    puzzles = len(table)
    value = float(figure(table.sum(axis=0)))
    if puzzles < FEWEST:
        return Interval(value, None, None)
    drawn = np.random.default_rng(0).multinomial(puzzles, np.full(puzzles, 1 / puzzles), size=RESAMPLES)
    low, high = np.quantile(figure((drawn @ table).T), [0.025, 0.975])
    return Interval(value, float(low), float(high))


def _total(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the columns (time, baseline's time, logarithm of their ratio, pairs)."""
    quotient: NDArray[np.float64] = sums[0] / sums[1]
    return quotient


def _typical(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = np.exp(sums[2] / sums[3])
    return mean


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
