"""How many solutions have each value in each cell: nine sums instead of 729.

For the boxes of band b and stack k the sum is taken with b as x and k as the first factor, which is left out:
U(p, o, q, r) = sum over x, y, z with x1 = p in the order o, y1 = q, z1 = r, of the other factors. A stack's fillings by
columns each add U, summed over the row partitions orthogonal to its three boxes, for the digits that its columns share
with the rows of p in the order o. Unused digits share evenly what one x of each orbit gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satdoku.counting.clues import MAX_SIZE, Clues, clues_of
from satdoku.counting.exact import count, plan, with_value
from satdoku.counting.nine import NineSum
from satdoku.counting.partitions import Ints, code, fits, id_of, line_ids, lines, orthogonal
from satdoku.counting.sums import sum_crossing
from satdoku.kernels import sums as kernel
from satdoku.kernels.simd import WIDTH
from satdoku.kernels.sums import IDS
from satdoku.puzzle import Puzzle, members
from satdoku.system.clock import NEVER, Deadline

MAX_TABLES = 200  # tables of U that are kept at one time, 627 kB each
ValueCounts = list[list[int]]  # for each cell, how many solutions have each value; all cells have the same sum


def per_value(puzzle: Puzzle, deadline: Deadline = NEVER) -> ValueCounts | None:
    """The exact number of solutions with each value in each cell: a row of N numbers a cell.

    None for a board that `exact.plan` does not take, or if the deadline, looked at every 0.1 s or so, came first.

    >>> from satdoku import Puzzle, classic
    >>> per_value(Puzzle.from_givens(classic(2, 2), {0: 1}))[:2]
    [[72, 0, 0, 0], [0, 24, 24, 24]]
    """
    clues = clues_of(puzzle)
    if clues is None or clues.size > MAX_SIZE:
        return None
    if clues.size < MAX_SIZE:
        return one_by_one(puzzle, deadline)
    counts_at = np.zeros((9, 9, 9), np.object_)  # [row, column, digit]
    done: dict[tuple[int, int], tuple[int, int]] = {}
    for number in range(9):
        band, stack = divmod(number, 3)
        like = _first_alike(clues, band), _first_alike(clues.transposed(), stack)
        box = slice(3 * band, 3 * band + 3), slice(3 * stack, 3 * stack + 3)
        if like in done:
            first = done[like]
            counts_at[box] = counts_at[3 * first[0] : 3 * first[0] + 3, 3 * first[1] : 3 * first[1] + 3]
        else:
            counts = _box(clues, band, stack, deadline)
            if counts is None:
                return None
            counts_at[box], done[like] = counts, (band, stack)
    rows: ValueCounts = counts_at.reshape(81, 9).tolist()
    assert len({sum(row) for row in rows}) == 1, "the cells have different numbers of solutions"
    return rows


def one_by_one(puzzle: Puzzle, deadline: Deadline = NEVER) -> ValueCounts | None:
    """The same by a count for each cell and value, values that no given has counted once; None as `per_value` says."""
    used = {value for value in puzzle.givens if value}
    rows: ValueCounts = []
    for cell, allowed in enumerate(puzzle.candidates):
        row, unused = [0] * puzzle.board.values, None
        for value in members(allowed):
            if value in used or unused is None:
                planned = plan(with_value(puzzle, cell, value))
                total = None if planned is None else count(planned, deadline)
                if total is None or not total.exact:
                    return None
                row[value - 1] = total.count
                unused = unused if value in used else total.count
            else:
                row[value - 1] = unused
        rows.append(row)
    return rows


def _first_alike(clues: Clues, band: int) -> int:
    """The first band that is exchangeable with this one: bands without givens are."""
    return band if clues.in_band(band) else next(other for other in range(3) if not clues.in_band(other))


def _box(clues: Clues, band: int, stack: int, deadline: Deadline) -> NDArray[np.object_] | None:
    """(3, 3, 9) the counts of a box's cells, by the cheaper of two sums; None if the deadline came first."""
    upright = NineSum(clues, (band, stack))
    turned = NineSum(clues.transposed(), (stack, band))
    added, transposed = min(((upright, False), (turned, True)), key=lambda one: one[0].seconds)
    totals = np.zeros((3, 3, 9), np.object_)
    fillings = _StackFillings(added)
    for batch in _batches(added):
        tables = _tables(added, batch, deadline)
        if tables is None:
            return None
        for order, table in zip(batch.orders, tables, strict=True):
            fillings.add(order, table, totals)
    unused = list(clues.unused)
    if unused:
        shared = totals[:, :, unused].sum(axis=2)
        assert not any(number % len(unused) for number in shared.ravel()), "unused digits are not alike"
        totals[:, :, unused] = (shared // len(unused))[:, :, None]
    return totals.swapaxes(0, 1) if transposed else totals


class _Shares(NamedTuple):
    """The orders, from `start` to before `stop` of a batch, of the first partition of an x, and what each counts."""

    x: int
    start: int
    stop: int
    weights: Ints


@dataclass(frozen=True, slots=True)
class _Batch:
    """Ordered first partitions as masks, (m, 3), those of one partition together, and the x that have them."""

    orders: Ints
    shares: list[_Shares]


def _batches(added: NineSum) -> Iterator[_Batch]:
    """All x in batches of up to MAX_TABLES orders, or those of one partition."""
    x_of, masks = _fillings_of_x(added)
    partitions = id_of()[masks[:, 0], masks[:, 1]]
    rows, row_of = np.unique(np.column_stack([partitions, masks]), axis=0, return_inverse=True)
    partition, orders = rows[:, 0], rows[:, 1:]
    rank = np.arange(len(rows)) - np.searchsorted(partition, partition)  # among the orders of the same partition
    weights = np.zeros((len(added.x), 6), np.int64)
    np.add.at(weights, (x_of, rank[row_of.ravel()]), 1)
    weights *= (added.sizes // np.maximum(1, weights.sum(axis=1)))[:, None]
    begin, shares = 0, list[_Shares]()
    for first in np.unique(added.x[:, 0]):
        start, stop = np.searchsorted(partition, [first, first + 1]).tolist()
        if stop - begin > MAX_TABLES:
            yield _Batch(orders[begin:start], shares)
            begin, shares = start, []
        for x in np.flatnonzero(added.x[:, 0] == first).tolist():
            shares.append(_Shares(x, start - begin, stop - begin, weights[x, : stop - start]))
    yield _Batch(orders[begin:], shares)


def _fillings_of_x(added: NineSum) -> tuple[Ints, Ints]:
    """The fillings by rows that have the partitions of an x: the number of the x, the rows of the first box as masks.

    An x stands for its whole orbit; fillings of the others of the orbit are left out.
    """
    by_box = np.empty_like(added.x)
    by_box[:, added.boxes] = added.x
    codes = code(by_box)
    ordered = np.argsort(codes)
    fillings = np.flatnonzero(fits(added.clues, added.bands[0]))
    coded = code(line_ids()[fillings])
    known = np.isin(coded, codes)
    x_of = ordered[np.searchsorted(codes, coded[known], sorter=ordered)]
    return x_of, lines()[fillings[known], added.boxes[0]].astype(np.int64)


def _tables(added: NineSum, batch: _Batch, deadline: Deadline) -> Ints | None:
    """(orders, 280, 280) U of each order; None if the deadline came first."""
    tables = np.zeros((len(batch.orders), IDS, IDS), np.int64)
    groups = {x: group for group in added.groups for x in range(group.start, group.stop)}
    for part in range(added.parts):
        z, z_weights = added.pairs(part)
        _, two, three = added.loaded(part)
        columns = z[:, 0, 0].copy()
        for x, start, stop, weights in batch.shares:
            given = added.places[x], np.ascontiguousarray(weights), groups[x].runs, groups[x].y, two, three
            kernel.spread_out(*given, columns, z_weights, np.empty(WIDTH // 2, np.int32), tables[start:stop])
        if deadline.passed():
            return None
    return tables


class _StackFillings:
    """The fillings by columns of the stack that is the first factor."""

    def __init__(self, added: NineSum) -> None:
        allowed = np.flatnonzero(fits(added.clues.transposed(), added.boxes[0]))
        self._ids = line_ids()[allowed][:, list(added.bands)]
        self._columns = lines()[allowed, added.bands[0]].astype(np.int64)

    def add(self, order: Ints, table: Ints, totals: NDArray[np.object_]) -> None:
        """Add to totals[row, column, digit] what the fillings count for one order of the first box's rows."""
        crossing = np.zeros(IDS, np.bool_)
        crossing[orthogonal()[id_of()[order[0], order[1]]]] = True
        chosen = crossing[self._ids[:, 0]]
        ids, columns = self._ids[chosen], self._columns[chosen]
        counts = sum_crossing(table, orthogonal())[ids[:, 1], ids[:, 2]]
        # Sums of halves stay below 2^53, so that floats add them exactly.
        halves = [(counts >> 32).astype(np.float64), (counts & (2**32 - 1)).astype(np.float64)]
        for row in range(3):
            for column in range(3):
                digits = np.log2(columns[:, column] & order[row]).astype(np.int64)
                high, low = (np.bincount(digits, half, 9) for half in halves)
                totals[row, column] += np.array(
                    [(int(a) << 32) + int(b) for a, b in zip(high, low, strict=True)], object
                )
