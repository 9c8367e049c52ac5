"""The parts that open cells fall into, and the count of a small one: see `counting`."""

from __future__ import annotations

from typing import Any, NamedTuple

from satdoku.kernels.compiled import Ints, Ints2, Read, allocated, bit_count, inlined, inner, int64, lowest_bit

MOST = 1 << 62  # where a count stops
SMALL = 14  # cells of a part that is counted without propagation

LEVEL, NODES, CELLS_TOP, PARTS_TOP, KEY_TOP, GENERATION, YOUNG, STARTED, HITS, LOOKUPS = range(10)  # of `numbers`
# Of a level: the cell it branches on, values to try, its parts that are left, whether there are two or more, what was
# remembered before them and in which generation, where its key stands and how long it is, what to go back to.
CELL, UNTRIED, PART, PARTS_END, SEVERAL, MARK, ERA, KEY, KEY_LENGTH, CELLS_BACK, PARTS_BACK, FIRST, LENGTH = range(13)
FIELDS = 13
# Of what is remembered: the one before in its bucket, the one before of all, its bucket, the length of its key; then
# the key, the count and its residues.
NEXT, BEFORE, BUCKET, LENGTH_OF_KEY, HEAD = range(5)
LAST, USED = 0, 1  # of each of the two memories: what was remembered last, words used


class Structure(NamedTuple):
    """What joins the cells of a board, beside the program that propagates."""

    linked: Read[Ints2]  # (cells, words) the cells that a constraint other than AllDifferent joins to each, as bits
    scopes: Read[Ints]  # the cells of each such constraint of more than two, those of s from `scopes_at[s]` on
    scopes_at: Read[Ints]
    coefficients: Read[Ints]  # of a Linear, for each of these cells; 0 of others
    scopes_of: Read[Ints]  # the constraints of each cell, those of c from `scopes_of_at[c]` on
    scopes_of_at: Read[Ints]
    primes: Read[Ints]  # below 2^31
    width: int  # bits of a key for each cell


class CountState(NamedTuple):
    after: Ints2  # (levels, cells) candidates of each level after its branch
    levels: Ints2  # (levels, FIELDS)
    sums: Ints2  # (levels, 1 + primes) the count of a level so far, and its residues
    products: Ints2  # the same of the parts after its branch
    value: Ints  # (1 + primes,) the count of a part
    cells: Ints  # the cells of parts, one after another
    parts: Ints2  # (parts, 3) first cell, number of cells, whether AllDifferents alone join them
    keys: Ints
    opened: Ints2  # (2, words) work space
    stamps: Ints  # (scopes,) work space: the last key that each is part of
    small: Ints2  # (4, SMALL) work space
    memory: Ints2  # (2, words) what is remembered, young and old by turns
    buckets: Ints2  # (2, buckets) the last entry of each bucket, 0 if there is none
    ends: Ints2  # (2, 2) of each memory LAST and USED
    numbers: Ints


def new_count(cells: int, structure: Structure, memory: Any, buckets: Any) -> CountState:
    """memory, buckets: (2, words) and (2, a power of two), all 0."""
    words, primes, scopes = cells // 64 + 1, len(structure.primes), len(structure.scopes_at) - 1
    key = words + cells + len(structure.scopes) + scopes + 2
    room = cells * (cells + 3) + 1
    return CountState(
        after=allocated("q", cells + 2, cells),
        levels=allocated("q", cells + 2, FIELDS),
        sums=allocated("q", cells + 2, 1 + primes),
        products=allocated("q", cells + 2, 1 + primes),
        value=allocated("q", 1 + primes),
        cells=allocated("q", room),
        parts=allocated("q", room, 3),
        keys=allocated("q", key * (cells + 2)),
        opened=allocated("q", 2, words),
        stamps=allocated("q", scopes + 1),
        small=allocated("q", 4, SMALL),
        memory=memory,
        buckets=buckets,
        ends=allocated("q", 2, 2),
        numbers=allocated("q", 10),
    )


@inlined
def times(product, value, primes):
    if product[0] != 0 and value[0] > MOST // product[0]:
        product[0] = MOST
    else:
        product[0] *= value[0]
    for k in range(len(primes)):
        product[1 + k] = product[1 + k] * value[1 + k] % primes[k]


@inlined
def plus(total, value, primes):
    total[0] = MOST if value[0] > MOST - total[0] else total[0] + value[0]
    for k in range(len(primes)):
        total[1 + k] = (total[1 + k] + value[1 + k]) % primes[k]


@inlined
def set_to(target, number, primes):
    target[0] = number
    for k in range(len(primes)):
        target[1 + k] = number % primes[k]


@inlined
def _note_open(first, length, candidates, count):
    """Note which of some cells are open: twice, since the first row loses those that are taken into a part."""
    opened = count.opened
    opened[:] = 0
    for k in range(first, first + length):
        cell = count.cells[k]
        if candidates[cell] & (candidates[cell] - 1) != 0:
            opened[0, cell >> 6] |= int64(1) << (cell & 63)
            opened[1, cell >> 6] |= int64(1) << (cell & 63)


@inlined
def _take_neighbours(cell, top, program, structure, candidates, count):
    """Append the open cells that a constraint joins to a cell: all of those linked, peers that share a candidate."""
    cells, opened = count.cells, count.opened
    for k in range(opened.shape[1]):
        near = structure.linked[cell, k] & opened[0, k]
        opened[0, k] &= ~near
        while near != 0:
            cells[top] = 64 * k + lowest_bit(near)
            near &= near - 1
            top += 1
        near = program.peer_sets[cell, k] & opened[0, k]
        while near != 0:
            peer = 64 * k + lowest_bit(near)
            if candidates[peer] & candidates[cell] != 0:
                opened[0, k] &= ~(near & -near)
                cells[top] = peer
                top += 1
            near &= near - 1
    return top


@inlined
def _is_plain(cell, structure, opened):
    """Whether no constraint but AllDifferents joins a cell to open ones."""
    plain = structure.scopes_of_at[cell + 1] == structure.scopes_of_at[cell]
    for k in range(opened.shape[1]):
        plain &= structure.linked[cell, k] & opened[1, k] == 0
    return plain


@inner
def divide(first, length, program, structure, candidates, count):
    """Append the parts that the open ones of some cells fall into; how many there are."""
    cells, parts, opened, numbers = count.cells, count.parts, count.opened, count.numbers
    _note_open(first, length, candidates, count)
    top = numbers[CELLS_TOP]
    number = int64(0)
    for n in range(opened.shape[1]):
        while opened[0, n] != 0:
            begin = top
            at = top
            cells[top] = 64 * n + lowest_bit(opened[0, n])
            opened[0, n] &= opened[0, n] - 1
            top += 1
            plain = int64(1)
            while at < top:
                plain &= int64(_is_plain(cells[at], structure, opened))
                top = _take_neighbours(cells[at], top, program, structure, candidates, count)
                at += 1
            part = numbers[PARTS_TOP] + number
            parts[part, 0] = begin
            parts[part, 1] = top - begin
            parts[part, 2] = plain
            number += 1
    numbers[CELLS_TOP] = top
    numbers[PARTS_TOP] += number
    return number


@inner
def count_small(first, length, program, candidates, count):
    """The ways to fill at most SMALL cells that AllDifferents alone join: depth first, the last cell at once."""
    cells, words, peers, rests, values = count.cells, count.small[0], count.small[1], count.small[2], count.small[3]
    for k in range(length):
        cell = cells[first + k]
        words[k] = candidates[cell]
        before = int64(0)
        for other in range(k):
            peer = cells[first + other]
            before |= (program.peer_sets[cell, peer >> 6] >> (peer & 63) & 1) << other
        peers[k] = before
    total = int64(0)
    place = 0
    rests[0] = words[0]
    while place >= 0:
        rest = rests[place]
        if place == length - 1:
            total += bit_count(rest)
            place -= 1
        elif rest == 0:
            place -= 1
        else:
            values[place] = rest & -rest
            rests[place] = rest & (rest - 1)
            place += 1
            taken = int64(0)
            near = peers[place]
            while near != 0:
                taken |= values[lowest_bit(near)]
                near &= near - 1
            rests[place] = words[place] & ~taken
    return total
