"""Cells that marks connect by edges: which are cut off from the others, and which connect them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdoku.puzzle import members
from satdoku.techniques.combined import left_by
from satdoku.techniques.grid import CandidateGrid, cell_set
from satdoku.techniques.joint import Joint, Way
from satdoku.techniques.marks import MarkPart, connections, joint_of_part, mark_parts
from satdoku.techniques.step import Level, Step, Technique
from satdoku.variants.places import Connected

MAX_WAYS = 200  # to fill a mark, that are looked at one by one

Group = tuple[Connected, int, int]
"""Cells to connect; by their numbers those that are of them for sure, and those that may be."""


def _group(linked: Connected, left: Sequence[int]) -> Group:
    """What candidates say of cells to connect. What is outside of the grid has the number after the last cell."""
    outside = 1 << len(linked.cells) if linked.edge else 0
    sure = cell_set(number for number, cell in enumerate(linked.cells) if not left[cell] & ~linked.values)
    possible = cell_set(number for number, cell in enumerate(linked.cells) if left[cell] & linked.values)
    return linked, sure | outside, possible | outside


def _reached(linked: Connected, start: int, within: int) -> int:
    """The numbers of the cells that ways through some cells lead to from others."""
    seen = ahead = start
    while ahead:
        near = 0
        for number in members(ahead):
            near |= linked.edge if number == len(linked.cells) else linked.beside[number]
            if linked.edge >> number & 1:
                near |= 1 << len(linked.cells)
        ahead = near & within & ~seen
        seen |= ahead
    return seen


def _largest(group: Group) -> int:
    """The cells that can be connected with the first that is of them; if none is, the most that can be connected."""
    linked, sure, possible = group
    if sure:
        return _reached(linked, sure & -sure, possible)
    largest = 0
    while possible:
        reached = _reached(linked, possible & -possible, possible)
        largest = max(largest, reached, key=int.bit_count)
        possible &= ~reached
    return largest


def _many(linked: Connected, numbers: int) -> int:
    return (numbers & (1 << len(linked.cells)) - 1).bit_count()


def _possible(group: Group) -> bool:
    """Whether the cells can be connected, and be as many as they are."""
    linked, sure, _ = group
    largest = _largest(group)
    return not sure & ~largest and _many(linked, largest) >= linked.least and _many(linked, sure) <= linked.most


def _search(name: str, grid: CandidateGrid) -> Iterator[Step]:
    for linked in connections(grid.layout.board):
        key, before = (name, linked.name), tuple([grid.left[cell] for cell in linked.cells])
        if grid.seen.get(key) == before:
            continue
        found = False
        for step in _of_group(name, grid, _group(linked, grid.left)):
            found = True
            yield step
        if not found:
            grid.seen[key] = before


def _of_group(name: str, grid: CandidateGrid, group: Group) -> Iterator[Step]:
    linked, sure, possible = group
    label = grid.layout.board.label
    if not _possible(group):
        return
    cut = _cut_off(group)
    if cut and sure:
        yield _step(name, grid, group, cut, True, f"no way leads to these from {_first(grid, linked, sure)}")
    elif cut:
        yield _step(name, grid, group, cut, True, f"of these and their neighbours fewer than {linked.least} could be")
    far = _too_far(group) & ~cut
    if far:
        why = f"they are {linked.most}, and a way from {_first(grid, linked, sure)} to these would make them more"
        yield _step(name, grid, group, far, True, why)
    for number in members(possible & ~sure & ~cut):
        without = linked, sure, possible & ~(1 << number)
        if not _possible(without):
            lost, at = sure & ~_largest(without), label(linked.cells[number])
            why = f"without {at} fewer than {linked.least} could be"
            if lost:
                why = f"without {at} no way leads from {_first(grid, linked, sure)} to {_first(grid, linked, lost)}"
            yield _step(name, grid, group, 1 << number, False, why)


def _first(grid: CandidateGrid, linked: Connected, numbers: int) -> str:
    """The first of some cells in words, or what is outside of the grid."""
    number = (numbers & -numbers).bit_length() - 1
    return "the edge" if number == len(linked.cells) else grid.layout.board.label(linked.cells[number])


def _cut_off(group: Group) -> int:
    """What cannot be connected with those that are sure; if none is, what has too few around."""
    linked, sure, possible = group
    if sure:
        return possible & ~_largest(group)
    cut = 0
    while possible:
        reached = _reached(linked, possible & -possible, possible)
        cut |= reached if reached.bit_count() < linked.least else 0
        possible &= ~reached
    return cut


def _too_far(group: Group) -> int:
    """What only a way over too many cells connects with the first that is sure."""
    linked, sure, possible = group
    if not sure or linked.edge:
        return 0
    reached = _reached(linked, sure & -sure, sure)
    for _ in range(linked.most - sure.bit_count()):
        near = 0
        for number in members(reached):
            near |= linked.beside[number]
        reached = _reached(linked, reached | near & possible, sure | reached)
    return _largest(group) & ~reached


def _step(name: str, grid: CandidateGrid, group: Group, numbers: int, chosen: bool, why: str) -> Step:
    """chosen: whether these cells lose the values of those that are connected, or the others"""
    linked, every = group[0], grid.layout.values
    cells = cell_set(linked.cells[number] for number in members(numbers & (1 << len(linked.cells)) - 1))
    lost = [value for value in range(1, every + 1) if (linked.values >> value & 1) == chosen]
    pattern = ((value, grid.places[value] & cell_set(linked.cells)) for value in members(linked.values))
    return Step(
        technique=name,
        because=f"{linked.name}: {why}",
        eliminations=grid.present((value, cells) for value in lost),
        pattern=tuple(strike for strike in pattern if strike[1]),
        houses=(linked.name,),
        size=cells.bit_count(),
    )


class _Linked:
    """A `satdoku.techniques.joint.Joint`: a mark, each way to fill which is tried on cells to connect."""

    houses: tuple[int, ...] = ()

    def __init__(self, mark: Joint, groups: Sequence[Connected]) -> None:
        self._mark, self._groups = mark, groups
        self.cells = tuple(sorted({*mark.cells, *(cell for linked in groups for cell in linked.cells)}))

    def supported(self, left: Sequence[int], known: list[Way] | None = None) -> dict[int, int]:
        after = {cell: left[cell] for cell in self.cells}
        ways = self._mark.ways(left, MAX_WAYS)
        if ways is None:
            return after
        kept = dict.fromkeys(self._mark.cells, 0)
        tried = list(left)
        for way in ways:
            for cell, value in zip(self._mark.cells, way, strict=True):
                tried[cell] = 1 << value
            if all(_possible(_group(linked, tried)) for linked in self._groups):
                for cell, value in zip(self._mark.cells, way, strict=True):
                    kept[cell] |= 1 << value
        return after | kept

    def ways(self, left: Sequence[int], most: int) -> None:
        """Never listed."""


def _with_mark(name: str, grid: CandidateGrid) -> Iterator[Step]:
    for number, (parts, joint) in enumerate(grid.layout.known(name, lambda: _marks(grid))):
        yield from left_by(grid, name, (name, number), joint, parts)


def _marks(grid: CandidateGrid) -> list[tuple[tuple[MarkPart, ...], Joint]]:
    """The marks that have some of the cells to connect, with these."""
    board, marks = grid.layout.board, list[tuple[tuple[MarkPart, ...], Joint]]()
    groups = [(linked, cell_set(linked.cells)) for linked in connections(board)]
    for part in mark_parts(board):
        near = [linked for linked, cells in groups if cells & part.bits]
        if near:
            of_groups = (MarkPart(-1, linked.name, "", (), linked.cells, cell_set(linked.cells)) for linked in near)
            marks.append(((part, *of_groups), _Linked(joint_of_part(grid.layout, part), near)))
    return marks


TECHNIQUES = (
    Technique(
        "connected cells",
        Level.LOCKED,
        _search,
        "Cells that are connected by edges, such as the shaded ones: a cell that no way connects with them is not one "
        "of them, and one without which they cannot be connected, or be enough, is one.",
        limits="boards with a mark that connects cells",
    ),
    Technique(
        "mark and connected cells",
        Level.SUBSETS,
        _with_mark,
        "A mark on cells that are to be connected: what occurs in no way to fill the mark that leaves them a "
        "connection is excluded.",
        limits="boards with a mark that connects cells",
    ),
)
