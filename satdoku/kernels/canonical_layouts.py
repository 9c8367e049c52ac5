"""Changes of one layout, as `canonical` describes it: columns that are exchanged, set apart and noted."""

from __future__ import annotations

import numpy as np

from satdoku.kernels.compiled import inlined


@inlined
def copy(words, source, target):
    for word in range(words.shape[1]):
        words[target, word] = words[source, word]


@inlined
def swap(layout, place, other, size):
    first, second = layout[place], layout[other]
    layout[place], layout[other] = second, first
    layout[size + second], layout[size + first] = place, other


@inlined
def swap_stacks(layout, stack, other, size, width):
    if stack != other:
        for place in range(width):
            swap(layout, stack * width + place, other * width + place, size)


@inlined
def single_stack(layout, stack, first, end, size, width):
    """Put a stack first of the stacks it is tied with, from `first` to before `end`."""
    swap_stacks(layout, stack, first, size, width)
    for other in range(first + 1, end):
        layout[5 * size + other] = first + 1


@inlined
def single(layout, place, size, width):
    """Put the column at a place first in its group, and its stack first of those it is tied with."""
    stack = place // width
    first = np.int64(layout[5 * size + stack])
    end = tied(layout, first, size, width)
    if end > first + 1:
        single_stack(layout, stack, first, end, size, width)
        place += (first - stack) * width
    first = np.int64(layout[2 * size + place])
    swap(layout, place, first, size)
    after = first + 1
    while after < size and layout[2 * size + after] == first:
        layout[2 * size + after] = first + 1
        after += 1


@inlined
def empty_first(layout, source, place, size):
    """Of a group the columns that are empty in a row come first; the others are a group behind them."""
    after = split = place
    while after < size and layout[2 * size + after] == place:
        if source[layout[after]] == 0:
            swap(layout, after, split, size)
            split += 1
        after += 1
    for other in range(split, after):
        layout[2 * size + other] = split


@inlined
def note(layout, source, row, place, size):
    """The digits of a group are new."""
    other = place
    while other < size and layout[2 * size + other] == place:
        digit = source[layout[other]]
        layout[6 * size + digit - 1] = row
        layout[7 * size + digit - 1] = layout[other]
        other += 1


@inlined
def take(layout, source, other, place, size, width):
    """The column at `other` takes a place of its group, and that of its digit the first that it can."""
    digit = source[layout[other]]
    single(layout, other, size, width)
    single(layout, np.int64(layout[size + layout[7 * size + digit - 1]]), size, width)


@inlined
def tied(layout, stack, size, width):
    """Where the stacks end that are tied with the first of them."""
    after = stack + 1
    while after * width < size and layout[5 * size + after] == stack:
        after += 1
    return after
