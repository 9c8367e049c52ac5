"""True candidates of variants: the compiled search sees those of puzzles with one solution or none."""

import sys
from pathlib import Path

import pytest

from satdoku import Board, Budget, Ending, Linear, Puzzle, backends, load
from satdoku.backends.incremental import IncrementalSolver
from satdoku.setter.candidates import Candidates, survey

module = sys.modules["satdoku.setter.candidates"]  # the package has a function of that name

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """So that the compiled search is there, and loaded."""
    board = Board(3, 3, 3, (Linear((0, 1, 2), (1, 1, 1), 6, "sum"),))
    assert list(backends.find("native").search(Puzzle.from_givens(board, {}), Budget(1)))


def surveyed(puzzle: Puzzle, limit: int | None = 1) -> tuple[Candidates, float]:
    """The candidates, and the seconds that SAT searched."""
    with IncrementalSolver() as solver:
        return survey(solver, puzzle, limit, None), solver.seconds


@pytest.mark.parametrize("name", ["cage", "arrow", "sandwich"])
def test_both_ways_show_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load(VARIANTS / f"{name}.toml")
    found, seconds = surveyed(puzzle)
    assert (found.ending, found.solutions, found.equal, seconds) == (Ending.LIMIT, 1, (), 0.0)
    monkeypatch.setattr(module, "_exhausted", lambda puzzle, deadline, load: None)
    by_sat, seconds = surveyed(puzzle)
    assert seconds > 0
    assert found == by_sat


def test_without_a_solution_nothing_is_left() -> None:
    board = load(VARIANTS / "cage.toml").board
    puzzle = Puzzle.from_givens(board, {0: 1, 1: 2, 9: 3, 80: 1, 40: 1})
    found, seconds = surveyed(puzzle)
    assert (found.solutions, any(found.undecided), seconds) == (0, False, 0.0)
    assert not any(found.possible)


def test_a_puzzle_of_several_solutions_goes_to_sat() -> None:
    puzzle = Puzzle.from_givens(load(VARIANTS / "thermometer.toml").board, {})
    found, seconds = surveyed(puzzle)
    assert found.solutions > 1
    assert seconds > 0


def test_where_it_is_not_loaded_sat_has_the_first_second(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load(VARIANTS / "cage.toml")
    asked = []

    def exhausted(puzzle: Puzzle, deadline: object, load: bool) -> None:
        asked.append(load)

    monkeypatch.setattr(module, "_exhausted", exhausted)
    monkeypatch.setattr(module, "loaded", lambda: False)
    found, _ = surveyed(puzzle)
    assert (found.solutions, asked) == (1, [False])
    monkeypatch.setattr(module, "SECONDS_UNLOADED", 0.0)
    found, _ = surveyed(puzzle)
    assert (found.solutions, asked) == (1, [False, False, True])
