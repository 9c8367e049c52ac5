"""What follows from one candidate directly: in its cell, in cells that see it, and through a mark that it is in.

Candidates are bits, `value * cells + cell`, as in a graph of chains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import islice
from operator import or_
from typing import NamedTuple

from satdoku.constraints import Table
from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid, cell_set
from satdoku.techniques.joint import Way
from satdoku.techniques.marks import MarkPart, joint_of_part, mark_parts
from satdoku.techniques.step import Link

MAX_CANDIDATES = 60  # of a mark whose candidates are tried one by one

Bits = dict[int, int]  # by the bit of a candidate, the bits of others


class MarkLinks(NamedTuple):
    """weak: what each candidate excludes; strong: what holds if it does not"""

    weak: Bits
    strong: Bits


def through_marks(grid: CandidateGrid) -> MarkLinks:
    """The links between candidates through one mark, with the AllDifferents between its cells."""
    return grid.once(through_marks, _through_marks)


def excluded_by(grid: CandidateGrid, cell: int, value: int) -> int:
    """Everything that a candidate excludes directly."""
    width = grid.layout.cells
    lost = (grid.layout.peers[cell] & grid.places[value]) << value * width
    for other in members(grid.left[cell] & ~(1 << value)):
        lost |= 1 << other * width + cell
    return lost | through_marks(grid).weak.get(value * width + cell, 0)


def marks_between(grid: CandidateGrid, links: Iterable[Link]) -> tuple[str, ...]:
    """The names of the marks that links go through: of weak ones which no cell and no AllDifferent explains, and of
    all strong ones that are there through a mark."""
    names = dict[str, None]()
    if grid.layout.board.others:
        for link in links:
            for one, two in _unexplained(grid, link):
                linked = (part.name for part, known in _of_parts(grid) if _has(known, one, two, link.strong))
                names.update(dict.fromkeys(islice(linked, 1)))
    return tuple(names)


def _has(known: MarkLinks, one: int, two: int, strong: bool) -> bool:
    return bool((known.strong if strong else known.weak).get(one, 0) >> two & 1)


def _unexplained(grid: CandidateGrid, link: Link) -> Iterator[tuple[int, int]]:
    """The pairs of candidates of a link that no cell and no AllDifferent holds apart."""
    width, peers = grid.layout.cells, grid.layout.peers
    (value, cells), (other, ends) = link.start, link.end
    for one in members(cells):
        for two in members(ends):
            if one != two and (link.strong or value != other or not peers[one] >> two & 1):
                yield value * width + one, other * width + two


def _through_marks(grid: CandidateGrid) -> MarkLinks:
    weak, strong = Bits(), Bits()
    for _, known in _of_parts(grid):
        for all_of, some in zip((weak, strong), known, strict=True):
            for bit, others in some.items():
                all_of[bit] = all_of.get(bit, 0) | others
    return MarkLinks(weak, strong)


def _of_parts(grid: CandidateGrid) -> list[tuple[MarkPart, MarkLinks]]:
    return grid.once(_of_parts, _work_out)


def _work_out(grid: CandidateGrid) -> list[tuple[MarkPart, MarkLinks]]:
    """The links through each mark. One whose candidates have not changed since is not looked at again."""
    links = []
    for part in mark_parts(grid.layout.board):
        inside = [cell for cell in part.cells if cell < grid.layout.cells]
        open_cells = sum(bool(grid.left[cell] & (grid.left[cell] - 1)) for cell in inside)
        if open_cells < 2 or sum(grid.left[cell].bit_count() for cell in inside) > MAX_CANDIDATES:
            continue
        key, before = (through_marks, part.number), tuple([grid.left[cell] for cell in part.cells])
        known = grid.seen.get(key)
        if not isinstance(known, tuple) or known[0] != before:
            check_time()
            simple = len(part.rules) == 1 and isinstance(part.rules[0], Table) and len(part.cells) == 2
            known = grid.seen[key] = before, _by_pairs(grid, part) if simple else _by_one(grid, part, inside)
        links.append((part, known[1]))
    return links


def _by_one(grid: CandidateGrid, part: MarkPart, inside: list[int]) -> MarkLinks:
    """What each candidate leaves to the others; what all other candidates of its cell leave, if it does not hold."""
    left, width, links = grid.left[:], grid.layout.cells, MarkLinks({}, {})
    joint, ways = joint_of_part(grid.layout, part), list[Way]()
    still_open = [cell for cell in inside if left[cell] & (left[cell] - 1)]
    for cell in still_open:
        allowed, after = left[cell], dict[int, dict[int, int]]()
        for value in members(allowed):
            left[cell] = 1 << value
            # A way that keeps the mark with one candidate does so with each other that it has.
            known = [way for way in ways if way[joint.cells.index(cell)] == left[cell]]
            many = len(known)
            after[value] = joint.supported(left, known)
            ways += known[many:]
        left[cell] = allowed
        others = [other for other in still_open if other != cell]
        for value, kept in after.items():
            rest = [more for another, more in after.items() if another != value]
            weak = [gone * width + other for other in others for gone in members(left[other] & ~kept[other])]
            unions = ((reduce(or_, [more[other] for more in rest]), other) for other in others)
            strong = [(one.bit_length() - 1) * width + other for one, other in unions if one and not one & (one - 1)]
            bit = value * width + cell
            links.weak[bit], links.strong[bit] = cell_set(weak), cell_set(strong)
    return links


def _by_pairs(grid: CandidateGrid, part: MarkPart) -> MarkLinks:
    rule = part.rules[0]
    assert isinstance(rule, Table)
    (one, two), width, weak = rule.cells, grid.layout.cells, Bits()
    for first in members(grid.left[one]):
        for second in members(grid.left[two]):
            if (first, second) not in rule.tuples:
                here, there = first * width + one, second * width + two
                weak[here] = weak.get(here, 0) | 1 << there
                weak[there] = weak.get(there, 0) | 1 << here
    return MarkLinks(weak, {})
