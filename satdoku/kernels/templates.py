"""Pairs of sets of cells that have none in common: see `satdoku.counting.templates`."""

from __future__ import annotations

from satdoku.kernels.compiled import Ints, Read, Unsigned64s2, entry


@entry
def count_pairs(cells: Read[Unsigned64s2], further: Read[Unsigned64s2]) -> int:
    number = 0
    for one in range(len(cells)):
        for two in range(len(further)):
            if cells[one, 0] & further[two, 0] == 0 and cells[one, 1] & further[two, 1] == 0:
                number += 1
    return number


@entry
def list_pairs(
    cells: Read[Unsigned64s2], ways: Read[Ints], further: Read[Unsigned64s2], found: Unsigned64s2, counts: Ints
) -> None:
    """Write the union of each pair, and the ways of the first of the two; there are rows for `count_pairs`."""
    place = 0
    for one in range(len(cells)):
        for two in range(len(further)):
            if cells[one, 0] & further[two, 0] == 0 and cells[one, 1] & further[two, 1] == 0:
                found[place, 0] = cells[one, 0] | further[two, 0]
                found[place, 1] = cells[one, 1] | further[two, 1]
                counts[place] = ways[one]
                place += 1
