"""Estimates are unbiased, and their intervals hold as often as they say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import isclose, log
from random import Random

import numpy as np
import pytest

from satdoku import Linear, Mark, Puzzle, classic
from satdoku import count as count_all
from satdoku.counting import estimates
from satdoku.counting.estimates import Estimate, estimate, prober
from satdoku.counting.exact import count, plan
from satdoku.errors import Refused, TooSlow
from satdoku.variants import build

TWELVE = 81_171_437_193_104_932_746_936_103_027_318_645_818_654_720_000
"""Grids of 12x12 with boxes of 3x4 (Pettersen and Silver, 2006)."""

FULL = tuple((3 * (row % 3) + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9))


def puzzles() -> dict[str, Puzzle]:
    cells = Random(16).sample(range(81), 2)
    return {
        "6x6": Puzzle.from_givens(classic(2, 3), {}),
        "8x8": Puzzle.from_givens(classic(2, 4), {}),
        "9x9": Puzzle.from_givens(classic(3, 3), {}),
        "2 clues": Puzzle.from_givens(classic(3, 3), {cell: FULL[cell] for cell in cells}),
    }


def known(puzzle: Puzzle) -> int:
    found = plan(puzzle)
    assert found is not None
    return count(found).count


def held(puzzle: Puzzle, runs: int, probes: int) -> int:
    """How many intervals have the known number in them."""
    true = known(puzzle)
    found = (Estimate.of(prober(puzzle, 10**6 * seed).probe(probes)) for seed in range(runs))
    return sum(one.high is not None and one.low <= true <= one.high for one in found)


def test_95_of_100_intervals_hold() -> None:
    assert 190 <= held(puzzles()["6x6"], 200, 300) < 200  # an interval that always holds would be too wide


def clues(number: int, seed: int) -> Puzzle:
    """A 9x9 of so many clues, all from one grid."""
    cells = Random(seed).sample(range(81), number)
    return Puzzle.from_givens(classic(3, 3), {cell: FULL[cell] for cell in cells})


@pytest.mark.slow
@pytest.mark.parametrize("probes", [100, 1000])
def test_they_hold_where_few_probes_are_large(probes: int) -> None:
    held_of = [held(clues(number, 100 * number + seed), 25, probes) for number in (16, 19, 22) for seed in range(8)]
    assert 573 <= sum(held_of) < 600


@pytest.mark.slow
@pytest.mark.parametrize(("name", "probes"), [("6x6", 1000), ("8x8", 4000), ("9x9", 2000), ("2 clues", 4000)])
def test_470_of_500_intervals_hold(name: str, probes: int) -> None:
    assert 470 <= held(puzzles()[name], 500, probes) <= 497


@pytest.mark.parametrize("name", ["6x6", "8x8", "9x9"])
def test_estimates_are_near(name: str) -> None:
    puzzle = puzzles()[name]
    found = estimate(puzzle, probes=10_000, seed=1)
    assert isclose(found.value, known(puzzle), rel_tol=0.05)
    assert found.probes == 10_000


@pytest.mark.slow
def test_12x12_is_near() -> None:
    found = estimate(Puzzle.from_givens(classic(3, 4), {}), probes=200_000, seed=1)
    assert isclose(found.value, TWELVE, rel_tol=0.03)


def test_a_seed_gives_the_same_and_another_another() -> None:
    puzzle = puzzles()["9x9"]
    assert estimate(puzzle, probes=1000, seed=3) == estimate(puzzle, probes=1000, seed=3)
    assert estimate(puzzle, probes=1000, seed=3) != estimate(puzzle, probes=1000, seed=4)


def test_seconds_are_turned_into_probes() -> None:
    assert estimate(puzzles()["6x6"], seconds=0.05, seed=1).probes >= 100


def test_probes_that_fail_count() -> None:
    some = Estimate.of(np.array([log(8), -np.inf, log(4), -np.inf]))
    none = Estimate.of(np.array([-np.inf, -np.inf]))
    assert (some.value, some.probes) == (3, 4)
    assert (none.value, none.high) == (0, None)


def test_numbers_beyond_floats() -> None:
    found = Estimate.of(np.full(10, 1000 * log(10)))
    assert len(str(found.value)) in (1000, 1001)
    assert isclose(found.value / 10**1000, 1, rel_tol=1e-9)
    assert found.low == found.value == found.high


def test_a_unique_puzzle_is_exact_and_an_unsolvable_one_says_nothing() -> None:
    unique = estimate(Puzzle.from_givens(classic(3, 3), FULL), probes=100)
    none = estimate(Puzzle.from_givens(classic(3, 3), {0: 1, 1: 1}), probes=100)
    empty_cell = estimate(Puzzle(classic(2, 2), (0, *(30,) * 15)), probes=100)
    assert (unique.low, unique.value, unique.high) == (1, 1, 1)
    assert (none.low, none.value, none.high) == (0, 0, None)
    assert empty_cell.high is None


def test_pencil_marks_and_other_houses_count() -> None:
    corner = Puzzle(classic(2, 2), (0b110, *(0b11110,) * 15))
    diagonal = Puzzle.from_givens(build(4, (Mark("boxes", value="2x2"), Mark("diagonal+"))), {})
    assert isclose(estimate(corner, probes=20_000, seed=1).value, 144, rel_tol=0.03)
    solutions = count_all(diagonal, limit=None).count
    assert isclose(estimate(diagonal, probes=20_000, seed=1).value, solutions, rel_tol=0.05)


@cache
def variants() -> dict[str, tuple[Puzzle, int]]:
    """Small boards of all kinds of constraints, and their numbers of solutions."""
    cage = Mark("cage", ((1, 1), (1, 2)), value=5)
    square, six = Mark("boxes", value="2x2"), Mark("boxes", value="2x3")
    marks = {
        "sums and pairs": (4, (square, cage, Mark("xv", ((3, 3), (3, 4)), value="V"))),
        "line": (6, (six, Mark("thermometer", lines=(((1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)),)))),
        "automaton": (4, (Mark("skyscraper", ((1, 0),), value=2), Mark("sandwich", ((0, 2),), value=3))),
    }
    boards = {name: build(size, these) for name, (size, these) in marks.items()}
    # Two cells have the sum of two auxiliary ones, which several values give.
    both = Linear((0, 1, 16, 17), (1, 1, -1, -1), 0, "sum")
    boards["auxiliary cells"] = replace(
        classic(2, 2), constraints=(*classic(2, 2).constraints, both), auxiliary=(0b1110, 0b1110)
    )
    puzzles = {name: Puzzle.from_givens(board, {}) for name, board in boards.items()}
    return {name: (puzzle, count_all(puzzle, limit=None).count) for name, puzzle in puzzles.items()}


@pytest.mark.parametrize("name", ["sums and pairs", "line", "automaton", "auxiliary cells"])
def test_estimates_of_variants_are_near_and_their_intervals_hold(name: str) -> None:
    puzzle, true = variants()[name]
    assert isclose(estimate(puzzle, probes=5000, seed=1).value, true, rel_tol=0.05)
    found = [Estimate.of(prober(puzzle, 10**6 * seed).probe(200)) for seed in range(40)]
    assert sum(one.high is not None and one.low <= true <= one.high for one in found) >= 36


def test_what_cannot_be_estimated_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match="65 values, and estimates take up to 64"):
        estimate(Puzzle.from_givens(classic(5, 13), {}))
    large = replace(classic(7, 9), constraints=(*classic(7, 9).constraints, Linear((0, 1), (1, 1), 5, "sum")))
    with pytest.raises(Refused, match="63 values and sum is a Linear, and estimates take up to 62 with that"):
        estimate(Puzzle.from_givens(large, {}))
    with pytest.raises(TooSlow, match="the timeout of 1e-09 s"):
        estimate(variants()["line"][0], seconds=1e-9)
    monkeypatch.setattr(estimates, "MAX_SEARCHED", 0)
    monkeypatch.setattr(estimates, "SLICE", 1)
    with pytest.raises(Refused, match="whether a grid drawn at random is a solution"):
        estimate(variants()["auxiliary cells"][0], probes=100)


def test_a_variant_without_solutions_says_nothing() -> None:
    cages = tuple(Mark("cage", ((row, 1), (row, 2)), value=3) for row in (1, 2))
    puzzle = Puzzle.from_givens(build(4, (Mark("boxes", value="2x2"), *cages)), {})
    assert estimate(puzzle, probes=100) == Estimate(0, 0, None, 100)
