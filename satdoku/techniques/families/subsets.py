"""Naked and hidden subsets of two to four cells; locked ones, whose cells lie in two houses."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from satdoku.puzzle import Board, members
from satdoku.techniques.grid import CandidateGrid, House, Strike, cell_set
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text


def _naked(size: int, locked: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    return grid.where_changed(name, partial(_naked_in, size, locked, name, grid))


def _naked_in(size: int, locked: bool, name: str, grid: CandidateGrid, changed: int) -> Iterator[Step]:
    """As many cells that differ as they have values together: what sees all of them has none of these values.

    Where this excludes nothing, what sees all places of one of these values among them.

    locked: only those whose cells share two groups, and that exclude something from both
    """
    left, layout = grid.left, grid.layout
    done, few = set[int](), grid.few(2, size)
    for group in layout.groups:
        inside = group.cells & few
        if not inside & changed or inside.bit_count() < size:
            continue
        for chosen in combinations(members(inside), size):
            values = 0
            for cell in chosen:
                values |= left[cell]
            if values.bit_count() != size:
                continue
            subset = cell_set(chosen)
            if subset in done or not subset & changed:
                continue
            done.add(subset)
            everywhere = layout.common(subset)
            effect = grid.present((value, everywhere) for value in members(values))
            if not effect:
                strikes = [(value, layout.common(grid.places[value] & subset)) for value in members(values)]
                effect = grid.present(strikes)
            if effect and (not locked or _shared(grid, subset, effect)):
                yield _naked_step(name, grid, subset, values, effect)


def _shared(grid: CandidateGrid, subset: int, effect: tuple[Strike, ...]) -> bool:
    groups = [group.cells for group in grid.layout.of[subset.bit_length() - 1] if not subset & ~group.cells]
    lose = 0
    for _, cells in effect:
        lose |= cells
    return len(groups) > 1 and sum(bool(lose & cells & ~others) for cells, others in _apart(groups)) > 1


def _apart(groups: list[int]) -> Iterator[tuple[int, int]]:
    """Each group with the cells that it shares with others."""
    for number, cells in enumerate(groups):
        others = 0
        for other, more in enumerate(groups):
            others |= more if other != number else 0
        yield cells, others


def _naked_step(name: str, grid: CandidateGrid, subset: int, values: int, effect: tuple[Strike, ...]) -> Step:
    board = grid.layout.board
    why = f"{cells_text(board, subset)} have only {values_text(board, values)}, and need them all"
    pattern = tuple((value, grid.places[value] & subset) for value in members(values))
    houses = tuple(group.name for group in grid.layout.of[subset.bit_length() - 1] if not subset & ~group.cells)
    return Step(technique=name, because=why, eliminations=effect, pattern=pattern, houses=houses, size=len(pattern))


class HiddenSubset(NamedTuple):
    """The cells of a house that alone have the values of `pattern`; `others`: its other values, with their places."""

    house: House
    cells: int
    pattern: tuple[Strike, ...]
    others: tuple[Strike, ...]

    def text(self, board: Board) -> str:
        digits = values_text(board, sum(1 << value for value, _ in self.pattern))
        return f"{self.house.name} has {digits} only in {cells_text(board, self.cells)}, which have no other value"


def hidden_subsets(grid: CandidateGrid, size: int, changed: int = -1) -> Iterator[HiddenSubset]:
    """As many values as they have places in a house, whatever that excludes.

    changed: only in houses with one of these cells
    """
    places = [*enumerate(grid.places)]
    for house in grid.layout.houses:
        inside = house.cells
        if not inside & changed:
            continue
        few = [(value, where) for value, every in places if 2 <= (where := every & inside).bit_count() <= size]
        for chosen in combinations(few, size):
            cells = 0
            for _, where in chosen:
                cells |= where
            if cells.bit_count() == size:
                others = tuple(
                    (value, every & inside) for value, every in places[1:] if (value, every & inside) not in chosen
                )
                yield HiddenSubset(house, cells, chosen, others)


def _hidden(size: int, name: str, grid: CandidateGrid) -> Iterator[Step]:
    return grid.where_changed(name, partial(_hidden_in, size, name, grid))


def _hidden_in(size: int, name: str, grid: CandidateGrid, changed: int) -> Iterator[Step]:
    board = grid.layout.board
    for subset in hidden_subsets(grid, size, changed):
        effect = grid.present((value, subset.cells) for value, _ in subset.others)
        if effect:
            yield Step(
                technique=name,
                because=subset.text(board),
                eliminations=effect,
                pattern=subset.pattern,
                houses=(subset.house.name,),
                size=size,
            )


NAKED = "As many cells that differ as they have values together: cells that see all of these have none of the values."
LOCKED = "A naked subset whose cells share two houses, and that excludes something from both."
HIDDEN = "As many values of a house as they have places together: these places have no other value."

TECHNIQUES = (
    Technique("locked pair", Level.SUBSETS, partial(_naked, 2, True), LOCKED, se=2.0, hodoku=40),
    Technique("locked triple", Level.SUBSETS, partial(_naked, 3, True), LOCKED, se=2.5, hodoku=60),
    Technique("naked pair", Level.SUBSETS, partial(_naked, 2, False), NAKED, se=3.0, hodoku=60),
    Technique("hidden pair", Level.SUBSETS, partial(_hidden, 2), HIDDEN, se=3.4, hodoku=70),
    Technique("naked triple", Level.SUBSETS, partial(_naked, 3, False), NAKED, se=3.6, hodoku=80),
    Technique("hidden triple", Level.SUBSETS, partial(_hidden, 3), HIDDEN, se=4.0, hodoku=100),
    Technique("naked quadruple", Level.SUBSETS, partial(_naked, 4, False), NAKED, se=5.0, hodoku=120),
    Technique("hidden quadruple", Level.SUBSETS, partial(_hidden, 4), HIDDEN, se=5.4, hodoku=150),
)
