"""Colours of cells: kept in the links that have a place for them, and named where a format has none."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

import satdoku
from satdoku.web.colours import HOLDS, of_text
from satdoku.web.files import read, write
from satdoku.web.questions import Tools

PUZZLE = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}], "givens": {"r1c1": 3}}
COLOUR = {"r1c1": [1], "r2c3": [4, 9], "r4c4": [6]}
CELLS: list[list[dict[str, Any]]] = [[{} for _ in range(4)] for _ in range(4)]


def written(form: str, **more: Any) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    work = {"satdoku": "page", "puzzle": PUZZLE, **more}
    write(Tools(1.0), msgspec.json.encode({"work": work, "form": form}), parts.append)
    return parts[0]


def opened(text: str) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    read(Tools(1.0), (text.encode(), "", ""), parts.append)
    work: dict[str, Any] = parts[0]["work"]
    return work


@pytest.mark.parametrize("form", sorted(HOLDS))
def test_links_keep_them(form: str) -> None:
    found = written(form, colour=COLOUR)
    text = found["data"].decode()
    assert found["left_out"] == []
    assert opened(text)["colour"] == COLOUR
    assert satdoku.read(text) == satdoku.read(written(form)["data"].decode())  # nothing else has changed
    assert "colour" not in opened(written(form)["data"].decode())


def test_penpa_draws_them() -> None:
    found = written("penpa", colour={"r1c1": [1], "r2c3": [4, 9], "r9c9": [2], "r3c3": [0]})
    assert found["left_out"] == ["all but one colour of a cell"]
    drawn = satdoku.read(found["data"].decode(), drawn="ignore", box="2x2").drawings
    assert {each.points[0]: each.fill for each in drawn} == {(1, 1): "#f4b6b6", (2, 3): "#c5e8b0"}
    assert written("penpa", colour={"r1c2": [6]})["left_out"] == []


@pytest.mark.parametrize("form", ["toml", "line", "svg"])
def test_other_forms_name_them(form: str) -> None:
    assert written(form, colour=COLOUR)["left_out"] == ["colours"]
    assert written(form, colour={"r1c1": []})["left_out"] == []


@pytest.mark.parametrize(
    ("stated", "numbers"),
    [
        ({"c": "#FFA0A0"}, [1]),
        ({"c": 8}, [7]),
        ({"cArray": ["#00ff0080", "#f00", "#fe0000"]}, [1, 4]),
        ({"c": "#fff"}, None),
        ({"c": "red"}, None),
        ({"c": {"red": 1}}, None),
    ],
)
def test_the_nearest_of_the_page_stands_for_each(stated: dict[str, Any], numbers: list[int] | None) -> None:
    grid = [[{**stated}, *CELLS[0][1:]], *CELLS[1:]]
    assert of_text(json.dumps({"size": 4, "grid": grid})).get("r1c1") == numbers


def test_a_colour_that_the_page_does_not_have_is_left_out() -> None:
    assert "colour" not in opened(written("f-puzzles", colour={"r1c1": [0, 10, -1], "r9c9": [1]})["data"].decode())
