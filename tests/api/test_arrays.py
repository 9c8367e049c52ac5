"""Functions of many puzzles give in arrays what the functions of one puzzle say of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa
import pytest

import satdoku
from satdoku.api import many

LINES = ["0104000010000430", "3000100040002000", "3300000000000000", "0" * 16, "1234341221434000"]
ARRAY = np.array([[int(cell) for cell in line] for line in LINES])
VERDICTS = [satdoku.check(line).verdict.value for line in LINES]


def offering(*names: str, **members: Any) -> type:
    """A class whose objects have values and nothing else but these methods of numpy's arrays."""

    def member(name: str) -> Any:
        return lambda self, *given, **options: getattr(self.values, name)(*given, **options)

    def init(self: Any, values: Any) -> None:
        self.values = np.array(values)

    return type("Tensor", (), {"__init__": init, **{name: member(name) for name in names}, **members})


def torch_tensor(values: Any) -> Any:
    return pytest.importorskip("torch").tensor(np.array(values))


def jax_array(values: Any) -> Any:
    return pytest.importorskip("jax.numpy").array(np.array(values))


class Lazy:
    """A LazyFrame of polars: it gives nothing before it is collected."""

    def __init__(self, frame: Any) -> None:
        self.collect = lambda: frame
        self.columns = frame.columns

    def collect_schema(self) -> Any:
        raise NotImplementedError

    def __getitem__(self, name: str) -> Any:
        raise TypeError("LazyFrame is not subscriptable")


TENSORS = {
    "__array__": offering("__array__"),
    "__dlpack__": offering("__dlpack__", "__dlpack_device__"),
    "torch": torch_tensor,
    "jax": jax_array,
}
FORMS = {
    "lines": LINES,
    "puzzles": [satdoku.read(line) for line in LINES],
    "rows": ARRAY.tolist(),
    "rows with None": [[value or None for value in row] for row in ARRAY.tolist()],
    "array": ARRAY,
    "floats": np.where(ARRAY > 0, ARRAY, np.nan),
    "squares": ARRAY.reshape(5, 4, 4),
    "pandas": pd.DataFrame({"id": range(5), "puzzle": LINES}),
    "column": pd.Series(LINES),
    "cells": pd.DataFrame(ARRAY),
    "lazy": Lazy(pd.DataFrame({"puzzle": LINES})),
    "arrow": pa.table({"puzzle": LINES, "rating": range(5)}),
    "column of arrow": pa.chunked_array([LINES[:2], LINES[2:]]),
    "texts": np.array([list(line) for line in LINES]),
    "masked": np.ma.masked_array(ARRAY + 3 * (ARRAY == 0), ARRAY == 0),
    "missing": pd.DataFrame(ARRAY).astype("Int64").replace(0, pd.NA),
}


def test_a_frame_of_answers_has_them_in_a_column_of_their_own() -> None:
    frame = pd.DataFrame({"puzzle": LINES, "answer": ["." * 15 + "1"] * len(LINES)})
    assert satdoku.grade(frame, frame).filled.tolist() == [1] * len(LINES)
    with pytest.raises(satdoku.InputError, match="answers: a frame with the columns puzzle: expected answer"):
        satdoku.grade(frame, frame[["puzzle"]])


def test_a_frame_of_solutions_has_them_in_a_column_of_their_own() -> None:
    solved = satdoku.solve_many(["." * 16])
    line = "".join(map(str, solved.grids[0].tolist()))
    frame = pd.DataFrame({"puzzle": ["." * 16] * 2, "answer": [line[:8] + "." * 8, "."], "solution": [line] * 2})
    for given in (frame, Lazy(frame), pa.table(frame)):
        assert satdoku.grade(frame, frame, solution=given).right.tolist() == [8, 0]


def test_a_column_of_arrow_has_answers() -> None:
    answers = pa.chunked_array([[LINES[0]], [None]])
    assert satdoku.grade(LINES[0], answers).parsed.tolist() == [True, False]


def test_bytes_are_one_answer_without_a_grid() -> None:
    grade = satdoku.grade(LINES[0], LINES[0].encode())
    assert (grade.parsed, grade.score) == (False, 0.0)
    with pytest.raises(TypeError, match="puzzles is of type bytes: expected several"):
        satdoku.solve_many(LINES[0].encode())


@pytest.mark.parametrize("puzzles", FORMS.values(), ids=FORMS)
def test_every_form_of_puzzles_gives_the_same(puzzles: Any) -> None:
    solved = satdoku.solve_many(puzzles)
    assert solved.status.tolist() == ["solved", "solved", "unsolvable", "solved", "solved"]
    for line, grid in zip(LINES, solved.grids.reshape(5, 16), strict=True):
        assert satdoku.violations(line, grid) == [] if grid.any() else satdoku.check(line).count == 0
    assert satdoku.check_many(puzzles, as_array=True).verdict.tolist() == VERDICTS
    assert [outcome.verdict.value for outcome in satdoku.check_many(puzzles)] == VERDICTS
    counted = satdoku.count_many(puzzles, limit=200)
    assert counted.count.tolist() == [1, 12, 0, 200, 1]
    assert counted.exact.tolist() == [True, True, True, False, True]
    assert satdoku.difficulty_many(puzzles).level.tolist() == [1, 0, 0, 0, 1]


@pytest.mark.parametrize("tensor", TENSORS.values(), ids=TENSORS)
def test_tensors_give_what_arrays_give(tensor: Any) -> None:
    for array in (ARRAY.astype(np.int8), ARRAY.astype(np.float32), ARRAY.reshape(5, 1, 4, 4)):
        given, solved = tensor(array), satdoku.solve_many(array)
        assert (satdoku.solve_many(given).grids == solved.grids).all()
        assert satdoku.check_many(given, as_array=True).verdict.ravel().tolist() == VERDICTS
        assert [outcome.verdict.value for outcome in satdoku.check_many(given)] == VERDICTS
        assert satdoku.count_many(given, limit=200).count.ravel().tolist() == [1, 12, 0, 200, 1]
        assert satdoku.difficulty_many(given).level.ravel().tolist() == [1, 0, 0, 0, 1]
        kept, answers = array[[0, 4]], tensor(solved.grids[[0, 4]].astype(array.dtype))
        assert (satdoku.canonical_many(tensor(kept)) == satdoku.canonical_many(kept)).all()
        assert satdoku.grade(tensor(kept), answers).solved.all()
        assert satdoku.grade(kept, answers, solution=answers).solved.all()
        assert satdoku.read(tensor(array[0].reshape(-1))) == satdoku.read(LINES[0])
        answer = solved.grids[0].reshape(4, 4).astype(array.dtype)
        for one in (tensor(answer), [tensor(row) for row in answer]):
            assert satdoku.violations(LINES[0], one) == []


@pytest.mark.parametrize("ask", ["check_many", "solve_many", "canonical_many", "read"])
def test_a_tensor_that_gives_no_array_is_refused_in_one_line(ask: str) -> None:
    def refuse(self: Any, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.\nUse tensor.detach().numpy() instead.")

    refusing = offering(__array__=refuse, __iter__=lambda self: iter(self.values))
    with pytest.raises(TypeError, match=r"^a \S*Tensor cannot be read as an array: Can't call numpy.* instead\.$"):
        getattr(satdoku, ask)(refusing(ARRAY))


def test_arrays_keep_their_shape_and_frames_their_rows() -> None:
    squares = ARRAY.reshape(5, 1, 4, 4)
    assert satdoku.solve_many(squares).grids.shape == squares.shape
    assert satdoku.check_many(squares, as_array=True).count.shape == (5, 1)
    kept = [0, 1, 3, 4]
    forms = satdoku.canonical_many(squares[kept])
    assert forms.shape == (4, 1, 4, 4)
    wanted = [satdoku.canonical(LINES[row]).givens for row in kept]
    assert [tuple(form.ravel().tolist()) for form in forms] == wanted
    assert satdoku.solve_many(np.zeros((0, 81), np.uint8)).grids.shape == (0, 81)


def test_counts_beyond_a_word_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert np.iinfo(np.int64).max + 1 == many.LARGE
    monkeypatch.setattr(many, "LARGE", 2_000)  # those of a 9x9 take seconds
    counted = satdoku.count_many(["." * 36, ".1.4....1....43."[:4] + "." * 32], limit=2_000)
    assert counted.count.dtype == np.dtype(object)
    assert (counted.count.tolist(), counted.exact.tolist()) == ([2_000] * 2, [False] * 2)


def test_variants_are_answered_alike() -> None:
    cage = satdoku.build(size=4, marks=[satdoku.marks.killer_cage("r1c1 r1c2", total=3)])
    found = satdoku.solve_many([cage, LINES[0]])
    assert found.status.tolist() == ["solved", "solved"]
    assert sum(found.grids[0, :2].tolist()) == 3
    again = satdoku.count_many([cage, LINES[0]])
    assert again.count.tolist() == [satdoku.count(cage).count, 1]
    assert (satdoku.canonical_many([cage, LINES[0]])[1] == satdoku.canonical(LINES[0]).givens).all()


def test_difficulties_are_those_of_one_puzzle() -> None:
    rated = satdoku.difficulty_many(ARRAY)
    assert rated[0] == satdoku.difficulty(LINES[0])
    assert (rated[1], rated.hardest[0]) == (None, "naked single")
    assert rated.verdict.tolist() == VERDICTS


def test_new_puzzles_as_arrays() -> None:
    asked: Any = {"board": satdoku.classic(2, 2), "count": 3, "seed": 5}
    givens, solutions = satdoku.generate(**asked, as_array=True)
    made = list(satdoku.generate(**asked))
    assert [tuple(row) for row in givens.tolist()] == [one.puzzle.givens for one in made]
    assert [tuple(row) for row in solutions.tolist()] == [one.solution for one in made]
    with pytest.raises(satdoku.InputError, match="arrays hold neither marks nor candidates"):
        satdoku.generate(marks="cage", as_array=True)


@pytest.mark.parametrize(
    ("puzzles", "error", "message"),
    [
        (np.full((2, 81), 10), satdoku.InputError, "puzzles: row 0, r1c1 is 10: expected 0 to 9"),
        (np.full((2, 2, 81), -1), satdoku.InputError, "puzzles: row 0, 0, r1c1 is -1"),
        (np.zeros((3, 80)), ValueError, r"puzzles has the shape \(3, 80\)"),
        (np.full((1, 81), 0.5), satdoku.InputError, "row 0, r1c1 is 0.5"),
        ([LINES[0], "12"], satdoku.InputError, "puzzles: row 1: "),
        ([LINES[0], "\ud800" * 16], satdoku.FormatError, "puzzles: row 1: "),
        (np.full((2, 81), np.inf), satdoku.InputError, "row 0, r1c1 is inf: expected 0 to 9"),
        ([[None] * 15 + [10**400]] * 2, satdoku.PuzzleError, "puzzles: row 0: row 4, column 4 is 1000"),
        (np.array([list(LINES[0]), ["q"] * 16]), satdoku.PuzzleError, "puzzles: row 1: row 1, column 1 is 'q'"),
        ([LINES[0], None], TypeError, "puzzles: row 1: "),
        ([LINES[0], "." * 81], ValueError, "row 1 has 81 cells, and row 0 has 16"),
        ([[0] * 16, [0] * 15], ValueError, "rows of different lengths, 15 and 16"),
        (pd.DataFrame({"a": LINES, "b": LINES}), satdoku.InputError, "a frame with the columns a, b: expected"),
    ],
)
def test_what_is_no_array_of_puzzles_names_its_row(puzzles: Any, error: type[Exception], message: str) -> None:
    for ask in (satdoku.solve_many, satdoku.count_many, satdoku.canonical_many, satdoku.difficulty_many):
        with pytest.raises(error, match=message):
            ask(puzzles)


@pytest.mark.parametrize(
    ("second", "error", "message"),
    [
        ("12", satdoku.FormatError, "2 cells, but a puzzle has"),
        ("size = 4\nmarks = 3\n", satdoku.FormatError, "marks"),
        ([1, 2, 3], satdoku.PuzzleError, "3 values: expected N rows"),
        ([9] * 16, satdoku.PuzzleError, "row 1, column 1 is 9"),
        ([10**400] * 16, satdoku.PuzzleError, "row 1, column 1 is 1000"),
        ("\ud800" * 16, satdoku.FormatError, ""),
        (None, TypeError, "a puzzle is a text"),
    ],
)
def test_what_is_no_puzzle_of_a_list_names_its_row(second: Any, error: type[Exception], message: str) -> None:
    for puzzles in ([LINES[0], second], pd.DataFrame({"puzzle": pd.Series([LINES[0], second], dtype=object)})):
        outcomes = satdoku.check_many(puzzles)
        assert next(outcomes).verdict.value == "unique"
        with pytest.raises(error, match=f"^puzzles: row 1: .*{message}"):
            next(outcomes)


def test_a_form_that_cannot_be_names_its_row() -> None:
    with pytest.raises(satdoku.Refused, match="puzzles: row 2: no canonical form: row 1 has 3 twice"):
        satdoku.canonical_many(ARRAY)
