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

from satdoku.kernels.compiled import compiled, compiled_bare, inlined_bare

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
    ranks = np.empty((2, size), np.int64)
    values = np.empty(len(room), np.uint8)
    columns = np.empty((3, 10), np.int64)
    layouts = room.view(np.uint8)
    for puzzle in range(start, len(givens)):
        full = size == 9 and height == width
        for row in range(size):
            for column in range(size):
                digit = givens[puzzle, row * size + column]
                cells[0, row, column] = cells[1, column, row] = digit
                full = full and digit > 0
        line = lines[puzzle]
        if full:
            first, count = 2, _begin_full(cells, columns, layouts, line)
        else:
            first, count = 0, _begin(cells, ranks, layouts, height, width)
        if count < 0 or not _write(cells, ranks, height, width, layouts, room, values, line, first, count):
            return puzzle
    return len(givens)


@compiled_bare
def _write(cells, ranks, height, width, layouts, words, values, line, first, count):
    """Write the line of one puzzle, from a row on for which there are so many layouts; False if there is no room."""
    size = height * width
    following = size + 1 if first else 1  # the label of the next digit that is new
    for row in range(first, size):
        if row:
            count = _choose_rows(ranks, layouts, words, count, row, size, height)
        for place in range(size):
            if place % width == 0 and count >= 0:
                count = _choose_stacks(cells, layouts, words, count, row, place // width, size, width)
            if count < 0:
                return False
            value = _best(cells, layouts, values, count, row, place, size, width, following, line)
            line[row * size + place] = value
            count = _keep(cells, layouts, words, values, value, count, row, place, size, width, following, line)
            following += value == following
    return count >= 0


@compiled_bare
def _begin(cells, ranks, layouts, height, width):
    """A layout for each row that may be the first: with the least pattern, of the empty ones of a band one."""
    size = height * width
    turns = 1 + (height == width)
    least, count = np.int64((1 << 63) - 1), 0
    for turned in range(turns):
        for row in range(size):
            ranks[turned, row] = _rank(cells[turned, row], size, width)
            least = min(least, ranks[turned, row])
    for turned in range(turns):
        empty = -1  # the last band with an empty row
        for row in range(size):
            if ranks[turned, row] != least or (least == 0 and empty == row // height):
                continue
            empty = row // height
            if count == len(layouts):
                return -1
            layout = layouts[count]
            for place in range(size):
                layout[place] = layout[size + place] = place
                layout[2 * size + place] = place - place % width
                layout[4 * size + place] = layout[5 * size + place] = 0
                layout[6 * size + place] = NONE
            layout[3 * size] = row
            layout[4 * size + row] = 1
            layout[PARTS * size] = turned
            count += 1
    return count


@inlined_bare
def _rank(row, size, width):
    """A number that is less where a row can be written with empty cells further in front; 0 if it is empty."""
    rank, found, filled = np.int64(0), 0, 0
    while found < size // width:  # stacks of so many digits, the fewest first
        for stack in range(0, size, width):
            digits = 0
            for column in range(stack, stack + width):
                digits += row[column] > 0
            if digits == filled:
                rank = rank * (width + 1) + digits
                found += 1
        filled += 1
    return rank


@compiled_bare
def _begin_full(cells, columns, layouts, line):
    """The layouts of the first two rows of a full 9x9 grid, which two columns decide.

    Two of a stack's digits in the second row stand in one stack of the first, so 45 can be had.
    """
    best, count = np.int64(0x460000000), 0
    order, places, homes = columns[0], columns[1], columns[2]
    for turned in range(2):
        for first in range(9):
            for column in range(9):
                homes[cells[turned, first, column]] = column
            for second in range(first - first % 3, first - first % 3 + 3):
                for choice in range(18 if second != first else 0):
                    column = choice // 2
                    stack = column - column % 3
                    beside = stack + (column + 1 + choice % 2) % 3
                    row = cells[turned, second]
                    if homes[row[column]] // 3 != homes[row[beside]] // 3:
                        continue
                    order[:], places[:] = -1, -1
                    order[0], order[1], order[2] = column, beside, 3 * stack + 3 - column - beside
                    key = _second_row(row, homes, order, places, best)
                    if key < 0:
                        continue
                    if key < best:
                        best, count = key, 0
                    layout = layouts[count]
                    layout[PARTS * 9] = turned
                    layout[27], layout[28] = first, second
                    for place in range(9):
                        layout[place], layout[9 + place], layout[18 + place] = order[place], places[place], place
                        layout[36 + place] = place == first or place == second
                        layout[45 + place] = place
                        layout[54 + place] = 0
                        layout[63 + place] = homes[place + 1]
                    count += 1
    for place in range(9):
        line[place] = place + 1
        line[9 + place] = best >> 4 * (8 - place) & 15
    return count


@inlined_bare
def _second_row(row, homes, order, places, best):
    """The labels of the second row, four bits each, once three columns have places; -1 if they exceed `best`.

    The other columns get the first places that they can when their digits of the first row come up.
    """
    after = np.int64(0)  # the stack that the second three places are for, from 1; 0 if not known
    own = order[0] // 3
    key, free, beyond = np.int64(0), 3, 6
    for place in range(3):
        places[order[place]] = place
    for place in range(9):
        column = order[place]
        if column < 0:  # the last of its stack
            stack = after - 1 if place < 6 else 3 - own - (after - 1)
            for other in range(3 * stack, 3 * stack + 3):
                column = other if places[other] < 0 else column
            places[column], order[place] = place, column
        home = homes[row[column]]
        if places[home] < 0:
            after = after or home // 3 + 1
            if home // 3 + 1 == after:
                places[home] = free
                free += 1
            else:
                places[home] = beyond
                beyond += 1
            order[places[home]] = home
        key = key << 4 | places[home] + 1
        if key > best >> 4 * (8 - place):
            return np.int64(-1)
    return key


@inlined_bare
def _copy(words, source, target):
    for word in range(words.shape[1]):
        words[target, word] = words[source, word]


@compiled_bare
def _choose_rows(ranks, layouts, words, count, row, size, height):
    """Every row that may come next, each in a layout of its own; of the empty ones of a band one. -1: no room."""
    end = count
    for index in range(count):
        layout = layouts[index]
        used = layout[4 * size : 5 * size]
        turned = layout[PARTS * size]
        band = np.int64(layout[3 * size + row - 1]) // height if row % height else np.int64(-1)
        chosen = -1
        for first in range(0, size, height):
            if band >= 0 and first != band * height:
                continue
            taken = False
            for source in range(first, first + height):
                taken = taken or used[source] > 0
            if band < 0 and taken:
                continue
            empty = False
            for source in range(first, first + height):
                if used[source] or (empty and ranks[turned, source] == 0):
                    continue
                empty = empty or ranks[turned, source] == 0
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


@compiled_bare
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


@inlined_bare
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


@inlined_bare
def _swap(layout, place, other, size):
    first, second = layout[place], layout[other]
    layout[place], layout[other] = second, first
    layout[size + second], layout[size + first] = place, other


@inlined_bare
def _swap_stacks(layout, stack, other, size, width):
    if stack != other:
        for place in range(width):
            _swap(layout, stack * width + place, other * width + place, size)


@inlined_bare
def _single_stack(layout, stack, first, end, size, width):
    """Put a stack first of the stacks it is tied with, from `first` to before `end`."""
    _swap_stacks(layout, stack, first, size, width)
    for other in range(first + 1, end):
        layout[5 * size + other] = first + 1


@inlined_bare
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


@inlined_bare
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


@inlined_bare
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


@inlined_bare
def _keep(cells, layouts, words, values, best, count, row, place, size, width, following, line):
    """Keep the layouts that have the smallest value, and settle what it depends on. -1: no room.

    Each column that brings the value in is a layout of its own.
    """
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


@inlined_bare
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


@inlined_bare
def _note(layout, source, row, place, size):
    """The digits of a group are new."""
    other = place
    while other < size and layout[2 * size + other] == place:
        digit = source[layout[other]]
        layout[6 * size + digit - 1] = row
        layout[7 * size + digit - 1] = layout[other]
        other += 1


@inlined_bare
def _take(layout, source, other, place, size, width):
    """The column at `other` takes a place of its group, and that of its digit the first that it can."""
    digit = source[layout[other]]
    _single(layout, other, size, width)
    _single(layout, np.int64(layout[size + layout[7 * size + digit - 1]]), size, width)
