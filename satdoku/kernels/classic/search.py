"""The search on 9x9 boards: steps that narrow all digits, and levels."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from satdoku.kernels import loops
from satdoku.kernels.classic.branching import split, split_house
from satdoku.kernels.classic.narrow import (
    BAND,
    DIGITS,
    EVERY_VECTOR,
    LANE,
    LANE_OF_CELL,
    NUMBER,
    PLACE,
    START,
    VECTOR,
    VECTORS,
    added,
    any_digit,
    band_before,
    counted,
    due,
    every_cell,
    every_row,
    load,
    next_band,
    next_row,
    no_cell,
    row_before,
    word_at,
)
from satdoku.kernels.classic.state import (
    APART,
    BIT_OF_CELL,
    CELLS_FIRST,
    CHANGED,
    COLUMN,
    DEPTH,
    FIRST,
    LATEST,
    LEVELS,
    MORE,
    NODES,
    PAIRS,
    PLACED,
    ROW,
    SAME_DIGIT,
    SINGLES,
    SOLVED,
    THREE_LANES,
)
from satdoku.kernels.compiled import (
    EXHAUSTED,
    FOUND,
    PAUSED,
    Ints,
    Shorts,
    Shorts2,
    allocated,
    copied,
    entry,
    inlined,
    inner,
    int64,
    lowest_bit,
)
from satdoku.kernels.simd import or_else, smaller, some, store, zeros

Search = tuple[Shorts2, Ints]  # the rows of a state; the integers


def search(apart: Iterable[tuple[int, int]] = ()) -> Search:
    """A state for the pairs of cells that differ besides those of the 27 houses."""
    state, numbers = allocated("H", FIRST + VECTORS * LEVELS, NUMBER), allocated("q", CHANGED + LEVELS, fill=-1)
    numbers[MORE] = 0
    for digit in range(DIGITS):
        for lane in LANE:
            state[SAME_DIGIT + digit, START[digit] + lane] = state[ROW + lane, START[digit] + lane] = 511
    for pair in apart:
        for one, other in (pair, pair[::-1]):
            row = APART + 9 * LANE_OF_CELL[one] + COLUMN[one % 9]
            for digit in range(DIGITS):
                state[row, START[digit] + LANE_OF_CELL[other]] |= BIT_OF_CELL[other]
            numbers[MORE] = 1
    return state, numbers


def begin(search: Search, candidates: tuple[int, ...]) -> None:
    """Set up a puzzle: bit v of a cell's candidates is value v."""
    state, numbers = search
    places = 0  # those of all digits, one after the other
    for place, allowed in zip(PLACE, candidates, strict=True):
        places |= _spread(allowed) << place
    row = 2 * NUMBER  # bytes
    state.cast("B")[row * FIRST : row * (FIRST + VECTORS)] = places.to_bytes(row * VECTORS, "little")
    numbers[DEPTH], numbers[NODES], numbers[SOLVED], numbers[LATEST] = 0, 0, -1, 0
    numbers[CHANGED] = EVERY_VECTOR


@cache
def _spread(allowed: int) -> int:
    """A bit for each value of a cell, as far apart as the places of two digits."""
    return sum(1 << 16 * (NUMBER * VECTOR[digit] + START[digit]) for digit in range(9) if allowed >> digit & 2)


def fresh(search: Search) -> Search:
    """Another state of the same board, as it was before any puzzle."""
    return copied(search[0]), copied(search[1])


@inlined
def begin_row(search, givens):
    state, numbers = search
    numbers[DEPTH] = 0
    numbers[NODES] = 0
    numbers[LATEST] = 0
    numbers[CHANGED] = EVERY_VECTOR
    for vector in range(VECTORS):
        store(state, FIRST + vector, every_cell())
    for row in range(9):
        filled = int64(0)
        for column in range(9):
            filled |= int64(givens[9 * row + column] != 0) << column
        while filled:
            cell = 9 * row + lowest_bit(filled)
            filled &= filled - 1
            digit = givens[cell] - 1
            state[FIRST + VECTOR[digit], START[digit] + LANE_OF_CELL[cell]] &= BIT_OF_CELL[cell]


@inlined
def _narrow(state, first, changed):
    """Narrow what changed by rows and bands: (a bit for each vector that became another, the smallest of each lane)."""
    left = due(changed)
    changed = int64(0)
    fewest = every_cell()
    while left:
        vector = lowest_bit(left)
        left &= left - 1
        before = load(state, first + vector)
        a = before & _by_rows(before)
        a &= _by_bands(a)
        store(state, first + vector, a)
        changed |= int64(some(a ^ before)) << vector
        fewest = smaller(fewest, a)
    return changed, fewest


@inlined
def _propagate(state, first, more, changed):
    """Step by step: (-1 if the puzzle is contradictory, 1 if it is solved, else 0; a bit for each vector not at rest).

    In most steps few digits change, and what did not change is not narrowed again.
    """
    placed = no_cell()
    naked = no_cell()
    while True:
        changed, fewest = _narrow(state, first, changed)
        places = no_cell()
        total = no_cell()
        one = no_cell()
        two = no_cell()
        three = no_cell()
        for vector in range(VECTORS):
            a = load(state, first + vector)
            single = a & zeros(a & (a - 1))
            store(state, SINGLES + vector, single)
            places |= single
            total += single
            three |= two & a
            two |= one & a
            one |= a
        places = any_digit(places)
        one, two, three = counted(one, two, three)
        wrong = (one ^ every_cell()) | (added(total) ^ places) | (zeros(fewest) & every_row()) | (naked & ~places)
        if some(wrong):
            return -1, changed  # a cell with no or two digits, a row without place, a naked single that had two places
        if not some(places ^ every_cell()):
            return 1 if _fits(state, first) and not (more and _meet(state, first)) else -1, changed
        alone = one & ~two
        if not some((places ^ placed) | (alone ^ naked)):
            store(state, PAIRS, two & ~three)
            return 0, due(changed)
        if more:
            store(state, PLACED, places ^ placed)
            _strike(state, first)
            changed = EVERY_VECTOR
        placed = places
        naked = alone
        for vector in range(VECTORS):
            before = load(state, first + vector)
            a = before & ~(placed & ~load(state, SINGLES + vector))
            a = or_else(a & naked, a)
            store(state, first + vector, a)
            changed |= int64(some(a ^ before)) << vector


@inner
def _strike(state, first):
    """Strike the digits of cells placed in this step from the cells that differ from them besides their houses."""
    for band in range(3):
        cells = word_at(state, PLACED, BAND * band) & THREE_LANES
        while cells:
            index = lowest_bit(cells)
            cells &= cells - 1
            lane = BAND * band + (index >> 4)
            digit = 0
            while state[SINGLES + VECTOR[digit], START[digit] + lane] >> (index & 15) & 1 == 0:
                digit += 1
            row = first + VECTOR[digit]
            apart = load(state, APART + 9 * lane + (index & 15)) & load(state, SAME_DIGIT + START[digit] // 9)
            store(state, row, load(state, row) & ~apart)


@inner
def _meet(state, first):
    """Whether two cells of a grid that differ besides their houses hold the same digit."""
    for digit in range(9):
        row = first + VECTOR[digit]
        near = no_cell()
        for band in range(3):
            left = word_at(state, row, START[digit] + BAND * band) & THREE_LANES
            while left:
                index = lowest_bit(left)
                left &= left - 1
                near |= load(state, APART + 9 * (BAND * band + (index >> 4)) + (index & 15))
        if some(load(state, row) & near & load(state, SAME_DIGIT + START[digit] // 9)):
            return True
    return False


@inner
def _by_rows(a):
    """The boxes that each row can have, the other rows of its band in the other boxes."""
    boxes = ((a | a >> 3 | a >> 6) & 0o7) * 0o11111  # repeated, so that a shift turns them
    following = next_row(boxes)
    before = row_before(boxes)
    return (following >> 1 & before >> 2) | (following >> 2 & before >> 1)


@inner
def _by_bands(a):
    """The columns that each band can have, the other bands of the stack in the other columns."""
    columns = a | next_row(a) | row_before(a)
    columns |= columns << 9
    following = next_band(columns)
    before = band_before(columns)
    return (following >> 3 & before >> 6) | (following >> 6 & before >> 3)


@inlined
def _fits(state, first):
    """Whether digits with one place in each row have one in each column and box."""
    missing = no_cell()
    for row in range(first, first + VECTORS):
        a = load(state, row)
        in_band = a | next_row(a) | row_before(a)
        columns = in_band | next_band(in_band) | band_before(in_band)
        boxes = in_band | in_band >> 3 | in_band >> 6
        missing |= ~columns | (~boxes & 0o7)
    return not some(missing & every_cell())


@entry
def advance(search: Search, nodes: int) -> int:
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND (`grid` reads it) or PAUSED."""
    state, numbers = search
    depth = numbers[DEPTH]
    cells_until = nodes if numbers[MORE] else numbers[LATEST] + CELLS_FIRST - numbers[NODES]
    for used in range(nodes):
        if depth < 0:
            numbers[DEPTH] = depth
            numbers[NODES] += used
            return EXHAUSTED
        first = FIRST + VECTORS * depth
        result, changed = _propagate(state, first, numbers[MORE], numbers[CHANGED + depth])
        if result == 0:
            divided = int64(0) if used < cells_until else split_house(state, first)
            if divided == 0:
                divided = split(state, first)
            changed |= divided
            numbers[CHANGED + depth] = changed
            depth += 1
            numbers[CHANGED + depth] = changed
        else:
            depth -= 1
            if result == 1:
                numbers[DEPTH] = depth
                numbers[NODES] += used + 1
                numbers[SOLVED] = depth + 1
                numbers[LATEST] = numbers[NODES]
                return FOUND
    numbers[DEPTH] = depth
    numbers[NODES] += nodes
    return EXHAUSTED if depth < 0 else PAUSED


@entry
def grid(search: Search, out: Shorts) -> None:
    state, numbers = search
    first = FIRST + VECTORS * numbers[SOLVED]
    for digit in range(9):
        for row in range(9):
            columns = int64(state[first + VECTOR[digit], START[digit] + LANE[row]])
            out[9 * row + COLUMN[lowest_bit(columns)]] = digit + 1


many = loops.of_kernel(loops.many, globals())
count_solutions = loops.of_kernel(loops.count_solutions, globals())
