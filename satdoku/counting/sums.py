"""The compiled loops of the sum over 9x9 boards; `satdoku.counting.nine` says what they add up."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64, types, uint32
from numba.extending import intrinsic
from numpy.typing import NDArray

from satdoku.counting.partitions import CROSSING, IDS, Ints
from satdoku.kernels.compiled import compiled

WIDTH = 64  # entries of a row of a table
PIECE = 32  # entries handled together: a register of 512 bits, or two of 256


def _add_products(context: Any, sums: Any, first: Any, second: Any) -> Any:
    """sums[i] += first[2i] second[2i] + first[2i + 1] second[2i + 1], int32 from int16: one `pmaddwd` a piece."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, index = ir.IntType(32), ir.IntType(32)
        narrow, wide, half = ir.VectorType(ir.IntType(16), PIECE), ir.VectorType(word, PIECE), PIECE // 2
        total, one, two = (
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args, arguments, strict=True)
        )

        def at(data: Any, start: int, kind: Any) -> Any:
            return builder.bitcast(builder.gep(data, [ir.Constant(index, start)]), kind.as_pointer())

        def every_other(vector: Any, start: int) -> Any:
            places = ir.Constant(ir.VectorType(index, half), list(range(start, PIECE, 2)))
            return builder.shuffle_vector(vector, ir.Constant(wide, ir.Undefined), places)

        for start in range(0, WIDTH, PIECE):
            left, right = (builder.sext(builder.load(at(data, start, narrow), align=2), wide) for data in (one, two))
            products = builder.mul(left, right)
            place = at(total, start // 2, ir.VectorType(word, half))
            added = builder.add(every_other(products, 0), every_other(products, 1))
            builder.store(builder.add(builder.load(place, align=4), added), place, align=4)
        return context.get_dummy_value()

    return types.void(sums, first, second), generate


add_products: Any = intrinsic(_add_products)


Tables = NDArray[np.int16]
"""(n, 280, 280) arrangements of a stack, by row partitions of its three boxes; or (n, 280, WIDTH), the columns of it
that a block of the third band looks at: so many that the tables for one x stay in the L2 cache."""

MAX_ARRANGEMENTS = 216 * 56  # no entry is larger: ordered column partitions x fillings below. The largest seen is 1728


@compiled
def fill_tables(rows: Ints, starts: Ints, stack: Ints, orthogonal: Ints) -> Tables:
    """The tables of a stack, whose triples begin with i from starts[i] on, for some row partitions of its first box."""
    tables = np.zeros((len(rows), IDS, IDS), np.int16)
    half = np.zeros((IDS, IDS), np.int16)  # by column partition of the second box, row partition of the third
    for number in range(len(rows)):
        half[:] = 0
        for first in orthogonal[rows[number]]:
            for place in range(starts[first], starts[first + 1]):
                for k in range(CROSSING):
                    half[stack[place, 1], orthogonal[stack[place, 2], k]] += stack[place, 3]
        whole = tables[number]
        for row in range(IDS):
            for k in range(CROSSING):
                crossing = orthogonal[row, k]
                for column in range(IDS):
                    whole[row, column] += half[crossing, column]
    return tables


@compiled
def columns_of(tables: Tables, columns: NDArray[np.int16]) -> Tables:
    """(n, 280, len(columns)): these columns of each table, 0 for column -1."""
    chosen = np.zeros((len(tables), IDS, len(columns)), np.int16)
    for number in range(len(tables)):
        for row in range(IDS):
            for j in range(len(columns)):
                if columns[j] >= 0:
                    chosen[number, row, j] = tables[number, row, columns[j]]
    return chosen


@compiled
def add_up(x: Ints, runs: Ints, y: Ints, one: Tables, two: Tables, three: Tables) -> Ints:
    """(len(x), WIDTH / 2) for each triple x and each pair of z of a block: the sum over y of v(y) G1 G2 G3.

    x is (n, 3) places in the tables one, two, three, of which `one` has a column for both z of a pair; runs (m, 4) the
    first partition, weight, begin and end of y that have these in common; y (l, 2) other partitions. A run's sum fits
    int32 (`max_run`), an entry times a weight 32 bits, and what is added to int64 is at most 7.1e16, on an empty board.
    """
    sums = np.zeros((len(x), WIDTH // 2), np.int64)
    run_sum = np.zeros(WIDTH // 2, np.int32)
    for number in range(len(x)):
        first, second, third = one[x[number, 0]], two[x[number, 1]], three[x[number, 2]]
        for run in range(len(runs)):
            run_sum[:] = 0
            for place in range(runs[run, 2], runs[run, 3]):
                add_products(run_sum, second[y[place, 0]], third[y[place, 1]])
            row = runs[run, 0]
            weight = runs[run, 1]
            for j in range(WIDTH // 2):
                sums[number, j] += int64(uint32(run_sum[j])) * int64(uint32(first[row, j]) * uint32(weight))
    return sums


@compiled
def spread_out(
    x: Ints, shares: Ints, runs: Ints, y: Ints, two: Tables, three: Tables, columns: Ints, weights: Ints, found: Ints
) -> None:
    """Add to found[share, y1, z1] what `add_up` multiplies by G1, for the shares of one x; `columns`: each z1."""
    run_sum = np.zeros(WIDTH // 2, np.int32)
    second, third = two[x[1]], three[x[2]]
    for run in range(len(runs)):
        run_sum[:] = 0
        for place in range(runs[run, 2], runs[run, 3]):
            add_products(run_sum, second[y[place, 0]], third[y[place, 1]])
        for j in range(len(columns)):
            product = int64(run_sum[j]) * runs[run, 1] * weights[j]
            for share in range(len(shares)):
                found[share, runs[run, 0], columns[j]] += product * shares[share]


@compiled
def sum_crossing(table: Ints, orthogonal: Ints) -> Ints:
    """(280, 280) for partitions q, r: the sum of the table's entries for partitions orthogonal to q and to r."""
    half = np.zeros((IDS, IDS), np.int64)
    for row in range(IDS):
        for crossing in orthogonal[row]:
            half[row] += table[crossing]
    half = half.T.copy()
    whole = np.zeros((IDS, IDS), np.int64)
    for row in range(IDS):
        for crossing in orthogonal[row]:
            whole[row] += half[crossing]
    return whole.T.copy()


def max_run(largest: int) -> int:
    """How long a run may be if no entry of a table is larger: two products of two entries each fit int32."""
    assert largest <= MAX_ARRANGEMENTS, "a stack has more arrangements than there are"
    return (2**31 - 1) // (2 * max(1, largest) ** 2)
