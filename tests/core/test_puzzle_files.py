"""The collection in puzzles/: every file gives the verdict, the count and the shape that are stated for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.puzzles import decided_by_singles
from typer.testing import CliRunner

from satdoku import Puzzle, Verdict, check, count
from satdoku.cli import app
from satdoku.formats import Options
from satdoku.inputs.sources import items
from satdoku.variants.boxes import box_of

FOLDER = Path(__file__).parents[2] / "puzzles"

# file, box, givens, solutions of each puzzle in it; + means at least so many
TABLE = """
4x4_unique.txt     2x2  5         1
4x4_two.txt        2x2  9         2
6x6.txt            2x3  10        1
8x8.txt            2x4  21        1
9x9_easy.txt       3x3  30        1
9x9_medium.txt     3x3  28        1
9x9_hard.txt       3x3  23        1
9x9_hardest.txt    3x3  25,22,23  1,1,1
9x9_two.txt        3x3  24        2
9x9_unsolvable.txt 3x3  23        0
9x9_clash.txt      3x3  2         0
9x9_empty.txt      3x3  0         2000+
9x9_1115.txt       3x3  16        1115
9x9_10157.txt      3x3  16        10157
9x9_90478.txt      3x3  16        2000+
9x9_newspaper.txt  3x3  32        1
9x9_several.txt    3x3  30,24,23  1,2,0
10x10.txt          2x5  33        1
12x12.txt          3x4  47        1
16x16.txt          4x4  96        1
16x16_minimal.txt  4x4  93,90,98,100,92  1,1,1,1,1
25x25.txt          5x5  300       1
36x36.txt          6x6  760       1
"""


@dataclass(frozen=True)
class Row:
    file: str
    box: str
    givens: list[int]
    solutions: list[str]


ROWS = [
    Row(file, box, [int(given) for given in givens.split(",")], solutions.split(","))
    for file, box, givens, solutions in map(str.split, TABLE.strip().splitlines())
]


def puzzles(file: str) -> list[Puzzle]:
    options = Options(format="newspaper" if "newspaper" in file else None)
    found = [item.puzzle for item in items([str(FOLDER / file)], options)]
    assert all(isinstance(puzzle, Puzzle) for puzzle in found), found
    return [puzzle for puzzle in found if isinstance(puzzle, Puzzle)]


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, marks=pytest.mark.slow) if row.file == "36x36.txt" else row for row in ROWS],
    ids=lambda row: row.file,
)
def test_each_file_is_what_the_table_says(row: Row) -> None:
    found = puzzles(row.file)
    assert [str(box_of(puzzle.board)) for puzzle in found] == [row.box] * len(row.givens)
    assert [sum(map(bool, puzzle.givens)) for puzzle in found] == row.givens
    for puzzle, solutions in zip(found, row.solutions, strict=True):
        number = int(solutions.rstrip("+"))
        expected = [Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE][min(number, 2)]
        assert check(puzzle).verdict is expected
        if expected is Verdict.MULTIPLE:
            outcome = count(puzzle, limit=number, backend="native")
            assert (outcome.count, outcome.exact) == (number, not solutions.endswith("+"))


def test_the_readme_of_the_collection_lists_every_file_and_no_other() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert listed == {path.name for path in FOLDER.glob("*.txt")} == {row.file for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.file)
def test_the_readme_of_the_collection_agrees_with_the_table(row: Row) -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith(f"| `{row.file}`"))
    _, size, box, givens, solutions, _, _ = (field.strip() for field in line.strip("|").split("|"))
    cells = puzzles(row.file)[0].board.values
    assert (size, box, givens) == (f"{cells}x{cells}", row.box, ", ".join(map(str, row.givens)))
    if not row.solutions[0].endswith("+"):
        assert solutions == ", ".join(row.solutions)


def test_only_the_unsolvable_file_named_so_has_givens_that_clash() -> None:
    clashing = {row.file for row in ROWS if any(next(puzzle.clashes(), None) for puzzle in puzzles(row.file))}
    assert clashing == {"9x9_clash.txt"}


def test_singles_decide_the_easy_puzzle_and_not_the_medium_one() -> None:
    assert decided_by_singles(puzzles("9x9_easy.txt")[0])
    assert not decided_by_singles(puzzles("9x9_medium.txt")[0])


def test_the_hardest_puzzles_are_minimal() -> None:
    for puzzle in puzzles("9x9_hardest.txt"):
        for cell in (cell for cell, value in enumerate(puzzle.givens) if value):
            without = [0 if cell == other else value for other, value in enumerate(puzzle.givens)]
            assert check(Puzzle.from_givens(puzzle.board, without)).verdict is Verdict.MULTIPLE


MADE = re.findall(r"^\| (\w+\.txt) \| `(.+)` \|$", (FOLDER / "README.md").read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize(
    ("file", "options"),
    [
        pytest.param(file, options, marks=[pytest.mark.slow] * (file in ("25x25.txt", "36x36.txt")), id=file)
        for file, options in MADE
    ],
)
def test_a_file_is_what_generate_makes(file: str, options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    result = CliRunner().invoke(app, ["generate", *options.split()], prog_name="satdoku")
    assert result.stdout == (FOLDER / file).read_text(encoding="utf-8")
