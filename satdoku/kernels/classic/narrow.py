"""One digit in a vector of 256 bits, for which AVX2 has what is needed."""

from __future__ import annotations

from array import array

from satdoku.kernels.classic.state import of_cells
from satdoku.kernels.compiled import inlined
from satdoku.kernels.simd import constant, loading, permutation, reading

NUMBER = 16  # lanes of a vector
DIGITS = 1  # in a vector
VECTORS = 9
EVERY_VECTOR = (1 << VECTORS) - 1  # a bit each
BAND = 4  # lanes from a band to the next: where a band lies in 64 bits, AVX2 turns its rows in one step, and the bands
LANE = tuple(BAND * (row // 3) + row % 3 for row in range(9))  # of each row, for the first digit of a vector
VECTOR = array("H", range(9))  # of each digit
START = array("H", [0] * 9)  # of each digit: where its lanes begin
LANE_OF_CELL, PLACE = of_cells(LANE)

no_cell = constant([0] * NUMBER)
every_cell = constant([511 * (lane in LANE) for lane in range(NUMBER)])
column_0, column_1, column_2 = (
    constant([7 * (lane in LANE and lane % BAND == column) for lane in range(NUMBER)]) for column in range(3)
)
every_row = constant([65535 * (lane in LANE) for lane in range(NUMBER)])
next_row, row_before = (
    permutation([4 * (lane // 4) + (lane % 4 + step) % 3 if lane % 4 < 3 else lane for lane in range(NUMBER)])
    for step in (1, 2)
)
next_band, band_before = (
    permutation([(lane + step) % 12 if lane < 12 else lane for lane in range(NUMBER)]) for step in (4, 8)
)
load, word_at = loading(NUMBER), reading(NUMBER)


@inlined
def any_digit(a):
    """What any digit of the vector has, in the lanes of each of them."""
    return a


@inlined
def added(a):
    """The sum over the digits of the vector, in the lanes of each of them."""
    return a


@inlined
def counted(one, two, three):
    """Cells that at least one, two and three digits take, from the same for the digits in each place of the vectors."""
    return one, two, three


@inlined
def due(changed):
    """The vectors to narrow, of which these changed."""
    return changed
