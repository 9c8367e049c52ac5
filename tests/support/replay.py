"""What a step of marks says, replayed by brute force."""

from __future__ import annotations

from itertools import product
from math import prod

from satdoku.puzzle import members
from satdoku.techniques.families import exclusion, marks, together
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.marks import mark_parts
from satdoku.techniques.step import Step

OF_MARKS = {technique.name for family in (exclusion, marks, together) for technique in family.TECHNIQUES}
"""Techniques whose steps name all constraints that they rest on, but that cells which see each other differ."""
MAX_WAYS = 30_000  # assignments that are tried for one step


def excluded(step: Step) -> list[tuple[int, int]]:
    return [(cell, value) for value, cells in step.eliminations for cell in members(cells)]


def replay(grid: CandidateGrid, step: Step) -> bool | None:
    """Whether what is excluded occurs in no way to keep what the step names; None where there are too many ways."""
    board = grid.layout.board
    named = [rule for rule in board.constraints if rule.name in step.houses]
    # A mark that counts cells is named without what says what each of them counts.
    named += (rule for part in mark_parts(board) if part.name in step.houses for rule in part.rules)
    own = {cell for _, cells in step.pattern for cell in members(cells)} | {cell for cell, _ in excluded(step)}
    own |= {cell for rule in named for cell in rule.cells}
    cells = sorted(own)
    if prod(grid.left[cell].bit_count() for cell in cells) > MAX_WAYS:
        return None
    values, lost = [0] * len(grid.left), set(excluded(step))
    pairs = [(a, b) for a in cells for b in cells if a < b < board.cells and grid.layout.peers[a] >> b & 1]
    for way in product(*(tuple(members(grid.left[cell])) for cell in cells)):
        for cell, value in zip(cells, way, strict=True):
            values[cell] = value
        if lost.isdisjoint(zip(cells, way, strict=True)) or any(values[a] == values[b] for a, b in pairs):
            continue
        if all(rule.holds(values) for rule in named):
            return False
    return True
