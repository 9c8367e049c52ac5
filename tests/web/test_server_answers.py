"""What the page's socket answers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.cli import run
from support.web import Asker

import satdoku
from satdoku.puzzle import Mark, Puzzle
from satdoku.setter.reasons import Guarantee, Reason
from satdoku.variants import build, kinds
from satdoku.web import answers, questions
from satdoku.web.forms import Form, decoded

FILES = [file for file in sorted(Path("puzzles").glob("**/*.t*")) if "newspaper" not in file.name]
SEVERAL = [file for file in FILES if file.stem in ("board", "samurai")]  # boards
FOUR: dict[str, Any] = {"rows": 4, "columns": 4, "marks": [{"kind": "boxes", "value": "2x2"}]}


def form(puzzle: str | Puzzle) -> Any:
    return msgspec.to_builtins(Form.of(satdoku.read(puzzle) if isinstance(puzzle, str) else puzzle))


def puzzle_of(raw: Any) -> Puzzle:
    return decoded(json.dumps(raw).encode(), Form).puzzle()


def test_puzzles_keep_all_they_have_in_the_form_of_the_page() -> None:
    for file in SEVERAL:
        with pytest.raises(satdoku.InputError, match="the page shows one board, and this puzzle has several"):
            form(satdoku.load(file))
    for file in sorted({*FILES} - {*SEVERAL}):
        for puzzle in satdoku.load_many(file):
            again = puzzle_of(json.loads(json.dumps(form(puzzle))))
            assert replace(again, name=puzzle.name) == puzzle, file
            record = (puzzle.title, puzzle.author, puzzle.rules, puzzle.solution)
            assert (again.title, again.author, again.rules, again.solution) == record


def test_values_from_0_candidates_and_layers_are_kept() -> None:
    grid = "0...\n....\n....\n...."
    text = f'size = 4\nvalues = "0-3"\ntitle = "T"\ngrid = """\n{grid}\n"""\ncandidates = {{ r2c2 = [0, 3] }}\n'
    puzzle = satdoku.read(text)
    found = form(puzzle)
    assert (found["givens"], found["candidates"]["r2c2"], found["title"]) == ({"r1c1": 0}, [0, 3], "T")
    assert puzzle_of(found) == replace(puzzle, name="puzzle")
    layered = {**FOUR, "marks": [{"kind": "chaos-construction"}], "candidates": {"regions_r1c1": [1, 2]}}
    assert form(puzzle_of(layered))["candidates"] == {"regions_r1c1": [1, 2]}


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        ({"rows": 4}, "not what the page sends: Object missing required field `columns`"),
        ({**FOUR, "path": "/"}, "not what the page sends: Object contains unknown field `path`"),
        ({**FOUR, "rows": 4000}, "a board of 4000x4"),
        ({**FOUR, "givens": {"r5c1": 1}}, "'r5c1' is not a cell of the 4x4 grid"),
        ({**FOUR, "givens": {"r1c1": 5}}, "r1c1: 5 is not one of 1..4"),
        ({**FOUR, "solution": [1]}, "solution has 1 values, expected 16"),
        ({**FOUR, "marks": [{"kind": "cagy", "cells": []}]}, "no mark is known under the name 'cagy'"),
        ({**FOUR, "marks": [{"kind": "cage", "cells": ["x"]}]}, "'x' is not a cell"),
        ({**FOUR, "marks": [{"kind": "sandwich", "cells": ["r0c1"]}]}, "sandwich has no value"),
    ],
)
def test_what_is_not_a_puzzle_is_reported_in_one_line(raw: Any, error: str) -> None:
    with pytest.raises(satdoku.InputError) as caught:
        puzzle_of(raw)
    assert str(caught.value).startswith(error)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("depth", [100, 300, 800, 3000, 30_000])
def test_marks_inside_marks_end_somewhere(ask: Asker, depth: int) -> None:
    cage = '{"kind": "cage", "cells": ["r1c1"], "value": 1}'
    inside = '{"kind": "any", "marks": [' * depth + cage + "]}" * depth
    ask.socket.send_text(f'{{"id": 1, "ask": "live", "puzzle": {{"rows": 4, "columns": 4, "marks": [{inside}]}}}}')
    last = {"part": "begin"}
    while last.get("part") not in ("done", None):
        last = ask.socket.receive_json()
    assert last.get("error", "too deep").endswith("too deep")
    assert ask("count", FOUR)["count"]["count"] == 288


def test_a_unique_puzzle(ask: Asker) -> None:
    found = ask("live", form(".1.4....1....43."), limit=5)
    assert found["verdict"]["verdict"] == "unique"
    assert found["verdict"]["solution"] == list(satdoku.solve(".1.4....1....43.").grid or ())
    assert found["candidates"]["cells"]["r1c1"] == [3]
    assert found["candidates"]["counts"]["r1c1"] == {"3": 1}
    assert (found["candidates"]["exact"], found["candidates"]["solutions"]) == (True, 1)


def test_several_solutions_with_the_cells_that_differ_and_counts(ask: Asker) -> None:
    found = ask("live", form("13....3131...213"), limit=10)
    verdict = found["verdict"]
    first, second = verdict["solutions"]
    differ = [f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in range(16) if first[cell] != second[cell]]
    assert (verdict["verdict"], verdict["differ"]) == ("multiple", differ)
    assert found["candidates"]["cells"]["r1c3"] == [2, 4]
    assert found["candidates"]["counts"]["r1c3"] == {"2": 1, "4": 1}
    assert ask("live", form("13....3131...213"))["candidates"]["counts"] is None
    counts = ask("live", FOUR, limit=7)["candidates"]["counts"]
    assert set(counts["r1c1"].values()) == {7}


def test_counts_that_take_long_are_lower_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "COUNTING", 1e-9)
    found: list[Any] = []
    question = {"ask": "live", "puzzle": FOUR, "limit": 7}
    answers.answer(questions.Tools(60.0), json.dumps(question).encode(), found.append)
    whole, counted = [part for part in found if part["part"] == "candidates"]
    assert (whole["limit"], counted["limit"], counted["least"]) == (1, 7, True)
    assert counted["exact"] and counted["cells"] == whole["cells"]
    counts = {many for row in counted["counts"].values() for many in row.values()}
    assert 1 in counts and min(counts) == 1


def test_a_conflict_names_givens_marks_and_houses(ask: Asker) -> None:
    conflict = ask("live", form("12....3........."))["conflict"]
    assert conflict["givens"] == ["r1c1", "r1c2", "r2c3"]
    assert ["r1c1", "r1c2", "r2c1", "r2c2"] in conflict["houses"]
    assert "leave no place for 3 in box 1" in conflict["text"]
    boxes = FOUR["marks"][0]
    parities = [{"kind": kind, "cells": ["r1c1"]} for kind in ("even", "odd")]
    puzzle = {**FOUR, "marks": [boxes, {"kind": "cage", "cells": ["r4c1", "r4c2"], "value": 3}, *parities]}
    conflict = ask("live", puzzle)["conflict"]
    assert (conflict["marks"], conflict["cells"]) == ([2, 3], ["r1c1"])
    clash = ask("live", {**FOUR, "givens": {"r1c1": 1, "r1c2": 1}})
    assert clash["verdict"]["reason"] == "row 1 has 1 twice: r1c1 and r1c2"
    assert clash["conflict"]["clashes"] != []


def test_a_board_too_large_to_explain_has_its_clashes() -> None:
    found: list[Any] = []
    puzzle = {"rows": 64, "columns": 64, "marks": [{"kind": "boxes", "value": "8x8"}]}
    question = {"ask": "live", "puzzle": {**puzzle, "givens": {"r1c1": 1, "r1c9": 1}}}
    answers.answer(questions.Tools(60.0), json.dumps(question).encode(), found.append)
    assert [part["part"] for part in found] == ["strokes", "verdict", "conflict"]
    assert "r1c9" in found[-1]["clashes"][0]


def test_a_conflict_of_a_rule_of_the_whole_board_does_not_tint_all_of_it(ask: Asker) -> None:
    marks: list[Any] = [{"kind": "boxes", "value": "3x3"}, {"kind": "anti-knight"}]
    marks += [{"kind": "cage", "cells": [cell], "value": 5} for cell in ("r3c3", "r4c5")]
    conflict = ask("live", {"rows": 9, "columns": 9, "marks": marks})["conflict"]
    assert conflict["text"] == "anti-knight, cage 5 at r3c3 and cage 5 at r4c5 cannot all hold"
    assert (conflict["marks"], conflict["cells"], conflict["houses"]) == ([1, 2, 3], ["r3c3", "r4c5"], [])


def test_many_houses_are_named_in_words_alone() -> None:
    board = build(9, (Mark("boxes", value="3x3"),))
    names = tuple(rule.name for rule in board.constraints)
    for houses in (names[:6], names[:7]):
        named = questions.named(Puzzle.from_givens(board, {}), Reason((), houses, Guarantee.NONE))
        assert len(named["houses"]) == (6 if len(houses) == 6 else 0)


def test_marks_that_do_not_fit_are_left_out_and_named(ask: Asker) -> None:
    crowd = {"kind": "cage", "cells": ["r1c1", "r1c2", "r1c3", "r1c4", "r2c1"], "value": 15}
    marks = [*FOUR["marks"], crowd, {"kind": "thermometer", "lines": [["r3c1", "r3c2"]]}, {"kind": "cage"}]
    found = ask("live", {**FOUR, "marks": marks})
    assert (found["verdict"]["verdict"], found["verdict"]["unfinished"]) == ("multiple", 2)
    assert {stroke["mark"] for stroke in found["strokes"]["strokes"]} == {None, 0, 1, 2}
    assert {error["mark"] for error in found["strokes"]["errors"]} == {1, 3}
    without = {**FOUR, "marks": [marks[0], marks[2]]}
    assert ask("count", {**FOUR, "marks": marks})["count"]["count"] == ask("count", without)["count"]["count"]


def test_an_invalid_puzzle_is_drawn_as_far_as_it_goes(ask: Asker) -> None:
    marks = [{"kind": "boxes", "value": "3x3"}, {"kind": "cage", "cells": ["r1c1"], "value": 1}, {"kind": "cage"}]
    found = ask("live", {**FOUR, "marks": marks})
    assert (found["verdict"]["verdict"], found["verdict"]["marks"]) == ("invalid", [0])
    assert "3x3" in found["verdict"]["reason"]
    assert {stroke["mark"] for stroke in found["strokes"]["strokes"]} == {None, 1}
    assert ask("count", {**FOUR, "marks": marks}).keys() == {"error"}


def test_every_kind_of_mark_is_drawn_as_render_draws_it(ask: Asker) -> None:
    from satdoku.pictures import Picture
    from satdoku.pictures.picture import grid_lines
    from satdoku.variants import Frame
    from satdoku.variants.drawing import strokes

    seen = set()
    for file in sorted({*Path("puzzles/variants").glob("*.toml")} - {*SEVERAL}):
        puzzle = satdoku.load(file)
        board = Picture(puzzle).puzzle.board
        expected = [*grid_lines(board), *strokes(Frame(board.size, board.marks))]
        found = ask("strokes", form(puzzle))["strokes"]["strokes"]
        plain = [{key: part for key, part in stroke.items() if key not in ("type", "mark")} for stroke in found]
        assert plain == json.loads(json.dumps(msgspec.to_builtins(expected))), file
        seen |= {puzzle.board.marks[stroke["mark"]].kind for stroke in found if stroke["mark"] is not None}
    assert seen >= kinds().keys() - {"board", "boxes", "region", "exactly"}


def test_steps_and_the_next_one(ask: Asker) -> None:
    puzzle = form(".1.4....1....43.")
    number = ask.send("step", puzzle)
    *steps, done = ask.parts(number)
    assert done["part"] == "done"
    assert [step["number"] for step in steps] == list(range(1, 12))
    grid = satdoku.solve(".1.4....1....43.").grid or ()
    cells = [f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in range(16)]
    assert {step["cell"]: step["value"] for step in steps}.items() <= dict(zip(cells, grid, strict=True)).items()
    *steps, _ = ask.parts(ask.send("step", puzzle, limit=1))
    assert len(steps) == 1
    assert steps[0]["technique"]
    assert steps[0]["text"].startswith(f"{steps[0]['cell']}={steps[0]['value']} (")
    assert steps[0]["houses"]


def test_steps_of_a_puzzle_that_is_not_unique_yet(ask: Asker) -> None:
    *steps, _ = ask.parts(ask.send("step", form("13....3131...213")))
    assert {step["cell"] for step in steps} == {"r2c1", "r2c2", "r4c1"}
    assert "no value follows" in ask("step", FOUR)["error"]["error"]
    assert "unsolvable" in ask("step", form("12....3........."))["error"]["error"]


@pytest.mark.parametrize(
    ("cell", "value", "possible", "forced", "words"),
    [
        ("r1c3", 2, True, False, "r1c3 can be 2, and other values too"),
        ("r2c1", 2, True, True, "r2c1 must be 2: follows from"),
        ("r1c3", 1, False, False, "r1c3 cannot be 1: r1c1=1 and r1c3=1 leave no place for 1 in row 1"),
    ],
)
def test_why(ask: Asker, cell: str, value: int, possible: bool, forced: bool, words: str) -> None:
    puzzle = form("13....3131...213")
    if forced:
        puzzle["givens"]["r1c3"] = 2
        cell, words = "r1c4", words.replace("r2c1 must be 2", "r1c4 must be 4")
        value = 4
    found = ask("why", puzzle, cell=cell, value=value)["why"]
    assert (found["possible"], found["forced"]) == (possible, forced)
    assert found["text"].startswith(words)
    assert bool(found["givens"]) == ("can be" not in words)
    assert "expected a cell" in ask("why", puzzle, cell="r9c9", value=1)["error"]["error"]


def test_what_is_not_needed(ask: Asker) -> None:
    plain = form("1234341221434...")
    spare = ask("spare", plain)["spare"]
    left = {**plain, "givens": {cell: value for cell, value in plain["givens"].items() if cell not in spare["givens"]}}
    assert spare["givens"]
    assert ask("live", left)["verdict"]["verdict"] == "unique"
    twice = form(satdoku.load("puzzles/variants/thermometer.toml"))
    twice["marks"].append(twice["marks"][1])
    found = ask("spare", twice)["spare"]
    assert (set(found["marks"]) & {1, len(twice["marks"]) - 1} != set(), found["untested"]) == (True, 0)
    fewer = {**twice, "marks": [mark for index, mark in enumerate(twice["marks"]) if index not in found["marks"]]}
    fewer["givens"] = {cell: value for cell, value in twice.get("givens", {}).items() if cell not in found["givens"]}
    assert ask("live", fewer)["verdict"]["verdict"] == "unique"
    assert "multiple" in ask("spare", FOUR)["error"]["error"]


def test_a_given_that_makes_it_unique(ask: Asker) -> None:
    puzzle = form("13....3131...213")
    found = ask("unique", puzzle)["unique"]
    assert len(found["givens"]) == 1
    assert ask("live", {**puzzle, "givens": puzzle["givens"] | found["givens"]})["verdict"]["verdict"] == "unique"
    assert "unique" in ask("unique", form(".1.4....1....43."))["error"]["error"]


def test_counts(ask: Asker) -> None:
    assert ask("count", FOUR)["count"] == {
        "id": ask.number,
        "part": "count",
        "count": 288,
        "text": "288",
        "exact": True,
    }
    found = ask("count", FOUR, limit=100)["count"]
    assert (found["count"], found["exact"]) == (100, False)


def test_what_is_no_question(ask: Asker) -> None:
    assert "not what the page sends" in ask("everything", FOUR)["error"]["error"]
    assert "a limit of 0" in ask("live", FOUR, limit=0)["error"]["error"]
    for text in ("nonsense", "[1]", '"a"', "[" * 5000):
        ask.socket.send_text(text)
        found = ask.socket.receive_json()
        assert found["error"].startswith(("not what the page sends", "nested too deep"))
    ask.socket.send_text(" " * 1_000_001)
    assert "over 1000000 bytes" in ask.socket.receive_json()["error"]
    assert ask("live", FOUR)["verdict"]["verdict"] == "multiple"


def test_kinds_are_the_rows_of_the_command(client: Any) -> None:
    rows = [json.loads(line) for line in run("variants", "--json").stdout.splitlines()]
    rows = [row for row in rows if row["name"] != "board"]  # the page has one
    found = client.get("/kinds").json()
    assert [{key: row[key] for key in rows[0]} for row in found] == rows
    values = {row["name"]: row["value"] for row in found}
    assert values["cage"]["form"] == "number"
    assert values["xv"]["words"] == ["X", "V"]
    assert values["palindrome"] is None


@pytest.mark.parametrize(("threads", "reason"), [(True, None), (False, answers.NO_RACE)])
def test_what_is_not_decided_in_the_browser_names_the_engines_it_lacks(
    threads: bool, reason: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "THREADS", threads)
    raw = json.dumps(
        {"ask": "live", "puzzle": form("8..........36......7..9.2...5...7.......457.....1...3" + "." * 28)}
    ).encode()
    parts: list[questions.Part] = []
    answers.answer(questions.Tools(1e-6), raw, parts.append)
    [verdict] = [part for part in parts if part["part"] == "verdict"]
    assert (verdict["verdict"], verdict["reason"]) == ("undecided", reason)
