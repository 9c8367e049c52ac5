"""Any AllDifferents over up to 64 values: singles, then a branch on a cell of few candidates, undone from a trail."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from satdoku.kernels import loops
from satdoku.kernels.compiled import (
    EXHAUSTED,
    FOUND,
    PAUSED,
    Ints,
    Ints2,
    Read,
    Shorts,
    Unsigned32s,
    Unsigned32s2,
    allocated,
    bit_count,
    bit_rows,
    copied,
    entry,
    filled,
    inlined,
    inner,
    int64,
    lowest_bit,
    signed,
)
from satdoku.puzzle import Board

TRAIL, FRAMES, NODES, QUEUED, RETREATS = 0, 1, 2, 3, 4  # of a state's integers; NODES is -1 before the first puzzle


class Search(NamedTuple):
    full: int  # the word of all values
    peers: Read[Unsigned32s]  # the peers of cell c, from peers_at[c] on
    peers_at: Read[Unsigned32s]
    houses: Read[Unsigned32s2]  # their cells
    houses_of: Read[Ints2]  # the houses of each cell, as bits
    candidates: Ints  # the word of each cell
    trail: Ints2  # (cell, what it had)
    branches: Ints2  # (cell, untried values, length of the trail)
    queue: Ints  # cells that wait to be propagated
    changed: Ints  # which houses have changed, as bits
    numbers: Ints  # the integers of the state


def search(board: Board) -> Search:
    peers = list(map(sorted, board.peers))
    houses = allocated("I", len(board.houses), board.values)
    houses_of = [0] * board.cells
    for number, house in enumerate(board.houses):
        for place, cell in enumerate(house.cells):
            houses[number, place] = cell
            houses_of[cell] |= 1 << number
    cells, words = board.cells, len(board.houses) // 64 + 1
    return Search(
        full=signed((1 << board.values) - 1),
        peers=filled("I", (peer for row in peers for peer in row)),
        peers_at=filled("I", accumulate(map(len, peers), initial=0)),
        houses=houses,
        houses_of=bit_rows(houses_of, words),
        candidates=allocated("q", cells),
        trail=allocated("q", cells * board.values + 1, 2),
        branches=allocated("q", cells + 1, 3),
        queue=allocated("q", cells + 1),
        changed=allocated("q", words),
        numbers=allocated("q", 5, fill=-1),
    )


def fresh(search: Search) -> Search:
    """Another state of the same board, as it was before any puzzle."""
    return Search(*search[:5], *map(copied, search[5:]))


def words_of(candidates: tuple[int, ...]) -> Ints:
    """The candidates of each cell as words: bit v - 1 for value v."""
    return filled("q", (signed(allowed >> 1) for allowed in candidates))


@entry
def begin(search: Search, words: Read[Ints]) -> None:
    for cell in range(len(words)):
        search.candidates[cell] = words[cell]
    _start(search)


@inner
def begin_row(search, givens):
    full, candidates = search.full, search.candidates
    for cell in range(len(givens)):
        value = int64(givens[cell])
        candidates[cell] = int64(1) << (value - 1) if value else full
    _start(search)


@inlined
def _start(search):
    search.numbers[:] = 0
    search.changed[:] = 0
    for cell in range(len(search.candidates)):
        word = search.candidates[cell]
        if word == 0:
            search.numbers[RETREATS] = 1
        note(cell, word, search)


@inlined
def note(cell, word, search):
    """The houses of a cell have changed; it waits to be propagated if it has one candidate."""
    changed, numbers = search.changed, search.numbers
    for k in range(len(changed)):
        changed[k] |= search.houses_of[cell, k]
    if word & (word - 1) == 0:
        search.queue[numbers[QUEUED]] = cell
        numbers[QUEUED] += 1


@inlined
def narrow(cell, word, search):
    trail, numbers = search.trail, search.numbers
    trail[numbers[TRAIL], 0] = cell
    trail[numbers[TRAIL], 1] = search.candidates[cell]
    numbers[TRAIL] += 1
    search.candidates[cell] = word
    note(cell, word, search)


@inlined
def propagate(search):
    """Singles to the fixpoint; False if the puzzle is contradictory. Leaves nothing queued."""
    numbers, changed, done = search.numbers, search.changed, 0
    fits = True
    settled = False
    while fits and not settled:
        while fits and done < numbers[QUEUED]:
            fits = _strike(search.queue[done], search)
            done += 1
        house = _take(changed)
        while fits and house >= 0:
            fits = _place(house, search)
            house = _take(changed)
        settled = done == numbers[QUEUED]
    numbers[QUEUED] = 0
    return fits


@inlined
def _strike(cell, search):
    """Strike the one candidate of a cell from its peers; False if one of them has no other."""
    _, peers, peers_at, _, houses_of, candidates, trail, _, queue, changed, numbers = search
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
def _place(house, search):
    """Place the values that have one cell left in a house; False if one has none, or two share a cell."""
    houses, candidates = search.houses, search.candidates
    one = int64(0)
    two = int64(0)
    alone = int64(0)
    for k in range(houses.shape[1]):
        word = candidates[houses[house, k]]
        two |= one & word
        one |= word
        alone |= word & -int64(word & (word - 1) == 0)
    hidden = one & ~two & ~alone
    if one != search.full:
        return False
    for k in range(houses.shape[1] if hidden != 0 else 0):
        cell = houses[house, k]
        single = candidates[cell] & hidden
        if single != 0:
            if single & (single - 1) != 0:
                return False
            narrow(cell, single, search)
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
def _retreat(search):
    candidates, trail, branches, numbers = search.candidates, search.trail, search.branches, search.numbers
    while numbers[FRAMES] > 0 and branches[numbers[FRAMES] - 1, 1] == 0:
        numbers[FRAMES] -= 1
    if numbers[FRAMES] == 0:
        return False
    while numbers[TRAIL] > branches[numbers[FRAMES] - 1, 2]:
        numbers[TRAIL] -= 1
        candidates[trail[numbers[TRAIL], 0]] = trail[numbers[TRAIL], 1]
    return True


@entry
def advance(search: Search, nodes: int) -> int:
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND (the candidates are the grid) or PAUSED."""
    candidates, branches, numbers = search.candidates, search.branches, search.numbers
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        if numbers[RETREATS] == 0:
            if numbers[FRAMES] == 0 and numbers[NODES] == 0:
                numbers[NODES] = 1  # the root
            if not propagate(search):
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
            search.changed[:] = 0
            if not _retreat(search):
                return EXHAUSTED
            numbers[RETREATS] = 0
        top = numbers[FRAMES] - 1
        bit = branches[top, 1] & -branches[top, 1]
        branches[top, 1] &= ~bit
        numbers[NODES] += 1
        narrow(branches[top, 0], bit, search)
    return PAUSED


@entry
def grid(search: Search, out: Shorts) -> None:
    candidates = search.candidates
    for cell in range(len(candidates)):
        out[cell] = lowest_bit(candidates[cell]) + 1


many = loops.of_kernel(loops.many, globals())
count_solutions = loops.of_kernel(loops.count_solutions, globals())
