"""`satdoku check`: verdicts, streams, JSON; backends that are compared."""

from __future__ import annotations

from typing import Any

import pytest
from support.cli import (
    CLASH,
    CLASH_REASON,
    HUGE,
    NINE,
    NINE_DRAWN,
    NONE,
    TWO,
    TWO_SOLVED,
    UNIQUE,
    UNIQUE_SOLVED,
    complaints,
    records,
    run,
)

import satdoku
from satdoku.backends import Ending


class TestCheck:
    def test_a_puzzle_that_is_not_read_in_time_is_undecided(self, file: Any) -> None:
        path = file("size = 256", 'rules = ["nonconsecutive"]', name="large.toml")
        result = run("check", "--timeout", "1e-3", path)
        assert (result.exit_code, result.stdout) == (3, "undecided\n")
        assert "undecided: the timeout of 0.001 s came while the puzzle was read" in complaints(result)[-1]

    def test_a_unique_puzzle_is_shown_solved(self) -> None:
        result = run("check", NINE)
        assert result.exit_code == 0
        assert result.stdout == f"unique: the puzzle has exactly one solution\n\n{NINE_DRAWN}"
        assert complaints(result) == ["read as line, 9x9 with 3x3 boxes, 30 givens"]

    def test_a_multiple_puzzle_is_shown_with_two_solutions(self) -> None:
        result = run("check", TWO)
        assert result.exit_code == 1
        sentence, first, second, differ, then = result.stdout.split("\n\n")
        assert differ == "they differ in r1c3, r1c4, r3c3, r3c4"
        assert then == f"`satdoku explain {TWO}` says what would make it unique\n"
        assert sentence == "multiple: the puzzle has more than one solution, here are two"
        assert {satdoku.write(satdoku.read(text)) for text in (first, second)} == TWO_SOLVED

    @pytest.mark.parametrize(("puzzle", "reason"), [(CLASH, f": {CLASH_REASON}"), (NONE, "")])
    def test_an_unsolvable_puzzle_is_shown_with_its_reason(self, puzzle: str, reason: str) -> None:
        result = run("check", puzzle)
        assert result.exit_code == 1
        then = "" if reason else f"\n`satdoku explain {puzzle}` says what conflicts\n"
        assert result.stdout == f"unsolvable: the puzzle has no solution{reason}\n{then}"

    @pytest.mark.parametrize("json", [[], ["--json"]])
    def test_a_search_that_is_cut_is_undecided(self, json: list[str]) -> None:
        result = run("check", "-b", "backtrack", "--timeout", "1e-9", *json, HUGE)
        assert result.exit_code == 3
        assert "undecided" in result.stdout

    def test_a_timeout_after_one_solution_is_undecided_and_after_two_multiple(self, plant: Any) -> None:
        plant(UNIQUE_SOLVED, ending=Ending.TIMEOUT)
        result = run("check", "-b", "planted", UNIQUE)
        assert result.exit_code == 3
        assert result.stdout.startswith("undecided: the search was stopped by its timeout after 1 solution\n")
        plant(*TWO_SOLVED, ending=Ending.TIMEOUT)
        assert run("check", "-b", "planted", TWO).exit_code == 1

    def test_several_puzzles_are_a_line_each(self, file: Any) -> None:
        result = run("check", file(UNIQUE, TWO, CLASH))
        assert result.exit_code == 1
        assert result.stdout == "puzzles.txt:1\tunique\npuzzles.txt:2\tmultiple\npuzzles.txt:3\tunsolvable\n"
        assert complaints(result) == ["3 puzzles (line, 4x4 with 2x2 boxes): 1 unique, 1 multiple, 1 unsolvable"]

    def test_solutions_follow_on_the_line_when_asked_for(self, file: Any) -> None:
        lines = run("check", "--solutions", file(UNIQUE, TWO)).stdout.splitlines()
        assert lines[0].split("\t") == ["puzzles.txt:1", "unique", UNIQUE_SOLVED]
        assert set(lines[1].split("\t")[2:]) == TWO_SOLVED

    def test_json_has_these_fields_and_no_others(self, file: Any) -> None:
        result = run("check", "--json", "-b", "backtrack", file(UNIQUE, TWO, CLASH, NONE))
        common = {"backend": "backtrack"}
        assert records(result) == [
            {"source": "puzzles.txt", "line": 1, "verdict": "unique", "solution": UNIQUE_SOLVED} | common,
            {"source": "puzzles.txt", "line": 2, "verdict": "multiple"} | common,
            {"source": "puzzles.txt", "line": 3, "verdict": "unsolvable", "reason": CLASH_REASON} | common,
            {"source": "puzzles.txt", "line": 4, "verdict": "unsolvable"} | common,
        ]

    def test_json_has_two_solutions_and_seconds_when_asked_for(self) -> None:
        (record,) = records(run("check", "--json", "--solutions", "--timing", TWO))
        assert set(record.pop("solutions")) == TWO_SOLVED
        assert record.pop("seconds") >= 0
        assert record == {"source": "argument", "line": 1, "verdict": "multiple", "backend": "native"}

    def test_timing_is_a_last_field_or_stands_in_brackets(self, file: Any) -> None:
        for line in run("check", "--timing", file(UNIQUE, TWO)).stdout.splitlines():
            assert float(line.split("\t")[2]) >= 0
        first = run("check", "--timing", UNIQUE).stdout.splitlines()[0]
        assert first.startswith("unique: the puzzle has exactly one solution (")
        assert first.endswith(" s)")

    def test_the_output_does_not_depend_on_the_run(self, file: Any) -> None:
        name = file(NINE, TWO, CLASH)
        assert run("check", "--json", name).stdout == run("check", "--json", name).stdout

    @pytest.mark.parametrize("arguments", [[], ["-"]])
    def test_it_reads_standard_input_if_nothing_is_named(self, arguments: list[str]) -> None:
        result = run("check", *arguments, input=f"{UNIQUE}\n{UNIQUE}\n")
        assert (result.exit_code, result.stdout) == (0, "-:1\tunique\n-:2\tunique\n")

    def test_a_puzzle_that_begins_with_a_dash_goes_after_two(self) -> None:
        puzzle = UNIQUE.replace(".", "-")[::-1]
        assert run("check", "--", puzzle).exit_code == 0
        result = run("check", puzzle)
        assert result.exit_code == 2
        assert complaints(result)[0].endswith("a puzzle that begins with '-' goes after --")

    def test_a_named_box_is_the_one_used(self) -> None:
        puzzle = "123456" + "." * 30
        assert "6x6 with 2x3 boxes" in run("check", puzzle).stderr
        assert "6x6 with 3x2 boxes" in run("check", "--box", "3x2", puzzle).stderr

    def test_a_named_format_is_the_one_used(self) -> None:
        newspaper = satdoku.write(satdoku.read(UNIQUE), "newspaper")
        result = run("check", "--format", "newspaper", newspaper)
        assert (result.exit_code, complaints(result)) == (0, ["read as newspaper, 4x4 with 2x2 boxes, 13 givens"])

    @pytest.mark.parametrize("encoding", ["minimal", "efficient", "extended"])
    def test_every_encoding_gives_the_same_answer(self, encoding: str) -> None:
        assert run("check", "-e", encoding, NINE).stdout == run("check", NINE).stdout


class TestCompare:
    def test_backends_that_agree_are_named_in_the_summary(self) -> None:
        result = run("check", "--compare", "backtrack,cadical153,cpsat", NINE)
        assert result.exit_code == 0
        assert result.stdout.endswith(NINE_DRAWN)
        assert complaints(result)[0].endswith("; backtrack, cadical153, cpsat compared")

    def test_an_encoding_goes_to_those_that_take_one(self) -> None:
        assert run("check", "--compare", "backtrack,cadical153", "-e", "minimal", UNIQUE).exit_code == 0

    def test_two_verdicts_are_a_disagreement(self, plant: Any, file: Any) -> None:
        plant()
        result = run("check", "--compare", "backtrack,planted", file(UNIQUE, CLASH))
        assert result.exit_code == 4
        assert result.stdout == "puzzles.txt:2\tunsolvable\n"
        assert complaints(result)[0] == "puzzles.txt:1: backtrack says unique, planted says unsolvable"

    def test_an_undecided_backend_leaves_the_verdict_to_the_other(self, plant: Any) -> None:
        plant(ending=Ending.TIMEOUT)
        for names in ("planted,backtrack", "backtrack,planted"):
            assert run("check", "--compare", names, UNIQUE).exit_code == 0

    def test_a_wrong_grid_ends_the_run_and_names_the_backend(self, plant: Any, file: Any) -> None:
        plant(UNIQUE_SOLVED.translate(str.maketrans("12", "21")))
        result = run("check", "-b", "planted", file(UNIQUE, UNIQUE))
        assert (result.exit_code, result.stdout) == (4, "")
        assert complaints(result)[0].startswith("puzzles.txt:1: backend planted gave a wrong grid: ")

    def test_a_grid_that_comes_twice_is_a_wrong_answer(self, plant: Any) -> None:
        plant(UNIQUE_SOLVED, UNIQUE_SOLVED)
        result = run("check", "-b", "planted", UNIQUE)
        assert result.exit_code == 4
        assert complaints(result)[0].endswith("gave a wrong grid: duplicate solution")

    def test_a_board_that_a_backend_refuses_costs_that_puzzle(self, plant: Any, file: Any) -> None:
        plant(UNIQUE_SOLVED, refusal="it is too square")
        result = run("check", "-b", "planted", file(UNIQUE, CLASH))
        assert (result.exit_code, result.stdout) == (2, "puzzles.txt:2\tunsolvable\n")
        assert complaints(result)[0] == "puzzles.txt:1: backend planted cannot take it: it is too square"
