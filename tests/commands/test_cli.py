"""The command line: what each command prints, where it prints it, and the status it ends with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
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
    NONE,
    TWO,
    TWO_SOLVED,
    UNIQUE,
    UNIQUE_SOLVED,
    complaints,
    records,
    run,
    start,
)

import satdoku
from satdoku import backends
from satdoku.backends import Budget, Ending, Engine
from satdoku.constraints import Grid
from satdoku.encoders.at_most_one import METHODS
from satdoku.errors import worse


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a file of these lines into the working directory, under a plain name."""
    monkeypatch.chdir(tmp_path)

    def write(*lines: str, name: str = "puzzles.txt") -> str:
        Path(name).write_text("".join(f"{line}\n" for line in lines))
        return name

    return write


Script = Callable[[satdoku.Puzzle], tuple[Iterable[Grid], Ending]]


class Scripted:
    """A backend that says of each puzzle what its script says."""

    def __init__(self, script: Script, refusal: str | None) -> None:
        self._script = script
        self._refusal = refusal

    def refuses(self, board: satdoku.Board) -> str | None:
        return self._refusal

    def load(self, board: satdoku.Board) -> None:
        pass

    def search(self, puzzle: satdoku.Puzzle, budget: Budget) -> Iterator[Grid]:
        grids, ending = self._script(puzzle)
        yield from islice(grids, budget.solutions)
        return ending

    def close(self) -> None:
        pass


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Add the backend `planted`, which finds these grids in any puzzle and then ends so."""

    def add(*grids: str, ending: Ending = Ending.EXHAUSTED, script: Script | None = None, refusal: str | None = None):
        found = [tuple(map(int, grid)) for grid in grids]
        told = script or (lambda puzzle: (found, ending))
        engine = Engine("planted", "scripted", lambda argument, encoding: Scripted(told, refusal))
        monkeypatch.setitem(backends.engines(), "planted", engine)

    return add


class TestCheck:
    def test_a_unique_puzzle_is_shown_solved(self) -> None:
        result = run("check", NINE)
        assert result.exit_code == 0
        assert result.stdout == f"unique: the puzzle has exactly one solution\n\n{NINE_DRAWN}"
        assert complaints(result) == ["read as line, 9x9 with 3x3 boxes, 30 givens"]

    def test_a_multiple_puzzle_is_shown_with_two_solutions(self) -> None:
        result = run("check", TWO)
        assert result.exit_code == 1
        sentence, first, second = result.stdout.split("\n\n")
        assert sentence == "multiple: the puzzle has more than one solution, here are two"
        assert {satdoku.write(satdoku.read(text)) for text in (first, second)} == TWO_SOLVED

    @pytest.mark.parametrize(("puzzle", "reason"), [(CLASH, f": {CLASH_REASON}"), (NONE, "")])
    def test_an_unsolvable_puzzle_is_shown_with_its_reason(self, puzzle: str, reason: str) -> None:
        result = run("check", puzzle)
        assert result.exit_code == 1
        assert result.stdout == f"unsolvable: the puzzle has no solution{reason}\n"

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
            {"puzzle": "puzzles.txt:1", "verdict": "unique", "solution": UNIQUE_SOLVED} | common,
            {"puzzle": "puzzles.txt:2", "verdict": "multiple"} | common,
            {"puzzle": "puzzles.txt:3", "verdict": "unsolvable", "reason": CLASH_REASON} | common,
            {"puzzle": "puzzles.txt:4", "verdict": "unsolvable"} | common,
        ]

    def test_json_has_two_solutions_and_seconds_when_asked_for(self) -> None:
        (record,) = records(run("check", "--json", "--solutions", "--timing", TWO))
        assert set(record.pop("solutions")) == TWO_SOLVED
        assert record.pop("seconds") >= 0
        assert record == {"puzzle": "argument 1", "verdict": "multiple", "backend": "glucose4"}

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
        assert complaints(result)[0].endswith("gave a wrong grid: it came twice")

    def test_a_board_that_a_backend_refuses_costs_that_puzzle(self, plant: Any, file: Any) -> None:
        plant(UNIQUE_SOLVED, refusal="it is too square")
        result = run("check", "-b", "planted", file(UNIQUE, CLASH))
        assert (result.exit_code, result.stdout) == (2, "puzzles.txt:2\tunsolvable\n")
        assert complaints(result)[0] == "puzzles.txt:1: backend planted cannot take it: it is too square"


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
        assert set(record.pop("solutions")) <= TWO_SOLVED
        assert record == {"puzzle": "argument 1", "ending": ending, "backend": "backtrack"}

    def test_json_has_the_reason_where_givens_clash(self) -> None:
        result = run("solve", "--json", "-b", "backtrack", CLASH)
        assert result.exit_code == 1
        assert records(result) == [
            {
                "puzzle": "argument 1",
                "solutions": [],
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
        assert (record["solutions"], record["ending"]) == ([], "timeout")

    def test_solutions_are_printed_as_they_are_found(self) -> None:
        with start("solve", "--all", EMPTY_NINE) as process:
            grids = [process.stdout.readline().strip() for _ in range(3)]
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
            (["--all", "--limit", "3"], "72"),
        ],
    )
    def test_at_least_is_said_only_if_there_is_one_more(self, options: list[str], printed: str) -> None:
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
            {"puzzle": "puzzles.txt:1", "count": 2, "exact": True, "ending": "exhausted"} | common,
            {"puzzle": "puzzles.txt:2", "count": 2, "exact": False, "ending": "limit"} | common,
            {"puzzle": "puzzles.txt:3", "count": 0, "exact": True, "ending": "exhausted", "reason": CLASH_REASON}
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


class TestExport:
    @pytest.mark.parametrize(("encoding", "clauses"), [("minimal", 304), ("efficient", 400), ("extended", 448)])
    def test_the_clauses_and_one_for_the_given_are_written(self, encoding: str, clauses: int) -> None:
        result = run("export", "--to", "dimacs", "-e", encoding, MANY)
        lines = result.stdout.splitlines()
        assert (result.exit_code, result.stderr) == (0, "")
        assert f"p cnf 64 {clauses + 1}" in lines
        assert len([line for line in lines if not line.startswith(("c", "p"))]) == clauses + 1
        assert lines[-1] == "1 0"

    def test_a_file_holds_what_would_be_printed(self, tmp_path: Path) -> None:
        target = tmp_path / "a.cnf"
        result = run("export", "-o", str(target), MANY)
        assert (result.exit_code, result.stdout) == (0, "")
        assert target.read_text() == run("export", MANY).stdout

    def test_one_puzzle_of_a_file_is_named_by_its_line(self, file: Any) -> None:
        name = file(MANY, UNIQUE)
        result = run("export", name)
        assert (result.exit_code, result.stdout) == (2, "")
        assert complaints(result) == [f"{name} holds several puzzles: name one by its line, such as {name}:1"]
        assert run("export", f"{name}:2").exit_code == 0

    def test_a_file_of_one_puzzle_needs_no_line(self, file: Any) -> None:
        assert run("export", file(MANY)).exit_code == 0

    def test_standard_input_will_do(self) -> None:
        assert run("export", "-", input=MANY).stdout.splitlines()[-1] == "1 0"

    def test_a_file_is_not_touched_if_the_puzzle_is_at_fault(self, tmp_path: Path) -> None:
        target = tmp_path / "a.cnf"
        assert run("export", "-o", str(target), MANY[1:]).exit_code == 2
        assert not target.exists()


class TestConvert:
    def test_lines_become_grids_and_grids_lines(self) -> None:
        grid = run("convert", "--to", "grid", TWO).stdout
        assert grid == "1 3 | . .\n. . | 3 1\n----+----\n3 1 | . .\n. 2 | 1 3\n"
        assert run("convert", "-", input=grid).stdout == f"{TWO}\n"

    def test_newspapers_are_written_and_read(self) -> None:
        text = run("convert", "--to", "newspaper", NINE).stdout
        assert run("convert", "--format", "newspaper", "-", input=text).stdout == f"{NINE}\n"

    def test_it_says_nothing_else(self) -> None:
        assert run("convert", NINE).stderr == ""

    def test_a_line_at_fault_costs_that_line(self, file: Any) -> None:
        result = run("convert", file(UNIQUE, "123", TWO))
        assert (result.exit_code, result.stdout) == (2, f"{UNIQUE}\n{TWO}\n")
        assert len(complaints(result)) == 1

    def test_the_output_goes_to_a_file_when_named(self, file: Any) -> None:
        result = run("convert", "-o", "out.txt", file(UNIQUE, TWO))
        assert (result.exit_code, result.stdout) == (0, "")
        assert Path("out.txt").read_text() == f"{UNIQUE}\n{TWO}\n"


class TestLists:
    def test_every_backend_is_listed_with_what_it_can_do(self) -> None:
        rows = records(run("backends", "--json"))
        assert [row["backend"] for row in rows] == list(backends.engines())
        for row in rows:
            assert {"backend", "installed", "encoding", "seed", "abilities", "summary", "default"} <= set(row)
            assert row["installed"] is ("reason" not in row)
        assert [row["backend"] for row in rows if row["default"]] == [backends.DEFAULT]

    def test_every_encoding_is_listed_with_its_size(self) -> None:
        told = records(run("encodings", "--box", "2x2", "--json"))
        rows = {row["encoding"]: row for row in told if "encoding" in row}
        assert rows["extended"]["formula"] == "N^3, 4N^2(1+P)"
        assert {row["at_most_one"]: row["clauses"] for row in told if "at_most_one" in row} == {
            name: method.size(4)[1] for name, method in METHODS.items()
        }
        assert {name: rows[name]["clauses"] for name in ("minimal", "efficient", "extended")} == {
            "minimal": 304,
            "efficient": 400,
            "extended": 448,
        }
        assert sum(row["default"] for row in rows.values()) == 1

    def test_the_tables_name_all_that_the_json_names(self) -> None:
        table = run("backends").stdout
        assert all(name in table for name in backends.engines())
        assert f"{backends.DEFAULT} (default)" in table
        assert "11988" in run("encodings").stdout
        assert "Sizes for 6x6 with 2x3 boxes" in run("encodings", "--box", "2x3").stdout

    def test_named_encodings_are_sized_in_the_form_named(self) -> None:
        (row,) = records(run("encodings", "--box", "2x3", "extended+product", "--json"))
        export = run("export", "-e", "extended+product", "--format", "line", "." * 36).stdout
        assert f"p cnf {row['variables']} {row['clauses']}\n" in export

    def test_a_board_too_large_to_write_has_its_size_by_formula(self) -> None:
        (row,) = records(run("encodings", "--box", "10x10", "extended", "--json"))
        assert (row["variables"], row["clauses"]) == (100**3, 4 * 100**2 * (1 + 4950))
        assert "too large" in run("encodings", "--box", "10x10", "extended+product").stderr

    def test_a_reduced_encoding_has_no_size_without_its_puzzle(self) -> None:
        result = run("encodings", "extended+reduced")
        assert result.exit_code == 2
        assert "of one puzzle" in result.stderr


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
            solve.stdout.close()
            printed = check.stdout.read()
        assert (printed, check.returncode, solve.wait()) == ("-:1\tunique\n-:2\tunique\n", 0, 0)


class TestStatus:
    def test_where_several_hold_the_order_is_2_4_1_3_0(self) -> None:
        order = [2, 4, 1, 3, 0]
        assert all(worse(a, b) == min(a, b, key=order.index) for a in order for b in order)

    def test_the_worst_of_a_file_is_the_status_of_the_run(self, plant: Any, file: Any) -> None:
        def script(puzzle: satdoku.Puzzle) -> tuple[Iterable[Grid], Ending]:
            if satdoku.write(puzzle) == MANY:
                return [], Ending.TIMEOUT
            return [tuple(map(int, UNIQUE_SOLVED))], Ending.EXHAUSTED

        plant(script=script)
        lines = [UNIQUE, MANY, CLASH, "123"]
        statuses = [run("check", "-b", "planted", file(*lines[:last], UNIQUE)).exit_code for last in range(1, 5)]
        assert statuses == [0, 3, 1, 2]

    def test_a_disagreement_outweighs_a_multiple_puzzle_and_a_bad_line_both(self, plant: Any, file: Any) -> None:
        plant()
        assert run("check", "--compare", "backtrack,planted", file(CLASH, TWO)).exit_code == 4
        assert run("check", "--compare", "backtrack,planted", file(CLASH, TWO, "123")).exit_code == 2

    @pytest.mark.parametrize(
        "arguments",
        [
            ["check", NINE],
            ["solve", "--all", EMPTY_NINE],
            ["count", MANY],
            ["export", NINE],
            ["convert", NINE],
            ["encodings", "--json"],
            ["backends"],
            ["bench", "run", "-b", "backtrack", UNIQUE],
            ["--help"],
            ["--version"],
        ],
        ids=lambda arguments: arguments[0],
    )
    def test_a_closed_pipe_ends_quietly_with_141(self, arguments: list[str]) -> None:
        with start(*arguments) as process:
            process.stdout.close()
            said = process.stderr.read()
        assert (process.returncode, said) == (141, "")

    @pytest.mark.skipif(os.name != "posix", reason="SIGINT")
    @pytest.mark.parametrize("backend", [backends.DEFAULT, "backtrack", "cpsat"])
    def test_an_interrupt_ends_with_130_and_one_word(self, backend: str) -> None:
        with start("solve", "--all", "-b", backend, EMPTY_NINE) as process:
            assert len(process.stdout.readline()) == 82
            process.send_signal(signal.SIGINT)
            process.stdout.read()
            said = process.stderr.read()
        assert process.returncode == 130
        assert "satdoku: interrupted" in said.splitlines()
        assert "Traceback" not in said

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
    def test_a_full_disk_is_said_in_one_line(self) -> None:
        result = run("export", "-o", "/dev/full", UNIQUE)
        assert (result.exit_code, complaints(result)) == (2, ["output: No space left on device"])


class TestHelp:
    @pytest.mark.parametrize(
        "command",
        [
            [],
            ["check"],
            ["solve"],
            ["count"],
            ["export"],
            ["convert"],
            ["backends"],
            ["encodings"],
            ["bench"],
            ["bench", "run"],
        ],
        ids=" ".join,
    )
    @pytest.mark.parametrize("flag", ["-h", "--help"])
    def test_every_command_has_help(self, command: list[str], flag: str) -> None:
        result = run(*command, flag)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "Usage: satdoku" in result.stdout

    def test_the_version_is_the_package_s(self) -> None:
        assert run("--version").stdout == f"satdoku {satdoku.__version__}\n"

    @pytest.mark.parametrize("arguments", [[], ["bench"]], ids=" ".join)
    def test_a_command_that_needs_another_shows_its_help(self, arguments: list[str]) -> None:
        result = run(*arguments)
        assert result.exit_code == 2
        assert "Usage: satdoku" in result.stdout + result.stderr
        assert "satdoku: ;" not in result.stderr

    def test_it_loads_no_solver(self) -> None:
        probe = (
            "import sys\nfrom satdoku.cli import app\n"
            "try: app(['--help'])\nexcept SystemExit: pass\n"
            "heavy = {'ortools', 'pysat', 'numpy', 'numba', 'pandas', 'scipy', 'matplotlib'}\n"
            "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
        assert done.stderr == "[]\n"

    @pytest.mark.skipif(os.name != "posix", reason="terminals")
    def test_a_terminal_with_nothing_named_gets_usage(self) -> None:
        import pty

        ours, theirs = pty.openpty()
        try:
            with start("check", stdin=theirs) as process:
                printed, said = process.communicate()
        finally:
            os.close(ours)
            os.close(theirs)
        assert (process.returncode, printed) == (2, "")
        assert said.startswith("satdoku: no puzzles named: ")
        assert said.count("\n") == 1

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            ("satdoku ch", {"check"}),
            ("satdoku check -b cadical1", {"cadical103", "cadical153", "cadical195"}),
            ("satdoku check --encoding e", {"efficient", "extended"}),
            ("satdoku convert --to g", {"grid"}),
        ],
    )
    def test_the_shell_completes_names(self, words: str, expected: set[str]) -> None:
        environment = os.environ | {
            "_SATDOKU_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        script = "import sys; sys.argv[0] = 'satdoku'; from satdoku.cli import app; app()"
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        names = done.stdout.split()
        assert expected <= set(names)
        assert all(name.startswith(words.split()[-1]) for name in names)
        assert done.stderr == ""


WRONG = [
    ["frobnicate"],
    ["chek", UNIQUE],
    ["--frobnicate"],
    ["--versio"],
    ["check", "nosuch.txt"],
    ["check", "nosuch.txt:3"],
    ["check", "."],
    ["check", ""],
    ["check", "x\x00y"],
    ["check", "q" * 100_000],
    ["check", "1" * 15],
    ["check", "9" + UNIQUE[1:]],
    ["check", "." * 258**2],
    ["check", "-1.2............"],
    ["check", "--.............."],
    ["check", "-..............1"],
    ["check", "--box", "3", UNIQUE],
    ["check", "--box", "", UNIQUE],
    ["check", "--box", "2x3", UNIQUE],
    ["check", "--box", "0x4", UNIQUE],
    ["check", "--box", "99999999999x2", UNIQUE],
    ["check", "--box"],
    ["check", "--format", "lien", UNIQUE],
    ["check", "--format", "", UNIQUE],
    ["check", "--format", "newspaper", UNIQUE],
    ["check", "--timeout", "0", UNIQUE],
    ["check", "--timeout", "-1", UNIQUE],
    ["check", "--timeout", "nan", UNIQUE],
    ["check", "--timeout", "inf", UNIQUE],
    ["check", "--timeout", "soon", UNIQUE],
    ["check", "-b", "cadical15", UNIQUE],
    ["check", "-b", "", UNIQUE],
    ["check", "-b", "cpsat:fast", UNIQUE],
    ["check", "-b", "backtrack:column", UNIQUE],
    ["check", "-b", "backtrack:", UNIQUE],
    ["check", "-e", "minimall", UNIQUE],
    ["check", "-e", "", UNIQUE],
    ["check", "-b", "backtrack", "-e", "minimal", UNIQUE],
    ["check", "-b", "backtrack", "--compare", "cpsat", UNIQUE],
    ["check", "--compare", "", UNIQUE],
    ["check", "--compare", "backtrack,", UNIQUE],
    ["check", "--compare", "backtrack,zzz", UNIQUE],
    ["check", "--compare", "backtrack,cpsat", "-e", "minimal", UNIQUE],
    ["solve", "--limit", "-1", UNIQUE],
    ["solve", "--limit", "some", UNIQUE],
    ["solve", "--limit", "1.5", UNIQUE],
    ["solve", "-b", "zzz", UNIQUE],
    ["count", "--limit", "-1", UNIQUE],
    ["count", "-e", "zzz", UNIQUE],
    ["export"],
    ["export", UNIQUE, UNIQUE],
    ["export", "--to", "dimac", UNIQUE],
    ["export", "-e", "zzz", UNIQUE],
    ["export", "-o", "/nonexistent/a.cnf", UNIQUE],
    ["export", "-o", ".", UNIQUE],
    ["convert", "--to", "gird", UNIQUE],
    ["convert", "-o", ".", UNIQUE],
    ["backends", "all"],
    ["encodings", "--box", "2x"],
    ["encodings", "--box", ""],
    ["bench", "rum"],
    ["bench", "run", "-b", "zzz", UNIQUE],
    ["bench", "run", "-b", "", UNIQUE],
    ["bench", "run", "-b", "backtrack,", UNIQUE],
    ["bench", "run", "-b", "backtrack", "-e", "minimal", UNIQUE],
    ["bench", "run", "-e", "zzz", UNIQUE],
    ["bench", "run", "--timeout", "0", UNIQUE],
]


@pytest.mark.parametrize("arguments", WRONG, ids=lambda arguments: " ".join(arguments)[:40].replace("\x00", "NUL"))
def test_a_wrong_invocation_is_one_line_and_status_two(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(complaints(result)) == 1
    assert len(result.stderr) > len("satdoku: ; ")
    assert not result.stderr.startswith("satdoku: :")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chek"], "No such command 'chek'"),
        (["check", "-b", "cadical15", UNIQUE], "unknown backend 'cadical15': did you mean cadical"),
        (["check", "-b", "zzz", UNIQUE], "unknown backend 'zzz': see `satdoku backends`"),
        (["check", "-e", "minimall", UNIQUE], "unknown encoding 'minimall': did you mean minimal?"),
        (["check", "-e", "zzz", UNIQUE], "unknown encoding 'zzz': see `satdoku encodings`"),
        (["check", "--format", "gird", UNIQUE], "unknown format 'gird': did you mean grid"),
        (["export", "--to", "dimac", UNIQUE], "did you mean dimacs?"),
        (["check", "-b", "cpsat", "-e", "minimal", UNIQUE], "leave out --encoding minimal"),
        (["check", "-b", "cpsat:fast", UNIQUE], "backend cpsat takes no argument; leave out :fast"),
        (["check", "-b", "backtrack:column", UNIQUE], "expected backtrack:fewest or backtrack:row"),
        (
            ["check", "-b", "cpsat", "--compare", "cpsat,backtrack", UNIQUE],
            "--compare names the backends already: leave out --backend",
        ),
        (["solve", "--limit", "-1", UNIQUE], "--limit -1: expected 0 (all) or more"),
        (["check", "--timeout", "0", UNIQUE], "expected a number above 0"),
        (["check", "--frobnicate"], "No such option: --frobnicate"),
        (["check", "--frobnicate"], "see `satdoku check --help`"),
        (["export"], "see `satdoku export --help`"),
        (["check", "nosuch.txt"], "nosuch.txt: no such file, and no puzzle either"),
    ],
)
def test_what_is_wrong_is_said_with_the_way_out(arguments: list[str], message: str) -> None:
    assert message in run(*arguments).stderr


def test_an_option_at_fault_is_said_once_for_a_file_of_many(file: Any) -> None:
    result = run("check", "--timeout", "0", file(UNIQUE, UNIQUE, UNIQUE))
    assert (result.exit_code, len(complaints(result))) == (2, 1)


@pytest.mark.parametrize("command", [["check"], ["solve"], ["count"], ["convert"], ["bench", "run", "-b", "backtrack"]])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00\x00", b"\x00" * 50, b"1" * 100_000, b"a\nb\nc"])
def test_no_input_at_fault_gives_a_traceback(command: list[str], content: bytes) -> None:
    result = run(*command, "-", input=content)
    assert result.exit_code == 2
    assert complaints(result)


@pytest.mark.parametrize("command", ["check", "solve", "count", "convert"])
def test_one_bad_line_costs_that_line_and_makes_the_status_two(command: str, file: Any) -> None:
    result = run(command, file(UNIQUE, "12x", UNIQUE))
    assert (result.exit_code, len(result.stdout.splitlines())) == (2, 2)
    assert complaints(result)[0].startswith("puzzles.txt, line 2, column 1: 3 cells")
