"""The searches that others are compared with: the generic function, exact cover, pruning; who takes which board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku import (
    AllDifferent,
    Automaton,
    Board,
    Budget,
    Ending,
    Judge,
    Linear,
    Puzzle,
    Refused,
    Table,
    backends,
    classic,
    read,
)
from satdoku.backends import prune
from satdoku.backends.clock import Deadline
from satdoku.backends.depth_first import depth_first
from satdoku.backends.dlx import Matrix
from satdoku.exports import export

FAMILY = ("backtrack", "backtrack:row", "dlx", "prune", "native")
ALONE = ("dlx", "prune", "native")
COUNT_1115 = "200001000008000500000000000170020000000300800500000400600000010000830000000400000"
VARIANTS = sorted((Path(__file__).parent.parent / "puzzles" / "variants").glob("*.toml"))


def queens(size: int) -> Iterator[list[int]]:
    """Every way to place a queen a row so that none attacks another: the columns, row by row."""
    columns: list[int] = []

    def next_row() -> Iterator[object]:
        for column in range(size):
            if all(column != other and abs(column - other) != len(columns) - row for row, other in enumerate(columns)):
                columns.append(column)
                yield None
                columns.pop()

    for _ in depth_first(lambda: next_row() if len(columns) < size else None):
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
        assert list(depth_first(lambda: None)) == [None]


class TestDancingLinks:
    KNUTH = ((2, 4, 5), (0, 3, 6), (1, 2, 5), (0, 3), (1, 6), (3, 4, 6))

    def test_the_example_of_the_paper(self) -> None:
        (cover,) = Matrix(7, 7, self.KNUTH).covers(Deadline(None))
        assert {self.KNUTH[row] for row in cover} == {(0, 3), (2, 4, 5), (1, 6)}

    def test_secondary_columns_need_not_be_covered_but_not_twice(self) -> None:
        rows = ((0, 2), (0, 3), (1, 2), (1,))
        covers = {frozenset(cover) for cover in Matrix(2, 4, rows).covers(Deadline(None))}
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
            found = list(Matrix(primary, columns, rows).covers(Deadline(None)))
            assert len(found) == len(truth)
            assert set(map(frozenset, found)) == truth


def covers_exactly(rows: list[tuple[int, ...]], primary: int) -> bool:
    met = [column for row in rows for column in row]
    return len(met) == len(set(met)) and set(range(primary)) <= set(met)


class TestPrune:
    HOUSES = ((0, 1, 2), (2, 3))

    def test_values_of_decided_cells_are_struck_until_nothing_changes(self) -> None:
        assert prune.prune(self.HOUSES, (0b10, 0b110, 0b1110, 0b1010)) == (0b10, 0b100, 0b1000, 0b10)

    def test_blocked_is_an_empty_cell_or_a_value_twice(self) -> None:
        assert prune.blocked(self.HOUSES, (2, 4, 0, 2))
        assert prune.blocked(self.HOUSES, (2, 2, 12, 6))
        assert not prune.blocked(self.HOUSES, (2, 12, 12, 6))

    def test_a_cell_of_fewest_choices_is_expanded(self) -> None:
        assert prune.expand((14, 6, 2)) == [(14, 2, 2), (14, 4, 2)]
        assert prune.expand((2, 4)) == []

    def test_states_are_not_changed(self) -> None:
        choices = (0b10, 0b110, 0b1110, 0b1010)
        list(prune.search(self.HOUSES, choices, Deadline(None)))
        assert choices == (0b10, 0b110, 0b1110, 0b1010)


@pytest.mark.parametrize("backend", FAMILY)
class TestFamily:
    def test_counts_and_endings(self, backend: str) -> None:
        empty = Puzzle.from_givens(classic(2, 2), {})
        with Judge(backend) as judge:
            for limit, count, ending in (
                (None, 288, Ending.EXHAUSTED),
                (289, 288, Ending.EXHAUSTED),
                (288, 288, Ending.LIMIT),
                (1, 1, Ending.LIMIT),
                (0, 0, Ending.LIMIT),
            ):
                outcome = judge.run(empty, Budget(limit))
                assert (outcome.count, outcome.ending) == (count, ending)

    def test_a_puzzle_with_1115_solutions(self, backend: str) -> None:
        if backend == "backtrack:row":
            pytest.skip("millions of nodes in row order")
        with Judge(backend) as judge:
            assert judge.run(read(COUNT_1115), Budget(None)).count == 1115

    def test_contradictory_givens_are_unsolvable_and_no_error(self, backend: str) -> None:
        board = classic(2, 2)
        for puzzle in (
            Puzzle.from_givens(board, {0: 1, 1: 1}),
            Puzzle(board, (0, *(30,) * 15)),
            Puzzle.from_givens(board, {0: 1, 1: 2, 2: 3, 7: 4}),
        ):
            assert list(backends.find(backend).search(puzzle, Budget(None))) == []

    def test_a_timeout_is_honoured(self, backend: str) -> None:
        empty = Puzzle.from_givens(classic(4, 4), {})
        with Judge(backend) as judge:
            assert judge.run(empty, Budget(None, 0.1)).ending is Ending.TIMEOUT


AGREEING = (*(name for name in FAMILY if name != "backtrack:row"), "glucose4", "cpsat", "auto", "auto:many")


def random_puzzle(rng: Random, rows: int, columns: int) -> Puzzle:
    """Part of a grid that is shuffled by bands and names; in some, a value is changed."""
    size = rows * columns
    names = rng.sample(range(1, size + 1), size)
    order = [band * rows + row for band in rng.sample(range(columns), columns) for row in rng.sample(range(rows), rows)]
    grid = [names[(columns * (row % rows) + row // rows + column) % size] for row in order for column in range(size)]
    for cell in rng.sample(range(size * size), int(size * size * rng.uniform(0.35, 0.65))):
        grid[cell] = 0
    if rng.random() < 0.2:
        grid[rng.randrange(size * size)] = rng.randint(1, size)
    return Puzzle.from_givens(classic(rows, columns), grid)


def agree(rng: Random, boxes: tuple[int, int], number: int, names: tuple[str, ...]) -> set[int]:
    """The counts that came, up to 2, of puzzles on which all backends agree."""
    judges = [Judge(name) for name in names]
    counts = set()
    for _ in range(number):
        puzzle = random_puzzle(rng, *boxes)
        outcomes = [judge.run(puzzle, Budget(2)) for judge in judges]
        assert len({outcome.count for outcome in outcomes}) == 1, puzzle.givens
        if outcomes[0].count == 1:
            assert len({outcome.grids for outcome in outcomes}) == 1
        counts.add(outcomes[0].count)
    for judge in judges:
        judge.close()
    return counts


class TestAgreement:
    @pytest.mark.parametrize(("boxes", "number"), [((2, 2), 60), ((2, 3), 60), ((3, 3), 25)], ids=str)
    def test_on_random_puzzles(self, boxes: tuple[int, int], number: int) -> None:
        assert agree(Random(f"{boxes}"), boxes, number, AGREEING) == {0, 1, 2}

    def test_on_16x16(self) -> None:
        names = tuple(name for name in AGREEING if name not in ("prune", "backtrack", "cpsat"))
        assert agree(Random(16), (4, 4), 8, names) >= {2}

    @pytest.mark.slow
    @pytest.mark.parametrize("boxes", [(2, 2), (2, 3), (3, 3), (4, 4)], ids=str)
    def test_on_ten_thousand_random_puzzles(self, boxes: tuple[int, int]) -> None:
        names = AGREEING if boxes != (4, 4) else ("native", "glucose4", "auto")
        assert agree(Random(f"long {boxes}"), boxes, 2500, names) == {0, 1, 2}


class TestRefusals:
    RULES = (
        Linear((0, 1), (1, 1), 5, "cage 5"),
        Table((0, 1), frozenset({(1, 2)}), "dot"),
        Automaton((0, 1), frozenset({(0, 1, 0)}), 0, frozenset({0}), "line"),
    )

    @pytest.mark.parametrize("backend", ALONE)
    @pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
    def test_by_name_and_with_those_that_can(self, backend: str, rule: Any) -> None:
        puzzle = Puzzle.from_givens(Board(2, 4, 2, (rule,)), {})
        with pytest.raises(Refused, match=f"{rule.name} is an? {type(rule).__name__}, .*: auto, SAT solvers.* cpsat"):
            Judge(backend).run(puzzle, Budget(2))

    @pytest.mark.parametrize("file", VARIANTS, ids=lambda file: file.stem)
    def test_auto_takes_every_variant(self, file: Path) -> None:
        with Judge("auto:many") as judge:
            assert judge.run(read(file.read_text("utf-8")), Budget(2, 60)).count == 1


def parsed(text: str) -> tuple[list[str], list[str], list[list[str]]]:
    """Primary items, secondary items, options."""
    lines = [line for line in text.splitlines() if not line.startswith("|")]
    primary, _, secondary = lines[0].partition(" | ")
    return primary.split(), secondary.split(), [line.split() for line in lines[1:]]


def covers(primary: list[str], options: list[list[str]], taken: frozenset[str] = frozenset()) -> Iterator[list[str]]:
    """Exact covers by the shortest way to say it; an option's first item is its cell."""
    wanted = next((item for item in primary if item not in taken), None)
    if wanted is None:
        yield []
        return
    for option in options:
        if wanted in option and taken.isdisjoint(option):
            for rest in covers(primary, options, taken | set(option)):
                yield [" ".join(option), *rest]


class TestExactCoverExport:
    def test_every_line_is_of_items_that_are_declared(self) -> None:
        primary, secondary, options = parsed("".join(export(read("1.............2."), "exact-cover")))
        assert len(primary) == 16 + 12 * 4
        assert secondary == []
        assert len(options) == 14 * 4 + 2
        assert all(set(option) <= set(primary) and len(option) == 4 for option in options)
        assert all(len(item) <= 8 for item in primary)

    def test_covers_are_the_solutions(self) -> None:
        puzzle = read("13....3131...213")
        primary, _, options = parsed("".join(export(puzzle, "exact-cover")))
        assert len(list(covers(primary, options))) == 2

    def test_smaller_groups_are_secondary_items(self) -> None:
        board = Board(3, 3, 3, (AllDifferent((0, 1), "pair"), AllDifferent((1, 2), "other")))
        primary, secondary, options = parsed("".join(export(Puzzle.from_givens(board, {0: 1}), "exact-cover")))
        assert (len(primary), len(secondary)) == (3, 6)
        assert len(list(covers(primary, options))) == 4

    def test_what_it_cannot_say_is_refused(self) -> None:
        cage = Board(2, 4, 2, (Linear((0, 1), (1, 1), 5, "cage 5"),))
        with pytest.raises(Refused, match="cage 5 is no AllDifferent"):
            export(Puzzle.from_givens(cage, {}), "exact-cover")
        with pytest.raises(Refused, match="cannot exclude grids"):
            export(read("1..............."), "exact-cover", None, [(1,) * 16])
        with pytest.raises(Refused, match="takes no encoding"):
            export(read("1..............."), "exact-cover", "minimal")
