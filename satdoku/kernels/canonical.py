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

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satdoku.kernels.canonical_full import begin as begin_full
from satdoku.kernels.canonical_layouts import copy, empty_first, note, single_stack, swap_stacks, take, tied
from satdoku.kernels.compiled import Bytes, Bytes2, Bytes3, Ints2, Read, Unsigned64s2, entry, inlined, inner

NONE = 255
PARTS = 8


class Room(NamedTuple):
    """What the search for the smallest line works with."""

    words: Unsigned64s2  # the layouts, for copying
    layouts: Bytes2  # the same memory
    values: Bytes  # one a layout
    cells: Bytes3  # the puzzle, and transposed
    ranks: Ints2  # of the rows of both
    columns: Ints2


def room(size: int, count: int) -> Room:
    """Room for so many layouts of an NxN board."""
    words = np.empty((count, (PARTS * size + 2) // 8 + 1), np.uint64)
    return Room(
        words=words,
        layouts=words.view(np.uint8),
        values=np.empty(count, np.uint8),
        cells=np.empty((2, size, size), np.uint8),
        ranks=np.empty((2, size), np.int64),
        columns=np.empty((3, 10), np.int64),
    )


@entry
def smallest(givens: Read[Bytes2], height: int, width: int, lines: Bytes2, room: Room, start: int) -> int:
    """Write the smallest lines of puzzles from `start` on, whose boxes have such a height and width.

    givens, lines: (n, cells) uint8. Returns n, or the first puzzle for which `room` does not suffice. No house may
    hold a given twice.
    """
    size = height * width
    words, layouts, values, cells, ranks, columns = room
    for puzzle in range(start, len(givens)):
        full = size == 9 and height == width
        for row in range(size):
            for column in range(size):
                digit = givens[puzzle, row * size + column]
                cells[0, row, column] = cells[1, column, row] = digit
                full = full and digit > 0
        line = lines[puzzle]
        if full:
            ranks[:] = 1  # no row is empty
            first, count = 2, begin_full(cells, columns, layouts, line)
        else:
            first, count = 0, _begin(cells, ranks, layouts, height, width)
        if count < 0 or not _write(cells, ranks, height, width, layouts, words, values, line, first, count):
            return puzzle
    return len(givens)


@inner
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


@inner
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


@inlined
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


@inner
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
                copy(words, index, end)
                layouts[end, 3 * size + row] = source
                layouts[end, 4 * size + source] = 1
                end += 1
        layout[3 * size + row] = chosen
        used[chosen] = 1
    return end


@inner
def _choose_stacks(cells, layouts, words, count, row, stack, size, width):
    """Which of the stacks tied at a place for one come first: still tied if they can be, else each in a layout.

    Returns -1 if there is no room.
    """
    end = count
    for index in range(count):
        layout = layouts[index]
        after = tied(layout, stack, size, width)
        if after == stack + 1:
            continue
        chosen, open = _stacks_first(cells, layout, row, stack, after, size, width)
        for other in range(chosen, after):
            layout[5 * size + other] = chosen
        if open or chosen == stack + 1:
            continue
        for other in range(stack + 1, chosen):
            if end >= len(layouts):
                return -1
            copy(words, index, end)
            single_stack(layouts[end], other, stack, chosen, size, width)
            end += 1
        single_stack(layout, stack, stack, chosen, size, width)
    return end


@inlined
def _stacks_first(cells, layout, row, stack, after, size, width):
    """Move those of tied stacks to the front that may come first; where they end, and whether their digits are new.

    Digits that are not new can be compared only once a stack is chosen, and so tell nothing here.
    """
    lead, open = -1, True
    for other in range(stack, after):
        zeros, pattern, new = _pattern(cells, layout, row, other, size, width)
        open = new if zeros > lead else open and (new or zeros < lead)
        lead = max(lead, zeros)
    least, chosen = np.int64(1) << width, stack
    for other in range(stack, after):
        zeros, pattern, new = _pattern(cells, layout, row, other, size, width)
        key = pattern if open else np.int64(width - zeros)
        if key < least:
            least, chosen = key, stack
        if key == least:
            swap_stacks(layout, other, chosen, size, width)
            chosen += 1
    return chosen, open


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


@inlined
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


@inlined
def _keep(cells, layouts, words, values, best, count, row, place, size, width, following, line):
    """Keep the layouts that have the smallest value, and settle what it depends on. -1: no room."""
    kept, end = 0, count
    for index in range(count):
        if values[index] != best:
            continue
        if kept < index:
            copy(words, index, kept)
        layout = layouts[kept]
        kept += 1
        if layout[2 * size + place] != place:
            continue
        source = cells[layout[PARTS * size], layout[3 * size + row]]
        if best == 0:
            empty_first(layout, source, place, size)
        elif best == following:
            note(layout, source, row, place, size)
        else:
            end = _branch(layouts, words, kept - 1, end, best, source, place, size, width, following, line)
            if end < 0:
                return -1
    for index in range(count, end):
        if kept < index:
            copy(words, index, kept)
        kept += 1
    return kept


@inlined
def _branch(layouts, words, index, end, best, source, place, size, width, following, line):
    """Each column of a group that brings the best value takes the place, in a layout of its own. -1: no room."""
    layout, mine, other = layouts[index], np.int64(-1), place
    while other < size and layout[2 * size + other] == place:
        if _label(layout, source[layout[other]], place, size, width, following, line) == best:
            if mine >= 0:
                if end >= len(layouts):
                    return -1
                copy(words, index, end)
                take(layouts[end], source, other, place, size, width)
                end += 1
            else:
                mine = other
        other += 1
    take(layout, source, mine, place, size, width)
    return end
