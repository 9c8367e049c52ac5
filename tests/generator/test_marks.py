"""Puzzles whose marks are drawn at random: each kind by its oracle, uniqueness by another engine, marks taken away."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support.cli import complaints, records, run
from support.oracles import ORACLES
from support.puzzles import ROOT
from support.turned import turned

import satdoku
from satdoku.commands.generate import _span
from satdoku.errors import InputError, NotMade, Refused
from satdoku.generator import invent
from satdoku.generator.drawing import MarkedSquare
from satdoku.generator.invent import MarksRecipe, distinct
from satdoku.generator.layouts import chosen_kinds, marks_for, without_recipe
from satdoku.generator.makers import MAKERS, RULES
from satdoku.generator.work import UNFINISHED
from satdoku.limits import TimeIsUp
from satdoku.puzzle import Mark
from satdoku.symmetries import marked_digest
from satdoku.system.clock import Deadline
from satdoku.variants import build, kinds
from satdoku.variants.boxes import Box

SIX = satdoku.classic(2, 3)
GRID = next(satdoku.generate(SIX, seed=5)).solution
RECIPE = MarksRecipe(("cage",), box=Box(2, 3), seed=3)
DRAWN = sorted(set(kinds()) - set(without_recipe()) - set(RULES))


@pytest.mark.parametrize("kind", DRAWN)
def test_the_marks_of_each_recipe_are_obeyed_by_the_grid_they_are_drawn_for(kind: str) -> None:
    at = dict(zip(RECIPE.drawing.positions, GRID, strict=True))
    marks = marks_for([kind], RECIPE.drawing, Random(kind), at)
    assert not isinstance(marks, str), marks
    drawing = replace(RECIPE.drawing, marks=(*RECIPE.drawing.marks, *marks))
    assert all(mark.kind == kind and ORACLES[kind](drawing, mark, at) for mark in marks)
    assert len(set(marks)) == len(marks)


def test_lines_of_sums_in_regions_cross_from_one_to_another() -> None:
    at = dict(zip(RECIPE.drawing.positions, GRID, strict=True))
    for seed in range(20):
        for mark in marks_for(["region-sum"], RECIPE.drawing, Random(seed), at):
            assert isinstance(mark, Mark)
            assert len({tuple(RECIPE.drawing.region(cell)) for cell in mark.lines[0]}) > 1


def test_an_arrow_stands_wherever_the_rule_of_no_arrow_is_broken() -> None:
    at, rule = dict(zip(RECIPE.drawing.positions, GRID, strict=True)), Mark("negative-rossini")
    marks = marks_for(["rossini", rule.kind], RECIPE.drawing, Random(1), at, [rule])
    assert not isinstance(marks, str), marks
    drawing = replace(RECIPE.drawing, marks=(*RECIPE.drawing.marks, *marks))
    assert all(ORACLES[mark.kind](drawing, mark, at) for mark in marks)
    assert {str(mark.value) for mark in marks if mark.kind == "rossini"} == set("LRUD")


def test_cells_that_hold_every_digit_are_counted_as_they_are() -> None:
    drawing = MarkedSquare(3)
    at = {(row, column): (row + column) % 3 + 1 for row, column in drawing.positions}
    for seed in range(100):
        mark = MAKERS["look-and-say"](Random(seed), drawing, at)
        assert ORACLES[mark.kind](drawing, mark, at), mark
        build(3, (mark,))


def test_each_kind_has_a_maker_or_is_named() -> None:
    assert set(kinds()) - set(MAKERS) <= set(without_recipe())
    assert set(without_recipe()) - {"boxes", "region"} == set(kinds()) - set(MAKERS)
    page = (ROOT / "docs" / "generating.md").read_text()
    count, paragraph = re.findall(r"(\d+) kinds have a recipe\. (.*?) In Python", page, re.DOTALL)[0]
    assert int(count) == len(kinds()) - len(without_recipe())
    assert sorted(re.findall("`(.*?)`", paragraph)) == without_recipe()


def test_a_rule_that_no_grid_obeys_names_the_marks_that_it_lacks() -> None:
    assert complaints(run("generate", "--marks", "negative-row-indexer", "--box", "2x2")) == [
        "marks: no grid satisfies the rules of the board; name negative-row-indexer with row-indexer"
    ]


@pytest.mark.parametrize(
    "names", ["cage", "thermometer,difference", "anti-king,even", "arrow", "xv,negative-xv", "rossini,negative-rossini"]
)
def test_puzzles_are_unique_differ_and_need_a_mark(names: str) -> None:
    made = list(satdoku.generate(SIX, marks=names, count=3, seed=1))
    assert len({marked_digest(one.puzzle) for one in made}) == 3
    for one in made:
        found = satdoku.check(one.puzzle, backend="backtrack")
        assert (found.verdict.value, found.grid) == ("unique", one.solution)
        assert {mark.kind for mark in one.marks} <= set(chosen_kinds(names.split(",")))
        marks = tuple(mark for mark in one.puzzle.board.marks if mark is not one.necessary)
        fewer = satdoku.Puzzle.from_givens(build(6, marks), one.puzzle.givens)
        assert satdoku.check(fewer, backend="backtrack").verdict.value == "multiple"


@pytest.mark.parametrize("names", ["ratio,negative-ratio", "difference,nonconsecutive", "edge-sum,negative-sum"])
def test_neighbours_for_which_a_rule_does_not_hold_are_all_joined(names: str) -> None:
    *joining, rule = names.split(",")
    one = next(satdoku.generate(SIX, marks=names, seed=3))
    assert {*joining[:1], rule} <= {mark.kind for mark in one.marks}
    marks = tuple(mark for mark in one.puzzle.board.marks if mark.kind not in joining)
    alone = satdoku.Puzzle.from_givens(build(6, marks), {})
    assert satdoku.violations(alone, one.solution)
    assert not satdoku.violations(one.puzzle, one.solution)


def test_minimal_ones_need_each_given_and_each_mark() -> None:
    one = next(satdoku.generate(SIX, marks=["cage", "thermometer"], minimal=True, seed=2))
    givens = [cell for cell, value in enumerate(one.puzzle.givens) if value]
    fewer = [
        satdoku.Puzzle.from_givens(
            one.puzzle.board, [0 if cell == out else v for cell, v in enumerate(one.puzzle.givens)]
        )
        for out in givens
    ]
    for mark in one.marks:
        marks = tuple(other for other in one.puzzle.board.marks if other is not mark)
        fewer.append(satdoku.Puzzle.from_givens(build(6, marks), one.puzzle.givens))
    assert one.minimal
    assert {satdoku.check(each).verdict.value for each in fewer} == {"multiple"}
    assert {mark.kind for mark in one.marks} == {"cage", "thermometer"}


def test_a_range_of_givens_and_a_difficulty_are_kept() -> None:
    for one in satdoku.generate(SIX, marks="thermometer", givens=(8, 10), difficulty=4, count=2, seed=1):
        assert 8 <= one.puzzle.given_count <= 10
        assert satdoku.difficulty(one.puzzle).level == 4


class TestEqual:
    def test_a_turn_has_the_same_digest_and_another_sum_has_not(self) -> None:
        one = next(satdoku.generate(satdoku.classic(2, 2), marks="cage,thermometer", seed=1)).puzzle
        assert marked_digest(turned(one)) == marked_digest(one)
        cage = next(mark for mark in one.board.marks if mark.kind == "cage")
        marks = tuple(
            replace(mark, value=int(mark.value or 0) + 1) if mark is cage else mark for mark in one.board.marks
        )
        other = satdoku.Puzzle.from_givens(build(4, marks), one.givens)
        assert marked_digest(other) != marked_digest(one)

    def test_values_may_be_renamed_where_marks_do_not_tell_them_apart(self) -> None:
        marks = [Mark("boxes", value="2x2"), Mark("extra-region", ((1, 1), (2, 3)))]
        one = satdoku.build(size=4, marks=marks, givens={(1, 2): 1, (3, 3): 2})
        other = satdoku.build(size=4, marks=marks, givens={(1, 2): 4, (3, 3): 3})
        alike = satdoku.build(size=4, marks=marks, givens={(1, 2): 4, (3, 3): 4})
        assert marked_digest(one) == marked_digest(other) != marked_digest(alike)

    @pytest.mark.parametrize(
        "rows", [(4, 5, 6, 7, 8, 9, 1, 2, 3), (1, 3, 2, 4, 5, 6, 8, 9, 7), (1, 2, 4, 3, 5, 6, 7, 8, 9)]
    )
    def test_rows_and_bands_are_moved_with_their_marks(self, rows: tuple[int, ...]) -> None:
        cage, sign = [(1, 1), (1, 2), (2, 1)], [(5, 5), (6, 5)]
        givens = {(1, 3): 4, (4, 2): 5, (9, 9): 6}

        def digest(rows: tuple[int, ...]) -> bytes:
            def at(cell: tuple[int, int]) -> tuple[int, int]:
                return rows[cell[0] - 1], cell[1]

            marks = [Mark("cage", tuple(map(at, cage)), value=12), Mark("greater-than", tuple(map(at, sign)))]
            return marked_digest(satdoku.build(givens={at(cell): value for cell, value in givens.items()}, marks=marks))

        leaves_bands = rows.index(3) == 3
        assert (digest(rows) == digest(tuple(range(1, 10)))) is not leaves_bands

    def test_when_all_further_ones_are_equal_fewer_are_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = invent.invent(RECIPE, 0)
        monkeypatch.setattr(invent, "invent", lambda recipe, number: one)
        monkeypatch.setattr(invent, "MORE", (2, 3))
        found = list(distinct(RECIPE, range(2)))
        assert found[0] == one
        assert [str(other) for other in found[1:]] == [f"puzzle 10 was not made in the time: {invent.EXHAUSTED}"]
        result = run("generate", "--marks", "cage", "--box", "2x3", "-n", "2", "-j", "1")
        assert (result.exit_code, len(result.stdout.splitlines())) == (3, 1)
        assert f"puzzle 10: undecided: {invent.EXHAUSTED}" in result.stderr
        assert "not all made" in result.stderr

    def test_one_of_a_further_number_takes_the_place_of_an_equal_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = [invent.invent(RECIPE, number) for number in range(2)]
        first, second = (one for one in made if isinstance(one, satdoku.generator.work.Made))
        script = {0: first, 1: replace(first, puzzle=turned(first.puzzle)), 2: first, 3: second}
        monkeypatch.setattr(invent, "invent", lambda recipe, number: script[number])
        assert list(distinct(RECIPE, range(2))) == [first, second]
        result = run("generate", "--marks", "cage", "--box", "2x3", "-n", "2", "--json", "-j", "1")
        assert [record["solution"] for record in records(result)] == [
            "".join(map(str, one.solution)) for one in (first, second)
        ]


class TestCommand:
    def test_records_say_all_and_workers_give_the_same_bytes(self) -> None:
        arguments = ("generate", "--marks", "cage,odd", "--box", "2x2", "-n", "6", "--seed", "4", "--json")
        one, two = (run(*arguments, "-j", jobs) for jobs in ("1", "2"))
        assert one.exit_code == 0
        assert one.stdout == two.stdout
        for record in records(one):
            puzzle = satdoku.read(record["puzzle"])
            assert satdoku.check(puzzle).verdict.value == "unique"
            assert puzzle.solution is None
            assert record["necessary"] in record["marks"]
            assert {mark["kind"] for mark in record["marks"]} <= {"cage", "odd"}
            assert "Digits do not repeat" in record["rules"] or "cage" in record["rules"]
            assert satdoku.read(record["link"]).board.marks == puzzle.board.marks

    def test_one_is_toml_and_several_are_lines(self) -> None:
        arguments = ("generate", "--marks", "odd", "--box", "2x2", "--seed", "4")
        assert satdoku.read(run(*arguments).stdout).board.marks[-1].kind == "odd"
        assert [line[:22] for line in run(*arguments, "-n", "2").stdout.splitlines()] == ["https://sudokupad.app/"] * 2

    @pytest.mark.parametrize("count", ["1", "2"])
    @pytest.mark.parametrize("name", ["made.csv", "made.jsonl", "made.parquet", "made.txt"])
    def test_files_are_read_back(self, name: str, count: str, tmp_path: Path) -> None:
        file = tmp_path / name
        arguments = ("generate", "--marks", "odd,cage", "--box", "2x2", "--seed", "4", "-n", count)
        assert run(*arguments, "-q", "-o", str(file)).exit_code == 0
        assert [record["verdict"] for record in records(run("check", str(file), "--json"))] == ["unique"] * int(count)
        wanted = [satdoku.read(record["puzzle"]) for record in records(run(*arguments, "--json"))]
        assert [(one.board, one.candidates) for one in satdoku.load_many(file)] == [
            (one.board, one.candidates) for one in wanted
        ]
        if name == "made.csv":
            assert len(file.read_text().splitlines()) == 1 + int(count)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--marks", "cagey"], "no such kind"),
            (["--marks", "boxes"], "the boxes are those of the board"),
            (["--marks", "cage,killer-cage"], "cage is named twice"),
            (["--marks", ""], "expected names of kinds"),
            (["--marks", "cage", "--rule", "anti-knight"], "--marks and --rule: choose one"),
            (["--marks", "cage", "--size", "6x8", "--box", "none"], "square boards with boxes"),
            (["--marks", "cage", "--box", "5x5"], "marks are drawn on boards of"),
            (["--marks", "cage", "--givens", "9:3"], "expected the lower number first"),
            (["--marks", "cage", "--resume", "-o", "a.jsonl"], "leave it out"),
            (["--marks", "nonconsecutive", "--box", "2x2"], "no grid satisfies the rules"),
        ],
    )
    def test_what_it_refuses(self, arguments: list[str], message: str) -> None:
        result = run("generate", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in complaints(result)[0]

    def test_a_puzzle_that_is_not_found_is_undecided(self) -> None:
        result = run("generate", "--marks", "odd", "--box", "2x2", "--givens", "0", "--timeout", "1", "--json")
        assert result.exit_code == 3
        assert "fewest givens" in json.loads(result.stdout)["undecided"]


@pytest.mark.parametrize(("ends", "reason"), [(["no mark was necessary"], "no mark was necessary"), ([], UNFINISHED)])
def test_a_try_that_the_time_cuts_is_no_reason(monkeypatch: pytest.MonkeyPatch, ends: list[str], reason: str) -> None:
    tries = iter([*ends, UNFINISHED])

    def tried(*_: object) -> str:
        end = next(tries, None)
        if end is None:
            raise TimeIsUp
        return end

    monkeypatch.setattr(invent, "_tried", tried)
    failure = invent.invent(MarksRecipe(("odd",)), 0)
    assert isinstance(failure, NotMade)
    assert failure.reason == reason


def test_python_refuses_what_it_cannot_draw() -> None:
    with pytest.raises(InputError, match="no such kind"):
        next(satdoku.generate(marks=["nothing"]))
    with pytest.raises(InputError, match="choose one"):
        next(satdoku.generate(marks="cage", symmetry="full"))
    with pytest.raises(Refused, match="drawn on boards"):
        next(satdoku.generate(satdoku.classic(5, 5), marks="cage"))


def test_the_number_of_givens_has_its_plural() -> None:
    assert [_span({"1": 2}), _span({"1": 1, "3": 1})] == ["1 given", "1 to 3 givens"]


def test_a_board_with_one_solution_gives_equal_puzzles_and_says_so() -> None:
    board = Path(__file__).parents[2] / "puzzles" / "variants" / "cage.toml"
    several = run("generate", str(board), "--count", "2", "--seed", "1")
    assert len(set(several.stdout.splitlines())) == 1
    assert "the marks of the board alone have one solution, so all puzzles are the same" in several.stderr
    assert "are the same" not in run("generate", str(board), "--seed", "1").stderr


def test_a_puzzle_whose_time_is_over_gets_no_more() -> None:
    """A plain 9x9 grid and its marks are drawn without a look at the clock."""
    assert invent._tried(MarksRecipe(("cage",), seed=3), 0, Random(1), Deadline(0)) == UNFINISHED
