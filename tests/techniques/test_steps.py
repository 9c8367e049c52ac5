"""Steps against brute force: what they place and exclude follows from the candidates, on boards of every kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from support.puzzles import VARIANTS, puzzle_in

import satdoku
from satdoku import Mark, Puzzle, classic
from satdoku.pictures.picture import LINK, strokes
from satdoku.puzzle import Size, members
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import grid_of, next_step, ordered, steps
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step
from satdoku.terminal.step_pictures import EXCLUDED, step_picture
from satdoku.variants import build
from satdoku.variants.strokes import Disc, Line

BOARDS = {
    "plain": classic(3, 3),
    "windoku": build(9, (Mark("boxes", value="3x3"), Mark("windoku"))),
    "anti-knight": build(9, (Mark("boxes", value="3x3"), Mark("anti-knight"))),
    "disjoint groups": build(9, (Mark("boxes", value="3x3"), Mark("disjoint-groups"))),
    "rows and columns": build(9, ()),
    "of more columns": build(Size.of(6, 8), ()),
}
QUICK = ("windoku", "cage", "thermometer", "anti-knight", "diagonal+", "region", "sandwich", "arrow")


@pytest.mark.parametrize("name", [*BOARDS])
def test_what_a_technique_finds_follows_from_the_candidates(name: str) -> None:
    """On boards with houses of other shapes and more AllDifferents, of puzzles with several solutions."""
    seen, random = Counter[str](), Random(name)
    chosen = [each for each in techniques().values() if each.level < Level.FORCING and not each.needs_uniqueness]
    board = BOARDS[name]
    for number in range(6):
        if number > 2 and len(seen) > 8:
            break
        start = Puzzle.from_givens(board, {random.randrange(board.cells): random.randint(1, board.values)})
        solution = satdoku.solve(start).grid
        assert solution is not None
        chosen_cells = random.sample(range(board.cells), board.cells * 2 // 5 - random.randint(0, 6))
        grid = grid_of(Puzzle.from_givens(board, {cell: solution[cell] for cell in chosen_cells}), unique=False)
        possible = satdoku.candidates(Puzzle(board, tuple(grid.left))).possible
        for technique in chosen:
            for step in islice(technique.steps(grid), 20):
                seen[technique.name] += 1
                assert all(possible[cell] == 1 << value for cell, value in step.placements), step
                excluded = [(value, cell) for value, cells in step.eliminations for cell in members(cells)]
                assert not any(possible[cell] >> value & 1 for value, cell in excluded), step
    assert len(seen) > 8, seen


@pytest.mark.parametrize(
    "name",
    [*(name for name in VARIANTS if name in QUICK), *(pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS)],
)
def test_no_step_on_a_variant_takes_its_solution_away(name: str) -> None:
    puzzle = puzzle_in(f"variants/{name}.toml")
    (solution,) = satdoku.check(puzzle).grids
    grid = grid_of(puzzle, unique=True)
    for step in steps(grid, ordered(hardest=Level.CHAINS)):
        assert all(solution[cell] == value for cell, value in step.placements), step
        for value, cells in step.eliminations:
            assert all(cell >= len(solution) or solution[cell] != value for cell in members(cells)), step


def test_techniques_of_marks_are_tried_only_where_marks_are() -> None:
    def fail(name: str, grid: CandidateGrid) -> Iterator[Step]:
        raise AssertionError(name)

    plain, caged = (grid_of(puzzle_in(name), unique=True) for name in ("9x9_hard.txt", "variants/cage.toml"))
    of_marks = [each for each in techniques().values() if each.of_marks]
    assert len(of_marks) > 20
    assert not any([*each.steps(plain)] for each in of_marks)
    order = [replace(of_marks[0], search=fail)]
    assert not [*steps(plain, order)]
    with pytest.raises(AssertionError, match=of_marks[0].name):
        next(steps(caged, order))


def test_a_copy_is_a_grid_of_its_own() -> None:
    grid = grid_of(puzzle_in("9x9_hard.txt"), unique=True)
    copy, before = grid.copy(), (list(grid.left), list(grid.places), list(grid.solved), grid.open)
    step = next_step(copy, ordered())
    assert step is not None
    step.apply(copy)
    assert (grid.left, grid.places, grid.solved, grid.open) == before
    assert copy.open != grid.open


def test_a_picture_of_a_step_has_what_is_excluded_and_its_links() -> None:
    puzzle = puzzle_in("9x9_hard.txt")
    grid = grid_of(puzzle, unique=True)
    step = next(step for step in steps(grid, ordered()) if step.technique == "AIC")
    drawn = list(strokes(step_picture(puzzle, grid, step, "Step", (step.sentence(puzzle.board),))))
    excluded = [part for part in drawn if isinstance(part, Disc) and part.fill == EXCLUDED]
    assert len(excluded) == sum(cells.bit_count() for _, cells in step.eliminations)
    links = [part for part in drawn if isinstance(part, Line) and part.tint == LINK]
    assert [part.dashed for part in links] == [not link.strong for link in step.links]
    assert len(links) == step.size >= 3
