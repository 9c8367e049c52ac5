"""The searches that others are compared with: the generic function, exact cover, pruning; who takes which board."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.consumers import by_hand, covers, parsed
from support.engines import SLOW

import satdoku
from satdoku import (
    AllDifferent,
    Automaton,
    Board,
    Budget,
    Ending,
    Grid,
    Linear,
    Puzzle,
    Refused,
    Session,
    Table,
    Verdict,
    backends,
    classic,
    read,
)
from satdoku import testing as kit
from satdoku.backends import prune
from satdoku.backends.depth_first import depth_first
from satdoku.backends.dlx import Links
from satdoku.exports import export

FAMILY = ("backtrack", "backtrack:row", "dlx", "prune", "native")
ALONE = ("dlx", "prune", "native")
COUNT_1115 = "200001000008000500000000000170020000000300800500000400600000010000830000000400000"
SOME_VARIANTS = ("anti-knight", "arrow", "cage", "full-rank", "region", "same-region", "sandwich", "thermometer", "xv")
VARIANTS = sorted((Path(__file__).parents[2] / "puzzles" / "variants").glob("*.toml"))


def queens(size: int) -> Iterator[list[int]]:
    """Every way to place a queen a row so that none attacks another: the columns, row by row."""
    columns: list[int] = []

    def next_row() -> Iterator[bool]:
        for column in range(size):
            if all(column != other and abs(column - other) != len(columns) - row for row, other in enumerate(columns)):
                columns.append(column)
                yield True
                columns.pop()

    for decided in depth_first(lambda: next_row() if len(columns) < size else None):
        if decided:
            yield list(columns)


class TestDepthFirst:
    @pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 0), (3, 0), (4, 2), (6, 4), (8, 92)])
    def test_queens(self, size: int, number: int) -> None:
        found = list(queens(size))
        assert len(found) == len({tuple(columns) for columns in found}) == number

    def test_it_knows_nothing_of_sudoku(self) -> None:
        source = Path(depth_first.__code__.co_filename).read_text()
        assert "satdoku" not in source

    def test_nothing_to_decide_is_one_way(self) -> None:
        assert list(depth_first(lambda: None)) == [True]

    def test_each_assumption_is_a_node(self) -> None:
        def some() -> Iterator[bool]:
            yield False
            yield True
            yield False

        levels = iter((some(), None))
        assert list(depth_first(lambda: next(levels))) == [False, False, True, False]


class TestDancingLinks:
    KNUTH = ((2, 4, 5), (0, 3, 6), (1, 2, 5), (0, 3), (1, 6), (3, 4, 6))

    def test_the_example_of_the_paper(self) -> None:
        (cover,) = filter(None, Links(7, 7, self.KNUTH).covers())
        assert {self.KNUTH[row] for row in cover} == {(0, 3), (2, 4, 5), (1, 6)}

    def test_secondary_columns_need_not_be_covered_but_not_twice(self) -> None:
        rows = ((0, 2), (0, 3), (1, 2), (1,))
        covers = {frozenset(cover) for cover in filter(None, Links(2, 4, rows).covers())}
        assert covers == {frozenset({0, 3}), frozenset({1, 2}), frozenset({1, 3})}

    def test_random_matrices_against_all_subsets(self) -> None:
        rng = Random(4)
        for _ in range(200):
            primary, columns = rng.randint(0, 4), 6
            rows = [tuple(sorted(rng.sample(range(columns), rng.randint(1, 3)))) for _ in range(rng.randint(0, 8))]
            # Knuth's search chooses rows through primary columns only.
            useful = [row for row in range(len(rows)) if rows[row][0] < primary]
            truth = {
                frozenset(chosen)
                for size in range(len(useful) + 1)
                for chosen in combinations(useful, size)
                if covers_exactly([rows[row] for row in chosen], primary)
            }
            found = [cover for cover in Links(primary, columns, rows).covers() if cover is not None]
            assert len(found) == len(truth)
            assert set(map(frozenset, found)) == truth


def covers_exactly(rows: list[tuple[int, ...]], primary: int) -> bool:
    met = [column for row in rows for column in row]
    return len(met) == len(set(met)) and set(range(primary)) <= set(met)


class TestPrune:
    BOARD = Board(4, 3, 4, (AllDifferent((0, 1, 2), "house"), AllDifferent((2, 3), "pair")))

    def test_values_of_decided_cells_are_struck_until_nothing_changes(self) -> None:
        assert prune.prune(self.BOARD, (0b10, 0b110, 0b1110, 0b1010), [0]) == (0b10, 0b100, 0b1000, 0b10)

    def test_a_value_with_one_place_in_a_house_is_placed(self) -> None:
        assert prune.prune(self.BOARD, (0b110, 0b110, 0b1110, 0b1110), []) == (0b110, 0b110, 0b1000, 0b110)

    @pytest.mark.parametrize(
        "choices",
        [
            (0b10, 0b100, 0b110, 0b10),  # no value is left for the third cell
            (0b10, 0b10, 0b1100, 0b1110),  # a value twice
            (0b110, 0b110, 0b110, 0b1110),  # no place for 3
            (0b1110, 0b10, 0b10, 0b1110),  # 2 and 3 in one place
        ],
    )
    def test_what_cannot_be_is_blocked(self, choices: tuple[int, ...]) -> None:
        decided = [cell for cell, choice in enumerate(choices) if prune.single(choice)]
        assert not prune.blocked(choices)
        assert prune.blocked(prune.prune(self.BOARD, choices, decided))

    def test_a_cell_of_fewest_choices_is_expanded(self) -> None:
        assert prune.narrowest((14, 6, 2)) == 1
        assert prune.narrowest((2, 4)) is None
        assert prune.expand((14, 6, 2), 1) == [(14, 2, 2), (14, 4, 2)]

    def test_states_are_not_changed(self) -> None:
        choices = (0b10, 0b110, 0b1110, 0b1010)
        assert list(filter(None, prune.search(self.BOARD, choices))) == [(0b10, 0b100, 0b1000, 0b10)]
        assert choices == (0b10, 0b110, 0b1110, 0b1010)

    def test_a_long_chain_of_decided_cells_is_followed_to_its_end(self) -> None:
        length = 5_000
        pairs = tuple(AllDifferent((cell, cell + 1), f"pair {cell}") for cell in reversed(range(length - 1)))
        puzzle = Puzzle.from_givens(Board(length, 2, 100, pairs), {0: 1})
        (grid,) = backends.find("prune").search(puzzle, Budget(None))
        assert grid == (1, 2) * (length // 2)


@pytest.mark.parametrize("backend", FAMILY)
class TestFamily:
    def test_counts_and_endings(self, backend: str) -> None:
        empty = Puzzle.from_givens(classic(2, 2), {})
        with Session(backend) as session:
            for limit, count, ending in (
                (None, 288, Ending.EXHAUSTED),
                (289, 288, Ending.EXHAUSTED),
                (288, 288, Ending.LIMIT),
                (1, 1, Ending.LIMIT),
                (0, 0, Ending.LIMIT),
            ):
                outcome = session.run(empty, Budget(limit))
                assert (outcome.count, outcome.ending) == (count, ending)

    def test_a_puzzle_with_1115_solutions(self, backend: str) -> None:
        if backend == "backtrack:row":
            pytest.skip("millions of nodes in row order")
        with Session(backend) as session:
            assert session.run(read(COUNT_1115), Budget(None)).count == 1115

    def test_contradictory_givens_are_unsolvable_and_no_error(self, backend: str) -> None:
        board = classic(2, 2)
        engine = backends.find(backend)
        for puzzle in (
            Puzzle.from_givens(board, {0: 1, 1: 1}),
            Puzzle.from_givens(board, [1] * 16),
            Puzzle(board, (0, *(30,) * 15)),
            Puzzle(board, (0,) * 16),
            Puzzle.from_givens(board, {0: 1, 1: 2, 2: 3, 7: 4}),
        ):
            assert kit.collect(engine.search(puzzle, Budget(None))) == ([], Ending.EXHAUSTED)
            assert satdoku.check(puzzle, backend=backend).verdict is Verdict.UNSOLVABLE

    def test_groups_that_overlap_have_the_grids_of_brute_force(self, backend: str) -> None:
        assert kit.first_fault(partial(backends.find, backend), kit.cases_of_different_cells(100)) is None

    def test_a_timeout_is_honoured_and_the_backend_stays_usable(self, backend: str) -> None:
        with Session(backend) as session:
            outcome = session.run(Puzzle.from_givens(classic(4, 4), {}), Budget(None, 0.1))
            assert outcome.ending is Ending.TIMEOUT
            assert outcome.verdict is (Verdict.MULTIPLE if outcome.count > 1 else Verdict.UNDECIDED)
            assert session.run(Puzzle.from_givens(classic(2, 2), {}), Budget(None, 60)).count == 288


MANY = 10
"""Grids asked for where backends are compared."""

FEW = {(2, 2): 30, (2, 3): 30, (3, 3): 25, (4, 4): 12}
"""Puzzles of each board, by rows and columns of a box; `--long` has more."""

OPEN = {(2, 2): 0.8, (2, 3): 0.75, (3, 3): 0.65, (4, 4): 0.55}
"""The largest part of the cells that is left open, so that some have many solutions and none takes long."""

LONG = 500

FAST = [name for name in backends.installed() if name not in SLOW]


def random_puzzle(rng: Random, rows: int, columns: int) -> Puzzle:
    """Part of a grid that is shuffled by bands, stacks and names; in some, a wrong value that no given forbids."""
    board = classic(rows, columns)
    size = board.values
    names = rng.sample(range(1, size + 1), size)
    down = [band * rows + row for band in rng.sample(range(columns), columns) for row in rng.sample(range(rows), rows)]
    across = [
        stack * columns + column
        for stack in rng.sample(range(rows), rows)
        for column in rng.sample(range(columns), columns)
    ]
    grid = [names[(columns * (row % rows) + row // rows + column) % size] for row in down for column in across]
    holes = rng.sample(range(board.cells), int(board.cells * rng.uniform(0.3, OPEN[rows, columns])))
    givens = [0 if cell in holes else value for cell, value in enumerate(grid)]
    if rng.random() < 0.5:
        cell = rng.choice(holes)
        seen = {grid[cell], *(givens[peer] for peer in board.peers[cell])}
        givens[cell] = rng.choice([value for value in range(1, size + 1) if value not in seen] or [0])
    return Puzzle.from_givens(board, givens)


Found = tuple[int, Ending, frozenset[Grid] | None]


def outcomes(backend: str, boxes: tuple[int, int], number: int) -> list[Found]:
    """How many grids a backend finds of each puzzle, why it ends, and the grids where they are all."""
    rng = Random(f"{boxes}")
    found: list[Found] = []
    with Session(backend) as session:
        for _ in range(number):
            outcome = session.run(random_puzzle(rng, *boxes), Budget(MANY), keep=None)
            found.append((outcome.count, outcome.ending, frozenset(outcome.grids) if outcome.exact else None))
    return found


@cache
def expected(boxes: tuple[int, int], number: int) -> list[Found]:
    """What the others have to say; puzzles without, with one and with many solutions are among them."""
    found = outcomes("cadical153", boxes, number)
    assert {min(count, 3) for count, _, _ in found} == {0, 1, 2, 3}
    return found


@pytest.mark.parametrize("backend", [*FAST, "auto"])
@pytest.mark.parametrize("boxes", FEW, ids=lambda boxes: f"{boxes[0]}x{boxes[1]}")
class TestAgreement:
    def test_on_random_puzzles(self, boxes: tuple[int, int], backend: str) -> None:
        assert outcomes(backend, boxes, FEW[boxes]) == expected(boxes, FEW[boxes])

    @pytest.mark.slow
    def test_on_two_thousand_random_puzzles(self, boxes: tuple[int, int], backend: str) -> None:
        assert outcomes(backend, boxes, LONG) == expected(boxes, LONG)


class TestRefusals:
    RULES = (
        Linear((0, 1), (1, 1), 5, "cage 5"),
        Table((0, 1), frozenset({(1, 2)}), "dot"),
        Automaton((0, 1), frozenset({(0, 1, 0)}), 0, frozenset({0}), "line"),
    )

    @pytest.mark.parametrize("backend", ["dlx", "prune"])
    @pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
    def test_by_name_and_with_those_that_can(self, backend: str, rule: Any) -> None:
        puzzle = Puzzle.from_givens(Board(2, 4, 2, (rule,)), {})
        with pytest.raises(
            Refused, match=f"{rule.name} is an? {type(rule).__name__}, .*auto.* cpsat.* and all SAT solvers can$"
        ):
            Session(backend).run(puzzle, Budget(2))

    def test_those_that_are_not_installed_are_not_offered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(backends, "find_spec", lambda package: None if package in ("pysat", "ortools") else package)
        board = Board(2, 4, 2, (self.RULES[0],))
        outcomes = backends.not_all_different(board)
        assert outcomes is not None
        assert "backtrack" in outcomes
        assert "cpsat" not in outcomes

    def test_no_solver_is_imported_to_say_which_can(self) -> None:
        script = (
            "import sys; from satdoku import *; from satdoku.backends import not_all_different;"
            "print(not_all_different(Board(2, 4, 2, (Linear((0, 1), (1, 1), 5, 'cage'),))));"
            "print({'pysat', 'ortools', 'numba'} & set(sys.modules))"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        outcomes, imported = done.stdout.splitlines()
        assert "cpsat" in outcomes
        assert imported == "set()"

    def test_a_matrix_that_would_fill_the_memory_is_refused(self) -> None:
        with pytest.raises(Refused, match="1000000 placements, and it takes up to 300000"):
            satdoku.check(Puzzle.from_givens(classic(10, 10), {}), backend="dlx")

    @pytest.mark.parametrize("name", ["prune", "backtrack"])
    def test_sets_of_peers_that_would_fill_the_memory_are_refused(self, name: str) -> None:
        with pytest.raises(Refused, match="34171875 pairs of different cells, and it takes up to 10000000"):
            satdoku.check(Puzzle.from_givens(classic(15, 15), {}), backend=name)

    @pytest.mark.parametrize(
        "file",
        [pytest.param(file, marks=[pytest.mark.slow] * (file.stem not in SOME_VARIANTS)) for file in VARIANTS],
        ids=lambda file: file.stem,
    )
    def test_auto_takes_every_variant(self, file: Path) -> None:
        with Session("auto") as session:
            assert session.run(read(file.read_text("utf-8")), Budget(2, 60)).count == 1


class TestExactCoverExport:
    def test_every_line_is_of_items_that_are_declared(self) -> None:
        primary, secondary, options, _ = parsed("".join(export(read("1.............2."), "exact-cover")))
        assert len(primary) == 16 + 12 * 4
        assert secondary == []
        assert len(options) == 14 * 4 + 2
        assert all(set(option) <= set(primary) and len(option) == 4 for option in options)
        assert all(len(item) <= 8 for item in primary)

    def test_smaller_groups_are_secondary_items(self) -> None:
        board = Board(3, 3, 3, (AllDifferent((0, 1), "pair"), AllDifferent((1, 2), "other")))
        primary, secondary, options, _ = parsed("".join(export(Puzzle.from_givens(board, {0: 1}), "exact-cover")))
        assert (len(primary), len(secondary)) == (3, 6)
        assert len(list(covers(primary, options))) == 4

    def test_a_cell_in_no_group_says_its_value_all_the_same(self) -> None:
        puzzle = Puzzle(Board(2, 3, 2, (AllDifferent((0,), "alone"),)), (14, 10))
        _, secondary, options, lines = parsed("".join(export(puzzle, "exact-cover")))
        assert lines == ["r1c1 c1=1", "r1c1 c1=2", "r1c1 c1=3", "r1c2 c2=1", "r1c2 c2=3"]
        assert set().union(*options) - {"r1c1", "r1c2"} <= set(secondary)

    def test_each_other_grid_is_one_cover_whichever_are_excluded(self, tmp_path: Path) -> None:
        for case in kit.cases_of_different_cells(40, start=900):
            for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
                grids = sorted(truth)[:30]
                out = Random(case.seed).sample(grids, len(grids) // 2)
                if len(truth) <= 30:
                    text = "".join(export(puzzle, "exact-cover", None, out))
                    assert sorted(by_hand(text, puzzle, tmp_path)) == sorted(truth - set(out))

    def test_names_are_as_short_as_programs_want_them(self) -> None:
        for boxes in ((5, 5), (6, 6)):
            head = next(
                line for line in export(Puzzle.from_givens(classic(*boxes), {}), "exact-cover") if line[0] != "|"
            )
            assert max(map(len, head.split())) <= 8
            assert not set(":") & set(head)

    def test_what_it_cannot_say_is_refused(self) -> None:
        cage = Board(2, 4, 2, (Linear((0, 1), (1, 1), 5, "cage 5"),))
        with pytest.raises(Refused, match="cage 5 is a Linear, and it takes AllDifferent alone; asp, cpsat, dimacs"):
            export(Puzzle.from_givens(cage, {}), "exact-cover")
        with pytest.raises(Refused, match="takes no encoding"):
            export(read("1..............."), "exact-cover", "minimal")
