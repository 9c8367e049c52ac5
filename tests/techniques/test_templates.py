"""Values are passed over where each place is in a template, and are looked at again when places are gone."""

from __future__ import annotations

from random import Random

import pytest
from support.puzzles import puzzle_in

import satdoku
from satdoku import Board, Mark, Puzzle, classic
from satdoku.puzzle import members
from satdoku.techniques import templates
from satdoku.techniques.grid import CandidateGrid, cell_set
from satdoku.techniques.ladder import grid_of, next_step, ordered, steps
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level
from satdoku.variants import build

BOARDS = {
    "plain": classic(3, 3),
    "windoku": build(9, (Mark("boxes", value="3x3"), Mark("windoku"))),
    "anti-knight": build(9, (Mark("boxes", value="3x3"), Mark("anti-knight"))),
    "rows and columns": build(9, ()),
}
OF_ONE_VALUE = (
    "X-wing", "swordfish", "jellyfish", "finned X-wing", "sashimi X-wing", "finned swordfish", "sashimi swordfish",
    "finned Franken X-wing", "skyscraper", "two-string kite", "turbot fish", "empty rectangle", "X-chain",
    "simple colours (trap)", "simple colours (wrap)", "multi colours (type 1)", "multi colours (type 2)",
)  # fmt: skip


def positions(board: Board, name: str) -> list[CandidateGrid]:
    """Some of the way to a solution at random, without singles."""
    random, grids = Random(name), list[CandidateGrid]()
    for many in (18, 22, 26):
        start = Puzzle.from_givens(board, {random.randrange(board.cells): random.randint(1, board.values)})
        solution = satdoku.solve(start).grid
        assert solution is not None
        givens = {cell: solution[cell] for cell in random.sample(range(board.cells), many)}
        grid = grid_of(Puzzle.from_givens(board, givens), unique=False)
        for step in steps(grid, ordered(hardest=Level.LOCKED)):
            assert step
        grids.append(grid)
    return grids


@pytest.mark.parametrize("name", [*BOARDS])
def test_nothing_is_left_of_values_that_are_passed_over(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, passed = techniques(), 0
    for grid in positions(BOARDS[name], name):
        every = [value for value in range(1, 10) if grid.places[value]]
        passed += len(every) - len(templates.excludable(grid))
        found = {each: [*table[each].steps(grid.copy())] for each in OF_ONE_VALUE}
        with monkeypatch.context() as patch:
            patch.setattr(templates, "_excludable", lambda grid, every=every: every)
            assert found == {each: [*table[each].steps(grid.copy())] for each in OF_ONE_VALUE}
    assert passed


def in_template(grid: CandidateGrid, taken: int, left: int, houses: list[int]) -> bool:
    """Whether places can be added to some so that each house has one."""
    todo = [house for house in houses if not house & taken]
    if not todo:
        return True
    return any(
        in_template(grid, taken | 1 << cell, left & ~grid.layout.peers[cell] & ~(1 << cell), houses)
        for cell in members(min((house & left for house in todo), key=int.bit_count))
    )


@pytest.mark.parametrize("name", [*BOARDS])
def test_the_others_have_a_place_in_no_template(name: str) -> None:
    for grid in positions(BOARDS[name], name):
        for value, places in enumerate(grid.places):
            houses = [places & house for house in grid.layout.house_cells if places & house]
            covered = all(
                in_template(grid, 1 << cell, places & ~grid.layout.peers[cell] & ~(1 << cell), houses)
                for cell in members(places)
            )
            assert covered is (value not in templates.excludable(grid))


def test_a_value_is_looked_at_again_when_places_are_gone() -> None:
    board, table = classic(3, 3), techniques()
    grid = CandidateGrid(Puzzle(board, (board.every_value,) * 81))
    assert not templates.excludable(grid)
    assert not [*table["X-wing"].steps(grid)]
    rows = [cell for cell in range(81) if cell // 9 in (0, 4) and cell % 9 not in (2, 7)]
    grid.strike([(1, cell_set(rows))])
    assert templates.excludable(grid) == [1]
    (step,) = table["X-wing"].steps(grid)
    step.apply(grid)
    assert not templates.excludable(grid)
    grid.place(2, 1)  # which leaves 1 one place in the other row
    assert templates.excludable(grid) == [1]
    grid.place(43, 1)
    assert not templates.excludable(grid)


@pytest.mark.parametrize("name", ["9x9_hard.txt", "variants/windoku.toml"])
def test_no_step_depends_on_what_was_looked_at_before(name: str) -> None:
    grid, order = grid_of(puzzle_in(name), unique=True), ordered(hardest=Level.CHAINS)
    for step in steps(grid, order):
        fresh = grid.copy()
        fresh.seen = {}
        assert next_step(fresh, order) == step
