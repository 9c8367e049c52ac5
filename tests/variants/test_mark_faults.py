"""What a mark may not be: outside the grid, made of the wrong parts, with a value that is not one of its kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from support.boards import BOXED, ON_A_GRID, samples
from support.oracles import draw

from satdoku import Mark, PuzzleError
from satdoku.puzzle import Size
from satdoku.variants import REGIONS, Shape, build, kinds

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
    Shape.GROUPS: (Mark(""), Mark("", ((1, 1),)), Mark("", lines=((),))),
    Shape.BOARD: (Mark("", value="4x4"), Mark("", ((1, 1), (1, 2)), value="4x4"), Mark("", ((1, 1),), value="four")),
    Shape.MARKS: (Mark(""), Mark("", ((1, 1),), marks=(Mark("odd", ((1, 1),)),))),
    Shape.DIAGONAL: (Mark("", ((0, 1),)), Mark("", (), (((1, 1),),)), Mark("", ((0, 1),), ((),))),
}
"""Marks that lack something or have too much of it."""


def refused(size: int | Size, *marks: Mark) -> str:
    with pytest.raises(PuzzleError) as caught:
        build(size, marks)
    return str(caught.value)


@cache
def drawn(kind: str) -> Mark:
    return draw(kind, Random(kind), BOXED, samples(BOXED)[7])


def below(mark: Mark) -> Mark:
    """The mark, and those inside it, four rows lower."""
    lines = tuple(tuple((row + 4, column) for row, column in line) for line in mark.lines)
    cells = tuple((row + 4, column) for row, column in mark.cells)
    return replace(mark, cells=cells, lines=lines, marks=tuple(map(below, mark.marks)))


@pytest.mark.parametrize("kind", [kind for kind in ON_A_GRID if kinds()[kind].shape is not Shape.RULE])
def test_a_mark_outside_the_grid(kind: str) -> None:
    mark = drawn(kind)
    outside = replace(mark, cells=((0, 0),)) if kinds()[kind].shape is Shape.CLUE else below(mark)
    message = refused(4, *BOXED.marks, outside)
    assert message.startswith(f"{kind}: ")
    assert "outside the 4x4 grid" in message or "not beside a row or column" in message


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_a_mark_that_is_made_of_the_wrong_parts(kind: str) -> None:
    for mark in MADE_WRONG[kinds()[kind].shape]:
        assert refused(4, *BOXED.marks, replace(mark, kind=kind)).startswith(f"{kind}: ")


@pytest.mark.parametrize("kind", [kind for kind in ON_A_GRID if kinds()[kind].value and kind not in REGIONS])
def test_a_value_that_is_not_one_of_its_kind(kind: str) -> None:
    value = kinds()[kind].value
    assert value is not None
    for wrong in ("Y", "1.5", "", "1 x", *([None] if value.required else [])):
        message = refused(4, *BOXED.marks, replace(drawn(kind), value=wrong))
        assert message.startswith(f"{kind}: "), wrong
        assert "expected" in message


@pytest.mark.parametrize("kind", [kind for kind in ON_A_GRID if not kinds()[kind].value and kind not in REGIONS])
def test_a_value_where_the_kind_takes_none(kind: str) -> None:
    assert refused(4, *BOXED.marks, replace(drawn(kind), value=3)) == f"{kind}: value 3: this rule takes none"


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (Mark("knights"), "no rule is known under the name 'knights': did you mean anti-knight?"),
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
        (Mark("double-arrow", lines=(((1, 1),),)), "double-arrow: the line at r1c1 has one cell: expected two or more"),
        (Mark("clone", ((1, 1), (1, 2)), (((2, 1),),)), "clone: 2 cells at r1c1, but 1 in their copy"),
        (Mark("sandwich", ((0, 1),)), "sandwich: no value: expected a whole number"),
        (Mark("sandwich", ((2, 2),), value=3), "sandwich: a clue at r2c2 is not beside a row or column of the grid"),
        (Mark("odd", ((1, 1), (1, 2))), "odd: 2 cells and 0 lines: expected one cell and no line"),
        (Mark("renban", lines=((),)), "renban: 0 cells and 1 lines, some empty: expected one line and no cells"),
    ],
)
def test_what_a_4x4_board_without_boxes_cannot_have_is_refused(mark: Mark, message: str) -> None:
    assert refused(4, mark) == message


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (Mark("taxicab", value=0), "taxicab: value 0: expected a distance of 1 or more"),
        (
            Mark("anti-leaper", value="0 0"),
            "anti-leaper: value '0 0': expected the two numbers of a move, such as 1 3 or 1 3 of 5 9",
        ),
        (Mark("disjoint-group", value=5), "disjoint-group: value 5: expected a place from 1 to 4"),
        (Mark("global-entropy", value="12 24"), "global-entropy: value '12 24': a digit is in two classes"),
        (Mark("global-mod", value=5), "global-mod: 5 classes: expected at most 4, as many as a window has cells"),
        (Mark("rossini", ((0, 1),), value="L"), "rossini: value 'L' at r0c1: expected U or D"),
        (
            Mark("look-and-say", ((1, 1),), value="112"),
            "look-and-say: value '112': expected counts and digits in turn, such as 2112: two 1s, one 2",
        ),
        (Mark("look-and-say", ((1, 1),), value="1121"), "look-and-say: value '1121': a digit is counted twice"),
        (Mark("sum", ((1, 1), (1, 2)), value="1: > 3"), "sum: 1 weights for 2 cells at r1c1"),
        (
            Mark("sum", ((1, 1),), value="> 3 4"),
            "sum: value '> 3 4': expected a total, several, or one after < <= > >= or !=",
        ),
        (
            Mark("same-values", lines=(((1, 1),), ((1, 2), (1, 3)))),
            "same-values: groups of 1 and of 2 cells: expected groups of one size",
        ),
        (Mark("lunchbox", ((1, 1),), value=3), "lunchbox: one cell at r1c1: expected two or more"),
        (
            Mark("product-arrow", ((1, 1), (1, 2)), (((2, 2),),)),
            "product-arrow: a bulb of 2 cells at r1c1: expected one cell",
        ),
        (
            Mark("equal-sum", ((1, 1),)),
            "equal-sum: 1 cells and 0 lines: expected groups of cells, each one of the lines",
        ),
        (Mark("value-index", lines=(((1, 1), (1, 2)),)), "value-index: a line of 2 cells: expected three or more"),
    ],
)
def test_what_a_4x4_board_with_boxes_cannot_have_is_refused(mark: Mark, message: str) -> None:
    assert refused(4, *BOXED.marks, mark) == message


def test_an_automaton_too_large_is_refused() -> None:
    cells = tuple((1, column) for column in range(1, 17))
    with pytest.raises(PuzzleError, match=r"count-distinct: .* more than 40,000 states"):
        build(16, (Mark("count-distinct", cells),))


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
def test_what_a_board_of_another_size_cannot_have_is_refused(size: Size, mark: Mark, message: str) -> None:
    assert message in refused(size, mark)
