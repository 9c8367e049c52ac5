"""Exact counts are those of the literature, of enumeration, of symmetry images and of a second method."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import active_count

import numpy as np
import pytest

from satdoku import Puzzle, Verdict, check, classic
from satdoku import count as enumerate_all
from satdoku.counting import templates
from satdoku.counting.clues import clues_of
from satdoku.counting.exact import AnyPlan, count, count_by_cell, plan, sum_of
from satdoku.counting.nine import NineSum
from satdoku.counting.partitions import BandTriples, band_of, exchange, image, line_ids, orthogonal
from satdoku.counting.sums import MAX_ARRANGEMENTS, max_run
from satdoku.errors import Refused
from satdoku.kernels.simd import WIDTH
from satdoku.kernels.sums import product
from satdoku.system.clock import Deadline

FULL = tuple((3 * (row % 3) + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9))


def some_clues(number: int, random: Random) -> Puzzle:
    """A 9x9 puzzle with so many clues of a relabelled grid."""
    digits = random.sample(range(1, 10), 9)
    cells = random.sample(range(81), number)
    return Puzzle.from_givens(classic(3, 3), {cell: digits[FULL[cell] - 1] for cell in cells})


def total(puzzle: Puzzle) -> int:
    found = plan(puzzle)
    assert found is not None
    counted = count(found)
    assert counted.exact
    return counted.count


@pytest.mark.parametrize(
    ("rows", "columns", "number"),
    [
        (2, 2, 288),
        (2, 3, 28_200_960),
        (3, 2, 28_200_960),
        (2, 4, 29_136_487_207_403_520),
        (4, 2, 29_136_487_207_403_520),
        (3, 3, 6_670_903_752_021_072_936_960),
    ],
)
def test_empty_boards_have_the_known_numbers_of_grids(rows: int, columns: int, number: int) -> None:
    assert total(Puzzle.from_givens(classic(rows, columns), {})) == number


@pytest.mark.parametrize("clues", [22, 25, 28])
def test_sums_count_what_enumeration_counts(clues: int) -> None:
    random = Random(clues)
    for _ in range(3):
        puzzle = some_clues(clues, random)
        outcome = enumerate_all(puzzle, limit=200_000, backend="native")
        assert outcome.exact
        assert outcome.count == total(puzzle)


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2)])
def test_sums_of_small_boards_count_what_enumeration_counts(box: tuple[int, int]) -> None:
    random, board = Random(str(box)), classic(*box)
    for number in range(8):
        cells = random.sample(range(board.cells), 2 + number)
        puzzle = Puzzle.from_givens(board, {cell: random.randint(1, board.values) for cell in cells})
        assert total(puzzle) == enumerate_all(puzzle, limit=None, backend="native").count


@pytest.mark.slow
def test_sums_count_what_long_enumeration_counts() -> None:
    random = Random(1)
    for number in range(24):
        puzzle = some_clues(17 + number % 8, random)
        outcome = enumerate_all(puzzle, limit=2 * 10**6, backend="native")
        assert outcome.count == total(puzzle) if outcome.exact else outcome.count <= total(puzzle)


@pytest.mark.parametrize("clues", [pytest.param(0, marks=pytest.mark.slow), 14, 20])
def test_the_values_of_a_cell_share_the_solutions(clues: int) -> None:
    random = Random(clues)
    puzzle = some_clues(clues, random)
    cell = random.choice([cell for cell, value in enumerate(puzzle.givens) if not value])
    by_cell = count_by_cell(puzzle, cell)
    assert by_cell is not None
    assert by_cell.exact
    assert by_cell.count == total(puzzle)


@pytest.mark.slow
def test_the_values_of_a_cell_share_the_solutions_of_23_puzzles() -> None:
    random = Random(2)
    for number in range(23):
        puzzle = some_clues(number, random)
        open_cells = [cell for cell, value in enumerate(puzzle.givens) if not value]
        by_cell = count_by_cell(puzzle, random.choice(open_cells))
        assert by_cell is not None
        assert by_cell.count == total(puzzle)


@pytest.mark.slow
def test_8x8_values_of_a_cell_share_the_solutions() -> None:
    puzzle = Puzzle.from_givens(classic(2, 4), {0: 1, 57: 1, 21: 4, 54: 4})
    by_cell = count_by_cell(puzzle, 36)
    assert by_cell is not None
    assert by_cell.count == total(puzzle)


def turned(puzzle: Puzzle, random: Random) -> Puzzle:
    """A random symmetry image: bands, stacks, rows, columns and digits exchanged, perhaps transposed."""
    grid = np.array(puzzle.givens).reshape(9, 9)
    for _ in range(2):
        lines = [3 * band + row for band in random.sample(range(3), 3) for row in random.sample(range(3), 3)]
        grid = grid[lines].T
    digits = np.array([0, *random.sample(range(1, 10), 9)])
    grid = digits[grid] if random.random() < 0.5 else digits[grid].T
    return Puzzle.from_givens(puzzle.board, grid.ravel().tolist())


@pytest.mark.parametrize("clues", [3, 13, 17])
def test_symmetry_images_have_as_many_solutions(clues: int) -> None:
    random = Random(100 + clues)
    puzzle = some_clues(clues, random)
    assert total(turned(puzzle, random)) == total(puzzle)


def test_digit_templates_count_the_same() -> None:
    random = Random(4)
    for clues in (22, 25, 30):
        puzzle = some_clues(clues, random)
        assert templates.count(puzzle) == count(plan(puzzle))  # type: ignore[arg-type]


def test_digit_templates_stop_as_a_lower_bound() -> None:
    few = templates.count(some_clues(4, Random(1)))
    late = templates.count(some_clues(25, Random(1)), Deadline(0.0))
    assert (few.count, few.exact, late.count, late.exact) == (0, False, 0, False)
    with pytest.raises(Refused, match="plain 9x9"):
        templates.count(Puzzle.from_givens(classic(2, 2), {}))


def test_a_puzzle_without_solutions_has_none() -> None:
    in_a_row = Puzzle.from_givens(classic(3, 3), {0: 5, 8: 5})
    in_a_box = Puzzle.from_givens(classic(3, 3), {0: 5, 10: 5})
    deep = Puzzle.from_givens(classic(3, 3), {3: 1, 4: 2, 5: 3, 15: 4, 16: 5, 17: 6, 18: 7, 1: 8, 2: 9, 9: 2, 10: 3})
    assert check(deep).verdict is Verdict.UNSOLVABLE
    assert [total(puzzle) for puzzle in (in_a_row, in_a_box, deep)] == [0, 0, 0]
    assert total(Puzzle.from_givens(classic(2, 4), {0: 5, 7: 5})) == 0


def test_a_full_grid_has_one_solution() -> None:
    assert total(Puzzle.from_givens(classic(3, 3), FULL)) == 1


def test_other_boards_have_no_plan() -> None:
    board = classic(3, 3)
    pencil_marks = Puzzle(board, (0b110, *(board.every_value,) * 80))
    diagonal = replace(board, constraints=board.constraints[:-1])
    larger = classic(2, 5)
    assert plan(pencil_marks) is None
    assert plan(Puzzle.from_givens(diagonal, {})) is None
    assert plan(Puzzle.from_givens(larger, {})) is None
    assert count_by_cell(Puzzle.from_givens(larger, {}), 0) is None


class Seen:
    """What a sum says of itself; stops it by an exception after so many updates."""

    def __init__(self, most: int | None = None) -> None:
        self.plan: AnyPlan | None = None
        self.most = most
        self.updates: list[tuple[int, int]] = []

    def enumerated(self, solutions: int) -> None: ...

    def begin(self, plan: AnyPlan) -> None:
        self.plan = plan

    def update(self, terms: int, solutions: int) -> None:
        self.updates.append((terms, solutions))
        if len(self.updates) == self.most:
            raise KeyboardInterrupt


def test_threads_share_a_sum_out() -> None:
    found, seen = plan(some_clues(10, Random(3))), Seen()
    assert found is not None
    assert count(found, jobs=3, watch=seen) == count(found)
    assert seen.plan == found
    assert seen.updates[-1] == (found.terms, count(found).count)


def test_a_stop_leaves_a_lower_bound() -> None:
    found, seen = plan(some_clues(9, Random(5))), Seen()
    assert found is not None
    stopped, whole = count(found, Deadline(0.0), watch=seen), count(found)
    assert not stopped.exact
    assert 0 < stopped.count < whole.count
    assert [solutions for _, solutions in seen.updates] == [stopped.count]
    assert found.seconds > 0
    assert found.counted_by == "box partitions"


def test_a_sum_stops_when_solutions_are_enough() -> None:
    found = plan(some_clues(9, Random(5)))
    assert found is not None
    some = count(found, enough=2_000_000)
    assert not some.exact
    assert 2_000_000 <= some.count < count(found).count


def test_an_interrupt_ends_the_threads() -> None:
    found, before = plan(some_clues(9, Random(5))), active_count()
    assert found is not None
    with pytest.raises(KeyboardInterrupt):
        count(found, jobs=2, watch=Seen(1))
    assert active_count() == before


def test_tables_are_within_the_bounds_of_their_integers() -> None:
    clues = clues_of(Puzzle.from_givens(classic(3, 3), {}))
    assert clues is not None
    added = NineSum(clues)
    largest = max(int(table.max()) for table in added.tables)
    assert largest == 1728
    for entry in (largest, MAX_ARRANGEMENTS):
        run = max_run(entry)
        assert run >= 1
        assert run * 2 * entry**2 < 2**31 <= (run + 1) * 2 * entry**2
    assert MAX_ARRANGEMENTS < 2**15
    with pytest.raises(AssertionError):
        max_run(MAX_ARRANGEMENTS + 1)
    # One x of the empty board, all z together: what the loops add to int64.
    inner = sum(int(added.sums(part, added.groups[0], 0, 1).sum()) for part in range(added.parts))
    assert 7.0e16 < inner < 7.2e16


def test_pairs_of_products_are_summed() -> None:
    random = np.random.default_rng(1)
    first, second = random.integers(-(2**14), 2**14, (2, WIDTH)).astype(np.int16)
    found = np.zeros((1, 1), np.int64)
    product(first[None], second[None], np.zeros(WIDTH // 2, np.int32), found)
    assert found[0, 0] == (first.astype(np.int64) * second).sum()


def test_a_wrong_symmetry_is_noticed() -> None:
    clues = clues_of(Puzzle.from_givens(classic(3, 3), {0: 1, 1: 2}))
    assert clues is not None
    line: BandTriples = band_of(clues, 0)
    with pytest.raises(AssertionError, match="symmetry"):
        image(line, (exchange(1, 4), (0, 1, 2)))
    with pytest.raises(AssertionError, match="symmetry"):
        image(line, (tuple(range(9)), (1, 0, 2)))


def test_tables_of_partitions() -> None:
    assert orthogonal().shape == (280, 36)
    assert all(row in orthogonal()[other] for row in (0, 100, 279) for other in orthogonal()[row])
    assert len(np.unique(line_ids(), axis=0)) == 15_400


def test_the_sum_of_a_board_is_kept() -> None:
    clues = clues_of(some_clues(20, Random(1)))
    assert clues is not None
    assert sum_of(clues) is sum_of(clues)
