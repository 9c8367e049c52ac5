"""f-puzzles links and JSON: rules by their shape, what is left out, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku import FormatError, InputError, Puzzle
from satdoku.formats import Options, detect
from satdoku.puzzle import Mark
from satdoku.variants import build, kinds

VARIANTS = sorted((Path(__file__).parents[2] / "puzzles" / "variants").glob("*.toml"))


def document(**more: Any) -> str:
    return json.dumps({"size": 9, "grid": [[{} for _ in range(9)] for _ in range(9)], **more})


class TestFPuzzles:
    def test_entered_digits_and_marks_are_left_out_and_reported(self) -> None:
        data = json.loads(document())
        data["grid"][0][0] = {"value": 5, "given": True, "givenPencilMarks": None}
        data["grid"][0][1] = {"value": 3}
        data["grid"][0][2] = {"centerPencilMarks": [1, 2]}
        data["grid"][0][3] = {"givenPencilMarks": [1, "2"]}
        reading = detect(json.dumps(data), Options())
        assert reading.puzzle.givens[:2] == (5, 0)
        assert reading.puzzle.candidates[3] == 0b110
        assert reading.notes == (
            "1 entered digit and pencil marks in 1 cell left out; with `entered` they count as givens",
        )
        entered = satdoku.read(json.dumps(data), entered=True)
        assert entered.givens[1] == 3
        assert entered.candidates[2] == 0b110

    def test_a_given_hides_the_marks_of_its_cell(self) -> None:
        data = json.loads(document())
        data["grid"][0][:2] = [{"value": 5, "given": True, "givenPencilMarks": [1, 2]}, {"givenPencilMarks": [1, 2]}]
        assert satdoku.read(json.dumps(data)).candidates[:2] == (1 << 5, 0b110)

    @pytest.mark.parametrize("key", ["customrule", "battenburg"])
    def test_a_rule_that_is_not_understood_is_refused_by_name(self, key: str) -> None:
        with pytest.raises(FormatError, match=key):
            satdoku.read(document(**{key: [{"cells": ["R1C1"]}]}))
        assert not [mark for mark in satdoku.read(document(**{key: []})).board.marks if mark.kind != "boxes"]

    def test_what_other_solvers_read_from_labels(self) -> None:
        cages = [{"cells": ["R1C1", "R1C2"], "value": "DR3"}, {"cells": ["R1C1"], "value": "FOW"}]
        puzzle = satdoku.read(document(cage=cages, fogofwar=["R1C1"], negative=["foglight"]))
        assert puzzle.board.marks[1:] == (Mark("digital-root", ((1, 1), (1, 2)), value=3),)
        assert puzzle.not_enforced == ()

    def test_an_unfinished_letter_says_nothing(self) -> None:
        reading = detect(document(xv=[{"cells": ["R1C1", "R1C2"], "value": ""}]), Options())
        assert reading.notes == ("not read: xv 1, which means nothing to the site",)

    def test_a_full_grid_without_givens_is_the_solution(self) -> None:
        values = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
        grid = [[{"value": value} for value in row] for row in values]
        puzzle = satdoku.read(json.dumps({"size": 4, "grid": grid}))
        assert (puzzle.given_count, puzzle.solution) == (0, tuple(value for row in values for value in row))

    def test_decoration_is_ignored(self) -> None:
        puzzle = satdoku.read(
            document(line=[{"lines": [["R1C1"]]}], text=[1], title="T", arrow=[{"cells": ["R1C1"], "lines": []}])
        )
        assert [mark.kind for mark in puzzle.board.marks] == ["boxes"]

    def test_negative_rules_hold_beside_an_empty_list(self) -> None:
        puzzle = satdoku.read(document(negative=["ratio"], ratio=[]))
        assert "negative-ratio" in {mark.kind for mark in puzzle.board.marks}
        with pytest.raises(FormatError, match="negative sum"):
            satdoku.read(document(negative=["sum"]))

    def test_the_line_of_a_pill_may_begin_at_its_last_cell(self) -> None:
        puzzle = satdoku.read(document(arrow=[{"cells": ["R1C1", "R1C2"], "lines": [["R1C2", "R2C3", "R3C3"]]}]))
        arrow = puzzle.board.marks[-1]
        assert (arrow.cells, arrow.lines) == (((1, 1), (1, 2)), (((2, 3), (3, 3)),))

    def test_a_little_killer_enters_the_grid_by_its_first_step(self) -> None:
        entry = {"cell": "R7C0", "cells": ["R8C1"], "direction": "DR", "value": "7"}
        mark = satdoku.read(document(littlekillersum=[entry])).board.marks[-1]
        assert (mark.lines, mark.value) == ((((8, 1), (9, 2)),), 7)

    def test_cells_without_a_region_have_their_default_box(self) -> None:
        data = json.loads(document())
        data["grid"][0][0] = {"region": 0}
        assert [mark.kind for mark in satdoku.read(json.dumps(data)).board.marks] == ["boxes"]
        for row in data["grid"][6:]:
            row[6:] = [{"region": None}] * 3
        assert "region" in {mark.kind for mark in satdoku.read(json.dumps(data)).board.marks}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("https://www.f-puzzles.com/?id=abc", "needs a network|only its site knows"),
            ("https://www.f-puzzles.com/?load=%%%", "no LZ-string data|not JSON"),
            ("{", "not JSON"),
            ('{"size": 9}', "no grid in this object of JSON: expected one of f-puzzles"),
            ('{"?id=": 9}', "no grid in this object of JSON: expected one of f-puzzles"),
            ('{"size": 9, "grid": 5}', "expected a list"),
            (document(killercage=[{"cells": ["A1"]}]), "killercage 1 names the cell 'A1'"),
            (document(killercage=[{"cells": ["R1C1", "R1C1"]}]), "cage"),
            (document(antiknight="yes"), "antiknight is 'yes'"),
            (document(quadruple=[{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"]}]), "needs one"),
        ],
    )
    def test_what_is_no_puzzle_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            satdoku.read(text)

    JSON = st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.sampled_from(["R1C1", "R2C2", "R0C3"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["cells", "cell", "lines", "value", "values", "direction", "cloneCells"]), inner
            )
        ),
        max_leaves=12,
    )

    @settings(max_examples=200, derandomize=True, database=None, deadline=None)
    @given(
        st.dictionaries(
            st.sampled_from(
                [
                    "killercage",
                    "arrow",
                    "littlekillersum",
                    "clone",
                    "quadruple",
                    "xv",
                    "negative",
                    "odd",
                    "grid",
                    "size",
                ]
            ),
            JSON,
            max_size=3,
        )
    )
    def test_whatever_json_comes_only_our_errors_do(self, rules: dict[str, Any]) -> None:
        try:
            satdoku.read(document(**rules), format="f-puzzles-json")
        except InputError:
            pass

    @settings(max_examples=100, derandomize=True, database=None, deadline=None)
    @given(st.data())
    def test_a_damaged_text_gives_a_puzzle_or_our_error(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(VARIANTS[::9]))
        written = ["toml", "f-puzzles-json"] if kinds()[path.stem].fpuzzles else ["toml"]
        text = satdoku.write(satdoku.read(path.read_text("utf-8")), data.draw(st.sampled_from(written)))
        start = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 6))
        damaged = text[:start] + data.draw(st.text(max_size=4)) + text[start + cut :]
        try:
            satdoku.read(damaged)
        except InputError:
            pass


def test_a_link_says_what_was_read() -> None:
    from typer.testing import CliRunner

    from satdoku.cli import app

    marks = (
        Mark("anti-knight"),
        Mark("cage", ((1, 1), (1, 2)), value=5),
        Mark("arrow", ((9, 9),), (((9, 8), (9, 7)),)),
    )
    board = build(9, (Mark("boxes", value="3x3"), *marks))
    link = satdoku.write(Puzzle.from_givens(board, {40: 5}), "f-puzzles")
    done = CliRunner().invoke(app, ["check", link])
    assert "read as f-puzzles, 9x9 with 3x3 boxes, 1 given, anti-knight, 1 cage, 1 arrow" in done.stderr


@pytest.mark.parametrize("boxes", ["none", "2x3"])
def test_a_line_that_means_nothing_to_the_site_is_not_written(boxes: str) -> None:
    puzzle = satdoku.read(f'size = 6\nboxes = "{boxes}"\nentropic = ["r1c1 r1c2"]\n')
    with pytest.raises(satdoku.Refused, match=r"'entropic line r1c1-r1c2': it would not be read again"):
        satdoku.write(puzzle, "f-puzzles")
