"""What the search on 9x9 boards branches on."""

from __future__ import annotations

from satdoku.kernels.classic.narrow import (
    BAND,
    LANE_OF_CELL,
    START,
    VECTOR,
    VECTORS,
    added,
    column_0,
    column_1,
    column_2,
    load,
    next_row,
    no_cell,
    row_before,
    word_at,
)
from satdoku.kernels.classic.state import (
    BIT_OF_CELL,
    BOXES,
    COLUMNS,
    COUNTS,
    PAIRED,
    PAIRS,
    ROW,
    SAME_DIGIT,
    THREE_LANES,
)
from satdoku.kernels.compiled import bit_count, inlined, inner, int64, lowest_bit
from satdoku.kernels.simd import store


@inlined
def _branch(state, first):
    """(lane, bit of the column, digit, further digit) of the cell to branch on; -1 for a cell of more than two digits.

    It is one of two digits, of which one has most such cells in the band, and the other most of those that share one.
    """
    pairs = load(state, PAIRS)
    for vector in range(VECTORS):
        store(state, PAIRED + vector, load(state, first + vector) & pairs)
    top, middle, bottom = int64(0), int64(0), int64(0)
    for digit in range(9):  # the first of those with most has the greatest number
        top = max(top, bit_count(_paired(state, digit, 0)) << 5 | (31 - 3 * digit))
        middle = max(middle, bit_count(_paired(state, digit, BAND)) << 5 | (30 - 3 * digit))
        bottom = max(bottom, bit_count(_paired(state, digit, 2 * BAND)) << 5 | (29 - 3 * digit))
    best = max(top, max(middle, bottom))
    if best < 32:
        return _fewest(state, first)
    best = 31 - (best & 31)
    start = BAND * (best % 3)
    best //= 3
    with_best = _paired(state, best, start)
    even, odd = int64(0), int64(0)
    for digit in range(9):
        paired = _paired(state, digit, start)
        if digit != best and paired & with_best != 0:
            key = bit_count(paired) << 4 | (15 - digit)
            if digit % 2:
                odd = max(odd, key)
            else:
                even = max(even, key)
    other = 15 - (max(even, odd) & 15)
    index = lowest_bit(_paired(state, other, start) & with_best)
    return start + (index >> 4), index & 15, min(best, other), max(best, other)


@inlined
def _paired(state, digit, lane):
    """The cells of two digits of the band that begins at a lane which take a digit."""
    return word_at(state, PAIRED + VECTOR[digit], START[digit] + lane) & THREE_LANES


@inner
def _fewest(state, first):
    """What `_branch` returns for the first open cell with the fewest digits."""
    fewest = 10
    best = (0, int64(0), int64(0), int64(-1))
    for cell in range(81):
        lane = int64(LANE_OF_CELL[cell])
        bit = lowest_bit(int64(BIT_OF_CELL[cell]))
        count = 0
        lowest = int64(0)
        for digit in range(8, -1, -1):
            if state[first + VECTOR[digit], START[digit] + lane] >> bit & 1:
                count += 1
                lowest = int64(digit)
        if 1 < count < fewest:
            fewest = count
            best = (lane, bit, lowest, int64(-1))
    return best


@inlined
def split(state, first):
    """Place a digit of a cell on the next level, and strike it on this one; the second of two the other way round.

    Returns a bit for each vector of them.
    """
    lane, bit, digit, other = _branch(state, first)
    below = _copy(state, first)
    cell = int64(1) << bit
    _divide(state, first, below, digit, load(state, ROW + lane), cell, 511 - cell)
    divided = int64(1) << VECTOR[digit]
    if other >= 0:
        _divide(state, below, first, other, load(state, ROW + lane), cell, 511 - cell)
        divided |= int64(1) << VECTOR[other]
    return divided


@inlined
def _copy(state, first):
    """Copy a level to the next one, whose first row is returned."""
    below = first + VECTORS
    for vector in range(VECTORS):
        store(state, below + vector, load(state, first + vector))
    return below


@inlined
def _divide(state, one, other, digit, lanes, cells, rest):
    """Strike a digit in some lanes from `cells` on one level, and from the `rest` of them on another.

    Whole vectors are stored: to load a vector just after one of its lanes was stored is slow.
    """
    lanes &= load(state, SAME_DIGIT + START[digit] // 9)
    row = one + VECTOR[digit]
    store(state, row, load(state, row) & ~(lanes & cells))
    row = other + VECTOR[digit]
    store(state, row, load(state, row) & ~(lanes & rest))


@inlined
def split_house(state, first):
    """Keep for a digit one box of a row, or one column of a box, on the next level, and strike it on this one.

    It is in the band or stack where digits have the fewest places, for the digit with the fewest of those that have a
    choice there. Returns the bit of its vector; or 0, and changes nothing, if no digit has one, as a digit without a
    place can make it look.
    """
    house = _least_open(state, first)
    fewest, fewest_odd = int64(1024), int64(1024)
    for digit in range(9):
        places = int64(0)
        if house < 3:
            places = bit_count(_boxes(state, digit, house))
        else:
            for band in range(3):
                places += bit_count(_columns(state, digit, band, house - 3))
        key = (places - 4 & 63) << 4 | (8 - digit)  # three places are no choice: they come last
        if digit % 2:
            fewest_odd = min(fewest_odd, key)
        else:
            fewest = min(fewest, key)
    digit = 8 - (min(fewest, fewest_odd) & 15)
    lane, cells, rest = _part(state, house, digit)
    if cells == 0:
        return int64(0)
    lanes = load(state, ROW + lane)
    if house >= 3:
        lanes |= load(state, ROW + lane + 1) | load(state, ROW + lane + 2)
    below = _copy(state, first)
    _divide(state, first, below, digit, lanes, cells, rest)
    return int64(1) << VECTOR[digit]


@inlined
def _part(state, house, digit):
    """The last row of the band, or box of the stack, where the digit has a choice.

    (its first lane, the cells of one box or column in it, its other cells); the cells are 0 if there is none.
    """
    lane = cells = rest = int64(0)
    for number in range(3):
        if house < 3:
            boxes = _boxes(state, digit, house) >> 16 * number & 7
            if boxes & (boxes - 1):
                lane = BAND * house + number
                cells = (boxes & -boxes) * 0o111
                rest = 511 - cells
        else:
            columns = _columns(state, digit, number, house - 3)
            if columns & (columns - 1):
                lane = int64(BAND * number)
                cells = int64(1) << 3 * (lowest_bit(columns) >> 4) + house - 3
                rest = (0o111 << house - 3) - cells
    return lane, cells, rest


@inlined
def _least_open(state, first):
    """The band, or 3 + the stack, with the fewest places of all digits together, but more than 27; 0 if there is none.

    Sets BOXES and COLUMNS.
    """
    total_boxes = no_cell()
    total_columns = no_cell()
    for vector in range(VECTORS):
        a = load(state, first + vector)
        boxes = (a | a >> 3 | a >> 6) & 0o7
        columns = a | next_row(a) | row_before(a)
        columns = (columns & column_0()) | (columns >> 3 & column_1()) | (columns >> 6 & column_2())
        store(state, BOXES + vector, boxes)
        store(state, COLUMNS + vector, columns)
        total_boxes += (boxes & 1) + (boxes >> 1 & 1) + (boxes >> 2)
        total_columns += (columns & 1) | (columns & 2) << 4 | (columns & 4) << 8
    store(state, COUNTS, added(total_boxes))
    store(state, COUNTS + 1, added(total_columns))
    least = int64(1024)
    house = int64(0)
    of_stacks = int64(0)  # twenty bits each
    for number in range(3):
        word = word_at(state, COUNTS, BAND * number)
        count = (word & 31) + (word >> 16 & 31) + (word >> 32 & 31)
        if 27 < count < least:
            least = count
            house = int64(number)
        for column in range(3):
            word = word_at(state, COUNTS + 1, BAND * number + column)
            of_stacks += (word & 31) | (word >> 5 & 31) << 20 | (word >> 10 & 31) << 40
    for number in range(3):
        count = of_stacks >> 20 * number & 1023
        if 27 < count < least:
            least = count
            house = int64(3 + number)
    return house


@inlined
def _boxes(state, digit, band):
    """The boxes that each row of a band can have for a digit, three bits in every sixteen."""
    return word_at(state, BOXES + VECTOR[digit], START[digit] + BAND * band) & THREE_LANES


@inlined
def _columns(state, digit, band, stack):
    """The columns of a box that a digit can have, a bit in every sixteen."""
    word = word_at(state, COLUMNS + VECTOR[digit], START[digit] + BAND * band)
    return word & (int64(0x0001_0001_0001) << stack)
