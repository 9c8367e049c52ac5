"""Counting by independent parts, each of which is counted once as long as it is remembered.

After each decision the open cells fall into parts that no constraint joins; their counts are multiplied (Bayardo and
Pehoushek, Counting models using connected components, AAAI 2000). A part that has been counted is known again by its
key: its cells, their candidates, and what the fixed cells of its constraints hold (component caching: Sang et al.,
Combining component caching and clause learning for effective model counting, SAT 2004). Keys are compared word for
word. A small part of AllDifferents alone is counted without propagation.

Propagators may look across parts: what they strike in one part may rest on another. No solution of the board is lost
so, but where one part has none, the counts of its siblings may be too low. They are forgotten then.

A count is an int64 that stops at MOST, and its residues by some primes, which say more where it stops.
"""

from __future__ import annotations

from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, bit_count, entry, inlined, int64
from satdoku.kernels.propagators.domains import narrow
from satdoku.kernels.propagators.memory import forget, recall, remember, write_key
from satdoku.kernels.propagators.parts import (
    CELL,
    CELLS_BACK,
    CELLS_TOP,
    ERA,
    FIRST,
    GENERATION,
    KEY,
    KEY_LENGTH,
    KEY_TOP,
    LAST,
    LENGTH,
    LEVEL,
    MARK,
    MOST,
    NODES,
    PART,
    PARTS_BACK,
    PARTS_END,
    PARTS_TOP,
    SEVERAL,
    SMALL,
    STARTED,
    UNTRIED,
    USED,
    YOUNG,
    CountState,
    Structure,
    count_small,
    divide,
    plus,
    set_to,
    times,
)
from satdoku.kernels.propagators.program import Program
from satdoku.kernels.propagators.search import FIXPOINT, PropagationState, _propagate


@inlined
def _open_parts(level, number, structure, count):
    """Let a level go through the parts that were appended last."""
    levels, numbers = count.levels, count.numbers
    levels[level, PART] = numbers[PARTS_TOP] - number
    levels[level, PARTS_END] = numbers[PARTS_TOP]
    levels[level, SEVERAL] = number > 1
    levels[level, MARK] = count.ends[numbers[YOUNG], USED]
    levels[level, ERA] = numbers[GENERATION]
    set_to(count.products[level], int64(1), structure.primes)


@inlined
def _multiply(level, structure, count):
    """Multiply the product of a level by `value`; if that is 0 its other parts are left out."""
    levels = count.levels
    times(count.products[level], count.value, structure.primes)
    if count.value[0] == 0:
        levels[level, PART] = levels[level, PARTS_END]
        if levels[level, SEVERAL] != 0:
            forget(levels[level, MARK], levels[level, ERA], count)


@inlined
def _fewest(first, length, candidates, cells):
    """The cell with the fewest candidates, the first of several."""
    best = cells[first]
    fewest = bit_count(candidates[best])
    for k in range(first + 1, first + length):
        cell = cells[k]
        number = bit_count(candidates[cell])
        if number < fewest or (number == fewest and cell < best):
            best = cell
            fewest = number
    return best


@inlined
def _begin(program, structure, state, count):
    """The first level, of all cells; the candidates are at a fixpoint."""
    numbers = count.numbers
    numbers[:] = 0
    numbers[STARTED] = 1
    count.stamps[:] = 0
    count.levels[0, UNTRIED] = 0
    for side in range(2):
        count.ends[side, LAST] = 0
        count.ends[side, USED] = 1
    cells = len(state.candidates)
    for cell in range(cells):
        count.cells[cell] = cell
    numbers[CELLS_TOP] = cells
    number = divide(0, cells, program, structure, state.candidates, count)
    _open_parts(0, number, structure, count)
    for cell in range(cells):
        count.after[0, cell] = state.candidates[cell]


@inlined
def _enter(part, length, program, structure, state, count):
    """Count a part if it is small or known; True if a new level has been opened for it."""
    numbers, levels, candidates = count.numbers, count.levels, state.candidates
    level = numbers[LEVEL]
    first = count.parts[part, 0]
    for cell in range(len(candidates)):
        candidates[cell] = count.after[level, cell]
    if count.parts[part, 2] != 0 and length <= SMALL:
        set_to(count.value, count_small(first, length, program, candidates, count), structure.primes)
        return False
    key = numbers[KEY_TOP]
    words = write_key(first, length, structure, candidates, count)
    if recall(key, words, structure.primes, count):
        return False
    level += 1
    numbers[LEVEL] = level
    numbers[KEY_TOP] = key + words
    cell = _fewest(first, length, candidates, count.cells)
    levels[level, CELL] = cell
    levels[level, UNTRIED] = candidates[cell]
    levels[level, PART] = 0
    levels[level, PARTS_END] = 0
    levels[level, KEY] = key
    levels[level, KEY_LENGTH] = words
    levels[level, CELLS_BACK] = numbers[CELLS_TOP]
    levels[level, PARTS_BACK] = numbers[PARTS_TOP]
    levels[level, FIRST] = first
    levels[level, LENGTH] = length
    set_to(count.sums[level], int64(0), structure.primes)
    set_to(count.products[level], int64(0), structure.primes)
    for cell in range(len(candidates)):
        state.saved[level - 1, cell] = candidates[cell]
    return True


@inlined
def _branch(level, program, structure, state, count):
    """Try the next value of the cell of a level."""
    numbers, levels, candidates = count.numbers, count.levels, state.candidates
    cell = levels[level, CELL]
    bit = levels[level, UNTRIED] & -levels[level, UNTRIED]
    levels[level, UNTRIED] &= levels[level, UNTRIED] - 1
    numbers[CELLS_TOP] = levels[level, CELLS_BACK]
    numbers[PARTS_TOP] = levels[level, PARTS_BACK]
    for k in range(len(candidates)):
        candidates[k] = state.saved[level - 1, k]
    narrow(cell, bit, candidates, state.changed)
    if _propagate(program, state) == FIXPOINT:
        number = divide(levels[level, FIRST], levels[level, LENGTH], program, structure, candidates, count)
        _open_parts(level, number, structure, count)
        for k in range(len(candidates)):
            count.after[level, k] = candidates[k]
    else:
        state.changed[:] = 0
        state.pending[:] = 0
        set_to(count.products[level], int64(0), structure.primes)
        levels[level, PART] = 0
        levels[level, PARTS_END] = 0


@entry
def count_parts(program: Program, structure: Structure, state: PropagationState, count: CountState, nodes: int) -> int:
    """Count on for about so many nodes: EXHAUSTED, when `products[0]` has the count, or PAUSED; FOUND if one stopped.

    The candidates of `state` are at a fixpoint before the first call, and `count.numbers` is 0.
    """
    numbers, levels = count.numbers, count.levels
    if numbers[STARTED] == 0:
        _begin(program, structure, state, count)
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        numbers[NODES] += 1
        level = numbers[LEVEL]
        part = levels[level, PART]
        if part < levels[level, PARTS_END]:
            levels[level, PART] += 1
            if not _enter(part, count.parts[part, 1], program, structure, state, count):
                _multiply(level, structure, count)
        elif level == 0:
            return FOUND if count.products[0, 0] == MOST and len(structure.primes) == 0 else EXHAUSTED
        else:
            plus(count.sums[level], count.products[level], structure.primes)
            if levels[level, UNTRIED] != 0:
                _branch(level, program, structure, state, count)
            else:
                for k in range(1 + len(structure.primes)):
                    count.value[k] = count.sums[level, k]
                remember(levels[level, KEY], levels[level, KEY_LENGTH], count.value, structure.primes, count)
                if count.value[0] == MOST and len(structure.primes) == 0:
                    return FOUND
                numbers[LEVEL] = level - 1
                numbers[KEY_TOP] = levels[level, KEY]
                numbers[CELLS_TOP] = levels[level, CELLS_BACK]
                numbers[PARTS_TOP] = levels[level, PARTS_BACK]
                _multiply(level - 1, structure, count)
    return PAUSED
