"""Drawings whose rules are only described: what the page asks about them, and what becomes of the answers."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from support.pasted import penpa
from support.web import write

import satdoku
from satdoku.web.drawings import _colour

REGIONS = [[[row + down, column + right] for down in (0, 1) for right in (0, 1)] for row in (0, 2) for column in (0, 2)]
RULES = "Counting circles: a digit in a circle says how many circles have it. Along a line digits rise by at least 2."
CIRCLES = [[0.5, 0.5], [1.5, 2.5]]


def drawn(**more: Any) -> str:
    cells: list[Any] = [[{} for _ in range(4)] for _ in range(4)]
    return json.dumps({"cells": cells, "regions": REGIONS, "metadata": {"rules": RULES}, **more})


TEXT = drawn(
    lines=[{"wayPoints": [[0.5, 0.5], [1.5, 1.5], [1.5, 3.5]], "color": "#67f067", "thickness": 10}],
    underlays=[{"center": point, "width": 0.8, "height": 0.8, "rounded": True, "c2": "#F"} for point in CIRCLES],
    overlays=[{"center": [2, 0.5], "text": "X"}, {"center": [3, 3], "text": "12"}],
)


def read(client: TestClient, text: str, answers: list[str] | None = None) -> Any:
    headers = {} if answers is None else {"x-drawn": quote(json.dumps(answers))}
    return client.post("/read", content=text.encode(), headers=headers)


def test_drawings_are_asked_about_by_their_look_and_the_rules(client: TestClient) -> None:
    reply = read(client, TEXT).json()
    assert reply["drawn"] == ["1 line", "2 circles", "2 texts (X, 12)"] and reply["rules"] == RULES
    assert {group["what"]: group["kinds"][0] for group in reply["ask"]} == {
        "1 green line": "whispers",
        "2 white circles in cells": "counting-circles",
        "1 text on edges": "xv",
        "1 text at corners": "quadruple",
    }
    assert reply["ask"][0]["cells"] == [["r1c1", "r2c2", "r2c3", "r2c4"]]


def test_the_answers_become_marks(client: TestClient) -> None:
    work = read(client, TEXT, ["whispers", "counting-circles", "xv", "quadruple"]).json()["work"]["puzzle"]
    assert work["marks"][1:] == [
        {"kind": "whispers", "lines": [["r1c1", "r2c2", "r2c3", "r2c4"]]},
        {"kind": "counting-circles", "cells": ["r1c1", "r2c3"]},
        {"kind": "xv", "cells": ["r2c1", "r3c1"], "value": "X"},
        {"kind": "quadruple", "cells": ["r3c3", "r3c4", "r4c3", "r4c4"], "value": "1 2"},
    ]
    assert "not_enforced" not in work


def test_what_stays_a_drawing_is_named_as_not_enforced(client: TestClient) -> None:
    work = read(client, TEXT, ["", "counting-circles", "", ""]).json()["work"]["puzzle"]
    assert [mark["kind"] for mark in work["marks"]] == ["boxes", "counting-circles"]
    assert [drawing["shape"] for drawing in work["drawings"]] == ["line", "text", "text"]
    assert work["not_enforced"] == ["the text of the rules"]
    toml = write(client, work, "toml")
    assert satdoku.read(toml.text).not_enforced == ("1 line", "2 texts (X, 12)", "the text of the rules")
    assert "what is not enforced" in write(client, {**work, "marks": work["marks"][:1]}, "line").headers["x-left-out"]


def test_what_is_wrong_besides_drawings_is_reported_without_advice_for_the_command_line(client: TestClient) -> None:
    lines = [{"wayPoints": [[0.5, 0.5], [1.5, 1.5]]}]
    answer = read(client, drawn(lines=lines, cages=[{"cells": [[0, 0], [0, 1]], "sum": "x"}]))
    assert answer.status_code == 400
    assert "cage 1 has the value 'x'" in answer.json()["error"] and "--" not in answer.json()["error"]


def test_penpa_drawings_are_asked_about_too(client: TestClient) -> None:
    link = penpa(',zT:[[28,29,42]],z3:[[33,34,35]],z6:[[54,55]],z1:{"892":[" 9",1]},zY:{"642":[2,"circle_SS",2]}')
    reply = read(client, link).json()
    assert reply["drawn"] == ["1 arrow", "1 thermometer", "1 cage (9)", "1 circle"]
    kinds = {group["what"]: group["kinds"][0] for group in reply["ask"]}
    assert kinds == {
        "1 cage": "cage", "1 thermometer": "thermometer", "1 grey arrow": "arrow", "1 black circle on edges": "ratio"
    }  # fmt: skip
    reply = read(client, link, [*kinds.values()][:3]).json()
    work = reply["work"]["puzzle"]
    assert reply["notes"] == ["T", "not enforced: 1 circle"]
    assert [(mark["kind"], mark.get("cells"), mark.get("value")) for mark in work["marks"][1:]] == [
        ("cage", ["r3c1", "r3c2"], "9"), ("thermometer", None, None), ("arrow", ["r1c6"], None)
    ]  # fmt: skip
    assert [drawing["shape"] for drawing in work["drawings"]] == ["circle"]
    again = read(client, write(client, work | {"marks": work["marks"][:1]}, "penpa").text, [""]).json()["work"][
        "puzzle"
    ]
    assert again["drawings"] == work["drawings"]


def test_drawings_of_f_puzzles_are_asked_about_and_those_of_toml_are_not(client: TestClient) -> None:
    data = {"size": 4, "grid": [[{"c": "#FFA3A3"}, {}, {}, {}], *[[{}] * 4] * 3], "ruleset": "Digits rise along grey."}
    text = json.dumps({**data, "line": [{"lines": [["R1C1", "R1C2", "R2C3"]], "outlineC": "#CFCFCF"}]})
    reply = read(client, text).json()
    assert (reply["drawn"], reply["rules"]) == (["1 line"], "Digits rise along grey.")
    assert [(group["what"], group["kinds"][0]) for group in reply["ask"]] == [("1 grey line", "thermometer")]
    work = read(client, text, ["thermometer"]).json()["work"]
    assert work["puzzle"]["marks"][1:] == [{"kind": "thermometer", "lines": [["r1c1", "r1c2", "r2c3"]]}]
    assert list(work["colour"]) == ["r1c1"]
    loose = read(client, text, [""]).json()["work"]["puzzle"]
    toml = write(client, loose, "toml")
    assert toml.headers["x-left-out"] == ""
    assert read(client, toml.text).json()["work"]["puzzle"]["drawings"] == loose["drawings"]


def test_answers_that_do_not_fit_are_refused(client: TestClient) -> None:
    for answers in (["xv"], ["nothing"], ["", "thermometer"]):
        assert read(client, TEXT, answers).status_code == 400
    assert read(client, drawn(lines=[{"wayPoints": [["x"], 3]}]), [""]).json()["work"]["puzzle"]["not_enforced"]
    assert read(client, drawn(lines=[{"wayPoints": [[0.5, 0.5], [99, 99]]}])).json()["ask"] == []


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ("#F", "white"), ("#0", "black"), ("#cfcfcf", "grey"), ("#67f067", "green"), ("#f067f0", "purple"),
        ("#2ecbff", "blue"), ("#ff9a00", "orange"), ("#c00", "red"), ("#ffe000", "yellow"), ("", "grey"),
    ],
)  # fmt: skip
def test_names_of_colours(colour: str, name: str) -> None:
    assert _colour(colour) == name
