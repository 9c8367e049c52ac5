"""Cayley tables that have the givens of a puzzle, and solutions like a solution."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from satdoku import AllDifferent, Board, Budget, Ending, Puzzle, backends, classic, read
from satdoku import testing as kit
from satdoku.backends import cayley, swaps
from satdoku.backends.cayley import completed
from satdoku.constraints import Grid
from satdoku.errors import Refused
from satdoku.referee import violations


def shifted(box: int, seed: int = 0) -> list[int]:
    """A full grid: one row, shifted for each other, with bands, stacks, their lines and the values in random orders."""
    rng, size = Random(seed), box * box

    def lines() -> list[int]:
        return [box * band + line for band in rng.sample(range(box), box) for line in rng.sample(range(box), box)]

    rows, columns, values = lines(), lines(), rng.sample(range(1, size + 1), size)
    return [values[(box * (row % box) + row // box + column) % size] for row in rows for column in columns]


def holes(grid: Sequence[int], count: int, seed: int = 0) -> list[int]:
    empty = set(Random(seed).sample(range(len(grid)), count))
    return [0 if cell in empty else value for cell, value in enumerate(grid)]


def latin(size: int) -> Board:
    lines = [tuple(range(first, first + size)) for first in range(0, size * size, size)]
    lines += [tuple(range(first, size * size, size)) for first in range(size)]
    return Board(size * size, size, size, tuple(AllDifferent(line, f"line {i}") for i, line in enumerate(lines)))


def found(puzzle: Puzzle, budget: Budget = Budget(2)) -> tuple[list[Grid], Ending | None]:  # noqa: B008
    return kit.collect(backends.find("cayley").search(puzzle, budget))


def refused(puzzle: Puzzle) -> None:
    with pytest.raises(Refused, match="its givens make no Cayley table, and backend cayley does not search"):
        found(puzzle)


@pytest.mark.parametrize(("box", "open_cells"), [(3, 16), (4, 90), (6, 600), (8, 2200)])
def test_a_shifted_row_is_found_again(box: int, open_cells: int) -> None:
    grid = shifted(box)
    puzzle = Puzzle.from_givens(classic(box, box), holes(grid, open_cells))
    assert found(puzzle) == ([tuple(grid)], Ending.TIMEOUT), "nothing is said of other solutions"
    assert found(puzzle, Budget(1)) == ([tuple(grid)], Ending.LIMIT)


def test_a_group_need_not_be_commutative() -> None:
    group = list(permutations(range(3)))
    values = Random(5).sample(range(1, 7), 6)
    table = [values[group.index(tuple(one[other[i]] for i in range(3)))] for one in group for other in group]
    assert any(table[6 * a + b] != table[6 * b + a] for a in range(6) for b in range(6))
    assert found(Puzzle.from_givens(latin(6), holes(table, 8, 2))) == ([tuple(table)], Ending.TIMEOUT)


def test_lines_without_givens_change_places() -> None:
    grid = shifted(3)
    given = [0 if cell % 9 in (3, 4) or cell < 9 else value for cell, value in enumerate(grid)]
    grids, ending = found(Puzzle.from_givens(classic(3, 3), given), Budget(9))
    assert tuple(grid) in grids and len(grids) == 2 and ending is Ending.TIMEOUT
    far = [0 if cell % 9 in (0, 4) else value for cell, value in enumerate(grid)]
    assert found(Puzzle.from_givens(classic(3, 3), far))[0] == [tuple(grid)], "boxes say where they go"
    many = [0 if cell % 9 < 5 else value for cell, value in enumerate(grid)]
    grids, ending = found(Puzzle.from_givens(classic(3, 3), many))
    assert (len(grids), ending) == (2, Ending.LIMIT)


def test_what_is_no_such_table_is_refused() -> None:
    hard = read("85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.")
    grid = shifted(4)
    swapped = [{1: 2, 2: 1}.get(value, value) if cell < 16 else value for cell, value in enumerate(grid)]
    other = Puzzle.from_givens(latin(16), [0 if cell % 16 == 7 else value for cell, value in enumerate(swapped)])
    few = Puzzle.from_givens(classic(4, 4), holes(grid, 240))
    for puzzle in (hard, other, few, Puzzle.from_givens(classic(3, 3), {})):
        refused(puzzle)


def test_candidates_are_kept() -> None:
    grid = shifted(4)
    puzzle = Puzzle.from_givens(classic(4, 4), holes(grid, 110))
    cell = next(cell for cell, value in enumerate(puzzle.givens) if not value)
    allowed = [
        puzzle.candidates[cell] & ~(1 << grid[cell]) if i == cell else each for i, each in enumerate(puzzle.candidates)
    ]
    refused(Puzzle(puzzle.board, tuple(allowed)))


@pytest.mark.parametrize(
    "text",
    ['size = 9\nboxes = "none"\nrules = ["anti-knight"]\ncage = [{ cells = "r1c1 r1c2", value = 5 }]', "size = '6x8'"],
)
def test_other_boards_are_refused(text: str) -> None:
    reason = backends.find("cayley").refuses(read(text).board)
    assert reason == "it takes square boards, in whose rows and columns each value is once"


def test_the_time_bounds_it() -> None:
    puzzle = Puzzle.from_givens(classic(6, 6), holes(shifted(6), 600))
    assert found(puzzle, Budget(2, 1e-9)) == ([], Ending.TIMEOUT)


def test_the_default_uses_it_where_the_compiled_search_is_not_enough() -> None:
    puzzle = Puzzle.from_givens(classic(8, 8), holes(shifted(8), 2000))
    engine: Any = backends.find("auto")
    grids, ending = kit.collect(engine.search(puzzle, Budget(2)))
    assert engine.chosen == "cayley" and engine.tried == ("native",)
    assert (len(set(grids)), ending) == (2, Ending.LIMIT), "the second one by rows that exchange values"
    assert not [fault for grid in grids for fault in violations(puzzle, grid)]
    engine.close()


def test_solutions_like_a_solution_are_solutions() -> None:
    grid = shifted(4)
    puzzle = Puzzle.from_givens(classic(4, 4), holes(grid, 190))
    every = list(swaps.exchanged(puzzle, tuple(grid)))
    assert len(set(every)) == len(every) > 5 and tuple(grid) not in every
    for each in every:
        assert not list(violations(puzzle, each))
        rows = {cell // 16 for cell in range(256) if each[cell] != grid[cell]}
        columns = {cell % 16 for cell in range(256) if each[cell] != grid[cell]}
        assert 2 in (len(rows), len(columns)), "two rows of a band, or two columns of a stack"
    assert len({len({cell // 16 for cell in range(256) if each[cell] != grid[cell]}) == 2 for each in every}) == 2


def test_a_cycle_with_a_given_is_none() -> None:
    grid = tuple(shifted(4))
    puzzle = Puzzle.from_givens(classic(4, 4), holes(grid, 150))
    changed = next(swaps.exchanged(puzzle, grid))
    cell = next(cell for cell in range(256) if changed[cell] != grid[cell])
    given = [grid[cell] if cell == at else value for at, value in enumerate(puzzle.givens)]
    assert changed not in swaps.exchanged(Puzzle.from_givens(puzzle.board, given), grid)


def test_cells_change_places_only_if_they_may() -> None:
    grid = tuple(shifted(4))
    puzzle = Puzzle.from_givens(classic(4, 4), holes(grid, 150))
    changed = next(swaps.exchanged(puzzle, grid))
    cell = next(cell for cell in range(256) if changed[cell] != grid[cell])
    allowed = list(puzzle.candidates)
    allowed[cell] &= ~(1 << changed[cell])
    assert changed not in swaps.exchanged(Puzzle(puzzle.board, tuple(allowed)), grid)


def test_a_search_goes_on_after_them() -> None:
    grids = [tuple(shifted(6, seed)) for seed in range(3)]
    puzzle = Puzzle.from_givens(classic(6, 6), holes(grids[0], 650))
    like = list(swaps.exchanged(puzzle, grids[0]))

    def search() -> Any:
        yield from (grids[0], like[3], *grids[1:])
        return Ending.EXHAUSTED

    every, ending = kit.collect(swaps.with_swaps(search(), puzzle, 1_000))
    assert every == [grids[0], *like, *grids[1:]] and ending is Ending.EXHAUSTED
    for most in (None, 1_001):
        assert kit.collect(swaps.with_swaps(search(), puzzle, most))[0] == [grids[0], like[3], *grids[1:]]
    assert kit.collect(swaps.with_swaps(search(), puzzle, 2)) == ([grids[0], like[0]], Ending.LIMIT)
    small = read("13....3131...213")
    assert kit.collect(swaps.with_swaps(backends.find("native").search(small, Budget(2)), small, 2))[1] is Ending.LIMIT


@pytest.mark.parametrize("module", [cayley, swaps], ids=lambda module: module.__name__)
def test_the_examples_of_docstrings(module: Any) -> None:
    outcome = doctest.testmod(module)
    assert outcome.failed == 0 and outcome.attempted > 0


def test_tables_of_a_group_by_themselves() -> None:
    square = np.array(shifted(3)).reshape(9, 9)
    square[4] = 0
    (table,) = completed(square)
    assert table.ravel().tolist() == shifted(3)
    square[0, [2, 3]] = square[0, [3, 2]]
    assert list(completed(square)) == []


def test_givens_that_stand_alone() -> None:
    grid = np.array(shifted(4)).reshape(16, 16)
    alone = grid.copy()
    alone[:2, 2:] = alone[2:, :2] = alone[1, 0] = alone[0, 1] = 0  # two rows and two columns have two givens
    (table,) = completed(alone)  # of four orders
    assert (table == grid).all()
    far = grid.copy()
    far[:6, 1:] = 0  # six rows have one column, which the row with the most givens has not
    far[7, 0] = far[6, 3:5] = far[8:, 3:5] = 0
    (table,) = completed(far)
    assert (table == grid).all()
