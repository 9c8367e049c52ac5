"""The 9x9 board with 3x3 boxes, bit-parallel.

A state is nine vectors, one a digit, of sixteen lanes: lane `4 * band + row of the band` holds the columns where that
row still takes the digit, bit `3 * column of the box + box`; the other lanes are 0. One instruction works on a digit in
all rows, and what concerns a cell stands in the same bit of nine vectors. A step narrows all digits: rows of a band
have their digit in different boxes, which is hidden boxes and locked candidates at once; bands of a stack have it in
different columns; a digit with one place left in a row, and a cell with one digit left, are placed. What a step places,
the next one strikes, until one places nothing new. Then the search branches on a cell of two digits, see `_branch`.

Further cells that differ, such as those a knight's move apart, are a vector a cell: where its digit cannot be.

Locked candidates by vector operations, a lane a row of a box, follow tdoku (Tom Dillon, 2019); rows in lanes, and
choices of boxes as products of a 3x3 permanent, are our own.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache

from satdoku.kernels import loops
from satdoku.kernels.compiled import (
    EXHAUSTED,
    FOUND,
    PAUSED,
    Ints,
    Shorts,
    Shorts2,
    allocated,
    bit_count,
    copied,
    entry,
    inlined,
    inner,
    int64,
    lowest_bit,
)
from satdoku.kernels.simd import (
    NUMBER,
    constant,
    load,
    or_else,
    permutation,
    quarter,
    same,
    smaller,
    some,
    store,
    zeros,
)

LEVELS = 82  # a branch decides a cell, so no more than 81 are open at a time

SINGLES = 9 * LEVELS
PLACED = SINGLES + 9
PAIRS = PLACED + 12
APART = PAIRS + 1  # a row a cell, `9 * lane + bit`: the cells that differ from it besides those of its houses
HEIGHT = APART + 9 * 12  # rows of a state, after those of its levels: SINGLES, PLACED (from `BEHIND` on), PAIRS, APART
BEHIND = 3  # digits after one that its places are struck from in the same step: a sixth fewer steps than with 0

# Of a state's integers: level to look at or -1, nodes so far, level of the grid, whether there are rows from APART on.
DEPTH, NODES, SOLVED, MORE = 0, 1, 2, 3

LANE = tuple(4 * (row // 3) + row % 3 for row in range(9))  # the lane of each row
COLUMN = tuple(3 * (bit % 3) + bit // 3 for bit in range(9))  # the column of each bit, and the other way round

LANE_OF_CELL = array("H", (LANE[cell // 9] for cell in range(81)))
BIT_OF_CELL = array("H", (1 << COLUMN[cell % 9] for cell in range(81)))
_PLACE = [16 * LANE[cell // 9] + COLUMN[cell % 9] for cell in range(81)]  # the bit of each cell in a digit's vector
_DIGITS = 9 * 2 * NUMBER  # bytes of the vectors of all digits

_IN_USE = [lane in LANE for lane in range(NUMBER)]
full = constant([511 * used for used in _IN_USE])
every_row = constant([65535 * used for used in _IN_USE])
next_row = permutation([4 * (lane // 4) + (lane % 4 + 1) % 3 if lane % 4 < 3 else lane for lane in range(NUMBER)])
next_band = permutation([(lane + 4) % 12 if lane < 12 else lane for lane in range(NUMBER)])


Search = tuple[Shorts2, Ints]  # nine rows a level and `HEIGHT` in all, of sixteen lanes; the integers


def search(apart: Iterable[tuple[int, int]] = ()) -> Search:
    """A state for the pairs of cells that differ besides those of the 27 houses."""
    state, numbers = allocated("H", HEIGHT, NUMBER), allocated("q", 4, fill=-1)
    numbers[MORE] = 0
    for pair in apart:
        for one, other in (pair, pair[::-1]):
            row = APART + 9 * LANE_OF_CELL[one] + COLUMN[one % 9]
            state[row, LANE_OF_CELL[other]] |= BIT_OF_CELL[other]
            numbers[MORE] = 1
    return state, numbers


def begin(search: Search, candidates: tuple[int, ...]) -> None:
    """Set up a puzzle: bit v of a cell's candidates is value v."""
    state, numbers = search
    places = 0  # those of all digits, one after the other
    for shift, allowed in zip(_PLACE, candidates, strict=True):
        places |= _spread(allowed) << shift
    state.cast("B")[:_DIGITS] = places.to_bytes(_DIGITS, "little")
    numbers[DEPTH], numbers[NODES], numbers[SOLVED] = 0, 0, -1


@cache
def _spread(allowed: int) -> int:
    """A bit for each value of a cell, as far apart as the vectors of two digits."""
    return sum(1 << 16 * NUMBER * digit for digit in range(9) if allowed >> digit & 2)


def fresh(search: Search) -> Search:
    """Another state of the same board, as it was before any puzzle."""
    return copied(search[0]), copied(search[1])


@inlined
def begin_row(search, givens):
    state, numbers = search
    numbers[DEPTH] = 0
    numbers[NODES] = 0
    for digit in range(9):
        store(state, digit, full())
    for row in range(9):
        filled = int64(0)
        for column in range(9):
            filled |= int64(givens[9 * row + column] != 0) << column
        while filled:
            cell = 9 * row + lowest_bit(filled)
            filled &= filled - 1
            state[givens[cell] - 1, LANE_OF_CELL[cell]] &= BIT_OF_CELL[cell]


@inlined
def _propagate(state, first, more):
    """Step by step: -1 if the puzzle is contradictory, 1 if it is solved, else 0."""
    placed = same(0)
    naked = same(0)
    while True:
        places = same(0)
        total = same(0)
        fewest = full()
        one = same(0)
        two = same(0)
        three = same(0)
        for digit in range(9):
            a = load(state, first + digit)
            a &= ~(placed & ~load(state, SINGLES + digit))
            a = or_else(a & naked, a) & ~load(state, PLACED + digit)
            a &= _by_rows(a)
            a &= _by_bands(a)
            single = a & zeros(a & (a - 1))
            store(state, first + digit, a)
            store(state, SINGLES + digit, single)
            places |= single
            store(state, PLACED + BEHIND + digit, places)
            total += single
            fewest = smaller(fewest, a)
            three |= two & a
            two |= one & a
            one |= a
        if some((one ^ full()) | (total ^ places) | (zeros(fewest) & every_row()) | (naked & ~places)):
            return -1  # a cell without digit, one with two, a row without place, a naked single that had two places
        if not some(places ^ full()):
            return 1 if _fits(state, first) and not (more and _meet(state, first)) else -1
        alone = one & ~two
        if not some((places ^ placed) | (alone ^ naked)):
            store(state, PAIRS, two & ~three)
            return 0
        if more:
            _strike(state, first, places ^ placed)
        placed = places
        naked = alone


@inner
def _strike(state, first, placed):
    """Strike the digits of cells placed in this step from the cells that differ from them besides their houses."""
    for band in range(3):
        cells = quarter(placed, band)
        while cells:
            index = lowest_bit(cells)
            cells &= cells - 1
            lane = 4 * band + (index >> 4)
            digit = 0
            while state[SINGLES + digit, lane] >> (index & 15) & 1 == 0:
                digit += 1
            row = first + digit
            store(state, row, load(state, row) & ~load(state, APART + 9 * lane + (index & 15)))


@inner
def _meet(state, first):
    """Whether two cells of a grid that differ besides their houses hold the same digit."""
    for row in range(first, first + 9):
        cells = load(state, row)
        near = same(0)
        for band in range(3):
            left = quarter(cells, band)
            while left:
                index = lowest_bit(left)
                left &= left - 1
                near |= load(state, APART + 9 * (4 * band + (index >> 4)) + (index & 15))
        if some(cells & near):
            return True
    return False


@inner
def _by_rows(a):
    """The boxes that each row can have, the other rows of its band in the other boxes."""
    boxes = ((a | a >> 3 | a >> 6) & 0o7) * 0o11111  # repeated, so that a shift turns them
    right = boxes >> 1
    left = boxes >> 2
    return next_row((right & next_row(left)) | (left & next_row(right)))


@inner
def _by_bands(a):
    """The columns that each band can have, the other bands of the stack in the other columns."""
    turned = next_row(a)
    columns = a | turned | next_row(turned)
    columns |= columns << 9
    right = columns >> 3
    left = columns >> 6
    return next_band((right & next_band(left)) | (left & next_band(right)))


@inlined
def _fits(state, first):
    """Whether digits with one place in each row have one in each column and box."""
    missing = same(0)
    for digit in range(first, first + 9):
        a = load(state, digit)
        turned = next_row(a)
        in_band = a | turned | next_row(turned)
        turned = next_band(in_band)
        columns = in_band | turned | next_band(turned)
        boxes = in_band | in_band >> 3 | in_band >> 6
        missing |= ~columns | (~boxes & 0o7)
    return not some(missing & full())


@inlined
def _branch(state, first):
    """(lane, bit) of the cell to branch on: of two digits, one of which has most such cells in the band."""
    pairs = load(state, PAIRS)
    most = int64(0)
    best = first
    band = 0
    for row in range(first, first + 9):
        paired = load(state, row) & pairs
        for number in range(3):
            count = bit_count(quarter(paired, number))
            if count > most:
                most = count
                best = row
                band = number
    if most == 0:
        return _fewest(state, first)
    with_best = load(state, best) & pairs
    cells = quarter(with_best, band)
    most = int64(0)
    for row in range(first, first + 9):
        paired = load(state, row) & pairs
        common = quarter(paired & with_best, band)
        if row != best and common != 0:
            count = bit_count(quarter(paired, band))
            if count > most:
                most = count
                cells = common
    index = lowest_bit(cells)
    return 4 * band + (index >> 4), int64(1) << (index & 15)


@inner
def _fewest(state, first):
    """(lane, bit) of the first open cell with the fewest digits."""
    fewest = 10
    best = (0, int64(0))
    for cell in range(81):
        lane = int64(LANE_OF_CELL[cell])
        bit = int64(BIT_OF_CELL[cell])
        count = 0
        for row in range(first, first + 9):
            if state[row, lane] & bit:
                count += 1
        if 1 < count < fewest:
            fewest = count
            best = (lane, bit)
    return best


@inlined
def _split(state, first):
    lane, bit = _branch(state, first)
    chosen = first
    while state[chosen, lane] & bit == 0:
        chosen += 1
    for row in range(first, first + 9):
        store(state, row + 9, load(state, row))
    state[chosen, lane] ^= bit
    state[chosen + 9, lane] = bit
    if state[PAIRS, lane] & bit:
        other = chosen + 1
        while state[other, lane] & bit == 0:
            other += 1
        state[other, lane] = bit
        state[other + 9, lane] ^= bit


@entry
def advance(search: Search, nodes: int) -> int:
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND (`grid` reads it) or PAUSED."""
    state, numbers = search
    depth = numbers[DEPTH]
    for used in range(nodes):
        if depth < 0:
            numbers[DEPTH] = depth
            numbers[NODES] += used
            return EXHAUSTED
        first = 9 * depth
        result = _propagate(state, first, numbers[MORE])
        if result == 0:
            _split(state, first)
            depth += 1
        else:
            depth -= 1
            if result == 1:
                numbers[DEPTH] = depth
                numbers[NODES] += used + 1
                numbers[SOLVED] = depth + 1
                return FOUND
    numbers[DEPTH] = depth
    numbers[NODES] += nodes
    return EXHAUSTED if depth < 0 else PAUSED


@entry
def grid(search: Search, out: Shorts) -> None:
    state, numbers = search
    first = 9 * numbers[SOLVED]
    for digit in range(9):
        for row in range(9):
            out[9 * row + COLUMN[lowest_bit(int64(state[first + digit, LANE[row]]))]] = digit + 1


many = loops.of_kernel(loops.many, globals())
count_solutions = loops.of_kernel(loops.count_solutions, globals())
