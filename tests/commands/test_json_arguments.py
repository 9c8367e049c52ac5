"""A puzzle of JSON as an argument: what commands make of it, and what they say of one that cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.cli import TWO, UNIQUE, UNIQUE_SOLVED, records, run

GRID = [
    [{"value": int(digit), "given": True} if digit.isdigit() else {} for digit in UNIQUE[i : i + 4]]
    for i in (0, 4, 8, 12)
]
PUZZLE = json.dumps({"size": 4, "grid": GRID})
CAGED = json.dumps({"size": 4, "grid": GRID, "killercage": [{"cells": ["R1C1", "R1C2"], "value": "3"}]})
WRITTEN = {
    "as one line": PUZZLE,
    "as several lines": json.dumps(json.loads(PUZZLE), indent=1),
    "as lists": json.dumps(
        [[int(digit) if digit.isdigit() else 0 for digit in UNIQUE[i : i + 4]] for i in (0, 4, 8, 12)]
    ),
    "as a text in an object": json.dumps({"puzzle": UNIQUE}),
}
COMMANDS = (["check"], ["solve"], ["explain"], ["difficulty"], ["convert", "--to", "line"])
SAID = ("unique: ", "1 2 | 3 4\n", "unique: ", "difficulty 1 ", UNIQUE)
WRONG = {
    "a brace": ("{", "not JSON: Expecting property name"),
    "cut": (PUZZLE[:-1], f"line 1, column {len(PUZZLE)}: not JSON"),
    "more after it": (PUZZLE + " x", "not JSON: Extra data"),
    "quotes of another language": (PUZZLE.replace('"', "'"), "expected"),
    "empty": ("{}", "no grid in this object of JSON: expected one of f-puzzles"),
    "another object": ('{"size": 4}', "no grid in this object of JSON"),
    "a key twice": ('{"size": 4, "size": 9}', "the key 'size' stands twice"),
    "a grid that is none": ('{"grid": 3}', "grid is 3, expected a list"),
    "a grid of other rows": (PUZZLE.replace('"size": 4', '"size": 9'), "the grid has 4 rows, expected 9"),
    "an empty list": ("[]", "'[]' is not a puzzle"),
    "a list of numbers": ("[1, 2]", "1 list of 2 values: expected N lists of N"),
    "brackets in brackets": ('{"size": 4, "grid": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
}


@pytest.mark.parametrize("before", ["", "  ", "\n\t", "\ufeff"])
@pytest.mark.parametrize("written", WRITTEN)
def test_json_is_read_whatever_blanks_are_before_it(written: str, before: str) -> None:
    (record,) = records(run("check", "--json", before + WRITTEN[written]))
    assert (record["verdict"], record["solution"]) == ("unique", UNIQUE_SOLVED)
    assert run("convert", "--to", "line", before + WRITTEN[written]).stdout == UNIQUE + "\n"


@pytest.mark.parametrize(("command", "said"), [*zip(COMMANDS, SAID, strict=True)])
def test_each_command_answers(command: list[str], said: str) -> None:
    result = run(*command, PUZZLE)
    assert result.exit_code == 0
    assert result.stdout.startswith(said)


def test_marks_are_read_and_those_that_a_format_cannot_hold_are_refused() -> None:
    assert "1 cage" in run("check", CAGED).stderr
    refused = run("convert", "--to", "line", CAGED)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == "satdoku: the line format cannot hold the rule 'cage'\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_said_in_one_line(wrong: str, command: list[str]) -> None:
    text, message = WRONG[wrong]
    result = run(*command, text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("satdoku: argument 1, line 1")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 250


def test_the_others_are_answered() -> None:
    result = run("check", "--json", "{", TWO, PUZZLE)
    assert result.exit_code == 2
    found: list[dict[str, Any]] = records(result)
    assert [record["verdict"] for record in found] == ["invalid", "multiple", "unique"]
    assert "not JSON: Expecting property name" in found[0]["error"]
