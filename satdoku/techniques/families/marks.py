"""One mark, with the AllDifferents between its own cells: the combinations that are left to it."""

from __future__ import annotations

from collections.abc import Iterator

from satdoku.techniques.combined import left_by
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.marks import IMPLIED, joint_of_part, mark_parts
from satdoku.techniques.step import Level, Step, Technique

NAMED: dict[str, tuple[str, ...]] = {
    "cage combinations": ("cage", "multisum-cage", "digital-root", "product", "sum", "quad-sum"),
    "innies and outies": (IMPLIED,),
    "thermometer": ("thermometer", "slow-thermometer", "odd-even-thermometer", "greater-than"),
    "minimum and maximum": ("minimum", "maximum"),
    "relation of neighbours": (
        "difference", "ratio", "xv", "pair", "pair-all", "edge-sum", "edge-product",
        "negative-difference", "negative-ratio", "negative-sum", "negative-xv", "negative-rossini",
        "nonconsecutive", "diagonal-nonconsecutive", "anti-taxicab", "anti-queen", "knightmare",
    ),
    "relations along a line": (
        "whispers", "nabner", "entropic", "modular", "modular-by", "unimodular", "parity-line", "high-low-line",
        "between", "lockout", "same-difference", "arithmetic",
    ),
    "arrow combinations": (
        "arrow", "double-arrow", "average-arrow", "product-arrow", "zipper", "region-sum", "sum-line", "product-sum",
        "split-pea", "magnet-sum", "equal-sum", "different-sum",
    ),
    "renban sets": ("renban",),
    "little killer combinations": ("little-killer", "little-killer-product", "little-killer-look-and-say"),
    "sandwich combinations": ("sandwich", "x-sum", "battlefield", "before-nine", "lunchbox", "frame-sum"),
    "clones": ("clone", "palindrome", "same-values", "doppelganger", "region-same-values"),
    "counting circles": ("counting-circles",),
    "counted digits": (
        "quadruple", "negative-quadruple", "look-and-say", "contain-exact", "counting-line", "count-distinct", "count",
        "odd-count", "even-count", "odd-lots", "even-lots", "equality-cage", "connected-values", "connected-group",
    ),
    "indexing cells": (
        "row-indexer", "column-indexer", "box-indexer", "159", "negative-row-indexer", "negative-column-indexer",
        "negative-box-indexer", "index-line", "value-index", "numbered-room", "successor-arrow",
    ),
    "views from the edge": (
        "skyscraper", "skyscraper-sum", "skyscraper-line", "hidden-skyscraper", "first-seen", "rossini", "outside",
    ),
    "ranked lines": ("full-rank",),
    "shaded cells": (
        "yin-yang", "star-battle", "shading", "japanese-sum", "connected-shading", "loop", "nurikabe", "cave",
    ),
    "modified cells": ("modifiers", "schroedinger"),
}  # fmt: skip
"""The techniques that look at marks of some kinds."""

STATEMENTS = {
    "cage combinations": "The sets of digits that a cage or a sum can still have, in the orders that its cells allow.",
    "innies and outies": "The digits of a house sum to a known total: what the cages that fill houses leave to the "
    "cells inside or outside them.",
    "thermometer": "Each digit of a thermometer leaves room for those below and above it.",
    "minimum and maximum": "A cell that is less, or more, than its neighbours leaves room for them.",
    "relation of neighbours": "Two cells beside each other are in a relation, such as a difference, a sum or the lack "
    "of one: a digit that has no partner is excluded.",
    "relations along a line": "Each digit of a line such as a whisper needs a way to fill the line.",
    "arrow combinations": "The sums that both sides of an arrow, or of a line of sums, can still reach, and those of "
    "groups that are compared.",
    "renban sets": "The runs of consecutive digits that a renban line can still have.",
    "little killer combinations": "The digits of a diagonal that reach its total.",
    "sandwich combinations": "The digits of a row or column that reach the total of a clue beside it.",
    "clones": "Cells that are copies of each other have the same candidates.",
    "counting circles": "The digits in circles are as many as they say: the sets that can be in all circles.",
    "counted digits": "How often certain digits, or odd and even ones, are in the cells of a mark.",
    "indexing cells": "A digit that says where another stands: each place that it can name must be able to hold that "
    "digit, and each place of the digit must be one that it can name.",
    "views from the edge": "What a clue beside the grid sees of its row or column: digits that are greater than all "
    "before them, the first odd one, digits in the first region.",
    "ranked lines": "Rows and columns read as numbers, of which a clue says the rank.",
    "modified cells": "Cells that count something else than their digit, or hold two: how many of them a house has, "
    "and each digit once.",
    "shaded cells": "Which cells are shaded, as one mark of shaded cells says: their number, sums, windows or ways.",
}
OF_KIND = {kind: name for name, kinds in NAMED.items() for kind in kinds}
IN_HOUSES = "mark in its houses"


def _combinations(name: str, grid: CandidateGrid) -> Iterator[Step]:
    for part in mark_parts(grid.layout.board):
        if OF_KIND.get(part.kind, IN_HOUSES) == name:
            yield from left_by(grid, name, (name, part.number), joint_of_part(grid.layout, part), (part,))


def _in_houses(name: str, grid: CandidateGrid) -> Iterator[Step]:
    peers, cells = grid.layout.peers, grid.layout.cells
    for part in mark_parts(grid.layout.board):
        if part.kind in OF_KIND or not any(peers[cell] & part.bits for cell in part.cells if cell < cells):
            continue
        yield from left_by(grid, name, (name, part.number), joint_of_part(grid.layout, part), (part,))


TECHNIQUES = (
    *(
        Technique(name, Level.LOCKED, _combinations, STATEMENTS[name], limits="marks of its kinds", of_marks=True)
        for name in NAMED
    ),
    Technique(
        IN_HOUSES,
        Level.SUBSETS,
        _in_houses,
        "A mark, with the rule that its cells which see each other differ: its cells lose the values that occur in no "
        "way to keep both.",
        limits="marks of which no other technique has the name",
        of_marks=True,
    ),
)
