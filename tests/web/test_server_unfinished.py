"""Marks that are not finished: left out of answers, drawn as they stand, kept in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient
from support.web import Asker, write

import satdoku
from satdoku.web.forms import Form, MarkForm
from satdoku.web.unfinished import split

BOXES = {"kind": "boxes", "value": "2x2"}
FOUR: dict[str, Any] = {"rows": 4, "columns": 4, "marks": [BOXES]}
XV = {"kind": "xv", "cells": ["r1c1", "r1c2"]}
CAGES = [{"kind": "cage", "cells": [cell], "value": 5 - number} for number, cell in enumerate(("r3c3", "r3c4", "r4c4"))]


def lacking(*marks: dict[str, Any]) -> dict[int, str]:
    read = msgspec.convert(marks, list[MarkForm])
    return split(Form(rows=4, columns=4, marks=read)).lacking


def region(*cells: str) -> dict[str, Any]:
    return {"kind": "region", "cells": list(cells)}


@pytest.mark.parametrize(
    ("mark", "lack"),
    [
        (XV, "needs a value: X or V"),
        ({"kind": "sandwich", "cells": ["r0c2"]}, "needs a value: the sum"),
        ({"kind": "clone", "cells": ["r1c1"]}, "1 cells and 0 lines: expected cells and one line, their copy"),
        (region("r1c1", "r1c2", "r1c3"), "has 3 of 4 cells"),
        ({"kind": "cage", "cells": ["r1c1"], "drawing": True}, "is being drawn"),
        ({"kind": "nothing"}, "no mark is known"),
    ],
)
def test_what_a_mark_lacks(mark: dict[str, Any], lack: str) -> None:
    found = lacking(BOXES, mark)
    assert list(found) == [1] and lack in found[1]


def test_boxes_hold_until_regions_cover_the_grid() -> None:
    rows = [region(*(f"r{row}c{column}" for column in range(1, 5))) for row in range(1, 5)]
    assert lacking(*rows) == {}
    assert lacking(BOXES, *rows[:2]) == dict.fromkeys(
        (1, 2), "waits for the other regions, with 8 of 16 cells: boxes hold"
    )


def test_of_two_rules_that_change_what_cells_count_the_first_holds() -> None:
    found = lacking(BOXES, {"kind": "modifiers"}, {"kind": "modifiers", "value": "hot"}, XV)
    assert list(found) == [2, 3] and "already" in found[2]


def test_a_mark_that_rests_on_one_which_is_left_out_is_left_out_too() -> None:
    inside = {"kind": "any", "marks": [XV, {"kind": "odd", "cells": ["r1c1"]}]}
    assert list(lacking(BOXES, inside, {"kind": "odd", "cells": ["r1c2"]})) == [1]


def test_answers_name_marks_by_their_places_in_the_whole_list(ask: Asker) -> None:
    marks = [XV, BOXES, XV, *CAGES]
    found = ask("live", {**FOUR, "marks": marks})
    assert (found["verdict"]["verdict"], found["verdict"]["unfinished"]) == ("unsolvable", 2)
    assert found["conflict"]["marks"] == [3]
    dashed = {stroke["mark"] for stroke in found["strokes"]["strokes"] if stroke.get("text") == "?"}
    assert dashed == {error["mark"] for error in found["strokes"]["errors"]} == {0, 2}


def test_toml_keeps_them_in_comments(client: TestClient) -> None:
    marks = [*FOUR["marks"], {"kind": "cage", "cells": ["r1c1", "r1c2"], "value": 3}, XV, {**XV, "value": "\x7f\n"}]
    answer = write(client, {**FOUR, "marks": marks}, "toml")
    assert answer.headers["x-left-out"] == ""
    assert [mark.kind for mark in satdoku.read(answer.text).board.marks] == ["boxes", "cage"]
    work = client.post("/read", content=answer.content).json()["work"]
    assert work["puzzle"]["marks"] == marks
    broken = answer.text.replace('{"kind":"xv"', '{"kind":"xv",')
    assert len(client.post("/read", content=broken.encode()).json()["work"]["puzzle"]["marks"]) == 2


def test_pictures_show_them_and_other_forms_name_them(client: TestClient) -> None:
    puzzle = {**FOUR, "marks": [*FOUR["marks"], XV]}
    assert write(client, puzzle, "svg").content != write(client, FOUR, "svg").content
    answer = write(client, puzzle, "line")
    assert (answer.status_code, answer.headers["x-left-out"]) == (200, "1 unfinished mark")


def test_a_file_of_the_page_is_read_back_or_refused(client: TestClient, tmp_path: Path) -> None:
    work = {
        "satdoku": "page",
        "puzzle": {**FOUR, "marks": [BOXES, XV]},
        "entered": {"r1c1": 2},
        "centre": {"r1c2": [1, 3]},
    }
    answer = client.post("/write", json={"work": work, "form": "page"})
    assert client.post("/read", content=answer.content).json()["work"] == work
    for wrong in ({"entered": {"x": 2}}, {"centre": {"r1c2": 3}}, {"other": 1}, {"puzzle": {**FOUR, "rows": 0}}):
        assert client.post("/read", json={**work, **wrong}).status_code == 400, wrong
    far = {**FOUR, "marks": [{"kind": "any", "marks": [{"kind": "odd", "cells": ["here"]}]}]}
    assert client.post("/read", json={**work, "puzzle": far}).status_code == 400
