"""True candidates of variants: the compiled search sees those of puzzles with one solution or none."""

import sys
from pathlib import Path

import pytest
from support.counting_solver import CountingSolver

from satdoku import Ending, Puzzle, load
from satdoku.setter.candidates import Candidates, survey

module = sys.modules["satdoku.setter.candidates"]  # the package has a function of that name

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


def surveyed(puzzle: Puzzle, limit: int | None = 1) -> tuple[Candidates, int]:
    """The candidates, and how often SAT searched."""
    with CountingSolver() as solver:
        return survey(solver, puzzle, limit, None), solver.searches


@pytest.mark.parametrize("name", ["cage", "arrow", "sandwich"])
def test_both_ways_show_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load(VARIANTS / f"{name}.toml")
    found, searches = surveyed(puzzle)
    assert (found.ending, found.solutions, found.equal, searches) == (Ending.LIMIT, 1, (), 0)
    monkeypatch.setattr(module, "_exhausted", lambda puzzle, deadline: None)
    by_sat, searches = surveyed(puzzle)
    assert searches > 0
    assert found == by_sat


def test_without_a_solution_nothing_is_left() -> None:
    board = load(VARIANTS / "cage.toml").board
    puzzle = Puzzle.from_givens(board, {0: 1, 1: 2, 9: 3, 80: 1, 40: 1})
    found, searches = surveyed(puzzle)
    assert (found.solutions, any(found.undecided), searches) == (0, False, 0)
    assert not any(found.possible)


def test_a_puzzle_of_several_solutions_goes_to_sat() -> None:
    puzzle = Puzzle.from_givens(load(VARIANTS / "thermometer.toml").board, {})
    found, searches = surveyed(puzzle)
    assert found.solutions > 1
    assert searches > 0
