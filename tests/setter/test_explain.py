"""Explanations against brute force: conflicts, what would make a puzzle unique, steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest
from support.cli import NONE, TWO, UNIQUE, complaints, records, run
from support.clocks import Ticks
from support.puzzles import EASY, ROOT, VARIANTS, puzzle_in

import satdoku
from satdoku import AllDifferent, Board, Ending, Grid, Linear, Puzzle, Verdict, explain
from satdoku.encoders import selectors
from satdoku.puzzle import members
from satdoku.setter import CoreStep, Explanation, Guarantee, Level, Reason, Step
from satdoku.techniques.ladder import grid_of
from satdoku.techniques.registry import techniques
from satdoku.testing import cases

EMPTY = "." * 81
LONG = sorted({*VARIANTS} - {"thermometer", "windoku"})
"""Variants whose explanations take many seconds."""


def solvable(
    board: Board, reason: Reason, without: int | str | None = None, more: dict[int, int] | None = None
) -> bool:
    """Whether some grid satisfies the facts and constraints of a reason, one left out, and further sets of values."""
    left = [board.every_value] * board.cells
    for fact in reason.facts:
        left[fact.cell] &= fact.allowed if fact.cell != without else board.every_value
    for cell, allowed in (more or {}).items():
        left[cell] &= allowed
    names = {name for name in reason.constraints if name != without}
    kept = [rule for group in names for rule in selectors.encode(board).constraints[group]]
    fewer = Board(board.cells, board.values, board.columns, tuple(kept), auxiliary=board.auxiliary)
    return satdoku.solve(Puzzle(fewer, tuple(left)), backend="backtrack").count > 0


def elements(reason: Reason) -> list[int | str]:
    return [*(fact.cell for fact in reason.facts), *reason.constraints]


def irreducible(board: Board, reason: Reason, more: dict[int, int] | None = None) -> bool:
    """Whether a reason holds, and none of its elements can be left out."""
    return not solvable(board, reason, more=more) and all(
        solvable(board, reason, element, more) for element in elements(reason)
    )


def unsolvable_cases(count: int) -> Iterator[tuple[int, Puzzle]]:
    for case in cases(count, start=20_000):
        for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
            if not truth:
                yield case.seed, puzzle


def fewest(board: Board, everything: Reason) -> int:
    """The size of the smallest part of a reason that has no grid, by trying all."""
    for size in range(everything.size + 1):
        for facts in range(size + 1):
            for chosen in combinations(everything.facts, facts):
                for rules in combinations(everything.constraints, size - facts):
                    if not solvable(board, Reason(chosen, rules, Guarantee.NONE)):
                        return size
    raise AssertionError("the whole has a grid")


class TestConflict:
    def test_it_is_irreducible(self) -> None:
        seen = 0
        for seed, puzzle in unsolvable_cases(80):
            found = explain(puzzle)
            assert found.verdict is Verdict.UNSOLVABLE, seed
            assert found.conflict is not None
            assert found.conflict.guarantee is Guarantee.IRREDUCIBLE
            assert irreducible(puzzle.board, found.conflict), seed
            assert bool(found.clashes) == (next(puzzle.clashes(), None) is not None)
            seen += found.conflict.size > 1
        assert seen > 20

    def test_the_smallest_is_that_of_brute_force(self) -> None:
        sizes = set()
        for seed, puzzle in unsolvable_cases(60):
            found = explain(puzzle, smallest=True)
            assert found.conflict is not None
            assert found.conflict.guarantee is Guarantee.SMALLEST
            given = explain_everything(puzzle)
            if given.size <= 9:
                assert found.conflict.size == fewest(puzzle.board, given), seed
                sizes.add(found.conflict.size)
        assert len(sizes) > 2

    def test_a_clash_comes_first(self) -> None:
        found = explain(puzzle_in("9x9_clash.txt"))
        assert found.clashes[0] == "row 1 has 6 twice: r1c1 and r1c2"
        assert found.conflict is not None
        assert [fact.cell for fact in found.conflict.facts] == [0, 1]
        assert len(found.conflict.constraints) == 1

    def test_a_cage_that_cannot_be_is_named(self) -> None:
        plain = satdoku.classic(2, 2)
        cage = Linear((0, 1), (1, 1), 8, "cage 8 at r1c1")
        board = Board(16, 4, 4, (*plain.constraints, AllDifferent((0, 1), "cage at r1c1"), cage), plain.marks)
        found = explain(Puzzle.from_givens(board, {}))
        assert found.conflict is not None
        assert (found.conflict.facts, found.conflict.constraints) == ((), ("cage 8 at r1c1",))

    def test_a_sum_by_itself_does_not_borrow_that_its_cells_differ(self) -> None:
        plain = satdoku.classic(2, 2)
        board = Board(16, 4, 4, (*plain.constraints, Linear((0, 1), (1, 1), 8, "sum 8")), plain.marks)
        found = explain(Puzzle.from_givens(board, {}))
        assert found.conflict is not None
        assert found.conflict.constraints in (("row 1", "sum 8"), ("box 1", "sum 8"))

    def test_large_ones_are_made_smaller_when_asked(self) -> None:
        puzzle = puzzle_in("9x9_unsolvable.txt")
        quick, small = explain(puzzle), explain(puzzle, smallest=True)
        assert quick.conflict is not None
        assert small.conflict is not None
        assert not solvable(puzzle.board, quick.conflict)
        assert not solvable(puzzle.board, small.conflict)
        assert small.conflict.size < quick.conflict.size
        assert small.conflict.guarantee is Guarantee.SMALLEST

    def test_a_timeout_keeps_what_conflicts(self) -> None:
        found = explain(puzzle_in("9x9_clash.txt"), timeout=1e-9)
        assert (found.verdict, found.ending) == (Verdict.UNSOLVABLE, Ending.TIMEOUT)
        assert found.conflict is not None
        assert found.conflict.guarantee is Guarantee.NONE
        assert not solvable(found.puzzle.board, found.conflict)


class TestMultiple:
    def test_cells_that_vary_and_that_make_it_unique_are_those_of_brute_force(self) -> None:
        sizes = set()
        for case in cases(60, start=30_000):
            for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
                if not 1 < len(truth) <= 40:
                    continue
                found = explain(puzzle)
                assert found.verdict is Verdict.MULTIPLE
                assert len(set(found.solutions)) == 2
                assert truth.issuperset(found.solutions)
                vary = tuple(c for c in range(puzzle.board.cells) if len({grid[c] for grid in truth}) > 1)
                assert found.vary == vary
                assert found.completion is not None
                assert (found.completion.guarantee, found.completion.over_all) == (Guarantee.SMALLEST, True)
                cells = found.completion.cells
                assert _alone(found.completion.grid, cells, truth)
                assert not any(
                    _alone(grid, fewer, truth) for grid in truth for fewer in combinations(vary, len(cells) - 1)
                )
                sizes.add(len(cells))
        assert len(sizes) > 1

    def test_with_many_solutions_it_is_for_the_first(self) -> None:
        found = explain(puzzle_in("9x9_1115.txt"))
        assert found.completion is not None
        assert found.completion.guarantee is Guarantee.SMALLEST
        assert not found.completion.over_all
        assert found.completion.grid == found.solutions[0]
        givens = list(found.puzzle.givens)
        for cell in found.completion.cells:
            givens[cell] = found.solutions[0][cell]
        assert satdoku.check(Puzzle.from_givens(found.puzzle.board, givens)).grids == found.solutions[:1]

    def test_where_it_takes_too_long_it_is_irreducible_and_says_so(self) -> None:
        found = explain(satdoku.read(EMPTY), timeout=3)
        assert found.completion is not None
        assert found.completion.guarantee is Guarantee.IRREDUCIBLE
        assert found.vary == tuple(range(81))
        values = {cell: found.completion.grid[cell] for cell in found.completion.cells}
        assert satdoku.check(Puzzle.from_givens(found.puzzle.board, values)).verdict is Verdict.UNIQUE
        for cell in values:
            fewer = {other: value for other, value in values.items() if other != cell}
            assert satdoku.check(Puzzle.from_givens(found.puzzle.board, fewer)).verdict is Verdict.MULTIPLE


class TestSteps:
    @pytest.mark.parametrize(
        "name",
        [
            "4x4_unique.txt",
            "6x6.txt",
            *(pytest.param(name, marks=pytest.mark.slow) for name in ("9x9_easy.txt", "9x9_hard.txt")),
        ],
    )
    def test_each_value_follows_from_what_is_known_and_nothing_can_be_left_out(self, name: str) -> None:
        _steps_hold(explain(puzzle_in(name)))

    def test_the_last_steps_of_a_9x9_hold(self) -> None:
        easy = puzzle_in("9x9_easy.txt")
        grid = satdoku.solve(easy).grid
        assert grid is not None
        known = {cell: value for cell, value in enumerate(grid) if easy.givens[cell] or cell > 11}
        _steps_hold(explain(Puzzle.from_givens(easy.board, known)))

    @pytest.mark.parametrize(
        "name", ["thermometer", "windoku", *(pytest.param(name, marks=pytest.mark.slow) for name in LONG)]
    )
    def test_every_variant_is_taken(self, name: str) -> None:
        found = explain(puzzle_in(f"variants/{name}.toml"))
        assert (found.verdict, found.ending) == (Verdict.UNIQUE, Ending.EXHAUSTED)
        _steps_hold(found, parts=False)

    def test_random_boards_are_explained(self) -> None:
        seen = 0
        for case in cases(60, start=40_000):
            for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
                if len(truth) == 1:
                    _steps_hold(explain(puzzle))
                    seen += 1
        assert seen > 10

    def test_the_smallest_step_is_that_of_brute_force(self) -> None:
        seen = 0
        for case in cases(90, start=50_000):
            for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
                given = explain_everything(puzzle)
                if len(truth) != 1 or given.size > 7 or all(puzzle.givens):
                    continue
                (grid,) = truth
                first = cores(explain(puzzle, smallest=True))[0]
                assert first.reason.guarantee is Guarantee.SMALLEST
                sizes = [
                    len(chosen)
                    for cell, value in enumerate(grid)
                    if not puzzle.givens[cell]
                    for chosen in _parts(given)
                    if not solvable(puzzle.board, chosen_reason(given, chosen), None, {cell: _not(puzzle.board, value)})
                ]
                assert first.reason.size == min(sizes), case.seed
                seen += 1
        assert seen > 5

    def test_all_steps_of_a_small_puzzle_are_smallest_when_asked(self) -> None:
        small = explain(puzzle_in("6x6.txt"), smallest=True)
        _steps_hold(small)
        assert len(cores(small)) == len(small.steps) == 26
        assert all(step.reason.guarantee is Guarantee.SMALLEST for step in cores(small))
        assert small.ending is Ending.EXHAUSTED

    def test_a_timeout_keeps_the_steps_so_far(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Clocks that count looks and not seconds: the same steps are found, and checked, on every machine.
        clocks = iter([Ticks(150), Ticks(0)])
        monkeypatch.setattr(import_module("satdoku.setter.explain"), "Deadline", lambda seconds: next(clocks))
        found = explain(puzzle_in("6x6.txt"), smallest=True)
        assert found.verdict is Verdict.UNIQUE
        assert found.ending is Ending.TIMEOUT
        assert 3 < len(found.steps) < 20
        _steps_hold(found, complete=False)

    def test_a_timeout_before_the_first_answer_leaves_it_undecided(self) -> None:
        assert explain(satdoku.read(EASY), timeout=1e-9).verdict is Verdict.UNDECIDED

    def test_what_no_technique_reaches_has_a_core(self, monkeypatch: pytest.MonkeyPatch) -> None:
        puzzle = puzzle_in("6x6.txt")
        assert not cores(explain(puzzle))
        first = (techniques()["full house"],)
        monkeypatch.setattr(import_module("satdoku.setter.solving"), "ordered", lambda hardest: first)
        found = explain(puzzle)
        _steps_hold(found)
        assert 0 < len(cores(found)) < len(found.steps)
        assert found.difficulty is not None and found.difficulty.level is Level.BEYOND

    def test_steps_go_as_far_as_asked(self) -> None:
        puzzle = str(ROOT / "puzzles" / "9x9_hard.txt")
        (whole,) = records(run("explain", puzzle, "--json"))
        names = [step["technique"] for step in whole["steps"]]
        harder = next(name for name in names if techniques()[name].level > Level.SINGLES)
        for arguments, expected in (
            (["--next"], whole["steps"][:1]),
            (["--steps", "5"], whole["steps"][:5]),
            (["--until", harder], whole["steps"][: names.index(harder) + 1]),
        ):
            (record,) = records(run("explain", puzzle, "--json", *arguments))
            assert record["steps"] == expected
            assert record["difficulty"] is None
        (record,) = records(run("explain", puzzle, "--json", "--level", "locked"))
        assert record["steps"] == whole["steps"][: len(record["steps"])]
        assert techniques()[names[len(record["steps"])]].level > Level.LOCKED

    def test_a_hint_has_three_stages(self) -> None:
        lines = run("explain", "--hint", str(ROOT / "puzzles" / "9x9_hard.txt")).stdout
        assert lines.startswith("1. Look at row 7.\n2. hidden single: ")
        assert "\n3. r7c3=7 (hidden single): " in lines
        assert run("explain", "--hint", "--stages", "1", EASY).stdout.count("\n") == 1

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--until", "guess"], "guess"),
            (["--level", "9"], "difficulty '9'"),
            (["--steps", "0"], "expected 1 or more"),
            (["--smallest", "--hint"], "--smallest"),
            (["--next", "--steps", "2"], "--steps"),
            (["--hint", "--stages", "4"], "expected 1 to 3"),
        ],
    )
    def test_what_cannot_be_is_refused(self, arguments: list[str], message: str) -> None:
        result = run("explain", EASY, *arguments)
        assert result.exit_code == 2
        assert message in complaints(result)[0]

    def test_it_is_the_same_each_time(self) -> None:
        assert explain(puzzle_in("6x6.txt")) == explain(puzzle_in("6x6.txt"))


class TestCommand:
    def test_a_conflict_is_a_sentence(self) -> None:
        result = run("explain", NONE)
        assert result.exit_code == 1
        lines = result.stdout.splitlines()
        assert lines[0] == "unsolvable: the puzzle has no solution"
        assert lines[1] == "r1c1=1, r1c2=2, r2c3=3 and row 2 leave no place for 3 in box 1"
        assert lines[2].startswith("irreducible: of these 3 givens and 2 constraints none can be left out")

    def test_it_says_when_the_conflict_is_smallest(self) -> None:
        assert "smallest: no fewer than these" in run("explain", NONE, "--smallest").stdout

    def test_two_solutions_stand_side_by_side(self) -> None:
        result = run("explain", TWO)
        assert result.exit_code == 1
        assert "multiple: the puzzle has more than one solution: 4 cells vary\nr1c3, r1c4, r3c3, r3c4" in result.stdout
        sides = {line for line in result.stdout.splitlines() if line.startswith("1 3 |")}
        assert sides <= {"1 3 | 2 4    1 3 | 4 2", "1 3 | 4 2    1 3 | 2 4"}
        assert len(sides) == 1
        assert "unique with r1c3=" in result.stdout
        assert "smallest" in result.stdout

    def test_steps_are_numbered(self) -> None:
        result = run("explain", UNIQUE)
        assert result.exit_code == 0
        assert "1. r4c" in result.stdout
        assert "3. r4c" in result.stdout
        assert "3 steps: 3 naked singles" in result.stdout
        assert max(map(len, run("explain", EASY).stdout.splitlines())) <= 80

    def test_json_has_these_fields(self) -> None:
        (conflict,) = records(run("explain", NONE, "--json"))
        assert conflict["conflict"]["constraints"] == ["row 2", "box 1"]
        assert conflict["conflict"]["givens"] == ["r1c1=1", "r1c2=2", "r2c3=3"]
        assert conflict["conflict"]["guarantee"] == "irreducible"
        (two,) = records(run("explain", TWO, "--json"))
        assert two["vary"] == ["r1c3", "r1c4", "r3c3", "r3c4"]
        assert len(two["unique_with"]["cells"]) == 1
        assert two["unique_with"]["over_all_solutions"] is True
        (steps,) = records(run("explain", UNIQUE, "--json", "--smallest"))
        assert len(steps["steps"]) == 3
        assert {step["guarantee"] for step in steps["steps"]} == {"smallest"}

    def test_each_step_is_a_picture(self, tmp_path: Path) -> None:
        result = run("explain", UNIQUE, "-o", str(tmp_path / "why.svg"))
        assert result.exit_code == 0
        assert sorted(path.name for path in tmp_path.iterdir()) == ["why-1.svg", "why-2.svg", "why-3.svg"]
        run("explain", TWO, "-o", str(tmp_path / "two.pdf"))
        run("explain", NONE, "-o", str(tmp_path / "none.png"))
        assert (tmp_path / "two.pdf").exists()
        assert (tmp_path / "none.png").exists()

    def test_several_are_distinguished(self) -> None:
        result = run("explain", NONE, TWO, "12..5")
        assert result.exit_code == 2
        assert "argument 1: unsolvable\n" in result.stdout
        assert "argument 2: multiple\n" in result.stdout

    def test_a_board_too_large_for_clauses_is_refused(self) -> None:
        with pytest.raises(satdoku.Refused, match="33 million clauses, at most 5 million are taken"):
            explain(Puzzle.from_givens(satdoku.classic(8, 8), {}))

    def test_a_timeout_is_status_3(self) -> None:
        result = run("explain", str(ROOT / "puzzles" / "16x16.txt"), "--timeout", "1")
        assert result.exit_code == 3
        assert "undecided: the timeout came " in complaints(result)[0]

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [(["--timeout", "0"], "--timeout 0: expected"), (["-o", "why.gif"], "why.gif: expected")],
    )
    def test_bad_options_are_refused(self, arguments: list[str], complaint: str) -> None:
        result = run("explain", UNIQUE, *arguments)
        assert result.exit_code == 2
        assert complaint in complaints(result)[0]


def explain_everything(puzzle: Puzzle) -> Reason:
    """All that a puzzle states, as one reason."""
    from satdoku.setter import Fact

    every = puzzle.board.every_value
    facts = tuple(Fact(cell, allowed) for cell, allowed in enumerate(puzzle.candidates) if allowed != every)
    return Reason(facts, tuple(selectors.encode(puzzle.board).selectors), Guarantee.NONE)


def chosen_reason(everything: Reason, chosen: Iterable[int]) -> Reason:
    number = len(everything.facts)
    facts = tuple(everything.facts[index] for index in chosen if index < number)
    return Reason(
        facts, tuple(everything.constraints[index - number] for index in chosen if index >= number), Guarantee.NONE
    )


def _parts(everything: Reason) -> Iterator[tuple[int, ...]]:
    for size in range(everything.size + 1):
        yield from combinations(range(everything.size), size)


def _not(board: Board, value: int) -> int:
    return board.every_value & ~(1 << value)


def _alone(grid: Grid, cells: Iterable[int], truth: frozenset[Grid]) -> bool:
    cells = tuple(cells)
    return sum(all(other[cell] == grid[cell] for cell in cells) for other in truth) == 1


def cores(found: Explanation) -> list[CoreStep]:
    return [step for step in found.steps if isinstance(step, CoreStep)]


def _steps_hold(found: Explanation, complete: bool = True, parts: bool = True) -> None:
    """No step takes the solution away, each has an effect, and cores follow from what is known and from no part."""
    puzzle = found.puzzle
    board, (solution, *_) = puzzle.board, found.solutions
    grid, known = grid_of(puzzle, unique=True), list(puzzle.candidates)
    for step in found.steps:
        if isinstance(step, Step):
            excluded = [(value, cell) for value, cells in step.eliminations for cell in members(cells)]
            assert step.placements or excluded
            assert all(grid.left[cell] >> value & 1 for value, cell in excluded)
            assert all(cell >= board.cells or solution[cell] != value for value, cell in excluded)
            assert all(solution[cell] == value for cell, value in step.placements)
            step.apply(grid)
        else:
            assert all(known[fact.cell] == fact.allowed for fact in step.reason.facts)
            assert step.value == solution[step.cell]
            assert not parts or irreducible(board, step.reason, {step.cell: _not(board, step.value)})
            grid.place(step.cell, step.value)
        known = [1 << value if value else allowed for value, allowed in zip(grid.values, known, strict=True)]
    if complete:
        assert tuple(grid.values) == solution
