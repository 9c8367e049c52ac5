"""What `bench run` plans: layouts of puzzles, the order of searches, puzzles whose answers are known."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.cli import NINE, TWO, UNIQUE

from satdoku import Puzzle, Verdict, check, classic, count, read, solve
from satdoku.bench.plan import TURN, BenchPlan, Contender, contenders, warm_ups
from satdoku.bench.raw import Work
from satdoku.bench.shuffle import Draws, shuffled
from satdoku.referee import violations
from satdoku.symmetries import Shuffle, freedom
from satdoku.variants.boxes import Box


class TestShuffle:
    @pytest.mark.parametrize("text", [NINE, UNIQUE, TWO, "1" + "." * 35])
    def test_a_plain_puzzle_keeps_its_number_of_solutions(self, text: str) -> None:
        puzzle = read(text)
        assert freedom(puzzle.board) is Shuffle.ALL
        before = count(puzzle, limit=50)
        layouts = set()
        for seed in range(20):
            moved = shuffled(puzzle, Shuffle.ALL, Draws(seed))
            after = count(moved, limit=50)
            assert (after.count, after.exact, moved.board) == (before.count, before.exact, puzzle.board)
            layouts.add(moved.candidates)
        assert len(layouts) > 15

    def test_boxes_that_are_not_square_are_not_transposed_and_stay_boxes(self) -> None:
        puzzle = read("1" + "." * 35)
        full = Puzzle.from_givens(puzzle.board, solve(puzzle).grids[0])
        for seed in range(50):
            moved = shuffled(full, Shuffle.ALL, Draws(seed))
            assert not list(violations(moved, moved.givens))

    def test_every_symmetry_moves_something(self) -> None:
        """Over many draws a given visits every cell and every value of the board, also with 2x3 boxes."""
        for box in (Box(2, 2), Box(2, 3)):
            puzzle = Puzzle.from_givens(classic(box.rows, box.columns), {0: 1})
            layouts = (shuffled(puzzle, Shuffle.ALL, Draws(seed)).givens for seed in range(3000))
            seen = {next(place for place in enumerate(givens) if place[1]) for givens in layouts}
            assert len(seen) == box.size**3

    def test_candidates_move_with_their_cells_and_values(self) -> None:
        board = classic(2, 2)
        puzzle = Puzzle(board, (0b00110, 0b11000, *[board.every_value] * 14))
        moved = shuffled(puzzle, Shuffle.ALL, Draws(3))
        assert sorted(allowed.bit_count() for allowed in moved.candidates) == [2, 2, *[4] * 14]
        first, second = (allowed for allowed in moved.candidates if allowed.bit_count() == 2)
        assert first & second == 0
        assert count(moved, limit=None).count == count(puzzle, limit=None).count

    def test_a_board_with_sums_stays_as_it_is(self) -> None:
        puzzle = read((Path(__file__).parents[2] / "puzzles/variants/cage.toml").read_text())
        assert freedom(puzzle.board) is Shuffle.NONE
        assert shuffled(puzzle, Shuffle.NONE, Draws(1)) is puzzle

    def test_a_jigsaw_has_its_values_renamed_and_its_cells_kept(self) -> None:
        puzzle = read((Path(__file__).parents[2] / "puzzles/variants/region.toml").read_text())
        assert freedom(puzzle.board) is Shuffle.VALUES
        moved = shuffled(puzzle, Shuffle.VALUES, Draws(1))
        assert [bool(value) for value in moved.givens] == [bool(value) for value in puzzle.givens]
        assert moved.givens != puzzle.givens
        assert check(moved).verdict is check(puzzle).verdict is Verdict.UNIQUE


class TestPlan:
    def plan(self, **changes: Any) -> BenchPlan:
        names = (Contender("a"), Contender("b", "x"), Contender("c"))
        puzzles = tuple(replace(read(text), name=str(i)) for i, text in enumerate([NINE, UNIQUE] * TURN))
        return replace(BenchPlan(contenders=names, puzzles=puzzles, repeats=2), **changes)

    def test_every_contender_gets_every_puzzle_once_a_repeat(self) -> None:
        jobs = list(self.plan().jobs())
        assert len(jobs) == len(set(jobs)) == self.plan().searches == 3 * 2 * TURN * 2

    def test_contenders_take_short_turns_and_each_is_first_at_times(self) -> None:
        plan = self.plan(repeats=20)
        jobs = list(plan.jobs())
        turns = [jobs[start : start + TURN] for start in range(0, len(jobs), TURN)]
        for turn in turns:
            assert len({(job.contender, job.repeat) for job in turn}) == 1
            assert len({plan.puzzles[job.index].board for job in turn}) == 1, "rules are loaded once a turn"
        firsts = Counter(str(turns[start][0].contender) for start in range(0, len(turns), 3))
        assert min(firsts.values()) > 5

    def test_all_contenders_get_the_same_layout_and_repeats_another(self) -> None:
        plan = self.plan()
        layouts: dict[tuple[int, int], set[Puzzle]] = {}
        for job in plan.jobs():
            layouts.setdefault((job.index, job.repeat), set()).add(plan.puzzle(job))
        assert all(len(same) == 1 for same in layouts.values())
        assert len({puzzle.candidates for (index, _), (puzzle,) in layouts.items() if index == 0}) == 2

    def test_the_key_tells_plans_apart(self) -> None:
        plans = [
            self.plan(),
            self.plan(seed=1),
            self.plan(timeout=9),
            self.plan(warm=False),
            self.plan(work=Work.FIRST),
            self.plan(work=Work.COUNT),
            self.plan(work=Work.COUNT, limit=3),
            self.plan(repeats=3),
            self.plan(contenders=(Contender("a"),)),
            self.plan(puzzles=self.plan().puzzles[1:]),
            self.plan(puzzles=(replace(read(TWO), name="0"), *self.plan().puzzles[1:])),
        ]
        assert len({plan.header.key for plan in plans}) == len(plans)
        assert self.plan().header.key == self.plan().header.key

    def test_the_key_and_the_layouts_are_the_same_in_every_process(self) -> None:
        script = (
            "from satdoku import read; from satdoku.bench.plan import *; from dataclasses import replace;"
            f"plan = BenchPlan(contenders=(Contender('a'),), puzzles=(read({NINE!r}),)); job = next(plan.jobs());"
            "print(plan.header.key, plan.puzzle(job).givens)"
        )
        record = set()
        for seed in ("1", "2"):
            environment = os.environ | {"PYTHONHASHSEED": seed}
            record.add(subprocess.check_output([sys.executable, "-c", script], env=environment, text=True))
        assert len(record) == 1
        assert "(" in record.pop()

    def test_what_each_work_asks_for(self) -> None:
        assert self.plan(work=Work.FIRST).solutions == 1
        assert self.plan().solutions == 2
        assert self.plan(work=Work.COUNT, limit=10).solutions == 11
        assert self.plan(work=Work.COUNT, limit=None).solutions is None

    def test_a_backend_that_picks_its_engine_picks_its_encoding_unless_one_is_named(self) -> None:
        assert contenders(["auto", "glucose4"], None) == (Contender("auto"), Contender("glucose4", "extended"))
        assert contenders(["auto"], ["triad"]) == (Contender("auto", "triad"),)

    def test_an_encoding_that_is_spelled_in_two_ways_runs_once(self) -> None:
        found = contenders(["glucose4"], ["extended+pairwise", "extended"])
        assert found == (Contender("glucose4", "extended"),)


@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), Box(3, 3), Box(3, 4), Box(4, 4), Box(5, 5)], ids=str)
def test_the_answers_of_the_puzzles_for_warming_up_are_right(box: Box) -> None:
    plan = BenchPlan(contenders=(Contender("a"),), puzzles=(Puzzle.from_givens(classic(box.rows, box.columns), {}),))
    assert [each.solutions for each in warm_ups(plan)] == [1, 2, 0]
    for each in warm_ups(plan):
        assert next(each.puzzle.clashes(), None) is None, "else no engine is asked"
        assert count(each.puzzle, limit=None, backend="prune").count == each.solutions


def test_the_order_of_draws_is_pinned() -> None:
    """A change here changes every layout and every instance that a seed stands for."""
    draws = Draws("a", 1)
    assert [draws.below(100) for _ in range(8)] == PINNED
    assert sorted(Draws(5).shuffled(range(50))) == list(range(50))


PINNED = [16, 11, 24, 17, 93, 84, 61, 99]
