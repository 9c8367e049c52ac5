"""Drawn solutions solve their puzzle, and each is as likely: chi-square against the uniform distribution."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from satdoku import Puzzle, classic
from satdoku.counting.draws import Drawer
from satdoku.errors import Refused
from satdoku.referee import violations
from satdoku.system.clock import Deadline, TimeIsUp

FULL = tuple((3 * (row % 3) + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9))


def with_clues(number: int, seed: int) -> Puzzle:
    cells = Random(seed).sample(range(81), number)
    return Puzzle.from_givens(classic(3, 3), {cell: FULL[cell] for cell in cells})


def with_solutions(low: int, high: int, clues: int) -> tuple[Puzzle, Drawer]:
    """The first puzzle of so many clues whose solutions are between these numbers."""
    for seed in range(200):
        puzzle = with_clues(clues, seed)
        drawer = Drawer(puzzle)
        if low <= drawer.total <= high:
            return puzzle, drawer
    raise AssertionError("no such puzzle")


def chi_square(drawer: Drawer, draws: int, random: Random) -> float:
    """How far the counts of solutions are from equal, in standard deviations of the chi-square distribution."""
    counts = Counter(drawer.draw(random) for _ in range(draws))
    expected = draws / drawer.total
    square = sum((count - expected) ** 2 / expected for count in counts.values())
    square += (drawer.total - len(counts)) * expected
    freedom = drawer.total - 1
    return float((square - freedom) / (2 * freedom) ** 0.5)


@pytest.mark.parametrize("clues", [0, 3, 13, 17, 30, 81])
def test_what_is_drawn_solves_the_puzzle(clues: int) -> None:
    puzzle, random = with_clues(clues, clues), Random(7)
    drawer = Drawer(puzzle)
    for _ in range(5):
        assert not list(violations(puzzle, drawer.draw(random)))


def test_solutions_are_equally_likely() -> None:
    _, drawer = with_solutions(80, 200, 26)
    assert abs(chi_square(drawer, 20 * drawer.total, Random(1))) < 4


@pytest.mark.slow
@pytest.mark.parametrize("clues", [22])
def test_a_thousand_solutions_are_equally_likely(clues: int) -> None:
    _, drawer = with_solutions(700, 2500, clues)
    assert abs(chi_square(drawer, 20 * drawer.total, Random(clues))) < 4


def test_symmetries_are_drawn_too() -> None:
    """With one given, in the middle, each digit is as often in a corner."""
    drawer, random = Drawer(Puzzle.from_givens(classic(3, 3), {40: 5})), Random(2)
    corners = Counter(drawer.draw(random)[0] for _ in range(450))
    assert len(corners) == 9
    assert sum((count - 50) ** 2 / 50 for count in corners.values()) < 27  # 0.999 of chi-square with 8


def test_a_seed_draws_the_same() -> None:
    puzzle = with_clues(12, 1)
    drawer = Drawer(puzzle)
    assert drawer.draw(Random(5)) == Drawer(puzzle).draw(Random(5)) != drawer.draw(Random(6))


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(Refused, match="plain 9x9"):
        Drawer(Puzzle.from_givens(classic(2, 3), {}))
    with pytest.raises(Refused, match="no solution"):
        Drawer(Puzzle.from_givens(classic(3, 3), {0: 1, 1: 1}))


def test_a_deadline_ends_the_making() -> None:
    with pytest.raises(TimeIsUp):
        Drawer(with_clues(6, 1), Deadline(0.0))
