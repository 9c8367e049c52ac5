"""The referee over arrays says of every grid what `violations` says of it."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from satdoku import AllDifferent, Automaton, Board, Linear, Puzzle, Table, classic
from satdoku import testing as kit
from satdoku.puzzle import broken
from satdoku.referee import BLOCK, faulty, violations

Rows = list[list[int]]

LARGE = (classic(8, 8), classic(10, 10))
"""64 and 100 values: too many for one machine word."""

BOARDS = (classic(2, 2), classic(2, 3), classic(3, 3), classic(4, 4), *LARGE)


def solved(board: Board, rows: int) -> list[int]:
    """The grid that shifts its first row: by a box a row within a band, by one more from band to band."""
    size = board.values
    columns = size // rows
    return [(columns * (row % rows) + row // rows + column) % size + 1 for row in range(size) for column in range(size)]


def box_rows(board: Board) -> int:
    return int(str(board.marks[0].value).partition("x")[0])


def expected(board: Board, givens: Rows, grids: Rows) -> list[bool]:
    """The same by `violations`; givens above N make no puzzle, and then no grid can keep them."""
    answers = []
    for given, grid in zip(givens, grids, strict=True):
        if max(given) > board.values:
            answers.append(True)
        else:
            answers.append(next(violations(Puzzle.from_givens(board, given), tuple(grid)), None) is not None)
    return answers


def mutated(rng: Random, board: Board, grid: list[int]) -> list[int]:
    """A few cells changed, exchanged, emptied or set above N; now and then none."""
    changed = list(grid)
    for _ in range(rng.randint(0, 2)):
        first, second = rng.sample(range(board.cells), 2)
        kind = rng.randrange(4)
        if kind == 0:
            changed[first], changed[second] = changed[second], changed[first]
        elif kind == 1:
            changed[first] = rng.randint(1, board.values)
        else:
            changed[first] = 0 if kind == 2 else board.values + rng.randint(1, 3)
    return changed


def clues(rng: Random, board: Board, grid: list[int]) -> list[int]:
    """Some cells of the grid, at times one of them wrong or above N."""
    kept = [value if rng.random() < 0.3 else 0 for value in grid]
    if rng.random() < 0.3:
        kept[rng.randrange(board.cells)] = rng.randint(1, board.values + 2)
    return kept


def arrays(*tables: Rows) -> list[NDArray[np.uint16]]:
    return [np.array(table, dtype=np.uint16) for table in tables]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"N={board.values}")
def test_valid_grids_are_not_faulty(board: Board) -> None:
    grid = solved(board, box_rows(board))
    assert list(violations(Puzzle.from_givens(board, grid), tuple(grid))) == []
    givens, grids = arrays([grid, [0] * board.cells], [grid, grid])
    assert faulty(board, givens, grids).tolist() == [False, False]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"N={board.values}")
def test_any_single_change_of_a_valid_grid_is_faulty(board: Board) -> None:
    rng = Random(board.values)
    grid = solved(board, box_rows(board))
    changed = []
    for cell in rng.sample(range(board.cells), 16):
        for value in {0, board.values + 1, 65535, grid[cell] % board.values + 1}:
            changed.append([*grid[:cell], value, *grid[cell + 1 :]])
    givens, grids = arrays([[0] * board.cells] * len(changed), changed)
    assert faulty(board, givens, grids).all()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"N={board.values}")
def test_faulty_is_violations_on_valid_mutated_and_wrongly_given_grids(board: Board) -> None:
    rng = Random(board.values)
    base = solved(board, box_rows(board))
    grids = [mutated(rng, board, base) for _ in range(300 if board.values < 64 else 40)]
    givens = [clues(rng, board, rng.choice((base, grid))) for grid in grids]
    truth = expected(board, givens, grids)
    assert {True, False} == set(truth)
    assert faulty(board, *arrays(givens, grids)).tolist() == truth


def test_faulty_is_violations_on_random_boards_with_all_four_constraints() -> None:
    rng = Random(5)
    seen = set()
    for case in kit.cases(100):
        board = case.puzzles[0].board
        grids = [list(grid) for truth in case.truths for grid in sorted(truth)[:5]]
        grids += [mutated(rng, board, rng.choices(range(1, board.values + 1), k=board.cells)) for _ in range(20)]
        givens = [clues(rng, board, grid) for grid in grids]
        truth = expected(board, givens, grids)
        seen |= set(truth)
        assert faulty(board, *arrays(givens, grids)).tolist() == truth, case.seed
    assert seen == {True, False}


@pytest.mark.parametrize("values", [62, 63, 64, 65])
def test_the_largest_values_of_a_word_are_distinguished(values: int) -> None:
    pair = Board(3, values, 3, (AllDifferent((0, 1), "pair"),))
    grids = [[values, values, 1], [values, values - 1, 1], [values - 1, values, 1], [values - 1, values - 1, 1]]
    givens = [[0, 0, 0]] * 4
    assert faulty(pair, *arrays(givens, grids)).tolist() == [True, False, False, True]


@pytest.mark.parametrize("values", [9, 70])
def test_rules_of_other_kinds_are_looked_at(values: int) -> None:
    rules = (AllDifferent((0, 1), "pair"), Linear((1, 2), (1, -1), 0, "equal"), Table((0,), frozenset({(1,)}), "one"))
    board = Board(3, values, 3, rules)
    grids = [[1, 2, 2], [1, 2, 3], [2, 3, 3], [1, 1, 1]]
    assert faulty(board, *arrays([[0, 0, 0]] * 4, grids)).tolist() == [False, True, True, True]


def test_a_rule_that_cannot_hold_makes_every_grid_faulty() -> None:
    board = Board(1, 2, 1, (Table((), frozenset(), "nothing"),))
    assert list(broken(board, [1]))
    assert faulty(board, *arrays([[0]], [[1]])).tolist() == [True]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_any_unsigned_type_will_do(dtype: type[np.unsignedinteger]) -> None:
    board = classic(3, 3)
    grid = np.array(solved(board, 3), dtype=dtype)
    wrong = grid.copy()
    wrong[80] = wrong[79]
    assert faulty(board, np.zeros((2, 81), dtype), np.stack([grid, wrong])).tolist() == [False, True]


def test_grids_beyond_one_block_keep_their_places() -> None:
    board = classic(2, 2)
    grids = np.array([solved(board, 2)] * (2 * BLOCK + 1), dtype=np.uint16)
    wrong = [0, BLOCK - 1, BLOCK, 2 * BLOCK]
    grids[wrong, 5] = 0
    assert np.flatnonzero(faulty(board, np.zeros_like(grids), grids)).tolist() == wrong


def test_no_grids_give_no_answers() -> None:
    none = np.zeros((0, 81), dtype=np.uint16)
    answer = faulty(classic(3, 3), none, none)
    assert answer.shape == (0,)
    assert answer.dtype == np.bool_


@pytest.mark.parametrize(
    ("givens", "grids"),
    [((2, 16), (3, 16)), ((2, 15), (2, 15)), ((16,), (16,)), ((1, 16), (16,)), ((1, 4, 4), (1, 4, 4)), ((0,), (0,))],
)
def test_other_shapes_are_refused(givens: tuple[int, ...], grids: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"should both be \(n, 16\)"):
        faulty(classic(2, 2), np.zeros(givens, np.uint16), np.zeros(grids, np.uint16))


def test_the_inputs_are_left_as_they_were() -> None:
    board = classic(2, 2)
    givens, grids = arrays([[0] * 16], [solved(board, 2)])
    kept = givens.copy(), grids.copy()
    faulty(board, givens, grids)
    assert (givens == kept[0]).all()
    assert (grids == kept[1]).all()


@pytest.mark.parametrize("hidden", [2, 5])
def test_automata_over_auxiliary_cells_hold_where_brute_force_finds_values_for_them(hidden: int) -> None:
    """With two auxiliary cells of three values the words are tried one by one, with five their states are followed."""
    rng, cells, both = Random(hidden), 2, set[bool]()
    for _ in range(60):
        steps = {(s, v): rng.randrange(4) for s in range(4) for v in (1, 2, 3) if rng.random() < 0.6}
        transitions = frozenset((state, value, target) for (state, value), target in steps.items())
        order = tuple(rng.sample(range(cells + hidden), cells + hidden))
        rule = Automaton(order, transitions, 0, frozenset(rng.sample(range(4), 1)), "word")
        puzzle = Puzzle.from_givens(Board(cells, 3, 2, (rule,), auxiliary=(0b1110,) * hidden), {})
        for grid in product((1, 2, 3), repeat=cells):
            expected = any(rule.holds((*grid, *rest)) for rest in product((1, 2, 3), repeat=hidden))
            assert (not list(violations(puzzle, grid))) == expected, (rule, grid)
            both.add(expected)
    assert both == {True, False}


def test_an_auxiliary_cell_that_a_constraint_names_twice_has_one_value() -> None:
    """Of several constraints, each with one auxiliary cell or two, which some of them read twice."""
    rng, cells, both = Random(3), 2, set[bool]()
    for _ in range(150):
        rules = []
        for number in range(rng.randint(1, 3)):
            steps = {(s, v): rng.randrange(3) for s in range(3) for v in (1, 2, 3) if rng.random() < 0.8}
            transitions = frozenset((state, value, target) for (state, value), target in steps.items())
            hidden = rng.choice((2, 3))
            order = (hidden, rng.randrange(cells), rng.choice((2, 3, hidden)), hidden)[: rng.randint(2, 4)]
            rules.append(Automaton(order, transitions, 0, frozenset({rng.randrange(3)}), f"word {number}"))
        puzzle = Puzzle.from_givens(Board(cells, 3, 2, tuple(rules), auxiliary=(0b1110, 0b1110)), {})
        for grid in product((1, 2, 3), repeat=cells):
            filled = [(*grid, *rest) for rest in product((1, 2, 3), repeat=2)]
            expected = any(all(rule.holds(each) for rule in rules) for each in filled)
            assert (not list(violations(puzzle, grid))) == expected, (rules, grid)
            both.add(expected)
    assert both == {True, False}
