"""How far connected regions reach: each has cells in all rows from its first to its last, in columns too, and more
cells than it takes steps from one end to the other. That follows from the steps of its cells, but those say it only
where the first cell of the region is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product
from typing import NamedTuple

from satdoku.constraints import Automaton, Table
from satdoku.puzzle import Position
from satdoku.variants import Constraints, Frame
from satdoku.variants.relations import CellList, only, raising


class RegionExtent(NamedTuple):
    """Auxiliary cells of two values for each row, or each column, in their order: the second one if the region has
    cells in that line; in it or before it; in it or behind it."""

    held: tuple[int, ...]
    before: tuple[int, ...]
    behind: tuple[int, ...]

    def apart(self, lines: int) -> Sequence[tuple[int, ...]]:
        """Auxiliary cells which all hold the second value if the region has cells so many lines apart."""
        return list(zip(self.before, self.behind[lines:], strict=False)) if lines else [()]


def extent(frame: Frame, lines: Iterable[int]) -> RegionExtent:
    held, before, behind = zip(
        *((frame.auxiliary(2), frame.auxiliary(2), frame.auxiliary(2)) for _ in lines), strict=True
    )
    return RegionExtent(held, before, behind)


def reach(
    frame: Frame, region: Mapping[Position, int], size: int, rows: Mapping[int, RegionExtent], ends: Sequence[int]
) -> Constraints:
    """Where regions of so many cells are.

    region: by place, the cell with the number of its region
    rows:   by number, the rows of each region
    ends:   for each row, the cell with the greatest number of a region up to its end
    """
    places = list(product(frame.rows, frame.columns))
    for number, down in rows.items():
        name, across = f"region {number}", extent(frame, frame.columns)
        begun = frozenset((value, frame.values[0] + (value >= number)) for value in frame.values)
        yield from (Table(two, begun, name) for two in zip(ends, down.before, strict=True))
        for axis, along in enumerate((down, across)):
            for line, held in enumerate(along.held, 1):
                cells = [region[place] for place in places if place[axis] == line]
                yield from (Table((cell, held), raising(frame.values, number), name) for cell in cells)
                wanted = ((frame.values[0],), *((number,),) * len(cells))
                yield CellList(frame.values, (held, *cells), name).clause(wanted)
            yield from _in_order(frame, name, along)
        for steps in range(size + 1):
            for both in product(down.apart(steps), across.apart(size - steps)):
                yield _some(frame, name, [(flag, False) for flag in chain(*both)])


def in_lines(frame: Frame, name: str, cells: Iterable[int], lines: Mapping[int, RegionExtent]) -> Iterator[Table]:
    """Cells, one for each line, with the number of a region that has cells in that line."""
    for index, cell in enumerate(cells):
        for number, extent in lines.items():
            yield Table((cell, extent.held[index]), raising(frame.values, number), name)


def _some(frame: Frame, name: str, flags: Iterable[tuple[int, bool]]) -> Automaton:
    """One of these auxiliary cells is as stated: it holds the second value, or the first."""
    cells, stated = zip(*flags, strict=True)
    first = frame.values[0]
    return CellList(range(first, first + 2), cells, name).clause(tuple((first + second,) for second in stated))


def _in_order(frame: Frame, name: str, lines: RegionExtent) -> Constraints:
    """What is before, in and behind each line, and that a region goes on from its first line to its last."""
    for so_far, held in ((lines.before, lines.held), (lines.behind[::-1], lines.held[::-1])):
        for here, there in chain(zip(held, so_far, strict=True), pairwise(so_far)):
            yield _some(frame, name, ((here, False), (there, True)))
        yield _some(frame, name, ((so_far[0], False), (held[0], True)))
        for here, last, there in zip(held[1:], so_far, so_far[1:], strict=False):
            yield _some(frame, name, ((there, False), (last, True), (here, True)))
        yield only(so_far[-1], (frame.values[0] + 1,), name)
    for begun, here, left in zip(lines.before, lines.held, lines.behind, strict=True):
        yield _some(frame, name, ((begun, False), (left, False), (here, True)))
    for begun, left in zip(lines.before, lines.behind[1:], strict=False):
        yield _some(frame, name, ((begun, True), (left, True)))
