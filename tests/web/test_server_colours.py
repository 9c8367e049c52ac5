"""Colours of cells: kept in the links that have a place for them, and named where a format has none."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

import satdoku
from satdoku.errors import InputError
from satdoku.web.colours import HOLDS, Colour, of_text
from satdoku.web.files import read, write
from satdoku.web.questions import Tools

PUZZLE = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}], "givens": {"r1c1": 3}}
COLOUR = {"r1c1": [1], "r2c3": [4, "#12ab9f", 9], "r4c4": ["#ff0000"]}
CELLS: list[list[dict[str, Any]]] = [[{} for _ in range(4)] for _ in range(4)]


def written(form: str, **more: Any) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    work = {"satdoku": "page", "puzzle": PUZZLE, **more}
    write(Tools(1.0), msgspec.json.encode({"work": work, "form": form}), parts.append)
    return parts[0]


def opened(text: str, answers: str = "") -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    read(Tools(1.0), (text.encode(), "", answers), parts.append)
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


def test_links_with_data_of_sudokupad_draw_them() -> None:
    arrow = {"shape": "arrow", "points": [[1, 1], [2, 2]], "tint": "#000000", "width": 0.05}
    found = written("sudokupad", colour=COLOUR, puzzle=PUZZLE | {"drawings": [arrow]})
    assert found["left_out"] == []
    work = opened(found["data"].decode(), '[""]')
    assert work["colour"] == COLOUR
    assert [each["shape"] for each in work["puzzle"]["drawings"]] == ["arrow"]


def test_penpa_draws_them() -> None:
    found = written("penpa", colour={"r1c1": [1], "r2c3": ["#12ab9f", 9], "r9c9": [2], "r3c3": [0]})
    assert found["left_out"] == ["all but one colour of a cell"]
    drawn = satdoku.read(found["data"].decode(), drawn="ignore", box="2x2").drawings
    assert {each.points[0]: each.fill for each in drawn} == {(1, 1): "#f4b6b6", (2, 3): "#12ab9f"}
    assert written("penpa", colour={"r1c2": [6]})["left_out"] == []


@pytest.mark.parametrize("form", ["toml", "line", "sdk"])
def test_other_forms_name_them(form: str) -> None:
    assert written(form, colour=COLOUR)["left_out"] == ["colours"]
    assert written(form, colour={"r1c1": []})["left_out"] == []


def test_pictures_draw_stripes_of_them() -> None:
    found = written("svg", colour={"r1c1": [1, "#12ab9f"]})
    assert found["left_out"] == []
    assert all(shade in found["data"].decode().lower() for shade in ("#f4b6b6", "#12ab9f"))


@pytest.mark.parametrize("wrong", ["", "red", "#12ab9", "#12ab9f;x"])
def test_what_is_no_colour_is_refused(wrong: str) -> None:
    with pytest.raises(InputError, match="the colour"):
        written("penpa", colour={"r1c1": [wrong]})
    with pytest.raises(InputError, match="the colour"):
        opened(written("page", colour={"r1c1": [1]})["data"].decode().replace("[1]", json.dumps([wrong])))


@pytest.mark.parametrize(
    ("stated", "colours"),
    [
        ({"c": "#F4B6B6"}, [1]),
        ({"c": "#FFA0A0"}, ["#ffa0a0"]),
        ({"c": 8}, ["#8180f0"]),
        ({"cArray": ["#00ff0080", "#f00", "#f00"]}, ["#7fff7f", "#ff0000"]),
        ({"c": "#fff"}, None),
        ({"c": "red"}, ["#ff0000"]),
        ({"c": "reddish"}, None),
        ({"c": {"red": 1}}, None),
    ],
)
def test_each_is_kept_as_it_is(stated: dict[str, Any], colours: list[Colour] | None) -> None:
    grid = [[{**stated}, *CELLS[0][1:]], *CELLS[1:]]
    assert of_text(json.dumps({"size": 4, "grid": grid})).get("r1c1") == colours


def test_a_colour_that_the_page_does_not_have_is_left_out() -> None:
    assert "colour" not in opened(written("f-puzzles", colour={"r1c1": [0, 10, -1], "r9c9": [1]})["data"].decode())
