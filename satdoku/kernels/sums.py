"""The loops of the sums over 9x9 boards and boards of two rows a box: see `satdoku.counting.nine` and `two`."""

from __future__ import annotations

from satdoku.kernels.compiled import Int16s, Int16s2, Int16s3, Int32s, Ints, Ints2, Ints3, Read, entry, int64, uint32
from satdoku.kernels.simd import WIDTH, add_products

IDS = 280  # unordered partitions of nine digits into three sets of three
CROSSING = 36  # partitions orthogonal to a given one: orders of three digits a row, up to column orders
BLOCK = 8 * WIDTH  # states that are multiplied together: those of the lower bands stay in the L2 cache


@entry
def fill_tables(
    rows: Read[Ints], starts: Read[Ints], stack: Read[Ints2], orthogonal: Read[Ints2], half: Int16s2, tables: Int16s3
) -> None:
    """Fill `tables`, which are 0, as `satdoku.counting.sums.fill_tables` says; `half` is (280, 280) of work space."""
    for number in range(len(rows)):  # half: by column partition of the second box, row partition of the third
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


@entry
def columns_of(tables: Read[Int16s3], columns: Read[Int16s], chosen: Int16s3) -> None:
    """Copy these columns of each table, but for column -1."""
    for number in range(len(tables)):
        for row in range(IDS):
            for j in range(len(columns)):
                if columns[j] >= 0:
                    chosen[number, row, j] = tables[number, row, columns[j]]


@entry
def add_up(
    x: Read[Ints2],
    runs: Read[Ints2],
    y: Read[Ints2],
    one: Read[Int16s3],
    two: Read[Int16s3],
    three: Read[Int16s3],
    run_sum: Int32s,
    sums: Ints2,
) -> None:
    """Add to `sums` as `satdoku.counting.sums.add_up` says; `run_sum` is WIDTH / 2 of work space."""
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


@entry
def spread_out(
    x: Read[Ints],
    shares: Read[Ints],
    runs: Read[Ints2],
    y: Read[Ints2],
    two: Read[Int16s3],
    three: Read[Int16s3],
    columns: Read[Ints],
    weights: Read[Ints],
    run_sum: Int32s,
    sums: Ints3,
) -> None:
    """Add to sums[share, y1, z1] what `add_up` multiplies by G1, for the shares of one x; `columns`: each z1."""
    second, third = two[x[1]], three[x[2]]
    for run in range(len(runs)):
        run_sum[:] = 0
        for place in range(runs[run, 2], runs[run, 3]):
            add_products(run_sum, second[y[place, 0]], third[y[place, 1]])
        for j in range(len(columns)):
            product = int64(run_sum[j]) * runs[run, 1] * weights[j]
            for share in range(len(shares)):
                sums[share, runs[run, 0], columns[j]] += product * shares[share]


@entry
def sum_crossing(table: Read[Ints2], orthogonal: Read[Ints2], half: Ints2, whole: Ints2) -> None:
    """Add to `whole` the rows of `table` for partitions orthogonal to q, and of those the columns for r.

    whole: (280, 280) by r, then q; half: as much, 0 at first, of work space
    """
    for row in range(IDS):
        for k in range(CROSSING):
            crossing = orthogonal[row, k]
            for column in range(IDS):
                half[column, row] += table[crossing, column]
    for row in range(IDS):
        for k in range(CROSSING):
            crossing = orthogonal[row, k]
            for column in range(IDS):
                whole[row, column] += half[crossing, column]


@entry
def scatter(
    states: Read[Ints], one: Read[Int16s], two: Read[Int16s], first: Read[Ints2], second: Read[Ints2], matrix: Int16s2
) -> None:
    """Add 1 for each way and each pair of splits that its pairings cross."""
    for way in range(len(states)):
        row = matrix[states[way]]
        for upper in first[one[way]]:
            for lower in second[two[way]]:
                row[upper + lower] += 1


@entry
def product(upper: Read[Int16s2], lower: Read[Int16s2], run_sum: Int32s, sums: Ints2) -> None:
    """Add F H^T to `sums`: (rows of F, rows of H). Not left to BLAS, whose threads get in the way of workers."""
    for start in range(0, upper.shape[1], BLOCK):
        stop = min(start + BLOCK, upper.shape[1])
        for one in range(len(upper)):
            for two in range(len(lower)):
                run_sum[:] = 0
                for place in range(start, stop, WIDTH):
                    add_products(run_sum, upper[one, place : place + WIDTH], lower[two, place : place + WIDTH])
                total = int64(0)
                for j in range(WIDTH // 2):
                    total += run_sum[j]
                sums[one, two] += total
