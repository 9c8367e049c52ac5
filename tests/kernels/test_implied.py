"""Implied sums: no solution breaks them, they are named for people, and the referee does not know them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from satdoku import AllDifferent, Board, Budget, Linear, Puzzle, Verdict, check, classic
from satdoku.backends import propagation
from satdoku.backends.native import Native
from satdoku.constraints import Constraint, Grid
from satdoku.implied import MAX_CELLS, OUTSIDE, _regions, implied
from satdoku.implied.lines import sums_of_lines
from satdoku.limits import TimeIsUp, bounded_time


def solution(rng: Random, rows: int, columns: int) -> Grid:
    """A grid of the board with such boxes, shuffled."""
    size = rows * columns
    names = rng.sample(range(1, size + 1), size)
    pattern = ((columns * (r % rows) + r // rows + c) % size for r in range(size) for c in range(size))
    return tuple(names[place] for place in pattern)


def caged(rng: Random, board: Board, grid: Grid) -> Board:
    """The board with cages of two to four cells, each grown from side to side; a few cells stay outside."""
    size, free = board.values, set(range(board.cells))
    rules: list[Constraint] = list(board.constraints)
    while len(free) > board.cells // 8:
        cage = [rng.choice(sorted(free))]
        for _ in range(rng.randint(1, 3)):
            steps = ((cell, step) for cell in cage for step in (-size, size, -1, 1))
            beside = {cell + step for cell, step in steps if abs(step) == size or (cell + step) // size == cell // size}
            cage += rng.sample(sorted((beside & free) - set(cage)), 1) if (beside & free) - set(cage) else []
        free -= set(cage)
        rules.append(Linear(tuple(cage), (1,) * len(cage), sum(grid[cell] for cell in cage), f"cage at {cage[0]}"))
    return Board(board.cells, size, board.columns, tuple(rules), board.marks)


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 3), (4, 4)], ids=str)
def test_no_solution_breaks_an_implied_sum(box: tuple[int, int]) -> None:
    rng, found = Random(f"{box}"), 0
    for _ in range(40):
        grid = solution(rng, *box)
        board = caged(rng, classic(*box), grid)
        sums = implied(board, rng.choice((MAX_CELLS, 9)), rng.choice((OUTSIDE, (0, 1, 2, 3))))
        found += len(sums)
        assert all(rule.holds(grid) and 1 <= len(rule.cells) <= 9 for rule in sums)
        assert len({(rule.cells, rule.coefficients) for rule in sums}) == len(sums)
    assert found > 40


def lined(rng: Random, board: Board, grid: Grid) -> Board:
    """The board with sums across a house, each over some of its cells and others anywhere; perhaps not over all."""
    cells = list(rng.choice(board.houses).cells)
    free = rng.sample([cell for cell in range(board.cells) if cell not in cells], 2 * len(cells))
    rng.shuffle(cells)
    rules = list[Constraint]()
    while len(cells) > rng.choice((0, 0, 2)):
        line = [cells.pop() for _ in range(min(len(cells), rng.randint(2, 4)))]
        line += [free.pop() for _ in range(rng.choice((0, 0, 1, 2)))]
        rules.append(Linear(tuple(line), (1,) * len(line), sum(grid[cell] for cell in line), f"{line}"))
    return Board(board.cells, board.values, board.columns, (*board.constraints, *rules), board.marks)


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 3), (4, 4)], ids=str)
def test_no_solution_breaks_a_sum_across_a_house(box: tuple[int, int]) -> None:
    rng, found = Random(f"{box}"), 0
    for _ in range(150):
        grid = solution(rng, *box)
        board = lined(rng, classic(*box), grid)
        sums = [each.linear() for each in sums_of_lines(board)]
        found += len(sums)
        assert all(rule.holds(grid) for rule in sums)
        assert len({rule.cells for rule in sums}) == len(sums)
    assert found > 5


def test_a_sum_across_a_house_that_no_grid_has_is_a_contradiction() -> None:
    """Row 1 of 10 leaves r3c1 and r3c3 a sum of 8, and in a row they have 7 at most."""
    lines = Linear((0, 1, 8), (1, 1, 1), 9, "line"), Linear((2, 3, 10), (1, 1, 1), 9, "line")
    board = Board(16, 4, 4, (*classic(2, 2).constraints, *lines))
    found, *_ = sums_of_lines(board)
    assert found.linear().name == "the 2 cells that the sums across row 1 leave outside it sum to 8"
    assert check(Puzzle.from_givens(board, {}), backend="native").verdict is Verdict.UNSOLVABLE


def test_no_solution_breaks_sums_that_are_added_up() -> None:
    rng, found = Random("together"), 0
    for _ in range(60):
        grid = solution(rng, 3, 3)
        diagonals = [[9 * row + row + shift for row in range(9) if 0 <= row + shift < 9] for shift in range(-4, 5)]
        mirrored = [[9 * (8 - cell // 9) + cell % 9 for cell in line] for line in diagonals]
        lines = rng.sample(diagonals, 4) + rng.sample(mirrored, 4)
        rules = [Linear(tuple(line), (1,) * len(line), sum(grid[cell] for cell in line), f"{line}") for line in lines]
        sums = [each.linear() for each in sums_of_lines(Board(81, 9, 9, (*classic(3, 3).constraints, *rules)))]
        found += sum("together" in rule.name for rule in sums)
        assert all(rule.holds(grid) for rule in sums)
    assert found > 5


def test_diagonals_through_the_same_boxes_are_added_up() -> None:
    """Eight little killers of 49; without the added sums the search has no verdict after a minute."""
    starts = {(0, 8): -1, (0, 7): -1, (8, 1): -1, (8, 2): -1, (6, 8): -1, (0, 0): 1, (1, 0): 1, (2, 0): 1}
    rules = list[Constraint]()
    for (row, column), step in starts.items():
        down = 1 if row in (0, 1, 2) else -1
        line, across = list[int](), step * down if row == 8 else step
        while 0 <= row < 9 and 0 <= column < 9:
            line.append(9 * row + column)
            row, column = row + down, column + across
        rules.append(Linear(tuple(line), (1,) * len(line), 49, f"little killer {line}"))
    board = Board(81, 9, 9, (*classic(3, 3).constraints, *rules))
    assert "of 4 sums together" in " ".join(each.linear().name for each in sums_of_lines(board))
    found = check(Puzzle.from_givens(board, {}), backend="native", timeout=60)
    assert found.verdict is Verdict.UNSOLVABLE


def test_boards_of_cages_have_no_sums_of_lines() -> None:
    row = AllDifferent((0, 1, 9), "cage")
    board = classic(3, 3)
    assert sums_of_lines(Board(81, 9, 9, (*board.constraints, row, Linear((0, 1, 9), (1, 1, 1), 6, "cage")))) == []
    assert sums_of_lines(board) == []


def test_they_are_named_for_people() -> None:
    row = tuple(range(9))
    cages: tuple[Linear, ...] = (Linear(row[:3], (1,) * 3, 20, "cage 20"), Linear((3, 12), (1, 1), 7, "cage 7"))
    board = Board(81, 9, 9, (*classic(3, 3).constraints, *cages))
    names = {rule.name for rule in implied(board)}
    assert "row 1: 5 cells outside its cages minus 1 cell of its cages outside it make 18" not in names  # six cells
    names = {rule.name for rule in implied(board, 6)}
    assert "row 1: 5 cells outside its cages minus 1 cell of its cages outside it make 18" in names
    cages = (*cages, Linear(row[4:7], (1,) * 3, 10, "cage 10"))
    names = {rule.name for rule in implied(Board(81, 9, 9, (*classic(3, 3).constraints, *cages)))}
    assert "the 3 cells of row 1 outside its cages sum to 15" in names
    assert "row 1: 2 cells outside its cages minus 1 cell of its cages outside it make 8" in names


def test_cages_that_reach_far_out_of_a_house_do_not_hide_those_that_hardly_do() -> None:
    cages = {(5, 6, 7, 8): 26, (0, 1, 2, 9): 16, (3, 4, 12, 13): 18}
    rules = [Linear(cells, (1,) * len(cells), total, f"cage {total}") for cells, total in cages.items()]
    board = Board(81, 9, 9, (*classic(3, 3).constraints, *rules))
    both = {"the 3 cells outside row 1 of its cages sum to 15": (9, 12, 13)}
    one = {"row 1: 2 cells outside its cages minus 1 cell of its cages outside it make 3": (3, 4, 9)}
    for outside, expected in (((0, 1, 2, 3), both | one), ((0, 2), both), ((1,), one), ((0,), {})):
        found = implied(board, outside=outside)
        assert {rule.name: rule.cells for rule in found if "row 1" in rule.name and len(rule.cells) < 5} == expected


def test_cages_that_fill_a_house_with_a_wrong_sum_are_a_contradiction() -> None:
    cages = (Linear((0, 1), (1, 1), 4, "cage 4"), Linear((2, 3), (1, 1), 7, "cage 7"))
    board = Board(16, 4, 4, (*classic(2, 2).constraints, *cages))
    assert any(not rule.cells and rule.total == -1 for rule in implied(board))
    assert check(Puzzle.from_givens(board, {}), backend="native").verdict is Verdict.UNSOLVABLE


def test_boards_without_cages_or_without_houses_have_none() -> None:
    assert implied(classic(3, 3)) == ()
    assert implied(Board(4, 4, 2, (Linear((0, 1), (1, 1), 5, "cage"),))) == ()
    assert implied(Board(4, 9, 2, (AllDifferent((0, 1), "pair"), Linear((0, 1), (1, 1), 5, "cage")))) == ()


@pytest.mark.parametrize("plain", [1, 2, 5, 20])
def test_each_grid_is_found_once_though_the_search_begins_anew_with_them(
    plain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, anew, compiled = Random(plain), 0, Native()
    for _ in range(30):
        whole = caged(rng, classic(2, 3), solution(rng, 2, 3))
        kept = rng.sample(whole.others, len(whole.others) * 2 // 3)
        puzzle = Puzzle.from_givens(replace(whole, constraints=(*whole.all_different, *kept)), {})
        grids = []
        for nodes in (plain, 1 << 40):
            monkeypatch.setattr(propagation, "PLAIN_NODES", nodes)
            grids.append(list(compiled.search(puzzle, Budget(300))))
            anew += len(grids) == 1 and len(grids[0]) > plain
        assert len(grids[0]) == len(set(grids[0])) == len(grids[1])
        assert len(grids[0]) == 300 or set(grids[0]) == set(grids[1])
    assert anew > 10


def test_a_timeout_ends_the_search_for_regions() -> None:
    houses = tuple((house.cells, house.name) for house in classic(5, 5).houses)
    with bounded_time(0), pytest.raises(TimeIsUp):
        _regions(houses, classic(5, 5).size)
