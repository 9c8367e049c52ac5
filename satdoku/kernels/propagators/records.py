"""The records of propagators, as the arrays of a program."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import Any

from satdoku.kernels.compiled import allocated, bit_rows
from satdoku.kernels.propagators import pairs
from satdoku.kernels.propagators.family import MAX_CELLS
from satdoku.kernels.propagators.program import EXCLUSIONS, HOUSE, INTERSECTION

FIRST_SHARE = 4.0  # what the cells of a constraint share of its weight at first

UNWEIGHED = frozenset({HOUSE, INTERSECTION, EXCLUSIONS})  # whose cells branching does not weigh by them


Groups = tuple[tuple[tuple[int, ...], int], ...]  # cells that hold all of some values, each once, and these values


@lru_cache(maxsize=16)
def houses(groups: Groups, values: int, cells: int, with_crossings: bool) -> PropagatorRecords:
    """What stands for the houses of many boards, perhaps with their crossings. To be copied."""
    records = PropagatorRecords(values, cells)
    for house, union in groups:
        records.put(HOUSE, house, (len(house), union, *house))
    if with_crossings:
        records.extend(crossings(groups, values, cells))
    return records


@lru_cache(maxsize=16)
def crossings(groups: Groups, values: int, cells: int) -> PropagatorRecords:
    """What stands for the crossings of houses of many boards."""
    records = PropagatorRecords(values, cells)
    for first, second in pairs.crossings(groups):
        records.put(INTERSECTION, first + second, (len(first), *first, *second), late=True)
    return records


class PropagatorRecords:
    """The records of all propagators, and what they share, in one array of words."""

    def __init__(self, values: int, cells: int) -> None:
        table, self.sets = pairs.tables(values)
        self._words = array("q", (*table, 0))
        self._first_record = len(self._words)
        self._shared: dict[tuple[int, ...] | bytes, int] = {}
        self._lookups: dict[pairs.Relation, int] = {}
        self._rows = array("q")  # of each: kind, place, first cell
        self._scopes, self._scopes_at = array("q"), array("q", (0,))
        self._weights = array("d", [1.0] * (cells + values))
        self._watch = [0] * cells, [0] * cells  # what to run after a change, and after a cell is fixed, as bits
        self.longest = MAX_CELLS

    def copied(self) -> PropagatorRecords:
        made = copy(self)
        for name, value in vars(self).items():
            setattr(made, name, copy(value))
        made._watch = self._watch[0].copy(), self._watch[1].copy()
        return made

    def put(
        self,
        kind: int,
        cells: Sequence[int],
        words: tuple[int, ...],
        late: bool = False,
        watched: Iterable[int] | None = None,
    ) -> None:
        """Add a propagator over some cells that runs when one of these, or of `watched`, changes; `late`: is fixed."""
        if words[0] > self.longest:
            self.longest = words[0]
        watch, bit = self._watch[late], 1 << len(self._scopes_at) - 1
        for cell in cells if watched is None else watched:
            watch[cell] |= bit
        if kind not in UNWEIGHED:
            weights, share = self._weights, FIRST_SHARE / len(cells)
            for cell in cells:
                weights[cell] += share
        self._rows.extend((kind, self._add(words), cells[0]))
        self._scopes.extend(cells)
        self._scopes_at.append(len(self._scopes))

    def extend(self, others: PropagatorRecords) -> None:
        """Add all propagators of a board of as many cells, which share nothing with each other, and are not weighed."""
        number, scopes = len(self._scopes_at) - 1, len(self._scopes)
        moved = len(self._words) - others._first_record
        self._words += others._words[others._first_record :]
        rows = others._rows[:]
        for place in range(1, len(rows), 3):
            rows[place] += moved
        self._rows += rows
        self._scopes += others._scopes
        self._scopes_at.extend(scopes + end for end in others._scopes_at[1:])
        for watch, watched in zip(self._watch, others._watch, strict=True):
            for cell, propagators in enumerate(watched):
                watch[cell] |= propagators << number
        self.longest = max(self.longest, others.longest)

    def _add(self, words: Sequence[int]) -> int:
        at = len(self._words)
        self._words.extend(words)
        return at

    def lookup(self, relation: pairs.Relation) -> int:
        if relation not in self._lookups:
            self._lookups[relation] = self._add(pairs.lookup(relation))
        return self._lookups[relation]

    def shared(self, words: tuple[int, ...] | array[int]) -> int:
        key = words if isinstance(words, tuple) else words.tobytes()
        if key not in self._shared:
            self._shared[key] = self._add(words)
        return self._shared[key]

    def arrays(self) -> dict[str, Any]:
        number = len(self._scopes_at) - 1
        words = number // 64 + 1
        early, late = self._watch
        return {
            "code": memoryview(self._words),
            "rows": memoryview(self._rows).cast("B").cast("q", (number, 3)) if number else allocated("q", 0, 0),
            "weights": memoryview(self._weights),
            "watch": bit_rows([one | other << 64 * words for one, other in zip(early, late, strict=True)], 2 * words),
            "pending": all_below(number),
            "scopes": memoryview(self._scopes),
            "scopes_at": memoryview(self._scopes_at),
        }


def all_below(number: int) -> Any:
    """The numbers below `number`, as bits, in the words that `search` has for as many."""
    return bit_rows([(1 << number) - 1], number // 64 + 1).cast("B").cast("q")
