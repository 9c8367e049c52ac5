"""What `difficulty` finds out on request, and `check --difficulty`."""

from __future__ import annotations

from itertools import combinations

import pytest
from support.cli import EMPTY_NINE, NINE, UNIQUE, complaints, records, run
from support.puzzles import EASY, ROOT

import satdoku
from satdoku.bench.shuffle import Draws, isomorphs
from satdoku.constraints import Grid
from satdoku.setter import Level
from satdoku.setter.backdoor import backdoor
from satdoku.setter.difficulty import bottlenecks, scored
from satdoku.techniques.ladder import grid_of, ordered, steps

TWO_CELLS = str(ROOT / "puzzles" / "variants" / "anti-king.toml")
LOCKED = "3.....5...9.5.....2...14.97.6.7.1..8.........5...8...2..72...13.1.4.3.8......5..."


def by_singles(puzzle: satdoku.Puzzle, solution: Grid, cells: tuple[int, ...]) -> bool:
    """Whether singles fill the puzzle with these cells given too."""
    givens = {cell: value for cell, value in enumerate(puzzle.givens) if value}
    grid = grid_of(
        satdoku.Puzzle.from_givens(puzzle.board, givens | {cell: solution[cell] for cell in cells}), unique=True
    )
    for step in steps(grid, ordered(hardest=Level.SINGLES)):
        step.apply(grid)
    return not grid.open


class TestBackdoor:
    @pytest.mark.parametrize(("text", "size"), [(LOCKED, 1), (TWO_CELLS, 2)])
    def test_it_is_a_smallest_set_by_all_smaller_ones(self, text: str, size: int) -> None:
        puzzle = satdoku.load(text) if text is TWO_CELLS else satdoku.read(text)
        solution = satdoku.check(puzzle).grid
        assert solution is not None
        found = backdoor(puzzle, solution)
        assert found.cells is not None
        assert found.least == len(found.cells) == size
        assert str(found) == str(size)
        assert by_singles(puzzle, solution, found.cells)
        assert not any(by_singles(puzzle, solution, cells) for cells in combinations(range(81), size - 1))

    def test_singles_alone_need_no_cell(self) -> None:
        found = backdoor(satdoku.read(EASY), satdoku.check(EASY).grid or ())
        assert (found.cells, found.least) == ((), 0)

    def test_the_timeout_leaves_what_is_known_by_then(self) -> None:
        found = backdoor(satdoku.read(LOCKED), satdoku.check(LOCKED).grid or (), timeout=1e-9)
        assert found.cells is None
        assert str(found) == "at least 0"


class TestBottlenecks:
    def test_they_are_positions_with_one_effect(self) -> None:
        puzzle, expected, order = satdoku.read(LOCKED), 0, ordered()
        grid = grid_of(puzzle, unique=True)
        for step in steps(grid, order):
            technique = next(one for one in order if one.name == step.technique)
            group = order[:2] if technique.level is Level.SINGLES else (technique,)
            effects = {(one.placements, one.eliminations) for each in group for one in each.steps(grid)}
            expected += len(effects) == 1
        assert bottlenecks(puzzle) == expected > 1

    def test_none_after_the_timeout(self) -> None:
        assert bottlenecks(satdoku.read(NINE), timeout=1e-9) is None


class TestCommand:
    def test_every_column_is_in_the_record(self) -> None:
        asked = ("--isomorphs", "4", "--bottlenecks", "--backtracks", "cadical195", "--backdoor")
        (record,) = records(run("difficulty", LOCKED, *asked, "--json"))
        solution = satdoku.check(LOCKED).grid or ()
        assert record["backdoor"] == record["backdoor_least"] == len(record["backdoor_cells"]) == 1
        assert record["bottlenecks"] == bottlenecks(satdoku.read(LOCKED))
        assert record["backtracks"] > 0
        rated = [scored(one) for one in isomorphs(satdoku.read(LOCKED), Draws(1, LOCKED), 4)]
        assert record["isomorphs"] == 4
        assert record["mean_score"] == sum(one.score or 0 for one in rated) / 4
        assert record["mean_count"] == sum(sum(one.steps.values()) for one in rated) / 4
        assert record["mean_level"] == 2
        assert by_singles(
            satdoku.read(LOCKED), solution, tuple(cell for cell in range(81) if label(cell) in record["backdoor_cells"])
        )

    def test_the_seed_of_isomorphs_makes_the_same_again(self) -> None:
        means = [
            records(run("difficulty", LOCKED, "--isomorphs", "3", "--seed", seed, "--json"))[0]["mean_score"]
            for seed in ("1", "1", "2")
        ]
        assert means[0] == means[1] != means[2]

    def test_as_text_they_stand_behind_the_difficulty(self) -> None:
        text = run("difficulty", EASY, "--backdoor", "--backtracks", "native", "--bottlenecks").stdout
        assert "; bottlenecks 1; backtracks " in text
        assert text.endswith("; backdoor of no cell\n")

    def test_columns_are_those_that_were_requested(self) -> None:
        header = run("difficulty", UNIQUE, "--backdoor", "--csv").stdout.splitlines()[0]
        assert header.endswith(",ending,backdoor,backdoor_cells,backdoor_least,error")

    def test_what_the_time_leaves_open_is_undecided(self) -> None:
        result = run("difficulty", str(ROOT / "puzzles" / "9x9_hard.txt"), "--backdoor", "--timeout", "0.01", "--json")
        (record,) = records(result)
        assert result.exit_code == 3
        assert record.get("backdoor") is None

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--isomorphs", "0"], "--isomorphs 0: expected 1 to 10000"),
            (["--seed", "-1"], "--seed -1: expected 0 or more"),
            (["--backtracks", "nativ"], "unknown backend 'nativ': did you mean native"),
            (["--backtracks", "kissat404"], "counts neither conflicts nor nodes"),
        ],
    )
    def test_what_cannot_be_is_refused(self, arguments: list[str], complaint: str) -> None:
        result = run("difficulty", UNIQUE, *arguments)
        assert result.exit_code == 2
        assert complaint in complaints(result)[0]


def label(cell: int) -> str:
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


class TestCheck:
    def test_it_has_the_columns_of_difficulty(self) -> None:
        puzzles = (NINE, LOCKED, EMPTY_NINE)
        for check, rated in zip(
            both("check", "--difficulty", puzzles), both("difficulty", "--bottlenecks", puzzles), strict=True
        ):
            ours = {name: value for name, value in check.items() if name not in ("backend", "solution")}
            assert ours == {name: value for name, value in rated.items() if name != "bottlenecks"}
            assert ("level" in ours) == (ours["verdict"] == "unique")

    def test_one_puzzle_has_it_in_words(self) -> None:
        result = run("check", "--difficulty", LOCKED)
        assert "difficulty 2 (locked): " in result.stderr
        assert "; score " in result.stderr

    def test_tables_have_a_column_each(self) -> None:
        header, row = run("check", "--difficulty", "--csv", LOCKED).stdout.splitlines()
        assert header.endswith(",solution,level,name,hardest,count,score,er,ep,ed,er_least,steps,open,ending,error")
        assert ",2,locked,locked candidates (pointing)," in row


def both(command: str, option: str, puzzles: tuple[str, ...]) -> list[dict[str, object]]:
    return records(run(command, option, "--json", "-j", "1", "-", input="".join(f"{one}\n" for one in puzzles)))
