"""Minimizing and explaining variants: the compiled search and SAT in turns; each by itself comes to the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import policies
from support.counting_solver import CountingSolver

from satdoku import Explanation, Mark, Puzzle, Verdict, check, explain, load
from satdoku.backends.native_first import NativeFirst
from satdoku.backends.schedule import SAT, Purpose
from satdoku.setter.minimize import Minimal, MinimizeOptions, minimized
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.variants import build

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


@pytest.fixture(params=["native", "sat", "turns"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "sat":
        policies.sat_for_setters(monkeypatch)
    elif request.param == "turns":  # of a few nodes and conflicts
        policies.turns(monkeypatch, Purpose.SETTING, 1, 20)
        policies.alone(monkeypatch, Purpose.CANDIDATES, SAT)
    return str(request.param)


def way_of(found: Minimal | Explanation) -> str:
    """The engines in the way's words: those that answered, then those that were asked in vain."""
    both = {frozenset(found.engines), frozenset(found.tried)}
    assert frozenset(found.engines).isdisjoint(found.tried)
    if both == {frozenset({"native"}), frozenset()}:
        return "native"
    return "sat" if both == {frozenset({"glucose4"}), frozenset()} else "turns"


def with_givens(name: str) -> Puzzle:
    """A puzzle of the folder with every fourth cell of its solution given as well."""
    puzzle = load(VARIANTS / f"{name}.toml")
    (grid,) = check(puzzle).grids
    return Puzzle.from_givens(puzzle.board, {c: grid[c] for c in range(81) if puzzle.givens[c] or c % 4 == 0})


def work(puzzle: Puzzle, marks: bool) -> tuple[Minimal, int]:
    """The minimal puzzle, and how often SAT searched."""
    with CountingSolver() as solver:
        return minimized(solver, puzzle, MinimizeOptions(marks=marks)), solver.searches


@pytest.mark.parametrize("name", ["cage", "thermometer", "sandwich"])
def test_what_is_left_is_needed(name: str, way: str) -> None:
    found, searches = work(with_givens(name), marks=False)
    assert found.verdict is Verdict.UNIQUE and found.puzzle is not None
    assert (searches == 0) is (way == "native")
    assert way_of(found) == way
    assert check(found.puzzle).grids == (found.solution,)
    assert [cell for cell, _ in found.needed] == [cell for cell, value in enumerate(found.puzzle.givens) if value]
    for cell, grid in found.needed:
        givens = {other: value for other, value in enumerate(found.puzzle.givens) if value and other != cell}
        assert all(grid[other] == value for other, value in givens.items())
        assert grid[cell] != found.puzzle.givens[cell]


def test_marks_that_are_left_are_needed(way: str) -> None:
    puzzle = load(VARIANTS / "cage.toml")
    twice = Mark(kind="cage", cells=puzzle.board.marks[-1].cells, value=puzzle.board.marks[-1].value)
    found, _ = work(Puzzle(build(puzzle.board.size, (*puzzle.board.marks, twice)), puzzle.candidates), marks=True)
    assert found.puzzle is not None and found.marks_dropped
    assert check(found.puzzle).verdict is Verdict.UNIQUE
    assert not found.marks_untested


@pytest.mark.parametrize(("name", "givens"), [("cage", {}), ("thermometer", {}), ("cage", {0: 1, 1: 2, 9: 3, 80: 1})])
def test_the_verdict_that_is_explained(name: str, givens: dict[int, int], way: str) -> None:
    puzzle = load(VARIANTS / f"{name}.toml")
    asked = Puzzle.from_givens(puzzle.board, givens) if givens else puzzle
    if name == "thermometer":
        asked = Puzzle.from_givens(puzzle.board, {})
    found, expected = explain(asked, timeout=30), check(asked)
    assert found.verdict is expected.verdict
    assert len(found.solutions) == len(expected.grids)
    if found.verdict is Verdict.UNIQUE:
        assert found.solutions == expected.grids and found.steps
        assert way_of(found) == way
    else:
        assert "glucose4" in found.engines


def test_the_timeout_ends_both(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load(VARIANTS / "cage.toml")
    monkeypatch.setattr("satdoku.backends.native_first.advance", lambda *search: None)
    turns: list[float | None] = []

    def by_sat(deadline: Deadline) -> int:
        turns.append(deadline.left())
        raise TimeIsUp

    with pytest.raises(TimeIsUp):
        NativeFirst().ask(puzzle, 2, len, by_sat, Deadline(0.2))
    assert turns and all(left is not None and left <= 0.2 for left in turns)
