"""9x9 puzzles that take hundreds of nodes, so that the compiled search branches on houses, too."""

from __future__ import annotations

from random import Random

GOLDEN_NUGGET = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
PLATINUM_BLONDE = ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."
"""By names that they have among players: a grid after 194 of 281 nodes, and after 91 of 495."""


def five_digits(random: Random) -> tuple[int, ...]:
    """Candidates for five digits a cell: many such puzzles have no solution or few, and take some hundred nodes."""
    return tuple(sum(1 << value for value in random.sample(range(1, 10), 5)) for _ in range(81))
