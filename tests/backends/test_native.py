"""The compiled search: its kernels agree with other backends, stop where they should, cache where they may."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from satdoku import (
    AllDifferent,
    Board,
    Budget,
    Ending,
    Mark,
    Puzzle,
    Refused,
    Session,
    Verdict,
    backends,
    build,
    classic,
    count,
    read,
)
from satdoku import testing as kit
from satdoku.backends import ENDINGS, PASSED, native
from satdoku.kernels import library
from satdoku.referee import faulty, violations
from satdoku.variants.boxes import Box

MANY = {
    1115: "200001000008000500000000000170020000000300800500000400600000010000830000000400000",
    10157: "000760040001000008000000000000500301680000000900000000400000060000310000000000200",
    90478: "000580040031000000000000000000003107800040000000000300000600020270000000000800000",
}
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
BOXES = ((2, 2), (2, 3), (3, 3), (4, 4))


def backend(board: Board) -> Any:
    made = native.Native()
    made.load(board)
    return made


def rows(rng: Random, boxes: tuple[int, int], number: int) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Givens of puzzles with no, one and many solutions: parts of grids, some with a value changed."""
    board = classic(*boxes)
    size = board.values
    order = [[(boxes[1] * (r % boxes[0]) + r // boxes[0] + c) % size for c in range(size)] for r in range(size)]
    made = np.zeros((number, board.cells), np.uint16)
    for row in made:
        names = rng.sample(range(1, size + 1), size)
        bands = [
            band * boxes[0] + r
            for band in rng.sample(range(size // boxes[0]), size // boxes[0])
            for r in rng.sample(range(boxes[0]), boxes[0])
        ]
        grid = [names[order[r][c]] for r in bands for c in range(size)]
        for cell in rng.sample(range(board.cells), int(board.cells * rng.uniform(0.3, 0.7))):
            row[cell] = grid[cell]
        if rng.random() < 0.2:
            row[rng.randrange(board.cells)] = rng.randint(1, size)
    return made


@pytest.fixture(params=["narrow", "wide"])
def vectors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kernel of 9x9 by vectors of 256 and of 512 bits, whichever is faster here."""
    monkeypatch.setattr(library, "uses_avx512", lambda: request.param == "wide")
    return str(request.param)


@pytest.fixture(params=["narrow", "wide", "general"])
def nine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The backend for 9x9, by each kernel."""
    monkeypatch.setattr(library, "uses_avx512", lambda: request.param == "wide")
    if request.param == "general":
        monkeypatch.setattr(native, "pairs_apart", lambda board: None)
    return backend(classic(3, 3))


class TestAgreement:
    @pytest.mark.parametrize(("boxes", "wide"), [((3, 3), True), *((boxes, False) for boxes in BOXES)], ids=str)
    def test_many_at_once_agree_with_a_sat_solver(
        self, boxes: tuple[int, int], wide: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(library, "uses_avx512", lambda: wide)
        board = classic(*boxes)
        givens = rows(Random(f"{boxes}"), boxes, 150)
        found = backend(board).check_many(board, givens, Budget(2))
        assert set(found.counts.tolist()) == {0, 1, 2}
        with Session("glucose4") as session:
            for row, number, ending, grids in zip(givens, found.counts, found.endings, found.grids, strict=True):
                outcome = session.run(Puzzle.from_givens(board, row.tolist()), Budget(2))
                assert (outcome.count, outcome.ending) == (number, ENDINGS[ending])
                if number == 1:
                    assert tuple(grids[0].tolist()) == outcome.grids[0]

    @pytest.mark.parametrize("rule", ["anti-knight", "anti-king", "diagonal+", "disjoint-groups", "windoku"])
    def test_9x9_boards_with_more_cells_that_differ_agree_with_a_sat_solver(self, rule: str, vectors: str) -> None:
        board, random = build(size=9, marks=[Mark(rule, ())]).board, Random(rule)
        made = backend(board)
        assert (3 if vectors == "wide" else 1) == made._kernel._kernel.DIGITS
        with Session("glucose4") as session:
            grids = session.solve(Puzzle.from_givens(board, {}), limit=20).grids
            givens = np.array(random.choices(grids, k=60), np.uint16)
            for number, row in enumerate(givens):
                row[random.sample(range(81), random.randint(30, 70))] = 0
                if number % 3 == 0:
                    row[random.randrange(81)] = random.randint(1, 9)
            found = made.check_many(board, givens, Budget(2))
            assert set(found.counts.tolist()) == {0, 1, 2}
            for row, number, two in zip(givens.tolist(), found.counts.tolist(), found.grids, strict=True):
                puzzle = Puzzle.from_givens(board, row)
                assert session.run(puzzle, Budget(2)).count == number
                assert not any(fault for grid in two[:number].tolist() for fault in violations(puzzle, grid))

    @pytest.mark.slow
    @pytest.mark.parametrize("boxes", BOXES, ids=str)
    def test_ten_thousand_random_puzzles(self, boxes: tuple[int, int]) -> None:
        board = classic(*boxes)
        givens = rows(Random(f"long {boxes}"), boxes, 2500)
        found = backend(board).check_many(board, givens, Budget(2, work=20_000))
        searched = found.endings != PASSED  # some 16x16 take too long
        assert searched.mean() > 0.98
        with Session("cadical153") as session:
            for row, number in zip(givens[searched], found.counts[searched], strict=True):
                assert session.run(Puzzle.from_givens(board, row.tolist()), Budget(2)).count == number

    def test_both_kernels_agree_on_9x9(self, nine: Any) -> None:
        givens = rows(Random(5), (3, 3), 500)
        board = classic(3, 3)
        found = nine.check_many(board, givens, Budget(3))
        other = backend(Board(81, 9, 9, board.constraints)).check_many(board, givens, Budget(3))
        assert (found.counts == other.counts).all()
        some = found.counts > 0
        assert not faulty(board, givens[some], found.grids[some, 0]).any()
        two = found.counts > 1
        assert not faulty(board, givens[two], found.grids[two, 1]).any()
        assert (found.grids[two, 0] != found.grids[two, 1]).any(axis=1).all()

    @pytest.mark.parametrize("number", MANY)
    def test_puzzles_with_many_solutions_are_counted_exactly(self, number: int, nine: Any) -> None:
        puzzle = read(MANY[number])
        counted, ending, grids = nine.count_solutions(puzzle, Budget(None))
        assert (counted, ending) == (number, Ending.EXHAUSTED)
        assert not any(fault for grid in grids for fault in violations(puzzle, grid))
        if number < 20_000:
            assert len(set(nine.search(puzzle, Budget(None)))) == number

    def test_the_empty_boards_are_counted(self) -> None:
        for boxes, number in (((2, 2), 288), ((2, 3), 28_200_960)):
            outcome = count(Puzzle.from_givens(classic(*boxes), {}), limit=None, backend="native")
            assert (outcome.count, outcome.exact) == (number, True)

    def test_a_count_stops_at_its_limit(self) -> None:
        outcome = count(Puzzle.from_givens(classic(2, 3), {}), limit=5000, backend="native")
        assert (outcome.count, outcome.exact, outcome.tallied) == (5000, False, True)

    def test_values_that_are_not_alike_are_counted_apart(self) -> None:
        rng = Random(3)
        board = classic(2, 2)
        for _ in range(100):
            candidates = [rng.choice((30, 30, 30, 6, 24, 14, 2)) for _ in range(16)]
            puzzle = Puzzle(board, tuple(candidates))
            found = len(list(backends.find("backtrack").search(puzzle, Budget(None))))
            assert backend(board).count_solutions(puzzle, Budget(None))[0] == found

    def test_small_boards_of_all_differents_agree_with_brute_force(self) -> None:
        made = native.Native()
        for seed in range(200):
            rng = Random(seed)
            cells, values = (rng.randint(2, 6), rng.randint(2, 4)) if seed % 5 else (rng.randint(2, 3), 9)
            rules = (kit.all_different(rng, cells, values, None, f"rule {k}") for k in range(rng.randint(0, 5)))
            board = Board(cells, values, cells, tuple(rules))
            puzzle = Puzzle(board, kit.random_candidates(rng, board))
            truth = kit.brute_force(puzzle)
            assert kit.fault(made, puzzle, truth, rng) is None, puzzle
            number, ending, grids = made.count_solutions(puzzle, Budget(None))
            assert (number, ending, len(grids)) == (len(truth), Ending.EXHAUSTED, min(2, len(truth)))
            assert set(grids) <= truth

    def test_candidates_that_are_no_givens(self) -> None:
        board, rng = classic(3, 3), Random(4)
        solved = backend(board).check_many(board, np.zeros((1, 81), np.uint16), Budget(1)).grids[0, 0].tolist()
        numbers = set()
        with Session("glucose4") as session:
            for _ in range(150):
                share = rng.uniform(0.3, 0.7)
                others = (sum(1 << v for v in range(1, 10) if v == own or rng.random() < share) for own in solved)
                candidates = [0 if rng.random() < 0.002 else allowed for allowed in others]
                puzzle = Puzzle(board, tuple(candidates))
                grids = list(backend(board).search(puzzle, Budget(20)))
                assert not any(list(violations(puzzle, grid)) for grid in grids)
                assert len(set(grids)) == len(grids) == session.run(puzzle, Budget(20)).count
                numbers.add(min(len(grids), 2))
        assert numbers == {0, 1, 2}

    @pytest.mark.parametrize("name", ["diagonal+", "windoku", "region", "anti-king"])
    def test_regions_and_other_groups_of_different_cells(self, name: str) -> None:
        puzzle = read((Path(__file__).parents[2] / "puzzles" / "variants" / f"{name}.toml").read_text())
        with Session("native") as session:
            assert session.run(puzzle, Budget(2)).verdict is Verdict.UNIQUE


class TestStopping:
    @pytest.mark.parametrize("nodes", [1, 2, 7])
    def test_slices_change_nothing(self, nodes: int, nine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        board, givens = classic(3, 3), rows(Random(8), (3, 3), 60)
        whole = nine.check_many(board, givens, Budget(2))
        grids = list(nine.search(read(MANY[1115]), Budget(40)))
        monkeypatch.setattr(native, "SLICE", nodes)
        monkeypatch.setattr(native, "QUICK_SLICE", nodes)
        sliced = nine.check_many(board, givens, Budget(2))
        for first, second in (
            (whole.counts, sliced.counts),
            (whole.endings, sliced.endings),
            (whole.grids, sliced.grids),
        ):
            assert (first == second).all()
        assert list(nine.search(read(MANY[1115]), Budget(40))) == grids
        four = Puzzle.from_givens(classic(2, 2), {})
        assert backend(four.board).count_solutions(four, Budget(None))[0] == 288

    def test_a_puzzle_beyond_the_bound_is_passed_on_and_the_others_are_not(self, nine: Any) -> None:
        easy, hard = read(EASY).givens, read(HARD).givens
        board = classic(3, 3)
        givens = np.array([easy, hard, easy], np.uint16)
        found = nine.check_many(board, givens, Budget(2, work=4))
        assert found.endings.tolist() == [Ending.EXHAUSTED.code, PASSED, Ending.EXHAUSTED.code]

    def test_a_timeout_costs_one_row(self, nine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(native, "SLICE", 1000)
        board = classic(3, 3)
        easy = read(MANY[1115]).givens
        givens = np.array([[0] * 81, easy], np.uint16)
        found = nine.check_many(board, givens, Budget(10_000_000, 0.05))
        assert ENDINGS[found.endings[0]] is Ending.TIMEOUT
        assert found.counts[1] == 1115

    def test_search_and_count_honour_the_timeout(self, nine: Any) -> None:
        empty = Puzzle.from_givens(classic(3, 3), {})
        assert nine.count_solutions(empty, Budget(None, 0.05))[1] is Ending.TIMEOUT
        search = nine.search(empty, Budget(None, 0.05))
        with pytest.raises(StopIteration) as stop:
            while True:
                next(search)
        assert stop.value.value is Ending.TIMEOUT

    def test_clashes_and_limits_of_nothing(self, nine: Any) -> None:
        board = classic(3, 3)
        givens = np.zeros((1, 81), np.uint16)
        givens[0, :2] = 5
        assert nine.check_many(board, givens, Budget(2)).counts.tolist() == [0]
        assert ENDINGS[nine.check_many(board, givens, Budget(0)).endings[0]] is Ending.LIMIT
        assert len(nine.check_many(board, givens[:0], Budget(2)).counts) == 0


class TestBoards:
    def test_sixty_four_values_and_no_more(self) -> None:
        board = classic(8, 8)
        grid = [(8 * (r % 8) + r // 8 + c) % 64 + 1 for r in range(64) for c in range(64)]
        rng = Random(1)
        holes = set(rng.sample(range(4096), 900))
        puzzle = Puzzle.from_givens(board, [0 if cell in holes else value for cell, value in enumerate(grid)])
        with Session("native") as session:
            outcome = session.run(puzzle, Budget(1))
            assert outcome.count == 1
            with pytest.raises(Refused, match="65 values, and it takes up to 64"):
                session.run(Puzzle.from_givens(Board(2, 65, 2, (AllDifferent((0, 1), "pair"),)), {}), Budget(2))

    @pytest.mark.parametrize("box", ["2x3", "3x2", "2x5", "2x4", "3x4", "5x5"])
    def test_every_shape_of_boxes(self, box: str) -> None:
        shape = Box.parse(box)
        board = classic(shape.rows, shape.columns)
        givens = rows(Random(box), (shape.rows, shape.columns), 10)
        found = backend(board).check_many(board, givens, Budget(1))
        some = found.counts > 0
        assert some.any()
        assert not faulty(board, givens[some], found.grids[some, 0]).any()

    def test_a_board_that_only_looks_classic(self) -> None:
        houses = classic(3, 3).constraints
        extra = AllDifferent(tuple(range(0, 81, 10)), "diagonal")
        assert native.pairs_apart(Board(81, 9, 9, houses[::-1])) == frozenset()
        apart = native.pairs_apart(Board(81, 9, 9, (*houses, extra)))
        assert apart is not None and len(apart) == 36 and (0, 80) in apart
        assert native.pairs_apart(Board(81, 9, 9, houses[:-1])) is None


class TestThreads:
    def test_calls_in_several_threads_have_nothing_in_common(self) -> None:
        board, givens = classic(3, 3), rows(Random(9), (3, 3), 300)
        made = backend(board)
        alone = made.check_many(board, givens, Budget(2))
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda _: made.check_many(board, givens, Budget(2)), range(8)))
        assert all((one.counts == alone.counts).all() and (one.grids == alone.grids).all() for one in together)


def test_auto_takes_it_for_puzzles_that_state_candidates() -> None:
    # 81 cells of which none is open, most of several candidates: glucose4 takes a hundred times as long.
    line = (
        "12.45.7891..4.6789...456.89...4.678..234..7891.345.7.9......789.23..678912.4.6789"
        "1.3456.8.12.456.8.12345..8.1234567891234..78.1.34.....1234.6789.....67.9123.56789"
        "1234.67.9123456..9123456.8..2.4.67.9..34..7.912..5.7..12...67891.34567891.3...78."
        "1234567.9123.56...12.456.891.3456.891.3.5...9123456...12..5...9123456789123456789"
        "1234.67891.3.5..891234567891.3..678.1.34.6..91234.67.91.3.567....34567.9..34567.."
        "123..67891......8.1234.678..23456..9123456.8.123.5.7891.3.56789..3456789.23456.8."
        "1.34567891.345678.12345678......678912.4.6789123.5..8912345.789.234.678912.4...89"
        ".2.4567.9.2.45.78....4.6.8..2..567.9..3.5.78.123.567891.3456789.23..67.9.2..5.78."
        "1234.6..91.345..8.1.34.67.91..45678.1.3.567891..45...912.45..891.345.7891234567.9"
    )
    with Session() as session:
        outcome = session.run(read(line), Budget(2))
    assert (outcome.verdict, outcome.backend) == (Verdict.UNIQUE, "native")
