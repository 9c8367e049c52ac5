"""What a set of measured searches shows. A search that was cut counts as cut: it has no time to average.

Where a single number is wanted, PAR-2 charges an undecided search twice its timeout, as SAT competitions do.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import erfc, inf, sqrt
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku.bench.raw import MIN_SECONDS, BenchOutcome, MeasuredSearch, Setup

RESAMPLES = 2_000
MAX_EXACT = 50  # differences up to which every sum of ranks is counted
MIN_PUZZLES = 5  # fewer get no interval: so few say nothing about others


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """Seconds over all searches: for `median` and `percentile_90` an undecided one counts as longer than any other, for
    `mean_at_least` as its timeout, for `par2` as twice that; in `puzzles_a_second` its time is included.
    """

    runs: int
    solved: int
    timeouts: int
    memory: int
    failed: int
    median: float
    mean_at_least: float
    percentile_90: float
    par2: float
    puzzles_a_second: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95% interval; None where there are too few puzzles for one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Ratio:
    """Times as long as the baseline, charged as PAR-2 does: the geometric mean of pairs, and the ratio of sums.

    p: of Wilcoxon's signed-rank test on puzzles, two-sided: how likely such ranks are if neither is faster
    """

    typical: Interval
    total: Interval
    pairs: int
    p: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Costs:
    """What stands beside the time of a search: medians in seconds, peak in bytes, the engine's figures."""

    start: float | None
    warm_up: float | None
    encode: float | None
    search_wall: float | None
    search_cpu: float | None
    peak_bytes: int
    statistics: Mapping[str, float]


def penalised(search: MeasuredSearch, clock: str) -> float:
    """The time of a decided search, twice the timeout of another."""
    seconds = search.decided(clock)
    return 2 * search.timeout if seconds == inf else max(seconds, MIN_SECONDS)


def summary(searches: Sequence[MeasuredSearch], clock: str = "wall") -> Summary:
    times = sorted(search.decided(clock) for search in searches)
    solved = sum(time < inf for time in times)
    outcomes = [search.outcome for search in searches]
    spent = sum(min(search.decided(clock), search.timeout) for search in searches)
    return Summary(
        runs=len(times),
        solved=solved,
        timeouts=outcomes.count(BenchOutcome.TIMEOUT),
        memory=outcomes.count(BenchOutcome.MEMORY),
        failed=outcomes.count(BenchOutcome.FAILED),
        median=median(times),
        mean_at_least=spent / len(times),
        percentile_90=nearest_rank(times, 90),
        par2=sum(penalised(search, clock) for search in searches) / len(times),
        puzzles_a_second=solved / spent if spent else 0.0,
    )


def nearest_rank(times: Sequence[float], percent: int) -> float:
    """That percentile of sorted times, which is one of them."""
    return times[max(0, -(-percent * len(times) // 100) - 1)]


def ratio(searches: Iterable[MeasuredSearch], baseline: Iterable[MeasuredSearch], clock: str = "wall") -> Ratio | None:
    """`searches` against `baseline`, over the puzzles and layouts that both have; None if they share none.

    The interval is a bootstrap over puzzles, not over searches: repeats of one puzzle are alike (Efron, 1979).
    """
    base = {search.layout: penalised(search, clock) for search in baseline}
    sums: dict[str, NDArray[np.float64]] = {}
    for search in searches:
        if search.layout in base:
            time, reference = penalised(search, clock), base[search.layout]
            row = sums.setdefault(search.digest, np.zeros(4))
            row += time, reference, np.log(time / reference), 1.0
    if not sums:
        return None
    table = np.array(list(sums.values()))
    typical = _interval(table, lambda sums: np.exp(sums[2] / sums[3]))
    total = _interval(table, lambda sums: sums[0] / sums[1])
    return Ratio(typical, total, int(table[:, 3].sum()), signed_rank(table[:, 2] / table[:, 3]))


def signed_rank(differences: NDArray[np.float64]) -> float:
    """The two-sided p of Wilcoxon's signed-rank test (1945), zeros left out; 1 if nothing else is there.

    Exact for up to `MAX_EXACT` that do not tie; else by the normal distribution, corrected for ties and continuity.
    """
    some = differences[differences != 0]
    number, sizes = len(some), np.abs(some)
    if not number:
        return 1.0
    _, places, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    less = min(float(ranks[some > 0].sum()), float(ranks[some < 0].sum()))
    if number <= MAX_EXACT and counts.max() == 1:
        ways = np.zeros(number * (number + 1) // 2 + 1)  # of each sum of ranks
        ways[0] = 1
        for rank in range(1, number + 1):
            ways[rank:] += ways[:-rank].copy()
        return float(min(1.0, 2 * ways[: int(less) + 1].sum() / 2**number))
    mean = number * (number + 1) / 4
    variance = number * (number + 1) * (2 * number + 1) / 24 - float((counts**3 - counts).sum()) / 48
    return float(min(1.0, erfc(max(0.0, mean - less - 0.5) / sqrt(2 * variance))))


@dataclass(frozen=True, slots=True)
class Best:
    """The virtual best: of each search the fastest contender, `penalised`, over those that all have.

    fastest, alone: for each contender, of how many it was strictly the fastest, and the only one that decided
    """

    runs: int
    solved: int
    par2: float
    fastest: tuple[int, ...]
    alone: tuple[int, ...]


def virtual_best(contenders: Sequence[Sequence[MeasuredSearch]], clock: str = "wall") -> Best | None:
    """Several contenders as one that always picks the best of them; None if no search is common to all."""
    times = [{search.layout: search.decided(clock) for search in searches} for searches in contenders]
    charged = [{search.layout: penalised(search, clock) for search in searches} for searches in contenders]
    common = [layout for layout in times[0] if all(layout in each for each in times)]
    if not common:
        return None
    table = np.array([[each[layout] for each in times] for layout in common])
    decided = np.isfinite(table)
    first = table == table.min(axis=1, keepdims=True)
    return Best(
        runs=len(common),
        solved=int(decided.any(axis=1).sum()),
        par2=sum(min(each[layout] for each in charged) for layout in common) / len(common),
        fastest=tuple((first & decided & (first.sum(axis=1, keepdims=True) == 1)).sum(axis=0).tolist()),
        alone=tuple((decided & (decided.sum(axis=1, keepdims=True) == 1)).sum(axis=0).tolist()),
    )


def costs(searches: Sequence[MeasuredSearch], setups: Sequence[Setup]) -> Costs:
    reported = {figure for search in searches for figure in search.statistics}
    ended = [search for search in searches if not search.killed]  # a killed one took its figures along
    return Costs(
        start=_median(setup.start_wall for setup in setups),
        warm_up=_median(setup.warm_up_wall for setup in setups),
        encode=_median(search.encode_wall for search in searches),
        search_wall=_median(search.search_wall for search in ended),
        search_cpu=_median(search.search_cpu for search in ended),
        peak_bytes=max((search.peak_bytes for search in searches), default=0),
        statistics={
            name: median(one.statistics[name] for one in searches if name in one.statistics)
            for name in sorted(reported)
        },
    )


def _interval(table: NDArray[np.float64], figure: Callable[[NDArray[np.float64]], Any]) -> Interval:
    """`figure` of the sums over puzzles, and its percentiles over puzzles drawn with replacement."""
    puzzles = len(table)
    value = float(figure(table.sum(axis=0)))
    if puzzles < MIN_PUZZLES:
        return Interval(value, None, None)
    drawn = np.random.default_rng(0).multinomial(puzzles, np.full(puzzles, 1 / puzzles), size=RESAMPLES)
    low, high = np.quantile(figure((drawn @ table).T), [0.025, 0.975])
    return Interval(value, float(low), float(high))


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
