"""Records name a puzzle by `source` and `line`, its text by `puzzle`; what is written so is read again as it is."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.cli import CLASH, NONE, TWO, UNIQUE, UNIQUE_SOLVED, records, run
from support.puzzles import PUZZLES

import satdoku
from satdoku.inputs.items import name_of, place

CAGE = "variants/cage.toml"
GRID = "13|..\n..|31\n--+--\n31|..\n.2|13\n"
FORMS = ["csv", "tsv", "jsonl", "json", "parquet", "csv.gz"]
WRITING = {
    "generate": ("generate", "-n", "3", "--seed", "1", "--box", "2x2"),
    "check": ("check", "--echo", "set.txt"),
    "check of a text in lines": ("check", "--echo", "grid.txt"),
    "check of a variant": ("check", "--echo", "cage.toml"),
    "convert": ("convert", "set.txt"),
    "convert to lines of text": ("convert", "cage.toml", "--to", "toml"),
    "dedupe": ("dedupe", "set.txt"),
    "dedupe of all": ("dedupe", "--all", "set.txt"),
    "minimize": ("minimize", "solved.txt"),
}


@pytest.fixture(autouse=True)
def files(file: Any) -> None:
    file(UNIQUE, TWO, name="set.txt")
    file(UNIQUE, UNIQUE_SOLVED, name="solved.txt")
    Path("grid.txt").write_text(GRID)
    Path("cage.toml").write_text(f"# drawn by hand\n\n{(PUZZLES / CAGE).read_text('utf-8')}", "utf-8")


def whole(puzzle: satdoku.Puzzle) -> str:
    """All that is to be solved."""
    return satdoku.write(replace(puzzle, solution=None), "toml", metadata=False)


def texts(path: str) -> list[str]:
    return list(map(whole, satdoku.load_many(path)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", WRITING)
def test_a_table_is_read_as_the_puzzles_that_it_was_made_of(name: str, form: str) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    command, *arguments = WRITING[name]
    made = run(command, *arguments, "-o", f"out.{form}", "-o", "out.jsonl" if form != "jsonl" else "other.jsonl")
    assert made.exit_code in (0, 1)
    written = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    puzzles = [satdoku.read(record["puzzle"]) for record in written]
    expected = list(map(whole, puzzles))
    assert texts(f"out.{form}") == expected
    read = run("check", "--json", "--echo", f"out.{form}")
    assert read.exit_code in (0, 1)
    assert [record["puzzle"].strip() for record in records(read)] == [one["puzzle"].strip() for one in written]
    again = run("convert", f"out.{form}", "--to", "toml", "--json")
    found = [satdoku.read(record["puzzle"]) for record in records(again)]
    assert list(map(whole, found)) == expected
    stated = [record.get("solution") for record in written]
    assert [puzzle.solution and "".join(map(str, puzzle.solution)) for puzzle in found] == stated


def test_a_certificate_has_the_puzzle_as_text() -> None:
    made = run("certify", "set.txt", "cage.toml", "-o", "proofs", "--csv")
    Path("out.csv").write_text(made.stdout, "utf-8")
    rows = list(csv.DictReader(io.StringIO(made.stdout)))
    assert [(row["source"], row["line"], row["format"]) for row in rows] == [
        ("set.txt", "1", "line"), ("set.txt", "2", "line"), ("cage.toml", "3", "toml"),
    ]  # fmt: skip
    verified = run("verify", "proofs", "--json")
    Path("out.jsonl").write_text(verified.stdout, "utf-8")
    assert texts("out.csv") == [*texts("set.txt"), *texts("cage.toml")]
    assert sorted(texts("out.jsonl")) == sorted(texts("out.csv"))
    assert {(one["source"], one["line"]) for one in records(verified)} == {
        ("set.txt", 1), ("set.txt", 2), ("cage.toml", 3),
    }  # fmt: skip


@pytest.mark.parametrize(
    "command",
    ["check", "solve", "count", "candidates", "explain", "minimize", "convert", "dedupe", "count --estimate 0.01",
     "check --echo", "solve --limit 2"],
)  # fmt: skip
def test_records_say_where_a_puzzle_stands_and_never_in_its_text(command: str) -> None:
    name, *more = command.split()
    result = run(name, *more, "--json", "set.txt", UNIQUE, "123", "-", input=f"\n{TWO}\n")
    found = records(result)
    places = [("set.txt", 1), ("set.txt", 2), ("argument", 2), ("123", None), ("-", 2)]
    assert {(record["source"], record["line"]) for record in found} <= set(places)
    assert len(found) == len(places) or name == "dedupe"
    for record in found:
        assert list(record)[:2] == ["source", "line"]
        assert "puzzle" not in record or set(record["puzzle"]) <= set("1234.")
    table = run(name, *more, "--csv", "set.txt").stdout.splitlines()
    assert table[0].startswith("source,line,")
    assert table[1].startswith("set.txt,1,")


def test_echo_keeps_all_columns_and_the_names_of_its_own() -> None:
    """Read three times, no column is lost or stands twice."""
    Path("a.csv").write_text(f"id,puzzle,verdict,source\n7,{UNIQUE},good,book\n8,{CLASH},bad,web\n")
    for before, after in (("a.csv", "b.csv"), ("b.csv", "c.csv"), ("c.csv", "d.csv")):
        assert run("check", "--echo", before, "-o", after).exit_code == 1
        header, *_ = csv.reader(io.StringIO(Path(after).read_text()))
        assert len(set(header)) == len(header)
        first = next(csv.DictReader(io.StringIO(Path(after).read_text())))
        assert (first["puzzle"], first["verdict"], first["source"], first["line"]) == (UNIQUE, "unique", before, "2")
        assert {"7", "good", "book"} <= set(first.values())
        assert texts(after) == texts("a.csv")
    assert first["input verdict"] == "good", "the name that it has got stays"


def test_another_column_of_the_name_does_not_take_the_place_of_the_puzzle() -> None:
    Path("a.csv").write_text(f"puzzle,quiz\n17,{UNIQUE}\n18,{TWO}\n")
    assert run("check", "--echo", "a.csv", "-o", "b.csv").exit_code == 1
    rows = list(csv.DictReader(io.StringIO(Path("b.csv").read_text())))
    assert [(row["input puzzle"], row["puzzle"]) for row in rows] == [("17", UNIQUE), ("18", TWO)]
    assert texts("b.csv") == texts("set.txt")


class TestStatedSolutions:
    def test_a_wrong_one_is_named_and_one_that_is_none_too(self) -> None:
        wrong = UNIQUE_SOLVED[1:] + UNIQUE_SOLVED[0]
        Path("a.csv").write_text(f"puzzle,solution\n{UNIQUE},{wrong}\n{UNIQUE},unknown\n{UNIQUE},\n")
        result = run("convert", "a.csv", "--to", "toml")
        assert (result.exit_code, result.stdout.count("solution = ")) == (0, 1)
        assert "a.csv:2: the solution stated is not one: " in result.stderr
        assert "a.csv:3: not read: 'unknown' in the column solution, expected a full grid of its board" in result.stderr
        assert "a.csv:4" not in result.stderr
        lines = run("convert", "a.csv")
        assert (lines.stdout, lines.stderr.count("\n")) == (f"{UNIQUE}\n" * 3, 1), "which hold no solutions"

    def test_check_does_not_compare_unless_it_is_asked_to(self) -> None:
        Path("a.csv").write_text(f"puzzle,solution\n{UNIQUE},{UNIQUE_SOLVED[1:]}{UNIQUE_SOLVED[0]}\n{TWO},x\n")
        assert run("check", "a.csv").stdout == "a.csv:2\tunique\na.csv:3\tmultiple\n"
        assert run("check", "a.csv", "set.txt").exit_code == 1
        assert run("check", "--column", "puzzle", "--expect", "solution", "a.csv").exit_code == 4


class TestJsonLines:
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("{", "out.jsonl: line 2: not JSON ("),
            ("[1]", "out.jsonl: line 2: expected an object of JSON"),
            ('{"verdict": "unique"}', "out.jsonl, line 2: no puzzle in this row"),
        ],
    )
    def test_a_line_that_is_no_record_is_named(self, line: str, message: str) -> None:
        Path("out.jsonl").write_text(f'{{"puzzle": "{UNIQUE}"}}\n{line}\n')
        result = run("check", "out.jsonl")
        assert result.exit_code == 2
        assert message in result.stderr
        assert "out.jsonl:1\tunique" in result.stdout

    def test_other_commands_read_them_too(self) -> None:
        Path("out.jsonl").write_text(f'{{"source": "a", "line": 1, "puzzle": "{UNIQUE}"}}\n{{"puzzle": "{NONE}"}}\n')
        assert run("export", "out.jsonl:2", "--to", "dimacs").exit_code == 0
        assert run("check", "out.jsonl:2").stdout.startswith("unsolvable")
        assert [puzzle.name for puzzle in satdoku.load_many("out.jsonl")] == ["out.jsonl:1", "out.jsonl:2"]


@pytest.mark.parametrize("name", ["set.txt:12", "a:b.txt:1", "argument 3", "puzzle 17", "puzzle", "-:4", "a\nb:2"])
def test_a_place_is_its_name_in_two_parts(name: str) -> None:
    found: Any = place(name)
    assert name_of(found["source"], found["line"]) == name


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json"])
@pytest.mark.parametrize("command", ["check", "solve", "count"])
def test_records_without_puzzles_are_refused_and_not_read_as_their_solutions(command: str, form: str) -> None:
    assert run(command, "solved.txt", "-o", f"out.{form}").exit_code == 0
    result = run("check", f"out.{form}")
    assert (result.exit_code, result.stdout) == (2, "")
    what = "records of satdoku without the text of their puzzles: write them with --echo, or name a column"
    assert f"satdoku: out.{form}: {what}, --column solution\n" in result.stderr
    if command != "count":
        assert run("check", "-q", "--column", "solution", f"out.{form}").stdout.count("unique") == 2
