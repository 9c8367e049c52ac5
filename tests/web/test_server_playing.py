"""What players ask the server."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.web import Asker

import satdoku
from satdoku.backends import Ending
from satdoku.setter.difficulty import Difficulty
from satdoku.techniques.step import Level
from satdoku.web import playing
from satdoku.web.forms import Form
from satdoku.web.questions import PageQuestion, Part, Tools

UNIQUE = "4..3....1....2.4"


def form(puzzle: str) -> Any:
    return msgspec.to_builtins(Form.of(satdoku.read(puzzle)))


@pytest.mark.parametrize(
    ("puzzle", "entered", "expected"),
    [
        (UNIQUE, {"r1c2": 1}, ([], True)),
        (UNIQUE, {"r1c2": 2, "r1c3": 2}, (["r1c2"], False)),
        ("." * 16, {"r1c1": 1, "r1c2": 1}, (None, False)),
        ("." * 16, {"r1c1": 1, "r1c2": 2}, (None, True)),
    ],
)
def test_check(ask: Asker, puzzle: str, entered: dict[str, int], expected: Any) -> None:
    found = ask("check", form(puzzle), entered=entered)["checked"]
    assert (found["wrong"], found["right"], found["complete"]) == (*expected, False)


def test_check_of_all_cells(ask: Asker) -> None:
    solution = {f"r{at // 4 + 1}c{at % 4 + 1}": int(value) for at, value in enumerate("4123234114323214")}
    assert ask("check", form(UNIQUE), entered=solution)["checked"]["complete"]


def test_a_hint_follows_from_what_is_entered_and_noted(ask: Asker) -> None:
    first = ask("hint", form(UNIQUE))["hint"]
    assert (first["number"], len(first["stages"])) == (1, 3)
    assert first["stages"][0].startswith("Look at ") and "=" in first["stages"][2]
    [cell] = first["placed"]
    assert cell in first["cells"]
    value = int(first["stages"][2].partition("=")[2][0])
    assert ask("hint", form(UNIQUE), entered={cell: value})["hint"]["placed"] != [cell]
    assert ask("hint", form(UNIQUE), limit=2)["hint"] != first
    for wrong in ({"entered": {cell: value % 4 + 1}}, {"noted": {cell: [value % 4 + 1]}}):
        assert "Check tells" in ask("hint", form(UNIQUE), **wrong)["error"]["error"]
    assert "several solutions" in ask("hint", form("." * 16))["error"]["error"]
    assert "expected a cell" in ask("hint", form(UNIQUE), entered={"r9c9": 1})["error"]["error"]


def test_difficulty_is_shown_without_steps(ask: Asker) -> None:
    level = {"level": 1, "name": "singles", "of": 8, "least": False}
    assert ask("rate", form(UNIQUE))["rated"] == {"id": 1, "part": "rated", **level}
    assert "one solution" in ask("rate", form("." * 16))["error"]["error"]


def test_a_difficulty_that_the_time_was_too_short_for_is_at_least_so(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = Difficulty(Level.WINGS, {"xy-wing": 1}, 20, Ending.TIMEOUT)
    monkeypatch.setattr(playing, "rated", lambda puzzle, seconds: cut)
    puzzle, parts = satdoku.read(UNIQUE), list[Part]()
    playing.rate(Tools(60.0), PageQuestion(ask="rate", puzzle=Form.of(puzzle)), puzzle, parts.append)
    assert parts == [{"part": "rated", "level": 5, "name": "wings", "of": 8, "least": True}]


def test_groups_of_cells_that_differ_come_with_the_drawing(ask: Asker) -> None:
    groups = ask("strokes", form(UNIQUE))["strokes"]["groups"]
    assert len(groups) == 12 and [0, 1, 2, 3] in groups and [0, 1, 4, 5] in groups
