"""What chains are searched in: the candidates of a position, what follows from each, and the deductions of chains.

A candidate that holds, or does not, is a literal: with `many` candidates, the number of the candidate, or that and
`many`. Chains are searched at two depths: those of the position, and inside such a chain those of what it leaves. A row
is of a literal that is assumed, at one depth: `depth * literals + literal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.kernels.compiled import Bytes2, Floats, Int32s, Int32s2, Ints, Ints2, Read, allocated

CELL, BOX, COLUMN, ROW = 0, 1, 2, 3  # the kinds of units
DEPTHS = 2
CYCLES = 512  # sets of several candidates that cycles exclude; few positions have more than 20

# What deductions rest on, in the order in which those of one size are taken.
DOUBLE, LINKS, CASES, PLACES, WRONG = 1, 4, 5, 6, 7

TRUE_HEAD, TRUE_END, FALSE_HEAD, FALSE_END = 0, 1, 2, 3  # of `queues`
SEQUENCE, LOST, MULTIPLE, INSIDE, STAMP = 0, 1, 2, 3, 4  # of `numbers`: LOST to INSIDE count `lost` to `hashes`
FOUND, UNIT, LITERAL, SIZE = 0, 1, 2, 3  # of `wrong`


class Position(NamedTuple):
    """Candidates, numbered by value and cell; units are the candidates of a cell, or of a value in a house."""

    cells: Read[Int32s]  # the cell of each candidate
    values: Read[Int32s]
    members: Read[Int32s2]  # the candidates of each unit
    sizes: Read[Int32s]  # how many these are
    kinds: Read[Int32s]  # CELL to ROW
    full: Read[Int32s]  # whether one of them holds
    units: Read[Int32s2]  # of each candidate, that of its cell first, then boxes, rows, columns; -1 behind the last
    houses: Read[Int32s2]  # (houses, 1 + values): how many open cells, then the unit of each value
    house_kinds: Read[Int32s]
    house_cells: Read[Int32s2]  # (houses, most): its open cells, which are the units of cells
    sees: Read[Ints2]  # for each candidate those of its value that it excludes, as bits


class State(NamedTuple):
    """Room for all. alive: which candidates the position has, a chain in it leaves, and one in that."""

    alive: Bytes2  # (depths + 1, candidates)
    counts: Int32s2  # (depths + 1, units): those that are left
    follows: Bytes2  # (rows, literals): whether it follows
    order: Int32s2  # (rows, literals): what follows, in order
    many: Int32s  # (rows,): how many that is, 0 before it is searched
    sizes: Int32s2  # (rows, literals): how many literals are behind it, itself too
    causes: Int32s2  # (rows, literals): the unit that leaves or excludes it, -1 without one
    behind: Ints2  # (rows x literals, words): those literals as bits
    wrong: Int32s2  # (rows, 4): whether there is a contradiction; which of its literals holds, and by what; its size
    both: Ints2  # (2 x rows, words): the literals behind each of its two
    nested: Ints2  # (literals, literals): of the position, the chain inside by which it follows, as a hash; or 0
    nested_sizes: Int32s2  # (literals, literals): how many literals that has
    queues: Int32s2  # (depths x 2, literals): what holds and what does not that is still to be looked at
    ends: Int32s2  # (depths, 4): TRUE_HEAD to FALSE_END
    inside: Int32s  # (literals,): how much follows by chains inside, of the position
    ratings: Floats  # (deductions,): that of links by their kind and size, 0 of others; below 0 where there is none
    best: Int32s2  # (deductions, 5): size, kind, sequence, unit, literal
    needs: Ints2  # (deductions, words of candidates): what must be gone
    marks: Ints  # (deductions,): a hash of its chain
    multiple: Ints2  # (CYCLES, words of candidates): what cycles exclude
    lost: Int32s  # what a deduction excludes
    parents: Ints  # (words of candidates,): what it needs
    bits: Ints2  # (4, words): spare
    ranks: Int32s  # the deductions in order
    seen: Ints  # (literals,): spare
    stamps: Ints2  # (3, candidates): spare
    entries: Int32s2  # (entries, 3): of a chain of links: literal, the entry before, unit
    hashes: Ints  # (literals,): spare
    numbers: Ints


def state(units: Sequence[Sequence[int]], many: int) -> State:
    """Room for so many candidates, which units have, all of them there."""
    literals = 2 * many
    rows, words, own = DEPTHS * literals, literals // 64 + 1, many // 64 + 1
    slots, entries = literals + CYCLES, 40 * many + 64
    made = State(
        alive=allocated("B", DEPTHS + 1, many),
        counts=allocated("i", DEPTHS + 1, len(units)),
        follows=allocated("B", rows, literals),
        order=allocated("i", rows, literals),
        many=allocated("i", rows),
        sizes=allocated("i", rows, literals),
        causes=allocated("i", rows, literals),
        behind=allocated("q", rows * literals, words),
        wrong=allocated("i", rows, 4),
        both=allocated("q", 2 * rows, words),
        nested=allocated("q", literals, literals),
        nested_sizes=allocated("i", literals, literals),
        queues=allocated("i", 2 * DEPTHS, literals),
        ends=allocated("i", DEPTHS, 4),
        inside=allocated("i", literals),
        ratings=allocated("d", slots),
        best=allocated("i", slots, 5),
        needs=allocated("q", slots, own),
        marks=allocated("q", slots),
        multiple=allocated("q", CYCLES, own),
        lost=allocated("i", many),
        parents=allocated("q", own),
        bits=allocated("q", 4, words),
        ranks=allocated("i", slots),
        seen=allocated("q", literals),
        stamps=allocated("q", 3, many),
        entries=allocated("i", entries, 3),
        hashes=allocated("q", literals),
        numbers=allocated("q", 5),
    )
    for candidate in range(many):
        made.alive[0, candidate] = 1
    for number, unit in enumerate(units):
        made.counts[0, number] = len(unit)
    return made
