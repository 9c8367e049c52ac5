"""Pairs of sets of cells that have none in common: see `satdoku.counting.templates`."""

from __future__ import annotations

from satdoku.kernels.compiled import Ints, Read, Unsigned64s2, entry


@entry
def pairs(
    cells: Read[Unsigned64s2], ways: Read[Ints], further: Read[Unsigned64s2], crossed: Unsigned64s2, counts: Ints
) -> int:
    """How many pairs there are. Writes the union of each, and the ways of the first of the two, where there is room."""
    number = 0
    for one in range(len(cells)):
        for two in range(len(further)):
            if cells[one, 0] & further[two, 0] == 0 and cells[one, 1] & further[two, 1] == 0:
                if number < len(crossed):
                    crossed[number, 0] = cells[one, 0] | further[two, 0]
                    crossed[number, 1] = cells[one, 1] | further[two, 1]
                    counts[number] = ways[one]
                number += 1
    return number
