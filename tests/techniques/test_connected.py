"""Cells that marks connect: what is excluded has no solution, and what the connection alone excludes is found."""

from __future__ import annotations

from random import Random

import pytest
from support.puzzles import puzzle_in

import satdoku
from satdoku import Mark, Puzzle
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import grid_of, ordered, steps
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step
from satdoku.variants import build
from satdoku.variants.places import named

ALONE, WITH_MARK = "connected cells", "mark and connected cells"
SIDE = 4
CELLS = range(SIDE**2)
UNSHADED, SHADED = 0b010, 0b100


def grown(random: Random, many: int) -> set[int]:
    """Cells of a square that are connected by edges."""
    cells = {random.choice(CELLS)}
    while len(cells) < many:
        row, column = divmod(random.choice(sorted(cells)), SIDE)
        row, column = random.choice(((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)))
        if 0 <= row < SIDE and 0 <= column < SIDE:
            cells.add(SIDE * row + column)
    return cells


def shading(random: Random, *marks: Mark, counted: bool = False) -> CandidateGrid:
    """A board of shaded cells that are connected, some of which are known, and the number of those of one row."""
    shaded, row = grown(random, 8), random.randrange(SIDE)
    shades = [SHADED if cell in shaded else UNSHADED for cell in CELLS]
    known = random.sample(CELLS, 5)
    left = [shade if cell in known else SHADED | UNSHADED for cell, shade in enumerate(shades)]
    many = sum(cell // SIDE == row for cell in shaded)
    places = tuple(named(f"shading_r{row + 1}c{column + 1}") for column in range(SIDE))
    count = [Mark("count", places, value=f"2: {many}")] if counted else []
    board = build(SIDE, (Mark("boxes", value="2x2"), Mark("shading"), *marks, *count))
    return CandidateGrid(Puzzle(board, (*(board.every_value,) * SIDE**2, *left)))


def applied(grid: CandidateGrid, *names: str) -> list[Step]:
    found = []
    while step := next((step for name in names for step in techniques()[name].steps(grid)), None):
        assert grid.present(step.eliminations) == step.eliminations
        found.append(step)
        step.apply(grid)
    return found


def possible(grid: CandidateGrid) -> list[int]:
    return list(satdoku.candidates(Puzzle(grid.layout.board, tuple(grid.left[: grid.layout.cells]))).possible)


@pytest.mark.parametrize("seed", range(8))
def test_what_the_connection_of_shaded_cells_excludes_is_found(seed: int) -> None:
    grid = shading(Random(seed), Mark("connected-shading"))
    wanted = possible(grid)[SIDE**2 :]
    before = grid.left[SIDE**2 : 2 * SIDE**2]
    applied(grid, ALONE)
    assert grid.left[SIDE**2 : 2 * SIDE**2] == (wanted if SHADED in before else before)


def test_what_occurs_in_no_way_to_fill_a_mark_that_leaves_a_connection_is_excluded() -> None:
    more = 0
    for seed in range(8):
        grid = shading(Random(seed), Mark("connected-shading"), counted=True)
        wanted = possible(grid)
        applied(grid, ALONE, "counted digits")
        for step in applied(grid, WITH_MARK, ALONE):
            assert step.technique == ALONE or {"connection of shaded cells"} < {*step.houses}
            more += step.technique == WITH_MARK
        assert not any(wanted[cell] & ~grid.left[cell] for cell in range(grid.layout.cells))
    assert more


@pytest.mark.parametrize(("name", "without", "shades"), [
    ("yin-yang", 1, 5), ("cave", 9, 28), ("connected-group", 2, 0), ("chaos-count", 1, 0)])  # fmt: skip
def test_with_several_solutions_nothing_is_excluded_that_one_of_them_has(name: str, without: int, shades: int) -> None:
    puzzle, random = puzzle_in(f"variants/{name}.toml"), Random(name)
    (solution,) = satdoku.check(puzzle).grids
    board, left = puzzle.board, list(puzzle.candidates)
    for cell in [cell for cell, value in enumerate(puzzle.givens) if value][:without]:
        left[cell] = board.every_value
    for cell in random.sample(range(board.grid_cells, board.cells), shades):
        left[cell] = 1 << solution[cell]
    fewer = Puzzle(board, tuple(left))
    wanted, grid = list(satdoku.candidates(fewer).possible), grid_of(fewer, unique=False)
    assert any(each & (each - 1) for each in wanted)
    assert {ALONE, WITH_MARK} & {step.technique for step in steps(grid, ordered(hardest=Level.SUBSETS))}
    assert not any(wanted[cell] & ~grid.left[cell] for cell in range(grid.layout.cells))


def sentence(kind: str, shades: str, value: str | None = None) -> str:
    """Of the first step where the cells of a square are shaded `#`, not shaded `.`, or not known `?`."""
    board = build(SIDE, (Mark("boxes", value="2x2"), Mark("shading"), Mark(kind, value=value)))
    left = ({"#": SHADED, ".": UNSHADED, "?": SHADED | UNSHADED}[shade] for shade in shades.replace(" ", ""))
    grid = CandidateGrid(Puzzle(board, (*(board.every_value,) * SIDE**2, *left)))
    return next(techniques()[ALONE].steps(grid)).sentence(board)


def test_reasons_name_what_is_cut_off_and_what_would_be() -> None:
    assert sentence("connected-shading", "#.?? ?.?? .... ....") == (
        "shading_r1c3<>2, shading_r1c4<>2, shading_r2c3<>2, shading_r2c4<>2 (connected cells): connection of shaded "
        "cells: no way leads to these from shading_r1c1"
    )
    assert sentence("connected-shading", "#.?? ?.#? ???. ....") == (
        "shading_r2c1<>1 (connected cells): connection of shaded cells: without shading_r2c1 no way leads from "
        "shading_r1c1 to shading_r2c3"
    )


def test_reasons_name_how_many_cells_are_connected() -> None:
    group = ("r1c1", "r1c2", "r1c3", "r2c3", "r3c1", "r4c1")
    marks = (Mark("boxes", value="2x2"), Mark("connected-group", tuple(map(place, group)), value="1 2: 3"))
    board = build(SIDE, marks)
    few, both = 0b11000, board.every_value

    def text(*left: int) -> list[str]:
        cells = {4 * (int(name[1]) - 1) + int(name[3]) - 1: allowed for name, allowed in zip(group, left, strict=True)}
        grid = CandidateGrid(Puzzle(board, tuple(cells.get(cell, both) for cell in range(16))))
        return [step.because.partition(": ")[2] for step in techniques()[ALONE].steps(grid)]

    assert text(both, both, both, few, both, both)[:2] == [
        "of these and their neighbours fewer than 3 could be",
        "without r1c1 fewer than 3 could be",
    ]
    far = "they are 3, and a way from r1c1 to these would make them more"
    assert text(0b110, both, both, both, few, few)[0] == far


def place(name: str) -> tuple[int, int]:
    return int(name[1]), int(name[3])
