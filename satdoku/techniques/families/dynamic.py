"""Dynamic forcing chains: what follows from a candidate, where what has been excluded leaves new singles.

As Sudoku Explainer looks for them: of all conclusions that with the fewest candidates behind it is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial, reduce
from operator import or_
from typing import NamedTuple

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.advanced import Advanced
from satdoku.techniques.candidates import Candidates
from satdoku.techniques.families.cycles import longer
from satdoku.techniques.grid import BOX, COLUMN, ROW, CandidateGrid, merged
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text

SEVERAL = 3  # candidates of a cell from which on what follows from one of them, held or not, is looked at
DOUBLE, CELL, HOUSE, WRONG = 1, 5, 6, 7  # of equal size the lower is taken first


class Followed(NamedTuple):
    """What follows from a candidate that holds, or does not.

    true, false: by candidate that holds, or does not, all that it follows from, itself included, as a set in which the
        number of those that do not hold is higher by the number of all candidates; in the order in which they are found
    wrong: the same of a candidate that would hold and not hold, None if none was found
    """

    true: dict[int, int]
    false: dict[int, int]
    wrong: tuple[int, int] | None


class Conclusion(NamedTuple):
    """size: the candidates behind it; kind: DOUBLE to WRONG

    node, holds: what is concluded; reason: in words; behind: a set of candidates for each case
    """

    size: int
    kind: int
    node: int
    holds: bool
    reason: str
    behind: tuple[int, ...]


class Net:
    """The candidates of a grid, and what follows from each."""

    def __init__(self, advanced: bool, grid: CandidateGrid) -> None:
        """advanced: whether also by locked candidates, pairs and X-wings, where nothing else follows"""
        candidates, layout = grid.once(Candidates, Candidates), grid.layout
        self.grid, self.nodes, self.index = grid, candidates.nodes, candidates.index
        self._many = len(self.nodes)
        self._advanced = Advanced(grid, candidates.index) if advanced else None
        self._known: dict[tuple[int, bool], Followed] = {}
        self._cells, self._houses, self._after = (list[int](), list[tuple[int, ...]](), list[list[int]]())
        among = candidates.among
        order = [[group for group in layout.groups if group.kind == kind] for kind in (BOX, ROW, COLUMN)]
        groups = [group for kind in order for group in kind]
        for node, (value, cell) in enumerate(self.nodes):
            own = [self.index[other, cell] for other in members(grid.left[cell.bit_length() - 1])]
            self._cells.append(sum(1 << other for other in own))
            inside = [(among(value, group.cells), group.full) for group in groups if group.cells & cell]
            self._houses.append(tuple(places & ~(1 << node) for places, full in inside if full))
            self._after.append([*dict.fromkeys([*own, *(other for places, _ in inside for other in members(places))])])
            self._after[-1].remove(node)

    def follow(self, start: int, holds: bool) -> Followed:
        key = start, holds
        if key not in self._known:
            check_time()
            self._known[key] = self._follow(start, holds)
        return self._known[key]

    def _follow(self, start: int, holds: bool) -> Followed:
        true, false, gone = dict[int, int](), dict[int, int](), 0
        (true if holds else false)[start] = 1 << (start if holds else self._many + start)
        ahead_true, ahead_false = deque(true), deque(false)
        while True:
            if ahead_true:
                wrong = self._exclude(ahead_true.popleft(), true, false, ahead_false)
            elif ahead_false:
                node = ahead_false.popleft()
                wrong = self._fill(node, gone, true, false, ahead_true)
                gone |= 1 << node
            else:
                wrong = None
                for node, parents in self._advanced.exclusions(gone) if self._advanced else ():
                    if node not in false:
                        false[node] = self._behind(parents, false) | 1 << self._many + node
                        ahead_false.append(node)
                if not ahead_false:
                    return Followed(true, false, None)
            if wrong is not None:
                return Followed(true, false, wrong)

    def _exclude(
        self, node: int, true: dict[int, int], false: dict[int, int], ahead: deque[int]
    ) -> tuple[int, int] | None:
        """Add what a candidate that holds excludes, as far as to one that holds."""
        many, behind = self._many, true[node]
        for other in self._after[node]:
            if other in true:
                return true[other], behind | 1 << many + other
            if other not in false:
                false[other] = behind | 1 << many + other
                ahead.append(other)
        return None

    def _fill(
        self, node: int, gone: int, true: dict[int, int], false: dict[int, int], ahead: deque[int]
    ) -> tuple[int, int] | None:
        """Add what is alone in the cell or a house without one that does not hold, as far as to one of these."""
        found = list[tuple[int, int]]()
        for every in (self._cells[node] & ~(1 << node), *self._houses[node]):
            left = every & ~gone
            if left and not left & (left - 1):
                found.append((left.bit_length() - 1, false[node] | self._behind(every & gone, false)))
        for other, behind in found:
            if other in false:
                return behind | 1 << other, false[other]
            if other not in true:
                true[other] = behind | 1 << other
                ahead.append(other)
        return None

    def _behind(self, parents: int, false: dict[int, int]) -> int:
        behind = 0
        while parents:
            low = parents & -parents
            behind |= false[low.bit_length() - 1]
            parents ^= low
        return behind

    def conclusions(self) -> Iterator[Conclusion]:
        """All, in the order in which Sudoku Explainer finds them."""
        grid = self.grid
        for cell in members(grid.open):
            nodes = [self.index[value, 1 << cell] for value in members(grid.left[cell])]
            if len(nodes) < 2:
                continue
            for node in nodes:
                yield from self._of_one(node, len(nodes) >= SEVERAL)
                yield from self._of_houses(node)
            board = grid.layout.board
            reason = f"{board.label(cell)} is {values_text(board, grid.left[cell], 'or')}"
            yield from self._common(CELL, reason, [self.follow(node, True) for node in nodes])

    def _of_one(self, node: int, several: bool) -> Iterator[Conclusion]:
        true, false, text = (self.follow(node, True), self.follow(node, False), self.text(node))
        for holds, followed in ((True, true), (False, false)):
            if followed.wrong is not None:
                size = sum(map(int.bit_count, followed.wrong))
                reason = f"if {text} {'holds' if holds else 'does not hold'}, another does both"
                yield Conclusion(size, WRONG, node, not holds, reason, followed.wrong)
        if several:
            yield from self._common(DOUBLE, f"{text} holds or does not", [true, false])

    def _of_houses(self, node: int) -> Iterator[Conclusion]:
        """Those of the houses of which a candidate has the first place of its value."""
        grid, (value, cell) = self.grid, self.nodes[node]
        houses = [house for house in grid.layout.of[cell.bit_length() - 1] if house.full]
        for house in sorted(houses, key=lambda house: house.kind != BOX):
            places = grid.places[value] & house.cells
            if places & -places == cell and places != cell:
                board = grid.layout.board
                reason = f"{house.name} has {board.shown(value)} in one of {cells_text(board, places)}"
                each = [self.follow(self.index[value, 1 << place], True) for place in members(places)]
                yield from self._common(HOUSE, reason, each)

    def _common(self, kind: int, reason: str, cases: Sequence[Followed]) -> Iterator[Conclusion]:
        """What follows in each of some cases."""
        for holds in (True, False):
            sets = [case.true if holds else case.false for case in cases]
            for node in sets[0]:
                if all(node in some for some in sets[1:]):
                    behind = tuple(some[node] for some in sets)
                    yield Conclusion(sum(map(int.bit_count, behind)), kind, node, holds, reason, behind)

    def text(self, node: int) -> str:
        board, (value, cell) = self.grid.layout.board, self.nodes[node]
        return f"{board.shown(value)} in {board.label(cell.bit_length() - 1)}"

    def step(self, name: str, found: Conclusion) -> Step:
        value, cell = self.nodes[found.node]
        others = members(self.grid.left[cell.bit_length() - 1] & ~(1 << value))
        every = reduce(or_, (behind | behind >> self._many for behind in found.behind)) & (1 << self._many) - 1
        which = "" if found.kind == WRONG else f", and in each case {self.text(found.node)} {_does(found.holds)}"
        return Step(
            technique=name,
            because=f"{found.reason}{which}: {found.size} candidates that hold or do not lead there",
            placements=((cell.bit_length() - 1, value),) if found.holds else (),
            eliminations=tuple((other, cell) for other in others) if found.holds else ((value, cell),),
            pattern=merged(map(self.nodes.__getitem__, members(every))),
            size=found.size,
        )


def _does(holds: bool) -> str:
    return "holds" if holds else "does not hold"


def _search(advanced: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    net = Net(advanced, grid)
    for found in sorted(net.conclusions(), key=lambda one: (one.size, one.kind)):
        yield net.step(name, found)


STATEMENT = (
    "What follows from each candidate of a cell, from each place of a value in a house, or from a candidate that holds "
    "and that does not, holds; what leads to a contradiction does not. What has been excluded leaves new singles{}."
)

TECHNIQUES = (
    Technique(
        "dynamic forcing chain", Level.FORCING, partial(_search, False), STATEMENT.format(""), se=8.5, se_more=longer
    ),
    Technique(
        "dynamic forcing chain (plus)",
        Level.FORCING,
        partial(_search, True),
        STATEMENT.format(", locked candidates, pairs and X-wings"),
        se=9.0,
        se_more=longer,
    ),
)
