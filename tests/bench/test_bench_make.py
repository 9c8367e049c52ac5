"""`bench make`: balanced holes, grids that are grids, mixing, and a seed that gives the same file anywhere."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from support.cli import complaints, run

from satdoku import Puzzle, Verdict, check, classic
from satdoku.bench import grids, instances
from satdoku.bench.draws import Draws
from satdoku.referee import violations
from satdoku.variants.boxes import Box

BOXES = [Box(2, 2), Box(2, 3), Box(3, 3), Box(3, 4), Box(4, 4), Box(5, 5)]


def flat(grid: grids.Rows) -> tuple[int, ...]:
    return tuple(value for row in grid for value in row)


def is_grid(grid: grids.Rows, box: Box) -> bool:
    puzzle = Puzzle.from_givens(classic(box.rows, box.columns), {})
    return not list(violations(puzzle, flat(grid)))


@pytest.mark.parametrize("box", BOXES, ids=str)
class TestGrids:
    def test_the_pattern_is_a_grid(self, box: Box) -> None:
        assert is_grid(grids.pattern(box), box)

    def test_every_trade_leaves_a_grid_and_most_change_it(self, box: Box) -> None:
        grid, draws, changed = grids.pattern(box), Draws("trades", box), 0
        for _ in range(100):
            before = flat(grid)
            grids.trade(grid, box, draws)
            assert is_grid(grid, box)
            changed += flat(grid) != before
        assert changed == 100

    def test_a_chain_is_whole_and_exchanging_it_twice_undoes_it(self, box: Box) -> None:
        grid = grids.mixed(box, Draws(1)) if box.size < 20 else grids.pattern(box)
        before = flat(grid)
        cells = grids.chain(grid, box, (0, 0), grid[1][1] if grid[1][1] != grid[0][0] else grid[0][1])
        for _ in range(2):
            grids.exchange(grid, cells)
            assert is_grid(grid, box)
        assert flat(grid) == before


class TestMixing:
    def test_all_grids_of_4x4_come_equally_often(self) -> None:
        """Chi-square over the 288 grids; its 0.1% points at 287 degrees of freedom are about 217 and 367."""
        box, draws = Box(2, 2), Draws("uniform")
        grid, counts = grids.pattern(box), Counter[tuple[int, ...]]()
        for _ in range(5760):
            for _ in range(8):
                grids.trade(grid, box, draws)
            counts[flat(grid)] += 1
        assert len(counts) == 288
        assert 217 < sum((count - 20) ** 2 / 20 for count in counts.values()) < 367

    def test_trades_of_rows_alone_leave_some_grids_out_of_reach(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """So that the test above could fail."""
        monkeypatch.setattr(grids, "exchange", lambda grid, cells: None)
        monkeypatch.setattr(grids, "_trade_columns", lambda grid, first, second, row: None)
        box, draws = Box(2, 2), Draws("uniform")
        grid, seen = grids.pattern(box), set()
        for _ in range(5000):
            grids.trade(grid, box, draws)
            seen.add(flat(grid))
        assert len(seen) < 288

    def test_no_trace_of_the_pattern_is_left(self) -> None:
        """Rows of the pattern are shifts of one another, and share their mini-rows; those of mixed grids are not."""
        box = Box(4, 4)
        shared = [_overlap(grids.mixed(box, Draws("mix", seed)), box) for seed in range(6)]
        assert _overlap(grids.pattern(box), box) == 4.0
        # Two random sets of 4 among 16 share 1 on average, 1.6 to 2 in squares: bound by what 40 sweeps give.
        assert all(1.6 < each < 2.0 for each in shared)

    def test_a_longer_walk_changes_no_statistic(self, monkeypatch: pytest.MonkeyPatch) -> None:
        box = Box(3, 3)
        usual = [_overlap(grids.mixed(box, Draws("usual", seed)), box) for seed in range(40)]
        monkeypatch.setattr(grids, "SWEEPS", 4 * grids.SWEEPS)
        longer = [_overlap(grids.mixed(box, Draws("longer", seed)), box) for seed in range(40)]
        assert abs(sum(usual) - sum(longer)) / 40 < 0.12  # standard error of a mean 0.02

    @pytest.mark.slow
    def test_all_kinds_of_6x6_come_as_often_as_they_should(self) -> None:
        """The 28,200,960 grids fall into 49 classes under symmetry (Jarvis and Russell, 2006).

        A class is as likely as it is large. Chi-square with 48 degrees of freedom: 0.1% point 84.
        """
        sampled, automorphisms = _classes(6_000)
        weights = {name: 1 / count for name, count in automorphisms.items()}
        assert len(sampled) == 49
        assert round(3456 * 720 * sum(weights.values())) == 28_200_960
        scale = 6_000 / sum(weights.values())
        assert sum((sampled[name] - scale * w) ** 2 / (scale * w) for name, w in weights.items()) < 84


def _overlap(grid: grids.Rows, box: Box) -> float:
    """Mean square of the number of values that mini-rows in two boxes of a band share."""
    squares = []
    for band in range(0, box.size, box.rows):
        parts = [
            [set(grid[row][left : left + box.columns]) for row in range(band, band + box.rows)]
            for left in range(0, box.size, box.columns)
        ]
        squares += [len(one & other) ** 2 for a, b in combinations(parts, 2) for one in a for other in b]
    return sum(squares) / len(squares)


def _classes(samples: int) -> tuple[Counter[tuple[int, ...]], dict[tuple[int, ...], int]]:
    """How often each class of 6x6 grids came, and how many symmetries each has, by its least form."""
    from itertools import permutations, product

    import numpy as np

    def lines(groups: int, width: int) -> list[list[int]]:
        inner = list(permutations(range(width)))
        return [
            [group * width + line for group, part in zip(order, parts, strict=True) for line in part]
            for order in permutations(range(groups))
            for parts in product(inner, repeat=groups)
        ]

    moves = np.array(
        [[6 * row + column for row in rows for column in columns] for rows in lines(3, 2) for columns in lines(2, 3)]
    )
    base = 7 ** np.arange(17, -1, -1)
    box, draws, found, automorphisms = Box(2, 3), Draws("six"), Counter[tuple[int, ...]](), {}
    grid = grids.pattern(box)
    each = np.arange(len(moves))[:, None]
    for _ in range(samples):
        for _ in range(360):
            grids.trade(grid, box, draws)
        moved = np.array(flat(grid))[moves]
        names = np.zeros((len(moves), 7), dtype=np.int64)
        names[each, moved[:, :6]] = np.arange(1, 7)
        renamed = names[each, moved]
        keys = np.stack([renamed[:, :18] @ base, renamed[:, 18:] @ base], axis=1)
        least = min(map(tuple, keys.tolist()))
        found[least] += 1
        automorphisms[least] = int((keys == least).all(axis=1).sum())
    return found, automorphisms


@pytest.mark.parametrize("box", BOXES[:5], ids=str)
@pytest.mark.parametrize("share", [0.3, 0.5])
class TestHoles:
    def test_balanced_holes_are_as_many_in_every_house(self, box: Box, share: float) -> None:
        holes = int(share * box.size)
        board = classic(box.rows, box.columns)
        puzzle = Puzzle.from_givens(board, instances.instance(box, holes, True, Draws(box, holes)))
        assert {sum(puzzle.givens[cell] == 0 for cell in house.cells) for house in board.houses} == {holes}
        assert check(puzzle, timeout=20).verdict in (Verdict.UNIQUE, Verdict.MULTIPLE)

    def test_holes_anywhere_are_as_many_as_asked(self, box: Box, share: float) -> None:
        holes = int(share * box.size**2)
        board = classic(box.rows, box.columns)
        puzzle = Puzzle.from_givens(board, instances.instance(box, holes, False, Draws(box, holes)))
        assert puzzle.givens.count(0) == holes
        assert check(puzzle, timeout=20).verdict in (Verdict.UNIQUE, Verdict.MULTIPLE)


class TestCommand:
    def test_the_file_is_pinned(self) -> None:
        """A seed means the same file in every process, on every platform, in every release."""
        text = run(
            "bench", "make", "--size", "4,9,12", "--holes", "0.4:0.6:0.1", "--balanced", "--seed", "7", "-n", "2"
        ).stdout
        assert hashlib.sha256(text.encode()).hexdigest()[:16] == PINNED
        recipe = "Recipe((4, 9, 12), shares('0.4:0.6:0.1'), True, 2, 7)"
        recipe = "Recipe((4, 9, 12), shares('0.4:0.6:0.1'), True, 2, 7)"
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
            ("9", "0.5", ["-o", "."], "Is a directory"),
        ],
    )
    def test_what_cannot_be_made_is_said(self, size: str, holes: str, more: list[str], word: str) -> None:
        result = run("bench", "make", "--size", size, "--holes", holes, *more)
        assert (result.exit_code, result.stdout) == (2, "")
        (said,) = complaints(result)
        assert word in said


PINNED = "e8deb84e853b15bb"


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
