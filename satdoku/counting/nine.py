"""The sum for 9x9 boards with boxes of 3x3.

A filled box is its row partition P and its column partition Q, which are orthogonal. A given d in row i and column j of
a box says that d is in P_i and in Q_j, two claims that know nothing of each other. The rows of a band are disjoint,
which concerns row partitions alone, and the columns of a stack column partitions alone. So

    solutions = sum over x, y, z of v1(x) v2(y) v3(z) G1(x1, y1, z1) G2(x2, y2, z2) G3(x3, y3, z3)

over triples x, y, z of unordered row partitions of the bands; v counts the orders of rows that the givens allow, and
Gk(p, q, r) the arrangements of columns of stack k whose boxes have these row partitions. Permutations of unused digits
and exchanges of empty stacks leave all as it is: one x of each orbit is taken, times the orbit's size, and y's are
merged by those that keep x. Of the six roles, any band as x, transposed or not, the one with fewest terms is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from satdoku.counting.clues import Clues
from satdoku.counting.partitions import (
    BandTriples,
    Generator,
    Ints,
    band_of,
    blocks,
    exchange,
    generators,
    orbits,
    orthogonal,
)
from satdoku.counting.sums import Tables, add_up, columns_of, fill_tables, max_run
from satdoku.kernels.simd import WIDTH
from satdoku.kernels.sums import IDS

TERMS_A_SECOND = 1e10  # terms of the sum in a second of CPU time of one core
ENTRIES_A_SECOND = 0.7e9  # entries of tables that are copied in a second
SETUP_SECONDS = 0.1

MAX_CALL = 10**8  # terms between two looks at the clock: some 30 ms
RUN_TERMS = 5  # what the end of a run costs, in terms
Pairs = tuple[tuple[int, int], ...]  # exchanges of digits


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedRange:
    """Some x, from place `start` to `stop`, whose y's are merged alike; runs and y as `add_up` takes them."""

    start: int
    stop: int
    runs: Ints
    y: Ints
    source: Ints  # for each y its place in the second band
    weights: Ints  # for each y its weight times the number of those merged


class NineSum:
    """The sum for one board, in the role with the fewest terms: `clues` are transposed if that is the role, `bands` are
    x, y and z and can be `lines`, `boxes` are the stacks of the three factors, `z` as `_paired` makes it; `x`, (n, 3),
    are one of each orbit of the first line's triples, by `boxes`, and `sizes` how many fillings each stands for."""

    def __init__(self, clues: Clues, fixed: tuple[int, int] | None = None) -> None:
        """fixed: the band that is x and the stack that is the first factor, with the symmetries of digits alone."""
        roles = [
            role
            for turned in ((clues, clues.transposed()) if fixed is None else (clues,))
            for role in _roles(turned, fixed is None)
            if fixed is None or role.bands[0] == fixed[0]
        ]
        role = min(roles, key=lambda role: role.terms)
        self.clues, self.bands, self.lines = role.clues, role.bands, role.lines
        self.boxes = sorted(range(3), key=self._cost if fixed is None else lambda box: box != fixed[1])
        self.z, self.z_weights = _paired(self.lines[2], self.boxes)
        first, inverse = np.unique(role.orbit, return_inverse=True)
        sizes = np.bincount(inverse, weights=self.lines[0].weights, minlength=len(first)).astype(np.int64)
        pairs = [_interchangeable(self.clues.unused, ids) for ids in self.lines[0].ids[first]]
        order = sorted(range(len(first)), key=lambda place: pairs[place])
        self._pairs = [pairs[place] for place in order]
        self.x, self.sizes = self.lines[0].ids[first[order]][:, self.boxes], sizes[order]

    @property
    def parts(self) -> int:
        """How many parts the sum has; one is a block of the third band."""
        return -(-2 * len(self.z) // WIDTH)

    @cached_property
    def terms(self) -> int:
        return sum((group.stop - group.start) * len(group.y) for group in self.groups) * self.parts * WIDTH

    @property
    def seconds(self) -> float:
        """The CPU time that the sum will take, estimated."""
        copied = self.parts * sum(map(len, self._used)) * IDS * WIDTH
        return SETUP_SECONDS + self.terms / TERMS_A_SECOND + copied / ENTRIES_A_SECOND

    def prepare(self) -> None:
        _ = self.tables, self.places, self.groups

    def add(self, part: int) -> Iterator[tuple[int, int]]:
        """(terms, solutions) of one part, piece by piece, some 30 ms each."""
        for group in self.groups:
            for some in self.slices(group):
                sums = self.sums(part, group, some.start, some.stop).sum(axis=1)
                solutions = sum(map(int.__mul__, sums.tolist(), self.sizes[some].tolist()))
                yield len(sums) * len(group.y) * WIDTH, solutions

    def slices(self, group: MergedRange) -> Iterator[slice]:
        step = max(1, MAX_CALL // (WIDTH * max(1, len(group.y))))
        for start in range(group.start, group.stop, step):
            yield slice(start, min(start + step, group.stop))

    def sums(self, part: int, group: MergedRange, start: int, stop: int) -> Ints:
        """(stop - start, pairs of the part) weighted sums over y for some x of a group and each pair of z."""
        _, weights = self.pairs(part)
        sums = add_up(self.places[start:stop], group.runs, group.y, *self.loaded(part))
        weighted: Ints = sums[:, : len(weights)] * weights
        return weighted

    def loaded(self, part: int) -> list[Tables]:
        if self._loaded is None or self._loaded[0] != part:
            z, _ = self.pairs(part)
            columns = np.full((WIDTH // 2, 2, 3), -1, np.int16)
            columns[: len(z)] = z
            chosen = (columns[:, 0, 0], columns[:, :, 1].ravel(), columns[:, :, 2].ravel())
            self._loaded = part, [columns_of(*both) for both in zip(self.tables, chosen, strict=True)]
        return self._loaded[1]

    def pairs(self, part: int) -> tuple[Ints, Ints]:
        """The pairs of z of a part, and their weights."""
        chosen = slice(part * WIDTH // 2, (part + 1) * WIDTH // 2)
        return self.z[chosen], self.z_weights[chosen]

    def _cost(self, box: int) -> int:
        """What the sum costs with this stack as the first factor, in seconds, and its first partitions."""
        second, third = self.lines[1:]
        return (len(second) + RUN_TERMS * len(np.unique(second.ids[:, box]))) * len(_paired(third, [box])[0])

    _loaded: tuple[int, list[Tables]] | None = None

    @cached_property
    def _used(self) -> list[Ints]:
        return [np.unique(column) for column in self.x.T]

    @cached_property
    def places(self) -> Ints:
        """(n, 3) the tables of each x."""
        places = [np.searchsorted(used, column) for used, column in zip(self._used, self.x.T, strict=True)]
        return np.stack(places, axis=1).astype(np.int64)

    @cached_property
    def stacks(self) -> list[Ints]:
        """For each factor (n, 4): the triples of column partitions in the order of `bands`, weights; sorted."""
        stacks = []
        for stack in self.boxes:
            line = band_of(self.clues.transposed(), stack)
            entries = np.column_stack([line.ids[:, list(self.bands)], line.weights])
            stacks.append(entries[np.lexsort(entries.T[::-1])])
        return stacks

    @cached_property
    def tables(self) -> list[Tables]:
        return [
            fill_tables(used, np.searchsorted(stack[:, 0], np.arange(IDS + 1)), stack, orthogonal())
            for used, stack in zip(self._used, self.stacks, strict=True)
        ]

    @cached_property
    def groups(self) -> list[MergedRange]:
        longest = max_run(max(int(tables.max(initial=0)) for tables in self.tables))
        edges = [0, *(place for place in range(1, len(self.x)) if self._pairs[place] != self._pairs[place - 1])]
        return [self._group(start, stop, longest) for start, stop in pairwise((*edges, len(self.x))) if start < stop]

    def _group(self, start: int, stop: int, longest: int) -> MergedRange:
        line = self.lines[1]
        symmetries: list[Generator] = [(exchange(*pair), (0, 1, 2)) for pair in self._pairs[start]]
        first, inverse = np.unique(orbits(line, symmetries), return_inverse=True)
        weights = np.bincount(inverse, weights=line.weights, minlength=len(first)).astype(np.int64)
        ids = line.ids[first][:, self.boxes]
        order = np.lexsort((weights, ids[:, 0]))
        first, weights, ids = first[order], weights[order], ids[order]
        key = ids[:, 0] * (int(weights.max(initial=0)) + 1) + weights
        edges = [0, *(np.flatnonzero(np.diff(key)) + 1).tolist(), len(key)]
        runs = [
            (ids[place, 0], weights[place], place, min(place + longest, end))
            for begin, end in pairwise(edges)
            for place in range(begin, end, longest)
        ]
        return MergedRange(
            start=start,
            stop=stop,
            runs=np.array(runs, np.int64).reshape(-1, 4),
            y=ids[:, 1:].copy(),
            source=first,
            weights=weights,
        )


def _paired(line: BandTriples, boxes: list[int]) -> tuple[Ints, Ints]:
    """(m, 2, len(boxes)) triples in pairs alike in the first of `boxes` and in weight, and (m,) their weights."""
    key = line.ids[:, boxes[0]] * (int(line.weights.max(initial=0)) + 1) + line.weights
    order = np.argsort(key, kind="stable")
    _, starts, sizes = np.unique(key[order], return_index=True, return_counts=True)
    within = np.arange(len(order)) - np.repeat(starts, sizes)  # the place in the run of alike ones
    before = np.cumsum((sizes + 1) // 2) - (sizes + 1) // 2
    rows = np.repeat(before, sizes) + within // 2
    pairs = np.full((int(((sizes + 1) // 2).sum()), 2, len(boxes)), -1, np.int64)
    weights = np.zeros(len(pairs), np.int64)
    pairs[rows, within % 2] = line.ids[order][:, boxes]
    weights[rows] = line.weights[order]
    return pairs, weights


@dataclass(frozen=True, slots=True)
class _Role:
    """A band as x. orbit: for each x the first of its orbit."""

    clues: Clues
    bands: tuple[int, int, int]
    lines: tuple[BandTriples, BandTriples, BandTriples]
    orbit: Ints

    @property
    def terms(self) -> int:
        """Without what merging y's spares."""
        return len(np.unique(self.orbit)) * len(self.lines[1]) * -(-len(self.lines[2]) // WIDTH)


def _roles(clues: Clues, stacks: bool) -> list[_Role]:
    bands = [band_of(clues, band) for band in range(3)]
    symmetries = [(digits, boxes) for digits, boxes in generators(clues) if stacks or boxes == (0, 1, 2)]
    roles = []
    for x in range(3):
        z, y = sorted({0, 1, 2} - {x}, key=lambda band: len(bands[band]))
        roles.append(_Role(clues, (x, y, z), (bands[x], bands[y], bands[z]), orbits(bands[x], symmetries)))
    return roles


def _interchangeable(digits: tuple[int, ...], x: Ints) -> Pairs:
    """Pairs of these digits that stand in the same set of each of three partitions; enough to generate all such."""
    sets = blocks()[x]  # (box, set)
    groups: dict[tuple[int, ...], list[int]] = {}
    for digit in digits:
        groups.setdefault(tuple(np.nonzero(sets >> digit & 1)[1].tolist()), []).append(digit)
    return tuple(pair for group in groups.values() for pair in pairwise(group))
