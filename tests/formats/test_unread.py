"""Every part of a file is used, or named as not read, or the file is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

import satdoku
from satdoku.formats import Options, detect

ROWS = "13..\n..31\n31..\n.213\n"


def document(size: int = 4, **more: Any) -> str:
    return json.dumps({"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **more})


def notes(text: str) -> tuple[str, ...]:
    return detect(text, Options()).notes


class TestFpuzzles:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (document()[:-1] + ', "antiknight": true, "antiknight": false}', "the key 'antiknight' stands twice"),
            (document().replace("[{}, {}, {}, {}]", "[{}, {}, {}]", 1), "row 1 has 3 cells, expected 4 rows of 4"),
            (
                document().replace("[{}, {}, {}, {}]", "[{}, {}, {}]", 1).replace("{}]]", "{}, {}]]"),
                "row 1 has 3 cells, expected 4 rows of 4",
            ),
            (document(grid=[[{}] * 4] * 3), "the grid has 3 rows, expected 4 rows of 4"),
        ],
    )
    def test_what_would_be_lost_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(satdoku.FormatError, match=message):
            detect(text, Options())

    def test_a_value_where_the_site_has_none_is_named(self) -> None:
        text = document(thermometer=[{"lines": [["R1C1", "R1C2"]], "value": "7", "slow": True}])
        assert notes(text) == ("not read: value of thermometer 1, slow of thermometer 1",)

    @pytest.mark.parametrize(
        ("key", "entry"),
        [
            ("littlekillersum", {"cell": "R0C1", "direction": "DR", "value": "0"}),
            ("doublearrow", {"lines": [["R1C1", "R1C2"]]}),
            ("entropicline", {"lines": [["R1C1", "R1C2"]]}),
            ("modularline", {"lines": [["R1C1", "R1C2"]]}),
            ("sandwichsum", {"cell": "R0C1", "value": ""}),
            ("arrow", {"cells": ["R1C1"], "lines": []}),
        ],
    )
    def test_an_entry_that_means_nothing_is_named(self, key: str, entry: dict[str, Any]) -> None:
        marks: dict[str, Any] = {key: [entry, {}]}
        reading = detect(document(**marks), Options())
        assert len(reading.puzzle.board.marks) == 1
        assert reading.notes == (f"not read: {key} 1, which means nothing to the site",)

    def test_decoration_and_what_says_nothing_need_no_word(self) -> None:
        cage = {"cells": ["R1C1", "R1C2"], "value": "3", "outlineC": "#000", "fontC": "#FFF"}
        assert notes(document(killercage=[cage], highlightConflicts=True, disabledlogic=[])) == ()

    def test_messages_to_the_solver_are_named_and_a_few_of_many(self) -> None:
        assert notes(document(successMessage="Well done")) == ("not read: successMessage",)
        entries = [{"lines": [["R1C1", "R1C2"]], "value": "7"} for _ in range(9)]
        assert notes(document(thermometer=entries))[0].endswith("value of thermometer 5 and 4 more")


class TestSdk:
    def test_headers_that_are_not_kept_are_named(self) -> None:
        text = f"#AMe\n#DTitle\n#B2004-05-06\n#Ca comment\n#SSource\n#L\n#AYou\n[Puzzle]\n{ROWS}"
        reading = detect(text, Options())
        assert (reading.puzzle.author, reading.puzzle.title) == ("Me", "Title")
        assert reading.notes == ("not read: #B2004-05-06, #SSource, #AYou",)

    def test_a_state_of_another_puzzle_is_refused(self) -> None:
        with pytest.raises(satdoku.FormatError, match=r"r1c1 is 1 in \[Puzzle\], 2 in \[State\]"):
            detect(f"[Puzzle]\n{ROWS}[State]\n2{ROWS[1:]}", Options())


class TestToml:
    @pytest.mark.parametrize("quotes", ['"""', "'''"])
    def test_an_error_in_a_drawing_has_its_place_in_the_file(self, quotes: str) -> None:
        text = f"title = 'x'\nsize = 4\ngrid = {quotes}\n1 2 3 4\n3 4 1 x\n. . . .\n. . . .\n{quotes}\n"
        with pytest.raises(satdoku.FormatError, match="grid, row 2: 'x' is not a cell") as caught:
            detect(text, Options())
        assert (caught.value.line, caught.value.column) == (5, 7)

    def test_one_that_begins_beside_its_key_has_the_line_of_the_key(self) -> None:
        with pytest.raises(satdoku.FormatError, match="grid, row 1: 'x' is not a cell") as caught:
            detect('size = 4\ngrid = """. . . x\n1 2 3 4\n. . . .\n. . . ."""\n', Options())
        assert (caught.value.line, caught.value.column) == (2, None)
