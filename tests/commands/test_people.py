"""What commands do for those who read them: colors, columns, what to do next, quiet runs, parts of files, help."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from support.cli import CLASH, EMPTY_NINE, NONE, TWO, UNIQUE, complaints, run

import satdoku
from satdoku.batch.layouts import TextLayout
from satdoku.batch.questions import Question, Style
from satdoku.batch.totals import OUTCOME, READ, RunTotal
from satdoku.terminal.texts import cell_lines, marked

RED = "\x1b[1;31m"


class TestColor:
    def test_cells_that_differ_are_marked_in_both_solutions(self) -> None:
        shown = run("check", "--color", "always", TWO).stdout
        first, second = shown.split("\n\n")[1:3]
        assert first.count(RED) == second.count(RED) == 4
        assert "they differ" not in shown
        assert shown.startswith("\x1b[33mmultiple\x1b[0m: ")

    @pytest.mark.parametrize("options", [(), ("--color", "never"), ("--color", "auto")])
    def test_without_a_terminal_there_is_none(self, options: tuple[str, ...]) -> None:
        assert "\x1b" not in run("check", *options, TWO).stdout

    def test_cells_are_counted_in_rows_of_any_drawing(self) -> None:
        assert marked("10 . | 3\n---+--\n 4 5 | 6", {0, 2, 5}).count(RED) == 3
        assert f"{RED}10\x1b[0m . | {RED}3" in marked("10 . | 3", {0, 2})

    def test_another_word_is_refused(self) -> None:
        result = run("check", "--color", "blue", UNIQUE)
        assert (result.exit_code, complaints(result)) == (2, ["--color blue: expected auto, always or never"])


class TestTerminal:
    def test_fields_stand_in_columns_and_verdicts_in_color(self) -> None:
        rows = ["a.txt:1\tunique", "a.txt:10\tmultiple\t1234", "no fields"]
        shown = TextLayout(Question(), Style(terminal=True)).pack(rows).splitlines()
        assert shown[0].index("unique") == shown[1].index("multiple")
        assert shown[2] == "no fields"
        assert "\x1b[32munique\x1b[0m" in TextLayout(Question(), Style(color=True)).pack(rows)
        assert TextLayout(Question(), Style()).pack(rows).splitlines() == rows

    def test_the_summary_names_the_first_of_each_kind(self, file: Any) -> None:
        total = RunTotal(first={"multiple": "a.txt:2"})
        total.count(READ, "line, 4x4")
        total.count(OUTCOME, "multiple", 2)
        assert total.summary(False, True).endswith("2 multiple; first multiple: a.txt:2")
        assert "first" not in total.summary(False)
        name = file(UNIQUE, UNIQUE, TWO, "nonsense", CLASH, TWO)
        record = json.loads(run("check", "--summary", "json", "-b", "native", name).stderr.splitlines()[-1])
        assert record["first"] == {"multiple": f"{name}:3", "invalid": f"{name}:4", "unsolvable": f"{name}:5"}
        assert (record["puzzles"], record["outcomes"]["unique"], record["status"]) == (6, 2, 2)


class TestNext:
    @pytest.mark.parametrize(("lines", "what"), [((TWO,), "what would make it unique"), ((NONE,), "what conflicts")])
    def test_the_file_is_named_where_there_is_one(self, file: Any, lines: tuple[str, ...], what: str) -> None:
        name = file(*lines, name="my puzzles.txt")
        assert f"`satdoku explain '{name}:1'` says {what}\n" in run("check", name).stdout

    def test_candidates_say_what_is_hidden_when_asked(self) -> None:
        assert "for no obvious reason; -v lists them" in run("candidates", TWO).stdout
        shown = run("candidates", "-v", TWO).stdout
        assert "impossible, though no constraint by itself excludes it: " in shown
        assert "-v lists" not in shown

    def test_a_count_that_stops_at_its_limit_says_how_to_go_on(self) -> None:
        assert "stopped at the limit of 1; --all counts all of them" in run("count", "--limit", "1", TWO).stderr
        assert "--all" not in run("count", TWO).stderr


class TestQuiet:
    def test_errors_alone_are_reported(self, file: Any) -> None:
        result = run("check", "-q", file(f"{UNIQUE} an id", "nonsense"))
        assert [line.split(":")[0] for line in complaints(result)] == ["puzzles.txt, line 2, column 1"]
        assert "not read" in run("check", file(f"{UNIQUE} an id", "nonsense")).stderr

    def test_errors_go_to_a_file_all_of_them(self, file: Any) -> None:
        name = file(*["nonsense"] * 30, UNIQUE)
        result = run("check", "--errors", "errors.txt", name)
        assert len(complaints(result)) == 1  # the summary
        lines = Path("errors.txt").read_text().splitlines()
        assert [line.split(",")[1] for line in lines] == [f" line {number}" for number in range(1, 31)]
        assert run("check", "--errors", name, name).exit_code == 2

    def test_another_form_of_summary_is_refused(self) -> None:
        assert complaints(run("check", "--summary", "xml", UNIQUE)) == ["--summary xml: expected text or json"]


class TestParts:
    def test_blanks_and_comments_do_not_count(self, file: Any) -> None:
        name = file("# one", UNIQUE, "", TWO, "# two", CLASH, UNIQUE)
        lines = run("check", "--skip", "1", "--head", "2", name).stdout.splitlines()
        assert lines == [f"{name}:4\tmultiple", f"{name}:6\tunsolvable"]
        assert run("check", "--head", "1", name).stdout.startswith("unique: ")

    def test_rows_of_tables_and_several_files(self, file: Any) -> None:
        table = file("id,grid", f"a,{UNIQUE}", f"b,{TWO}", f"c,{UNIQUE}", name="a.csv")
        lines = run("check", "--column", "grid", "--skip", "2", "--head", "2", table, table).stdout.splitlines()
        assert lines == ["a.csv:4\tunique", "a.csv:2\tunique"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--skip", "-1"), "--skip -1: expected 0 or more"),
            (("--head", "0"), "--head 0: expected 1 or more"),
            (("--skip", "9"), "--skip 9 leaves no puzzle"),
        ],
    )
    def test_what_leaves_nothing_is_reported(self, file: Any, options: tuple[str, ...], message: str) -> None:
        result = run("check", *options, file(UNIQUE, TWO))
        assert (result.exit_code, complaints(result)) == (2, [message])


class TestHelp:
    @pytest.mark.parametrize("words", [("check",), ("bench", "report"), ()])
    def test_it_is_that_of_the_command(self, words: tuple[str, ...]) -> None:
        shown = run("help", *words)
        assert (shown.exit_code, shown.stdout) == (0, run(*words, "--help").stdout)

    def test_a_command_that_is_not_there(self) -> None:
        result = run("help", "chek")
        assert result.exit_code == 2
        assert "unknown command 'chek': did you mean check" in result.stderr

    def test_an_option_without_a_value_shows_none(self) -> None:
        for words in ((), ("check",), ("bench", "report"), ("generate",)):
            assert "bool" not in run(*words, "--help").stdout

    def test_the_page_for_man_has_every_command_and_option(self) -> None:
        page = run("help", "--man").stdout
        assert page.startswith(".TH SATDOKU 1")
        for words in (("check",), ("bench", "run"), ("generate",)):
            assert f"\n.SH {' '.join(words).upper()}\n" in page
            options = set(re.findall(r"--[a-z-]{3,}", run(*words, "--help").stdout))
            assert all(option.replace("-", "\\-") in page for option in options - {"--help"})

    def test_a_table_in_a_pipe_is_not_cut(self) -> None:
        lines = run("formats").stdout.splitlines()
        assert max(map(len, lines)) > 100
        assert all(line == line.rstrip() for line in lines)


def test_an_empty_board_is_no_puzzle_to_stop_at() -> None:
    assert "they differ in " in run("check", EMPTY_NINE).stdout


class TestListsOfCells:
    """Of nearly all cells the others are named, and of all of them none."""

    def test_all_cells_that_vary_are_not_listed(self) -> None:
        for command in ("candidates", "explain"):
            shown = run(command, "." * 16).stdout
            assert "16 vary" in shown or "16 cells vary" in shown
            assert "r1c1, r1c2, r1c3" not in shown

    def test_of_most_cells_the_others_are_listed(self) -> None:
        puzzle = "1" + "." * 15
        assert "\nvary: all cells but r1c1\n" in run("candidates", puzzle).stdout
        assert "\nall cells but r1c1\n" in run("explain", puzzle).stdout

    def test_few_cells_are_listed(self) -> None:
        assert "\nvary: r1c3, r1c4, r3c3, r3c4\n" in run("candidates", TWO).stdout
        assert cell_lines("differ in ", satdoku.read(TWO).board, range(8))[0].startswith("differ in r1c1, r1c2")
        assert cell_lines("differ in ", satdoku.read(TWO).board, range(15)) == ["differ in all cells but r4c4"]
        assert cell_lines("differ in ", satdoku.read(TWO).board, range(16)) == ["differ in all cells"]


class TestNextCommand:
    """The command that a verdict recommends can be copied, whatever named the puzzle."""

    @pytest.mark.parametrize(
        "argument", [TWO, TWO.replace(".", "-"), "--3" + "-" * 13, "13.. ..31 31.. .213", f'["{TWO}"]', f"{TWO} # it's"]
    )
    def test_it_names_the_puzzle_of_an_argument(self, argument: str) -> None:
        shown = run("check", "--", argument).stdout
        assert shown.startswith("multiple")
        words = shlex.split(re.findall("`satdoku (explain .*)`", shown)[0])
        assert argument in words
        assert run(*words).stdout.startswith("multiple")

    def test_a_file_is_named_and_what_is_too_long_is_described(self, tmp_path: Path) -> None:
        file = tmp_path / "a puzzle.txt"
        file.write_text(TWO)
        words = shlex.split(re.findall("`satdoku (explain .*)`", run("check", str(file)).stdout)[0])
        assert run(*words).stdout.startswith("multiple")
        for arguments in (["check", "\n".join(TWO[start : start + 4] for start in range(0, 16, 4))], ["check", "-"]):
            shown = run(*arguments, input=TWO).stdout
            assert "`satdoku explain`, given the same puzzle, says what would make it unique" in shown


class TestWhatMinimizeSays:
    def test_without_givens_there_are_none_to_drop(self) -> None:
        reported = complaints(run("minimize", "--marks", "puzzles/variants/cage.toml"))[0]
        assert "no givens to drop; 26 marks, " in reported
        assert "0 left" not in reported
        assert complaints(run("minimize", "--marks", UNIQUE))[0].endswith("; no marks to drop")

    def test_one_that_is_left_is_needed(self) -> None:
        rows = ["....", "....", "2...", "...."]
        drawn = '"""\n' + "\n".join(rows) + '\n"""'
        text = f'size = 4\nthermometer = ["r1c1 r1c2 r1c3 r1c4", "r3c4 r2c4"]\ngrid = {drawn}'
        assert complaints(run("minimize", text))[0] == "argument 1: 1 given, 1 left, and it is needed"
