"""Marks on boards of other values than 1..N: the oracles say the same of shown values as the constraints."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from support import more_cell_oracles, more_oracles, own_oracles, variant_oracles
from support.variant_drawing import Drawing

import satdoku
from satdoku import Mark
from satdoku.constraints import shift_values
from satdoku.errors import PuzzleError
from satdoku.puzzle import Size
from satdoku.variants import REGIONS, Frame, Shape, build, kinds

ORACLES = {**variant_oracles.ORACLES, **more_oracles.ORACLES}
MAKERS = {**variant_oracles.MAKERS, **more_oracles.MAKERS}
assert {*more_cell_oracles.SIZES, *own_oracles.INSIDE} <= {*ORACLES, *variant_oracles.ORACLES}

BOXES = (Mark("boxes", value="2x3"),)
DRAWINGS = {
    "0-5": Drawing(6, BOXES, range(6)),
    "1-9": Drawing(6, BOXES, range(1, 10)),
    "3-8": Drawing(6, BOXES, range(3, 9)),
}
MARKS = 12
FILLINGS = 8


@pytest.mark.parametrize("values", DRAWINGS)
@pytest.mark.parametrize("kind", sorted(ORACLES.keys() - REGIONS))
def test_every_kind_means_what_its_sentence_says_of_shown_values(kind: str, values: str) -> None:
    drawing = DRAWINGS[values]
    frame, rng = Frame(drawing.board_size, drawing.marks), Random(f"{kind} {values}")
    first = drawing.digits[0]
    compared = refused = 0
    for _ in range(3 if kinds()[kind].shape is Shape.RULE else MARKS):
        fillings = [{cell: drawing.digit(rng) for cell in drawing.positions} for _ in range(FILLINGS)]
        fillings += [{cell: rng.choice(drawing.digits[:2]) for cell in drawing.positions} for _ in range(FILLINGS)]
        mark = MAKERS[kind](rng, drawing, fillings[rng.randrange(2 * FILLINGS)])
        whole = replace(drawing, marks=(*drawing.marks, mark))
        try:
            rules = list(kinds()[kind].lower(replace(frame, marks=whole.marks), mark))
        except PuzzleError:
            refused += 1
            continue
        compared += 1
        for at in fillings:
            grid = [at[position] for position in drawing.positions]
            said = ORACLES[kind](whole, mark, at)
            assert all(rule.holds(grid) for rule in rules) == said, (mark, at)
            inner = [value - first + 1 for value in grid]
            assert all(shift_values(rule, 1 - first).holds(inner) for rule in rules) == said
    assert compared or (refused and kind in ("anti-taxicab", "flatmates", *more_oracles.RULES))


@pytest.mark.parametrize(
    ("size", "mark", "message"),
    [
        (Size.of(9, values=range(9)), Mark("anti-taxicab"), "anti-taxicab: a board with the value 0"),
        (Size.of(9, values=range(9)), Mark("flatmates"), "flatmates: value None: expected three digits"),
        (Size.of(6, 8), Mark("diagonal+"), "a diagonal needs as many rows as columns, and this board is 6x8"),
        (Size.of(6, 8), Mark("windoku"), "this rule needs boxes of one shape"),
        (Size.of(2, 6), Mark("rossini", ((0, 1),), value="D"), "a line of 2 cells at r0c1: expected three or more"),
        (Size.of(6, 8), Mark("sandwich", ((0, 9),), value=3), "a clue at r0c9 is not beside a row or column"),
        (Size.of(6, 8), Mark("boxes", value="3x3"), "boxes of 3x3 do not tile a 6x8 grid"),
        (Size.of(6, 8), Mark("cage", ((7, 1),)), "r7c1 is outside the 6x8 grid"),
    ],
)
def test_what_a_board_cannot_have_is_refused_by_name(size: Size, mark: Mark, message: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        build(size, (mark,))
    assert message in str(caught.value)


class TestRectangles:
    """Boards that are not square: whole counts beside a plain walk over the grids."""

    GRIDS = satdoku.solve(satdoku.build(size="3x4", boxes=None), limit=None).array().reshape(-1, 3, 4).tolist()

    @pytest.mark.parametrize(
        ("mark", "holds"),
        [
            (Mark("anti-knight"), lambda g: all(g[r][c] != g[r + 1][d] for r in (0, 1) for c in range(4)
                for d in (c - 2, c + 2) if 0 <= d < 4) and all(g[0][c] != g[2][d] for c in range(4)
                for d in (c - 1, c + 1) if 0 <= d < 4)),
            (Mark("sandwich", ((0, 4),), value=2), lambda g: [g[0][3], g[1][3], g[2][3]] in ([1, 2, 4], [4, 2, 1])),
            (Mark("skyscraper", ((2, 5),), value=1), lambda g: g[1][3] == 4),
            (Mark("little-killer", ((0, 0),), (((1, 1), (2, 2), (3, 3)),), 5),
                lambda g: g[0][0] + g[1][1] + g[2][2] == 5),
            (Mark("cage", ((1, 4), (2, 4)), value=7), lambda g: g[0][3] + g[1][3] == 7),
            (Mark("nonconsecutive"), lambda g: all(abs(g[r][c] - g[r][c + 1]) != 1 for r in range(3) for c in range(3))
                and all(abs(g[r][c] - g[r + 1][c]) != 1 for r in (0, 1) for c in range(4))),
            (Mark("column-indexer", ((1, 4),)), lambda g: g[0][g[0][3] - 1] == 4),
            (Mark("row-indexer", ((3, 4),)), lambda g: g[2][3] <= 3 and g[g[2][3] - 1][3] == 3),
            (Mark("x-sum", ((0, 1),), value=3), lambda g: g[0][0] <= 3 and sum(g[r][0] for r in range(g[0][0])) == 3),
        ],
        ids=lambda part: part.kind if isinstance(part, Mark) else "",
    )  # fmt: skip
    def test_a_mark_leaves_the_grids_that_it_should(self, mark: Mark, holds) -> None:  # type: ignore[no-untyped-def]
        expected = sum(map(holds, self.GRIDS))
        puzzle = satdoku.build(size="3x4", boxes=None, marks=[mark])
        assert satdoku.count(puzzle, limit=None, backend="cadical153").count == expected
        assert len(self.GRIDS) == 576
