"""The 9x9 board with 3x3 boxes, bit-parallel.

Three rows are a band of 27 cells: bit 9 * row + column. A state is 27 words, one for each band and
digit: where in that band the digit may still be, `band * 9 + digit`. Tables propagate a digit:

- in a band, a row's digit is in one of three boxes; choices that fit no way of giving the rows
  different boxes are struck, which is hidden boxes and locked candidates (pointing) at once
- across bands the same holds for the columns of a stack, by the columns that each band has left

A row whose digit has one place left is a hidden single; it is struck from the other digits. Cells
with one digit left are looked for at the fixpoint. The search branches on a cell of two digits, in
the band that has most of them.

The layout in band words follows the solvers of the programmers' forums (JCZSolve, tdoku); the
tables and the closure are our own.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numba import int64
from numpy.typing import NDArray

from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, bit_count, compiled

Words = NDArray[np.int32]

WORDS = 27
LEVELS = 82
"""A branch decides a cell, so no more than 81 are open at a time."""

ALL = (1 << 27) - 1
ROW = 511

DEPTH, NODES, SOLVED = 0, 1, 2
"""Where the integers of a state stand: the level that is looked at next, or -1; the nodes of this
puzzle; the level of the grid that was found."""


def _tables() -> tuple[Words, Words, Words, Words]:
    """For nine bits: which thirds hold a bit; which bits are part of a choice of one place a third,
    all different; the cells of a band whose boxes are such places; the index of the lowest bit."""
    choices = [sum(1 << (3 * third + place) for third, place in enumerate(order)) for order in permutations(range(3))]
    numbers = range(512)
    thirds = [sum(1 << third for third in range(3) if number >> 3 * third & 7) for number in numbers]
    chosen = [0] * 512
    for number in numbers:
        for choice in choices:
            if choice & number == choice:
                chosen[number] |= choice
    cells = [
        sum(7 << (9 * row + 3 * box) for row in range(3) for box in range(3) if chosen[number] >> (3 * row + box) & 1)
        for number in numbers
    ]
    lowest = [(number & -number).bit_length() - 1 if number else 0 for number in numbers]
    return (
        np.array(thirds, np.int32),
        np.array(chosen, np.int32),
        np.array(cells, np.int32),
        np.array(lowest, np.int32),
    )


BOXES, CHOSEN, CELLS, LOWEST = _tables()


def state() -> tuple[Words, NDArray[np.int64]]:
    """(3, LEVELS * 27) words: candidates, the candidates last propagated, cells decided by a hidden
    single; and the integers of the state."""
    return np.zeros((3, LEVELS * WORDS), np.int32), np.full(3, -1, np.int64)


def words_of(candidates: tuple[int, ...]) -> Words:
    """The 27 words of a puzzle's candidates."""
    allowed = np.array(candidates, np.int64).reshape(3, 27)
    digits = np.arange(1, 10)[None, :, None]
    bits = (allowed[:, None, :] >> digits & 1) << np.arange(27)
    words: Words = bits.sum(axis=2).reshape(WORDS).astype(np.int32)
    return words


def begin(words: Words, state: Words, numbers: NDArray[np.int64]) -> None:
    """Set up a puzzle."""
    candidates, before, decided = state
    candidates[:WORDS] = words
    before[:WORDS] = -1
    decided[:WORDS] = 0
    numbers[:] = (0, 0, -1)


@compiled
def _given(givens, candidates, before, decided):
    """Set up a puzzle from its 81 givens; returns whether no row of it has a digit twice."""
    for k in range(WORDS):
        candidates[k] = 0
        before[k] = -1
        decided[k] = 0
    for band in range(3):
        for cell in range(27):
            digit = int64(givens[27 * band + cell])
            if digit:
                candidates[9 * band + digit - 1] |= int64(1) << int64(cell)
    for band in range(3):
        taken = int64(0)
        for k in range(9 * band, 9 * band + 9):
            taken |= candidates[k]
        for k in range(9 * band, 9 * band + 9):
            own = int64(candidates[k])
            left = (ALL & ~taken) | own
            for row in range(3):
                in_row = int64(ROW) << int64(9 * row)
                given = own & in_row
                if given & (given - 1):
                    return False
                if given:
                    left &= ~in_row | given
            candidates[k] = left
    return True


@compiled
def _close(candidates, first):
    """Propagate one digit through its three bands; False if it fits no longer."""
    a = int64(candidates[first])
    b = int64(candidates[first + 9])
    c = int64(candidates[first + 18])
    while True:
        a &= CELLS[BOXES[a & 511] | BOXES[a >> 9 & 511] << 3 | BOXES[a >> 18] << 6]
        b &= CELLS[BOXES[b & 511] | BOXES[b >> 9 & 511] << 3 | BOXES[b >> 18] << 6]
        c &= CELLS[BOXES[c & 511] | BOXES[c >> 9 & 511] << 3 | BOXES[c >> 18] << 6]
        in_a = (a | a >> 9 | a >> 18) & 511
        in_b = (b | b >> 9 | b >> 18) & 511
        in_c = (c | c >> 9 | c >> 18) & 511
        left = CHOSEN[in_a & 7 | (in_b & 7) << 3 | (in_c & 7) << 6]
        middle = CHOSEN[in_a >> 3 & 7 | (in_b >> 3 & 7) << 3 | (in_c >> 3 & 7) << 6]
        right = CHOSEN[in_a >> 6 | (in_b >> 6) << 3 | (in_c >> 6) << 6]
        if left == 0 or middle == 0 or right == 0:
            return False
        to_a = left & 7 | (middle & 7) << 3 | (right & 7) << 6
        to_b = left >> 3 & 7 | (middle >> 3 & 7) << 3 | (right >> 3 & 7) << 6
        to_c = left >> 6 | (middle >> 6) << 3 | (right >> 6) << 6
        if to_a == in_a and to_b == in_b and to_c == in_c:
            break
        a &= to_a | to_a << 9 | to_a << 18
        b &= to_b | to_b << 9 | to_b << 18
        c &= to_c | to_c << 9 | to_c << 18
    candidates[first] = a
    candidates[first + 9] = b
    candidates[first + 18] = c
    return True


@compiled
def _propagate(candidates, before, decided, first):
    """To the fixpoint: -1 if the puzzle is contradictory, 1 if it is solved, else 0."""
    while True:
        again = True
        while again:
            again = False
            for digit in range(first, first + 9):
                if (
                    candidates[digit] == before[digit]
                    and candidates[digit + 9] == before[digit + 9]
                    and candidates[digit + 18] == before[digit + 18]
                ):
                    continue
                if not _close(candidates, digit):
                    return -1
                for k in range(digit, digit + 27, 9):
                    word = int64(candidates[k])
                    before[k] = word
                    singles = int64(0)
                    row = word & 511
                    if row & (row - 1) == 0:
                        singles |= row
                    row = word & (511 << 9)
                    if row & (row - 1) == 0:
                        singles |= row
                    row = word & (511 << 18)
                    if row & (row - 1) == 0:
                        singles |= row
                    singles &= ~decided[k]
                    if singles != 0:
                        decided[k] |= singles
                        start = first + (k - first) // 9 * 9
                        for other in range(start, start + 9):
                            candidates[other] &= ~singles
                        candidates[k] = word
                        again = True
        solved = True
        struck = False
        for start in range(first, first + WORDS, 9):
            one = int64(0)
            two = int64(0)
            done = int64(0)
            for k in range(start, start + 9):
                word = int64(candidates[k])
                two |= one & word
                one |= word
                done |= decided[k]
            if one != ALL:
                return -1
            if done == ALL:
                continue
            solved = False
            naked = one & ~two & ~done
            if naked != 0:
                struck = True
                for k in range(start, start + 9):
                    word = int64(candidates[k])
                    for shift in range(0, 27, 9):
                        in_row = int64(511) << int64(shift)
                        single = word & naked & in_row
                        if single != 0:
                            if single & (single - 1):
                                return -1
                            word &= ~in_row | single
                    candidates[k] = word
        if solved:
            return 1
        if not struck:
            return 0


@compiled
def _branch(candidates, first):
    """(start of the band's words, bit) of the cell to branch on."""
    best = -1
    best_bit = int64(0)
    most = int64(-1)
    for start in range(first, first + WORDS, 9):
        one = int64(0)
        two = int64(0)
        three = int64(0)
        for k in range(start, start + 9):
            word = int64(candidates[k])
            three |= two & word
            two |= one & word
            one |= word
        pairs = two & ~three
        if pairs != 0:
            count = bit_count(pairs)
            if count > most:
                most = count
                best = start
                best_bit = pairs & -pairs
    if best >= 0:
        return best, best_bit
    fewest = 10
    for start in range(first, first + WORDS, 9):
        for cell in range(27):
            bit = int64(1) << int64(cell)
            count = 0
            for k in range(start, start + 9):
                if candidates[k] & bit:
                    count += 1
            if 1 < count < fewest:
                fewest = count
                best = start
                best_bit = bit
    return best, best_bit


@compiled
def _split(candidates, before, decided, first):
    """Copy a level to the next, where a digit is placed; on this one it is struck."""
    start, bit = _branch(candidates, first)
    chosen = start
    while candidates[chosen] & bit == 0:
        chosen += 1
    for k in range(first, first + WORDS):
        candidates[k + WORDS] = candidates[k]
        before[k + WORDS] = before[k]
        decided[k + WORDS] = decided[k]
    candidates[chosen] &= ~bit
    for k in range(start + WORDS, start + WORDS + 9):
        candidates[k] &= ~bit
    in_row = int64(511)
    while in_row & bit == 0:
        in_row <<= 9
    candidates[chosen + WORDS] = int64(candidates[chosen]) & ~in_row | bit


@compiled
def advance(state, numbers, nodes):
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND (`grid` reads it) or PAUSED."""
    candidates, before, decided = state[0], state[1], state[2]
    depth = numbers[DEPTH]
    for used in range(nodes):
        if depth < 0:
            numbers[DEPTH] = depth
            numbers[NODES] += used
            return EXHAUSTED
        first = WORDS * depth
        result = _propagate(candidates, before, decided, first)
        if result == 0:
            _split(candidates, before, decided, first)
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


@compiled
def grid(state, numbers, out):
    """Write the grid that was found to `out`, 81 values."""
    first = WORDS * numbers[SOLVED]
    for band in range(3):
        for digit in range(9):
            word = int64(state[0, first + 9 * band + digit])
            cell = 27 * band
            out[cell + LOWEST[word & 511]] = digit + 1
            out[cell + 9 + LOWEST[word >> 9 & 511]] = digit + 1
            out[cell + 18 + LOWEST[word >> 18]] = digit + 1


@compiled
def many(givens, row, limit, bound, nodes, state, numbers, counts, endings, grids, codes):
    """Search rows of `givens` from `row` on, until about `nodes` nodes are used; returns the next row.

    A row in the middle of which it stopped is the one returned, and is taken up again: numbers[DEPTH]
    is then not -1. codes: the numbers that stand for exhausted, limit and passed in `endings`.
    """
    used = int64(0)
    while row < len(givens) and used < nodes:
        if numbers[DEPTH] < 0 and numbers[NODES] < 0:  # a new puzzle
            numbers[NODES] = 0
            if _given(givens[row], state[0], state[1], state[2]):
                numbers[DEPTH] = 0
        before = numbers[NODES]
        code = PAUSED
        while code == PAUSED and used + numbers[NODES] - before < nodes and numbers[NODES] < bound:
            code = advance(state, numbers, min(nodes - used, bound - numbers[NODES]))
            if code == FOUND:
                if counts[row] < 2:
                    grid(state, numbers, grids[row, counts[row]])
                counts[row] += 1
                if counts[row] < limit:
                    code = PAUSED if numbers[DEPTH] >= 0 else EXHAUSTED
        used += numbers[NODES] - before
        if code == EXHAUSTED:
            endings[row] = codes[0]
        elif code == FOUND:
            endings[row] = codes[1]
        elif numbers[NODES] >= bound:
            endings[row] = codes[2]
        else:
            return row
        numbers[DEPTH] = -1
        numbers[NODES] = -1
        row += 1
    return row


@compiled
def tally(state, numbers, count, limit, nodes):
    """Count on, from `count` up to `limit`: (the count, EXHAUSTED, FOUND at the limit, or PAUSED)."""
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        code = advance(state, numbers, target - numbers[NODES])
        if code != FOUND:
            return count, code
        count += 1
        if count >= limit:
            return count, FOUND
    return count, PAUSED
