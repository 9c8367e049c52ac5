"""Counts of plain boards with marks, by a plain count for each filling of these, are those of other methods."""

from __future__ import annotations

from random import Random

import pytest

import satdoku
from satdoku import Mark, Puzzle
from satdoku.backends.parts import PartsCount
from satdoku.backends.propagation import PropagationKernel
from satdoku.counting import filled
from satdoku.counting.fillable import fillable
from satdoku.counting.filled import count, plan
from satdoku.kernels.compiled import PAUSED
from satdoku.system.clock import Deadline
from satdoku.variants import build

GRIDS_OF_NINE = 6_670_903_752_021_072_936_960


def puzzle(box: str, *marks: Mark, givens: dict[int, int] | None = None) -> Puzzle:
    rows, columns = map(int, box.split("x"))
    return Puzzle.from_givens(build(rows * columns, (Mark("boxes", value=box), *marks)), givens or {})


def by_filling(asked: Puzzle) -> int:
    planned = plan(asked)
    assert planned is not None
    total = count(planned)
    assert total.exact
    return total.count


def by_parts(asked: Puzzle) -> int:
    made = PartsCount(asked, PropagationKernel(asked.board).whole, 1 << 16, 1 << 10)
    number, code = 0, PAUSED
    while code == PAUSED:
        number, code = made.count_solutions(number, 1 << 62)
    return number


def line(kind: str, *cells: tuple[int, int]) -> Mark:
    return Mark(kind, lines=(cells,))


CASES = {
    "two cells": ("2x3", (line("whispers", (1, 1), (1, 2)),)),
    "a diagonal line": ("2x3", (line("thermometer", (1, 1), (2, 2), (3, 3), (4, 4)),)),
    "cages": ("3x2", (Mark("cage", ((1, 1), (2, 1), (3, 1)), value=11), Mark("cage", ((6, 6), (5, 6)), value=7))),
    "an extra region": ("2x2", (Mark("extra-region", ((1, 1), (2, 3), (3, 2), (4, 4))),)),
}


@pytest.mark.parametrize("name", list(CASES))
def test_fillings_count_what_parts_count(name: str) -> None:
    box, marks = CASES[name]
    random = Random(name)
    for givens in range(0, 12, 3):
        size = puzzle(box).board.values
        grid = satdoku.solve(puzzle(box, *marks)).grid
        assert grid is not None
        cells = random.sample(range(size**2), givens)
        asked = puzzle(box, *marks, givens={cell: grid[cell] for cell in cells})
        assert by_filling(asked) == by_parts(asked)


def test_the_values_of_pencil_marks_are_filled_in() -> None:
    asked = puzzle("2x3", line("thermometer", (1, 1), (2, 2), (3, 3), (4, 3)), givens={35: 6})
    candidates = list(asked.candidates)
    candidates[20] = 0b1010100
    narrowed = Puzzle(asked.board, tuple(candidates))
    assert by_filling(narrowed) == by_parts(narrowed)


@pytest.mark.parametrize(
    ("marks", "share"),
    [
        ((line("thermometer", (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)),), 120),  # one of the orders of five digits
        ((Mark("greater-than", ((1, 1), (1, 2))),), 2),
        ((Mark("cage", ((1, 1), (1, 2)), value=3),), 36),  # one of the pairs of digits
    ],
)
def test_counts_of_9x9_that_symmetry_tells(marks: tuple[Mark, ...], share: int) -> None:
    assert by_filling(puzzle("3x3", *marks)) * share == GRIDS_OF_NINE


def test_what_count_says_of_it() -> None:
    outcome = satdoku.count(puzzle("3x3", Mark("greater-than", ((1, 1), (1, 2)))), limit=None)
    assert (outcome.count * 2, outcome.exact) == (GRIDS_OF_NINE, True)
    assert outcome.counted_by == "plain counts for each filling of the marks"


def test_what_is_not_finished_is_a_lower_bound() -> None:
    planned = plan(puzzle("2x3", line("thermometer", (1, 1), (2, 2), (3, 1), (4, 2)), givens={35: 6, 20: 1}))
    assert planned is not None
    assert planned.terms > 1
    cut, whole, some = count(planned, Deadline(0.0)), count(planned), count(planned, enough=100)
    assert (cut.exact, whole.exact, some.exact) == (False, True, False)
    assert cut.count < some.count < whole.count


def test_other_boards_are_left_to_other_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not fillable(puzzle("3x3", Mark("anti-knight")))
    assert not fillable(Puzzle.from_givens(build(6, (line("thermometer", (1, 1), (2, 2)),)), {}))
    assert not fillable(puzzle("2x5", line("thermometer", (1, 1), (2, 2))))
    asked = puzzle("2x3", line("whispers", (1, 1), (1, 2)))
    monkeypatch.setattr(filled, "MAX_STEPS", 3)
    assert plan(asked) is None
    outcome = satdoku.count(asked, limit=None)
    assert (outcome.count, outcome.counted_by) == (1_880_064, "counting search")
