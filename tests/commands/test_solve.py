"""`satdoku solve` and `satdoku count`: solutions, limits, and what `solve` prints read by `check`."""

from __future__ import annotations

import os
from typing import Any

import pytest
from support.cli import (
    BOXES,
    CLASH,
    CLASH_REASON,
    EMPTY_NINE,
    HUGE,
    MANY,
    NINE,
    NINE_DRAWN,
    NINE_SOLVED,
    TWO,
    TWO_SOLVED,
    UNIQUE,
    UNIQUE_SOLVED,
    complaints,
    out,
    records,
    run,
    start,
)

import satdoku
from satdoku.backends import Ending


class TestSolve:
    def test_a_solution_is_drawn(self) -> None:
        result = run("solve", NINE)
        assert (result.exit_code, result.stdout) == (0, NINE_DRAWN)
        assert complaints(result) == ["read as line, 9x9 with 3x3 boxes, 30 givens"]

    def test_several_puzzles_are_a_line_each(self, file: Any) -> None:
        result = run("solve", file(UNIQUE, NINE))
        assert result.stdout == f"puzzles.txt:1\tsolved\t{UNIQUE_SOLVED}\npuzzles.txt:2\tsolved\t{NINE_SOLVED}\n"
        assert result.exit_code == 0

    def test_a_puzzle_without_solution_makes_the_status_one(self, file: Any) -> None:
        result = run("solve", file(UNIQUE, CLASH))
        assert result.exit_code == 1
        assert result.stdout.splitlines()[1] == "puzzles.txt:2\tunsolvable"

    def test_alone_it_leaves_standard_output_empty(self) -> None:
        result = run("solve", CLASH)
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"unsolvable: the puzzle has no solution: {CLASH_REASON}" in complaints(result)[0]

    @pytest.mark.parametrize(
        ("options", "count"), [(["--limit", "5"], 5), (["--all"], 72), (["--limit", "0"], 72), (["--limit", "99"], 72)]
    )
    def test_a_limit_gives_that_many_different_solutions(self, options: list[str], count: int) -> None:
        lines = run("solve", *options, MANY).stdout.splitlines()
        assert len(set(lines)) == len(lines) == count

    def test_more_solutions_of_several_puzzles_name_their_puzzle(self, file: Any) -> None:
        lines = run("solve", "--all", file(TWO, UNIQUE)).stdout.splitlines()
        assert [line.split("\t")[0] for line in lines] == ["puzzles.txt:1", "puzzles.txt:1", "puzzles.txt:2"]

    @pytest.mark.parametrize(
        ("limit", "ending"), [("1", "limit"), ("2", "limit"), ("3", "exhausted"), ("0", "exhausted")]
    )
    def test_json_has_the_solutions_and_why_the_search_ended(self, limit: str, ending: str) -> None:
        (record,) = records(run("solve", "--json", "-b", "backtrack", "--limit", limit, TWO))
        found = [record.pop("solution")] if limit == "1" else record.pop("solutions")
        assert set(found) <= TWO_SOLVED
        assert record == {"source": "argument", "line": 1, "ending": ending, "backend": "backtrack"}

    def test_json_has_the_reason_where_givens_clash(self) -> None:
        result = run("solve", "--json", "-b", "backtrack", CLASH)
        assert result.exit_code == 1
        assert records(result) == [
            {
                "source": "argument",
                "line": 1,
                "solution": None,
                "ending": "exhausted",
                "backend": "backtrack",
                "reason": CLASH_REASON,
            }
        ]

    def test_a_search_that_is_cut_is_undecided(self, file: Any) -> None:
        options = "-b", "backtrack", "--timeout", "1e-9"
        alone = run("solve", *options, HUGE)
        assert (alone.exit_code, alone.stdout) == (3, "")
        assert "undecided: the search was stopped by its timeout" in complaints(alone)[0]
        several = run("solve", *options, file(HUGE, CLASH))
        assert several.stdout.splitlines() == ["puzzles.txt:1\tundecided", "puzzles.txt:2\tunsolvable"]
        (record,) = records(run("solve", "--json", *options, HUGE))
        assert (record["solution"], record["ending"]) == (None, "timeout")

    def test_solutions_are_printed_as_they_are_found(self) -> None:
        with start("solve", "--all", EMPTY_NINE) as process:
            grids = [out(process).readline().strip() for _ in range(3)]
            process.kill()
        assert len(set(grids)) == 3
        assert all(satdoku.check(satdoku.read(grid), backend="backtrack").count == 1 for grid in grids)


class TestCount:
    @pytest.mark.parametrize(
        ("options", "printed"),
        [
            ([], "72"),
            (["--limit", "73"], "72"),
            (["--limit", "72"], "72"),
            (["--limit", "71"], "at least 71"),
            (["--limit", "1"], "at least 1"),
            (["--limit", "0"], "72"),
            (["--all"], "72"),
        ],
    )
    def test_at_least_is_reported_only_if_there_is_one_more(self, options: list[str], printed: str) -> None:
        result = run("count", *options, MANY)
        assert (result.exit_code, result.stdout) == (0, f"{printed}\n")

    def test_several_puzzles_are_a_line_each(self, file: Any) -> None:
        result = run("count", "--limit", "2", file(UNIQUE, TWO, MANY, CLASH))
        assert [line.split("\t") for line in result.stdout.splitlines()] == [
            ["puzzles.txt:1", "1"],
            ["puzzles.txt:2", "2"],
            ["puzzles.txt:3", "at least 2"],
            ["puzzles.txt:4", "0"],
        ]
        assert result.exit_code == 0

    def test_json_says_whether_the_count_is_exact(self, file: Any) -> None:
        result = run("count", "--json", "-b", "backtrack", "--limit", "2", file(TWO, MANY, CLASH))
        common = {"backend": "backtrack"}
        assert records(result) == [
            {"source": "puzzles.txt", "line": 1, "count": 2, "exact": True, "ending": "exhausted"} | common,
            {"source": "puzzles.txt", "line": 2, "count": 2, "exact": False, "ending": "limit"} | common,
            {
                "source": "puzzles.txt",
                "line": 3,
                "count": 0,
                "exact": True,
                "ending": "exhausted",
                "reason": CLASH_REASON,
            }
            | common,
        ]

    def test_a_count_that_is_cut_makes_the_status_three(self, plant: Any) -> None:
        plant(*TWO_SOLVED, ending=Ending.TIMEOUT)
        result = run("count", "-b", "planted", TWO)
        assert (result.exit_code, result.stdout) == (3, "at least 2\n")
        (record,) = records(run("count", "--json", "-b", "planted", TWO))
        assert (record["count"], record["exact"], record["ending"]) == (2, False, "timeout")

    def test_no_solution_is_a_count_like_any_other(self) -> None:
        result = run("count", CLASH)
        assert (result.exit_code, result.stdout) == (0, "0\n")
        assert CLASH_REASON in complaints(result)[0]


class TestTheLoop:
    """What `solve` prints, `check` reads."""

    @staticmethod
    def puzzle(size: int) -> str:
        rows, columns = BOXES[size]
        full = [
            (columns * (row % rows) + row // rows + column) % size + 1 for row in range(size) for column in range(size)
        ]
        blanked = [0 if cell % 7 == 0 else value for cell, value in enumerate(full)]
        return satdoku.write(satdoku.Puzzle.from_givens(satdoku.classic(rows, columns), blanked))

    @pytest.mark.parametrize("size", sorted(BOXES))
    def test_a_drawn_solution_is_unique(self, size: int) -> None:
        solved = run("solve", "-b", "backtrack", self.puzzle(size))
        assert solved.exit_code == 0
        checked = run("check", "-b", "backtrack", "-", input=solved.stdout)
        assert checked.exit_code == 0
        assert checked.stdout.startswith("unique: ")
        assert checked.stdout.endswith(solved.stdout)
        assert f"{size}x{size} with" in checked.stderr

    def test_lines_of_every_size_are_unique(self, file: Any) -> None:
        solved = run("solve", "-b", "backtrack", file(*map(self.puzzle, BOXES)))
        checked = run("check", "-b", "backtrack", "-", input=solved.stdout)
        assert checked.stdout == "".join(f"-:{line}\tunique\n" for line in range(1, len(BOXES) + 1))
        assert checked.exit_code == 0

    @pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
    def test_it_closes_through_a_real_pipe(self, file: Any) -> None:
        with start("solve", file(NINE, UNIQUE)) as solve, start("check", "-", stdin=solve.stdout) as check:
            out(solve).close()
            printed = out(check).read()
        assert (printed, check.returncode, solve.wait()) == ("-:1\tunique\n-:2\tunique\n", 0, 0)
