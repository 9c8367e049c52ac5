"""Answers are taken for the grid that they state, and graded: one by one, and in arrays alike."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import satdoku

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [SOLUTION[start : start + 9] for start in range(0, 81, 9)]
BLANK_ROWS = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
LISTS = [list(map(int, row)) for row in ROWS]
COLUMNS = [(number + 1, [row[number] for row in ROWS]) for number in range(9)]
BANDS = [" | ".join(" ".join(row[column : column + 3]) for column in (0, 3, 6)) for row in ROWS]
BARS = "\n".join([*BANDS[:3], "------+-------+------", *BANDS[3:6], "------+-------+------", *BANDS[6:]])

TEXTS = {
    "line": SOLUTION,
    "in a sentence": f"So the grid is {SOLUTION}.",
    "after a colon": f"Answer: {' '.join(ROWS)}",
    "fence": "Sure!\n```\n" + "\n".join(ROWS) + "\n```\nDone.",
    "bars": "Puzzle:\n" + "\n".join(BLANK_ROWS) + "\n\nAnswer:\n" + BARS,
    "puzzle above": "\n".join(BLANK_ROWS) + "\n\n" + "\n".join(ROWS),
    "labels": "\n".join(f"Row {number}: {' '.join(row)}" for number, row in enumerate(ROWS, 1)),
    "markdown": "|1|2|3|4|5|6|7|8|9|\n" + "|---" * 9 + "|\n" + "\n".join(f"| {' | '.join(row)} |" for row in ROWS),
    "bold": "\n".join(" ".join(f"**{value}**" for value in row) for row in ROWS),
    "latex": " \\\\\n".join(" & ".join(row) for row in ROWS),
    "json": json.dumps({"solution": LISTS}),
    "indented json": "see [1]\n" + json.dumps(LISTS, indent=2) + "\n[end]",
    "rows as json": json.dumps(ROWS, indent=1),
    "code": "grid = [\n" + ",\n".join(str(row) for row in LISTS) + "\n]\nprint(grid)",
    "thought": f"<think>First {PUZZLE}, or {'1' * 81}</think>{SOLUTION}",
    "puzzle beside": f"{PUZZLE} {SOLUTION}",
    "html": "<table class='x'>\n"
    + "\n".join(f"<tr>{''.join(f'<td>{value}</td>' for value in row)}</tr>" for row in ROWS)
    + "\n</table>",
    "numbers": "\n".join(f"{number}. {' '.join(row)}" for number, row in enumerate(ROWS, 1)),
    "letters": f"  {' '.join('123456789')}\n" + "\n".join(f"{'ABCDEFGHI'[n]} {row}" for n, row in enumerate(ROWS)),
    "numbers before bars": "\n".join(f"{number} | {band}" for number, band in enumerate(BANDS, 1)),
    "bullets": "\n".join(f"- {' '.join(row)}" for row in ROWS),
    "quote": "> " + "\n> ".join(ROWS),
    "bold labels": "\n".join(f"* **Row {number}:** {row}" for number, row in enumerate(ROWS, 1)),
    "yaml": "solution:\n" + "\n".join(f"  - {row}" for row in LISTS),
    "keys": json.dumps({f"row{number}": row for number, row in enumerate(LISTS, 1)}),
    "keys on lines": json.dumps({f"r{number}": row for number, row in enumerate(ROWS, 1)}, indent=1),
    "columns below": "\n".join(ROWS)
    + "\nBy columns:\n"
    + "\n".join(f"- **Column {n}**: {' '.join(c)}" for n, c in COLUMNS),
    "boxes below": "\n".join(ROWS)
    + "\n"
    + "\n".join(f"Box {number}: {row}" for number, row in enumerate(ROWS[::-1], 1)),
    "tag": f"<answer>{SOLUTION}</answer>\nThe puzzle was\n" + "\n".join(BLANK_ROWS),
}


@pytest.fixture(scope="module")
def puzzle() -> satdoku.Puzzle:
    return satdoku.read(PUZZLE)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_models_write_is_read(puzzle: satdoku.Puzzle, text: str) -> None:
    assert satdoku.grade(puzzle, text).grid == tuple(map(int, SOLUTION))


@pytest.mark.parametrize("sign", "-*x_")
@pytest.mark.parametrize("prefix", ["", "- ", "1. ", "> "])
def test_signs_of_empty_cells_are_no_bullets(puzzle: satdoku.Puzzle, sign: str, prefix: str) -> None:
    for between in ("", " "):
        rows = (prefix + between.join(row.replace(".", sign)) for row in BLANK_ROWS)
        assert satdoku.grade(puzzle, "\n".join(rows)).grid == puzzle.givens


@pytest.mark.parametrize("text", [None, "", "I give up.", "\n".join(ROWS[:8]), "[[[" * 5000, SOLUTION[:-1], "1" * 5000])
def test_a_text_without_a_grid_is_a_grade(puzzle: satdoku.Puzzle, text: str | None) -> None:
    grade = satdoku.grade(puzzle, text)
    assert (grade.parsed, grade.solved, grade.score, grade.filled) == (False, False, 0.0, 0)
    assert grade.taken


def test_it_says_what_it_took(puzzle: satdoku.Puzzle) -> None:
    assert satdoku.grade(puzzle, TEXTS["bars"]).taken == "9 rows on lines 13 to 23, the last of 2 grids"
    assert satdoku.grade(puzzle, TEXTS["tag"]).taken == "81 cells on line 1 in <answer>"
    short = satdoku.grade(puzzle, "\n".join(ROWS[:8])).taken
    assert short == "at most 8 rows of 9 cells one after the other, expected 9 rows of 9 cells"


def test_givens_earn_nothing(puzzle: satdoku.Puzzle) -> None:
    copied = satdoku.grade(puzzle, PUZZLE, completable=True)
    assert (copied.score, copied.filled, copied.kept, copied.completable) == (0.0, 0, 30, True)
    one = satdoku.grade(puzzle, PUZZLE[:2] + "42" + PUZZLE[4:], completable=True)
    assert (one.right, one.wrong, one.wrong_cells, one.score) == (1, 1, (3,), 1 / 51)
    assert one.completable is False and one.violations == ()
    changed = satdoku.grade(puzzle, "9" + SOLUTION[1:])
    assert (changed.solved, changed.kept, changed.right, changed.score) == (False, 29, 51, 50 / 51)


def test_houses_and_marks_come_with_their_cells() -> None:
    caged = satdoku.build(size=4, givens="1" + "." * 15, marks=[satdoku.marks.killer_cage(["r1c1", "r1c2"], total=3)])
    grade = satdoku.grade(caged, "13.. .... 1... ....")
    assert [(one.name, one.cells) for one in grade.violations] == [("column 1", (0, 8)), ("cage 3 at r1c1", (0, 1))]


def test_any_solution_counts() -> None:
    several = satdoku.read("13....3131...213")
    solutions = satdoku.solve(several, limit=None).grids
    assert all(satdoku.grade(several, list(grid)).solved for grid in solutions)
    other = [value if cell in (2, 3) else 0 for cell, value in enumerate(solutions[0])]
    assert satdoku.grade(several, other).right is None
    assert satdoku.grade(several, other, compare="all").right == 2


def test_arrays_say_what_single_grades_say(puzzle: satdoku.Puzzle) -> None:
    solution = np.array(list(map(int, SOLUTION)))
    answers = np.tile(solution, (6, 1))
    answers[1, 2] = 5
    answers[2] = puzzle.givens
    answers[3, 0] = 9
    answers[4, 80] = 0
    answers[5, 2:6] = (4, 0, 0, 7)
    grades = satdoku.grade(puzzle, answers.reshape(2, 3, 9, 9), completable=True)
    assert isinstance(grades, satdoku.Grades) and grades.solved.shape == (2, 3)
    assert grades.broken.shape == (2, 3, 27)
    for number, answer in enumerate(answers):
        one = satdoku.grade(puzzle, answer.tolist(), completable=True)
        for name, column in grades.columns().items():
            value = getattr(one, name)
            assert column[number] == (len(value) if name == "violations" else value), (name, number)
        assert grades[number // 3, number % 3].violations == one.violations
        names = {house for house, bad in zip(grades.houses, grades.broken[number // 3, number % 3], strict=True) if bad}
        assert names == {violation.name for violation in one.violations}
    texts = satdoku.grade([PUZZLE] * 2, [SOLUTION, "none"], solution=[SOLUTION, SOLUTION])
    assert texts.solved.tolist() == [True, False] and texts.parsed.tolist() == [True, False]


def test_many_answers_to_a_variant() -> None:
    caged = satdoku.build(size=4, marks=[satdoku.marks.killer_cage(["r1c1", "r1c2"], total=3)])
    grids = satdoku.solve(caged, limit=3).grids
    grades = satdoku.grade(caged, [list(grids[0]), "1234 3412 2143 4321", "2." + "." * 14])
    assert isinstance(grades, satdoku.Grades)
    assert grades.solved.tolist() == [True, True, False]


def test_wrong_arrays_name_row_and_value(puzzle: satdoku.Puzzle) -> None:
    answers = np.zeros((3, 81), int)
    answers[2, 40] = 12
    with pytest.raises(satdoku.InputError, match="answers: row 2, r5c5 is 12: expected 0 to 9"):
        satdoku.grade(puzzle, answers)
    with pytest.raises(ValueError, match=r"answers has the shape \(3, 80\): expected"):
        satdoku.grade(puzzle, answers[:, :80])
    with pytest.raises(ValueError, match="fit together"):
        satdoku.grade(np.zeros((2, 81), int), np.zeros((3, 81), int))
    with pytest.raises(satdoku.InputError, match="the solution to compare with is not one"):
        satdoku.grade(puzzle, PUZZLE, solution=SOLUTION[::-1])
    with pytest.raises(satdoku.InputError, match="row 1 is not a solution"):
        satdoku.grade([PUZZLE] * 2, [PUZZLE] * 2, solution=[SOLUTION, SOLUTION[::-1]])


def test_violations_take_texts_and_arrays(puzzle: satdoku.Puzzle) -> None:
    for grid in (SOLUTION, ROWS, LISTS, np.array(LISTS)):
        assert satdoku.violations(puzzle, grid) == []
    assert satdoku.violations(puzzle, SOLUTION[:-1] + "1") == [
        "r9c9 is 1, which the puzzle does not allow there",
        "row 9 has 1 twice: r9c7 and r9c9",
        "column 9 has 1 twice: r5c9 and r9c9",
        "box 9 has 1 twice: r9c7 and r9c9",
    ]
    with pytest.raises(satdoku.InputError, match="80 values, expected 81"):
        satdoku.violations(puzzle, [1] * 80)


@pytest.mark.parametrize("protocol", ["__array__", "__dlpack__"])
def test_tensors_are_taken_by_their_protocol(puzzle: satdoku.Puzzle, protocol: str) -> None:
    values = np.array([list(map(int, SOLUTION)), [0] * 81])
    members: dict[str, Any] = {"__array__": lambda self, dtype=None, copy=None: values}
    if protocol == "__dlpack__":
        members = {
            "__dlpack__": lambda self, **options: values.__dlpack__(**options),
            "__dlpack_device__": lambda self: values.__dlpack_device__(),
        }
    grades = satdoku.grade(puzzle, type("Tensor", (), members)())
    assert grades.solved.tolist() == [True, False]
