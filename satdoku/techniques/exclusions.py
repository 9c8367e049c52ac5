"""What a candidate excludes directly: in its cell, in cells that see it, and through a mark that it is in.

Candidates are bits, `value * cells + cell`, as in a graph of chains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satdoku.constraints import Constraint, Linear, Table
from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid, cell_set
from satdoku.techniques.step import Link
from satdoku.techniques.support import support

MAX_CELLS = 5  # of a constraint that is tried with each candidate; a sum, which is looked at by bounds, may have more

Excluded = dict[int, int]  # by the bit of a candidate, the bits of those that it excludes through marks


def through_marks(grid: CandidateGrid) -> Excluded:
    """What each candidate excludes by a constraint that is not an AllDifferent; the same until the grid changes."""
    return grid.once(through_marks, _through_marks)


def excluded_by(grid: CandidateGrid, cell: int, value: int) -> int:
    """Everything that a candidate excludes directly."""
    width = grid.layout.cells
    lost = (grid.layout.peers[cell] & grid.places[value]) << value * width
    for other in members(grid.left[cell] & ~(1 << value)):
        lost |= 1 << other * width + cell
    return lost | through_marks(grid).get(value * width + cell, 0)


def marks_between(grid: CandidateGrid, links: Iterable[Link]) -> tuple[str, ...]:
    """The names of the marks that weak links go through, which no cell and no AllDifferent explains."""
    layout, names = grid.layout, dict[str, None]()
    if not layout.board.others:
        return ()
    for link in links:
        (value, cells), (other, ends) = link.start, link.end
        if link.strong or cells == ends or (value == other and not ends & ~layout.common(cells)):
            continue
        rules = layout.known((marks_between, cells | ends), lambda both=cells | ends: _over(grid, both))  # type: ignore[misc]
        names.update(dict.fromkeys(rule.name for rule in rules))
    return tuple(names)


def _over(grid: CandidateGrid, cells: int) -> tuple[Constraint, ...]:
    return tuple(rule for rule in grid.layout.board.others if not cells & ~cell_set(rule.cells))


def _through_marks(grid: CandidateGrid) -> Excluded:
    found: Excluded = {}
    size = grid.layout.cells
    for number, rule in enumerate(grid.layout.board.others):
        cells = tuple(dict.fromkeys(rule.cells))
        if len(cells) < 2 or (len(cells) > MAX_CELLS and not isinstance(rule, Linear)) or max(cells) >= size:
            continue
        key, before = (through_marks, number), tuple([grid.left[cell] for cell in cells])
        known = grid.seen.get(key)
        if not isinstance(known, tuple) or known[0] != before:
            check_time()
            known = grid.seen[key] = before, _by_one(grid, rule, cells)
        for bit, lost in known[1].items():
            found[bit] = found.get(bit, 0) | lost
    return found


def _by_one(grid: CandidateGrid, rule: Constraint, cells: Sequence[int]) -> Excluded:
    if isinstance(rule, Table) and len(cells) == 2:
        return _by_pairs(grid, rule)
    left, width, found = grid.left[:], grid.layout.cells, Excluded()
    supports = support(rule)
    for cell in cells:
        allowed = left[cell]
        for value in members(allowed) if allowed & (allowed - 1) else ():
            left[cell] = 1 << value
            lost = 0
            for other, kept in zip(cells, supports(left), strict=True):
                for gone in members(left[other] & ~kept) if other != cell else ():
                    lost |= 1 << gone * width + other
            if lost:
                found[value * width + cell] = lost
        left[cell] = allowed
    return found


def _by_pairs(grid: CandidateGrid, rule: Table) -> Excluded:
    (one, two), width, found = rule.cells, grid.layout.cells, Excluded()
    for first in members(grid.left[one]):
        for second in members(grid.left[two]):
            if (first, second) not in rule.tuples:
                here, there = first * width + one, second * width + two
                found[here] = found.get(here, 0) | 1 << there
                found[there] = found.get(there, 0) | 1 << here
    return found
