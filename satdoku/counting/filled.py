"""Exact counts of plain boards with a few marks: a plain count for each way to fill the cells of the marks.

With these cells filled, what is left is a plain puzzle. Ways that differ by the names of digits that no given has leave
as many solutions, so that one of each such class is counted, times the number of its ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satdoku.backends import Budget, Ending
from satdoku.backends.native import Native
from satdoku.constraints import Grid
from satdoku.counting import exact, fillable
from satdoku.counting.estimates import estimate
from satdoku.counting.exact import SolutionTotal, Watch
from satdoku.counting.fillable import Marked
from satdoku.limits import check_time
from satdoku.puzzle import Puzzle, members, only
from satdoku.system.clock import NEVER, Deadline

MAX_STEPS = 200_000  # of the search for ways to fill them: about a second
MAX_CLASSES = 5_000
LISTED = 100_000  # solutions of a plain puzzle that are found one by one before a sum counts them
PROBES, RATE = 300, 1_000_000  # of an estimate; solutions a second that are counted by parts, at least
SAMPLE = 12  # classes whose time is looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledPlan:
    """Plain puzzles to count, and how many ways to fill the cells of the marks each stands for.

    seconds: the CPU time that their sums will take on one core, estimated
    """

    puzzles: tuple[tuple[Puzzle, int], ...]
    seconds: float
    counted_by: str = "plain counts for each filling of the marks"

    @property
    def terms(self) -> int:
        return len(self.puzzles)


def plan(puzzle: Puzzle) -> FilledPlan | None:
    """How to count the solutions of a puzzle that is `fillable`; None if the marks leave too many ways.

    >>> from satdoku import read
    >>> plan(read('size = 9\\nthermometer = ["r1c1 r2c1 r3c1"]')).terms
    1
    """
    marked = fillable.marked(puzzle)
    if marked is None:
        return None
    unused = frozenset(range(1, puzzle.board.values + 1)) - {value for value in puzzle.givens if value}
    numbers: Counter[Grid] = Counter()
    first: dict[Grid, Grid] = {}
    for way in _ways(puzzle, marked):
        if way is None:
            return None
        key = _class(way, unused)
        numbers[key] += 1
        first.setdefault(key, way)
        if len(first) > MAX_CLASSES:
            return None
    puzzles = tuple((_filled(puzzle, marked, way), numbers[key]) for key, way in first.items())
    sample = [each for each, _ in puzzles[:: -(-len(puzzles) // SAMPLE)]] if puzzles else []
    planned = [exact_plan.seconds for each in sample if (exact_plan := exact.plan(each)) is not None]
    return FilledPlan(puzzles=puzzles, seconds=sum(planned) / max(1, len(sample)) * len(puzzles))


def pays(plan: FilledPlan, puzzle: Puzzle) -> bool:
    """Whether it is likely to be faster than a count by parts."""
    return plan.seconds < 1 or plan.seconds < estimate(puzzle, probes=PROBES).value / RATE


def count(
    plan: FilledPlan,
    deadline: Deadline = NEVER,
    enough: int | None = None,
    *,
    jobs: int = 1,
    watch: Watch | None = None,
) -> SolutionTotal:
    """Count the solutions of a plan, as `satdoku.counting.exact.count` does those of one plain puzzle."""
    if watch is not None:
        watch.begin(plan)
    total = 0
    for number, (puzzle, ways) in enumerate(plan.puzzles, 1):
        one = _plain(puzzle, deadline, jobs)
        total += ways * one.count
        if watch is not None:
            watch.update(number, total)
        if not one.exact or (enough is not None and total >= enough):
            return SolutionTotal(total, one.exact and number == plan.terms)
    return SolutionTotal(total, True)


def _plain(puzzle: Puzzle, deadline: Deadline, jobs: int) -> SolutionTotal:
    many, ending, _ = Native().count_solutions(puzzle, Budget(LISTED, deadline.left()))
    if ending is not Ending.LIMIT:
        return SolutionTotal(many, ending is Ending.EXHAUSTED)
    planned = exact.plan(puzzle)
    assert planned is not None
    return exact.count(planned, deadline, jobs=jobs)


def _ways(puzzle: Puzzle, marked: Marked) -> Iterator[Grid | None]:
    """The values of the marked cells in each way to fill them; None, the last, if the search takes too long."""
    grid, steps = list(puzzle.givens), 0
    cells, peers = marked.cells, marked.board.peers
    values = [iter(members(puzzle.candidates[cells[0]]))] if cells else []
    while values:
        place = len(values) - 1
        cell = cells[place]
        grid[cell] = 0
        value = next(values[-1], 0)
        if not value:
            grid[cell] = only(puzzle.candidates[cell])
            values.pop()
            continue
        check_time()
        steps += 1
        if steps > MAX_STEPS:
            yield None
            return
        if any(grid[peer] == value for peer in peers[cell]):
            continue
        grid[cell] = value
        if not all(rule.holds(grid) for rule in marked.constraints[place]):
            continue
        if place + 1 == len(cells):
            yield tuple(grid[cell] for cell in cells)
        else:
            values.append(iter(members(puzzle.candidates[cells[place + 1]])))


def _class(way: Sequence[int], unused: frozenset[int]) -> Grid:
    """The way with the unused digits named in the order in which they come."""
    names: dict[int, int] = {}
    return tuple(-names.setdefault(value, len(names) + 1) if value in unused else value for value in way)


def _filled(puzzle: Puzzle, marked: Marked, way: Grid) -> Puzzle:
    candidates = list(puzzle.candidates)
    for cell, value in zip(marked.cells, way, strict=True):
        candidates[cell] = 1 << value
    return Puzzle(marked.board, tuple(candidates), puzzle.name)
