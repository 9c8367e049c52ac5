"""The command explain: what it prints, its records, its pictures, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import NONE, TWO, UNIQUE, complaints, records, run
from support.puzzles import EASY, ROOT

from satdoku.setter import Level
from satdoku.techniques.registry import techniques


def test_a_conflict_is_a_sentence() -> None:
    result = run("explain", NONE)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "unsolvable: the puzzle has no solution"
    assert lines[1] == "r1c1=1, r1c2=2, r2c3=3 and row 2 leave no place for 3 in box 1"
    assert lines[2].startswith("irreducible: of these 3 givens and 2 constraints none can be left out")


def test_it_says_when_the_conflict_is_smallest() -> None:
    assert "smallest: no fewer than these" in run("explain", NONE, "--smallest").stdout


def test_two_solutions_stand_side_by_side() -> None:
    result = run("explain", TWO)
    assert result.exit_code == 1
    assert "multiple: the puzzle has more than one solution: 4 cells vary\nr1c3, r1c4, r3c3, r3c4" in result.stdout
    sides = {line for line in result.stdout.splitlines() if line.startswith("1 3 |")}
    assert sides <= {"1 3 | 2 4    1 3 | 4 2", "1 3 | 4 2    1 3 | 2 4"}
    assert len(sides) == 1
    assert "unique with r1c3=" in result.stdout
    assert "smallest" in result.stdout


def test_steps_are_numbered() -> None:
    result = run("explain", UNIQUE)
    assert result.exit_code == 0
    assert "1. r4c" in result.stdout
    assert "3. r4c" in result.stdout
    assert "3 steps: 3 naked singles" in result.stdout
    assert max(map(len, run("explain", EASY).stdout.splitlines())) <= 80


def test_steps_go_as_far_as_asked() -> None:
    puzzle = str(ROOT / "puzzles" / "9x9_hard.txt")
    (whole,) = records(run("explain", puzzle, "--json"))
    names = [step["technique"] for step in whole["steps"]]
    harder = next(name for name in names if techniques()[name].level > Level.SINGLES)
    for arguments, expected in (
        (["--next"], whole["steps"][:1]),
        (["--steps", "5"], whole["steps"][:5]),
        (["--until", harder], whole["steps"][: names.index(harder) + 1]),
    ):
        (record,) = records(run("explain", puzzle, "--json", *arguments))
        assert record["steps"] == expected
        assert record["difficulty"] is None
    (record,) = records(run("explain", puzzle, "--json", "--level", "locked"))
    assert record["steps"] == whole["steps"][: len(record["steps"])]
    assert techniques()[names[len(record["steps"])]].level > Level.LOCKED


def test_a_hint_has_three_stages() -> None:
    lines = run("explain", "--hint", str(ROOT / "puzzles" / "9x9_hard.txt")).stdout
    assert lines.startswith("1. Look at row 7.\n2. hidden single: ")
    assert "\n3. r7c3=7 (hidden single): " in lines
    assert run("explain", "--hint", "--stages", "1", EASY).stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--until", "guess"], "guess"),
        (["--level", "9"], "difficulty '9'"),
        (["--steps", "0"], "expected 1 or more"),
        (["--smallest", "--hint"], "--smallest"),
        (["--next", "--steps", "2"], "--steps"),
        (["--hint", "--stages", "4"], "expected 1 to 3"),
        (["--timeout", "0"], "--timeout 0: expected"),
        (["-o", "why.gif"], "why.gif: expected"),
    ],
)
def test_options_that_cannot_be_are_refused(arguments: list[str], message: str) -> None:
    result = run("explain", EASY, *arguments)
    assert result.exit_code == 2
    assert message in complaints(result)[0]


def test_json_has_these_fields() -> None:
    (conflict,) = records(run("explain", NONE, "--json"))
    assert conflict["conflict"]["constraints"] == ["row 2", "box 1"]
    assert conflict["conflict"]["givens"] == ["r1c1=1", "r1c2=2", "r2c3=3"]
    assert conflict["conflict"]["guarantee"] == "irreducible"
    (two,) = records(run("explain", TWO, "--json"))
    assert two["vary"] == ["r1c3", "r1c4", "r3c3", "r3c4"]
    assert len(two["unique_with"]["cells"]) == 1
    assert two["unique_with"]["over_all_solutions"] is True
    (steps,) = records(run("explain", UNIQUE, "--json", "--smallest"))
    assert len(steps["steps"]) == 3
    assert {step["guarantee"] for step in steps["steps"]} == {"smallest"}


def test_each_step_is_a_picture(tmp_path: Path) -> None:
    result = run("explain", UNIQUE, "-o", str(tmp_path / "why.svg"))
    assert result.exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["why-1.svg", "why-2.svg", "why-3.svg"]
    run("explain", TWO, "-o", str(tmp_path / "two.pdf"))
    run("explain", NONE, "-o", str(tmp_path / "none.png"))
    assert (tmp_path / "two.pdf").exists()
    assert (tmp_path / "none.png").exists()


def test_several_are_distinguished() -> None:
    result = run("explain", NONE, TWO, "12..5")
    assert result.exit_code == 2
    assert "argument 1: unsolvable\n" in result.stdout
    assert "argument 2: multiple\n" in result.stdout


def test_a_timeout_is_status_3() -> None:
    result = run("explain", str(ROOT / "puzzles" / "16x16.txt"), "--timeout", "1")
    assert result.exit_code == 3
    assert "undecided: the timeout came " in complaints(result)[0]
