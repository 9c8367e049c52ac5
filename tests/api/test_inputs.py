"""What Python programs give as puzzles: each form is read, and anything else says what was expected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import satdoku
from satdoku import InputError, Puzzle, PuzzleError
from satdoku.referee import faulty, violations

LINE = ".1.4....1....43."
ROWS = [[0, 1, 0, 4], [0, 0, 0, 0], [1, 0, 0, 0], [0, 4, 3, 0]]
UNIQUE = satdoku.read(LINE)


@pytest.mark.parametrize(
    "source",
    [
        ROWS,
        tuple(map(tuple, ROWS)),
        np.array(ROWS),
        np.array(ROWS).ravel(),
        np.array(ROWS, float),
        [list(row) for row in np.array(ROWS)],
        [value for row in ROWS for value in row],
        [[value or None for value in row] for row in ROWS],
        [[str(value or ".") for value in row] for row in ROWS],
        [[value or float("nan") for value in row] for row in ROWS],
        [".1.4", "....", "1...", ".43."],
        np.array([list(row) for row in (".1.4", "....", "1...", ".43.")]),
    ],
    ids=lambda source: type(source).__name__,
)
def test_rows_of_values_are_read(source: Any) -> None:
    assert satdoku.read(source, name="mine") == Puzzle(UNIQUE.board, UNIQUE.candidates, "mine")
    assert satdoku.check(source).grid == satdoku.check(LINE).grid


def test_rows_take_the_box_that_is_named() -> None:
    assert satdoku.read([[0] * 6] * 6).board is satdoku.classic(2, 3)
    assert satdoku.read([[0] * 6] * 6, box="3x2").board is satdoku.classic(3, 2)
    assert satdoku.read([[0] * 16] * 16).board is satdoku.classic(4, 4)


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (b"....", TypeError, "a puzzle is a text, rows of values or an array, not a bytes"),
        ({"r1c1": 1}, TypeError, "a puzzle is a text, rows of values or an array, not a dict"),
        (7, TypeError, "a puzzle is a text, rows of values or an array, not an int"),
        (None, TypeError, "a puzzle is a text, rows of values or an array, not a NoneType"),
        (Path("puzzle.txt"), TypeError, "read files with satdoku.load"),
        ([*ROWS[:3], 0], TypeError, "rows and single values are mixed"),
        ([[0, 0, 0, {}], *ROWS[1:]], TypeError, "row 1, column 4 is a dict: expected a number"),
        ([[0, 0, 0, True], *ROWS[1:]], TypeError, "row 1, column 4 is a bool: expected a number"),
        ([*ROWS[:3], [0, 0, 0]], PuzzleError, "row 4 has 3 values: expected 4"),
        ([*ROWS[:3], [0, 5, 0, 0]], PuzzleError, "row 4, column 2 is 5: expected 1 to 4, or 0 where it is empty"),
        ([*ROWS[:3], [0, 1.5, 0, 0]], PuzzleError, r"row 4, column 2 is 1\.5: expected 1 to 4"),
        ([*ROWS[:3], [0, float("inf"), 0, 0]], PuzzleError, "row 4, column 2 is inf: expected 1 to 4"),
        ([*ROWS[:3], ["q", 0, 0, 0]], PuzzleError, "row 4, column 1 is 'q': expected 1 to 4"),
        ([], PuzzleError, "0 values: expected N rows of N values"),
        ([[0] * 3] * 3, PuzzleError, "3 rows: expected N rows of N values"),
        ([0] * 17, PuzzleError, "17 values: expected N rows of N values"),
        ([[0] * 7] * 7, PuzzleError, "a 7x7 puzzle has no boxes of equal shape; if it has none, give the box as none"),
    ],
)
def test_anything_else_says_what_was_expected(source: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        satdoku.read(source)


def test_what_is_of_texts_alone_is_refused_for_rows() -> None:
    with pytest.raises(TypeError, match="format, alphabet, empty and entered are of texts"):
        satdoku.read(ROWS, format="line")
    with pytest.raises(PuzzleError, match="4x4 cells, but boxes of 2x3 make a 6x6 puzzle"):
        satdoku.read(ROWS, box="2x3")


@pytest.mark.parametrize(
    "ask",
    [
        satdoku.check,
        satdoku.solve,
        satdoku.count,
        satdoku.candidates,
        satdoku.explain,
        satdoku.minimize,
        satdoku.export,
        satdoku.convert,
        satdoku.write,
        satdoku.cnf,
        satdoku.cpsat_model,
        satdoku.render,
        satdoku.certify,
    ],
)
def test_every_question_takes_a_puzzle_a_text_or_rows(ask: Callable[[Any], object]) -> None:
    for source in (UNIQUE, LINE, ROWS):
        assert ask(source) is not None
    with pytest.raises(TypeError, match="a puzzle is a text, rows of values or an array, not a set"):
        ask({1})


class TestLoad:
    def test_a_file_of_one_puzzle(self, tmp_path: Path) -> None:
        path = tmp_path / "one.txt"
        path.write_text(f"# a comment\n{LINE}\n")
        assert satdoku.load(path) == satdoku.load(str(path))
        assert satdoku.load(path).candidates == UNIQUE.candidates
        assert satdoku.load(path).name == f"{path}:2"

    def test_a_file_of_many(self, tmp_path: Path) -> None:
        path = tmp_path / "many.txt"
        path.write_text(f"{LINE}\n{'.' * 16}\n")
        assert [puzzle.given_count for puzzle in satdoku.load_many(path)] == [5, 0]
        with pytest.raises(InputError, match=r"holds several puzzles, expected one: .*load_many"):
            satdoku.load(path)

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="there is no such file"):
            satdoku.load(tmp_path / "none.txt")
        with pytest.raises(InputError, match="there is no such file"):
            satdoku.load(LINE)
        with pytest.raises(TypeError, match="path is an int: expected a path"):
            satdoku.load(3)
        wrong = tmp_path / "wrong.txt"
        wrong.write_text("12..34..56..78..\n")
        with pytest.raises(InputError, match=r"wrong\.txt, line 1"):
            satdoku.load(wrong)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: satdoku.check(LINE, backend=5), "backend is 5: expected the name of one"),
        (lambda: satdoku.check(LINE, encoding=[]), r"encoding is \[\]: expected the name"),
        (lambda: satdoku.check(LINE, timeout="5"), "timeout is '5': expected a number of seconds"),
        (lambda: satdoku.write(LINE, 5), "format is 5: expected the name of one"),
        (lambda: satdoku.export(LINE, None), "export is None: expected the name of one"),
        (lambda: satdoku.render(LINE, 5), "5 is of type int: expected a path"),
        (lambda: satdoku.certify(LINE, backend=5), "backend is 5: expected the name of one"),
        (lambda: satdoku.verify(5), "5 is of type int: expected a path"),
        (lambda: satdoku.check_many(LINE), "expected several, such as a list"),
        (lambda: satdoku.solve_many(5), "puzzles is of type int: expected several"),
        (lambda: satdoku.grade(LINE, 5), "answers is of type int: expected several"),
        (lambda: satdoku.grade([LINE], [LINE], solution=5), "solution is of type int: expected several"),
        (lambda: satdoku.check_many([LINE], jobs="2"), "jobs is '2': expected a whole number"),
        (lambda: satdoku.generate("3x3"), "board is of type str: expected a Board"),
        (lambda: satdoku.generate(count=1.5), "count is 1.5: expected a whole number"),
        (lambda: satdoku.generate(givens=("a", 3)), "givens is .*: expected a number"),
        (lambda: satdoku.decode(LINE, []), "problem is of type str: expected what cnf or cpsat_model gives"),
        (lambda: satdoku.minimize(LINE, keep=[5]), "keep: .* is not a list of cells"),
    ],
)
def test_a_wrong_type_says_what_was_expected(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: satdoku.check_many([LINE], jobs=0), "jobs is 0: expected 1 or more"),
        (lambda: satdoku.generate(count=0), "count is 0: expected 1 or more"),
        (lambda: satdoku.generate(count=10**30, marks="cage"), "expected 1000000000000 at most"),
        (lambda: satdoku.generate(seed=-1), "seed is -1: expected 0 or more"),
        (lambda: satdoku.render(LINE, format="bmp"), "format is 'bmp': expected svg, png, pdf"),
    ],
)
def test_a_value_that_cannot_be_is_a_value_error(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


class TestOptionsOfReading:
    def test_the_size_may_be_a_number(self) -> None:
        assert satdoku.read(LINE, size=4) == UNIQUE
        assert satdoku.load("puzzles/4x4_two.txt", size=4).board == UNIQUE.board
        with pytest.raises(satdoku.FormatError, match="16 cells, expected 3x3 as the size says"):
            satdoku.read(LINE, size=3)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"size": (4, 4)}, 'size is (4, 4): expected a whole number, or a text such as "6x8"'),
            ({"size": True}, "size is True: expected a whole number"),
            ({"values": range(4)}, 'values is range(0, 4): expected a text such as "0-8"'),
            ({"box": (2, 2)}, 'box is (2, 2): expected a text such as "2x3"'),
            ({"alphabet": 12}, "alphabet is 12: expected a text, or None"),
            ({"empty": 0}, "empty is 0: expected a text, or None"),
            ({"entered": "yes"}, "entered is 'yes': expected True or False"),
            ({"strict": 1}, "strict is 1: expected True or False"),
            ({"drawn": True}, "drawn is True: expected a text, or None"),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("reads", ["read", "convert", "load"])
    def test_a_wrong_type_is_named_with_what_was_expected(
        self, reads: str, options: dict[str, Any], message: str
    ) -> None:
        source = "puzzles/4x4_two.txt" if reads == "load" else LINE
        with pytest.raises(TypeError) as caught:
            getattr(satdoku, reads)(source, **options)
        assert str(caught.value).startswith(message)

    def test_a_name_that_is_not_an_option_brings_the_near_one(self) -> None:
        with pytest.raises(TypeError, match="'sise' is not an option of reading: did you mean size"):
            satdoku.load("puzzles/4x4_two.txt", sise=4)

    def test_the_name_of_a_file_is_not_read_as_a_puzzle(self) -> None:
        with pytest.raises(satdoku.FormatError, match=r"this is the name of a file: read it with satdoku\.load"):
            satdoku.check("puzzles/4x4_two.txt")
        with pytest.raises(InputError, match=r"no such file; a puzzle as text is read with satdoku\.read"):
            satdoku.load(LINE)
        with pytest.raises(InputError, match="puzzles: a folder, expected a file"):
            satdoku.load("puzzles")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: list(violations(UNIQUE, "3124" * 4)), "grid is '3124312431243124': expected whole numbers row by row"),
        (lambda: list(violations(UNIQUE, [[1, 2, 3, 4]] * 4)), "grid is [[1, 2, 3, 4], "),
        (lambda: list(violations(UNIQUE, [1.0] * 16)), "grid is [1.0, 1.0, "),
        (lambda: list(violations(UNIQUE, None)), "grid is None: expected whole numbers"),
        (lambda: list(violations(LINE, (1,) * 16)), "puzzle is of type str: expected a Puzzle"),
        (lambda: faulty(UNIQUE.board, [[0] * 16], [[1] * 16]), "givens is [[0, 0, "),
        (lambda: faulty(UNIQUE.board, np.array([list(LINE)]), np.ones((1, 16), int)), "givens is array([['.', '1'"),
        (lambda: faulty(UNIQUE, np.ones((1, 16), int), np.ones((1, 16), int)), "board is of type Puzzle: expected a"),
        (lambda: Puzzle.from_givens(UNIQUE.board, LINE), "givens are "),
        (lambda: satdoku.stated_solution_fault(LINE), "puzzle is of type str"),
        (lambda: satdoku.classic("3", 3), "rows is '3': expected a whole number, the rows of a box"),
        (lambda: satdoku.classic(3, 3.0), "columns is 3.0: expected a whole number, the columns of a box"),
        (lambda: satdoku.board(size=9, box=(3, 3)), 'box is (3, 3): expected a text such as "2x3"'),
        (lambda: satdoku.build(box=3), 'box is 3: expected a text such as "2x3"'),
        (lambda: satdoku.build(marks="anti-knight"), "marks is 'anti-knight': expected a list of marks"),
        (lambda: satdoku.build(marks=satdoku.marks.anti_knight()), "marks is Mark(kind='anti-knight'"),
        (lambda: satdoku.build(marks=[satdoku.Mark("cage", "r1c1")]), "cage has 'r': expected cells as (row, column)"),
        (lambda: satdoku.generate(givens=(1, 2, 3)), "givens is (1, 2, 3): expected a number, or (at least, at most)"),
        (lambda: satdoku.generate(givens=24.0), "givens is 24.0: expected a number"),
        (lambda: satdoku.generate(timeout=None), "timeout is None: expected a number of seconds"),
        (lambda: satdoku.export(UNIQUE, exclude=LINE), "exclude is '.1.4....1....43.': expected a list of grids"),
        (lambda: satdoku.export(UNIQUE, exclude=[LINE]), "grid is '.1.4....1....43.': expected whole numbers"),
        (lambda: satdoku.decode(satdoku.cnf(UNIQUE), [[1, 2]]), "answer is [[1, 2]]: expected literals"),
        (lambda: satdoku.decode(satdoku.cnf(UNIQUE), ["a"]), "answer is ['a']: expected literals"),
        (lambda: satdoku.render(UNIQUE, grid=LINE), "grid is '.1.4....1....43.': expected whole numbers"),
        (lambda: satdoku.render(UNIQUE, heat="much"), "heat is 'much': expected a list, with one entry for each cell"),
        (lambda: satdoku.render(UNIQUE, candidates=5), "candidates is 5: expected a list"),
        (lambda: satdoku.render(UNIQUE, cell="wide"), "cell is 'wide': expected a number of millimetres"),
        (lambda: satdoku.render(UNIQUE, title=5), "title is 5: expected a text"),
        (lambda: satdoku.render(UNIQUE, notes="one"), "notes is 'one': expected a list of texts"),
    ],
)
def test_no_wrong_type_is_left_to_whatever_fails_first(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "meant"), [("slove", "solve"), ("read_file", "read"), ("Puzzel", "Puzzle"), ("generat", "generate")]
)
def test_a_misspelled_name_brings_the_near_one(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"did you mean .*{meant}"):
        getattr(satdoku, name)


@pytest.mark.parametrize(("name", "meant"), [("thermo", "thermometer"), ("killer", "killer_cage"), ("arrows", "arrow")])
def test_a_misspelled_mark_brings_the_near_one(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}': did you mean {meant}?"):
        getattr(satdoku.marks, name)
    with pytest.raises(PuzzleError, match=f"under the name '{name}': did you mean {meant.replace('_', '-')}"):
        satdoku.build(marks=[satdoku.Mark(name)])
