"""`satdoku convert` and `satdoku export`: what is written, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import MANY, NINE, TWO, UNIQUE, complaints, run

from satdoku import read


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

    def test_marks_that_cannot_be_stated_go_into_the_rules(self) -> None:
        text = 'size = 4\nruleset = "Have fun"\nrules = ["anti-king"]\nsuccessor-arrow = ["r1c1-r1c4"]\n'
        text += 'cage = [{ cells = "r2c1 r2c2", value = 5 }]\nparity-line = ["r3c1 r3c2"]\n'
        refused = run("convert", "--to", "f-puzzles-json", "-", input=text)
        assert (refused.exit_code, refused.stdout) == (2, "")
        result = run("convert", "--lossy", "--to", "f-puzzles-json", "-", input=text)
        assert result.exit_code == 0
        assert "in the rules text alone" in result.stderr
        assert result.stderr.rstrip().endswith(
            "cannot state it: successor-arrow, parity-line; toml can (docs/own-rules.md)"
        )
        stated = read(result.stdout)
        assert [mark.kind for mark in stated.board.marks] == ["boxes", "anti-king", "cage"]
        assert stated.rules.startswith("Have fun\n")
        assert "(r1c1 r1c2 r1c3 r1c4)" in stated.rules

    def test_a_format_without_rules_leaves_marks_out_and_says_so(self) -> None:
        text = 'size = 4\nrules = ["chaos-construction"]\nboxes = "none"\ncage = [{ cells = "r1c1", value = 3 }]\n'
        result = run("convert", "--lossy", "--to", "iss", "-", input=text)
        assert result.stdout == ".Shape~4x4.NoBoxes.ChaosConstruction.Cage~3~R1C1\n"
        assert result.stderr == ""
        result = run("convert", "--lossy", "--to", "line", "-", input=text.replace('boxes = "none"\n', ""))
        assert result.stdout == "." * 16 + "\n"
        assert "left out, as the format line cannot state it: chaos-construction, cage" in result.stderr
