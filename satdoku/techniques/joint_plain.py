"""Constraints looked at together without compiled code, where that is missing or the values are too great for it.

Each candidate is given to its cell, what follows is worked out, and further cells are filled until all have values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from satdoku.constraints import Constraint
from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import BoardLayout
from satdoku.techniques.support import Support, support

MAX_NODES = 1_500  # assignments tried for one set of constraints


class PlainJoint:
    """A `satdoku.techniques.joint.Joint`."""

    def __init__(self, layout: BoardLayout, rules: Iterable[Constraint], houses: Iterable[int] = ()) -> None:
        self.rules = tuple((rule, support(rule), tuple(dict.fromkeys(rule.cells))) for rule in rules)
        self.houses = tuple(houses)
        own = {cell for _, _, cells in self.rules for cell in cells}
        own.update(cell for house in self.houses for cell in members(house))
        self.cells = tuple(sorted(own))
        self.values = layout.values
        bits = sum(1 << cell for cell in own)
        self.peers = {cell: tuple(members(layout.peers[cell] & bits)) for cell in own if cell < layout.cells}
        self.of: dict[int, list[int]] = {cell: [] for cell in own}
        for number, (_, _, cells) in enumerate(self.rules):
            for cell in cells:
                self.of[cell].append(number)
        self.nodes = 0

    def supported(self, left: Sequence[int], known: list[tuple[int, ...]] | None = None) -> dict[int, int]:
        check_time()
        self.nodes = 0
        domains = list(left)
        if not self._propagate(domains, self.cells):
            return dict.fromkeys(self.cells, 0)
        ways = [] if known is None else known
        seen = {cell: reduce(or_, (way[at] for way in ways), 0) for at, cell in enumerate(self.cells)}
        for cell in sorted(self.cells, key=lambda cell: domains[cell].bit_count()):
            for value in members(domains[cell]):
                if seen[cell] >> value & 1 or not domains[cell] >> value & 1:
                    continue
                way = next(self._ways(domains, cell, value), None)
                if way is not None:
                    ways.append(tuple(way[at] for at in self.cells))
                    for at in self.cells:
                        seen[at] |= way[at]
                elif self.nodes >= MAX_NODES:
                    return {at: domains[at] for at in self.cells}
                else:
                    domains[cell] &= ~(1 << value)
                    if not domains[cell] or not self._propagate(domains, (cell,)):
                        return dict.fromkeys(self.cells, 0)
        return {cell: domains[cell] for cell in self.cells}

    def ways(self, left: Sequence[int], most: int) -> list[tuple[int, ...]] | None:
        """Every way to keep the constraints, values in the order of `cells`; None if they are many."""
        self.nodes = 0
        domains = list(left)
        if not self._propagate(domains, self.cells):
            return []
        found = []
        for way in self._complete(domains):
            found.append(tuple(way[cell].bit_length() - 1 for cell in self.cells))
            if len(found) > most:
                return None
        return None if self.nodes >= MAX_NODES else found

    def _ways(self, domains: list[int], cell: int, value: int) -> Iterator[list[int]]:
        if self.nodes >= MAX_NODES:
            return
        self.nodes += 1
        tried = domains[:]
        tried[cell] = 1 << value
        if self._propagate(tried, (cell,)):
            yield from self._complete(tried)

    def _complete(self, domains: list[int]) -> Iterator[list[int]]:
        """Ways to fill what is open, a cell of few candidates first."""
        cell = min(
            (each for each in self.cells if domains[each] & (domains[each] - 1)),
            key=lambda each: domains[each].bit_count(),
            default=None,
        )
        if cell is None:
            yield domains
            return
        for value in members(domains[cell]):
            yield from self._ways(domains, cell, value)

    def _propagate(self, domains: list[int], changed: Iterable[int]) -> bool:
        """Take away what one constraint after the other excludes; whether every cell keeps a candidate."""
        ahead = list(changed)
        waiting = {number for cell in ahead for number in self.of[cell]}
        while True:
            while ahead:
                if not self._see(ahead.pop(), domains, ahead, waiting):
                    return False
            if waiting:
                if not self._ask(self.rules[waiting.pop()], domains, ahead, waiting):
                    return False
                continue
            if not all(self._fill(house, domains, ahead, waiting) for house in self.houses):
                return False
            if not ahead and not waiting:
                return True

    def _see(self, cell: int, domains: list[int], ahead: list[int], waiting: set[int]) -> bool:
        """Take the value of a filled cell from those that see it."""
        allowed = domains[cell]
        if allowed & (allowed - 1):
            return True
        for other in self.peers.get(cell, ()):
            if domains[other] & allowed:
                domains[other] &= ~allowed
                if not domains[other]:
                    return False
                ahead.append(other)
                waiting.update(self.of[other])
        return bool(allowed)

    def _ask(
        self, rule: tuple[Constraint, Support, tuple[int, ...]], domains: list[int], ahead: list[int], waiting: set[int]
    ) -> bool:
        for cell, kept in zip(rule[2], rule[1](domains), strict=False):
            if not kept:
                return False
            if kept != domains[cell]:
                domains[cell] = kept
                ahead.append(cell)
                waiting.update(self.of[cell])
        return True

    def _fill(self, house: int, domains: list[int], ahead: list[int], waiting: set[int]) -> bool:
        """Hidden singles of a house; whether each value has a place."""
        once = twice = 0
        cells = tuple(members(house))
        for cell in cells:
            twice |= once & domains[cell]
            once |= domains[cell]
        if once.bit_count() < self.values:
            return False
        single = once & ~twice
        for cell in cells if single else ():
            alone = domains[cell] & single
            if alone and alone != domains[cell]:
                if alone & (alone - 1):
                    return False
                domains[cell] = alone
                ahead.append(cell)
                waiting.update(self.of[cell])
        return True
