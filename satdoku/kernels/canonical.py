"""The smallest line of a plain puzzle over all symmetries of its board ("minlex" form, empty cells as 0).

Written cell by cell, by all layouts at once that have begun with the smallest line so far. A layout orders rows when
it comes to them, and columns and stacks only as far as the line depends on it: columns of a stack that so far are
empty in the same rows, and hold digits that are new in the others, are a *group* of places that they may take in any
order, and stacks of equal groups are *tied*. The label of a digit is the value at the place of the column where it came
first, and is open while that place is. So a full grid has 18 layouts after its first row, not 23,328.

`canonical_layouts` says what is noted of a layout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satdoku.kernels import canonical_layouts as field
from satdoku.kernels.canonical_full import begin as begin_full
from satdoku.kernels.canonical_layouts import (
    at,
    copy,
    empty_first,
    group_end,
    note,
    single_stack,
    swap_stacks,
    take,
    tied,
)
from satdoku.kernels.compiled import Bytes, Bytes2, Bytes3, Ints2, Read, Unsigned64s2, entry, inlined, inner


class Room(NamedTuple):
    """What the search for the smallest line works with."""

    words: Unsigned64s2  # the layouts, for copying
    layouts: Bytes2  # the same memory
    values: Bytes  # one a layout
    cells: Bytes3  # the puzzle, and transposed
    ranks: Ints2  # of the rows of both
    columns: Ints2


class Spot(NamedTuple):
    """The cell of the line that is written next, what is written so far, and the label of the next new digit."""

    row: int
    place: int
    size: int
    width: int
    new: int
    line: Bytes


def room(size: int, count: int) -> Room:
    """Room for so many layouts of an NxN board."""
    words = np.empty((count, size + 1), np.uint64)
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
    cells = room.cells
    for puzzle in range(start, len(givens)):
        full = size == 9 and height == width
        for row in range(size):
            for column in range(size):
                digit = givens[puzzle, row * size + column]
                cells[0, row, column] = cells[1, column, row] = digit
                full = full and digit > 0
        line = lines[puzzle]
        if full:
            room.ranks[:] = 1  # no row is empty
            first, count = 2, begin_full(cells, room.columns, room.layouts, line)
        else:
            first, count = 0, _begin(room, height, width)
        if count < 0 or not _write(room, line, first, count, height, width):
            return puzzle
    return len(givens)


@inner
def _write(room, line, first, count, height, width):
    """Write the line of one puzzle, from a row on for which there are so many layouts; False if there is no room."""
    size = height * width
    new = size + 1 if first else 1
    for row in range(first, size):
        if row:
            count = _choose_rows(room, count, row, size, height)
        for place in range(size):
            if place % width == 0 and count >= 0:
                count = _choose_stacks(room, count, row, place // width, size, width)
            if count < 0:
                return False
            spot = Spot(row, place, size, width, new, line)
            value = _best(room, count, spot)
            line[row * size + place] = value
            count = _keep(room, count, value)
            count = _settle(room, count, spot, value)
            new += value == new
    return count >= 0


@inner
def _begin(room, height, width):
    """A layout for each row that may be the first: with the least pattern, of the empty ones of a band one."""
    size = height * width
    turns = 1 + (height == width)
    cells, ranks, layouts = room.cells, room.ranks, room.layouts
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
                layout[at(place, field.COLUMN)] = layout[at(place, field.PLACE)] = place
                layout[at(place, field.GROUP)] = place - place % width
                layout[at(place, field.USED)] = layout[at(place, field.TIE)] = 0
                layout[at(place + 1, field.DIGIT_ROW)] = field.NONE
            layout[at(0, field.SOURCE)] = row
            layout[at(row, field.USED)] = 1
            layout[at(size, field.TRANSPOSED)] = turned
            count += 1
    return count


@inlined
def _rank(row, size, width):
    """A number that is less where a row can be written with empty cells further in front; 0 if it is empty."""
    rank, stacks, filled = np.int64(0), 0, 0
    while stacks < size // width:  # stacks of so many digits, the fewest first
        for stack in range(0, size, width):
            digits = 0
            for column in range(stack, stack + width):
                digits += row[column] > 0
            if digits == filled:
                rank = rank * (width + 1) + digits
                stacks += 1
        filled += 1
    return rank


@inner
def _choose_rows(room, count, row, size, height):
    """Every row that may come next, each in a layout of its own; of the empty ones of a band one. -1: no room."""
    ranks, layouts, end = room.ranks, room.layouts, count
    for index in range(count):
        layout = layouts[index]
        turned = layout[at(size, field.TRANSPOSED)]
        band = np.int64(layout[at(row - 1, field.SOURCE)]) // height if row % height else np.int64(-1)
        chosen = -1
        for first in range(0, size, height):
            if band >= 0 and first != band * height:
                continue
            taken = False
            for source in range(first, first + height):
                taken = taken or layout[at(source, field.USED)] > 0
            if band < 0 and taken:
                continue
            empty = False
            for source in range(first, first + height):
                if layout[at(source, field.USED)] or (empty and ranks[turned, source] == 0):
                    continue
                empty = empty or ranks[turned, source] == 0
                if chosen < 0:
                    chosen = source
                    continue
                if end >= len(layouts):
                    return -1
                copy(room.words, index, end)
                layouts[end, at(row, field.SOURCE)] = source
                layouts[end, at(source, field.USED)] = 1
                end += 1
        layout[at(row, field.SOURCE)] = chosen
        layout[at(chosen, field.USED)] = 1
    return end


@inner
def _choose_stacks(room, count, row, stack, size, width):
    """Which of the stacks tied at a place for one come first: still tied if they can be, else each in a layout.

    Returns -1 if there is no room.
    """
    layouts, end = room.layouts, count
    for index in range(count):
        layout = layouts[index]
        after = tied(layout, stack, size, width)
        if after == stack + 1:
            continue
        source = room.cells[layout[at(size, field.TRANSPOSED)], layout[at(row, field.SOURCE)]]
        chosen, are_new = _stacks_first(layout, source, stack, after, size, width)
        for other in range(chosen, after):
            layout[at(other, field.TIE)] = chosen
        if are_new or chosen == stack + 1:
            continue
        for other in range(stack + 1, chosen):
            if end >= len(layouts):
                return -1
            copy(room.words, index, end)
            single_stack(layouts[end], other, stack, chosen, width)
            end += 1
        single_stack(layout, stack, stack, chosen, width)
    return end


@inlined
def _stacks_first(layout, source, stack, after, size, width):
    """Move those of tied stacks to the front that may come first; where they end, and whether their digits are new.

    Digits that are not new can be compared only once a stack is chosen, and so tell nothing here.
    """
    lead, are_new = -1, True
    for other in range(stack, after):
        zeros, pattern, new = _pattern(layout, source, other, width)
        are_new = new if zeros > lead else are_new and (new or zeros < lead)
        lead = max(lead, zeros)
    least, chosen = np.int64(1) << width, stack
    for other in range(stack, after):
        zeros, pattern, new = _pattern(layout, source, other, width)
        key = pattern if are_new else np.int64(width - zeros)
        if key < least:
            least, chosen = key, stack
        if key == least:
            swap_stacks(layout, other, chosen, width)
            chosen += 1
    return chosen, are_new


@inlined
def _pattern(layout, source, stack, width):
    """How many empty cells a row of a stack begins with; its smallest pattern, a bit a cell; whether all is new."""
    zeros, pattern, new, first = 0, np.int64(0), True, stack * width
    while first < (stack + 1) * width:
        end, empty = group_end(layout, first, (stack + 1) * width), 0
        for place in range(first, end):
            digit = source[layout[at(place, field.COLUMN)]]
            empty += digit == 0
            new = new and (digit == 0 or layout[at(digit, field.DIGIT_ROW)] == field.NONE)
        filled = end - first - empty
        if pattern == 0:
            zeros += empty
        pattern = (pattern << (end - first)) | ((np.int64(1) << filled) - 1)
        first = end
    return zeros, pattern, new


@inlined
def _best(room, count, spot):
    """The smallest value over all layouts, and in `room.values` that of each."""
    best = np.int64(field.NONE)
    for index in range(count):
        layout = room.layouts[index]
        source = room.cells[layout[at(spot.size, field.TRANSPOSED)], layout[at(spot.row, field.SOURCE)]]
        value = _value(layout, source, spot)
        room.values[index] = value
        best = min(best, value)
    return best


@inlined
def _value(layout, source, spot):
    """The smallest value that a layout can have there: of all columns of the group that begins there, if one does."""
    if layout[at(spot.place, field.GROUP)] != spot.place:  # its group holds nothing here, or is new
        return np.int64(spot.new if source[layout[at(spot.place, field.COLUMN)]] else 0)
    value = np.int64(field.NONE)
    for other in range(spot.place, group_end(layout, spot.place, spot.size)):
        digit = source[layout[at(other, field.COLUMN)]]
        if digit == 0:
            return np.int64(0)
        value = min(value, _label(layout, digit, spot))
    return value


@inlined
def _label(layout, digit, spot):
    """The smallest label that a digit can have there: the value where it came first, or could have come first."""
    row = np.int64(layout[at(digit, field.DIGIT_ROW)])
    if row == field.NONE:
        return np.int64(spot.new)
    start = row * spot.size
    group = np.int64(layout[at(layout[at(layout[at(digit, field.DIGIT_COLUMN)], field.PLACE)], field.GROUP)])
    if group == spot.place:
        return np.int64(spot.line[start + spot.place + 1])  # the digit's own column takes this place
    stack = np.int64(layout[at(group // spot.width, field.TIE)])  # its column may come to the first of the tied stacks
    return np.int64(spot.line[start + stack * spot.width + group % spot.width])


@inlined
def _keep(room, count, best):
    """Move the layouts that have the smallest value to the front; how many they are."""
    kept = 0
    for index in range(count):
        if room.values[index] == best:
            if kept < index:
                copy(room.words, index, kept)
            kept += 1
    return kept


@inlined
def _settle(room, count, spot, value):
    """Settle in each layout what this value depends on; how many layouts there are then. -1: no room."""
    end = count
    for index in range(count):
        layout = room.layouts[index]
        if layout[at(spot.place, field.GROUP)] != spot.place:
            continue
        source = room.cells[layout[at(spot.size, field.TRANSPOSED)], layout[at(spot.row, field.SOURCE)]]
        if value == 0:
            empty_first(layout, source, spot.place, spot.size)
        elif value == spot.new:
            note(layout, source, spot.row, spot.place, spot.size)
        else:
            end = _branch(room, index, end, spot, value)
            if end < 0:
                return -1
    return end


@inlined
def _branch(room, index, end, spot, value):
    """Each column of a group that brings the value takes the place, in a layout of its own. -1: no room."""
    layout, first = room.layouts[index], np.int64(-1)
    source = room.cells[layout[at(spot.size, field.TRANSPOSED)], layout[at(spot.row, field.SOURCE)]]
    for other in range(spot.place, group_end(layout, spot.place, spot.size)):
        if _label(layout, source[layout[at(other, field.COLUMN)]], spot) != value:
            continue
        if first < 0:
            first = other  # the layout itself is changed last: the others are made of it
            continue
        if end >= len(room.layouts):
            return -1
        copy(room.words, index, end)
        take(room.layouts[end], source, other, spot.size, spot.width)
        end += 1
    take(layout, source, first, spot.size, spot.width)
    return end
