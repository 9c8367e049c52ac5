"""Boards of any shape, any values, and with auxiliary cells: every backend finds the grids of brute force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from random import Random

import pytest
from support.engines import SLOW, installed

import satdoku
from satdoku import AllDifferent, Automaton, Board, Budget, Ending, Linear, Puzzle, Refused, Session, Table
from satdoku import testing as kit
from satdoku.backends import find
from satdoku.constraints import Constraint, shift_values
from satdoku.errors import PuzzleError, WrongAnswer
from satdoku.puzzle import Size, members
from satdoku.referee import accept, faulty, violations

SHAPES = {
    "2x3": (satdoku.board(size="2x3", box="none"), 12),
    "3x2": (satdoku.board(size="3x2", box="none"), 12),
    "2x4": (satdoku.board(size="2x4", box="none"), 216),
    "3x4": (satdoku.board(size="3x4", box="none"), 576),
    "2x3 of 4": (satdoku.board(size="2x3", values="1-4", box="none"), 264),
    "3x3": (satdoku.board(size=3, box="none"), 12),
    "3x3 of 4": (satdoku.board(size=3, values="0-3", box="none"), 1056),
    "4x4 over 0-3": (satdoku.board(size=4, values="0-3"), 288),
}
"""Boards, and how many grids they have (counted by brute force, and by ISS)."""


@cache
def latin(board: Board) -> frozenset[tuple[int, ...]]:
    """Row after row, each a choice of values that differs from those above it."""
    rows = [*permutations(range(1, board.values + 1), board.columns)]
    found: list[tuple[int, ...]] = [()]
    for _ in range(board.size.rows):
        found = [(*above, *row) for above in found for row in rows if _apart(board, above, row)]
    boxes = [rule.cells for rule in board.all_different if rule.name.startswith("box")]
    return frozenset(g for g in found if all(len({g[cell] for cell in box}) == len(box) for box in boxes))


def _apart(board: Board, above: tuple[int, ...], row: tuple[int, ...]) -> bool:
    return all(value not in above[column :: board.columns] for column, value in enumerate(row))


@pytest.mark.parametrize("shape", SHAPES)
def test_brute_force_agrees_with_what_is_known(shape: str) -> None:
    board, count = SHAPES[shape]
    assert len(latin(board)) == count


@pytest.mark.parametrize("backend", installed())
@pytest.mark.parametrize("shape", ["2x3", "3x2", "3x4", "3x3 of 4", "4x4 over 0-3", "4x4 over 1-6"])
def test_every_backend_counts_the_grids_of_brute_force(shape: str, backend: str) -> None:
    board = satdoku.board(size=4, values="1-6") if shape == "4x4 over 1-6" else SHAPES[shape][0]
    rng = Random(shape)
    every = sorted(latin(board)) if shape != "4x4 over 1-6" else [(1, 2, 3, 4, 3, 5, 6, 1, 2, 6, 5, 3, 4, 1, 2, 6)]
    hidden = rng.choice(every)
    fewer = board.values > 4 or backend in SLOW
    open_cells = rng.sample(range(board.cells), 5 if fewer else min(board.cells, 9))
    givens = [0 if cell in open_cells else value for cell, value in enumerate(hidden)]
    puzzle = Puzzle.from_givens(board, givens)
    truth = kit.brute_force(puzzle) if board.values > 4 else frozenset(g for g in every if _agree(g, givens))
    engine = find(backend)
    try:
        assert engine.refuses(board) is None
        grids, ending = kit.collect(engine.search(puzzle, Budget(None)))
    finally:
        engine.close()
    assert (len(grids), frozenset(grids), ending) == (len(truth), truth, Ending.EXHAUSTED)


def _agree(grid: tuple[int, ...], givens: list[int]) -> bool:
    return all(given in (0, value) for value, given in zip(grid, givens, strict=True))


def test_whole_boards_are_counted() -> None:
    for board, count in SHAPES.values():
        assert satdoku.count(Puzzle.from_givens(board, {}), limit=None, backend="cadical153").count == count


class TestValues:
    def test_a_sum_is_of_shown_values(self) -> None:
        cage = satdoku.marks.killer_cage(["r1c1", "r1c2"], total=1)
        found = satdoku.solve(satdoku.build(size=4, values="0-3", marks=[cage]), limit=None)
        shown = {tuple(row[:2]) for row in found.array().tolist()}
        assert (shown, found.count) == ({(0, 1), (1, 0)}, 288 // 6)

    def test_a_constraint_of_ones_own_is_over_shown_values(self) -> None:
        empty = Puzzle.from_givens(satdoku.board(size=4, values="0-3"), {})
        corner = satdoku.add_constraints(empty, Table((0,), frozenset({(0,)}), "corner"))
        assert {grid[0] for grid in satdoku.solve(corner, limit=None).grids} == {1}

    @pytest.mark.parametrize("by", [-2, 1, 3])
    def test_moved_constraints_hold_of_moved_values(self, by: int) -> None:
        rng = Random(by)
        for make in (kit.all_different, kit.linear, kit.table, kit.automaton):
            for number in range(40):
                rule = make(rng, 3, 3, None, f"{number}")
                for grid in product(range(4), repeat=3):
                    assert rule.holds(grid) == shift_values(rule, by).holds(tuple(value + by for value in grid))

    def test_messages_have_shown_values(self) -> None:
        board = satdoku.board(size=4, values="0-3")
        assert "row 1 has 0 twice: r1c1 and r1c2" in Puzzle.from_givens(board, {0: 1, 1: 1}).clashes()
        with pytest.raises(PuzzleError, match=r"r1c1: 4 is not one of 0\.\.3"):
            Puzzle.from_givens(board, {0: 5})

    def test_more_cells_than_values_are_refused(self) -> None:
        with pytest.raises(PuzzleError, match="row 1: 4 cells cannot all differ with 3 values"):
            satdoku.board(size="2x4", values="1-3", box="none")

    def test_sizes_are_read(self) -> None:
        assert Size.parse("6x8", "0-8") == ((6, 8), range(9))
        for size, values in (("6x", None), ("0x3", None), ("300", None), (None, "8-0"), (None, "a-b")):
            with pytest.raises(PuzzleError, match="expected"):
                Size.parse(size, values)


# Auxiliary cells


def doubled() -> Board:
    """Doublers: one cell of each row, column and box is doubled, and each digit is in one of them. Flag 2 is yes."""
    plain = satdoku.classic(2, 2)
    rules: list[Constraint] = [
        Linear(tuple(cell + 16 for cell in house.cells), (1,) * 4, 5, f"one doubler in {house.name}")
        for house in plain.houses
    ]
    pairs = tuple(cell for place in range(16) for cell in (place, place + 16))
    for digit in range(1, 5):
        rules.append(Automaton(pairs, frozenset(once(digit)), 0, frozenset({6}), f"{digit} is doubled once"))
    return Board(16, 4, 4, (*plain.constraints, *rules), plain.marks, auxiliary=(0b110,) * 16)


def once(digit: int) -> Iterator[tuple[int, int, int]]:
    """Cell and flag in turn: states are 0 or 6 by how often the digit was doubled, and 1 or 2 more for its cell."""
    for done in (0, 6):
        for value in range(1, 5):
            yield done, value, done + 1 + (value == digit)
        yield from ((done + 1, 1, done), (done + 1, 2, done), (done + 2, 1, done))
    yield 2, 2, 6


def placements() -> list[tuple[int, ...]]:
    """Four cells, one in each row, column and box of 4x4."""
    chosen = (tuple(4 * row + column for row, column in enumerate(order)) for order in permutations(range(4)))
    return [cells for cells in chosen if len({cell // 8 * 2 + cell % 4 // 2 for cell in cells}) == 4]


def regions(side: int) -> list[tuple[int, ...]]:
    """Each way to part a square into connected regions of `side` cells: the number of each cell's region, from 1, in
    the order of their first cells."""

    def connected(cells: tuple[int, ...]) -> bool:
        seen, todo = set(), [cells[0]]
        while todo:
            cell = todo.pop()
            seen.add(cell)
            near = [
                cell - side,
                cell + side,
                *([cell - 1] * (cell % side > 0)),
                *([cell + 1] * (cell % side < side - 1)),
            ]
            todo += [other for other in near if other in cells and other not in seen]
        return len(seen) == len(cells)

    def fill(labels: tuple[int, ...], number: int) -> Iterator[tuple[int, ...]]:
        if 0 not in labels:
            yield labels
            return
        free = [cell for cell, label in enumerate(labels) if not label]
        for others in combinations(free[1:], side - 1):
            if connected((free[0], *others)):
                part = {free[0], *others}
                yield from fill(tuple(number if c in part else label for c, label in enumerate(labels)), number + 1)

    return list(fill((0,) * side**2, 1))


def chaos(side: int) -> Board:
    """Unknown regions: the label of each cell is auxiliary."""
    lines = satdoku.board(size=side, box="none")
    cells = range(side * side)
    parts = Table(tuple(cell + side * side for cell in cells), frozenset(regions(side)), "regions")
    rows = {row for row in product(range(1, side + 1), repeat=4) if row[0] != row[1] or row[2] != row[3]}
    apart = [
        Table((a, b, a + side * side, b + side * side), frozenset(rows), f"cells {a} and {b}")
        for a, b in combinations(cells, 2)
    ]
    masks = ((2 << side) - 2,) * (side * side)
    return Board(side * side, side, side, (*lines.constraints, parts, *apart), auxiliary=masks)


def differ(grid: tuple[int, ...], labels: tuple[int, ...]) -> bool:
    return len(set(zip(grid, labels, strict=True))) == len(grid)


@cache
def doubled_grids() -> dict[tuple[int, ...], int]:
    """Each grid that some doublers fit, with the number of their placements."""
    grids = latin(satdoku.classic(2, 2))
    found = {grid: sum(len({grid[cell] for cell in cells}) == 4 for cells in placements()) for grid in grids}
    return {grid: count for grid, count in found.items() if count}


@cache
def chaotic_grids(side: int) -> dict[tuple[int, ...], int]:
    grids = latin(satdoku.board(size=side, box="none"))
    found = {grid: sum(differ(grid, labels) for labels in regions(side)) for grid in grids}
    return {grid: count for grid, count in found.items() if count}


def test_the_counts_of_pairs_are_those_that_are_known() -> None:
    assert (len(placements()), sum(doubled_grids().values())) == (16, 384)
    assert (len(regions(3)), sum(chaotic_grids(3).values())) == (10, 72)


@pytest.mark.slow
def test_the_count_of_pairs_of_4x4_is_the_known_one() -> None:
    assert (len(regions(4)), sum(chaotic_grids(4).values())) == (117, 13872)


@pytest.mark.parametrize("backend", installed())
@pytest.mark.parametrize("name", ["doubled", "chaos"])
def test_a_grid_counts_once_whatever_the_auxiliary_cells_hold(name: str, backend: str) -> None:
    board, truth = (doubled(), doubled_grids()) if name == "doubled" else (chaos(3), chaotic_grids(3))
    assert max(truth.values()) > 1
    engine = find(backend)
    given = {0: 1, 1: 2, 2: 3} if name == "doubled" else {0: 1}
    wanted = {grid for grid in truth if all(grid[cell] == value for cell, value in given.items())}
    try:
        reason = engine.refuses(board)
        if reason is not None:
            assert "auxiliary" in reason or "takes AllDifferent alone" in reason
            return
        for limit in (None, 2):
            grids, ending = kit.collect(engine.search(Puzzle.from_givens(board, given), Budget(limit)))
            assert len(grids) == len(set(grids)) == (len(wanted) if limit is None else 2)
            assert set(grids) <= wanted
            assert ending is (Ending.EXHAUSTED if limit is None else Ending.LIMIT)
    finally:
        engine.close()


@pytest.mark.parametrize("backend", ["auto", "glucose4", "cadical153", "cpsat"])
def test_whole_boards_with_auxiliary_cells_are_counted(backend: str) -> None:
    for board, truth in ((doubled(), doubled_grids()), (chaos(3), chaotic_grids(3))):
        assert satdoku.count(Puzzle.from_givens(board, {}), limit=None, backend=backend).count == len(truth)


def test_a_grid_that_no_auxiliary_cells_fit_is_refused_by_the_referee() -> None:
    board, truth = doubled(), doubled_grids()
    empty = Puzzle.from_givens(board, {})
    for grid in latin(satdoku.classic(2, 2)):
        assert (next(violations(empty, grid), None) is None) == (grid in truth)
    wrong = next(grid for grid in latin(satdoku.classic(2, 2)) if grid not in truth)
    with pytest.raises(WrongAnswer, match="no values of auxiliary cells fit one doubler in row 1"):
        accept(empty, wrong, "nobody")
    np = pytest.importorskip("numpy")
    both = np.array([wrong, next(iter(truth))], np.uint16)
    assert faulty(board, np.zeros_like(both), both).tolist() == [True, False]


def test_candidates_explanations_and_minimal_puzzles_know_auxiliary_cells() -> None:
    board, truth = doubled(), doubled_grids()
    some = next(iter(sorted(truth)))
    puzzle = Puzzle.from_givens(board, dict(enumerate(some[:8])))
    seen = [grid for grid in truth if grid[:8] == some[:8]]
    possible = satdoku.candidates(puzzle).possible
    assert [set(members(allowed)) for allowed in possible] == [set(values) for values in zip(*seen, strict=True)]
    whole = Puzzle.from_givens(board, some)
    assert satdoku.minimize(whole).solution == some
    assert satdoku.explain(Puzzle.from_givens(board, {0: 1, 1: 1})).conflict is not None


def test_an_engine_that_takes_no_auxiliary_cells_says_so() -> None:
    board = Board(2, 3, 2, (AllDifferent((0, 1, 2), "all three"),), auxiliary=(0b110,))
    with Session("dlx") as session, pytest.raises(Refused, match="all three names an auxiliary cell"):
        session.count(Puzzle.from_givens(board, {}))
    assert satdoku.count(Puzzle.from_givens(board, {}), limit=None).count == 6 - 2


def test_auxiliary_cells_have_values() -> None:
    for wrong in (0, 1, 3):
        with pytest.raises(PuzzleError, match="an auxiliary cell needs a set of values from 1"):
            Board(1, 1, 1, (), auxiliary=(wrong,))
    with pytest.raises(PuzzleError, match="cell 2 is not on the board"):
        Board(1, 2, 1, (AllDifferent((0, 2), "two"),), auxiliary=(0b110,))
    with pytest.raises(PuzzleError, match="3 cells cannot all differ with 2 values"):
        Board(1, 2, 1, (AllDifferent((0, 1, 2), "three"),), auxiliary=(0b110, 0b110))
