"""Constraints that are not AllDifferents, one looked at by itself: what it leaves to its cells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from satdoku.constraints import Constraint, Linear
from satdoku.limits import check_time
from satdoku.puzzle import Board, members
from satdoku.techniques.families.marks import OF_KIND
from satdoku.techniques.grid import CandidateGrid, cell_set, merged
from satdoku.techniques.marks import connections, mark_parts
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.support import on_ways, support
from satdoku.techniques.words import cells_text, values_text
from satdoku.words import joined

MAX_SUBSETS = 20_000  # sets of values that a sum of cells that differ is looked at with; beyond, its bounds alone
MAX_SHOWN = 6  # combinations of values that a sentence names

OTHER = "other constraint"


def _alone(every: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """The first constraint that excludes something. One whose cells have not changed since is not looked at again.

    every: whether also of marks that have techniques of their own
    """
    own = () if every else grid.layout.known(OTHER, lambda: _of_own(grid.layout.board))
    for index, rule in enumerate(grid.layout.board.others):
        if rule.name in own:
            continue
        cells = tuple(dict.fromkeys(rule.cells))
        before = tuple(grid.left[cell] for cell in cells)
        if grid.seen.get(index) == before:
            continue
        check_time()
        after = _sums(rule, grid) if isinstance(rule, Linear) else None
        if after is None:
            after = support(rule)(grid.left)
        if tuple(after) == before:
            grid.seen[index] = before
            continue
        each = [*zip(cells, before, after, strict=True)]
        lost = merged((value, 1 << cell) for cell, old, new in each for value in members(old & ~new))
        shown = [(cell, old) for cell, old, _ in each if cell < grid.layout.cells]
        pattern = merged((value, 1 << cell) for cell, old in shown for value in members(old))
        why = _text(grid, rule, cells, after)
        yield Step(technique=name, because=why, eliminations=lost, pattern=pattern, houses=(rule.name,))


def _of_own(board: Board) -> frozenset[str]:
    """The constraints of marks that a technique looks at by their name."""
    hidden = {cell for linked in connections(board) for cell in linked.hidden}
    connecting = (rule.name for rule in board.others if hidden and not hidden.isdisjoint(rule.cells))
    named = (rule.name for part in mark_parts(board) if part.kind in OF_KIND for rule in part.rules)
    return frozenset((*connecting, *named))


def _sums(rule: Linear, grid: CandidateGrid) -> list[int] | None:
    """The values of the cells of a sum that occur in some way to reach it; None unless they differ and are few."""
    if not _differ(rule, grid):
        return None
    allowed = [grid.left[cell] for cell in rule.cells]
    return on_ways(0, _with_another, lambda taken: sum(members(taken)) == rule.total, allowed, MAX_SUBSETS)


def _differ(rule: Linear, grid: CandidateGrid) -> bool:
    cells, peers = rule.cells, grid.layout.peers
    if set(rule.coefficients) != {1} or max(cells) >= grid.layout.cells:
        return False
    return all(peers[one] >> two & 1 for one, two in combinations(cells, 2))


def _with_another(taken: int, value: int) -> int | None:
    """The set of values with one more; None if it is taken."""
    return None if taken >> value & 1 else taken | 1 << value


def _text(grid: CandidateGrid, rule: Constraint, cells: tuple[int, ...], after: list[int]) -> str:
    """What the constraint leaves: the combinations of a sum if they are few, else the values of each cell."""
    board = grid.layout.board
    if isinstance(rule, Linear) and _differ(rule, grid):
        sets = _combinations(rule, after)
        if 0 < len(sets) <= MAX_SHOWN:
            texts = ["+".join(str(board.shown(value)) for value in sorted(each)) for each in sets]
            return f"{rule.name} can only be {joined(texts).replace(' and ', ' or ')}"
    left = [
        f"{cells_text(board, cell_set([cell]))} {values_text(board, allowed, 'or') or 'nothing'}"
        for cell, allowed in zip(cells, after, strict=True)
        if cell < board.cells
    ]
    return f"{rule.name} by itself leaves {', '.join(left) or 'its hidden cells less'}"


def _combinations(rule: Linear, after: list[int]) -> list[frozenset[int]]:
    """The sets of values with the total, at most one more than a sentence names."""
    combinations_left: dict[frozenset[int], None] = {}

    def go(index: int, taken: tuple[int, ...], left: int) -> None:
        if len(combinations_left) > MAX_SHOWN or left < 0:
            return
        if index == len(after):
            if not left:
                combinations_left[frozenset(taken)] = None
            return
        for value in members(after[index]):
            if value not in taken:
                go(index + 1, (*taken, value), left - value)

    go(0, (), rule.total)
    return list(combinations_left)


STATEMENT = (
    "A mark of which no other technique has the name, looked at by itself: its cells lose the values that occur in no "
    "way to keep it."
)
EVERY = Technique(OTHER, Level.LOCKED, partial(_alone, True), STATEMENT)
"""The same for every mark, constraint by constraint: what forcing uses."""

TECHNIQUES = (Technique(OTHER, Level.LOCKED, partial(_alone, False), STATEMENT, of_marks=True),)
