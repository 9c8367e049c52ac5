"""Marks by functions, boards by build, and how puzzles and outcomes are shown."""

from __future__ import annotations

import inspect
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support import stub
from support.cli import UNIQUE, records, run

import satdoku
from satdoku import AllDifferent, InputError, Linear, Mark, Puzzle, PuzzleError, Verdict, marks
from satdoku.api.marks import builders
from satdoku.variants import kinds

ROOT = Path(__file__).parents[2]


class TestMarks:
    def test_every_kind_has_a_function(self) -> None:
        made = {
            re.search(r"A mark of the kind '(.+)'", inspect.getdoc(function) or "") for function in builders().values()
        }
        assert {found[1] for found in made if found} == set(kinds())

    def test_the_stub_is_that_of_the_table(self) -> None:
        assert stub.FILE.read_text("utf-8") == stub.stub(), "PYTHONPATH=tests python -m support.stub writes it anew"

    @pytest.mark.parametrize(
        ("mark", "expected"),
        [
            (lambda: marks.killer_cage(["r1c1", "r1c2"], total=9), Mark("cage", ((1, 1), (1, 2)), value=9)),
            (lambda: marks.killer_cage("r1c1 r1c2"), Mark("cage", ((1, 1), (1, 2)))),
            (lambda: marks.cage([(1, 1), "r2c1-r2c3"]), Mark("cage", ((1, 1), (2, 1), (2, 2), (2, 3)))),
            (lambda: marks.odd((3, 7)), Mark("odd", ((3, 7),))),
            (lambda: marks.thermometer("r3c3-r1c1"), Mark("thermometer", (), (((3, 3), (2, 2), (1, 1)),))),
            (
                lambda: marks.arrow("r1c1", ["r1c2-r1c4", ["r2c1"]]),
                Mark("arrow", ((1, 1),), (((1, 2), (1, 3), (1, 4)), ((2, 1),))),
            ),
            (lambda: marks.clone(["r1c1"], ["r4c4"]), Mark("clone", ((1, 1),), (((4, 4),),))),
            (lambda: marks.sandwich("r0c3", total=5), Mark("sandwich", ((0, 3),), value=5)),
            (
                lambda: marks.little_killer("r0c1", "r1c2-r3c4", total=9),
                Mark("little-killer", ((0, 1),), (((1, 2), (2, 3), (3, 4)),), 9),
            ),
            (lambda: marks.xv(["r1c1", "r1c2"], letter="x"), Mark("xv", ((1, 1), (1, 2)), value="X")),
            (lambda: marks.quadruple("r1c1 r1c2", values=[3, 5]), Mark("quadruple", ((1, 1), (1, 2)), value="3 5")),
            (lambda: marks.anti_knight(), Mark("anti-knight")),
            (lambda: marks.boxes("2x3"), Mark("boxes", value="2x3")),
        ],
    )
    def test_what_a_function_makes(self, mark: Callable[[], Mark], expected: Mark) -> None:
        assert mark() == expected

    @pytest.mark.parametrize(
        ("mark", "error", "message"),
        [
            (lambda: marks.killer_cage(), TypeError, "killer_cage: missing a required argument: 'cells'"),
            (lambda: marks.killer_cage("r1c1", 9), TypeError, "killer_cage: too many positional arguments"),
            (lambda: marks.killer_cage("r1c1", sum=9), TypeError, "killer_cage: got an unexpected keyword"),
            (lambda: marks.killer_cage(5), TypeError, "killer_cage: 5 is not a cell: expected"),
            (lambda: marks.killer_cage([1, 2, 3]), TypeError, "is not a list of cells"),
            (lambda: marks.killer_cage("r1c1", total=[9]), TypeError, r"total is \[9\]: expected int"),
            (lambda: marks.killer_cage("r1c1", total=1.5), TypeError, r"total is 1\.5: expected int"),
            (lambda: marks.killer_cage("r1c1", total="many"), InputError, "expected a whole number"),
            (lambda: marks.sandwich("r0c1", total=None), InputError, "sandwich has no value"),
            (lambda: marks.xv("r1c1 r1c2", letter="L"), InputError, "expected X or V"),
            (lambda: marks.odd("r1c1 r1c2"), PuzzleError, "odd: 2 cells, expected one"),
            (lambda: marks.odd("a1"), PuzzleError, "odd: 'a1' is not a cell"),
            (lambda: marks.renban("r1c1-r2c4"), PuzzleError, "renban: r1c1-r2c4 is not a straight run"),
            (lambda: marks.arrow("r1c1", "r1c2"), TypeError, "arrow: lines is 'r1c2': expected a list of lines"),
            (lambda: marks.boxes("3"), InputError, "expected RxC"),
        ],
    )
    def test_what_it_refuses(self, mark: Callable[[], Mark], error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            mark()


class TestBuild:
    def test_the_board_is_that_of_the_marks(self) -> None:
        cage = marks.killer_cage("r1c1 r1c2", total=3)
        puzzle = satdoku.build(size=4, marks=[cage, marks.anti_knight()])
        again = satdoku.read(satdoku.write(puzzle, "toml")).board
        assert set(puzzle.board.constraints) == set(again.constraints)
        assert {"cage 3 at r1c1", "box 1"} <= {constraint.name for constraint in puzzle.board.constraints}

    @pytest.mark.parametrize(
        "givens",
        [
            {"r1c2": 1, (4, 3): 3},
            ".1............3.",
            ".1..\n....\n....\n..3.",
            "0,1,0,0,0,0,0,0,0,0,0,0,0,0,3,0",
            [[0, 1, 0, 0], [0] * 4, [0] * 4, [0, 0, 3, 0]],
            np.array([0, 1, *[0] * 12, 3, 0]),
        ],
        ids=str,
    )
    def test_givens_in_every_form(self, givens: object) -> None:
        expected = tuple({1: 1, 14: 3}.get(cell, 0) for cell in range(16))
        assert satdoku.build(size=4, givens=givens, name="mine").givens == expected

    def test_boxes_are_the_usual_ones_unless_others_are_asked_for(self) -> None:
        regions = [marks.region(f"r{row}c1-r{row}c4") for row in range(1, 5)]
        assert satdoku.build().board is satdoku.classic(3, 3)
        assert satdoku.build(size=6, box="3x2").board is satdoku.classic(3, 2)
        assert len(satdoku.build(size=5, box="none").board.constraints) == 10
        assert [mark.kind for mark in satdoku.build(size=4, marks=regions).board.marks] == ["region"] * 4
        assert satdoku.build(size=4, marks=[marks.boxes("2x2")]).board is satdoku.classic(2, 2)

    @pytest.mark.parametrize(
        ("call", "error", "message"),
        [
            (lambda: satdoku.build(size=9.0), TypeError, "size is 9.0: expected a whole number"),
            (lambda: satdoku.build(size=0), PuzzleError, "size is 0: expected 1 to 256"),
            (lambda: satdoku.build(size=5), PuzzleError, "a 5x5 grid has no boxes of equal shape"),
            (lambda: satdoku.build(marks=["cage"]), TypeError, "marks has 'cage': expected marks"),
            (lambda: satdoku.build(size=4, marks=[marks.odd("r5c1")]), PuzzleError, "outside the 4x4 grid"),
            (lambda: satdoku.build(size=4, givens={"r5c1": 1}), PuzzleError, "r5c1 is outside the 4x4 grid"),
            (lambda: satdoku.build(size=4, givens={"r1c1": "1"}), TypeError, "r1c1 is '1': expected a number"),
            (lambda: satdoku.build(size=4, givens={"r1c1": 9}), PuzzleError, "r1c1: 9 is not one of 1..4"),
            (lambda: satdoku.build(size=4, givens="123"), PuzzleError, "givens: 3 cells, expected 16"),
            (lambda: satdoku.build(size=4, givens=[[0] * 4] * 3), PuzzleError, "3 rows: expected 4x4"),
            (lambda: satdoku.build(size=4, givens=5), TypeError, "not an int"),
        ],
    )
    def test_what_it_refuses(self, call: Callable[[], Puzzle], error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            call()

    def test_a_constraint_of_ones_own(self) -> None:
        empty = satdoku.read("." * 16)
        equal = satdoku.add_constraints(empty, Linear((0, 5), (1, -1), 0, "r1c1 = r2c2"))
        assert satdoku.check(equal).verdict is Verdict.UNSOLVABLE
        diagonal = satdoku.add_constraints(empty, AllDifferent((0, 5, 10, 15), "diagonal"))
        marked = satdoku.build(size=4, marks=[marks.falling_diagonal()])
        assert satdoku.count(diagonal).count == satdoku.count(marked).count
        with pytest.raises(TypeError, match="'row' is not a constraint"):
            satdoku.add_constraints(empty, "row")
        with pytest.raises(TypeError, match="puzzle is of type str: expected a Puzzle"):
            satdoku.add_constraints("." * 16)
        with pytest.raises(PuzzleError, match="cell 16 is not on the board"):
            satdoku.add_constraints(empty, AllDifferent((0, 16), "wide"))


class TestPuzzle:
    def test_repr_is_short(self) -> None:
        assert repr(satdoku.read("." * 81)) == "<Puzzle 9x9, 3x3 boxes, 0 givens>"
        caged = satdoku.build(size=4, marks=[marks.cage("r1c1"), marks.cage("r1c2"), marks.anti_king()])
        assert repr(caged) == "<Puzzle 4x4, 2x2 boxes, 0 givens, 2 cages, anti-king>"
        regions = [marks.region(f"r{row}c1-r{row}c4") for row in range(1, 5)]
        assert repr(satdoku.build(size=4, marks=regions)) == "<Puzzle 4x4, irregular regions, 0 givens>"
        board = satdoku.Board(3, 3, 3, (), (Mark("unheard-of"),) * 2)
        assert repr(Puzzle.from_givens(board, {0: 1})) == "<Puzzle 1x3, 1 given, 2 unheard-of>"

    def test_str_is_the_grid_and_is_read_back(self) -> None:
        puzzle = satdoku.read(".1.4....1....43.")
        assert str(puzzle) == satdoku.write(puzzle, "grid")
        jigsaw = satdoku.load(ROOT / "puzzles" / "variants" / "region.toml")
        assert satdoku.read(str(jigsaw)).givens == jigsaw.givens

    def test_a_notebook_shows_the_picture(self, monkeypatch: pytest.MonkeyPatch) -> None:
        puzzle = satdoku.read(".1.4....1....43.")
        picture = puzzle._repr_svg_()
        assert picture is not None
        assert picture.encode() == satdoku.render(puzzle)
        monkeypatch.setattr("satdoku.api.views.find_spec", lambda name: None)
        assert puzzle._repr_svg_() is None

    def test_what_the_source_states_is_kept_and_does_not_make_puzzles_differ(self) -> None:
        puzzle = satdoku.read(".1.4....1....43.")
        named = replace(puzzle, title="Small", author="A. Setter", rules="As usual.", solution=(1,) * 16)
        assert (puzzle.title, puzzle.author, puzzle.rules, puzzle.solution) == ("", "", "", None)
        assert pickle.loads(pickle.dumps(named)).title == "Small"
        assert named == puzzle
        assert hash(named) == hash(puzzle)
        assert named.given_count == 5
        assert satdoku.render(named) != satdoku.render(puzzle)


class TestOutcome:
    def test_the_grid_is_the_solution_or_the_first(self) -> None:
        assert satdoku.check(".1.4....1....43.").grid == satdoku.solve(".1.4....1....43.").grids[0]
        assert satdoku.check("13....3131...213").grid in satdoku.solve("13....3131...213", limit=None).grids
        assert satdoku.check("11..............").grid is None

    def test_grids_as_an_array(self) -> None:
        two = satdoku.check("13....3131...213")
        assert two.array().shape == (2, 16)
        assert [tuple(row) for row in two.array().tolist()] == list(two.grids)
        assert satdoku.check("11..............").array().shape == (0, 0)

    def test_all_of_it_as_json(self) -> None:
        record = json.loads(json.dumps(satdoku.check("11..............").to_dict()))
        assert record["verdict"] == "unsolvable"
        assert record["reason"] == "row 1 has 1 twice: r1c1 and r1c2"
        found = json.loads(json.dumps(satdoku.check(".1.4....1....43.").to_dict()))
        assert found["solutions"] == ["3124421313422431"]

    @pytest.mark.parametrize(
        ("text", "values"), [(UNIQUE, "1-4"), ("0123230110323...", "0-3"), ("0123" + "." * 12, "0-12")]
    )
    def test_its_solutions_are_the_lines_of_records(self, text: str, values: str) -> None:
        puzzle = satdoku.read(text, values=values)
        (record,) = records(run("solve", "--json", "--values", values, text))
        found = satdoku.solve(puzzle).to_dict()
        assert found["solutions"] == [record["solution"]]
        assert ("," in record["solution"]) == (values == "0-12")
        assert satdoku.solve(puzzle).to_dict(["solution"], ["A"]) == {"solution": "A"}

    def test_a_stated_solution_is_compared(self) -> None:
        puzzle = satdoku.read(".1.4....1....43.")
        outcome = satdoku.check(puzzle)
        right = replace(puzzle, solution=outcome.grid)
        assert satdoku.stated_solution_fault(puzzle, outcome) is None
        assert satdoku.stated_solution_fault(right, outcome) is satdoku.stated_solution_fault(right) is None
        swapped = tuple({1: 2, 2: 1}.get(value, value) for value in outcome.grids[0])
        wrong = replace(puzzle, solution=swapped)
        expected = "the stated solution is wrong: r1c2 is 2, which the puzzle does not allow there"
        assert satdoku.stated_solution_fault(wrong) == expected
        assert satdoku.stated_solution_fault(wrong, outcome) == (
            "the stated solution has 2 at r1c2, and the only solution has 1"
        )
        short = replace(puzzle, solution=(1,))
        assert satdoku.stated_solution_fault(short, outcome) == (
            "the stated solution is wrong: the grid has 1 cells, the board 16"
        )
