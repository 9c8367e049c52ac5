"""Any AllDifferents over up to 64 values: a set of candidates a cell, as the bits of a word.

Singles are propagated to the fixpoint, naked ones through the peers of a cell, hidden ones in the
houses that have changed. The search branches on a cell with the fewest candidates. What it strikes
goes on a trail and is put back from there, so that memory does not grow with the depth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import int64
from numpy.typing import NDArray

from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, bit_count, compiled, lowest_bit
from satdoku.puzzle import Board

Numbers = NDArray[np.int64]

TRAIL, FRAMES, NODES, QUEUED, RETREATS = 0, 1, 2, 3, 4
"""Where the integers of a state stand: entries on the trail, open branches, nodes of this puzzle (-1: none
begun), cells that wait to be propagated, and whether the last step failed or gave a grid."""


@dataclass(frozen=True)
class Structure:
    """A board's AllDifferents as arrays; `*_at` says where in the list those of one cell or house begin.

    full: the word of all values
    """

    full: np.int64
    peers: NDArray[np.int32]
    peers_at: NDArray[np.int32]
    houses: NDArray[np.int32]
    houses_of: NDArray[np.int32]
    houses_at: NDArray[np.int32]

    def arrays(self) -> tuple[object, ...]:
        """What the compiled functions take."""
        return self.full, self.peers, self.peers_at, self.houses, self.houses_of, self.houses_at


def structure(board: Board) -> Structure:
    """The arrays of a board with AllDifferents only."""
    peers: list[set[int]] = [set() for _ in range(board.cells)]
    for rule in board.all_different:
        for cell in rule.cells:
            peers[cell].update(rule.cells)
    in_houses: list[list[int]] = [[] for _ in range(board.cells)]
    for number, house in enumerate(board.houses):
        for cell in house.cells:
            in_houses[cell].append(number)
    peer_lists = [sorted(others - {cell}) for cell, others in enumerate(peers)]
    houses = np.array([house.cells for house in board.houses], np.int32).reshape(-1, board.values)
    return Structure(
        np.int64((1 << board.values) - 1 if board.values < 64 else -1), *_flat(peer_lists), houses, *_flat(in_houses)
    )


def _flat(lists: list[list[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    starts = np.cumsum([0, *map(len, lists)]).astype(np.int32)
    return np.array([item for row in lists for item in row], np.int32), starts


def state(board: Board) -> tuple[NDArray[np.int64], ...]:
    """Candidates; the trail's cells and words; the branches' cells, untried values and trail marks;
    the queue; which houses have changed; and the integers of the state."""
    cells, trail = board.cells, board.cells * board.values + 1
    shapes = (cells, trail, trail, cells + 1, cells + 1, cells + 1, cells + 1, len(board.houses) + 1)
    return (*(np.zeros(shape, np.int64) for shape in shapes), np.full(5, -1, np.int64))


def words_of(candidates: tuple[int, ...]) -> Numbers:
    """The candidates of each cell as words: bit v - 1 for value v."""
    return np.array([allowed >> 1 for allowed in candidates], np.uint64).view(np.int64)


@compiled
def clear(numbers):
    """Forget the search before."""
    numbers[TRAIL] = 0
    numbers[FRAMES] = 0
    numbers[NODES] = 0
    numbers[QUEUED] = 0
    numbers[RETREATS] = 0


@compiled
def begin(words, state):
    """Set up a puzzle."""
    candidates, queue, changed, numbers = state[0], state[6], state[7], state[8]
    clear(numbers)
    changed[:] = 1
    for cell in range(len(words)):
        word = words[cell]
        candidates[cell] = word
        if word == 0:
            numbers[RETREATS] = 1
        if word & (word - 1) == 0:
            queue[numbers[QUEUED]] = cell
            numbers[QUEUED] += 1


@compiled
def _narrow(cell, word, board, state):
    """Leave a cell with fewer candidates, noting what follows from it; False if it has none."""
    _, _, _, _, houses_of, houses_at = board
    candidates, trail_cells, trail_words, queue, changed, numbers = (
        state[0],
        state[1],
        state[2],
        state[6],
        state[7],
        state[8],
    )
    if word == 0:
        return False
    trail_cells[numbers[TRAIL]] = cell
    trail_words[numbers[TRAIL]] = candidates[cell]
    numbers[TRAIL] += 1
    candidates[cell] = word
    for k in range(houses_at[cell], houses_at[cell + 1]):
        changed[houses_of[k]] = 1
    if word & (word - 1) == 0:
        queue[numbers[QUEUED]] = cell
        numbers[QUEUED] += 1
    return True


@compiled
def _propagate(board, state):
    """Singles to the fixpoint; False if the puzzle is contradictory. Leaves nothing queued."""
    full, peers, peers_at, houses, _, _ = board
    candidates, queue, changed, numbers = state[0], state[6], state[7], state[8]
    done = 0
    while True:
        while done < numbers[QUEUED]:
            cell = queue[done]
            done += 1
            bit = candidates[cell]
            for k in range(peers_at[cell], peers_at[cell + 1]):
                peer = peers[k]
                if candidates[peer] & bit != 0 and not _narrow(peer, candidates[peer] & ~bit, board, state):
                    numbers[QUEUED] = 0
                    return False
        for house in range(len(houses)):
            if changed[house] == 0:
                continue
            changed[house] = 0
            one = int64(0)
            two = int64(0)
            for cell in houses[house]:
                two |= one & candidates[cell]
                one |= candidates[cell]
            if one != full:
                numbers[QUEUED] = 0
                return False
            hidden = one & ~two
            for cell in houses[house]:
                word = candidates[cell]
                single = word & hidden
                if single != 0 and word & (word - 1) != 0:
                    if single & (single - 1) != 0:
                        numbers[QUEUED] = 0
                        return False
                    _narrow(cell, single, board, state)
            if done < numbers[QUEUED]:
                break
        else:
            numbers[QUEUED] = 0
            return True


@compiled
def _fewest(candidates):
    """The first cell with the fewest candidates of those that have two or more; -1 if none has."""
    best = -1
    fewest = int64(65)
    for cell in range(len(candidates)):
        word = candidates[cell]
        if word & (word - 1) != 0:
            count = bit_count(word)
            if count < fewest:
                best = cell
                fewest = count
                if count == 2:
                    break
    return best


@compiled
def _retreat(state):
    """Drop branches that have been tried out, and go back to the last that has not; False if there is none."""
    candidates, trail_cells, trail_words, rests, marks, numbers = (
        state[0],
        state[1],
        state[2],
        state[4],
        state[5],
        state[8],
    )
    while numbers[FRAMES] > 0 and rests[numbers[FRAMES] - 1] == 0:
        numbers[FRAMES] -= 1
    if numbers[FRAMES] == 0:
        return False
    mark = marks[numbers[FRAMES] - 1]
    while numbers[TRAIL] > mark:
        numbers[TRAIL] -= 1
        candidates[trail_cells[numbers[TRAIL]]] = trail_words[numbers[TRAIL]]
    return True


@compiled
def advance(board, state, nodes):
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND (the candidates are the grid) or PAUSED."""
    candidates, branch_cells, rests, marks, changed, numbers = (
        state[0],
        state[3],
        state[4],
        state[5],
        state[7],
        state[8],
    )
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        if numbers[RETREATS] == 0:
            if numbers[FRAMES] == 0 and numbers[NODES] == 0:
                numbers[NODES] = 1  # the root
            if not _propagate(board, state):
                numbers[RETREATS] = 1
            else:
                cell = _fewest(candidates)
                if cell < 0:
                    numbers[RETREATS] = 1
                    return FOUND
                branch_cells[numbers[FRAMES]] = cell
                rests[numbers[FRAMES]] = candidates[cell]
                marks[numbers[FRAMES]] = numbers[TRAIL]
                numbers[FRAMES] += 1
        if numbers[RETREATS] == 1:
            changed[:] = 0
            if not _retreat(state):
                return EXHAUSTED
            numbers[RETREATS] = 0
        top = numbers[FRAMES] - 1
        bit = rests[top] & -rests[top]
        rests[top] &= ~bit
        numbers[NODES] += 1
        _narrow(branch_cells[top], bit, board, state)
    return PAUSED


@compiled
def grid(state, out):
    """Write the grid that was found to `out`, one value a cell."""
    for cell in range(len(state[0])):
        out[cell] = lowest_bit(state[0][cell]) + 1


@compiled
def many(givens, row, limit, bound, nodes, board, state, counts, endings, grids, codes):
    """Search rows of `givens` from `row` on, until about `nodes` nodes are used; returns the next row.

    A row in the middle of which it stopped is the one returned, and is taken up again: its nodes are
    then not -1. codes: the numbers that stand for exhausted, limit and passed in `endings`.
    """
    numbers = state[8]
    words = np.empty(givens.shape[1], np.int64)
    used = int64(0)
    while row < len(givens) and used < nodes:
        if numbers[NODES] < 0:
            for cell in range(len(words)):
                value = int64(givens[row, cell])
                words[cell] = int64(1) << (value - 1) if value else board[0]
            begin(words, state)
        before = numbers[NODES]
        code = PAUSED
        while code == PAUSED and used + numbers[NODES] - before < nodes and numbers[NODES] < bound:
            code = advance(board, state, min(nodes - used, bound - numbers[NODES]))
            if code == FOUND:
                if counts[row] < 2:
                    grid(state, grids[row, counts[row]])
                counts[row] += 1
                if counts[row] < limit:
                    code = PAUSED if numbers[FRAMES] > 0 else EXHAUSTED
        used += numbers[NODES] - before + 1
        if code == EXHAUSTED:
            endings[row] = codes[0]
        elif code == FOUND:
            endings[row] = codes[1]
        elif numbers[NODES] >= bound:
            endings[row] = codes[2]
        else:
            return row
        numbers[NODES] = -1
        row += 1
    return row


@compiled
def tally(board, state, count, limit, nodes):
    """Count on, from `count` up to `limit`: (the count, EXHAUSTED, FOUND at the limit, or PAUSED)."""
    numbers = state[8]
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        code = advance(board, state, target - numbers[NODES])
        if code != FOUND:
            return count, code
        count += 1
        if count >= limit:
            return count, FOUND
    return count, PAUSED
