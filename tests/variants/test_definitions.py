"""Definitions in which readers may differ, by every line of four cells: where the digits reach beyond the line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product

import pytest
from support.boards import BOXED
from support.drawing import MarkedSquare
from support.oracles import ORACLES

from satdoku import Mark, Puzzle, Verdict, check, count
from satdoku.errors import PuzzleError
from satdoku.puzzle import Size
from satdoku.variants import Frame, build, lowered

Word = Sequence[int]


def battlefield(word: Word, total: int) -> bool:
    marks = [(place < word[0]) + (4 - place <= word[-1]) for place in range(4)]
    counted = 2 if 2 in marks else 0
    return sum(value for value, marked in zip(word, marks, strict=True) if marked == counted) == total


def x_sum(word: Word, total: int) -> bool:
    return word[0] <= 4 and sum(word[: max(1, word[0])]) == total


def numbered_room(word: Word, value: int) -> bool:
    return 1 <= word[0] <= 4 and word[word[0] - 1] == value


def sandwich(word: Word, total: int, least: int) -> bool:
    crusts = [place for place, value in enumerate(word) if value in (least, least + 5)]
    return len(crusts) == 2 and sum(word[crusts[0] + 1 : crusts[1]]) == total


@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize(
    ("kind", "holds"),
    [("battlefield", battlefield), ("x-sum", x_sum), ("numbered-room", numbered_room), ("sandwich", sandwich)],
)
def test_clues_on_lines_shorter_than_the_digits(kind: str, holds: Callable[..., bool], least: int) -> None:
    size, seen = Size(1, 4, range(least, least + 6)), set()
    for total in range(16):
        (constraints,) = lowered(Frame(size, (Mark(kind, ((1, 0),), value=total),)))
        for word in permutations(size.digits, 4):
            expected = holds(word, total, *[least] * (kind == "sandwich"))
            assert all(each.holds([size.inner(value) for value in word]) for each in constraints) == expected, word
            seen.add((expected, max(word[0], word[-1]) > 4))
    assert {(False, True), (True, False)} <= seen


def test_a_sandwich_at_the_edge_has_all_that_is_between_its_crusts() -> None:
    # 1 and 4 at the ends of the row leave 2 and 3 between them; side by side they leave nothing, at the edge too.
    edge = [Mark("sandwich", ((1, 0),), value=total) for total in (5, 0)]
    assert [count(Puzzle.from_givens(build(4, (*BOXED.marks, mark)), {0: 1})).count for mark in edge] == [24, 24]


@pytest.mark.parametrize(
    ("mark", "digits"),
    [
        (Mark("anti-king"), range(1, 5)),
        (Mark("anti-taxicab"), range(1, 4)),
        (Mark("anti-taxicab"), range(2, 5)),
        (Mark("region-same-values"), range(1, 4)),
    ],
)
def test_rules_that_rows_and_columns_would_do_a_part_of_on_a_free_grid(mark: Mark, digits: range) -> None:
    marks = (Mark("free-grid"), mark)
    drawing = MarkedSquare(3, marks, digits)
    every = (dict(zip(drawing.positions, grid, strict=True)) for grid in product(digits, repeat=9))
    right = sum(ORACLES[mark.kind](drawing, mark, at) for at in every)
    assert count(Puzzle.from_givens(build(Size(3, 3, digits), marks), {}), limit=None).count == right
    assert right > 1


def test_a_renban_of_more_cells_than_digits_has_no_solution() -> None:
    line = ((1, 1), (1, 2), (1, 3), (1, 4), (2, 4))
    puzzle = Puzzle.from_givens(build(4, (*BOXED.marks, Mark("renban", lines=(line,)))), {})
    for backend in ("auto", "glucose4", "cpsat", "backtrack"):
        assert check(puzzle, backend=backend).verdict is Verdict.UNSOLVABLE


@pytest.mark.parametrize(
    "mark",
    [
        Mark("full-rank", ((1, 0),), value=7),
        Mark("connected-group", ((1, 1), (1, 2), (1, 3), (2, 1)), value="1 2"),
        Mark("different-sum", lines=(((1, 1),), ((2, 2),), ((3, 3),))),
    ],
)
def test_marks_with_auxiliary_cells_stand_in_all_and_in_no_choice(mark: Mark) -> None:
    both = (mark, Mark("greater-than", ((4, 1), (4, 2))))
    inside = Puzzle.from_givens(build(4, (*BOXED.marks, Mark("all", marks=both))), {})
    beside = Puzzle.from_givens(build(4, (*BOXED.marks, *both)), {})
    assert count(inside, limit=None).count == count(beside, limit=None).count != 0
    for choice in (Mark("any", marks=both), Mark("any", marks=(Mark("all", marks=both),))):
        with pytest.raises(PuzzleError, match="it needs auxiliary cells"):
            build(4, (*BOXED.marks, choice))


def test_roping_of_three_boxes_beside_each_other() -> None:
    both = [[(3 * row + row // 3 + column) % 9 + 1 for column in range(9)] for row in range(9)]
    row = both[4]
    rows = [*both[:4], [row[place - place % 3 + (place + 1) % 3] for place in range(9)], *both[5:]]
    for lines, expected in (
        (both, [True, True, True]),
        (rows, [False, True, False]),
        (list(map(list, zip(*rows, strict=True))), [False, False, True]),
    ):
        found = []
        for value in (None, "ROWS", "COLUMNS"):
            drawing = MarkedSquare(9, (Mark("boxes", value="3x3"), Mark("roping", value=value)))
            at = {(r, c): lines[r - 1][c - 1] for r, c in drawing.positions}
            rules = list(lowered(Frame(Size(9, 9, range(1, 10)), drawing.marks)))[1]
            found.append(all(rule.holds(list(at.values())) for rule in rules))
            assert found[-1] == ORACLES["roping"](drawing, drawing.marks[1], at)
        assert found == expected
