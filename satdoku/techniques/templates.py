"""Templates: sets of places of one value that could be all those that have it.

A template has one place in each house that has some, and none that sees another. Whatever a technique excludes that
looks at the places of one value alone, by houses and by what sees what, is in no template. So nothing is left to such
techniques of a value whose every place is in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple, TypeVar, cast

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid

MAX_TAKEN = 100  # places that the search for a template takes, those included that it gives back

Result = TypeVar("Result")


class _Known(NamedTuple):
    """What is known of the places of a value: some templates, and places that no template was found for."""

    places: int
    templates: tuple[int, ...]
    without: int


def excludable(grid: CandidateGrid) -> list[int]:
    """The values of which techniques that look at the places of one value may exclude something: not in a template.

    A template is kept until it loses a place, so that few are searched for after a change.
    """
    return grid.once(excludable, _excludable)


def by_value(grid: CandidateGrid, name: str, search: Callable[[int], Iterator[Result]]) -> Iterator[Result]:
    """What a search that looks at the places of one value excludes, for each value; by houses and by what sees what.

    A value of which it found nothing is passed over until its places change.
    """
    return chain.from_iterable(_of_value(grid, name, value, search) for value in excludable(grid))


def _of_value(
    grid: CandidateGrid, name: str, value: int, search: Callable[[int], Iterator[Result]]
) -> Iterator[Result]:
    places, found = grid.places[value], False
    if grid.seen.get((name, value)) != places:
        for each in search(value):
            found = True
            yield each
        if not found:
            grid.seen[name, value] = places


def _excludable(grid: CandidateGrid) -> list[int]:
    check_time()
    return [value for value in range(1, grid.layout.values + 1) if grid.places[value] and _looked_at(grid, value)]


def _looked_at(grid: CandidateGrid, value: int) -> int:
    """Places of a value that no template was found for, perhaps not all of them; 0 if each is in one."""
    places = grid.places[value]
    known = cast("_Known", grid.seen.get((excludable, value), _Known(0, (), 0)))
    if known.places != places:
        possible, without = places | grid.solved[value], known.without & places
        templates = [each & places for each in known.templates if not each & ~possible]
        if not without:
            without = _cover(grid, places, templates)
        grid.seen[excludable, value] = known = _Known(places, tuple(templates), without)
    return known.without


def _cover(grid: CandidateGrid, places: int, templates: list[int]) -> int:
    """Add templates until each place is in one; the first for which none is found, 0 if there is no such place."""
    left = places
    for each in templates:
        left &= ~each
    houses = [*{inside for house in grid.layout.house_cells if (inside := places & house)}]
    while left:
        first = left & -left
        template = _template(grid.layout.peers, houses, first, left)
        if not template:
            return first
        templates.append(template)
        left &= ~template
    return 0


def _template(peers: list[int], houses: list[int], first: int, wanted: int) -> int:
    """A template with one place, and as a rule with others that are wanted; 0 if none is found.

    houses: the places in each house that has some
    """
    taken = 0

    def take(bit: int, houses: list[int]) -> int:
        nonlocal taken
        taken += 1
        unseen = ~peers[bit.bit_length() - 1]
        left = [inside & unseen for inside in houses if not inside & bit]
        if not left:
            return bit
        if not all(left):
            return 0
        fewest = min(left, key=int.bit_count)
        for some in (fewest & wanted, fewest & ~wanted):
            for cell in members(some) if some else ():
                rest = take(1 << cell, left) if taken < MAX_TAKEN else 0
                if rest:
                    return rest | bit
        return 0

    return take(first, houses)
