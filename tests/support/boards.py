"""Small boards that marks are drawn on, and grids of them."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import MarkedSquare, Values, grids
from support.oracles import BEYOND_THE_GRID, ORACLES


def boxes(shape: str) -> tuple[Mark, ...]:
    return (Mark("boxes", value=shape),)


def jigsaw(*rows: str) -> tuple[Mark, ...]:
    """Regions drawn with one letter a cell."""
    cells: dict[str, list[Position]] = {}
    for row, letters in enumerate(rows, 1):
        for column, letter in enumerate(letters, 1):
            cells.setdefault(letter, []).append((row, column))
    return tuple(Mark("region", tuple(region)) for region in cells.values())


BOXED = MarkedSquare(4, boxes("2x2"))
LATIN = MarkedSquare(4)
JIGSAW = MarkedSquare(4, jigsaw("aaab", "cabb", "ccdb", "cddd"))
FIVE = MarkedSquare(5)
FIVE_JIGSAW = MarkedSquare(5, jigsaw("aaabb", "aabbb", "ccdde", "ccdde", "cdeee"))
SIX = MarkedSquare(6, boxes("2x3"))


ON_A_GRID = sorted(ORACLES.keys() - BEYOND_THE_GRID)
"""The kinds of marks whose constraints are about the cells of the grid alone."""

NEED_BOXES = {"windoku", "disjoint-groups", "disjoint-group", "outside", "frame-sum", "roping"}
NEED_REGIONS = {"box-indexer", "negative-box-indexer", "region-sum"}


def drawable(kind: str, base: MarkedSquare) -> bool:
    """Whether marks of a kind can be on a board."""
    drawn = {mark.kind for mark in base.marks}
    if kind in NEED_BOXES:
        return "boxes" in drawn
    if kind in NEED_REGIONS:
        return bool(drawn)
    if kind in ("boxes", "region"):
        return not drawn and (kind == "region" or base.size in (4, 6))
    return True


@cache
def samples(base: MarkedSquare) -> list[Values]:
    """Grids of a board: all of a 4x4, else some of those that begin with a random row."""
    if base.size == 4:
        return list(grids(base, {}))
    rng = Random(base.size)
    found: list[Values] = []
    # What anti-king and nonconsecutive ask for: each row is the one above it shifted.
    for down, right in ((2, 1), (2, 2)):
        shifted = {(row, column): (down * row + right * column) % base.size + 1 for row, column in base.positions}
        found += grids(base, shifted)
    for _ in range(10):
        columns = rng.sample(base.positions[: base.size], base.size)
        first = {position: value for value, position in enumerate(columns, 1)}
        found += islice(grids(base, first), 0, 300, 30)
    return found
