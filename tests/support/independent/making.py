"""Whole 9x9 puzzles at random, as f-puzzles JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from support.independent.board import Cells, Mark, Puzzle, boxes
from support.independent.drawing import WHOLE, Entry, Pen, companions, draw, text_of
from support.independent.solving import random_solution

FREE = (frozenset(range(1, 10)),) * 81
SWAPS = 60


def make(kinds: Sequence[str], rng: Random) -> dict[str, Any]:
    """A 9x9 puzzle with marks of these kinds and some givens, of which some have a wrong one."""
    jigsaw = "disjointgroups" not in kinds and rng.random() < 0.25
    plain = Puzzle(9, 9, 9, boxes(9, 9, 3, 3), allowed=FREE)
    plain = replace(plain, regions=irregular(plain, rng)) if jigsaw else plain
    rules = tuple(Mark(kind) for kind in kinds if kind in WHOLE and not negative(kind))
    grid = random_solution(replace(plain, marks=rules), rng) or random_solution(plain, rng)
    assert grid is not None
    entries: list[tuple[str, Entry | None]] = []
    pen = Pen(rng, plain, grid)
    for kind in kinds:
        for _ in range(1 if kind in WHOLE else rng.randint(1, 4)):
            entry, marks = draw(kind, pen)
            entries.append((kind, entry))
            pen = replace(pen, puzzle=replace(pen.puzzle, marks=(*pen.puzzle.marks, *marks)))
        entries += companions(kind, pen)
    shown = list(FREE)
    for cell in rng.sample(range(81), rng.randint(8, 36)):
        shown[cell] = frozenset({grid[cell]}) if rng.random() < 0.9 else frozenset({grid[cell], rng.randint(1, 9)})
    if rng.random() < 0.15:
        shown[rng.randrange(81)] = frozenset({rng.randint(1, 9)})
    return text_of(replace(plain, allowed=tuple(shown)), entries, jigsaw)


def negative(kind: str) -> bool:
    """Whether dots can be drawn in any grid so that the rule holds."""
    return kind == "nonconsecutive" or kind.startswith("negative ")


def irregular(plain: Puzzle, rng: Random) -> tuple[Cells, ...]:
    """Boxes that have exchanged cells, each still in one piece."""
    regions = [set(region) for region in plain.regions]
    for _ in range(SWAPS):
        one, other = rng.sample(regions, 2)
        given, taken = rng.choice(sorted(one)), rng.choice(sorted(other))
        first, second = one - {given} | {taken}, other - {taken} | {given}
        if connected(plain, first) and connected(plain, second):
            one ^= {given, taken}
            other ^= {given, taken}
    return tuple(tuple(sorted(region)) for region in regions)


def connected(puzzle: Puzzle, cells: set[int]) -> bool:
    reached, ahead = set[int](), {min(cells)}
    while ahead:
        reached |= ahead
        ahead = {near for cell in ahead for near in puzzle.around(cell)} & cells - reached
    return reached == cells
