"""Which of the steps by one technique HoDoKu takes first: its score depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from satdoku.puzzle import Puzzle, members
from satdoku.techniques import nice_loops
from satdoku.techniques.grid import BOX, COLUMN, ROW, BoardLayout, CandidateGrid, Placement
from satdoku.techniques.ladder import ordered
from satdoku.techniques.step import Step, Technique

Key = Callable[[BoardLayout, Step], tuple[int, ...]]

SIMPLE, GROUPED = "continuous nice loop", "grouped continuous nice loop"
WITH_THEM = ("discontinuous nice loop", "AIC", "grouped discontinuous nice loop", "grouped AIC")
MAX_LINKS = 19  # of a chain of one value, or through cells of two
KINDS = (BOX, ROW, COLUMN)


def _most(_: BoardLayout, step: Step) -> tuple[int, ...]:
    """Last what HoDoKu does not look at: longer chains, and XY-chains that come back to their start."""
    back = step.technique == "XY-chain" and step.links[0].start == step.links[-1].end
    return back or step.size > MAX_LINKS, *nice_loops.most_first(step.eliminations)


def _by_region(layout: BoardLayout, step: Step) -> tuple[int, ...]:
    """Subsets in regions, in rows, in columns; those of a house by their cells."""
    kinds = (
        (KINDS.index(group.kind), number) for number, group in enumerate(layout.groups) if group.name in step.houses
    )
    return *min(kinds, default=(len(KINDS), 0)), *(_cells(step) if not step.technique.startswith("hidden") else ())


def _by_line(layout: BoardLayout, step: Step) -> tuple[int, ...]:
    """First those in rows."""
    return (all(house.name not in step.houses for house in layout.lines(ROW)),)


def _by_ends(_: BoardLayout, step: Step) -> tuple[int, ...]:
    """By the cells of two values, then by what is excluded."""
    value, ends = step.pattern[1]
    return *members(ends), value


def _by_cells(_: BoardLayout, step: Step) -> tuple[int, ...]:
    return *_cells(step), *_pivot(step)


def _by_pivot(_: BoardLayout, step: Step) -> tuple[int, ...]:
    return *_pivot(step), *_cells(step)


def _cells(step: Step) -> Iterable[int]:
    every = 0
    for _, cells in step.pattern:
        every |= cells
    return members(every)


def _pivot(step: Step) -> Iterable[int]:
    return members(step.parts[0][1][0][1])


FIRST: dict[str, Key] = {
    **dict.fromkeys(("turbot fish", "remote pair", "X-chain", "XY-chain"), _most),
    **{
        f"{kind} {size}": _by_region
        for kind in ("locked", "naked", "hidden")
        for size in ("pair", "triple", "quadruple")
    },
    "skyscraper": _by_line,
    "W-wing": _by_ends,
    "XY-wing": _by_cells,
    "XYZ-wing": _by_pivot,
}
"""What the steps of a technique are ordered by; of others those that the technique finds first come first."""


def hodoku_order(singles: OldestSingles) -> tuple[Technique, ...]:
    """HoDoKu's order of techniques, each with the steps that it takes first in front."""
    return tuple(_in_order(each, singles) for each in ordered("hodoku") if each.name not in WITH_THEM)


def _in_order(technique: Technique, singles: OldestSingles) -> Technique:
    if technique.name in (SIMPLE, GROUPED):
        return replace(technique, search=partial(nice_loops.search, technique.name == GROUPED))
    key = singles.age if technique.name == "hidden single" else FIRST.get(technique.name)
    if key is None:
        return technique

    def search(name: str, grid: CandidateGrid) -> Iterator[Step]:
        return iter(sorted(technique.search(name, grid), key=partial(key, grid.layout)))

    return replace(technique, search=search)


class OldestSingles:
    """When each hidden single of a puzzle came to be, as steps are taken.

    The givens are set one by one. A value goes first from the cells that see its cell, in their order, then the other
    values from the cell itself; of the houses of a cell rows are looked at first, then columns, then regions.
    """

    def __init__(self, puzzle: Puzzle, layout: BoardLayout) -> None:
        self._layout, self._every = layout, (1 << layout.cells) - 1
        self._places = [0] + [self._every] * layout.values
        self._groups = [[group.cells for group in groups] for groups in layout.of]
        self._age = dict[Placement, int]()
        for cell, value in enumerate(puzzle.givens):
            if value:
                self._place(cell, value)

    def follow(self, step: Step) -> None:
        """Do what a step says."""
        for cell, value in step.placements:
            self._place(cell, value)
        for value, cells in step.eliminations if not step.placements else ():
            for cell in members(cells & self._every) if value < len(self._places) else ():
                self._strike(cell, value)

    def age(self, _: BoardLayout, step: Step) -> tuple[int, ...]:
        """How many hidden singles came before that of a step."""
        return (self._age.get(step.placements[0], len(self._age)),)

    def _place(self, cell: int, value: int) -> None:
        for other in members(self._layout.peers[cell] & self._places[value]):
            self._strike(other, value)
        for other, places in enumerate(self._places):
            if other != value and places >> cell & 1:
                self._strike(cell, other)

    def _strike(self, cell: int, value: int) -> None:
        places = self._places[value]
        if places >> cell & 1:
            places &= ~(1 << cell)
            self._places[value] = places
            for group in self._groups[cell]:
                inside = places & group
                if inside and not inside & (inside - 1):
                    self._age.setdefault((inside.bit_length() - 1, value), len(self._age))
