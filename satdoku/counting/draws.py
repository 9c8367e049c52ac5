"""Solutions of a 9x9 puzzle drawn exactly uniformly at random, by the terms of its sum.

A term stands for as many solutions as it is large, and is drawn with that probability: a part and an x, a pair of z, y
and z; then equally likely orders of the bands' rows and the stacks' columns. As the sum looks at one x of each orbit
and merges y's, a random symmetry of the givens comes last. Numbers are integers throughout, so nothing is rounded.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from random import Random

import numpy as np
from numpy.typing import NDArray

from satdoku.constraints import Grid
from satdoku.counting.clues import Clues, clues_of, drawable
from satdoku.counting.nine import NineSum
from satdoku.counting.partitions import Ints, code, fits, line_ids, lines, orthogonal
from satdoku.errors import Refused
from satdoku.kernels.sums import IDS
from satdoku.puzzle import Puzzle
from satdoku.system.clock import NEVER, Deadline


class Drawer:
    """Draws from one puzzle; making it takes as long as counting its solutions.

    puzzle:   a plain 9x9 board with 3x3 boxes and givens alone
    deadline: for making it; None is never
    total:    how many solutions the puzzle has

    Raises Refused for another board, or if the puzzle has no solution; TimeIsUp.

    >>> from satdoku import Puzzle, classic
    >>> from satdoku.referee import violations
    >>> puzzle = Puzzle.from_givens(classic(3, 3), {})
    >>> list(violations(puzzle, Drawer(puzzle).draw(Random(1))))
    []
    """

    def __init__(self, puzzle: Puzzle, deadline: Deadline = NEVER) -> None:
        clues = clues_of(puzzle)
        if clues is None or not drawable(puzzle):
            raise Refused(f"{puzzle.name}: only solutions of plain 9x9 puzzles with givens alone are drawn uniformly")
        self._sum = NineSum(clues)
        self._turned = self._sum.clues != clues
        self._sizes = [int(size) for size in self._sum.sizes]
        self._sums = np.zeros((self._sum.parts, len(self._sizes)), np.int64)
        for part in range(self._sum.parts):
            for group in self._sum.groups:
                for some in self._sum.slices(group):
                    self._sums[part, some] = self._sum.sums(part, group, some.start, some.stop).sum(axis=1)
                    deadline.check()
        self._parts = list(accumulate(sum(map(int.__mul__, row, self._sizes)) for row in self._sums.tolist()))
        self.total = self._parts[-1] if self._parts else 0
        if not self.total:
            raise Refused(f"{puzzle.name}: it has no solution to draw")
        turned = self._sum.clues.transposed()
        self._bands = [_BandFillings(self._sum.clues, band) for band in range(3)]
        self._stacks = [_BandFillings(turned, stack) for stack in range(3)]

    def draw(self, random: Random) -> Grid:
        part = _chosen(self._parts, random)
        x = _chosen(list(accumulate(map(int.__mul__, self._sums[part].tolist(), self._sizes))), random)
        grid = self._moved(self._filled(self._triples(part, x, random), random), random)
        return tuple((grid.T if self._turned else grid).ravel().tolist())

    def _triples(self, part: int, x: int, random: Random) -> Ints:
        """(3, 3) the row partition of each box, [band, stack], drawn among those of an x and a part."""
        added = self._sum
        group = next(group for group in added.groups if x < group.stop)
        pairs = added.sums(part, group, x, x + 1)[0]
        pair = added.pairs(part)[0][_chosen(np.cumsum(pairs).tolist(), random)]
        z = pair[pair[:, 0] >= 0]
        y = added.lines[1].ids[group.source][:, added.boxes]
        terms = np.repeat(group.weights[:, None], len(z), axis=1)
        for factor in range(3):
            table = added.tables[factor][added.places[x, factor]]
            terms *= table[:, z[:, factor]][y[:, factor]]
        place = _chosen(np.cumsum(terms.ravel()).tolist(), random)
        triples = np.zeros((3, 3), np.int64)
        chosen = (added.x[x], y[place // len(z)], z[place % len(z)])
        for band, ids in zip(added.bands, chosen, strict=True):
            triples[band, added.boxes] = ids
        return triples

    def _filled(self, ids: Ints, random: Random) -> NDArray[np.int64]:
        """(9, 9) a grid whose boxes have these row partitions."""
        rows = [self._bands[band].same(ids[band], random) for band in range(3)]
        columns = [self._stacks[stack].crossing(ids[:, stack], random) for stack in range(3)]
        # Both are masks: [band, stack, row] and [stack, band, column].
        bits = np.stack(rows)[:, :, :, None] & np.stack(columns).swapaxes(0, 1)[:, :, None, :]
        digits = np.log2(bits).astype(np.int64) + 1
        grid: NDArray[np.int64] = digits.transpose(0, 2, 1, 3).reshape(9, 9)
        return grid

    def _moved(self, grid: NDArray[np.int64], random: Random) -> NDArray[np.int64]:
        clues = self._sum.clues
        digits = np.arange(10)
        unused = [digit + 1 for digit in clues.unused]
        digits[unused] = random.sample(unused, len(unused))
        stacks = np.arange(3)
        empty = clues.empty_stacks
        stacks[list(empty)] = random.sample(empty, len(empty))
        moved: NDArray[np.int64] = digits[grid].reshape(9, 3, 3)[:, stacks].reshape(9, 9)
        return moved


class _BandFillings:
    """The fillings of a band, by rows, that its givens allow."""

    def __init__(self, clues: Clues, band: int) -> None:
        allowed = np.flatnonzero(fits(clues, band))
        order = np.argsort(code(line_ids()[allowed]), kind="stable")
        self._masks, self._ids = lines()[allowed[order]].astype(np.int64), line_ids()[allowed[order]]
        self._codes = code(self._ids)
        self._starts = np.searchsorted(self._ids[:, 0], np.arange(IDS + 1)).tolist()

    def same(self, ids: Ints, random: Random) -> Ints:
        """(3, 3) one whose boxes have these partitions."""
        wanted = code(ids[None])[0]
        first, last = np.searchsorted(self._codes, [wanted, wanted + 1])
        filling: Ints = self._masks[random.randrange(first, last)]
        return filling

    def crossing(self, ids: Ints, random: Random) -> Ints:
        """(3, 3) one whose boxes have partitions orthogonal to these."""
        first = orthogonal()[ids[0]].tolist()
        places = np.concatenate([np.arange(self._starts[one], self._starts[one + 1]) for one in first])
        for box in (1, 2):
            crossing = np.zeros(IDS, np.bool_)
            crossing[orthogonal()[ids[box]]] = True
            places = places[crossing[self._ids[places, box]]]
        filling: Ints = self._masks[random.choice(places.tolist())]
        return filling


def _chosen(sums: list[int], random: Random) -> int:
    return bisect_right(sums, random.randrange(sums[-1]))
