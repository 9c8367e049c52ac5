"""The sums over 9x9 boards, in arrays that are made here; `satdoku.counting.nine` says what they add up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satdoku.counting.partitions import Ints
from satdoku.kernels import sums as kernel
from satdoku.kernels.simd import WIDTH
from satdoku.kernels.sums import IDS

Tables = NDArray[np.int16]
"""(n, 280, 280) arrangements of a stack, by row partitions of its three boxes; or (n, 280, WIDTH), the columns of it
that a block of the third band looks at: so many that the tables for one x stay in the L2 cache."""

MAX_ARRANGEMENTS = 216 * 56  # no entry is larger: ordered column partitions x fillings below. The largest seen is 1728


def fill_tables(rows: Ints, starts: Ints, stack: Ints, orthogonal: Ints) -> Tables:
    """The tables of a stack, whose triples begin with i from starts[i] on, for some row partitions of its first box."""
    tables = np.zeros((len(rows), IDS, IDS), np.int16)
    kernel.fill_tables(rows, starts, stack, orthogonal, np.empty((IDS, IDS), np.int16), tables)
    return tables


def columns_of(tables: Tables, columns: NDArray[np.int16]) -> Tables:
    """(n, 280, len(columns)): these columns of each table, 0 for column -1."""
    chosen = np.zeros((len(tables), IDS, len(columns)), np.int16)
    kernel.columns_of(tables, np.ascontiguousarray(columns), chosen)
    return chosen


def add_up(x: Ints, runs: Ints, y: Ints, one: Tables, two: Tables, three: Tables) -> Ints:
    """(len(x), WIDTH / 2) for each triple x and each pair of z of a block: the sum over y of v(y) G1 G2 G3.

    x is (n, 3) places in the tables one, two, three, of which `one` has a column for both z of a pair; runs (m, 4) the
    first partition, weight, begin and end of y that have these in common; y (l, 2) other partitions. A run's sum fits
    int32 (`max_run`), an entry times a weight 32 bits, and what is added to int64 is at most 7.1e16, on an empty board.
    """
    sums = np.zeros((len(x), WIDTH // 2), np.int64)
    kernel.add_up(x, runs, y, one, two, three, np.empty(WIDTH // 2, np.int32), sums)
    return sums


def sum_crossing(table: Ints, orthogonal: Ints) -> Ints:
    """(280, 280) for partitions q, r: the sum of the table's entries for partitions orthogonal to q and to r."""
    half, whole = np.zeros((IDS, IDS), np.int64), np.zeros((IDS, IDS), np.int64)
    kernel.sum_crossing(table, orthogonal, half, whole)
    return whole.T.copy()


def max_run(largest: int) -> int:
    """How long a run may be if no entry of a table is larger: two products of two entries each fit int32."""
    assert largest <= MAX_ARRANGEMENTS, "a stack has more arrangements than there are"
    return (2**31 - 1) // (2 * max(1, largest) ** 2)
