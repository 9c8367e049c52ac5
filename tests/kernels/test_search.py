"""The compiled search over propagators: it finds all grids of random boards, and stops where it should."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.amount import tries

from satdoku import AllDifferent, Automaton, Board, Budget, Ending, Linear, Puzzle, Refused, Session, Table, read
from satdoku import testing as kit
from satdoku.backends import ENDINGS, PASSED, native, propagation
from satdoku.backends.stepping import advance
from satdoku.constraints import Constraint, Grid
from satdoku.referee import violations
from satdoku.system.clock import Deadline

VARIANTS = sorted((Path(__file__).parents[2] / "puzzles" / "variants").glob("*.toml"))


def variant(rng: Random, values: int) -> Board:
    """Rows and columns of a small square and some other constraints, built around a grid that fits."""
    grid = [(row + column) % values + 1 for row in range(values) for column in range(values)]
    cells = range(values * values)
    houses: list[Constraint] = [
        AllDifferent(tuple(range(row * values, (row + 1) * values)), f"row {row + 1}") for row in range(values)
    ]
    houses += [
        AllDifferent(tuple(range(column, len(cells), values)), f"column {column + 1}") for column in range(values)
    ]
    for number in range(rng.randint(1, 6)):
        chosen = tuple(rng.sample(cells, rng.randint(2, 6)))
        signs = tuple(rng.choice((1, 1, 1, 1, -1, 2)) for _ in chosen)
        total = sum(sign * grid[cell] for sign, cell in zip(signs, chosen, strict=True))
        houses.append(Linear(chosen, signs, total, f"sum {number}"))
    for number in range(rng.randint(0, 4)):
        row = rng.randrange(values)
        chosen = tuple(rng.sample(rng.choice((cells, range(row * values, (row + 1) * values))), rng.choice((2, 3))))
        rows = {tuple(rng.randint(1, values) for _ in chosen) for _ in range(values ** len(chosen) // 2)}
        houses.append(Table(chosen, frozenset(rows | {tuple(grid[cell] for cell in chosen)}), f"table {number}"))
    return Board(len(cells), values, values, tuple(houses))


def agrees_with_a_sat_solver(rng: Random, values: list[int], limit: int) -> None:
    made = native.Native()
    with Session("glucose4") as session:
        for number in values:
            board = variant(rng, number)
            puzzle = Puzzle(board, kit.random_candidates(rng, board)) if rng.random() < 0.3 else None
            puzzle = puzzle or Puzzle.from_givens(board, {})
            grids, ending = kit.collect(made.search(puzzle, Budget(limit)))
            expected = session.run(puzzle, Budget(limit))
            assert (len(set(grids)), ending) == (expected.count, expected.ending)
            assert not any(list(violations(puzzle, grid)) for grid in grids)


class TestAgreement:
    def test_random_boards_of_all_four_constraints_against_brute_force(self) -> None:
        assert kit.first_fault(native.Native, kit.cases(400, 70_000)) is None

    @pytest.mark.slow
    def test_many_more_of_them(self) -> None:
        assert kit.first_fault(native.Native, kit.cases(20_000, 80_000)) is None

    @pytest.mark.parametrize("values", [4, 5, 6, 10, 12])
    def test_squares_with_sums_against_a_sat_solver(self, values: int) -> None:
        agrees_with_a_sat_solver(Random(values), [values] * 8, 50)

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(10))
    def test_ten_thousand_squares_against_a_sat_solver(self, seed: int) -> None:
        agrees_with_a_sat_solver(Random(f"many {seed}"), [4, 5, 6, 4, 5] * 200, 10)

    def test_the_file_of_each_kind_of_mark(self) -> None:
        decided = 0
        for file in VARIANTS:
            puzzle = read(file.read_text())
            grids: dict[Grid, None] = {}
            ending = advance(native.Native().begin(puzzle, Deadline(None)), 2_000, 2, grids)
            assert not any(list(violations(puzzle, grid)) for grid in grids), file
            assert ending is None or len(grids) == 1, file
            decided += ending is Ending.EXHAUSTED
        assert decided > 0.85 * len(VARIANTS)

    def test_a_relation_and_sets_that_are_the_same_numbers(self) -> None:
        """Two sets, {1} and {2}, are the words 2, 1, 2; so is what goes with 1, 2 and 3 in the second cell."""
        sets = Automaton((1,), frozenset({(0, 1, 1), (0, 2, 1)}), 0, frozenset({1}), "line")
        pairs = Table((1, 2), frozenset({(1, 2), (2, 1), (3, 2)}), "dot")
        puzzle = Puzzle.from_givens(Board(3, 3, 3, (sets, pairs)), {})
        assert set(native.Native().search(puzzle, Budget(None))) == kit.brute_force(puzzle)

    def test_counting_agrees_with_brute_force(self) -> None:
        made = native.Native()
        for case in kit.cases(tries(40, 150), 90_000):
            for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
                number, ending, grids = made.count_solutions(puzzle, Budget(None))
                assert (number, ending, len(grids)) == (len(truth), Ending.EXHAUSTED, min(2, len(truth)))
                assert set(grids) <= truth

    def test_rows_of_givens_agree_with_single_puzzles(self) -> None:
        rng, made = Random(2), native.Native()
        for _ in range(40):
            board = kit.random_board(rng)
            givens = np.array(
                [[rng.choice((0, 0, rng.randint(1, board.values))) for _ in range(board.cells)] for _ in range(5)],
                np.uint16,
            )
            made.load(board)
            found = made.check_many(board, givens, Budget(3))
            for row, count, ending, grids in zip(givens, found.counts, found.endings, found.grids, strict=True):
                truth = kit.brute_force(Puzzle.from_givens(board, row.tolist()))
                assert count == min(3, len(truth))
                assert ENDINGS[ending] is (Ending.LIMIT if len(truth) >= 3 else Ending.EXHAUSTED)
                assert {tuple(grid) for grid in grids[: min(2, count)].tolist()} <= truth


class TestStopping:
    BOARD = Board(9, 9, 9, (Linear(tuple(range(9)), (1,) * 9, 45, "all cells"),))

    def test_slices_change_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        puzzle = Puzzle.from_givens(self.BOARD, dict.fromkeys(range(6), 5))
        whole = list(native.Native().search(puzzle, Budget(None)))
        assert len(whole) == 61  # three values from 1 to 9 that sum to 15, in order
        monkeypatch.setattr(propagation, "SLICE", 1)
        assert list(native.Native().search(puzzle, Budget(None))) == whole
        assert native.Native().count_solutions(puzzle, Budget(None))[0] == 61

    def test_a_timeout_ends_search_and_count(self) -> None:
        puzzle, made = Puzzle.from_givens(self.BOARD, {}), native.Native()
        assert made.count_solutions(puzzle, Budget(None, 0.05))[1] is Ending.TIMEOUT
        grids, ending = kit.collect(made.search(puzzle, Budget(None, 0.05)))
        assert ending is Ending.TIMEOUT
        assert len(set(grids)) == len(grids)

    def test_a_row_beyond_the_bound_is_passed_on_and_the_others_are_not(self) -> None:
        made = native.Native()
        made.load(self.BOARD)
        givens = np.array([[5] * 9, [0] * 9, [5] * 9], np.uint16)
        found = made.check_many(self.BOARD, givens, Budget(None, work=3))
        exhausted = Ending.EXHAUSTED.code
        assert found.endings.tolist() == [exhausted, PASSED, exhausted]


class TestBoards:
    def test_sixty_two_values_and_no_more(self) -> None:
        for values, pair in ((62, (0, 1)), (63, (0, 1))):
            board = Board(
                3, values, 3, (Linear((0, 1, 2), (1, 1, -1), 60, "arrow"), Table(pair, frozenset({(60, 62)}), "t"))
            )
            puzzle = Puzzle.from_givens(board, {})
            with Session("native") as session:
                if values == 62:
                    assert session.run(puzzle, Budget(2)).grids == ((60, 62, 62),)
                else:
                    with pytest.raises(Refused, match="63 values and arrow is a Linear: with that it takes up to 62"):
                        session.run(puzzle, Budget(2))

    def test_candidates_given_as_sets(self) -> None:
        board = Board(2, 9, 2, (Linear((0, 1), (1, 1), 10, "pair"),))
        puzzle = Puzzle(board, (1 << 2 | 1 << 3, 1 << 7 | 1 << 9))
        assert list(native.Native().search(puzzle, Budget(None))) == [(3, 7)]

    def test_grids_that_differ_in_auxiliary_cells_alone_are_found_once(self) -> None:
        from satdoku.kernels.compiled import EXHAUSTED, FOUND
        from satdoku.kernels.propagators import lower, search

        rng = Random(6)
        for _ in range(60):
            board = kit.random_board(rng)
            puzzle = Puzzle.from_givens(board, {})
            kept = rng.randint(1, board.cells)
            program = lower.program(board)._replace(grid_cells=kept)
            state = search.new_state(program)
            domains = np.full((1, board.cells), (1 << board.values) - 1, np.int64)
            counts, codes, grids = np.zeros(1, np.int64), np.full(1, FOUND), np.zeros((1, 2, kept), np.uint16)
            found: list[Grid] = []
            advance: Any = search.advance
            while codes[0] != EXHAUSTED:
                advance(program, state, domains, counts, codes, grids, 0, len(found) + 1, 1 << 40, 1 << 40)
                if codes[0] == FOUND:
                    found.append(search.grid(program, state))
            assert [tuple(grid) for grid in grids[0].tolist()][: len(found)] == found[:2]
            assert sorted(found) == sorted({grid[:kept] for grid in kit.brute_force(puzzle)})
