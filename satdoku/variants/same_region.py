"""Whether two cells are in one region that the solver finds, and what follows where regions are connected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product

from satdoku.constraints import Automaton, Table
from satdoku.puzzle import Position
from satdoku.variants import Constraints, Frame, label
from satdoku.variants.relations import CellList

REGIONS = "regions"
MAX_GROUP = 4  # cells; a 9x9 has 1,675 groups up to that, and 4,814 up to five, with which it takes as long


def linked(frame: Frame, steps: dict[Position, int], size: int) -> Constraints:
    """Each cell but the first of its region has a neighbour that is nearer to that: an auxiliary cell of two values for
    each neighbour, which holds the second if it is in the region, and one step nearer. As steps to the first cell are
    odd for cells of one colour of a chessboard, and even for others, of two neighbours in a region one is nearer."""
    first, raised = frame.values[0], frame.values[0] + 1
    lengths = range(first, first + size)
    pairs = set(product(lengths, repeat=2))
    one_less = frozenset((flag, a, b) for flag in (first, raised) for a, b in pairs if flag == first or a == b + 1)
    either = frozenset({(first, first, first), (raised, raised, first), (raised, first, raised)})
    nearer = {(place, other): frame.auxiliary(2) for place in steps for other in frame.around(place)}
    for place, cell in steps.items():
        name = f"region at {label(place)}"
        flags = {other: nearer[place, other] for other in frame.around(place)}
        for other, flag in flags.items():
            yield Table((flag, cell, steps[other]), one_less, name)
            if place < other:
                yield Table((same_region(frame, place, other), flag, nearer[other, place]), either, name)
        on = CellList(range(first, max(lengths[-1], raised) + 1), (cell, *flags.values()), name)
        yield on.clause(((first,), *((raised,),) * len(flags)))


def same_region(frame: Frame, one: Position, other: Position) -> int:
    """The auxiliary cell of two values that holds the second if these cells are in one region."""

    def make() -> int:
        flag, name = frame.auxiliary(2), f"regions {label(one)}-{label(other)}"
        cells = (frame.layer(REGIONS, one), frame.layer(REGIONS, other), flag)
        frame.extra.append(Table(cells, _equal_or_not(frame.values), name))
        return flag

    return frame.once((same_region, frozenset((one, other))), make)


@cache
def _equal_or_not(values: range) -> frozenset[tuple[int, int, int]]:
    return frozenset((a, b, values[0] + (a == b)) for a, b in product(values, repeat=2))


def go_on(frame: Frame, size: int) -> Constraints:
    """A few cells of one region, fewer than it has, have a neighbour in it. That follows from the steps, but these say
    it only where the first cell of the region is known."""
    lowered, raised = frame.values[0], frame.values[0] + 1
    for group, within in _groups(tuple(product(frame.rows, frame.columns)), frame.around, min(MAX_GROUP, size - 1)):
        beside = [(place, other) for place in group for other in frame.around(place) if other not in group]
        flags = tuple(same_region(frame, *two) for two in (*within, *beside))
        wanted = ((lowered,),) * len(within) + ((raised,),) * len(beside)
        yield CellList(range(lowered, raised + 1), flags, "regions").clause(wanted)


def in_blocks(frame: Frame) -> Iterator[Automaton]:
    """Of the four pairs of neighbours in 2x2 cells, if three are in one region each, so is the fourth."""
    apart, alike = (frame.values[0],), (frame.values[0] + 1,)
    for (row, column), (below, right) in frame.pairs(((1, 1),)):
        ring = ((row, column), (row, right), (below, right), (below, column), (row, column))
        flags = CellList(
            range(apart[0], alike[0] + 1), tuple(same_region(frame, *two) for two in pairwise(ring)), "regions"
        )
        yield from (flags.clause(tuple(alike if at == four else apart for at in range(4))) for four in range(4))


def _groups(
    places: Sequence[Position], around: Callable[[Position], Iterable[Position]], most: int
) -> Iterator[tuple[tuple[Position, ...], tuple[tuple[Position, Position], ...]]]:
    """Each connected group of at most so many of these places, and pairs of neighbours that connect it."""
    within = frozenset(places)
    layer: dict[tuple[Position, ...], tuple[tuple[Position, Position], ...]] = {(place,): () for place in places}
    for many in range(most):
        if many:
            layer = {
                tuple(sorted((*group, other))): (*linked, (place, other))
                for group, linked in layer.items()
                for place in group
                for other in around(place)
                if other in within and other not in group
            }
        yield from layer.items()
