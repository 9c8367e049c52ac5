"""The smallest line of a plain puzzle over all symmetries of its board ("minlex" form, empty cells as 0).

Written cell by cell, by all layouts at once that have begun with the smallest line so far. A layout orders rows when
it comes to them, and columns and stacks only as far as the line depends on it: columns of a stack that so far are
empty in the same rows, and hold digits that are new in the others, are a *group* of places that they may take in any
order, and stacks of equal groups are *tied*. The label of a digit is the value at the place of the column where it came
first, and is open while that place is. So a full grid has 18 layouts after its first row, not 23,328.

A layout is a row of bytes, in parts of N: the column at each place and the place of each column, the first place of
each place's group, the source of each row and whether a source is used, the first stack of each stack's tie, and for
each digit the row and the column where it came first; the last byte says whether it is transposed.
"""

import numpy as np
from numpy.typing import NDArray

from satdoku.kernels.compiled import compiled, inlined

NONE = 255
PARTS = 8


def layouts(size: int, count: int) -> NDArray[np.uint64]:
    """Room for so many layouts of an NxN board."""
    return np.empty((count, (PARTS * size + 2) // 8 + 1), np.uint64)


@compiled
def smallest(givens, height, width, lines, room, start):
    """Write the smallest lines of puzzles from `start` on, whose boxes have such a height and width.

    givens, lines: (n, cells) uint8. Returns n, or the first puzzle for which `room` does not suffice. No house may
    hold a given twice.
    """
    size = height * width
    cells = np.empty((2, size, size), np.uint8)
    bare = np.empty((2, size), np.bool_)
    values = np.empty(len(room), np.uint8)
    layouts = room.view(np.uint8)
    for puzzle in range(start, len(givens)):
        for row in range(size):
            for column in range(size):
                cells[0, row, column] = cells[1, column, row] = givens[puzzle, row * size + column]
        for turned in range(2):
            for row in range(size):
                bare[turned, row] = not cells[turned, row].any()
        if not _write(cells, bare, height, width, layouts, room, values, lines[puzzle]):
            return puzzle
    return len(givens)


@inlined
def _write(cells, bare, height, width, layouts, words, values, line):
    """Write the line of one puzzle; False if there is no room."""
    size = height * width
    count = 1 + (height == width)
    for turned in range(count):
        _begin(layouts[turned], size, width, turned)
    following = 1  # the label of the next digit that is new
    for row in range(size):
        count = _choose_rows(bare, layouts, words, count, row, size, height)
        for place in range(size):
            if place % width == 0 and count >= 0:
                count = _choose_stacks(cells, layouts, words, count, row, place // width, size, width)
            if count < 0:
                return False
            value = _best(cells, layouts, values, count, row, place, size, width, following, line)
            line[row * size + place] = value
            count = _keep(cells, layouts, words, values, count, row, place, size, width, following, line)
            following += value == following
    return count >= 0


@inlined
def _begin(layout, size, width, turned):
    for place in range(size):
        layout[place] = layout[size + place] = place
        layout[2 * size + place] = place - place % width
        layout[4 * size + place] = 0
        layout[5 * size + place] = 0
        layout[6 * size + place] = NONE
    layout[PARTS * size] = turned


@inlined
def _copy(words, source, target):
    for word in range(words.shape[1]):
        words[target, word] = words[source, word]


@compiled
def _choose_rows(bare, layouts, words, count, row, size, height):
    """Every row that may come next, each in a layout of its own; of the empty ones of a band one. -1: no room."""
    end = count
    for index in range(count):
        layout = layouts[index]
        used = layout[4 * size : 5 * size]
        turned = layout[PARTS * size]
        band = layout[3 * size + row - 1] // height if row % height else -1
        chosen = -1
        for first in range(0, size, height):
            if band >= 0 and first != band * height:
                continue
            if band < 0 and used[first : first + height].any():
                continue
            empty = False
            for source in range(first, first + height):
                if used[source] or (empty and bare[turned, source]):
                    continue
                empty = empty or bare[turned, source]
                if chosen < 0:
                    chosen = source
                    continue
                if end >= len(layouts):
                    return -1
                _copy(words, index, end)
                layouts[end, 3 * size + row] = source
                layouts[end, 4 * size + source] = 1
                end += 1
        layout[3 * size + row] = chosen
        used[chosen] = 1
    return end


@compiled
def _choose_stacks(cells, layouts, words, count, row, stack, size, width):
    """Which of the stacks tied at `stack` come first: tied if they can stay so, else each in its layout. -1: no room."""
    end = count
    for index in range(count):
        layout = layouts[index]
        last = stack
        while (last + 1) * width < size and layout[5 * size + last + 1] == stack:
            last += 1
        if last == stack:
            continue
        lead, open = -1, True
        for other in range(stack, last + 1):
            zeros, pattern, new = _pattern(cells, layout, row, other, size, width)
            open = new if zeros > lead else open and (new or zeros < lead)
            lead = max(lead, zeros)
        least = np.int64(1) << width
        chosen = stack  # the stacks before this one are the best so far
        for other in range(stack, last + 1):
            zeros, pattern, new = _pattern(cells, layout, row, other, size, width)
            key = pattern if open else np.int64(width - zeros)
            if key < least:
                least, chosen = key, stack
            if key == least:
                _swap_stacks(layout, other, chosen, size, width)
                chosen += 1
        for other in range(chosen, last + 1):
            layout[5 * size + other] = chosen
        if open or chosen == stack + 1:
            continue
        for other in range(stack + 1, chosen):
            if end >= len(layouts):
                return -1
            _copy(words, index, end)
            _single_stack(layouts[end], other, stack, chosen, size, width)
            end += 1
        _single_stack(layout, stack, stack, chosen, size, width)
    return end


@inlined
def _pattern(cells, layout, row, stack, size, width):
    """How many empty cells a row of a stack begins with; its smallest pattern, a bit a cell; whether all is new."""
    source = cells[layout[PARTS * size], layout[3 * size + row]]
    zeros, pattern, new, first = 0, np.int64(0), True, stack * width
    while first < (stack + 1) * width:
        after, empty = first, 0
        while after < (stack + 1) * width and layout[2 * size + after] == first:
            digit = source[layout[after]]
            empty += digit == 0
            new = new and (digit == 0 or layout[6 * size + digit - 1] == NONE)
            after += 1
        filled = after - first - empty
        if pattern == 0:
            zeros += empty
        pattern = (pattern << (after - first)) | ((np.int64(1) << filled) - 1)
        first = after
    return zeros, pattern, new


@inlined
def _swap(layout, place, other, size):
    first, second = layout[place], layout[other]
    layout[place], layout[other] = second, first
    layout[size + second], layout[size + first] = place, other


@inlined
def _swap_stacks(layout, stack, other, size, width):
    if stack != other:
        for place in range(width):
            _swap(layout, stack * width + place, other * width + place, size)


@inlined
def _single_stack(layout, stack, first, end, size, width):
    """Put a stack first of the stacks it is tied with, from `first` to before `end`."""
    _swap_stacks(layout, stack, first, size, width)
    for other in range(first + 1, end):
        layout[5 * size + other] = first + 1


@inlined
def _single(layout, place, size, width):
    """Put the column at a place first in its group, and its stack first of those it is tied with."""
    stack = place // width
    first = np.int64(layout[5 * size + stack])
    end = first + 1
    while end * width < size and layout[5 * size + end] == first:
        end += 1
    if end > first + 1:
        _single_stack(layout, stack, first, end, size, width)
        place += (first - stack) * width
    first = np.int64(layout[2 * size + place])
    _swap(layout, place, first, size)
    after = first + 1
    while after < size and layout[2 * size + after] == first:
        layout[2 * size + after] = first + 1
        after += 1


@inlined
def _label(layout, digit, place, size, width, following, line):
    """The smallest label that a digit can have at a place."""
    row = np.int64(layout[6 * size + digit - 1])
    if row == NONE:
        return following
    found = np.int64(layout[size + layout[7 * size + digit - 1]])
    group = np.int64(layout[2 * size + found])
    if group == place:
        return np.int64(line[row * size + place + 1])  # the digit's own column takes this place
    return np.int64(line[row * size + np.int64(layout[5 * size + group // width]) * width + group % width])


@compiled
def _best(cells, layouts, values, count, row, place, size, width, following, line):
    """The smallest value at a place over all layouts, and in `values` that of each."""
    best = np.int64(NONE)
    for index in range(count):
        layout = layouts[index]
        source = cells[layout[PARTS * size], layout[3 * size + row]]
        value = np.int64(NONE)
        if layout[2 * size + place] != place:  # its group holds nothing here, or is new
            value = following if source[layout[place]] else 0
        else:
            other = place
            while value and other < size and layout[2 * size + other] == place:
                digit = source[layout[other]]
                value = min(value, _label(layout, digit, place, size, width, following, line) if digit else 0)
                other += 1
        values[index] = value
        best = min(best, value)
    return best


@compiled
def _keep(cells, layouts, words, values, count, row, place, size, width, following, line):
    """Keep the layouts that have the smallest value, and settle what it depends on. -1: no room.

    Each column that brings the value in is a layout of its own.
    """
    best = values[0]
    for index in range(count):
        best = min(best, values[index])
    kept, end = 0, count
    for index in range(count):
        if values[index] != best:
            continue
        if kept < index:
            _copy(words, index, kept)
        layout = layouts[kept]
        kept += 1
        if layout[2 * size + place] != place:
            continue
        source = cells[layout[PARTS * size], layout[3 * size + row]]
        if best == 0:
            _empty_first(layout, source, place, size)
        elif best == following:
            _note(layout, source, row, place, size)
        else:
            mine = np.int64(-1)
            other = place
            while other < size and layout[2 * size + other] == place:
                digit = source[layout[other]]
                if _label(layout, digit, place, size, width, following, line) == best:
                    if mine < 0:
                        mine = other
                    else:
                        if end >= len(layouts):
                            return -1
                        _copy(words, kept - 1, end)
                        _take(layouts[end], source, other, place, size, width)
                        end += 1
                other += 1
            _take(layout, source, mine, place, size, width)
    for index in range(count, end):
        if kept < index:
            _copy(words, index, kept)
        kept += 1
    return kept


@inlined
def _empty_first(layout, source, place, size):
    """Of a group the columns that are empty in a row come first; the others are a group behind them."""
    after = split = place
    while after < size and layout[2 * size + after] == place:
        if source[layout[after]] == 0:
            _swap(layout, after, split, size)
            split += 1
        after += 1
    for other in range(split, after):
        layout[2 * size + other] = split


@inlined
def _note(layout, source, row, place, size):
    """The digits of a group are new."""
    other = place
    while other < size and layout[2 * size + other] == place:
        digit = source[layout[other]]
        layout[6 * size + digit - 1] = row
        layout[7 * size + digit - 1] = layout[other]
        other += 1


@inlined
def _take(layout, source, other, place, size, width):
    """The column at `other` takes a place of its group, and that of its digit the first that it can."""
    digit = source[layout[other]]
    _single(layout, other, size, width)
    _single(layout, np.int64(layout[size + layout[7 * size + digit - 1]]), size, width)
