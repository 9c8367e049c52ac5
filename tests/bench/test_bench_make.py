"""`bench make`: balanced holes, and a seed that gives the same file anywhere."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from decimal import Decimal
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from support.cli import complaints, run

from satdoku import Puzzle, Verdict, check, classic
from satdoku.bench import instances
from satdoku.generator.grids import GridSource, grids
from satdoku.variants.boxes import Box
from satdoku.verdict import Session

BOXES = [Box(2, 2), Box(2, 3), Box(3, 3), Box(3, 4), Box(4, 4)]


@cache
def source(box: Box) -> GridSource:
    return grids(classic(box.rows, box.columns), Session())


@pytest.mark.parametrize("box", BOXES, ids=str)
@pytest.mark.parametrize("share", [0.3, 0.5])
class TestHoles:
    def test_balanced_holes_are_as_many_in_every_house(self, box: Box, share: float) -> None:
        holes = int(share * box.size)
        board = classic(box.rows, box.columns)
        puzzle = Puzzle.from_givens(board, instances.instance(source(box), holes, True, str(box)))
        assert {sum(puzzle.givens[cell] == 0 for cell in house.cells) for house in board.houses} == {holes}
        assert check(puzzle, timeout=20).verdict in (Verdict.UNIQUE, Verdict.MULTIPLE)

    def test_holes_anywhere_are_as_many_as_asked(self, box: Box, share: float) -> None:
        holes = int(share * box.size**2)
        board = classic(box.rows, box.columns)
        puzzle = Puzzle.from_givens(board, instances.instance(source(box), holes, False, str(box)))
        assert puzzle.givens.count(0) == holes
        assert check(puzzle, timeout=20).verdict in (Verdict.UNIQUE, Verdict.MULTIPLE)


class TestCommand:
    def test_the_file_is_pinned(self) -> None:
        """A seed means the same file in every process, on every platform, in every release."""
        text = run(
            "bench", "make", "--size", "4,9,12", "--holes", "0.4:0.6:0.1", "--balanced", "--seed", "7", "-n", "2"
        ).stdout
        assert hashlib.sha256(text.encode()).hexdigest()[:16] == PINNED
        recipe = "Instances(sizes=(4, 9, 12), holes=shares('0.4:0.6:0.1'), balanced=True, count=2, seed=7)"
        script = f"from satdoku.bench.instances import *; print(*lines({recipe}), sep=chr(10))"
        environment = os.environ | {"PYTHONHASHSEED": "3"}
        assert subprocess.check_output([sys.executable, "-c", script], env=environment, text=True) == text

    def test_it_holds_what_was_asked_for_and_says_how_it_was_made(self, tmp_path: Path) -> None:
        out = tmp_path / "made.txt"
        result = run("bench", "make", "--size", "9,16", "--holes", "0.5,0.6", "--balanced", "-n", "3", "-o", str(out))
        assert (result.exit_code, result.stdout) == (0, "")
        lines = out.read_text().splitlines()
        assert lines[0] == "# satdoku bench make --size 9,16 --holes 0.5,0.6 --balanced --count 3 --seed 0"
        assert "# 16x16 with 4x4 boxes, 10 holes in every row, column and box (0.6)" in lines
        assert "# 9x9 with 3x3 boxes, 5 holes in every row, column and box (0.5, 0.6)" in lines
        puzzles = [line for line in lines if not line.startswith("#")]
        assert len(puzzles) == len(set(puzzles)) == 9
        checked = run("check", str(out))
        assert len(checked.stdout.splitlines()) == 9
        assert "unsolvable" not in checked.stdout

    def test_other_seeds_give_other_instances_and_more_of_them_begin_alike(self) -> None:
        def made(*arguments: str) -> list[str]:
            text = run("bench", "make", "--size", "9", "--holes", "0.5", *arguments).stdout
            return [line for line in text.splitlines() if not line.startswith("#")]

        first = made("-n", "2")
        assert made("-n", "4")[:2] == first
        assert not set(made("-n", "2", "--seed", "1")) & set(first)
        assert not set(made("-n", "2", "--balanced")) & set(first)

    @pytest.mark.parametrize(
        ("size", "holes", "more", "word"),
        [
            ("17", "0.5", [], "--size 17"),
            ("100", "0.5", [], "--size 100"),
            ("nine", "0.5", [], "--size nine"),
            ("9,", "0.5", [], "--size 9,"),
            ("9", "1.5", [], "--holes 1.5"),
            ("9", "0", [], "--holes 0"),
            ("9", "0.5:0.4:0.1", [], "--holes 0.5:0.4:0.1"),
            ("9", "0.4:0.5", [], "--holes 0.4:0.5"),
            ("9", "0.4:0.5:0", [], "--holes 0.4:0.5:0"),
            ("9", "nan", [], "--holes nan"),
            ("9", "half", [], "--holes half"),
            ("9", "0.5", ["-n", "0"], "--count 0"),
            ("9", "0.5", ["-o", "."], "--output .: a directory, expected the name"),
        ],
    )
    def test_what_cannot_be_made_is_reported(self, size: str, holes: str, more: list[str], word: str) -> None:
        result = run("bench", "make", "--size", size, "--holes", holes, *more)
        assert (result.exit_code, result.stdout) == (2, "")
        (message,) = complaints(result)
        assert word in message


PINNED = "f71eb8dcc022e8c4"


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("0.5", ["0.5"]),
        ("0.45:0.65:0.05", ["0.45", "0.50", "0.55", "0.60", "0.65"]),
        ("0.1:0.3:0.1", ["0.1", "0.2", "0.3"]),
        ("0.4:0.5:0.2", ["0.4"]),
        ("0.6,0.4:0.5:0.1", ["0.6", "0.4", "0.5"]),
    ],
)
def test_ranges_of_shares_are_exact(text: str, shares: list[str]) -> None:
    assert instances.shares(text) == tuple(map(Decimal, shares))
    assert all(first != second for first, second in pairwise(instances.shares(text)))
