"""What a mark may not be: outside the grid, made of the wrong parts, with a value that is none."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from support.variant_boards import BOXED, samples
from support.variant_oracles import ORACLES, draw

from satdoku import Mark, PuzzleError
from satdoku.variants import Shape, build, kinds

KINDS = sorted(ORACLES)

OUTSIDE = {
    Shape.CELL: Mark("", ((5, 1),)),
    Shape.CELLS: Mark("", ((4, 4), (4, 5))),
    Shape.LINE: Mark("", lines=(((1, 1), (0, 1), (1, 2)),)),
    Shape.ARROW: Mark("", ((1, 1),), (((1, 2), (1, 5)),)),
    Shape.CLONE: Mark("", ((1, 1),), (((0, 1),),)),
    Shape.CLUE: Mark("", ((0, 0),)),
    Shape.DIAGONAL: Mark("", ((0, 4),), (((1, 5),),)),
}
"""A mark of each shape that leaves a 4x4 grid."""

VALUES = {"quadruple": "1", "xv": "V", "boxes": "2x2"}

MADE_WRONG = {
    Shape.RULE: (Mark("", ((1, 1),)), Mark("", lines=(((1, 1), (1, 2)),))),
    Shape.CELL: (Mark(""), Mark("", ((1, 1), (1, 2))), Mark("", ((1, 1),), (((1, 2),),))),
    Shape.CELLS: (Mark(""), Mark("", ((1, 1), (1, 2)), (((1, 3),),))),
    Shape.LINE: (
        Mark(""),
        Mark("", lines=((),)),
        Mark("", ((1, 1),), (((1, 2), (1, 3)),)),
        Mark("", lines=(((1, 1),),) * 2),
    ),
    Shape.ARROW: (Mark(""), Mark("", (), (((1, 1),),)), Mark("", ((1, 1),), ((),))),
    Shape.CLONE: (Mark("", ((1, 1),)), Mark("", ((1, 1),), (((1, 2), (1, 3)),)), Mark("", ((1, 1),), (((1, 2),),) * 2)),
    Shape.CLUE: (Mark(""), Mark("", ((0, 1), (0, 2))), Mark("", ((1, 1),)), Mark("", ((0, 5),))),
    Shape.DIAGONAL: (Mark("", ((0, 1),)), Mark("", (), (((1, 1),),)), Mark("", ((0, 1),), ((),))),
}
"""Marks that lack something or have too much of it."""


def valued(kind: str, mark: Mark) -> Mark:
    """The mark as one of that kind, with a value that is none of its faults."""
    return replace(mark, kind=kind, value=VALUES.get(kind, 1) if kinds()[kind].value else None)


def refused(size: int, *marks: Mark) -> str:
    with pytest.raises(PuzzleError) as caught:
        build(size, marks)
    return str(caught.value)


class TestErrors:
    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kinds()[kind].shape is not Shape.RULE])
    def test_a_mark_outside_the_grid(self, kind: str) -> None:
        mark = valued(kind, OUTSIDE[kinds()[kind].shape])
        if kind == "region":
            mark = replace(mark, cells=((1, 1), (1, 2), (1, 3), (1, 5)))
        message = refused(4, *BOXED.marks, mark)
        assert message.startswith(f"{kind}: ")
        assert "outside the 4x4 grid" in message or "not beside a row or column" in message

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_mark_that_is_made_of_the_wrong_parts(self, kind: str) -> None:
        for mark in MADE_WRONG[kinds()[kind].shape]:
            assert refused(4, *BOXED.marks, valued(kind, mark)).startswith(f"{kind}: ")

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kinds()[kind].value and kind != "boxes"])
    def test_a_value_that_is_none(self, kind: str) -> None:
        rng = Random(kind)
        mark = draw(kind, rng, BOXED, samples(BOXED)[0])
        wrong: list[int | str | None] = ["Y", "1.5", ""]
        if kinds()[kind].value.required:  # type: ignore[union-attr]
            wrong.append(None)
        for value in wrong:
            message = refused(4, *BOXED.marks, replace(mark, value=value))
            assert message.startswith(f"{kind}: ")
            assert "expected" in message

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if not kinds()[kind].value and kind != "region"])
    def test_a_value_where_the_rule_takes_none(self, kind: str) -> None:
        mark = replace(draw(kind, Random(kind), BOXED), value=3)
        assert refused(4, *BOXED.marks, mark) == f"{kind}: value 3: this rule takes none"

    @pytest.mark.parametrize(
        ("mark", "message"),
        [
            (Mark("knights"), "no rule is known under the name 'knights'"),
            (Mark("boxes", value="2x3"), "boxes: boxes of 2x3 do not tile a 4x4 grid"),
            (Mark("boxes", value="two"), "boxes: box 'two': expected RxC, rows x columns, such as 3x3 or 2x3"),
            (Mark("region", ((1, 1), (1, 2))), "region: 2 cells at r1c1: expected 4"),
            (Mark("windoku"), "windoku: this rule needs boxes of one shape, and the board has none"),
            (Mark("disjoint-groups"), "disjoint-groups: this rule needs boxes of one shape, and the board has none"),
            (Mark("box-indexer", ((1, 1),)), "box-indexer: r1c1 is in no box or region"),
            (Mark("region-sum", lines=(((1, 1), (1, 2)),)), "region-sum: r1c1 is in no box or region"),
            (Mark("cage", ((2, 2), (2, 2)), value=4), "cage: cage at r2c2: a cell occurs twice"),
            (Mark("difference", ((1, 1), (1, 2), (1, 3))), "difference: 3 cells at r1c1: expected two"),
            (Mark("xv", ((1, 1),), value="X"), "xv: 1 cells at r1c1: expected two"),
            (Mark("xv", ((1, 1), (1, 2)), value="L"), "xv: 'L' at r1c1: expected X or V"),
            (
                Mark("quadruple", ((1, 1),), value="3 5"),
                "quadruple: value '3 5': expected one or more of 1..4, with blanks between",
            ),
            (
                Mark("double-arrow", lines=(((1, 1),),)),
                "double-arrow: the line at r1c1 has one cell: expected two or more",
            ),
            (Mark("clone", ((1, 1), (1, 2)), (((2, 1),),)), "clone: 2 cells at r1c1, but 1 in their copy"),
            (Mark("sandwich", ((0, 1),)), "sandwich: no value: expected a whole number"),
            (
                Mark("sandwich", ((2, 2),), value=3),
                "sandwich: a clue at r2c2 is not beside a row or column of the grid",
            ),
            (Mark("odd", ((1, 1), (1, 2))), "odd: 2 cells and 0 lines: expected one cell and no line"),
            (Mark("renban", lines=((),)), "renban: 0 cells and 1 lines, some empty: expected one line and no cells"),
        ],
    )
    def test_messages(self, mark: Mark, message: str) -> None:
        assert refused(4, mark) == message
