"""Counting the grids of a small board cell by cell; of values that are alike and new, one stands for all."""

from __future__ import annotations

from collections import Counter

from satdoku.kernels.compiled import (
    EXHAUSTED,
    FOUND,
    PAUSED,
    Int32s2,
    Ints,
    Ints2,
    Read,
    allocated,
    bit_count,
    entry,
    inlined,
    int64,
)
from satdoku.puzzle import Board, Puzzle

MAX_CELLS = 36

USED, RESTS, SEEN, WAYS = 0, 1, 2, 3  # of each AllDifferent; of each cell values to try, values before it, grids


def groups_of(board: Board) -> Int32s2:
    """(cells, most groups of a cell): the AllDifferents of each cell; filled up with a number that none has."""
    groups: list[list[int]] = [[] for _ in range(board.cells)]
    for number, rule in enumerate(board.all_different):
        for cell in rule.cells:
            groups[cell].append(number)
    width = max(map(len, groups))
    filled = allocated("i", board.cells, width, fill=len(board.all_different))
    for cell, row in enumerate(groups):
        for place, number in enumerate(row):
            filled[cell, place] = number
    return filled


def alike(puzzle: Puzzle) -> int:
    """The largest set of values of which each cell allows all or none, as bits from value 1."""
    columns = {
        value: tuple(allowed >> value & 1 for allowed in puzzle.candidates)
        for value in range(1, puzzle.board.values + 1)
    }
    common = Counter(columns.values()).most_common(1)[0][0]
    return sum(1 << value - 1 for value, column in columns.items() if column == common)


def state(board: Board, words: Ints) -> tuple[Ints2, Ints]:
    """The four rows, and the cell that is next; `words` are the candidates of each cell."""
    rows = allocated("q", 4, max(board.cells, len(board.all_different) + 1))
    rows[RESTS, 0], rows[WAYS, 0] = words[0], 1
    return rows, allocated("q", 1)


@entry
def count_solutions(
    words: Read[Ints],
    alike: int,
    groups: Read[Int32s2],
    idle: int,
    state: Ints2,
    place: Ints,
    count: int,
    limit: int,
    nodes: int,
) -> tuple[int, int]:
    """Count on, from `count` to `limit`: (count, EXHAUSTED, FOUND or PAUSED); `idle` fills up `groups`."""
    used, rests, seen, ways = state[USED], state[RESTS], state[SEEN], state[WAYS]
    last = len(words) - 1
    width = groups.shape[1]
    cell = place[0]
    for _ in range(nodes):
        rest = rests[cell]
        if cell == last:
            count += bit_count(rest) * ways[cell]
            if count >= limit:
                return limit, FOUND
            rest = int64(0)
        while rest == 0:
            if cell == 0:
                return count, EXHAUSTED
            cell -= 1
            rest = rests[cell]
            bit = rest & -rest
            rest ^= bit
            new = alike & ~seen[cell]
            if bit & new:
                rest &= ~new  # it has stood for them
            for k in range(width):
                used[groups[cell, k]] &= ~bit
        rests[cell] = rest
        bit = rest & -rest
        for k in range(width):
            used[groups[cell, k]] |= bit
        used[idle] = 0
        new = alike & ~seen[cell]
        seen[cell + 1] = seen[cell] | bit
        ways[cell + 1] = ways[cell] * bit_count(new) if bit & new else ways[cell]
        cell += 1
        rests[cell] = words[cell] & ~_taken(used, groups, cell)
    place[0] = cell
    return count, PAUSED


@inlined
def _taken(used, groups, cell):
    taken = int64(0)
    for k in range(groups.shape[1]):
        taken |= used[groups[cell, k]]
    return taken
