"""Changes of one layout: columns that are exchanged, set apart and noted.

A layout is a table of bytes: a row for each of the numbers 0 to N, with the fields that are named below. A row is one
word, for copying.
"""

from __future__ import annotations

import numpy as np

from satdoku.kernels.compiled import inlined

COLUMN = 0  # at a place: the column that is there
PLACE = 1  # of a column: its place
GROUP = 2  # of a place: the first place of its group
SOURCE = 3  # of a row of the line: the row of the puzzle that it is
USED = 4  # of a row of the puzzle: whether it is one of these
TIE = 5  # of a stack: the first stack that it is tied with
DIGIT_ROW = 6  # of a digit: the row where it came first, or NONE
DIGIT_COLUMN = 7  # of a digit: the column where it came first
TRANSPOSED = 0  # of N: whether rows and columns of the puzzle are exchanged
NONE = 255


@inlined
def at(row, field):
    """Where a layout has a field of a row."""
    return 8 * row + field


@inlined
def copy(words, source, target):
    for word in range(words.shape[1]):
        words[target, word] = words[source, word]


@inlined
def group_end(layout, place, size):
    """Where the group ends whose first place this is; the place itself if it is not the first of a group."""
    end = place
    while end < size and layout[at(end, GROUP)] == place:
        end += 1
    return end


@inlined
def tied(layout, stack, size, width):
    """Where the stacks end that are tied with the first of them."""
    end = stack + 1
    while end * width < size and layout[at(end, TIE)] == stack:
        end += 1
    return end


@inlined
def swap(layout, place, other):
    first, second = layout[at(place, COLUMN)], layout[at(other, COLUMN)]
    layout[at(place, COLUMN)], layout[at(other, COLUMN)] = second, first
    layout[at(second, PLACE)], layout[at(first, PLACE)] = place, other


@inlined
def swap_stacks(layout, stack, other, width):
    if stack != other:
        for place in range(width):
            swap(layout, stack * width + place, other * width + place)


@inlined
def single_stack(layout, stack, first, end, width):
    """Put a stack first of the stacks it is tied with, from `first` to before `end`."""
    swap_stacks(layout, stack, first, width)
    for other in range(first + 1, end):
        layout[at(other, TIE)] = first + 1


@inlined
def single(layout, place, size, width):
    """Put the column at a place first in its group, and its stack first of those it is tied with."""
    stack = place // width
    first = np.int64(layout[at(stack, TIE)])
    end = tied(layout, first, size, width)
    if end > first + 1:
        single_stack(layout, stack, first, end, width)
        place += (first - stack) * width
    first = np.int64(layout[at(place, GROUP)])
    swap(layout, place, first)
    for other in range(first + 1, group_end(layout, first, size)):
        layout[at(other, GROUP)] = first + 1


@inlined
def empty_first(layout, source, place, size):
    """Of a group the columns that are empty in a row come first; the others are a group behind them."""
    split, end = place, group_end(layout, place, size)
    for other in range(place, end):
        if source[layout[at(other, COLUMN)]] == 0:
            swap(layout, other, split)
            split += 1
    for other in range(split, end):
        layout[at(other, GROUP)] = split


@inlined
def note(layout, source, row, place, size):
    """The digits of a group are new."""
    for other in range(place, group_end(layout, place, size)):
        column = layout[at(other, COLUMN)]
        digit = source[column]
        layout[at(digit, DIGIT_ROW)] = row
        layout[at(digit, DIGIT_COLUMN)] = column


@inlined
def take(layout, source, other, size, width):
    """The column at `other` takes the first place of its group, and that of its digit the first that it can."""
    digit = source[layout[at(other, COLUMN)]]
    single(layout, other, size, width)
    single(layout, np.int64(layout[at(layout[at(digit, DIGIT_COLUMN)], PLACE)]), size, width)
