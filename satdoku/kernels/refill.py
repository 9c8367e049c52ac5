"""Full grids of any AllDifferents, changed block by block: a Markov chain that has the uniform distribution.

A step empties a block of cells and fills it anew: singles are propagated, then the first cell with the fewest
candidates gets one of them, and so on. One over the product of their numbers is the chance of that filling; that of the
old one is found by replaying it. The new one is taken with chance min(1, product of the new / product of the old),
Metropolis and Hastings' rule, under which every filling of the block is equally likely in the long run. Now and then
the block is the whole board, so that every grid can follow every other. Random numbers are SplitMix64 (Steele, Lea and
Flood 2014), so that a seed gives the same grids on every machine.
"""

from __future__ import annotations

import numpy as np

from satdoku.kernels.compiled import Ints, Read, Unsigned64s, bit_count, entry, inner, int64, lowest_bit, uint64
from satdoku.kernels.general import QUEUED, Search, fewest, narrow, propagate

FIRST_TRIES = 200  # random fillings of an empty board before another way to a first grid is better

GOLDEN, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@inner
def _next(random):
    """64 random bits; `random` holds the state."""
    random[0] += GOLDEN
    word = random[0]
    word = (word ^ (word >> uint64(30))) * FIRST
    word = (word ^ (word >> uint64(27))) * SECOND
    return word ^ (word >> uint64(31))


@inner
def below(random, count):
    """One of 0..count-1, as likely as any other to within 2^-32."""
    return int64(((_next(random) >> uint64(32)) * uint64(count)) >> uint64(32))


@inner
def _open(grid, block, search):
    """Set up the grid with a block emptied; what its cells may hold goes by the others."""
    # The trail is empty, so it can serve as spare room.
    peers, peers_at, candidates, spare = search.peers, search.peers_at, search.candidates, search.trail
    changed, numbers = search.changed, search.numbers
    numbers[:] = 0
    changed[:] = 0
    for cell in range(len(grid)):
        candidates[cell] = int64(1) << grid[cell]
    for cell in block:
        candidates[cell] = 0
        for k in range(len(changed)):
            changed[k] |= search.houses_of[cell, k]
    for index in range(len(block)):
        used = int64(0)
        for k in range(peers_at[block[index]], peers_at[block[index] + 1]):
            used |= candidates[peers[k]]
        spare[index, 0] = search.full & ~used
    for index in range(len(block)):
        cell = block[index]
        word = spare[index, 0]
        candidates[cell] = word
        if word & (word - 1) == 0:
            search.queue[numbers[QUEUED]] = cell
            numbers[QUEUED] += 1


@inner
def _fill(grid, block, search, random, replay):
    """Fill a block, at random or as `grid` has it: the product of the choices there were, 0 if it failed."""
    candidates = search.candidates
    _open(grid, block, search)
    product = 1.0
    while propagate(search):
        cell = fewest(candidates)
        if cell < 0:
            return product
        word = candidates[cell]
        count = bit_count(word)
        product *= count
        if replay:
            bit = int64(1) << grid[cell]
        else:
            for _ in range(below(random, count)):
                word &= word - 1
            bit = word & -word
        narrow(cell, bit, search)
    return 0.0


@entry
def first(tries: int, every: Read[Ints], search: Search, random: Unsigned64s, grid: Ints) -> bool:
    """Fill the empty board at random into `grid`, trying again; whether it succeeded."""
    for _ in range(tries):
        if _fill(grid, every, search, random, False) > 0:
            for cell in every:
                grid[cell] = lowest_bit(search.candidates[cell])
            return True
    return False


@entry
def mix(
    steps: int,
    often: int,
    grid: Ints,
    every: Read[Ints],
    search: Search,
    random: Unsigned64s,
    blocks: Read[Ints],
    blocks_at: Read[Ints],
    spare: Ints,
) -> int:
    """Change `grid`, values from 0, by so many steps, one in `often` the whole board; how many were taken."""
    values, candidates = search.houses.shape[1], search.candidates
    branches = search.branches  # spare room here: nothing is searched
    taken = 0
    for _ in range(steps):
        if often > 0 and below(random, often) == 0:
            block = every
        elif below(random, 2) == 0 or len(blocks_at) < 2:
            block = spare[: _of_some_values(grid, every, values, random, spare)]
        else:
            number = below(random, len(blocks_at) - 1)
            block = blocks[blocks_at[number] : blocks_at[number + 1]]
        new = _fill(grid, block, search, random, False)
        if new == 0:
            continue
        for cell in block:
            branches[cell, 0] = lowest_bit(candidates[cell])
        old = _fill(grid, block, search, random, True)
        if (_next(random) >> uint64(11)) * 2.0**-53 * old < new:
            for cell in block:
                grid[cell] = branches[cell, 0]
            taken += 1
    return taken


@inner
def _of_some_values(grid, every, values, random, spare):
    """Note the cells that hold some random values in `spare`; how many they are."""
    chosen = int64(0)
    for _ in range(2 + below(random, 3)):
        chosen |= int64(1) << below(random, values)
    count = 0
    for cell in every:
        if chosen >> grid[cell] & 1:
            spare[count] = cell
            count += 1
    return count
