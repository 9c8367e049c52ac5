"""Links of lisudoku.xyz and sudokuexchange.com, and files of ipuz."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

import satdoku
from satdoku import FormatError, Mark, Puzzle, Refused
from satdoku.formats import Options, detect
from satdoku.formats.fpuzzles_writer import compress
from satdoku.variants import build

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DIGITS = LINE.replace(".", "0")
LISUDOKU = "https://lisudoku.xyz/solver?import="
BOXES = Mark("boxes", value="3x3")


def link(data: object) -> str:
    return LISUDOKU + quote(compress(json.dumps(data)), safe="")


def ipuz(**fields: Any) -> str:
    rows = [[int(digit) for digit in DIGITS[start : start + 9]] for start in range(0, 81, 9)]
    data = {"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/sudoku#1"], "boxes": True, "puzzle": rows}
    return json.dumps(data | fields)


def notes(text: str) -> str:
    return " ".join(detect(text, Options()).notes)


def test_digits_behind_an_address() -> None:
    for address, name in ((LISUDOKU, "lisudoku"), ("https://sudokuexchange.com/play/?s=", "sudokuexchange")):
        assert satdoku.read(address + DIGITS) == satdoku.read(LINE)
        assert satdoku.write(satdoku.read(LINE), name) == address + DIGITS
    assert satdoku.read("<https://www.lisudoku.xyz/e?import=1000003002000004>").board.values == 4
    assert "d=3" in notes(f"sudokuexchange.com/play?s={DIGITS}&d=3")


def test_a_link_of_the_site_itself() -> None:
    # From the tests of sudoku-formats: 9x9 with the primary diagonal, from the top left.
    text = "https://lisudoku.xyz/e?import=N4Ig5gTglgJgylAXgUxALgJwBoQAdoC2AhhAJ4AiURYA9gHZEA26ALhAK7IC%2BQA%3D"
    assert satdoku.read(text).board == build(9, (BOXES, Mark("diagonal-")))


def test_every_constraint_of_lisudoku_and_back() -> None:
    regions = [["r1c1 r1c2 r1c3 r2c1", "r1c4 r2c4 r3c4 r4c4", "r2c2 r2c3 r3c2 r3c3", "r3c1 r4c1 r4c2 r4c3"]]
    places = [[(int(name[1]), int(name[3])) for name in one.split()] for one in regions[0]]
    marks = [Mark("region", tuple(cells)) for cells in places]
    marks += [Mark("extra-region", ((1, 1), (2, 2), (3, 3), (4, 4))), Mark("thermometer", lines=(((1, 1), (1, 2)),))]
    marks += [Mark("renban", lines=(((2, 1), (2, 2)),)), Mark("arrow", ((1, 3), (1, 4)), (((2, 4), (3, 4)),))]
    marks += [Mark("cage", ((1, 1), (2, 1)), value=5), Mark("cage", ((3, 1), (4, 1)))]
    marks += [Mark("difference", ((3, 2), (3, 3))), Mark("ratio", ((4, 2), (4, 3)), value=2)]
    marks += [Mark("odd", ((1, 1),)), Mark("even", ((1, 2),)), Mark("diagonal+"), Mark("diagonal-")]
    marks += [Mark("anti-king"), Mark("anti-knight"), Mark("negative-difference", value="1"), Mark("negative-ratio")]
    puzzle = Puzzle.from_givens(build(4, tuple(marks)), {0: 3})
    again = satdoku.read(satdoku.write(puzzle, "lisudoku"))
    assert again.candidates == puzzle.candidates
    assert {mark.kind for mark in again.board.marks} == {mark.kind for mark in marks}
    assert len(again.board.constraints) == len(puzzle.board.constraints)


def test_names_with_underscores() -> None:
    cell = {"row": 0, "col": 1}
    data = {"grid_size": 4, "fixed_numbers": [{"position": cell, "value": 3}], "anti_king": True, "regions": []}
    puzzle = satdoku.read(link(data))
    assert puzzle.givens[:2] == (0, 3)
    assert Mark("anti-king") in puzzle.board.marks


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"gridSize": 5}, "gridSize is 5, expected 4, 6, 9"),
        ({"gridSize": 4, "topBottom": True}, "'topbottom', which is not understood"),
        ({"gridSize": 4, "grid_size": 4}, "a key in two spellings"),
        (
            {"gridSize": 4, "thermos": [[{"row": 4, "col": 0}]]},
            "thermos 1 has the row 4 and the col 0: expected 0 to 3",
        ),
        ({"gridSize": 4, "kropkiDots": [{"dotType": "Triple"}]}, "type 'Triple', expected Consecutive or Double"),
        ({"gridSize": 4, "antiKing": "yes"}, "antiKing is 'yes', expected true or false"),
        ([], "the data is a list, expected an object"),
    ],
)
def test_what_lisudoku_is_not(data: object, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        satdoku.read(link(data))


def test_what_the_sites_do_not_hold() -> None:
    for marks, reason in (
        ((BOXES, Mark("whispers", lines=(((1, 1), (1, 2)),))), "'whispers'"),
        ((BOXES, Mark("difference", ((1, 1), (1, 2)), value=3)), "'difference' with the value 3"),
        ((), "each cell in a region"),
    ):
        with pytest.raises(Refused, match=reason):
            satdoku.write(Puzzle.from_givens(build(9, marks), {}), "lisudoku")
    for text, reason in (
        ("https://lisudoku.xyz/p/uWwS", r"without \?import="),
        ("https://sudokuexchange.com/play/", "without s="),
        ("https://sudokuexchange.com/play/?s=12", "expected 81 digits"),
    ):
        with pytest.raises(FormatError, match=reason):
            satdoku.read(text)


def test_ipuz_and_back() -> None:
    marks = (BOXES, Mark("diagonal+"), Mark("diagonal-"), Mark("windoku"), Mark("cage", ((1, 2), (2, 2)), value=9))
    puzzle = Puzzle.from_givens(build(9, marks), {0: 5})
    text = satdoku.write(puzzle, "ipuz")
    data = json.loads(text)
    assert data["cages"] == [{"cells": [[1, 0], [1, 1]], "value": 9, "operator": "+"}]
    assert [kind.rpartition("/")[2] for kind in data["kind"]] == [
        "sudoku#1",
        "diagonalsudoku#1",
        "hypersudoku#1",
        "killersudoku#1",
    ]
    assert satdoku.read(text) == puzzle
    latin = Puzzle.from_givens(build(5, ()), {0: 5})
    assert satdoku.read(satdoku.write(latin, "ipuz")) == latin


def test_what_ipuz_says_besides() -> None:
    solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    text = ipuz(
        **{"title": "A &amp; B", "author": "C", "difficulty": "easy", "com.example.x": 1, "charset": "123456789"},
        solution=[[*solution[start : start + 9]] for start in range(0, 81, 9)],
        saved=[[4] * 9 for _ in range(9)],
    )
    puzzle = satdoku.read(text)
    assert (puzzle.title, puzzle.author) == ("A & B", "C")
    assert puzzle.solution == tuple(map(int, solution))
    assert puzzle.givens == satdoku.read(LINE).givens
    assert "not read: difficulty, com.example.x" in notes(text)
    assert "51 entered digits" in notes(text)


def test_cells_of_ipuz() -> None:
    words = [["A", {"given": "B"}, 0, "0"], ["0"] * 4, [0] * 4, [{"style": {"color": "red"}}, 0, 0, 0]]
    puzzle = satdoku.read(ipuz(puzzle=words, charset="ABCD", kind=["http://ipuz.org/sudoku/wordoku#1"]))
    assert puzzle.givens == (1, 2, *[0] * 14)
    assert puzzle.not_enforced == ("the style of 1 cell",)
    cage = {"rect": [0, 1, 1, 1], "value": 3}
    killer = satdoku.read(ipuz(puzzle=[[0] * 4] * 4, cages=[cage], kind=["http://ipuz.org/sudoku/killersudoku"]))
    assert killer.board.marks[-1] == Mark("cage", ((2, 1), (2, 2)), value=3)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"kind": ["http://ipuz.org/crossword#1"]}, "a puzzle of the kind 'http://ipuz.org/crossword#1'"),
        ({"kind": ["http://ipuz.org/sudoku/jigsawsudoku#1"]}, "jigsawsudoku"),
        ({"zones": [{"rect": [0, 0, 1, 1]}]}, "'zones', which is not understood"),
        ({"cages": [{"cells": [[0, 0]]}]}, "not a killersudoku"),
        ({"puzzle": [[0, 1], [1]]}, "expected N rows of N cells"),
        ({"puzzle": [[0, None], [1, 0]], "boxes": False}, "r1c2 is null: expected a number"),
        ({"puzzle": [[0, 3], [1, 0]], "boxes": False}, "r1c2 has the value 3"),
        ({"charset": "12345678"}, "charset is '12345678': expected 9 different"),
        ({"puzzle": [[{"style": {"lessthan": "R"}}]], "boxes": False}, "the style 'lessthan'"),
        ({"kind": ["http://ipuz.org/sudoku/latinsquare#1"]}, "not true of a latinsquare"),
        ({"kind": []}, "no kind in this object"),
    ],
)
def test_what_is_no_sudoku_of_ipuz(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        satdoku.read(ipuz(**fields), format="ipuz")
