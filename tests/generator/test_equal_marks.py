"""Puzzles with marks of each kind are equal to what moves of the board make of them, and to no others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from support.oracles import ORACLES
from support.turned import HALF_TURN, MOVES, REFLECTION, TRANSPOSITION, moved, place, turned

import satdoku
from satdoku.generator.invent import MarksRecipe
from satdoku.generator.layouts import marks_for, rules, without_recipe
from satdoku.generator.makers import RULES
from satdoku.puzzle import Mark, Puzzle
from satdoku.symmetries import marked_digest
from satdoku.variants import Shape, kinds
from satdoku.variants.boxes import Box

DRAWN = sorted(set(kinds()) - set(without_recipe()) - set(RULES))
DRAWING = MarksRecipe(("cage",), box=Box(2, 3)).drawing
SIDE = DRAWING.size
AT = dict(zip(DRAWING.positions, next(satdoku.generate(satdoku.classic(2, 3), seed=5)).solution, strict=True))


FORMED = (Shape.CELLS, Shape.LINE, Shape.GROUPS)
"""Of marks of these shapes the cells may be named in another order, and most of them say the same then."""
ORDERED = {
    *("count-distinct", "even-lots", "greater-than", "index-line", "lunchbox", "magnet-sum", "odd-even-thermometer"),
    *("odd-lots", "pair", "pair-all", "regex", "skyscraper-line", "slow-thermometer", "successor-arrow", "sum"),
    *("thermometer", "value-index"),
}
COUNTED = {"159", "disjoint-group", "flatmates", "windoku", "negative-box-indexer"}
COUNTED |= {"negative-row-indexer", "negative-column-indexer", "row-indexer", "column-indexer", "box-indexer"}
"""What counts from the top left, or says what is above: another puzzle on a board that is moved."""


def built(*marks: Mark) -> Puzzle:
    return satdoku.build(size=SIDE, marks=[*DRAWING.marks, *marks], givens={(1, 2): AT[1, 2]})


PLAIN = marked_digest(built())


@cache
def drawn(kind: str) -> list[Mark]:
    """The first marks of the kind that are drawn and say something."""
    for number in range(9):
        found = marks_for([kind], DRAWING, Random(f"{kind} {number}"), AT)
        assert not isinstance(found, str), found
        # Two cells of a bulb are a number with two digits, which are read as they stand.
        marks = [mark for mark in found if kind != "arrow" or len(mark.cells) == 1]
        if marked_digest(built(*marks)) != PLAIN:
            return marks
    raise AssertionError(f"marks of {kind} that say nothing")


@pytest.mark.parametrize("kind", sorted(set(DRAWN) - COUNTED))
def test_marks_that_are_moved(kind: str) -> None:
    marks = drawn(kind)
    puzzle = built(*marks)
    assert {marked_digest(turned(puzzle, move)) for move in MOVES} == {marked_digest(puzzle)}
    for move in MOVES:  # that what is moved is the same rule
        drawing = replace(DRAWING, marks=tuple(moved(mark, SIDE, move) for mark in puzzle.board.marks))
        at = {place(cell, SIDE, move): value for cell, value in AT.items()}
        assert all(ORACLES[mark.kind](drawing, mark, at) for mark in drawing.marks[len(DRAWING.marks) :])


@pytest.mark.parametrize(
    "kind", [kind for kind in DRAWN if kinds()[kind].shape in FORMED and kind not in ORDERED | COUNTED]
)
def test_marks_whose_cells_are_named_in_another_order(kind: str) -> None:
    marks = drawn(kind)
    others = [
        replace(mark, cells=tuple(sorted(mark.cells)[::-1]), lines=tuple(line[::-1] for line in mark.lines))
        for mark in marks
    ]
    assert marked_digest(built(*others)) == marked_digest(built(*marks))


@pytest.mark.parametrize("kind", ["row-indexer", "negative-row-indexer"])
def test_rows_as_columns(kind: str) -> None:
    puzzle = built(*(drawn(kind) if kind in DRAWN else rules([kind], Random(kind), SIDE)))
    assert marked_digest(turned(puzzle, TRANSPOSITION)) == marked_digest(puzzle)
    assert marked_digest(turned(puzzle, REFLECTION)) != marked_digest(turned(puzzle, HALF_TURN))


@pytest.mark.parametrize("kind", sorted(set(RULES) - COUNTED))
def test_rules_of_the_whole_board(kind: str) -> None:
    marks = drawn("cage")
    puzzle = built(*rules([kind], Random(kind), SIDE), *marks)
    assert all(marked_digest(turned(puzzle, move)) == marked_digest(puzzle) for move in MOVES)
    assert marked_digest(built(*marks)) != marked_digest(puzzle)
