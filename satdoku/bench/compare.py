"""Two raw files side by side: how many times as fast one is, search by search."""

from itertools import chain

from msgspec.structs import replace

from satdoku.bench.raw import MeasuredSearch, Raw
from satdoku.bench.report import ReportTable, digits, interval, probability
from satdoku.bench.statistics import MIN_PUZZLES, Interval, ratio
from satdoku.errors import InputError
from satdoku.words import joined


def compared(first: Raw, second: Raw, clock: str) -> tuple[ReportTable, str]:
    """A row for each contender that both files have (or for the only ones), and what all of them come to.

    Raises InputError if the files hold different work, or share no puzzle in the same layout.
    """
    here, there = ((raw.plan.work, raw.plan.limit, raw.plan.timeout) for raw in (first, second))
    if here != there:
        raise InputError(f"{first.path} and {second.path} differ in work or timeout: measure both alike")
    sides = tuple(enumerate((first, second)))
    named = [dict.fromkeys(search.contender for search in raw.searches) for raw in (first, second)]
    pairs = [(name, name) for name in named[0] if name in named[1]]
    if not pairs and len(named[0]) == len(named[1]) == 1:
        pairs = [(next(iter(named[0])), next(iter(named[1])))]
    ours, theirs = ([_of(raw, number, pair[side]) for number, pair in enumerate(pairs)] for side, raw in sides)
    ratios = [ratio(slower, faster, clock) for faster, slower in zip(ours, theirs, strict=True)]
    both = ratio(chain(*theirs), chain(*ours), clock)
    if both is None:
        raise InputError(
            f"{first.path} and {second.path} share no contender on the same puzzle in the same layout:"
            " run both with the same puzzles and --seed"
        )
    rows = tuple(
        (joined([*dict.fromkeys(pair)]), *interval(one.typical), str(one.pairs), probability(one.p))
        for pair, one in zip(pairs, ratios, strict=True)
        if one is not None
    )
    columns = ("contender", "times as fast", "95% interval", "pairs", "p")
    notes = (f"{first.path} against {second.path}, {clock} time; p: Wilcoxon's signed-rank test over puzzles",)
    table = ReportTable(f"{first.path} and {second.path}", columns, (("all puzzles", rows),), notes)
    return table, _sentence(first.path, second.path, both.typical)


def _of(raw: Raw, number: int, name: str) -> list[MeasuredSearch]:
    """The searches of a contender, whose digests are no other contender's."""
    return [replace(one, digest=f"{number} {one.digest}") for one in raw.searches if one.contender == name]


def _sentence(one: str, other: str, times: Interval) -> str:
    """Which of two is how many times as fast, where one is so many times as fast as the other."""
    if times.value < 1:
        low, high = (None if end is None else 1 / end for end in (times.high, times.low))
        return _sentence(other, one, Interval(1 / times.value, low, high))
    if times.low is None or times.high is None:
        few = f"fewer than {MIN_PUZZLES} puzzles have no interval"
        return f"{one} is {digits(times.value)} times as fast as {other}; {few}"
    return f"{one} is {digits(times.low)} to {digits(times.high)} times as fast as {other}"
