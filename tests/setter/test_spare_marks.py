"""Marks that are not needed: dropped so that the puzzle has the same one solution, and needs each that is left."""

from __future__ import annotations

from importlib import import_module

import pytest
from support import policies
from support.cli import complaints, records, run
from support.clocks import Ticks
from support.puzzles import ROOT, puzzle_in

import satdoku
from satdoku import AllDifferent, Board, Ending, Mark, Puzzle, Verdict, minimize
from satdoku.variants import REGIONS, build

PUZZLES = ROOT / "puzzles" / "variants"


def with_marks(puzzle: Puzzle, marks: tuple[Mark, ...]) -> Puzzle:
    return Puzzle(build(puzzle.board.size, marks), puzzle.candidates)


def cages(*totals: tuple[str, int]) -> tuple[Mark, ...]:
    return tuple(satdoku.marks.killer_cage(cells.split(), total=total) for cells, total in totals)


@pytest.mark.parametrize(
    "name", ["cage", "thermometer", "all", "diagonal+", "whispers", "connected-group", "different-sum"]
)
def test_each_mark_that_is_left_is_needed(name: str) -> None:
    puzzle = puzzle_in(f"variants/{name}.toml")
    found = satdoku.minimize(puzzle, marks=True)
    assert found.puzzle is not None
    marks = found.puzzle.board.marks
    assert satdoku.check(found.puzzle).grids == satdoku.check(puzzle).grids == (found.solution,)
    assert sorted([*marks, *found.marks_dropped], key=puzzle.board.marks.index) == [*puzzle.board.marks]
    for index, mark in enumerate(marks):
        if mark.kind not in REGIONS:
            fewer = with_marks(found.puzzle, marks[:index] + marks[index + 1 :])
            assert satdoku.check(fewer).verdict is Verdict.MULTIPLE, mark


def test_marks_go_alone_where_all_givens_stay() -> None:
    puzzle = satdoku.read("1234341221434...")
    board = build(4, (*puzzle.board.marks, *cages(("r1c1 r1c2", 3), ("r4c3 r4c4", 3))))
    found = satdoku.minimize(Puzzle(board, puzzle.candidates), keep="all", marks=True)
    assert found.puzzle is not None
    assert found.puzzle.givens == puzzle.givens
    assert {mark.kind for mark in found.puzzle.board.marks} == {"boxes"}
    assert len(found.marks_dropped) == 2


def test_a_given_that_a_dropped_mark_made_spare_is_needed_then() -> None:
    givens = "1234341221434..."
    puzzle = satdoku.read(givens)
    board = build(4, (*puzzle.board.marks, *cages(("r1c1 r2c1", 4), ("r1c1", 1))))
    few = satdoku.minimize(puzzle).puzzle
    assert few is not None
    found = satdoku.minimize(Puzzle(board, few.candidates), keep="all", marks=True)
    assert found.puzzle is not None
    assert found.marks_dropped == board.marks[1:]
    assert not found.spare
    assert [cell for cell, _ in found.needed] == [cell for cell, value in enumerate(few.givens) if value]


def test_marks_that_others_are_about_stay() -> None:
    puzzle = puzzle_in("variants/negative-xv.toml")
    found = satdoku.minimize(puzzle, keep="all", marks=True)
    assert found.puzzle is not None
    assert found.puzzle.board.marks == puzzle.board.marks


def test_constraints_that_no_mark_draws_are_refused() -> None:
    plain = satdoku.classic(2, 2)
    board = Board(16, 4, 4, (*plain.constraints, AllDifferent((0, 5), "apart")), plain.marks)
    with pytest.raises(satdoku.Refused, match="constraints that no mark draws"):
        satdoku.minimize(Puzzle(board, satdoku.read("1234341221434...").candidates), marks=True)


@pytest.mark.parametrize("looks", [10, 30, 35])
def test_a_clock_that_stops_it_leaves_the_rest_untested(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("satdoku.setter.minimize"), "Deadline", lambda seconds: Ticks(looks))
    policies.sat_for_setters(monkeypatch)
    puzzle = puzzle_in("variants/cage.toml")
    found = minimize(puzzle, marks=True, timeout=1)
    assert found.puzzle is not None
    assert found.ending is Ending.TIMEOUT
    assert found.marks_untested
    assert satdoku.check(found.puzzle).grids == (found.solution,)


class TestCommand:
    def test_it_says_which_marks_went(self) -> None:
        result = run("minimize", "--marks", str(PUZZLES / "thermometer.toml"), "--to", "toml")
        assert result.exit_code == 0
        assert "7 marks, 6 left, each of them needed; without thermometer at r" in complaints(result)[0]
        assert satdoku.check(satdoku.read(result.stdout)).verdict is Verdict.UNIQUE

    def test_the_record_names_them(self) -> None:
        (record,) = records(run("minimize", "--marks", "--keep", "all", str(PUZZLES / "thermometer.toml"), "--json"))
        assert record["marks"] + len(record["marks_dropped"]) == 7
        assert record["marks_untested"] == []
        assert record["dropped"] == []
        assert "marks" not in records(run("minimize", str(PUZZLES / "thermometer.toml"), "--json"))[0]
