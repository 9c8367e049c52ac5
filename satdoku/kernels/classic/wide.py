"""The same search with three digits in a vector of 512 bits, for processors with AVX-512."""

from __future__ import annotations

from array import array

from satdoku.kernels import loops
from satdoku.kernels.classic import branching
from satdoku.kernels.classic import search as narrow_search
from satdoku.kernels.classic.state import of_cells
from satdoku.kernels.compiled import inlined
from satdoku.kernels.simd import constant, loading, permutation, reading

NUMBER = 32
DIGITS = 3
VECTORS = 3
EVERY_VECTOR = (1 << VECTORS) - 1
BAND = 3
LANE = tuple(range(9))
VECTOR = array("H", (digit // DIGITS for digit in range(9)))
START = array("H", (9 * (digit % DIGITS) for digit in range(9)))
LANE_OF_CELL, PLACE = of_cells(LANE)


def _turned(step: int, size: int) -> list[int]:
    """So many lanes on, within as many as `size`."""
    return [lane - lane % size + (lane + step) % size if lane < 27 else lane for lane in range(NUMBER)]


no_cell = constant([0] * NUMBER)
every_cell = constant([511 * (lane < 27) for lane in range(NUMBER)])
column_0, column_1, column_2 = (
    constant([7 * (lane < 27 and lane % 3 == column) for lane in range(NUMBER)]) for column in range(3)
)
every_row = constant([65535 * (lane < 27) for lane in range(NUMBER)])
next_row, next_band, next_digit = (permutation(_turned(step, 3 * step)) for step in (1, 3, 9))
row_before, band_before, digit_before = (permutation(_turned(2 * step, 3 * step)) for step in (1, 3, 9))
load, word_at = loading(NUMBER), reading(NUMBER)


@inlined
def any_digit(a):
    return a | next_digit(a) | digit_before(a)


@inlined
def added(a):
    return a + next_digit(a) + digit_before(a)


@inlined
def counted(one, two, three):
    one_next = next_digit(one)
    one_before = digit_before(one)
    two_next = next_digit(two)
    two_before = digit_before(two)
    three = (
        any_digit(three)
        | (one & one_next & one_before)
        | (two & (one_next | one_before))
        | (two_next & (one | one_before))
        | (two_before & (one | one_next))
    )
    two |= two_next | two_before | (one & one_next) | (one & one_before) | (one_next & one_before)
    return one | one_next | one_before, two, three


@inlined
def due(changed):
    """All: of three digits one has nearly always changed."""
    return EVERY_VECTOR


loops.over(globals(), branching, narrow_search)
