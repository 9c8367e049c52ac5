"""The counts of each value of each cell are those of the puzzle with that value given."""

from __future__ import annotations

from random import Random

import pytest

from satdoku import Puzzle, classic
from satdoku.counting.exact import count, plan
from satdoku.counting.values import one_by_one, per_value
from satdoku.system.clock import Deadline

FULL = tuple((3 * (row % 3) + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9))
EMPTY = 6_670_903_752_021_072_936_960


def with_clues(number: int, seed: int) -> Puzzle:
    cells = Random(seed).sample(range(81), number)
    return Puzzle.from_givens(classic(3, 3), {cell: FULL[cell] for cell in cells})


def test_every_value_of_the_empty_board_is_as_frequent() -> None:
    assert per_value(Puzzle.from_givens(classic(3, 3), {})) == [[EMPTY // 9] * 9] * 81


@pytest.mark.parametrize(("clues", "seed"), [(26, 2), pytest.param(18, 1, marks=pytest.mark.slow)])
def test_values_are_those_of_counts_with_one_more_given(clues: int, seed: int) -> None:
    puzzle, random = with_clues(clues, seed), Random(seed)
    found = per_value(puzzle)
    whole = plan(puzzle)
    assert found is not None
    assert whole is not None
    assert {sum(row) for row in found} == {count(whole).count}
    for cell in random.sample(range(81), 4):
        value = random.randint(1, 9)
        givens = {place: given for place, given in enumerate(puzzle.givens) if given} | {cell: value}
        one_more = plan(Puzzle.from_givens(puzzle.board, givens))
        assert one_more is not None
        if puzzle.givens[cell] in (0, value):
            assert found[cell][value - 1] == count(one_more).count


@pytest.mark.slow
@pytest.mark.parametrize(("clues", "seed"), [(14, 3), (17, 4), (20, 5), (30, 6)])
def test_values_are_those_of_729_counts(clues: int, seed: int) -> None:
    puzzle = with_clues(clues, seed)
    assert per_value(puzzle) == one_by_one(puzzle)


@pytest.mark.slow
def test_givens_in_one_band_leave_the_others_alike() -> None:
    found = per_value(Puzzle.from_givens(classic(3, 3), {0: 1, 10: 2}))
    assert found is not None
    assert found[27:54] == found[54:]
    assert found[0] == [EMPTY // 72 if value == 0 else 0 for value in range(9)]


def test_small_boards_and_others() -> None:
    found = per_value(Puzzle.from_givens(classic(2, 2), {0: 4}))
    assert found is not None
    assert {sum(row) for row in found} == {288 // 4}
    assert per_value(Puzzle.from_givens(classic(2, 5), {})) is None
    assert per_value(Puzzle(classic(2, 2), (0b110, *(0b11110,) * 15))) is None


def test_a_deadline_gives_nothing() -> None:
    assert per_value(with_clues(24, 2), Deadline(0.0)) is None
