"""Any AllDifferents over up to 64 values: singles, then a branch on a cell of few candidates, undone from a trail."""

from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from satdoku.kernels import loops
from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED, bit_count, compiled, inlined, lowest_bit
from satdoku.puzzle import Board

Numbers = NDArray[np.int64]

TRAIL, FRAMES, NODES, QUEUED, RETREATS = 0, 1, 2, 3, 4  # of a state's integers; NODES is -1 before the first puzzle


Search = tuple[Any, ...]  # as `search` makes it: a plain tuple, since numba takes twice as long to know another
HOUSES, CANDIDATES, BRANCHES = 3, 5, 7  # where these stand in a search


def search(board: Board) -> Search:
    cells = board.cells
    peers: list[set[int]] = [set() for _ in range(cells)]
    for rule in board.all_different:
        for cell in rule.cells:
            peers[cell].update(rule.cells)
    peer_lists = [sorted(others - {cell}) for cell, others in enumerate(peers)]
    houses_of = np.zeros((cells, len(board.houses) // 64 + 1), np.uint64)
    for number, house in enumerate(board.houses):
        houses_of[list(house.cells), number >> 6] |= np.uint64(1 << (number & 63))
    return (
        np.int64((1 << board.values) - 1 if board.values < 64 else -1),  # full: the word of all values
        np.array([peer for row in peer_lists for peer in row], np.uint32),  # peers of cell c, from peers_at[c] on
        np.cumsum([0, *map(len, peer_lists)]).astype(np.uint32),  # peers_at
        np.array([house.cells for house in board.houses], np.uint32).reshape(-1, board.values),  # houses: their cells
        houses_of.view(np.int64),  # houses_of: the houses of each cell, as bits
        np.zeros(cells, np.int64),  # candidates: the word of each cell
        np.zeros((cells * board.values + 1, 2), np.int64),  # trail: (cell, what it had)
        np.zeros((cells + 1, 3), np.int64),  # branches: (cell, untried values, length of the trail)
        np.zeros(cells + 1, np.int64),  # queue: cells that wait to be propagated
        np.zeros(houses_of.shape[1], np.int64),  # changed: which houses have changed, as bits
        np.full(5, -1, np.int64),  # numbers: the integers of the state
    )


def fresh(search: Search) -> Search:
    return (*search[:5], *map(np.zeros_like, search[5:-1]), np.full_like(search[-1], -1))


def words_of(candidates: tuple[int, ...]) -> Numbers:
    """The candidates of each cell as words: bit v - 1 for value v."""
    return np.array([allowed >> 1 for allowed in candidates], np.uint64).view(np.int64)


@compiled
def begin(search, words):
    candidates = search[CANDIDATES]
    candidates[:] = words
    _start(search)


@compiled
def begin_row(search, givens):
    full, candidates = search[0], search[CANDIDATES]
    for cell in range(len(givens)):
        value = int64(givens[cell])
        candidates[cell] = int64(1) << (value - 1) if value else full
    _start(search)


@inlined
def _start(search):
    _, _, _, _, houses_of, candidates, _, _, queue, changed, numbers = search
    numbers[:] = 0
    changed[:] = 0
    for cell in range(len(candidates)):
        word = candidates[cell]
        for k in range(len(changed)):
            changed[k] |= houses_of[cell, k]
        if word == 0:
            numbers[RETREATS] = 1
        if word & (word - 1) == 0:
            queue[numbers[QUEUED]] = cell
            numbers[QUEUED] += 1


# Small functions are handed single arrays: taking one out of a tuple costs more than what they do.


@inlined
def narrow(cell, word, houses_of, candidates, trail, queue, changed, numbers):
    trail[numbers[TRAIL], 0] = cell
    trail[numbers[TRAIL], 1] = candidates[cell]
    numbers[TRAIL] += 1
    candidates[cell] = word
    for k in range(len(changed)):
        changed[k] |= houses_of[cell, k]
    if word & (word - 1) == 0:
        queue[numbers[QUEUED]] = cell
        numbers[QUEUED] += 1


@inlined
def propagate(full, peers, peers_at, houses, houses_of, candidates, trail, queue, changed, numbers):
    """Singles to the fixpoint; False if the puzzle is contradictory. Leaves nothing queued."""
    done = 0
    fits = True
    settled = False
    while fits and not settled:
        while fits and done < numbers[QUEUED]:
            fits = _strike(queue[done], peers, peers_at, houses_of, candidates, trail, queue, changed, numbers)
            done += 1
        house = _take(changed)
        while fits and house >= 0:
            fits = _place(house, full, houses, houses_of, candidates, trail, queue, changed, numbers)
            house = _take(changed)
        settled = done == numbers[QUEUED]
    numbers[QUEUED] = 0
    return fits


@inlined
def _strike(cell, peers, peers_at, houses_of, candidates, trail, queue, changed, numbers):
    """Strike the one candidate of a cell from its peers; False if one of them has no other."""
    bit = candidates[cell]
    before = numbers[TRAIL]
    length = before
    queued = numbers[QUEUED]
    fits = True
    for k in range(peers_at[cell], peers_at[cell + 1]):
        # Always written, kept only if the peer had the value: a jump here would be guessed wrong too often.
        peer = peers[k]
        word = candidates[peer]
        left = word & ~bit
        struck = int64(word != left)
        candidates[peer] = left
        trail[length, 0] = peer
        trail[length, 1] = word
        length += struck
        queue[queued] = peer
        queued += struck & int64(left != 0) & int64(left & (left - 1) == 0)
        fits &= left != 0
    for n in range(len(changed)):
        also = changed[n]
        for k in range(before, length):
            also |= houses_of[trail[k, 0], n]
        changed[n] = also
    numbers[TRAIL] = length
    numbers[QUEUED] = queued
    return fits


@inlined
def _place(house, full, houses, houses_of, candidates, trail, queue, changed, numbers):
    """Place the values that have one cell left in a house; False if one has none, or two share a cell."""
    one = int64(0)
    two = int64(0)
    alone = int64(0)
    for k in range(houses.shape[1]):
        word = candidates[houses[house, k]]
        two |= one & word
        one |= word
        alone |= word & -int64(word & (word - 1) == 0)
    hidden = one & ~two & ~alone
    if one != full:
        return False
    for k in range(houses.shape[1] if hidden != 0 else 0):
        cell = houses[house, k]
        single = candidates[cell] & hidden
        if single != 0:
            if single & (single - 1) != 0:
                return False
            narrow(cell, single, houses_of, candidates, trail, queue, changed, numbers)
    return True


@inlined
def _take(changed):
    for k in range(len(changed)):
        if changed[k] != 0:
            house = lowest_bit(changed[k])
            changed[k] &= changed[k] - 1
            return 64 * k + house
    return int64(-1)


@inlined
def fewest(candidates):
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


@inlined
def _retreat(candidates, trail, branches, numbers):
    while numbers[FRAMES] > 0 and branches[numbers[FRAMES] - 1, 1] == 0:
        numbers[FRAMES] -= 1
    if numbers[FRAMES] == 0:
        return False
    while numbers[TRAIL] > branches[numbers[FRAMES] - 1, 2]:
        numbers[TRAIL] -= 1
        candidates[trail[numbers[TRAIL], 0]] = trail[numbers[TRAIL], 1]
    return True


@compiled
def advance(search, nodes):
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND (the candidates are the grid) or PAUSED."""
    full, peers, peers_at, houses, houses_of, candidates, trail, branches, queue, changed, numbers = search
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        if numbers[RETREATS] == 0:
            if numbers[FRAMES] == 0 and numbers[NODES] == 0:
                numbers[NODES] = 1  # the root
            if not propagate(full, peers, peers_at, houses, houses_of, candidates, trail, queue, changed, numbers):
                numbers[RETREATS] = 1
            else:
                cell = fewest(candidates)
                if cell < 0:
                    numbers[RETREATS] = 1
                    return FOUND
                branches[numbers[FRAMES], 0] = cell
                branches[numbers[FRAMES], 1] = candidates[cell]
                branches[numbers[FRAMES], 2] = numbers[TRAIL]
                numbers[FRAMES] += 1
        if numbers[RETREATS] == 1:
            changed[:] = 0
            if not _retreat(candidates, trail, branches, numbers):
                return EXHAUSTED
            numbers[RETREATS] = 0
        top = numbers[FRAMES] - 1
        bit = branches[top, 1] & -branches[top, 1]
        branches[top, 1] &= ~bit
        numbers[NODES] += 1
        narrow(branches[top, 0], bit, houses_of, candidates, trail, queue, changed, numbers)
    return PAUSED


@compiled
def grid(search, out):
    candidates = search[CANDIDATES]
    for cell in range(len(candidates)):
        out[cell] = lowest_bit(candidates[cell]) + 1


many = loops.of_kernel(loops.many, globals())
tally = loops.of_kernel(loops.tally, globals())
