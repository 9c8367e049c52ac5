"""Boards and puzzles: what can be, what they are called, and what the referee says of grids."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest

from satdoku import AllDifferent, Automaton, Board, Linear, Mark, Puzzle, PuzzleError, Table, classic
from satdoku.constraints import repeats
from satdoku.puzzle import broken, members, only
from satdoku.referee import violations

SOLVED = "249571638861432975573986142725698413698143257314725869937814526152369784486257391"
NINE = classic(3, 3)


def digits(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def nine(givens: dict[int, int]) -> Puzzle:
    return Puzzle.from_givens(NINE, givens)


def small(*rules: AllDifferent | Linear | Table | Automaton, cells: int = 4, columns: int = 2) -> Board:
    return Board(cells, 4, columns, rules)


class TestBoard:
    @pytest.mark.parametrize("sizes", [(0, 4, 2), (4, 0, 2), (4, 4, 0), (-1, 4, 2)])
    def test_needs_a_cell_a_value_and_a_column(self, sizes: tuple[int, int, int]) -> None:
        with pytest.raises(PuzzleError, match="at least one cell, one value and one column"):
            Board(*sizes, ())

    @pytest.mark.parametrize("cell", [4, -1])
    def test_refuses_a_constraint_on_a_cell_that_it_has_not(self, cell: int) -> None:
        with pytest.raises(PuzzleError, match=rf"^cage: cell {cell} is not on the board of 4 cells$"):
            small(Linear((0, cell), (1, 1), 3, "cage"))

    def test_refuses_more_different_cells_than_values(self) -> None:
        with pytest.raises(PuzzleError, match=r"^row: 5 cells cannot all differ with 4 values$"):
            small(AllDifferent((0, 1, 2, 3, 4), "row"), cells=5)

    def test_boards_of_the_same_rules_are_equal_and_hash_alike(self) -> None:
        first, second = (small(AllDifferent((0, 1), "cage")) for _ in range(2))
        assert first is not second
        assert first == second
        assert hash(first) == hash(second)

    @pytest.mark.parametrize(
        "other",
        [
            Board(5, 4, 2, (AllDifferent((0, 1), "cage"),)),
            Board(4, 5, 2, (AllDifferent((0, 1), "cage"),)),
            Board(4, 4, 1, (AllDifferent((0, 1), "cage"),)),
            Board(4, 4, 2, (AllDifferent((0, 2), "cage"),)),
            Board(4, 4, 2, ()),
            Board(4, 4, 2, (AllDifferent((0, 1), "cage"),), (Mark("cage"),)),
        ],
    )
    def test_boards_that_differ_anywhere_are_not_equal(self, other: Board) -> None:
        assert small(AllDifferent((0, 1), "cage")) != other

    def test_a_board_equals_nothing_but_boards(self) -> None:
        other: object = (4, 4, 2, (), ())
        assert small() != other

    def test_standard_boards_are_shared(self) -> None:
        assert classic(3, 3) is classic(3, 3) == NINE
        assert classic(2, 3) is not classic(3, 2)
        assert classic(2, 3) != classic(3, 2)

    def test_a_board_from_another_process_hashes_like_its_equal_here(self) -> None:
        write = (
            "import pickle, sys; from satdoku import classic\n"
            "hash(classic(2, 2)); pickle.dump(classic(2, 2), sys.stdout.buffer)"
        )
        for seed in ("1", "2"):  # one of them is not the seed of this process
            environment = os.environ | {"PYTHONHASHSEED": seed}
            sent = subprocess.run(
                [sys.executable, "-c", write], env=environment, capture_output=True, check=True
            ).stdout
            board = pickle.loads(sent)
            assert board == classic(2, 2)
            assert hash(board) == hash(classic(2, 2))

    def test_houses_are_the_all_differents_of_every_value(self) -> None:
        house, cage = AllDifferent((0, 1, 2, 3), "house"), AllDifferent((0, 1, 2), "cage")
        total = Linear((0, 1), (1, 1), 5, "sum")
        board = small(cage, total, house)
        assert board.houses == (house,)
        assert board.all_different == (cage, house)
        assert board.others == (total,)

    def test_a_classic_board_has_three_houses_a_cell(self) -> None:
        assert len(NINE.houses) == 27
        assert all(sum(cell in house.cells for house in NINE.houses) == 3 for cell in range(81))

    def test_boxes_are_rows_by_columns(self) -> None:
        box = next(house for house in classic(2, 3).houses if house.name == "box 2")
        assert box.cells == (3, 4, 5, 9, 10, 11)

    def test_labels_count_rows_and_columns_from_1(self) -> None:
        assert [NINE.label(cell) for cell in (0, 8, 9, 80)] == ["r1c1", "r1c9", "r2c1", "r9c9"]
        assert [small(cells=5, columns=3).label(cell) for cell in (2, 3)] == ["r1c3", "r2c1"]

    def test_every_value_has_a_bit_for_each(self) -> None:
        assert small().every_value == 0b11110


class TestPuzzle:
    def test_givens_become_single_candidates_and_empty_cells_keep_all(self) -> None:
        puzzle = Puzzle.from_givens(small(), [3, 0, 0, 1])
        assert puzzle.candidates == (0b1000, 0b11110, 0b11110, 0b10)
        assert puzzle.givens == (3, 0, 0, 1)

    def test_givens_may_be_a_mapping(self) -> None:
        assert Puzzle.from_givens(small(), {0: 3, 3: 1}) == Puzzle.from_givens(small(), [3, 0, 0, 1])

    @pytest.mark.parametrize("cell", [4, -1])
    def test_a_mapping_names_cells_of_the_board(self, cell: int) -> None:
        with pytest.raises(PuzzleError):
            Puzzle.from_givens(small(), {cell: 3})

    @pytest.mark.parametrize("value", [5, -1])
    def test_a_given_is_one_of_the_values(self, value: int) -> None:
        with pytest.raises(PuzzleError, match=rf"^r2c1: {value} is not one of 1..4$"):
            Puzzle.from_givens(small(), {2: value})

    @pytest.mark.parametrize("count", [3, 5])
    def test_as_many_givens_as_cells(self, count: int) -> None:
        with pytest.raises(PuzzleError, match=rf"^{count} sets of candidates for a board of 4 cells$"):
            Puzzle.from_givens(small(), [0] * count)

    @pytest.mark.parametrize("allowed", [0b1, 0b100000, -1])
    def test_candidates_are_bits_of_the_values(self, allowed: int) -> None:
        with pytest.raises(PuzzleError, match=r"^r1c2: a candidate is not one of 1..4$"):
            Puzzle(small(), (0b10, allowed, 0b10, 0b10))

    def test_puzzles_compare_and_are_frozen(self) -> None:
        assert nine({3: 1}) == nine({3: 1})
        assert nine({3: 1}) != nine({3: 2})
        assert len({nine({3: 1}), nine({3: 1})}) == 1
        with pytest.raises(FrozenInstanceError):
            nine({}).name = "other"  # type: ignore[misc]


class TestClashes:
    def test_a_value_twice_in_a_row_names_both_cells(self) -> None:
        assert list(nine({2: 6, 6: 6}).clashes()) == ["row 1 has 6 twice: r1c3 and r1c7"]

    def test_a_value_twice_in_a_column_and_in_a_box(self) -> None:
        assert list(nine({4: 1, 76: 1}).clashes()) == ["column 5 has 1 twice: r1c5 and r9c5"]
        assert list(nine({60: 9, 70: 9}).clashes()) == ["box 9 has 9 twice: r7c7 and r8c8"]

    def test_every_house_that_is_broken_speaks(self) -> None:
        assert list(nine({0: 5, 1: 5}).clashes()) == [
            "row 1 has 5 twice: r1c1 and r1c2",
            "box 1 has 5 twice: r1c1 and r1c2",
        ]

    def test_a_third_occurrence_is_reported_with_the_first(self) -> None:
        texts = list(nine({0: 5, 4: 5, 8: 5}).clashes())
        assert texts == ["row 1 has 5 twice: r1c1 and r1c5", "row 1 has 5 twice: r1c1 and r1c9"]

    def test_a_cell_without_candidates(self) -> None:
        assert list(Puzzle(small(), (0b10, 0b10, 0, 0b10)).clashes()) == ["r2c1 has no candidate"]

    def test_other_rules_clash_only_once_all_their_cells_are_given(self) -> None:
        board = small(Linear((0, 1), (1, 1), 5, "cage 5"))
        assert list(Puzzle.from_givens(board, {0: 3}).clashes()) == []
        assert list(Puzzle.from_givens(board, {0: 3, 1: 3}).clashes()) == ["cage 5 is broken by r1c1=3, r1c2=3"]

    def test_a_rule_without_cells_that_cannot_hold_clashes_at_once(self) -> None:
        board = small(Table((), frozenset(), "nothing"))
        assert list(Puzzle.from_givens(board, {}).clashes()) == ["nothing is broken by nothing: no grid fits it"]

    def test_fitting_givens_do_not_clash(self) -> None:
        assert list(Puzzle.from_givens(NINE, digits(SOLVED)).clashes()) == []


class TestViolations:
    def test_none_in_a_solution(self) -> None:
        assert list(violations(nine({0: 2, 80: 1}), digits(SOLVED))) == []

    @pytest.mark.parametrize("length", [80, 82, 0])
    def test_a_grid_of_another_length(self, length: int) -> None:
        assert list(violations(nine({}), (1,) * length)) == [f"the grid has {length} cells, the board 81"]

    @pytest.mark.parametrize("value", [0, 10, -3])
    def test_a_value_that_is_not_on_the_board(self, value: int) -> None:
        grid = (*digits(SOLVED)[:80], value)
        assert list(violations(nine({}), grid)) == [f"r9c9 is {value}, not one of 1..9"]

    def test_a_given_that_is_not_kept(self) -> None:
        assert list(violations(nine({0: 3}), digits(SOLVED))) == ["r1c1 is 2, which the puzzle does not allow there"]

    def test_a_removed_candidate_that_is_used(self) -> None:
        puzzle = Puzzle(small(), (0b11010, *[0b11110] * 3))
        assert list(violations(puzzle, (2, 1, 1, 1))) == ["r1c1 is 2, which the puzzle does not allow there"]

    def test_two_cells_exchanged_in_a_row_break_their_columns(self) -> None:
        grid = list(digits(SOLVED))
        grid[0], grid[1] = grid[1], grid[0]
        assert list(violations(nine({}), tuple(grid))) == [
            "column 1 has 4 twice: r1c1 and r9c1",
            "column 2 has 2 twice: r1c2 and r4c2",
        ]

    def test_other_rules_name_their_cells_once_each(self) -> None:
        turns = Automaton((0, 1, 0), frozenset({(0, 1, 1), (1, 2, 0)}), 0, frozenset({1}), "turns")
        assert list(violations(Puzzle.from_givens(small(turns), {}), (1, 3, 1, 1))) == [
            "turns is broken by r1c1=1, r1c2=3"
        ]

    def test_all_that_is_wrong_is_reported(self) -> None:
        board = small(AllDifferent((0, 1), "cage"), Linear((2, 3), (1, 1), 3, "sum"))
        assert list(violations(Puzzle.from_givens(board, {0: 2}), (1, 1, 1, 1))) == [
            "r1c1 is 1, which the puzzle does not allow there",
            "cage has 1 twice: r1c1 and r1c2",
            "sum is broken by r2c1=1, r2c2=1",
        ]


def test_broken_passes_over_empty_cells() -> None:
    assert list(broken(NINE, [0] * 81)) == []
    assert list(broken(small(Linear((0, 1), (1, 1), 9, "sum")), [4, 0, 0, 0])) == []


def test_repeats_gives_the_value_its_first_cell_and_the_later_one() -> None:
    assert list(repeats((3, 0, 2, 1), (7, 7, 0, 7))) == [(7, 3, 0), (7, 3, 1)]


@pytest.mark.parametrize(("allowed", "value"), [(0, 0), (0b10, 1), (0b100, 2), (0b110, 0), (1 << 100, 100)])
def test_only_is_the_single_candidate_or_zero(allowed: int, value: int) -> None:
    assert only(allowed) == value


@pytest.mark.parametrize(("allowed", "values"), [(0, []), (0b10, [1]), (0b101100, [2, 3, 5]), (1 << 100 | 2, [1, 100])])
def test_members_are_the_candidates_ascending(allowed: int, values: list[int]) -> None:
    assert list(members(allowed)) == values
