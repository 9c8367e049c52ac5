"""Drawings without a rule: read, written again where a format has a place for them, and named where it has none."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from support.pasted import penpa

import satdoku
from satdoku.drawings import MAX_DRAWINGS, MAX_POINTS, Drawing
from satdoku.errors import FormatError, PuzzleError, Refused
from satdoku.formats.drawn import colour
from satdoku.pictures import Picture, alone, image
from satdoku.puzzle import Puzzle
from satdoku.variants.cosmetics import cosmetic
from satdoku.variants.strokes import Area

ROWS: list[Any] = [[{} for _ in range(6)] for _ in range(6)]
REGIONS = [[[row + r, column + c] for r in (0, 1) for c in (0, 1)] for row in (1, 3) for column in (1, 3)]


def scl(**more: Any) -> Puzzle:
    """A 4x4 puzzle with a margin of one cell."""
    return satdoku.read(json.dumps({"cells": ROWS, "regions": REGIONS, **more}), drawn="ignore")


def fpuzzles(**more: Any) -> Puzzle:
    return satdoku.read(json.dumps({"size": 4, "grid": [[{}] * 4] * 4, **more}))


LINE = {"wayPoints": [[1.5, 1.5], [2.5, 2.5], [2.5, 4.5]], "color": "#c00", "thickness": 16}
ARROW = {"wayPoints": [[1.5, 1.5], [1.5, 3.5]], "color": "#000", "thickness": 4}
CIRCLE = {"center": [2, 1.5], "width": 0.25, "height": 0.25, "rounded": True, "c2": "#FFFFFF80", "c1": "#0"}
SQUARE = {"center": [4.5, 4.5], "width": 1, "height": 1, "backgroundColor": "#9f9", "text": "7"}
TEXT = {"center": [0.5, 2.5], "text": "12", "fontSize": 32, "color": "#1f5fbf"}
LINKS = ("sudokupad", "f-puzzles", "f-puzzles-json")


def test_those_of_sudokupad() -> None:
    puzzle = scl(lines=[LINE], arrows=[ARROW], underlays=[SQUARE], overlays=[CIRCLE, TEXT, {"center": ["x", 1]}])
    red, arrow, square, circle, text = puzzle.drawings
    assert (red.points, red.tint, red.width) == (((1, 1), (2, 2), (2, 4)), "#cc0000", 0.25)
    assert arrow == Drawing(shape="arrow", points=((1, 1), (1, 3)), tint="#000000", width=0.0625)
    assert (square.fill, square.text, square.points, square.over) == ("#99ff99", "7", ((4, 4),), False)
    assert (circle.fill, circle.tint, circle.points, circle.over) == ("#ffffff", "#000000", ((1.5, 1),), True)
    assert (text.points, text.text, text.tint) == (((0, 2),), "12", "#1f5fbf")
    drawn = ("1 line", "1 arrow", "1 circle", "1 rectangle (7)", "1 text (12)")
    assert puzzle.not_enforced == (*drawn, "1 other drawing")
    assert b"#cc0000" in image(alone(Picture(puzzle)), "svg")


def test_toml_keeps_them_as_they_look() -> None:
    puzzle = scl(lines=[LINE], arrows=[ARROW], underlays=[SQUARE], overlays=[CIRCLE, TEXT, {"center": ["x", 1]}])
    text = satdoku.write(puzzle, "toml")
    assert '{ shape = "line", points = [[1, 1], [2, 2], [2, 4]], tint = "#cc0000", width = 0.25 },' in text
    assert 'not-enforced = ["1 other drawing"]' in text
    again = satdoku.read(text)
    assert (again.drawings, again.not_enforced) == (puzzle.drawings, puzzle.not_enforced)
    assert satdoku.write(again, "toml") == text


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("3", "drawing 1 is 3, expected a table of shape, points, tint"),
        ('{ shape = "line" }', "drawing 1 has no points"),
        ('{ shape = "star", points = [[1, 1]] }', "a drawing of the shape 'star'"),
        ('{ shape = "line", points = [[1, "2"], [1, 2]] }', "expected a row and a column, such as [1, 2.5]"),
        ('{ shape = "circle", points = [[1, 1]], width = true }', "width = true, expected a number"),
        ('{ shape = "circle", points = [[1, 1]], width = nan }', "a circle of 0.0xnan cells"),
        ('{ shape = "circle", points = [[1, 1]], colour = "#000000" }', "has 'colour', expected shape, points"),
        ('{ shape = "line", points = [[1, 900], [1, 1]] }', "reaches beyond every board"),
    ],
)
def test_drawings_in_toml_that_cannot_be_drawn(entry: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        satdoku.read(f"size = 4\ndrawing = [{entry}]\n")
    assert message in str(caught.value)


def test_toml_has_no_more_drawings_than_a_puzzle_may_have() -> None:
    many = ", ".join(['{ shape = "circle", points = [[1, 1]] }'] * (MAX_DRAWINGS + 1))
    with pytest.raises(FormatError, match=f"expected at most {MAX_DRAWINGS} and {MAX_POINTS}"):
        satdoku.read(f"size = 4\ndrawing = [{many}]\n")


def test_links_keep_them() -> None:
    puzzle = scl(lines=[LINE], underlays=[SQUARE], overlays=[CIRCLE, TEXT])
    for name in LINKS:
        again = satdoku.read(satdoku.write(puzzle, name), drawn="ignore")
        assert again.not_enforced == puzzle.not_enforced
        assert sorted(again.drawings, key=str) == sorted(puzzle.drawings, key=str)


EVERYWHERE: list[dict[str, Any]] = [
    {"shape": "line", "points": ((1, 1), (2, 2)), "tint": "#67f067", "width": 0.2},
    {"shape": "line", "points": ((1.5, 0.5), (1.5, 2.5)), "tint": "#67f067", "width": 0.1234},
    {"shape": "line", "points": ((1, 1),), "tint": "#67f067", "width": 0.3},
    {"shape": "arrow", "points": ((1, 1), (2, 2)), "tint": "#000000", "width": 0.05},
    {"shape": "thermometer", "points": ((1, 1), (2, 2), (2, 3)), "tint": "#cfcfcf", "width": 0.3},
    {"shape": "circle", "points": ((1, 1),), "tint": "#c0262d", "fill": "#ffffff", "height": 0.5, "width": 0.5},
    {"shape": "circle", "points": ((1, 1.5),), "fill": "#ffffff", "height": 0.3, "width": 0.8},
    {"shape": "circle", "points": ((1.25, 1.5),), "fill": "#ffffff", "height": 0.3, "width": 0.3},
    {"shape": "rectangle", "points": ((0, 2),), "tint": "#1f5fbf", "height": 0.75, "width": 0.75, "text": "7"},
    {"shape": "rectangle", "points": ((2, 2),), "fill": "#f2e27a", "height": 1, "width": 1},
    {"shape": "text", "points": ((2, 2.5),), "tint": "#1f5fbf", "height": 0.3, "text": "ab"},
]
"""Drawings of every shape but cages, in cells and elsewhere."""
CAGE = Drawing(shape="cage", points=((1, 1), (2, 1)), tint="#c0262d", text="12")


@pytest.mark.parametrize("over", [False, True])
def test_data_of_sudokupad_keep_all_in_their_layer(over: bool) -> None:
    every = [Drawing(**each, over=over) for each in EVERYWHERE]
    puzzle = replace(satdoku.read("1" + "." * 15), drawings=(CAGE, *every, every[4]))
    again = satdoku.read(satdoku.write(puzzle, "sudokupad"), drawn="ignore")
    assert sorted(again.drawings, key=str) == sorted(puzzle.drawings, key=str)
    for each in every:  # f-puzzles states the layer, or has no place
        alone = replace(puzzle, drawings=(each,))
        held = satdoku.read(satdoku.write(alone, "f-puzzles", metadata=False)).drawings
        assert held in ((each,), ())
        assert (held == ()) == (each in every[1:2] + every[3:5] + every[7:8])


MARKED = """
cage = [{ cells = "r1c1 r1c2", value = 7 }, { cells = "r1c3 r1c4" }]
sum = [{ cells = "r4c3 r4c4", value = "5" }]
extra-region = ["r1c1 r2c2 r3c3"]
rules = ["anti-king", "anti-knight", "nonconsecutive", "negative-xv", "negative-ratio"]
title = "A"
author = "B"
ruleset = "C"
"""


@pytest.mark.parametrize("division", ["", 'boxes = "none"\n', 'regions = """\nAAAB\nACBB\nCCBD\nCDDD\n"""\n'])
def test_data_of_sudokupad_have_cages_regions_and_rules_of_the_board(division: str) -> None:
    rules = MARKED if division else MARKED.replace("rules = [", 'rules = ["disjoint-groups", ')  # which needs boxes
    puzzle = satdoku.read(f'size = 4\n{division}{rules}grid = "1..............."\n')
    puzzle = replace(puzzle, drawings=(Drawing(**EVERYWHERE[3]), CAGE))
    text = satdoku.write(puzzle, "sudokupad", metadata=False)
    again = satdoku.read(text, drawn="ignore")
    assert "/scl" in text
    assert (again.board, again.candidates) == (puzzle.board, puzzle.candidates)
    assert (again.title, again.author, again.rules) == ("A", "B", "C")
    assert set(again.drawings) == set(puzzle.drawings)


@pytest.mark.parametrize(
    "more", ['thermometer = ["r1c1 r1c2"]', 'rules = ["diagonal+"]', "candidates = { r1c2 = [1, 2] }"]
)
def test_where_data_of_sudokupad_have_no_place_drawings_are_named(more: str) -> None:
    puzzle = replace(satdoku.read(f"size = 4\n{more}\n"), drawings=(Drawing(**EVERYWHERE[3]), CAGE))
    with pytest.raises(Refused, match=r"\(1 arrow\)"):
        satdoku.write(puzzle, "sudokupad")
    again = satdoku.read(satdoku.write(puzzle, "sudokupad", metadata=False))
    assert (again.board, again.drawings) == (puzzle.board, (CAGE,))


def test_a_line_of_sudokupad_from_a_circle_of_its_colour_is_a_thermometer() -> None:
    circle = {"center": [1.5, 1.5], "width": 0.85, "height": 0.85, "rounded": True, "backgroundColor": "#CFCFCF"}
    line = {"wayPoints": [[1.5, 1.5], [2.5, 2.5]], "color": "#CFCFCF", "thickness": 21}
    assert scl(lines=[line, line], underlays=[circle, circle]).not_enforced == ("2 thermometers",)
    for other in ({"backgroundColor": "#ff0000"}, {"text": "7"}, {"width": 1}, {"center": [2.5, 2.5]}):
        assert len(scl(lines=[line], underlays=[circle | other]).drawings) == 2


def test_cages_of_sudokupad_without_a_rule_are_drawings() -> None:
    cells = [[1, 1], [1, 2]]
    cages: list[dict[str, Any]] = [{"cells": cells, "value": "A", "outlineC": "#f00"}, {"cells": cells, "hidden": True}]
    puzzle = satdoku.read(json.dumps({"cells": ROWS, "regions": REGIONS, "cages": cages}))
    assert puzzle.drawings == (Drawing(shape="cage", points=((1, 1), (1, 2)), tint="#ff0000", text="A"),)
    assert puzzle.not_enforced == ("1 cage (A)", "1 cage")


def test_those_of_f_puzzles() -> None:
    puzzle = fpuzzles(
        line=[{"lines": [["R1C1", "R2C2"], ["R3C3"]], "outlineC": "#67F067", "width": 0.2}],
        circle=[{"cells": ["R1C1", "R1C2"], "baseC": "#FFFFFF", "outlineC": "#000000", "width": 0.3, "height": 0.3}],
        text=[{"cells": ["R4C4"], "value": "a b", "fontC": "#FF0000"}],
        cage=[{"cells": ["R1C1", "R2C1"], "value": "DRAW", "outlineC": "#0000FF"}, {"value": "title: No drawing"}],
    )
    assert puzzle.not_enforced == ("2 lines", "1 cage (DRAW)", "1 circle", "1 text (a b)")
    assert [each.points for each in puzzle.drawings if each.shape == "circle"] == [((1, 1.5),)]
    again = satdoku.read(satdoku.write(puzzle, "sudokupad"), drawn="ignore")
    assert set(again.drawings) == set(puzzle.drawings)


LAYER = {
    "zT": [[28, 29, 42]], "z7": [[None], [31, 32]], "z3": [[33, 34, 35]], "z6": [[54, 55]], "z1": {"892": [" 22", 1]},
    "zC": {"892,894": 10}, "zS": {"30": 7}, "zF": {"106,107": 9, "107,108": 9, "80,81": 9}, "zL": {"95": 98},
    "zY": {"642": [2, "circle_SS", 2], "43": [3, "square_L", 1], "44": [[1], "ox_B", 1]}, "z5": [[1]],
}  # fmt: skip
"""What Penpa+ draws, under the short names of its keys."""


def test_those_of_penpa() -> None:
    layer = "".join(f",{key}:{json.dumps(value)}" for key, value in LAYER.items())
    puzzle = satdoku.read(penpa(layer), drawn="ignore")
    drawn = ("3 lines", "1 arrow", "1 thermometer", "1 cage (22)", "1 circle", "2 rectangles", "4 other drawings")
    assert puzzle.not_enforced == drawn
    found = {each.shape: each for each in puzzle.drawings}
    assert found["cage"].points == ((3, 1), (3, 2)) and found["thermometer"].points == ((1, 1), (1, 2), (2, 2))
    assert (found["circle"].points, found["circle"].fill, found["circle"].width) == (((9, 4.5),), "#000000", 0.26)
    assert [each.points for each in puzzle.drawings if each.tint == "#187bcd"] == [
        ((5, 1), (5, 2)),
        ((7, 1), (7, 2), (7, 3)),
    ]
    assert [each.fill for each in puzzle.drawings if each.width > 0.7] == ["#ffffa3", "#cccccc"]
    known = replace(puzzle, not_enforced=puzzle.not_enforced[:-1])
    again = satdoku.read(satdoku.write(known, "penpa"), drawn="ignore")
    assert again.not_enforced == known.not_enforced
    assert sorted(again.drawings, key=str) == sorted(puzzle.drawings, key=str)
    with pytest.raises(Refused, match=r"\(4 other drawings\)"):
        satdoku.write(puzzle, "penpa")


def test_penpa_keeps_those_of_sudokupad() -> None:
    near = LINE | {"color": "#e02020"}
    puzzle = scl(lines=[near], arrows=[ARROW], underlays=[SQUARE | {"text": ""}], overlays=[CIRCLE, TEXT])
    again = satdoku.read(satdoku.write(puzzle, "penpa"), drawn="ignore")
    assert again.not_enforced == puzzle.not_enforced
    assert {each.shape: each.tint or each.fill for each in again.drawings} == {
        "line": "#e02020", "arrow": "#000000", "rectangle": "#99ff99", "circle": "#000000", "text": "#187bcd"
    }  # fmt: skip
    twice = scl(overlays=[TEXT, TEXT | {"text": "13"}])
    with pytest.raises(Refused, match=r"\(1 text \(13\)\)"):  # one key has one text
        satdoku.write(twice, "penpa")


PLACE: dict[str, Any] = {"points": ((2, 2),), "height": 0.7, "width": 0.7}
PAINTED: list[dict[str, Any]] = [
    {"shape": "line", "points": ((1, 1), (1, 2)), "tint": "#67f067", "width": 0.3},
    {"shape": "line", "points": ((1, 1), (1, 2)), "tint": "#1f5fbf", "width": 3 / 38},
    {"shape": "line", "points": ((1, 1), (1, 2)), "tint": "#187bcd", "width": 3 / 38},  # a style has it
    {"shape": "line", "points": ((1.5, 0.5), (1.5, 1.5)), "tint": "#1f5fbf", "width": 5 / 38, "over": True},
    {"shape": "thermometer", "points": ((1, 1), (1, 2)), "tint": "#f4a6a6", "width": 0.3},
    {"shape": "arrow", "points": ((1, 1), (1, 2)), "tint": "#c0262d", "width": 0.05},
    {"shape": "rectangle", "points": ((2, 2),), "fill": "#f2e27a", "height": 1, "width": 1},
    {"shape": "rectangle", "points": ((2, 2),), "fill": "#ffa3a3", "height": 1, "width": 1},
    {"shape": "rectangle", "points": ((2, 2),), "fill": "#f2e27a", "height": 1, "width": 1, "over": True},
    {"shape": "line", "points": ((1, 1), (1, 2)), "tint": "#67f067", "width": 12 / 38, "over": True},
    *({"shape": "circle", "fill": fill, "tint": tint, **PLACE}
      for fill, tint in [("#8fbdf5", ""), ("#8fbdf5", "#000000"), ("#8fbdf5", "#8fbdf5"), ("", "#c0262d"),
                         ("#ffffff", "#c0262d"), ("#8fbdf5", "#999999"), ("#ff0000", "#ff0000"), ("#000000", "")]),
]  # fmt: skip
"""Drawings of every place and width that Penpa+ has, most in colours that its styles have not."""


@pytest.mark.parametrize("drawing", PAINTED)
def test_penpa_has_any_colour(drawing: dict[str, Any]) -> None:
    first = drawing | {"points": ((4, 1), (4, 2)), "tint": "#cccccc"}  # of its list, which the style draws
    before = [Drawing(**first)] if drawing["width"] == 0.3 else []
    puzzle = replace(fpuzzles(), drawings=(*before, Drawing(**drawing)))
    again = satdoku.read(satdoku.write(puzzle, "penpa", metadata=False), drawn="ignore")
    assert sorted(again.drawings, key=str) == sorted(puzzle.drawings, key=str)
    assert again.board == puzzle.board


def test_no_line_that_penpa_has_along_edges_is_a_wall() -> None:
    thin = Drawing(shape="line", points=((1.5, 0.5), (1.5, 1.5)), tint="#1f5fbf", width=3 / 38, over=True)
    puzzle = replace(fpuzzles(), drawings=(thin,))
    assert satdoku.read(satdoku.write(puzzle, "penpa", metadata=False), drawn="ignore").drawings[0].width == 5 / 38
    walls = json.dumps({"lineE": {"186,199": "rgba(31,95,191,1)"}})  # which are walls in any colour
    assert satdoku.read(penpa(own=walls)) == satdoku.read(penpa())


def test_a_shape_of_penpa_has_one_colour_of_its_own() -> None:
    puzzle = replace(fpuzzles(), drawings=(Drawing(shape="circle", fill="#8fbdf5", tint="#c0262d", **PLACE),))
    again = satdoku.read(satdoku.write(puzzle, "penpa", metadata=False), drawn="ignore")
    assert [(each.fill, each.tint) for each in again.drawings] == [("#8fbdf5", "#000000")]


@pytest.mark.parametrize(
    ("raw", "fill"),
    [("rgb(1, 2, 3)", "#010203"), ("rgba(0,0,0,0.5)", "#7f7f7f"), ("#abc", "#aabbcc"), ("rgba(300,0,0,1)", "#ff0000"),
     (None, "#ffffa3"), ("blue-ish", "#ffffa3"), (7, "#ffffa3")],
)  # fmt: skip
def test_colours_of_penpa_as_people_write_them(raw: object, fill: str) -> None:
    layer, own = ',zS:{"30":7}', json.dumps({"surface": {"30": raw}})
    assert satdoku.read(penpa(layer, own=own), drawn="ignore").drawings[0].fill == fill
    assert satdoku.read(penpa(layer, own=own, coloured="0"), drawn="ignore").drawings[0].fill == "#ffffa3"


@pytest.mark.parametrize("drawing", [{"arrows": [ARROW]}, {"lines": [{"wayPoints": [[1, 1], [2.25, 2]]}]}])
def test_what_has_no_place_is_named(drawing: dict[str, Any]) -> None:
    puzzle = scl(underlays=[SQUARE], **drawing)
    name = puzzle.not_enforced[0]
    with pytest.raises(Refused, match=rf"what is not enforced \({name}\)"):
        satdoku.write(puzzle, "f-puzzles")
    assert len(satdoku.read(satdoku.write(puzzle, "f-puzzles", metadata=False)).drawings) == 1
    with pytest.raises(Refused, match=rf"\({name} and 1 rectangle \(7\)\)"):
        satdoku.write(puzzle, "line")
    assert satdoku.read(satdoku.write(puzzle, "toml")).not_enforced == puzzle.not_enforced


def test_there_are_bounds() -> None:
    many = scl(lines=[LINE] * (MAX_DRAWINGS + 1))
    assert (len(many.drawings), many.not_enforced) == (MAX_DRAWINGS, (f"{MAX_DRAWINGS} lines", "1 other drawing"))
    assert scl(lines=[{"wayPoints": [[1.5, 1.5]] * (MAX_POINTS + 1)}]).drawings == ()
    far = scl(lines=[{"wayPoints": [[1.5, 1.5], [10**400, 2]]}, {"wayPoints": [[1.5, 1.5], [True, 2]]}])
    assert far.not_enforced == ("2 other drawings",)
    for wrong in ({"shape": "star"}, {"points": ()}, {"tint": "red"}, {"text": "x" * 101}, {"width": float("nan")}):
        with pytest.raises(PuzzleError):
            Drawing(**({"shape": "text", "points": ((1, 1),)} | wrong))


@pytest.mark.parametrize(
    ("raw", "found"),
    [("#F", "#ffffff"), ("#abc", "#aabbcc"), ("#00000080", "#7f7f7f"), ("#12345600", ""), ("transparent", ""),
     ("Red", "#ff0000"), ("rgb(1,2,3)", "#0"), (None, "#0"), ("#12345", "#123405")],
)  # fmt: skip
def test_colours(raw: object, found: str) -> None:
    assert colour(raw, "#0") == found


def test_an_ellipse_keeps_its_sides() -> None:
    puzzle = scl(overlays=[{"center": [1.5, 2], "width": 0.8, "height": 0.3, "rounded": 1, "backgroundColor": "#fff"}])
    (drawing,) = puzzle.drawings
    (area,) = cosmetic(drawing)
    assert isinstance(area, Area)
    for side, middle, points in zip((0.3, 0.8), drawing.points[0], zip(*area.points, strict=True), strict=True):
        assert (max(points) - middle, middle - min(points)) == pytest.approx((side / 2, side / 2))
    corner = (drawing.points[0][0] + 0.14, drawing.points[0][1] + 0.39)
    assert all(point[0] < corner[0] or point[1] < corner[1] for point in area.points)
    assert satdoku.read(satdoku.write(puzzle, "f-puzzles")).drawings == puzzle.drawings
