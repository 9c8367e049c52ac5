"""Explanations against brute force: conflicts, what would make a puzzle unique, steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import combinations

import pytest
from support.clocks import Ticks
from support.puzzles import EASY, VARIANTS, puzzle_in

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
        found = explain(puzzle_in(f"variants/{name}.toml"), timeout=None)
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

    def test_it_is_the_same_each_time(self) -> None:
        assert explain(puzzle_in("6x6.txt")) == explain(puzzle_in("6x6.txt"))


def test_a_board_too_large_for_clauses_is_refused() -> None:
    with pytest.raises(satdoku.Refused, match="33 million clauses, at most 5 million are taken"):
        explain(Puzzle.from_givens(satdoku.classic(8, 8), {}))


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
