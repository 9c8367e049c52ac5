"""The rules of a board in words."""

from __future__ import annotations

import pytest

from satdoku import read
from satdoku.variants import kinds
from satdoku.variants.sentences import rules

BOARDS = {
    "size = 9": "Each row, column and 3x3 box holds 1 to 9 once.",
    'size = 9\nvalues = "0-8"': "Each row, column and 3x3 box holds 0 to 8 once.",
    'size = 4\nboxes = "none"\nrules = ["free-grid"]': "Digits are 1 to 4.",
    'size = 4\nrules = ["free-grid"]': "No 2x2 box holds a digit twice; digits are 1 to 4.",
    'size = 4\nboxes = "none"': "Each row and column holds 1 to 4 once.",
    'size = 4\nregions = """\n1111\n2222\n3333\n4444\n"""': "Each row, column and region holds 1 to 4 once.",
    'size = "4x6"\nboxes = "2x3"': "No row, column or 2x3 box holds a digit twice; digits are 1 to 6.",
}


@pytest.mark.parametrize("text", BOARDS)
def test_rows_columns_and_boxes(text: str) -> None:
    board = read(text).board
    first, *others = rules(board.size, board.marks)
    assert (first, len(others)) == (BOARDS[text], text.count("rules"))


def test_each_kind_of_mark_once_with_the_value_of_a_rule_of_the_board() -> None:
    text = 'size = 9\nodd = ["r1c1", "r2c2"]\nrules = ["taxicab 3"]'
    text += '\nany = [{ of = [{ kind = "even", cell = "r1c2" }, { kind = "odd", cell = "r1c3" }] }]'
    board = read(text).board
    expected = [kinds()[name].summary for name in ("odd", "any", "even")]
    assert sorted(rules(board.size, board.marks)[1:]) == sorted([*expected, f"{kinds()['taxicab'].summary} (3)"])
